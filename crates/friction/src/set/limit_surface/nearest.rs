//! The nearest point of a limit surface, and its point while a block slips, by Newton's method on convex functions.

use glamx::{DMat3, DVec3};

use super::LimitSurface;
use super::terms::outer;

/// The point of the set at unit load nearest to `x`; `None` where `x` is in the set. `guess` is a way out of it,
/// where one is known.
pub(super) fn nearest(set: &LimitSurface, x: DVec3, guess: Option<DVec3>) -> Option<DVec3> {
    if x == DVec3::ZERO {
        return None;
    }
    if !x.is_finite() {
        return Some(DVec3::ZERO);
    }
    let way = way_out(set, x, guess)?;
    Some(left(set, &Quadratic::distance(x), way).0)
}

/// The point of the set at unit load nearest to `x`, and how it moves with `x`.
pub(super) fn nearest_and_slope(
    set: &LimitSurface,
    x: DVec3,
    guess: Option<DVec3>,
) -> (DVec3, DMat3) {
    if !x.is_finite() {
        return (DVec3::ZERO, DMat3::ZERO);
    }
    let Some(way) = way_out(set, x, guess) else { return (x, DMat3::IDENTITY) };
    let (normal, bend) = left(set, &Quadratic::distance(x), way);
    // y + ∇H(y) = x makes dy/dx = (1 + ∇²H)⁻¹.
    (normal, DMat3::IDENTITY - (DMat3::IDENTITY + bend).inverse())
}

/// A direction in which `x` is outside of the set; `None` where it is inside.
pub(super) fn way_out(set: &LimitSurface, x: DVec3, guess: Option<DVec3>) -> Option<DVec3> {
    // The hull of the points that reach furthest along the axes is in the set.
    if reach(set, x) <= 1.0 {
        return None;
    }
    // An ellipsoid as large as the set along its axes gives another guess at the way out.
    let axes = set.shape.reach / DVec3::new(1.0, 1.0, set.unit);
    for guess in [guess, Some(x / (axes * axes))].into_iter().flatten() {
        let way = guess.normalize_or_zero();
        let normal = set.gradient(way);
        if is_outside(x, way, normal) {
            return Some(way);
        }
        if is_inside(set, x, normal) {
            return None;
        }
    }
    let way = gauge(set, x / (axes * axes), x)?.normalize_or_zero();
    is_outside(x, way, set.gradient(way)).then_some(way)
}

/// Whether `x` is farther along a direction than the set's farthest point there, by more than rounding.
fn is_outside(x: DVec3, way: DVec3, normal: DVec3) -> bool {
    (x - normal).dot(way) > 16.0 * f64::EPSILON * x.length()
}

/// Whether `x` is a part of a point of the set and something so small that both together are in it.
fn is_inside(set: &LimitSurface, x: DVec3, normal: DVec3) -> bool {
    let part = x.dot(normal) / normal.length_squared();
    (0.0..1.0).contains(&part) && part + reach(set, x - normal * part) <= 1.0
}

/// The factor by which the hull of the points that reach furthest along the axes must grow to reach `x`.
fn reach(set: &LimitSurface, x: DVec3) -> f64 {
    let share = set.shape.inner * (x * DVec3::new(1.0, 1.0, set.unit));
    share.abs().element_sum()
}

/// The direction d with x on the ray of its support point; `None` where `x` turns out to be inside.
///
/// ½H(d)² − x·d is strictly convex and smooth; its minimum has H ∇H = x, so γ = H is the factor by
/// which the set must grow to reach x.
fn gauge(set: &LimitSurface, start: DVec3, x: DVec3) -> Option<DVec3> {
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
                    return Some(d);
                }
                break;
            }
            damping *= 0.5;
            if damping < 1e-9 {
                return Some(d);
            }
        }
        if is_inside(set, x, normal) {
            return None;
        }
        if is_outside(x, d.normalize_or_zero(), normal) {
            break;
        }
    }
    Some(d)
}

/// ½ yᵀA y − x·y.
pub(super) struct Quadratic {
    /// A, positive definite.
    pub(super) stiffness: DMat3,
    /// x.
    pub(super) x: DVec3,
    /// Part of x that the gradient may have left.
    pub(super) closest: f64,
}

impl Quadratic {
    /// Of the nearest point P: x − P = y with y + ∇H(y) = x.
    fn distance(x: DVec3) -> Quadratic {
        Quadratic { stiffness: DMat3::IDENTITY, x, closest: f64::EPSILON }
    }
}

/// ∇H and ∇²H at the minimum y of ½ yᵀA y + H(y) − x·y, from a direction `way` in which x is outside of the set: along that,
/// the minimum is below what it is at zero, where H has its only kink.
pub(super) fn left(set: &LimitSurface, quadratic: &Quadratic, way: DVec3) -> (DVec3, DMat3) {
    let Quadratic { stiffness, x, closest } = *quadratic;
    // Whatever rows are measured in.
    let weight = DVec3::new(stiffness.x_axis.x, stiffness.y_axis.y, stiffness.z_axis.z).recip();
    let size_of = |v: DVec3| (v * v).dot(weight).sqrt();
    let at = |y: DVec3, normal: DVec3| {
        let push = stiffness * y;
        (push + normal - x, (0.5 * push + normal - x).dot(y))
    };
    let most = closest * size_of(x);
    // The support point is the same all along a direction, and bends as much less as one is farther out.
    let (mut normal, mut bend) = set.derivatives(way);
    let along = (x - normal).dot(way) / way.dot(stiffness * way);
    bend *= 1.0 / along;
    let mut y = way * along;
    let (mut error, mut cost) = at(y, normal);
    for _ in 0..STEPS {
        let size = size_of(error);
        if !(size > most) {
            break;
        }
        let step = solve(bend + stiffness, error);
        let (mut damping, mut gained) = (1.0, false);
        while damping > 1e-12 {
            let trial = y - step * damping;
            let (trial_normal, trial_bend) = set.derivatives(trial);
            let (trial_error, trial_cost) = at(trial, trial_normal);
            // Near the minimum the cost drowns in rounding before its gradient does.
            let rounding = 1e-12 * cost.abs() + 16.0 * f64::EPSILON * x.length() * y.length();
            let closer = size_of(trial_error) < size && trial_cost <= cost + rounding;
            if closer || trial_cost < cost - rounding {
                (y, error, cost) = (trial, trial_error, trial_cost);
                (normal, bend) = (trial_normal, trial_bend);
                gained = true;
                break;
            }
            if size <= ROUNDING * size_of(x) {
                break;
            }
            damping *= 0.5;
        }
        if !gained {
            break;
        }
    }
    (normal, bend)
}

/// Newton steps at most.
const STEPS: usize = 60;

/// Part of x below which a gradient that does not fall is rounding.
const ROUNDING: f64 = 1e-13;

/// Solves a symmetric positive system, scaled so that its diagonal is one.
fn solve(m: DMat3, b: DVec3) -> DVec3 {
    let scale = |x: f64| if x > 0.0 { 1.0 / x.sqrt() } else { 1.0 };
    let s = DVec3::new(scale(m.x_axis.x), scale(m.y_axis.y), scale(m.z_axis.z));
    let d = DMat3::from_diagonal(s);
    // A little on the diagonal, against rounding.
    let scaled = d * m * d + DMat3::IDENTITY * 1e-15;
    s * (scaled.inverse() * (s * b))
}
