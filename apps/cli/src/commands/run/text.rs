//! What a run came to, in words.

use std::path::PathBuf;

use asperity_chart::short;
use asperity_scene::run::{Fault, Report};

/// The summary that people read.
pub(super) fn text(report: &Report, strict: bool, written: &[PathBuf]) -> String {
    let mut text = format!("{}\n", report.title.as_deref().unwrap_or(&report.scene));
    let mut line = |name: &str, what: String| text += &format!("  {name:<12} {what}\n");
    line("run", pace(report));
    let [dynamic, kinematic, fixed] = report.bodies;
    line("bodies", format!("{dynamic} dynamic, {kinematic} kinematic, {fixed} fixed"));
    line(
        "contacts",
        format!(
            "{} at the end, {} at most, {:.1e} m deep at most",
            report.contacts, report.most_contacts, report.penetration
        ),
    );
    line("solver", solver(report));
    for (i, pair) in report.pairs.iter().enumerate() {
        line(if i == 0 { "friction" } else { "" }, pair.to_string());
    }
    for (i, what) in soft(report).into_iter().enumerate() {
        line(if i == 0 { "soft" } else { "" }, what);
    }
    if let Some(error) = &report.soft_error {
        line("soft", format!("stood still in {error}"));
    }
    if report.most_patches > 0 {
        let (most, sampler) = (report.most_patches, &report.sampler);
        line("patches", format!("{most} a step at most, sampled by {sampler}"));
    }
    if let Some(error) = &report.sampler_error {
        line("sampler", error.clone());
    }
    for (i, stopped) in report.frozen.iter().enumerate() {
        line(if i == 0 { "stopped" } else { "" }, stopped.to_string());
    }
    for (i, fault) in report.faults.iter().enumerate() {
        line(if i == 0 { "faults" } else { "" }, describe(fault, strict));
    }
    if report.faults.is_empty() {
        line("faults", format!("none: {}", report.soundness.energy));
    }
    line("state", report.state_hash.clone());
    for (i, judgement) in report.expectations.iter().enumerate() {
        line(if i == 0 { "expected" } else { "" }, judgement.to_string());
    }
    if report.expectations.is_empty() {
        line("expected", "nothing".to_owned());
    }
    match written.first().and_then(|path| path.parent()) {
        Some(folder) => {
            let names: Vec<_> = written.iter().filter_map(|path| path.file_name()).collect();
            let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
            line("wrote", format!("{}: {}", folder.display(), names.join(", ")));
        }
        None => line("wrote", "nothing; --out DIR records the run".to_owned()),
    }
    if report.fails(strict) {
        text += if strict {
            "NOT TO BE TRUSTED: something above or a warning about the scene counts in a strict run\n"
        } else {
            "NOT TO BE TRUSTED: what the run shows is wrong; a smaller world.dt or a smaller tolerance may help\n"
        };
    }
    let (missed, all) = (report.missed(), report.expectations.len());
    if missed > 0 {
        text += &format!("{missed} of {all} expectations missed\n");
    }
    text
}

/// What happened to soft bodies; nothing where there are none.
fn soft(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if report.soft_bodies > 0 {
        let residual = report.soft_residual.map_or_else(
            || "in the contact solver".to_owned(),
            |value| format!("residual of the filter {value:.1e}"),
        );
        lines.push(format!(
            "{} bodies, {} contacts at most, {:.1e} m deep at most, {residual}",
            report.soft_bodies, report.soft_contacts, report.soft_overlap
        ));
    }
    if report.soft_held_back > 0.0 {
        lines.push(format!(
            "steps made shorter by up to {:.1e} of their motion, which would have brought {:.1e} J from nowhere",
            report.soft_slowed, report.soft_held_back
        ));
    }
    lines
}

fn describe(fault: &Fault, strict: bool) -> String {
    let word = match (fault.fails(strict), fault.allowed) {
        (true, _) => "FAILED",
        (false, true) => "allowed",
        (false, false) => "warning",
    };
    format!("{word}: {}", fault.message)
}

fn pace(report: &Report) -> String {
    format!(
        "{} steps of {} s: {} s simulated in {:.3} s, {:.0} steps/s",
        report.steps,
        report.dt,
        short(report.simulated_seconds),
        report.wall_seconds,
        report.steps as f64 / report.wall_seconds.max(1e-9)
    )
}

fn solver(report: &Report) -> String {
    let residual = match report.worst_residual {
        Some(residual) => format!("{residual:.1e}"),
        None => "not a number".to_owned(),
    };
    let steps = match report.unconverged_steps {
        0 => match report.worst_residual {
            // Contacts of soft bodies are solved for to less.
            Some(residual) if residual > report.tolerance => {
                format!("every step reached {residual:.0e}")
            }
            _ => format!("every step reached {:.0e}", report.tolerance),
        },
        1 => format!("1 step did not reach {:.0e}", report.tolerance),
        n => format!("{n} steps did not reach {:.0e}", report.tolerance),
    };
    format!(
        "worst residual {residual} (step {}), {} iterations at most, {steps}",
        report.worst_step, report.most_iterations
    )
}
