//! Closed forms, and what follows from the equations without anyone's data.

use std::f64::consts::PI;
use std::sync::Arc;

use asperity::friction::extent::{Exact, Shape, disc_set};
use asperity::friction::memory::{Distributed, Parameters, Passivity};
use asperity::glamx::{DVec2, DVec3};

use crate::Check;
use crate::Group;
use crate::VerifyError;
use crate::experiment::model::{Model, ModelKind, Scheme};
use crate::experiment::paper;
use crate::experiment::simulate::{Experiment, first_load, simulate};

pub(crate) fn groups(full: bool, groups: &mut Vec<Group>) {
    groups.push(("limit surface of a disc", Box::new(disc)));
    groups.push(("torque of pure spin", Box::new(spin)));
    groups.push(("a disc that slides and spins to rest", Box::new(stopping)));
    groups.push(("drift per cycle", Box::new(move || drift(full))));
    groups.push(("parameters out of range", Box::new(|| Ok(refused()))));
    groups.push(("passivity", Box::new(|| Ok(passive()))));
}

/// F and T for v/(ωR), in units of μN and μNR.
fn disc() -> Result<Vec<Check>, VerifyError> {
    let known = [
        (0.2, 0.19899, 0.64682),
        (0.5, 0.48384, 0.54775),
        (1.0, 0.84883, 0.28294),
        (2.0, 0.96769, 0.12781),
    ];
    let (exact, set) = (Exact::disc(1.0)?, disc_set(1.0, None, 1.0, 16)?);
    let mut checks = Vec::new();
    for (ratio, force, torque) in known {
        let twist = DVec3::new(ratio, 0.0, 1.0);
        let w = exact.wrench(twist);
        checks.push(Check::relative(&format!("force at v/wR = {ratio}"), force, -w.x, 1e-3, ""));
        checks.push(Check::relative(&format!("torque at v/wR = {ratio}"), torque, -w.z, 1e-3, ""));
        let s = set.traction(twist, 1.0);
        let error = (s - w).length();
        checks.push(Check::below(&format!("set of 16 rings at v/wR = {ratio}"), 1e-2, error, ""));
    }
    Ok(checks)
}

fn spin() -> Result<Vec<Check>, VerifyError> {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(DVec2::from_array);
    Ok(vec![
        Check::relative("disc, over R", 2.0 / 3.0, Exact::disc(1.0)?.spin_radius(), 1e-6, ""),
        Check::relative(
            "Hertz, over R",
            3.0 * PI / 16.0,
            Exact::hertz(1.0, 2.0)?.spin_radius(),
            1e-6,
            "",
        ),
        Check::relative(
            "square, over its side",
            0.382_598,
            Exact::polygon(&square)?.spin_radius(),
            2e-6,
            "",
        ),
    ])
}

/// Thin disc on a table: m v̇ = −μN F, ½mR² ω̇ = −μNR T. Units: R = 1, m = 1, μN = 1.
fn stopping() -> Result<Vec<Check>, VerifyError> {
    let exact = Exact::disc(1.0)?;
    let mut checks = Vec::new();
    let rate = |v: DVec3| exact.wrench(v) * DVec3::new(1.0, 1.0, 2.0);
    for start in [0.3, 1.53, 6.0] {
        let mut v = DVec3::new(1.0, 0.0, start);
        let dt = 2e-4;
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        let mut stopped = [None; 2];
        for i in 0..60_000 {
            let middle = v + rate(v) * (0.5 * dt);
            v += rate(middle) * dt;
            let ratio = v.x / v.z;
            if v.x > 0.02 {
                (least, most) = (least.min(ratio), most.max(ratio));
            }
            for (stop, part) in stopped.iter_mut().zip([v.x, v.z]) {
                if part.abs() < 1e-2 && stop.is_none() {
                    *stop = Some(f64::from(i) * dt);
                }
            }
            if stopped.iter().all(Option::is_some) {
                break;
            }
        }
        let [Some(a), Some(b)] = stopped else {
            return Err(VerifyError::new("the disc does not stop".to_owned()));
        };
        let what = format!("from wR/v = {start}: slide and spin stop apart by");
        checks.push(Check::below(&what, 2e-2, (a - b) / a, "of the time"));
        if start == 1.53 {
            let worst = (least - 0.653).abs().max((most - 0.653).abs()) / 0.653;
            let what = "from wR/v = 1.53: v/wR keeps 0.653";
            checks.push(Check::below(what, 5e-3, worst, "of it"));
        }
    }
    Ok(checks)
}

/// How far the disc of Fig. 6 moves from cycle to cycle under an oscillating force.
fn drift(full: bool) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let lugre = Parameters::default();
    let kinds: &[ModelKind] =
        if full { &[ModelKind::Reduced, ModelKind::Distributed] } else { &[ModelKind::Reduced] };
    for &kind in kinds {
        for normal in [false, true] {
            let per_cycle = |p: Parameters| -> Result<f64, VerifyError> {
                let experiment = Experiment { hold: 0.0, ..paper::drift(normal, 5.0) };
                let patch = paper::drift_patch();
                let mut model =
                    Model::new(kind, p, &patch, Scheme::Explicit, first_load(&experiment))?;
                let rows = simulate(&experiment, &mut model, &mut |_| ())?;
                // Whole cycles of 1/3 s: from 4 s to 5 s.
                let at = |t: f64| rows[(t / experiment.every).round() as usize - 1].pose.x;
                Ok((at(5.0) - at(4.0)).abs() / 3.0)
            };
            let which = if normal { "normal" } else { "tangential" };
            let (ep, plain) = (per_cycle(lugre.elasto_plastic(0.9))?, per_cycle(lugre)?);
            let name = kind.name();
            let what = format!("{name}, {which} load: elasto-plastic");
            checks.push(Check::below(&what, 1e-9, ep, "m"));
            checks.push(Check {
                what: format!("{name}, {which} load: LuGre"),
                expected: "drifts".to_owned(),
                found: format!("{plain:.3e} m"),
                allowed: "> 1.0e-9".to_owned(),
                holds: plain > 1e-9,
            });
        }
    }
    Ok(checks)
}

/// Every parameter out of its range is refused by name.
fn refused() -> Vec<Check> {
    let good = Parameters::default();
    let cases = [
        (Parameters { coulomb: 0.0, ..good }, "mu_c"),
        (Parameters { stiction: -1.0, ..good }, "mu_s"),
        (Parameters { stribeck_speed: 0.0, ..good }, "v_s"),
        (Parameters { stribeck_exponent: f64::NAN, ..good }, "gamma"),
        (Parameters { stiffness: -1e6, ..good }, "sigma0"),
        (Parameters { damping: -1.0, ..good }, "sigma1"),
        (Parameters { viscosity: f64::INFINITY, ..good }, "sigma2"),
        (good.elasto_plastic(1.0), "s_ba"),
    ];
    let mut checks: Vec<Check> = cases
        .into_iter()
        .map(|(p, name)| {
            let named = p.check().is_err_and(|e| e.to_string().contains(name));
            let found = if named { "refused" } else { "taken" };
            Check::fact(&format!("{name} out of range"), "refused", found)
        })
        .collect();
    let empty = Shape::Ellipse { axes: [1e-9, 1e-9] }.pressure(20, 1.0);
    let named = empty.is_err_and(|e| e.to_string().contains("pressure is empty"));
    let found = if named { "refused" } else { "taken" };
    checks.push(Check::fact("a patch without pressure", "refused", found));
    let grows = Parameters { stiction: 0.5, ..good }.check().is_ok();
    let found = if grows { "taken" } else { "refused" };
    checks.push(Check::fact("mu_s below mu_c: friction that grows with speed", "taken", found));
    checks
}

/// Work done on a patch against the energy its bristles store, in implicit steps of 1 µs to 10 ms
/// with twists that change at random.
fn passive() -> Vec<Check> {
    let worst = |p: Parameters| {
        let Ok(pressure) = Shape::Circle.pressure(9, 0.02) else { return f64::NAN };
        let Ok(mut patch) = Distributed::new(p, Arc::new(pressure)) else { return f64::NAN };
        let (mut state, mut worst, mut twist) = (1_u64, f64::NEG_INFINITY, DVec3::ZERO);
        // A plain generator: the same numbers everywhere.
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let dt = 10.0_f64.powf(-6.0 + 4.0 * random());
            if random() < 0.5 {
                let speed = 10.0_f64.powf(-6.0 + 6.0 * random());
                let way = [0; 3].map(|_| 2.0 * random() - 1.0);
                twist = DVec3::new(way[0], way[1], way[2] / 0.01) * speed;
            }
            let before = patch.stored();
            let work = -patch.implicit_step(twist, 1.0, dt).dot(twist) * dt;
            let growth = patch.stored() - before;
            worst = worst.max((growth - work) / (work.abs() + patch.stored() + before));
        }
        worst
    };
    let lugre = Parameters::default();
    let needed = match lugre.passivity() {
        Passivity::Active { needed } => needed,
        Passivity::Passive => 0.0,
    };
    let enough = Parameters { viscosity: needed, ..lugre };
    let cured = Parameters { damping_speed: Some(2e-5), ..lugre };
    let told = match cured.passivity() {
        Passivity::Passive => "passive",
        Passivity::Active { .. } => "active",
    };
    let gain = worst(lugre);
    vec![
        Check::near("viscosity that Table I would need", 160.0, needed, 1e-9, "s/m"),
        Check::below("energy gained with that viscosity", 1e-12, worst(enough).max(0.0), ""),
        Check::below(
            "the same, elasto-plastic",
            1e-12,
            worst(enough.elasto_plastic(0.9)).max(0.0),
            "",
        ),
        Check::fact("Table I with damping that falls with speed", "passive", told),
        Check::below("energy gained with it", 1e-12, worst(cured).max(0.0), ""),
        Check {
            what: "energy gained with Table I as it is".to_owned(),
            expected: "not passive".to_owned(),
            found: format!("{gain:.3e}"),
            allowed: "> 0".to_owned(),
            holds: gain > 0.0,
        },
    ]
}
