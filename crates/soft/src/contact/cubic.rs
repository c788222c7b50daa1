//! When four moving points lie in one plane.

use glamx::DVec3;

/// Coefficients of t⁰ … t³ of (a + t ȧ) × (b + t ḃ) · (c + t ċ): six times the volume that three
/// edges span while they move.
pub(crate) fn volume([a, b, c]: [DVec3; 3], [da, db, dc]: [DVec3; 3]) -> [f64; 4] {
    let (ab, dab, ddab) = (a.cross(b), da.cross(b) + a.cross(db), da.cross(db));
    [ab.dot(c), dab.dot(c) + ab.dot(dc), ddab.dot(c) + dab.dot(dc), ddab.dot(dc)]
}

/// Times of [0, 1], in order, at which a cubic is zero, or so near to zero (`noise`) that rounding
/// decides. `None` where it is that near throughout.
pub(crate) fn roots(c: [f64; 4], noise: f64) -> Option<Times> {
    if c.iter().all(|x| x.abs() <= 0.25 * noise) {
        return None;
    }
    let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    let mut times = Times::default();
    // Between its extrema the cubic is monotone.
    let mut marks = [0.0, 1.0, 1.0, 1.0];
    let mut count = 1;
    for t in extrema([c[1], 2.0 * c[2], 3.0 * c[3]]) {
        if t > marks[count - 1] && t < 1.0 {
            marks[count] = t;
            count += 1;
        }
    }
    marks[count] = 1.0;
    for k in 0..count {
        let (low, high) = (marks[k], marks[k + 1]);
        let (at_low, at_high) = (value(low), value(high));
        if at_low.abs() <= noise {
            times.push(low);
        }
        if (at_low < 0.0) != (at_high < 0.0) && at_low != 0.0 {
            times.push(crossing(&value, low, high, at_low));
        }
    }
    if value(1.0).abs() <= noise {
        times.push(1.0);
    }
    Some(times)
}

/// A few times, in order.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Times {
    list: [f64; 8],
    count: usize,
}

impl Times {
    fn push(&mut self, t: f64) {
        self.list[self.count] = t;
        self.count += 1;
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.list[..self.count]
    }
}

/// Zeros of c₀ + c₁ t + c₂ t², in order; not a number where there is none.
fn extrema(c: [f64; 3]) -> [f64; 2] {
    let discriminant = c[1] * c[1] - 4.0 * c[0] * c[2];
    if !(discriminant >= 0.0) {
        return [f64::NAN; 2];
    }
    // Neither division cancels.
    let q = -0.5 * (c[1] + discriminant.sqrt().copysign(c[1]));
    let (a, b) = (q / c[2], c[0] / q);
    if a <= b || b.is_nan() { [a, b] } else { [b, a] }
}

/// Where a monotone function changes its sign, on the side of `low`, to the last bits.
fn crossing(value: &impl Fn(f64) -> f64, mut low: f64, mut high: f64, at_low: f64) -> f64 {
    let negative = at_low < 0.0;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (value(middle) < 0.0) == negative {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_products_are_found_in_order() {
        // (t − 0.2)(t − 0.5)(t − 0.9)
        let c = [-0.09, 0.73, -1.6, 1.0];
        let times = roots(c, 1e-15).unwrap();
        for (t, expected) in times.as_slice().iter().zip([0.2, 0.5, 0.9]) {
            assert!((t - expected).abs() < 1e-14);
        }
        assert_eq!(times.as_slice().len(), 3);
    }

    #[test]
    fn double_roots_and_straight_lines() {
        // (t − 0.5)²: touches, does not cross.
        assert!(!roots([0.25, -1.0, 1.0, 0.0], 1e-15).unwrap().as_slice().is_empty());
        let times = roots([-0.25, 1.0, 0.0, 0.0], 1e-15).unwrap();
        assert!(matches!(times.as_slice(), [t] if (t - 0.25).abs() < 1e-15));
        assert!(roots([1.0, 1.0, 0.0, 0.0], 1e-15).unwrap().as_slice().is_empty());
        assert!(roots([0.0; 4], 1e-15).is_none());
    }
}
