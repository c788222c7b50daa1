//! One bristle of any dimension: rates, forces, and steps in time.

use std::f64::consts::FRAC_PI_2;

use super::elasto_plastic::{alignment, dot, norm, plastic_part, plasticity};
use super::{Parameters, Plasticity};

/// ż (Eqs. 1, 4, 10, 15): how fast a bristle with deflection `z` bends while it moves with `v`.
#[inline]
pub fn rate<const D: usize>(p: &Parameters, z: &[f64; D], v: &[f64; D]) -> [f64; D] {
    let speed = norm(v);
    let g = p.friction(speed);
    let c = plasticity(p, z, v, g / p.stiffness) * p.stiffness * speed / g;
    std::array::from_fn(|i| v[i] - c * z[i])
}

/// The friction force per unit load that opposes the motion (Eqs. 3 and 9 with f_v = σ₂ v):
/// σ₀ z + σ₁ ż + σ₂ v.
#[inline]
pub fn resistance<const D: usize>(
    p: &Parameters,
    z: &[f64; D],
    rate: &[f64; D],
    v: &[f64; D],
) -> [f64; D] {
    let damping = p.damping_at(norm(v));
    std::array::from_fn(|i| p.stiffness * z[i] + damping * rate[i] + p.viscosity * v[i])
}

/// z* (Eq. 11): the deflection of steady sliding; zero at rest.
#[inline]
pub fn steady_deflection<const D: usize>(p: &Parameters, v: &[f64; D]) -> [f64; D] {
    let speed = norm(v);
    if !(speed > 0.0) {
        return [0.0; D];
    }
    let scale = p.friction(speed) / (p.stiffness * speed);
    v.map(|v| v * scale)
}

/// One implicit Euler step with the velocity held: z⁺ = z + h (v − β(z⁺, v) c z⁺). Returns z⁺.
///
/// Stable for any step, and passive: with ż = (z⁺ − z)/h and the force σ₀z⁺ + σ₁ż + σ₂v the work
/// done on the bristle is at least the growth of ½σ₀‖z‖² when [`Parameters::passivity`] says so.
/// The direction of z⁺ is that of z + h v whatever β is, so one number is to be found, its length,
/// and β̄ grows with it: there is one solution.
pub fn implicit_step<const D: usize>(
    p: &Parameters,
    z: &[f64; D],
    v: &[f64; D],
    h: f64,
) -> [f64; D] {
    let speed = norm(v);
    let way = if speed > 0.0 { v.map(|v| v / speed) } else { [0.0; D] };
    implicit_step_at(p, z, &way, speed, h)
}

/// The same where the bristle is bent along `way` at this speed, and ‖way‖ is not one: its steady
/// deflection is ‖way‖ g/σ₀ (a limit surface, Eq. 30).
pub(super) fn implicit_step_at<const D: usize>(
    p: &Parameters,
    z: &[f64; D],
    way: &[f64; D],
    speed: f64,
    h: f64,
) -> [f64; D] {
    let share = elastic_share(p, p.friction(speed), z, way, h * speed);
    std::array::from_fn(|i| (z[i] + h * speed * way[i]) * share)
}

/// What is left of z + h v after such a step over a distance h‖v‖, 1/(1 + hβc), with this g; one where it is elastic.
#[inline]
pub(super) fn elastic_share<const D: usize>(
    p: &Parameters,
    g: f64,
    z: &[f64; D],
    way: &[f64; D],
    distance: f64,
) -> f64 {
    let largest = g / p.stiffness * norm(way);
    let trial: [f64; D] = std::array::from_fn(|i| z[i] + distance * way[i]);
    let length = norm(&trial);
    let full = distance * p.stiffness / g * alignment(p, &trial, way);
    match p.plasticity {
        Plasticity::Always => 1.0 / (1.0 + full),
        // Elastic, or fully plastic, throughout.
        Plasticity::Above(part) if length <= part * largest => 1.0,
        Plasticity::Above(_) if length >= largest * (1.0 + full) => 1.0 / (1.0 + full),
        Plasticity::Above(part) => partly_plastic(p, part, full, [largest, length]) / length,
    }
}

/// The length s between breakaway and largest with s(1 + full β̄(s)) = trial: Newton's method, kept within bounds that close
/// in.
fn partly_plastic(p: &Parameters, part: f64, full: f64, [largest, trial]: [f64; 2]) -> f64 {
    let (mut low, mut high) = (part * largest, largest.min(trial));
    let mut s = 0.5 * (low + high);
    for _ in 0..60 {
        let plastic = plastic_part(p, s, largest);
        let off = s * (1.0 + full * plastic) - trial;
        if off < 0.0 {
            low = s;
        } else {
            high = s;
        }
        // Of ½ sin(π(s/largest − middle)/(1 − part)) + ½.
        let cosine = (4.0 * plastic * (1.0 - plastic)).max(0.0).sqrt();
        let steeper = s * full * FRAC_PI_2 * cosine / ((1.0 - part) * largest);
        let newton = s - off / (1.0 + full * plastic + steeper);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let step = (next - s).abs();
        s = next;
        if !(step > 4e-16 * largest) {
            break;
        }
    }
    s
}

/// Energy stored in a bristle per unit load, metres: ½σ₀‖z‖².
#[inline]
pub fn stored<const D: usize>(p: &Parameters, z: &[f64; D]) -> f64 {
    0.5 * p.stiffness * dot(z, z)
}
