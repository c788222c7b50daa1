//! Numbers of 32 digits as sums of two (Dekker, Knuth), for references that rounding must not touch.

use std::ops::{Add, Div, Mul, Sub};

/// `high` + `low`, where `low` is below the last digit of `high`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

/// a + b and its rounding error.
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let b_part = high - a;
    DoubleDouble { high, low: (a - (high - b_part)) + (b - b_part) }
}

impl DoubleDouble {
    /// a · b without rounding.
    pub(crate) fn product(a: f64, b: f64) -> DoubleDouble {
        let high = a * b;
        DoubleDouble { high, low: a.mul_add(b, -high) }
    }

    pub(crate) fn abs(self) -> DoubleDouble {
        if self.high < 0.0 { DoubleDouble::from(0.0) - self } else { self }
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> DoubleDouble {
        DoubleDouble { high, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;
    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let (s, t) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let s = two_sum(s.high, s.low + t.high);
        two_sum(s.high, s.low + t.low)
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;
    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + DoubleDouble { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = DoubleDouble;
    fn mul(self, other: DoubleDouble) -> DoubleDouble {
        let p = DoubleDouble::product(self.high, other.high);
        two_sum(p.high, p.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = DoubleDouble;
    fn div(self, other: DoubleDouble) -> DoubleDouble {
        let first = self.high / other.high;
        let rest = self - other * DoubleDouble::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * DoubleDouble::from(second);
        two_sum(first, second) + DoubleDouble::from(rest.high / other.high)
    }
}
