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
    let scale = DVec3::new(1.0, 1.0, set.unit);
    let share = set.shape.inner * (x * scale);
    if share.x.abs() + share.y.abs() + share.z.abs() <= 1.0 {
        return None;
    }
    // An ellipsoid as large as the set along its axes gives the first guess at the way out.
    let axes = set.shape.reach / scale;
    let (guess, least) = (x / (axes * axes), 16.0 * f64::EPSILON * x.length());
    let outside = |d: DVec3| {
        let way = d.normalize_or_zero();
        (way, x.dot(way) - set.value(way))
    };
    let (mut way, mut out) = outside(guess);
    if !(out > least) {
        (way, out) = outside(gauge(set, guess, x));
    }
    // What rounding alone may have put outside is inside.
    if !(out > least) {
        return None;
    }
    // x − P = y with y + ∇H(y) = x.
    Some(proximal(set, way * out, x))
}

/// The direction d with x on the ray of its support point.
///
/// ½H(d)² − x·d is strictly convex and smooth; its minimum has H ∇H = x, so γ = H is the factor by
/// which the set must grow to reach x.
fn gauge(set: &LimitSurface, start: DVec3, x: DVec3) -> DVec3 {
    let mut d = start;
    let (mut normal, mut bend) = set.derivatives(d);
    let mut value = normal.dot(d);
    let mut cost = 0.5 * value * value - x.dot(d);
    for _ in 0..STEPS {
        let error = normal * value - x;
        let step = solve(bend * value + outer(normal, normal), error);
        // Half of the squared Newton decrement is what is still to be gained.
        if !(error.dot(step) > 1e-31 * cost.abs()) {
            break;
        }
        let mut damping = 1.0;
        loop {
            let trial = d - step * damping;
            let (trial_normal, trial_bend) = set.derivatives(trial);
            let trial_value = trial_normal.dot(trial);
            let trial_cost = 0.5 * trial_value * trial_value - x.dot(trial);
            if trial_cost <= cost {
                let stalled = trial_cost == cost && damping < 1.0;
                (d, normal, bend) = (trial, trial_normal, trial_bend);
                (value, cost) = (trial_value, trial_cost);
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

/// ∇H at the minimum y of ½‖y‖² + H(y) − x·y, which is x less its nearest point.
fn proximal(set: &LimitSurface, start: DVec3, x: DVec3) -> DVec3 {
    let mut y = start;
    let (mut normal, mut bend) = set.derivatives(y);
    let mut error = y + normal - x;
    for _ in 0..STEPS {
        let size = error.length();
        if !(size > f64::EPSILON * x.length()) {
            break;
        }
        let step = solve(bend + DMat3::IDENTITY, error);
        let mut damping = 1.0;
        let mut gained = false;
        for _ in 0..40 {
            let trial = y - step * damping;
            let (trial_normal, trial_bend) = set.derivatives(trial);
            let trial_error = trial + trial_normal - x;
            if trial_error.length() < size {
                (y, error) = (trial, trial_error);
                (normal, bend) = (trial_normal, trial_bend);
                gained = true;
                break;
            }
            damping *= 0.5;
        }
        if !gained {
            break;
        }
    }
    normal
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
