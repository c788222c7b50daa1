//! What is wrong with a scene file, and where.

use std::cell::RefCell;

use thiserror::Error;

/// Everything that is wrong with a scene file, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct SceneError {
    /// At least one.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with a scene file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct Problem {
    /// Name of the file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// What was found, what was expected, what to do.
    pub message: String,
}

/// Problems as they are found, by byte of the text. More than [`MOST_PROBLEMS`] are only counted.
#[derive(Debug, Default)]
pub(crate) struct Log {
    found: RefCell<Vec<(usize, String)>>,
    warnings: RefCell<Vec<(usize, String)>>,
}

/// Problems reported at once.
const MOST_PROBLEMS: usize = 50;

impl Log {
    /// Notes a problem at a byte of the text. The same problem twice is noted once.
    pub(crate) fn add(&self, at: usize, message: impl Into<String>) {
        let entry = (at, message.into());
        let mut found = self.found.borrow_mut();
        if !found.contains(&entry) {
            found.push(entry);
        }
    }

    /// Notes what was assumed where the file says nothing, at a byte of the text.
    pub(crate) fn warn(&self, at: usize, message: impl Into<String>) {
        self.warnings.borrow_mut().push((at, message.into()));
    }

    /// What was assumed, in the order of the file.
    pub(crate) fn warnings(&self, file: &str, text: &str) -> Vec<Problem> {
        let mut found = self.warnings.take();
        found.sort();
        found.into_iter().map(|(at, message)| problem(file, text, at, message)).collect()
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// All problems as an error.
    pub(crate) fn into_error(self, file: &str, text: &str) -> SceneError {
        let mut found = self.found.into_inner();
        found.sort();
        let more = found.len().saturating_sub(MOST_PROBLEMS);
        found.truncate(MOST_PROBLEMS);
        let mut problems: Vec<Problem> =
            found.into_iter().map(|(at, message)| problem(file, text, at, message)).collect();
        if let (Some(last), true) = (problems.last_mut(), more > 0) {
            last.message.push_str(&format!(" (and {more} more problems)"));
        }
        SceneError { problems }
    }
}

fn problem(file: &str, text: &str, at: usize, message: String) -> Problem {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Problem {
        file: file.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message,
    }
}
