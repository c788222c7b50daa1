//! Progress on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress on standard error; nothing where that is not a terminal.
pub(crate) fn bar(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} ({eta} left)") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    if bar.is_hidden() {
        eprintln!("{what} …");
    }
    bar
}
