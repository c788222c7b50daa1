//! How the models' errors depend on their resolution (Figs. 9, 22, 36 and 37).

use asperity::friction::extent::Shape;
use asperity::friction::memory::Parameters;
use asperity::glamx::DVec3;
use rayon::prelude::*;

use super::Line;
use crate::error::CliError;
use crate::planar::model::{Kind, Model, Patch, Scheme};
use crate::planar::paper;
use crate::planar::simulate::simulate;

/// Cells along a side of what is taken for the truth.
const FINE: usize = 101;
/// N_ls of what is taken for the truth.
const FINE_TABLE: usize = 100;

/// Root mean square errors over the motion of Fig. 5, over the largest force or torque.
pub(super) fn lines() -> Result<Vec<Line>, CliError> {
    let shapes = [
        ("square", Shape::Square),
        ("circle", Shape::Circle),
        ("line gradient", Shape::LineGradient),
    ];
    let all: Vec<Vec<Line>> =
        shapes.into_par_iter().map(|(name, shape)| of(name, &shape)).collect::<Result<_, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

fn of(name: &str, shape: &Shape) -> Result<Vec<Line>, CliError> {
    let run = |kind: Kind, cells: usize, resolution: usize| -> Result<Vec<DVec3>, CliError> {
        let patch = Patch { cells, resolution, ..Patch::of_paper(shape.clone()) };
        let p = Parameters::default();
        let mut model = Model::new(kind, p, &patch, Scheme::Explicit, 1.0)?;
        let rows = simulate(&paper::fig5_fixed(), &mut model, &mut |_| ())?;
        Ok(rows.iter().map(|r| r.wrench).collect())
    };
    let mut lines = Vec::new();
    let truth = run(Kind::Distributed, FINE, 20)?;
    for (kind, figure) in [(Kind::Distributed, "Fig. 9"), (Kind::Reduced, "Fig. 36")] {
        for cells in [5, 9, 13, 17, 21, 25, 29, 33] {
            let what = format!("{figure}: {name}, {}, N = {cells}", kind.name());
            push(&mut lines, &what, rms(&run(kind, cells, 20)?, &truth));
        }
    }
    let truth = run(Kind::Reduced, 21, FINE_TABLE)?;
    for resolution in [5, 9, 13, 17, 21, 25, 29, 33] {
        let what = format!("Fig. 37: {name}, N_ls = {resolution}");
        push(&mut lines, &what, rms(&run(Kind::Reduced, 21, resolution)?, &truth));
    }
    let truth = run(Kind::Distributed, 21, 20)?;
    for kind in [Kind::Reduced, Kind::Ellipsoid] {
        let found = run(kind, 21, 20)?;
        for (part, label) in [0.25, 0.5, 0.75].into_iter().zip(["Q1", "median", "Q3"]) {
            let what = format!("Fig. 22: {name}, {}, {label}", kind.name());
            push(&mut lines, &what, quantile(&found, &truth, part));
        }
    }
    Ok(lines)
}

fn push(lines: &mut Vec<Line>, what: &str, [force, torque]: [f64; 2]) {
    for (found, of) in [(force, "force"), (torque, "torque")] {
        lines.push(super::line(&format!("{what}: {of}"), found, "of max", None, None));
    }
}

/// Lengths of force and torque errors over the largest of the truth.
fn errors(found: &[DVec3], truth: &[DVec3]) -> [Vec<f64>; 2] {
    let force = |v: DVec3| v.x.hypot(v.y);
    let most = truth.iter().fold([0.0_f64; 2], |m, t| [m[0].max(force(*t)), m[1].max(t.z.abs())]);
    let apart = || found.iter().zip(truth).map(|(f, t)| *f - *t);
    [apart().map(|d| force(d) / most[0]).collect(), apart().map(|d| d.z.abs() / most[1]).collect()]
}

fn rms(found: &[DVec3], truth: &[DVec3]) -> [f64; 2] {
    errors(found, truth).map(|e| (e.iter().map(|x| x * x).sum::<f64>() / e.len() as f64).sqrt())
}

fn quantile(found: &[DVec3], truth: &[DVec3], part: f64) -> [f64; 2] {
    errors(found, truth).map(|mut e| {
        e.sort_by(f64::total_cmp);
        e.get((part * e.len() as f64) as usize).copied().unwrap_or(f64::NAN)
    })
}
