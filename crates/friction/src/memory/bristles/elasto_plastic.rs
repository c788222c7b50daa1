//! How much of a motion is plastic (Eqs. 5, 6, 16–18).

use super::{Parameters, Plasticity};

/// β̄(‖z‖) (Eq. 18, third case ‖z‖ ≥ z_max; with sgn(z) = sgn(v) also Eq. 5): 0 below the breakaway
/// deflection, 1 above the largest one. `deflection` is ‖z‖, `largest` is z_max = g/σ₀, metres.
#[inline]
pub fn plastic_part(parameters: &Parameters, deflection: f64, largest: f64) -> f64 {
    match parameters.plasticity {
        Plasticity::Always => 1.0,
        Plasticity::Above(breakaway) => {
            let middle = 0.5 * (1.0 + breakaway);
            let place = (deflection / largest - middle) / (1.0 - breakaway);
            if place <= -0.5 {
                0.0
            } else if place >= 0.5 {
                1.0
            } else {
                0.5 * sin_pi(place) + 0.5
            }
        }
    }
}

/// sin πx for |x| ≤ ½, by its Taylor series: inlined, and without a vector unit.
#[inline]
fn sin_pi(x: f64) -> f64 {
    let t = x * std::f64::consts::PI;
    let t2 = t * t;
    let (t4, t8) = (t2 * t2, (t2 * t2) * (t2 * t2));
    let a = 1.0 - t2 * (1.0 / 6.0);
    let b = 1.0 / 120.0 - t2 * (1.0 / 5_040.0);
    let c = 1.0 / 362_880.0 - t2 * (1.0 / 39_916_800.0);
    let d = 1.0 / 6_227_020_800.0 - t2 * (1.0 / 1_307_674_368_000.0);
    let e = 1.0 / 355_687_428_096_000.0 - t2 * (1.0 / 121_645_100_408_832_000.0);
    t * ((a + b * t4) + ((c + d * t4) + e * t8) * t8)
}

/// ε(ẑ, v̂) (Eq. 16): how far deflection and velocity point the same way, 0 to 1. One for LuGre,
/// which does not ask; one also where either vanishes, since nothing depends on it there.
#[inline]
pub fn alignment<const D: usize>(parameters: &Parameters, z: &[f64; D], v: &[f64; D]) -> f64 {
    if parameters.plasticity == Plasticity::Always {
        return 1.0;
    }
    let size = norm(z) * norm(v);
    if size > 0.0 { 0.5 * (dot(z, v) / size).clamp(-1.0, 1.0) + 0.5 } else { 1.0 }
}

/// β(z, v) = ε β̄ (Eq. 17).
#[inline]
pub fn plasticity<const D: usize>(
    parameters: &Parameters,
    z: &[f64; D],
    v: &[f64; D],
    largest: f64,
) -> f64 {
    let part = plastic_part(parameters, norm(z), largest);
    if part > 0.0 { part * alignment(parameters, z, v) } else { 0.0 }
}

#[inline]
pub(super) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline]
pub(super) fn norm<const D: usize>(a: &[f64; D]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transition_is_smooth_from_nought_to_one() {
        let p = Parameters::default().elasto_plastic(0.8);
        let at = |z: f64| plastic_part(&p, z, 1.0);
        assert_eq!((at(0.0), at(0.8), at(1.0), at(7.0)), (0.0, 0.0, 1.0, 1.0));
        assert!((at(0.9) - 0.5).abs() < 1e-12);
        // Eq. 6 at a quarter of the way: ½ sin(−π/4) + ½.
        assert!((at(0.85) - (0.5 - 0.5 * 0.5_f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn the_sine_is_right_to_the_last_digits() {
        for k in -5000..=5000 {
            let x = f64::from(k) * 1e-4;
            let error = (sin_pi(x) - (std::f64::consts::PI * x).sin()).abs();
            assert!(error < 5e-16, "{x}: {error:e}");
        }
    }

    #[test]
    fn in_one_dimension_it_is_the_sign_rule() {
        let p = Parameters::default().elasto_plastic(0.9);
        assert_eq!(plasticity(&p, &[2.0], &[-1.0], 1.0), 0.0);
        assert_eq!(plasticity(&p, &[2.0], &[1.0], 1.0), 1.0);
        // At right angles half of the motion is plastic (Eq. 16).
        assert!((plasticity(&p, &[2.0, 0.0], &[0.0, 1.0], 1.0) - 0.5).abs() < 1e-15);
    }
}
