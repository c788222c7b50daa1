//! Rings: what a disc is made of. A ring that slides and spins has its force and torque in closed
//! form, by complete elliptic integrals.

use std::f64::consts::{FRAC_PI_2, PI};

use glamx::DVec2;

/// (force, torque over radius) of a ring of unit load that slides with `speed` while its rim turns
/// with `rim`, both zero or more: the gradient of H = (2/π)(v + q) E(k), k² = 4vq/(v + q)².
///
/// Both are unbounded slopes but bounded values at v = q, where they are 2/π.
pub(crate) fn ring(speed: f64, rim: f64) -> DVec2 {
    ring_and_stiffness(speed, rim).0
}

/// The same, and ⟨1/‖u‖⟩ over the ring: (2/π) K(k)/(v + q), which is infinite where v = q; kept
/// finite.
pub(crate) fn ring_and_stiffness(speed: f64, rim: f64) -> (DVec2, f64) {
    let sum = speed + rim;
    if !(sum > 0.0) {
        return (DVec2::ZERO, 0.0);
    }
    let (v, q) = (speed / sum, rim / sum);
    let (k2, complement) = (4.0 * v * q, (v - q).abs());
    let (first, difference) = elliptic(k2, complement.max(1e-14));
    let stiffness = first * (2.0 / PI) / sum;
    if complement == 0.0 {
        return (DVec2::splat(2.0 / PI), stiffness);
    }
    let second = first - difference;
    // E + (E − K)(q − v)/(2v).
    let part = |own: f64, other: f64| {
        if own > 0.0 {
            (second - difference * (other - own) / (2.0 * own)) * (2.0 / PI)
        } else {
            0.0
        }
    };
    (DVec2::new(part(v, q), part(q, v)), stiffness)
}

/// Complete elliptic integrals K and K − E, the latter without cancellation, by the
/// arithmetic–geometric mean; k² and k′ = √(1 − k²).
fn elliptic(k2: f64, complement: f64) -> (f64, f64) {
    let (mut a, mut b, mut power) = (1.0, complement, 0.5);
    let mut sum = power * k2;
    for _ in 0..40 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        power *= 2.0;
        sum += power * c * c;
        // The next one would be c²/4: nothing but rounding, doubled every time.
        if !(c > 1e-8 * a) {
            break;
        }
    }
    let first = FRAC_PI_2 / a;
    (first, first * sum)
}

/// (force, torque over radius) of a disc of unit radius and unit load whose rings weigh
/// `weight(s)`, s from 0 to 1; `spin` is the speed of its rim. Double-exponential quadrature, split
/// where a ring has its kink.
pub(super) fn over_disc(weight: &dyn Fn(f64) -> f64, speed: f64, spin: f64) -> DVec2 {
    let split = if spin > speed && speed > 0.0 { speed / spin } else { 1.0 };
    let (mut sum, mut total) = (DVec2::ZERO, 0.0);
    for (low, high) in [(0.0, split), (split, 1.0)] {
        if !(high > low) {
            continue;
        }
        for i in -NODES..=NODES {
            let t = f64::from(i) * STEP;
            let u = FRAC_PI_2 * t.sinh();
            // Distance from the nearer end, exact however near.
            let near = 1.0 / (1.0 + (2.0 * u.abs()).exp());
            let s = if u < 0.0 { low + (high - low) * near } else { high - (high - low) * near };
            let w = (high - low) * FRAC_PI_2 * t.cosh() * 2.0 * near * (1.0 - near) * STEP;
            let w = w * weight(s);
            total += w;
            let h = ring(speed, spin * s);
            sum += DVec2::new(h.x, h.y * s) * w;
        }
    }
    if total > 0.0 { sum / total } else { DVec2::ZERO }
}

/// Nodes on each side of the middle.
const NODES: i32 = 60;
const STEP: f64 = 3.4 / 60.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean over the ring itself.
    fn by_sum(v: f64, q: f64) -> DVec2 {
        let n = 200_000;
        let one = |i: i32| {
            let (sin, cos) = (PI * (2.0 * f64::from(i) + 1.0) / f64::from(n)).sin_cos();
            // A point of the rim moves with v along x and with q along its tangent.
            let u = DVec2::new(v - q * sin, q * cos);
            let f = u.normalize_or_zero();
            DVec2::new(f.x, -f.x * sin + f.y * cos)
        };
        (0..n).map(one).sum::<DVec2>() / f64::from(n)
    }

    #[test]
    fn rings_are_the_mean_over_their_points() {
        for (v, q) in [(1.0, 0.3), (0.3, 1.0), (1.0, 0.99), (1e-3, 1.0), (1.0, 0.0), (0.0, 1.0)] {
            let (found, expected) = (ring(v, q), by_sum(v, q));
            assert!((found - expected).length() < 1e-6, "{v} {q}: {found} {expected}");
        }
        assert!((ring(1.0, 1.0) - DVec2::splat(2.0 / PI)).length() < 1e-15);
    }
}
