//! The arc tangent of lookups: inlined, and good to the last digits.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// atan2(y, x), to 4e-16; zero where both are zero.
#[inline]
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    let angle = first_quadrant(y.abs(), x.abs());
    let angle = if x < 0.0 { PI - angle } else { angle };
    angle.copysign(y)
}

/// The same for numbers that are zero or more.
#[inline]
pub(super) fn first_quadrant(y: f64, x: f64) -> f64 {
    let (low, high) = if y > x { (x, y) } else { (y, x) };
    // tan(a − π/4) = (t − 1)/(t + 1) keeps the argument within tan(π/8).
    let steep = low > high * 0.414_213_562_373_095_03;
    let (top, bottom) = if steep { (low - high, low + high) } else { (low, high) };
    let t = if bottom > 0.0 { top / bottom } else { 0.0 };
    let t2 = t * t;
    let t4 = t2 * t2;
    let t8 = t4 * t4;
    let pair = |k: usize| C[k] + C[k + 1] * t2;
    let sum =
        (pair(0) + pair(2) * t4) + ((pair(4) + pair(6) * t4) + (pair(8) + C[10] * t4) * t8) * t8;
    let mut angle = t * sum;
    if steep {
        angle += FRAC_PI_4;
    }
    if y > x { FRAC_PI_2 - angle } else { angle }
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
                assert!((atan2(y, x) - y.atan2(x)).abs() < 5e-16, "{a}");
            }
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(first_quadrant(2.0, 0.0), FRAC_PI_2);
    }
}
