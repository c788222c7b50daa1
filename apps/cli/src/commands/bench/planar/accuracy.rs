//! How the models' errors depend on their resolution (Figs. 9, 22, 36 and 37).

use asperity::friction::extent::Shape;
use asperity::friction::memory::Parameters;
use asperity::glamx::DVec3;
use rayon::prelude::*;

use super::{Line, TableOne, line, table_one};
use crate::error::CliError;
use asperity_verify::experiment::model::{GridPatch, Model, ModelKind, Scheme};
use asperity_verify::experiment::paper;
use asperity_verify::experiment::simulate::simulate;

/// Cells along a side of what is taken for the truth.
const FINE: usize = 101;
/// N_ls of what is taken for the truth.
const FINE_TABLE: usize = 100;
/// The paper's resolutions.
pub(super) const SIZES: [usize; 8] = [5, 9, 13, 17, 21, 25, 29, 33];

/// Root mean square errors over the motion of Fig. 5, over the largest force or torque.
pub(super) struct Curve {
    /// 9, 36 or 37.
    pub(super) figure: usize,
    pub(super) shape: &'static str,
    /// Which parameters of Table I.
    pub(super) parameters: &'static str,
    /// N or N_ls, error of the force, error of the torque.
    pub(super) points: Vec<(usize, [f64; 2])>,
}

/// Errors against the distributed model, of force and torque.
pub(super) struct Spread {
    pub(super) shape: &'static str,
    pub(super) model: ModelKind,
    /// Q1 − 1.5 IQR (but no less than the least), Q1, median, Q3, Q3 + 1.5 IQR (but no more than the
    /// largest).
    pub(super) marks: [[f64; 5]; 2],
}

/// All figures.
pub(super) struct Accuracy {
    pub(super) curves: Vec<Curve>,
    pub(super) spreads: Vec<Spread>,
}

pub(super) fn measure() -> Result<Accuracy, CliError> {
    let shapes = [
        ("square", Shape::Square),
        ("circle", Shape::Circle),
        ("line gradient", Shape::LineGradient),
    ];
    let cases: Vec<_> =
        shapes.iter().flat_map(|s| table_one().map(|p| (s.0, s.1.clone(), p))).collect();
    let curves: Vec<Vec<Curve>> =
        cases.into_par_iter().map(|(n, s, p)| curves(n, &s, p)).collect::<Result<_, _>>()?;
    let others = [
        ("line", Shape::Line),
        ("non-convex 1", Shape::NonConvex1),
        ("non-convex 2", Shape::NonConvex2),
    ];
    let all: Vec<_> = shapes.into_iter().chain(others).collect();
    let spreads: Vec<Vec<Spread>> =
        all.into_par_iter().map(|(n, s)| spreads(n, &s)).collect::<Result<_, _>>()?;
    Ok(Accuracy {
        curves: curves.into_iter().flatten().collect(),
        spreads: spreads.into_iter().flatten().collect(),
    })
}

fn run(
    shape: &Shape,
    p: Parameters,
    kind: ModelKind,
    cells: usize,
    resolution: usize,
) -> Result<Vec<DVec3>, CliError> {
    let patch = GridPatch { cells, resolution, ..GridPatch::of_paper(shape.clone()) };
    let mut model = Model::new(kind, p, &patch, Scheme::Explicit, 1.0)?;
    let rows = simulate(&paper::fig5_fixed(), &mut model, &mut |_| ())?;
    Ok(rows.iter().map(|r| r.wrench).collect())
}

fn curves(
    shape_name: &'static str,
    shape: &Shape,
    (parameters, p): TableOne,
) -> Result<Vec<Curve>, CliError> {
    let run = |kind, cells, resolution| run(shape, p, kind, cells, resolution);
    let truth = run(ModelKind::Distributed, FINE, 20)?;
    let fine_table = run(ModelKind::Reduced, 21, FINE_TABLE)?;
    let mut curves = Vec::new();
    for figure in [9, 36, 37] {
        let mut points = Vec::new();
        for n in SIZES {
            let (found, truth) = match figure {
                9 => (run(ModelKind::Distributed, n, 20)?, &truth),
                36 => (run(ModelKind::Reduced, n, 20)?, &truth),
                _ => (run(ModelKind::Reduced, 21, n)?, &fine_table),
            };
            points.push((n, rms(&found, truth)));
        }
        curves.push(Curve { figure, shape: shape_name, parameters, points });
    }
    Ok(curves)
}

fn spreads(name: &'static str, shape: &Shape) -> Result<Vec<Spread>, CliError> {
    let run = |kind| run(shape, Parameters::default(), kind, 21, 20);
    let truth = run(ModelKind::Distributed)?;
    let one = |model: ModelKind| {
        Ok(Spread { shape: name, model, marks: errors(&run(model)?, &truth).map(marks) })
    };
    [ModelKind::Reduced, ModelKind::Ellipsoid].into_iter().map(one).collect()
}

impl Accuracy {
    /// As lines of a table.
    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut push = |what: &str, [force, torque]: [f64; 2]| {
            for (found, of) in [(force, "force"), (torque, "torque")] {
                lines.push(line(&format!("{what}: {of}"), found, "of max", None, None));
            }
        };
        for c in &self.curves {
            let unknown = if c.figure == 37 { "N_ls" } else { "N" };
            for (n, error) in &c.points {
                let what =
                    format!("Fig. {}: {}, {}, {unknown} = {n}", c.figure, c.shape, c.parameters);
                push(&what, *error);
            }
        }
        for s in &self.spreads {
            for (k, label) in [(1, "Q1"), (2, "median"), (3, "Q3")] {
                let what = format!("Fig. 22: {}, {}, {label}", s.shape, s.model.name());
                push(&what, s.marks.map(|m| m[k]));
            }
        }
        lines
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

/// What a box plot shows of some numbers.
fn marks(mut values: Vec<f64>) -> [f64; 5] {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let k = (part * values.len() as f64) as usize;
        values.get(k.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    let (q1, q3) = (at(0.25), at(0.75));
    let reach = 1.5 * (q3 - q1);
    [(q1 - reach).max(at(0.0)), q1, at(0.5), q3, (q3 + reach).min(at(1.0))]
}
