//! Why meshes and pictures are refused.

use thiserror::Error;

/// Why a mesh or a picture was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AssetError {
    /// A file of a kind that is not read.
    #[error("{file}: unknown kind of file; expected {expected}")]
    Kind {
        /// The file.
        file: String,
        /// The kinds that are read.
        expected: &'static str,
    },
    /// Something wrong in a line of a text file.
    #[error("{file}:{line}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there, and what was expected.
        problem: String,
    },
    /// Something wrong in a file.
    #[error("{file}: {problem}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong, where in the file, and what was expected.
        problem: String,
    },
    /// A file that could not be had; for [`Resolve`](super::Resolve) functions to return.
    #[error("cannot read {file}: {problem}")]
    Unavailable {
        /// The file.
        file: String,
        /// Why not.
        problem: String,
    },
    /// A file that refers to another one, which could not be had.
    #[error("{file}: {what}: {source}")]
    Reference {
        /// The file that refers.
        file: String,
        /// Which part of it refers.
        what: String,
        /// What happened to the other file.
        source: Box<AssetError>,
    },
}

impl AssetError {
    pub(crate) fn content(file: &str, problem: impl Into<String>) -> AssetError {
        AssetError::Content { file: file.to_owned(), problem: problem.into() }
    }

    pub(crate) fn line(file: &str, line: usize, problem: impl Into<String>) -> AssetError {
        AssetError::Line { file: file.to_owned(), line, problem: problem.into() }
    }
}
