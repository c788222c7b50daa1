//! Friction at one contact whose relative velocity answers alike in every direction.

use asperity_friction::set::{Set, Tensor};
use glamx::{DMat2, DVec2};

/// The friction impulse at a contact with `load`, where the velocity q in the plane becomes
/// u = q + w r. Exact for every set with two rows: convex sets take the nearest point of
/// load·S to the impulse that would hold; a tensor gives −load·T(û) with the slip u that results.
#[inline]
pub(crate) fn friction(set: &Set, q: DVec2, w: f64, load: f64) -> DVec2 {
    let hold = q * (-1.0 / w);
    match set {
        Set::Disk(disk) => {
            let (limit, length) = (disk.radius() * load, hold.length());
            if length <= limit { hold } else { hold * (limit / length) }
        }
        Set::Tensor(tensor) => {
            let linear = tensor.as_linear();
            if holds(tensor, linear, hold, load) {
                return hold;
            }
            let matrix = linear.unwrap_or_else(|| tensor.matrix_at(q));
            slide(tensor, linear.is_some(), matrix, q, w, load)
        }
        _ => {
            let mut force = hold.to_array();
            set.project(&mut force, load);
            DVec2::from_array(force)
        }
    }
}

/// Friction as the paper has it (Pabst 2009, Eq. 3 with the limit of Eq. 1): by the slip before
/// friction, its change of velocity no longer than that slip.
#[inline]
pub(crate) fn friction_as_printed(set: &Set, q: DVec2, w: f64, load: f64) -> DVec2 {
    let mut force = [0.0; 2];
    set.traction(&q.to_array(), load, &mut force);
    limited(DVec2::from_array(force), q, w)
}

/// A friction impulse that does not turn the slip q round.
fn limited(force: DVec2, q: DVec2, w: f64) -> DVec2 {
    let (most, length) = (q.length() / w, force.length());
    if length > most { force * (most / length) } else { force }
}

/// Whether ‖Q⁻¹ f‖ ≤ load.
#[inline]
fn holds(tensor: &Tensor, linear: Option<DMat2>, force: DVec2, load: f64) -> bool {
    if let Some(q) = linear {
        let det = q.determinant();
        let size2 = q.x_axis.length_squared() + q.y_axis.length_squared();
        if det > 1e-12 * size2 {
            return adjugate(q, force).length_squared() <= (load * det) * (load * det);
        }
    }
    // Singular, or more than one sector.
    tensor.pull_back(force).length() <= load
        && tensor.project(force, load).distance(force) <= 1e-12 * force.length()
}

/// adj(Q) v = det(Q) Q⁻¹ v.
#[inline]
fn adjugate(q: DMat2, v: DVec2) -> DVec2 {
    DVec2::new(q.y_axis.y * v.x - q.y_axis.x * v.y, q.x_axis.x * v.y - q.x_axis.y * v.x)
}

/// The impulse while it slips: u = q − w·load·T(û). With s = ‖u‖ it is (s + k Q) û = q,
/// k = w·load, and s is where ‖(s + k Q)⁻¹ q‖ falls to 1.
fn slide(tensor: &Tensor, linear: bool, mut matrix: DMat2, q: DVec2, w: f64, load: f64) -> DVec2 {
    let k = w * load;
    for _ in 0..MAX_SECTORS {
        let Some(unit) = unit_slip(matrix, q, k) else { break };
        if linear {
            return matrix * unit * -load;
        }
        let acting = tensor.matrix_at(unit);
        if acting == matrix {
            return matrix * unit * -load;
        }
        matrix = acting;
    }
    limited(tensor.traction(q, load), q, w)
}

/// Sectors that are tried. Where the tensor jumps there may be no slip that agrees with its own
/// force; then the slip before friction decides.
const MAX_SECTORS: usize = 6;

/// û with (s + k Q) û = q for some s ≥ 0.
#[inline]
fn unit_slip(matrix: DMat2, q: DVec2, k: f64) -> Option<DVec2> {
    let trace = k * (matrix.x_axis.x + matrix.y_axis.y);
    let det = k * k * matrix.determinant();
    let a = adjugate(matrix, q) * k;
    let length = q.length();
    let (mut low, mut high) = (0.0, length);
    // As if the slip did not turn.
    let mut s = (length - k * q.dot(matrix * q) / (length * length)).clamp(0.0, length);
    for _ in 0..MAX_STEPS {
        // û = (s q + a) / d(s). The root of d/‖s q + a‖ = 1; nearly a straight line in s.
        let (y, d) = (q * s + a, s * (s + trace) + det);
        let scale = 1.0 / y.length();
        let ratio = d * scale;
        let value = ratio - 1.0;
        if !(value.abs() > 1e-13) {
            let unit = y * scale;
            return unit.is_finite().then_some(unit);
        }
        if value > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let slope = (2.0 * s + trace - ratio * y.dot(q) * scale) * scale;
        let next = s - value / slope;
        // Newton's steps shorten quadratically: after a short one the root is reached.
        let last = (next - s).abs() <= SHORT * length || high - low <= 1e-15 * length;
        s = if next > low && next < high { next } else { 0.5 * (low + high) };
        if last {
            break;
        }
    }
    let unit = (q * s + a).normalize_or_zero();
    (unit.is_finite() && unit != DVec2::ZERO).then_some(unit)
}

/// Part of the slip that is a short step.
const SHORT: f64 = 1e-8;

/// Newton steps at most; three or four are usual, the rest are halvings.
const MAX_STEPS: usize = 60;
