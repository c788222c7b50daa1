//! The nearest point of a limit surface, by Newton's method on convex functions.

use glamx::{DMat3, DVec3};

use super::LimitSurface;
use super::terms::outer;

/// The point of the set at unit load nearest to `x`; `None` where `x` is in the set.
pub(super) fn nearest(set: &LimitSurface, x: DVec3) -> Option<DVec3> {
    if x == DVec3::ZERO {
        return None;
    }
    if !x.is_finite() {
        return Some(DVec3::ZERO);
    }
    // The hull of the points that reach furthest along the axes is in the set.
    let reach = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| set.gradient(axis));
    let share = DMat3::from_cols(reach[0], reach[1], reach[2]).inverse() * x;
    if share.x.abs() + share.y.abs() + share.z.abs() <= 1.0 {
        return None;
    }
    // An ellipsoid as large as the set along its axes gives the first guess.
    let axes = DVec3::new(reach[0].x, reach[1].y, reach[2].z);
    let q = x / axes;
    let d = gauge(set, q / axes, x);
    // A first guess at the way out, then x − P = y with y + ∇H(y) = x.
    let way = d.normalize_or_zero();
    let out = x.dot(way) - set.value(way);
    // What rounding alone may have put outside is inside.
    if !(out > 16.0 * f64::EPSILON * x.length()) {
        return None;
    }
    Some(set.gradient(proximal(set, way * out, x)))
}

/// The direction d with x on the ray of its support point.
///
/// ½H(d)² − x·d is strictly convex and smooth; its minimum has H ∇H = x, so γ = H is the factor by
/// which the set must grow to reach x.
fn gauge(set: &LimitSurface, start: DVec3, x: DVec3) -> DVec3 {
    let mut d = start;
    let mut value = set.value(d);
    let mut cost = 0.5 * value * value - x.dot(d);
    for _ in 0..STEPS {
        let normal = set.gradient(d);
        let error = normal * value - x;
        let hessian = set.hessian(d) * value + outer(normal, normal);
        let step = solve(hessian, error);
        // Half of the squared Newton decrement is what is still to be gained.
        if !(error.dot(step) > 1e-31 * cost.abs()) {
            break;
        }
        let mut damping = 1.0;
        loop {
            let trial = d - step * damping;
            let trial_value = set.value(trial);
            let trial_cost = 0.5 * trial_value * trial_value - x.dot(trial);
            if trial_cost <= cost {
                let stalled = trial_cost == cost && damping < 1.0;
                (d, value, cost) = (trial, trial_value, trial_cost);
                if stalled {
                    return d;
                }
                break;
            }
            damping *= 0.5;
            if damping < 1e-9 {
                return d;
            }
        }
    }
    d
}

/// The minimum of ½‖y‖² + H(y) − x·y, which is x less its nearest point.
fn proximal(set: &LimitSurface, start: DVec3, x: DVec3) -> DVec3 {
    let mut y = start;
    let mut error = y + set.gradient(y) - x;
    for _ in 0..STEPS {
        let size = error.length();
        if !(size > f64::EPSILON * x.length()) {
            break;
        }
        let step = solve(set.hessian(y) + DMat3::IDENTITY, error);
        let mut damping = 1.0;
        let mut gained = false;
        for _ in 0..40 {
            let trial = y - step * damping;
            let trial_error = trial + set.gradient(trial) - x;
            if trial_error.length() < size {
                (y, error) = (trial, trial_error);
                gained = true;
                break;
            }
            damping *= 0.5;
        }
        if !gained {
            break;
        }
    }
    y
}

/// Newton steps at most.
const STEPS: usize = 60;

/// Solves a symmetric positive system, scaled so that its diagonal is one.
fn solve(m: DMat3, b: DVec3) -> DVec3 {
    let scale = |x: f64| if x > 0.0 { 1.0 / x.sqrt() } else { 1.0 };
    let s = DVec3::new(scale(m.x_axis.x), scale(m.y_axis.y), scale(m.z_axis.z));
    let d = DMat3::from_diagonal(s);
    // A little on the diagonal, against rounding.
    let scaled = d * m * d + DMat3::IDENTITY * 1e-15;
    s * (scaled.inverse() * (s * b))
}
