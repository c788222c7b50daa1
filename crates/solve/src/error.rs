//! What may be wrong with a contact problem.

use asperity_friction::FrictionError;
use thiserror::Error;

/// Why a contact problem was refused.
#[derive(Debug, Error)]
pub enum ProblemError {
    /// Text that is not JSON, or not JSON of the expected shape. The message has line and column.
    #[error("not a contact problem: {0}")]
    Json(#[from] serde_json::Error),
    /// A format this library does not know.
    #[error(
        "field \"format\": unknown format \"{0}\"; expected one that starts with fc3d-local, fc2d-local, fc3d-global, rfc3d-local or asperity-problem"
    )]
    UnknownFormat(String),
    /// A list or matrix of the wrong size.
    #[error("field \"{field}\": {found}; expected {expected}")]
    Size {
        /// Which field.
        field: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A number that is NaN, infinite or out of range.
    #[error("field \"{field}\": {value:?} is not {expected}")]
    Value {
        /// Which field, with its index.
        field: String,
        /// The number found.
        value: f64,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// A set that was refused.
    #[error("{field}: {source}")]
    Set {
        /// Which block.
        field: String,
        /// Why.
        source: FrictionError,
    },
    /// A mass matrix that has no inverse.
    #[error("field \"M\": the mass matrix is singular: {0}")]
    SingularMass(String),
}

pub(crate) fn size(
    field: impl Into<String>,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> ProblemError {
    ProblemError::Size { field: field.into(), found: found.into(), expected: expected.into() }
}

pub(crate) fn all_finite(field: &str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| !(v.abs() <= LARGEST)) {
        None => Ok(()),
        Some(i) => Err(ProblemError::Value {
            field: format!("{field}[{i}]"),
            value: values[i],
            expected: "a finite number of at most 1e100",
        }),
    }
}

/// Largest number of a problem: products of two and their squares must not overflow into what looks
/// like no error at all.
pub(crate) const LARGEST: f64 = 1e100;
