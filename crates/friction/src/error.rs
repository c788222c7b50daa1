//! Why a set, a section or a surface was refused.

use thiserror::Error;

/// Why a set, a section or a surface was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FrictionError {
    /// A number that is NaN, infinite or out of its range.
    #[error("{what} is {value}; expected {expected}")]
    Value {
        /// Which number.
        what: String,
        /// The number found.
        value: f64,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A friction tensor that would create energy for some direction of slip.
    #[error(
        "{what} is not dissipative: for slip along ({:.3}, {:.3}) friction would push with {:.4} per unit load; \
         the symmetric part of a friction tensor must be positive semi-definite",
        direction[0], direction[1], power
    )]
    NotDissipative {
        /// Which tensor, and where.
        what: String,
        /// A direction of slip in which energy would be created.
        direction: [f64; 2],
        /// The power gained per unit load and unit slip, positive.
        power: f64,
    },
    /// Anything else that has the wrong shape.
    #[error("{0}")]
    Shape(String),
}

/// A finite number that is zero or more, or an error that names it.
pub(crate) fn non_negative(what: &str, value: f64) -> Result<f64, FrictionError> {
    check(what, value, "a finite number, zero or more", value >= 0.0)
}

/// A finite number above zero, or an error that names it.
pub(crate) fn positive(what: &str, value: f64) -> Result<f64, FrictionError> {
    check(what, value, "a finite number above zero", value > 0.0)
}

/// A finite number, or an error that names it.
pub(crate) fn finite(what: &str, value: f64) -> Result<f64, FrictionError> {
    check(what, value, "a finite number", true)
}

/// A finite number in its range, or an error that names it and says what was expected.
pub(crate) fn check(
    what: &str,
    value: f64,
    expected: &'static str,
    in_range: bool,
) -> Result<f64, FrictionError> {
    if value.is_finite() && in_range {
        Ok(value)
    } else {
        Err(FrictionError::Value { what: what.to_owned(), value, expected })
    }
}
