//! The words of a text and their lines.

use glamx::DVec3;

use crate::SoftError;

/// The words of a text, with the line each is on.
pub(super) struct Words<'a> {
    lines: Vec<&'a str>,
    /// The line that is read, from 0.
    line: usize,
    rest: std::str::SplitWhitespace<'a>,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Words<'a> {
        let lines: Vec<&str> = text.lines().collect();
        let rest = lines.first().copied().unwrap_or("").split_whitespace();
        Words { lines, line: 0, rest }
    }

    pub(super) fn next_word(&mut self, expected: &str) -> Result<&'a str, SoftError> {
        loop {
            if let Some(word) = self.rest.next() {
                return Ok(word);
            }
            if !self.next_line() {
                return Err(self.wrong("the end of the file", expected));
            }
        }
    }

    /// Goes to the next line; false at the end.
    pub(super) fn next_line(&mut self) -> bool {
        self.line += 1;
        match self.lines.get(self.line) {
            Some(line) => {
                self.rest = line.split_whitespace();
                true
            }
            None => {
                self.line = self.lines.len();
                self.rest = "".split_whitespace();
                false
            }
        }
    }

    /// Goes behind the next line that is `marker` alone.
    pub(super) fn find(&mut self, marker: &str) -> Result<(), SoftError> {
        while self.line < self.lines.len() {
            let found = self.lines[self.line].trim() == marker;
            self.next_line();
            if found {
                return Ok(());
            }
        }
        Err(self.wrong("the end of the file", marker))
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<f64, SoftError> {
        let word = self.next_word(expected)?;
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(self.wrong(&format!("\"{word}\""), expected)),
        }
    }

    pub(super) fn integer(&mut self, expected: &str) -> Result<u64, SoftError> {
        let word = self.next_word(expected)?;
        word.parse().map_err(|_| self.wrong(&format!("\"{word}\""), expected))
    }

    pub(super) fn vector(&mut self) -> Result<DVec3, SoftError> {
        let expected = "three coordinates";
        Ok(DVec3::new(self.number(expected)?, self.number(expected)?, self.number(expected)?))
    }

    pub(super) fn wrong(&self, found: &str, expected: &str) -> SoftError {
        let line = (self.line + 1).min(self.lines.len().max(1));
        SoftError::Text { line, found: found.into(), expected: expected.into() }
    }
}
