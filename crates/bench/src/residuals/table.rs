//! Time against residual as text and as CSV.

use super::Measured;
use super::curve::Curve;

/// Residuals whose times are told.
const RESIDUALS: [f64; 5] = [1e-1, 1e-2, 1e-4, 1e-6, 1e-9];

/// When each solver reaches some residuals, and what whole engines reach.
pub(super) fn text(all: &[Measured]) -> String {
    let mut text = String::new();
    for Measured { moment, curves } in all {
        text += &format!(
            "{} s: {} contact points in {} islands; ms until a residual is reached\n{:<24}",
            moment.time, moment.contacts, moment.count, "solver"
        );
        text += &RESIDUALS.map(|residual| format!(" {residual:>8.0e}")).concat();
        text += &format!(" {:>9} {:>9} {:>7}\n", "best", "ms", "sweeps");
        let mut refused = String::new();
        for curve in curves {
            match &curve.refused {
                Some(why) => refused += &format!("  {why}\n"),
                None => text += &line(curve),
            }
        }
        for whole in &moment.engines {
            let (residual, ms) = (whole.residual, 1e3 * whole.seconds);
            let blank = 9 * RESIDUALS.len();
            text += &format!("{:<24}{:blank$} {residual:>9.1e} {ms:>9.3}\n", whole.engine, "");
        }
        text += &refused;
        text += "\n";
    }
    text + NOTES
}

fn line(curve: &Curve) -> String {
    let mut text = format!("{:<24}", curve.solver);
    for residual in RESIDUALS {
        let first = curve.points.iter().filter(|p| p.residual <= residual);
        let first = first.map(|p| 1e3 * p.seconds).min_by(f64::total_cmp);
        text += &first.map_or(format!(" {:>8}", "-"), |ms| format!(" {ms:>8.2}"));
    }
    let best = curve.points.iter().min_by(|a, b| a.residual.total_cmp(&b.residual));
    if let Some(p) = best {
        text += &format!(" {:>9.1e} {:>9.3} {:>7}", p.residual, 1e3 * p.seconds, p.sweeps);
    }
    text + "\n"
}

/// One line for each number of sweeps of each solver, and for each engine.
pub(super) fn csv(all: &[Measured]) -> String {
    let mut text = "time_s,kind,name,allowed,sweeps,seconds,residual,told\n".to_owned();
    for Measured { moment, curves } in all {
        for curve in curves {
            for p in &curve.points {
                text += &format!(
                    "{},solver,{},{},{},{:e},{:e},{:e}\n",
                    moment.time, curve.solver, p.allowed, p.sweeps, p.seconds, p.residual, p.told
                );
            }
        }
        for whole in &moment.engines {
            text += &format!(
                "{},engine,\"{}\",,,{:e},{:e},\n",
                moment.time, whole.engine, whole.seconds, whole.residual
            );
        }
    }
    text
}

const NOTES: &str = "\
solvers    on the problems of Asperity's step at that moment, all islands one after the other, from
           the impulses of the step before; each with 1, 2, 4, … sweeps at most (Newton's method:
           its own steps). best: the least residual, the time for it and its sweeps
engines    where each has come by itself at that moment: the residual of its own contacts and
           impulses, and the time of a whole step, in which contacts are found, too; medians of five
residual   without units, without open contacts, as in `piles`
";
