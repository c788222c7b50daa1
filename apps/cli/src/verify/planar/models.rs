//! The models against the authors' results.

use asperity::friction::extent::Shape;
use asperity::friction::memory::Parameters;
use asperity::glamx::DVec3;
use rayon::prelude::*;

use super::super::Check;
use super::super::rigid::Group;
use super::golden::Golden;
use crate::error::CliError;
use crate::planar::model::{Kind, Model, Patch, Scheme};
use crate::planar::paper;
use crate::planar::simulate::{Experiment, Row, first_load, simulate};

pub(super) fn groups(golden: &Golden, full: bool, groups: &mut Vec<Group>) {
    let g = golden.clone();
    groups.push(("Fig. 5, explicit steps", Box::new(move || fixed_steps(&g))));
    let g = golden.clone();
    groups.push(("Fig. 5, held velocities", Box::new(move || held(&g))));
    let g = golden.clone();
    groups.push(("drift under oscillating loads", Box::new(move || drift(&g, full))));
    let g = golden.clone();
    groups.push(("in-hand stick-slip", Box::new(move || in_hand(&g, full))));
}

/// The shape that a file's name has in it.
pub(super) fn shape(name: &str) -> Shape {
    let known = [
        ("LineGradX", Shape::LineGradientX),
        ("LineGrad", Shape::LineGradient),
        ("Line", Shape::Line),
        ("Square", Shape::Square),
        ("NonConvex1", Shape::NonConvex1),
        ("NonConvex2", Shape::NonConvex2),
    ];
    known.into_iter().find(|(key, _)| name.contains(key)).map_or(Shape::Circle, |(_, s)| s)
}

fn parameters(name: &str) -> Parameters {
    let lugre = Parameters::default();
    if name.contains("_ep") { lugre.elasto_plastic(0.9) } else { lugre }
}

fn run(
    kind: Kind,
    parameters: Parameters,
    patch: &Patch,
    experiment: &Experiment,
) -> Result<Vec<Row>, CliError> {
    let mut model = Model::new(kind, parameters, patch, Scheme::Explicit, first_load(experiment))?;
    Ok(simulate(experiment, &mut model, &mut |_| ())?)
}

/// Largest difference over the largest value, per component.
fn worst(found: &[DVec3], golden: &[DVec3]) -> DVec3 {
    let difference = found.iter().zip(golden).map(|(f, g)| (*f - *g).abs());
    let size = golden.iter().fold(DVec3::ZERO, |m, g| m.max(g.abs()));
    difference.fold(DVec3::ZERO, DVec3::max) / size.max(DVec3::splat(f64::MIN_POSITIVE))
}

/// The same over the range of the golden values.
fn over_range(found: &[DVec3], golden: &[DVec3]) -> DVec3 {
    let difference = found.iter().zip(golden).map(|(f, g)| (*f - *g).abs());
    let low = golden.iter().fold(DVec3::INFINITY, |m, g| m.min(*g));
    let high = golden.iter().fold(DVec3::NEG_INFINITY, |m, g| m.max(*g));
    difference.fold(DVec3::ZERO, DVec3::max) / (high - low).max(DVec3::splat(f64::MIN_POSITIVE))
}

fn wrenches(rows: &[Row]) -> Vec<DVec3> {
    rows.iter().map(|r| r.wrench).collect()
}

/// The paper's explicit scheme: every file to 1e-9 of the largest force.
fn fixed_steps(golden: &Golden) -> Result<Vec<Check>, CliError> {
    let files = golden.files("fig5_euler1e-5_", ".csv")?;
    let pairs: Vec<[Check; 2]> = files
        .par_iter()
        .map(|name| {
            let file = golden.read(name)?;
            let patch = Patch::of_paper(shape(name));
            let experiment = paper::fig5_fixed();
            let label = name.trim_start_matches("fig5_euler1e-5_").trim_end_matches(".csv");
            let theirs = file.vectors(["dist_fx", "dist_fy", "dist_tau"])?;
            let ours = run(Kind::Distributed, parameters(name), &patch, &experiment)?;
            let error = worst(&wrenches(&ours), &theirs).max_element();
            let distributed = Check::below(&format!("{label}: distributed"), 1e-9, error, "of max");
            let theirs = file.vectors(["red_fx", "red_fy", "red_tau"])?;
            let ours = run(Kind::Reduced, parameters(name), &patch, &experiment)?;
            let error = worst(&wrenches(&ours), &theirs).max_element();
            let reduced = Check::below(&format!("{label}: reduced"), 1e-2, error, "of max");
            Ok([distributed, reduced])
        })
        .collect::<Result<_, CliError>>()?;
    Ok(pairs.into_iter().flatten().collect())
}

/// Velocities held for 10 ms, which the authors integrate by LSODA.
fn held(golden: &Golden) -> Result<Vec<Check>, CliError> {
    let files = golden.files("fig5_lsoda_", ".csv")?;
    files
        .par_iter()
        .map(|name| {
            let theirs = golden.read(name)?.vectors(["fx", "fy", "tau"])?;
            let kind = match name {
                n if n.contains("_ell") => Kind::Ellipsoid,
                n if n.contains("_red") => Kind::Reduced,
                _ => Kind::Distributed,
            };
            let patch = Patch::of_paper(shape(name));
            let ours = run(kind, parameters(name), &patch, &paper::fig5_held())?;
            let error = over_range(&wrenches(&ours), &theirs);
            if error.max_element() > 1e-2 {
                eprintln!("{name} {error}");
                for (r, g) in ours.iter().zip(&theirs) {
                    if (r.wrench.z - g.z).abs() > 5e-5 {
                        eprintln!("   {:.2} {:.4e} {:.4e}", r.t, r.wrench.z, g.z);
                    }
                }
            }
            let error = error.max_element();
            let label = name.trim_start_matches("fig5_lsoda_").trim_end_matches(".csv");
            Ok(Check::below(label, 1e-2, error, "of range"))
        })
        .collect()
}

fn drift(golden: &Golden, full: bool) -> Result<Vec<Check>, CliError> {
    let files = golden.files("drift_", ".csv")?;
    let files: Vec<_> = files.into_iter().filter(|n| full || n.contains("_red_")).collect();
    files
        .par_iter()
        .map(|name| {
            let theirs = golden.read(name)?.vectors(["x", "y", "theta"])?;
            let kind = if name.contains("_red_") { Kind::Reduced } else { Kind::Distributed };
            let experiment = paper::drift(name.contains("_normal_"), 5.0);
            let ours = run(kind, parameters(name), &paper::drift_patch(), &experiment)?;
            let poses: Vec<DVec3> = ours.iter().map(|r| r.pose).collect();
            let error = over_range(&poses, &theirs);
            let label = name.trim_start_matches("drift_").trim_end_matches(".csv");
            Ok(Check::below(&format!("{label}: pose"), 1e-2, error.x.max(error.z), "of range"))
        })
        .collect()
}

fn in_hand(golden: &Golden, full: bool) -> Result<Vec<Check>, CliError> {
    let files = golden.files("inhand_", ".csv")?;
    let files: Vec<_> = files.into_iter().filter(|n| full || n.contains("_red.")).collect();
    files
        .par_iter()
        .map(|name| {
            let theirs = golden.read(name)?.vectors(["x", "y", "theta"])?;
            let kind = if name.contains("_red.") { Kind::Reduced } else { Kind::Distributed };
            let patch = match name {
                n if n.contains("_k2fn_") => paper::soft_patch(true),
                n if n.contains("_k2_") => paper::soft_patch(false),
                n => Patch::of_paper(shape(n)),
            };
            let case = if name.contains("case1") { 1 } else { 2 };
            let profile = if name.contains("_fn2_") { 2 } else { 1 };
            let p = if std::env::var("EP").is_ok() {
                Parameters::default().elasto_plastic(0.9)
            } else {
                Parameters::default()
            };
            let ours = run(kind, p, &patch, &paper::in_hand(case, profile))?;
            let poses: Vec<DVec3> = ours.iter().map(|r| r.pose).collect();
            let error = over_range(&poses, &theirs).max_element();
            let label = name.trim_start_matches("inhand_").trim_end_matches(".csv");
            Ok(Check::below(&format!("{label}: pose"), 1e-2, error, "of range"))
        })
        .collect()
}
