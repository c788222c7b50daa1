//! `asperity tune masks`: masks of normal maps from measured coefficients.

use std::path::PathBuf;

use asperity::friction::surface::{Mask, Surface};
use asperity_scene::fit::{self, Factor, Fit, Measured};

use crate::error::CliError;
use crate::output::print;
use crate::scene::load_scene;

/// Find the masks k (and the ambient coefficient) with which the normal maps of a scene give measured coefficients:
/// mu = mu0 + k_A mu_A + k_B mu_B (Andrews et al. 2021, Eq. 7), mu_A and mu_B means over whole maps.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene whose materials are meant. A mask that is a number is left out; one that is a field is kept and gets a
    /// factor.
    scene: PathBuf,
    /// Measured coefficients (CSV): columns a, b (materials, b lies on a), direction (degrees from the u of a towards
    /// its v, in which b moves), mu, and turn (degrees, b against a) if b was turned.
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// Ambient coefficient mu0; without it, it is sought too.
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    ambient: Option<f64>,
    /// The largest difference between measured and fitted coefficients that is no contradiction.
    #[arg(long, value_name = "MU", default_value_t = 0.02, allow_negative_numbers = true)]
    within: f64,
}

/// Prints what fits; false where measurements contradict each other or the maps.
pub(crate) fn run(args: &Args) -> Result<bool, CliError> {
    for (flag, value) in [("--ambient", args.ambient), ("--within", Some(args.within))] {
        if let Some(value) = value.filter(|v| !(v.is_finite() && *v >= 0.0)) {
            let message = format!("{flag} is {value}; expected a finite number, zero or more");
            return Err(CliError::Input(message));
        }
    }
    let scene = load_scene(&args.scene)?;
    let surfaces = scene.world.pairing().surfaces();
    let text = std::fs::read_to_string(&args.table).map_err(CliError::at(&args.table))?;
    let measured = fit::read(&args.table.display().to_string(), &text, surfaces)
        .map_err(|e| CliError::Input(e.to_string()))?;
    let found = fit::masks(surfaces, &measured, args.ambient);
    let (worst, misfit) = found.worst();
    let fits = misfit <= args.within;
    let mut report =
        factors(&found, surfaces, args.ambient) + &residuals(&found, surfaces, &measured);
    report += &format!(
        "misfit {:.4} (root mean square), {misfit:.4} at most, line {}\n",
        found.misfit(),
        measured[worst].line
    );
    if !fits {
        report += &format!(
            "CONTRADICTION: with these maps no masks give these coefficients to within {} (--within)\n",
            args.within
        );
    }
    print(&report);
    Ok(fits)
}

/// What was sought, a line each.
fn factors(found: &Fit, surfaces: &[Surface], ambient: Option<f64>) -> String {
    let (rank, unknowns) = found.rank;
    let mut text =
        format!("{} measurements determine {rank} of {unknowns} numbers\n", found.residuals.len());
    for (number, factor) in &found.factors {
        let surface = &surfaces[*number];
        let what = match surface.relief.as_deref().map(asperity::friction::surface::Relief::mask) {
            None => "no normal map, so that it has no mask".to_owned(),
            Some(Mask::Constant(_)) => format!("mask = {}", told(factor)),
            Some(Mask::Texels(_)) => format!("its mask times {}", told(factor)),
        };
        text += &format!("  {:20} {what}\n", surface.name);
    }
    let mu = match (found.ambient, ambient) {
        (Some(factor), _) => told(&factor),
        (None, given) => format!("{} as given", given.unwrap_or(0.0)),
    };
    text + &format!("  {:20} mu = {mu}\n", "ambient")
}

/// A number, how sure it is, and what is to be known of it.
fn told(factor: &Factor) -> String {
    if !factor.is_determined {
        return "(not determined: other values fit as well, with others of the rest)".to_owned();
    }
    let error = factor.error.map_or(String::new(), |e| format!(" +- {e:.4}"));
    let zero = if factor.value == 0.0 { ", where less than nothing would fit better" } else { "" };
    format!("{:.4}{error}{zero}", factor.value)
}

/// Each measurement and what is left of it.
fn residuals(found: &Fit, surfaces: &[Surface], measured: &[Measured]) -> String {
    let mut text = format!(
        "  {:>5} {:20} {:20} {:>9} {:>9} {:>9} {:>9}\n",
        "line", "a", "b", "direction", "measured", "fitted", "residual"
    );
    for (one, residual) in measured.iter().zip(&found.residuals) {
        let [a, b] = one.surfaces.map(|k| surfaces[k].name.as_str());
        text += &format!(
            "  {:>5} {a:20} {b:20} {:>9.2} {:>9.4} {:>9.4} {residual:>9.4}\n",
            one.line,
            one.direction.to_degrees(),
            one.mu,
            one.mu - residual
        );
    }
    text
}
