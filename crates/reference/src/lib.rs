//! An independent judge of our time stepping: stiff, adaptive, and not our own.
//!
//! Bristles are stiff: with σ₀ = 1e6 and a slip of 10 mm/s they follow within 0.1 ms. The steps of
//! `asperity-friction` are compared with backward differences of variable order (diffsol). It is a
//! crate of its own, outside of the default members, because diffsol brings a great many others.

use diffsol::{NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};

/// How well to solve: relative, and absolute in the units of the state.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    /// Of each component.
    pub relative: f64,
    /// Of each component.
    pub absolute: f64,
}

/// The state at each of the times, growing and after 0, for ẋ = rate(t, x) from `start` at 0.
///
/// The product with the Jacobian is a difference, so states should be of order one.
pub fn integrate(
    rate: impl Fn(f64, &[f64], &mut [f64]),
    start: &[f64],
    times: &[f64],
    tolerance: Tolerance,
) -> Result<Vec<Vec<f64>>, String> {
    let n = start.len();
    let along = |x: &[f64], t: f64, v: &[f64], y: &mut [f64]| {
        let size = v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let step = if size > 0.0 { 1e-7 / size } else { 1.0 };
        let moved = |sign: f64| x.iter().zip(v).map(|(x, v)| x + sign * step * v).collect();
        let (ahead, behind): (Vec<f64>, Vec<f64>) = (moved(1.0), moved(-1.0));
        let mut before = vec![0.0; y.len()];
        rate(t, &ahead, y);
        rate(t, &behind, &mut before);
        for (y, b) in y.iter_mut().zip(before) {
            *y = (*y - b) / (2.0 * step);
        }
    };
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(tolerance.relative)
        .atol(vec![tolerance.absolute; n])
        .rhs_implicit(
            |x: &[f64], _: &[f64], t: f64, y: &mut [f64]| rate(t, x, y),
            |x: &[f64], _: &[f64], t: f64, v: &[f64], y: &mut [f64]| along(x, t, v, y),
        )
        .init(|_: &[f64], _: f64, y: &mut [f64]| y.copy_from_slice(start), n)
        .build()
        .map_err(|e| e.to_string())?;
    let mut solver = problem.bdf::<NalgebraLU<f64>>().map_err(|e| e.to_string())?;
    let mut out = Vec::with_capacity(times.len());
    for &t in times {
        solver.set_stop_time(t).map_err(|e| e.to_string())?;
        while !matches!(
            solver.step().map_err(|e| e.to_string())?,
            OdeSolverStopReason::TstopReached
        ) {}
        out.push((0..n).map(|i| solver.state().y[i]).collect());
    }
    Ok(out)
}
