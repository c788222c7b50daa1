//! Our steps against the judge's.

use std::sync::Arc;

use asperity_friction::extent::{LimitMap, Shape, Table};
use asperity_friction::memory::bristle::{implicit_step, rate};
use asperity_friction::memory::{Distributed, Parameters, Reduced};
use asperity_reference::{Tolerance, integrate};
use glamx::DVec3;

const TIGHT: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };

/// A motion that slides, stops and turns round.
fn twist(t: f64) -> DVec3 {
    DVec3::new(0.004 * (25.0 * t).sin(), 0.002 * (40.0 * t).sin(), 0.6 * (31.0 * t).sin())
}

fn times() -> Vec<f64> {
    (1..=40).map(|k| f64::from(k) * 5e-3).collect()
}

#[test]
fn the_judge_knows_an_exponential() {
    let decay = |_: f64, x: &[f64], y: &mut [f64]| y[0] = -1000.0 * (x[0] - 0.3);
    let found = integrate(decay, &[1.0], &[1e-3, 1.0], TIGHT).unwrap();
    assert!((found[0][0] - (0.3 + 0.7 * (-1.0_f64).exp())).abs() < 1e-6);
    assert!((found[1][0] - 0.3).abs() < 1e-7);
}

#[test]
fn one_bristle_by_explicit_and_implicit_steps() {
    for p in [Parameters::default(), Parameters::default().elasto_plastic(0.9)] {
        // Deflections in units of 1/σ₀, so that they are of order one.
        let velocity = |t: f64| [twist(t).x, twist(t).y];
        let scaled = |t: f64, x: &[f64], y: &mut [f64]| {
            let z = [x[0] / p.stiffness, x[1] / p.stiffness];
            let r = rate(&p, &z, &velocity(t));
            (y[0], y[1]) = (r[0] * p.stiffness, r[1] * p.stiffness);
        };
        let judged = integrate(scaled, &[0.0; 2], &times(), TIGHT).unwrap();
        for (dt, implicit, allowed) in [(1e-6, false, 4e-3), (1e-6, true, 4e-3)] {
            let (mut z, mut worst, mut step) = ([0.0; 2], 0.0_f64, 0);
            for (time, judge) in times().iter().zip(&judged) {
                while f64::from(step) * dt < time - 0.5 * dt {
                    // Explicit steps see the velocity where they begin, implicit ones where they end.
                    if implicit {
                        z = implicit_step(&p, &z, &velocity(f64::from(step + 1) * dt), dt);
                    } else {
                        let r = rate(&p, &z, &velocity(f64::from(step) * dt));
                        z = [z[0] + dt * r[0], z[1] + dt * r[1]];
                    }
                    step += 1;
                }
                let error = (0..2).map(|i| (z[i] * p.stiffness - judge[i]).powi(2)).sum::<f64>();
                worst = worst.max(error.sqrt());
            }
            assert!(worst < allowed, "implicit {implicit}: {worst:e}");
        }
    }
}

#[test]
fn the_reduced_model_of_a_square() {
    let pressure = Shape::Square.pressure(21, 0.02).unwrap();
    let map = LimitMap::from(Table::new(&pressure, 20).unwrap());
    let r = pressure.spin_radius();
    for p in [Parameters::default(), Parameters::default().elasto_plastic(0.9)] {
        let model = Reduced::new(p, &pressure, map.clone()).unwrap();
        let unit = DVec3::new(1.0, 1.0, r) / p.stiffness;
        let scaled = |t: f64, x: &[f64], y: &mut [f64]| {
            let mut at = model.clone();
            at.set_deflection(DVec3::from_slice(x) * unit);
            y.copy_from_slice(&(at.rate(twist(t)) / unit).to_array());
        };
        let judged = integrate(scaled, &[0.0; 3], &times(), TIGHT).unwrap();
        let (mut ours, dt, mut step, mut worst) = (model.clone(), 1e-6, 0, 0.0_f64);
        for (time, judge) in times().iter().zip(&judged) {
            while f64::from(step) * dt < time - 0.5 * dt {
                ours.explicit_step(twist(f64::from(step) * dt), 1.0, dt);
                step += 1;
            }
            worst = worst.max((ours.deflection() / unit - DVec3::from_slice(judge)).length());
        }
        assert!(worst < 4e-3, "{worst:e}");
    }
}

#[test]
fn the_distributed_model_of_a_circle() {
    let p = Parameters::default();
    let pressure = Arc::new(Shape::Circle.pressure(5, 0.02).unwrap());
    let cells: Vec<_> = pressure.iter().map(|c| c.0).collect();
    let scaled = |t: f64, x: &[f64], y: &mut [f64]| {
        for (k, at) in cells.iter().enumerate() {
            let w = twist(t);
            let v = [w.x - w.z * at.y, w.y + w.z * at.x];
            let r = rate(&p, &[x[2 * k] / p.stiffness, x[2 * k + 1] / p.stiffness], &v);
            (y[2 * k], y[2 * k + 1]) = (r[0] * p.stiffness, r[1] * p.stiffness);
        }
    };
    let start = vec![0.0; 2 * cells.len()];
    let judged = integrate(scaled, &start, &times(), TIGHT).unwrap();
    let mut ours = Distributed::new(p, pressure.clone()).unwrap();
    let (dt, mut step, mut worst) = (1e-6, 0, 0.0_f64);
    for (time, judge) in times().iter().zip(&judged) {
        while f64::from(step) * dt < time - 0.5 * dt {
            ours.explicit_step(twist(f64::from(step) * dt), 1.0, dt);
            step += 1;
        }
        for (z, judge) in ours.deflections().zip(judge.chunks(2)) {
            let error = (z * p.stiffness).distance(glamx::DVec2::from_slice(judge));
            worst = worst.max(error);
        }
    }
    assert!(worst < 6e-3, "{worst:e}");
}
