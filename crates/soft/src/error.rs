//! Why a soft body cannot be made.

use thiserror::Error;

/// Why a mesh, a material or a body was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SoftError {
    /// A field with a value that cannot be used.
    #[error("field \"{field}\": {found}; expected {expected}")]
    Field {
        /// Which field, with its index where there is one.
        field: String,
        /// What was found.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
    /// Text of a mesh file that cannot be read.
    #[error("line {line}: {found}; expected {expected}")]
    Text {
        /// Line number, from 1.
        line: usize,
        /// What was found.
        found: String,
        /// What would have been accepted.
        expected: String,
    },
}

pub(crate) fn field(
    field: impl Into<String>,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> SoftError {
    SoftError::Field { field: field.into(), found: found.into(), expected: expected.into() }
}

/// `value` must be finite and greater than zero.
pub(crate) fn positive(name: &str, value: f64) -> Result<(), SoftError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(field(name, format!("{value}"), "a number greater than zero"))
}

/// `value` must be finite and not negative.
pub(crate) fn not_negative(name: &str, value: f64) -> Result<(), SoftError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(field(name, format!("{value}"), "zero or more"))
}
