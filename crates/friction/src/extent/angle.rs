//! The arc tangent of lookups: inlined, and good to the last digits.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// The angle of (x, y) from 0 to 2π, to the last digit or two, from that of (|x|, |y|).
#[inline(always)]
pub(super) fn whole_turn(in_quadrant: f64, y: f64, x: f64) -> f64 {
    let half = if x < 0.0 { PI - in_quadrant } else { in_quadrant };
    if y < 0.0 { TAU - half } else { half }
}

/// atan2(y, x) of numbers that are zero or more, to 4e-16; zero where both are zero.
#[inline]
pub(super) fn first_quadrant(y: f64, x: f64) -> f64 {
    first_quadrants([y], [x])[0]
}

/// The same of several at once: without branches, so that they run abreast.
#[inline(always)]
pub(super) fn first_quadrants<const L: usize>(y: [f64; L], x: [f64; L]) -> [f64; L] {
    let mut out = [0.0; L];
    for l in 0..L {
        let over = y[l] > x[l];
        let (low, high) = if over { (x[l], y[l]) } else { (y[l], x[l]) };
        // tan(a − π/4) = (t − 1)/(t + 1) keeps the argument within tan(π/8).
        let steep = low > high * 0.414_213_562_373_095_03;
        let (shift, base) = if steep { (high, FRAC_PI_4) } else { (0.0, 0.0) };
        let top = low - shift;
        let bottom = if steep { low + high } else { high };
        // Both are zero together.
        let t = top / if bottom > 0.0 { bottom } else { 1.0 };
        let t2 = t * t;
        let t4 = t2 * t2;
        let t8 = t4 * t4;
        let pair = |k: usize| C[k] + C[k + 1] * t2;
        let sum = (pair(0) + pair(2) * t4)
            + ((pair(4) + pair(6) * t4) + (pair(8) + C[10] * t4) * t8) * t8;
        let angle = t * sum + base;
        out[l] = if over { FRAC_PI_2 - angle } else { angle };
    }
    out
}

/// atan t / t in powers of t², interpolated at Chebyshev's nodes up to tan²(π/8).
const C: [f64; 11] = [
    1.0,
    -0.333_333_333_333_284_35,
    0.199_999_999_988_541_68,
    -0.142_857_141_809_006_47,
    0.111_111_061_773_752_27,
    -0.090_907_730_032_408_28,
    0.076_899_524_882_330_16,
    -0.066_402_251_735_395,
    0.056_883_034_036_332_5,
    -0.043_479_198_390_465_365,
    0.021_133_752_033_748_354,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_arc_tangent() {
        for k in 0..100_000 {
            let a = f64::from(k) * 6.283e-5 - PI;
            for r in [1e-200, 1.0, 3.7e100] {
                let (y, x) = (r * a.sin(), r * a.cos());
                let first = first_quadrant(y.abs(), x.abs());
                assert!((first - y.abs().atan2(x.abs())).abs() < 5e-16, "{a}");
                let turn = whole_turn(first, y, x);
                assert!((0.0..=TAU).contains(&turn), "{a}");
                let wanted = y.atan2(x).rem_euclid(TAU);
                assert!((turn - wanted).abs() < 2e-15, "{a}: {turn} {wanted}");
            }
        }
        assert_eq!(first_quadrant(0.0, 0.0), 0.0);
        assert_eq!(first_quadrants([1.0, 0.0], [1.0, 3.0]), [FRAC_PI_4, 0.0]);
        assert_eq!(whole_turn(0.0, 0.0, -1.0), PI);
        assert_eq!(first_quadrant(2.0, 0.0), FRAC_PI_2);
    }
}
