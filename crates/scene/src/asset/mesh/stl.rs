//! Meshes from STL files, text and binary.

use std::collections::HashMap;

use glamx::DVec3;

use super::draft::{DEFAULT_MATERIAL, Draft, Vertex, point_key};
use crate::asset::AssetError;

/// Bytes before the triangles of a binary STL: 80 of any content, then their number.
const HEADER: usize = 84;

/// Bytes of a triangle: normal and three corners in single precision, two of any content.
const TRIANGLE: usize = 50;

/// Reads an STL, text or binary. The normals in it are ignored: they follow from the corners.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Draft, AssetError> {
    let mut welder = Welder::default();
    if is_text(bytes) {
        read_text(file, &String::from_utf8_lossy(bytes), &mut welder)?;
    } else {
        read_binary(bytes, &mut welder).map_err(|problem| AssetError::content(file, problem))?;
    }
    welder.draft.material(DEFAULT_MATERIAL);
    Ok(welder.draft)
}

/// Text starts with `solid`, but so do some binary files: those have zeros in their header, or
/// exactly the length it says.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.len() >= 5
        && start[..5].eq_ignore_ascii_case(b"solid")
        && !bytes[..bytes.len().min(HEADER)].contains(&0)
        && binary_length(bytes) != Some(bytes.len())
}

/// The length that the header of a binary STL promises.
fn binary_length(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEADER)?.try_into().ok().map(u32::from_le_bytes)?;
    (count as usize).checked_mul(TRIANGLE)?.checked_add(HEADER)
}

fn read_binary(bytes: &[u8], welder: &mut Welder) -> Result<(), String> {
    let found = bytes.len();
    let length = binary_length(bytes).ok_or_else(|| {
        format!("{found} bytes; expected the {HEADER} of a binary STL's header, or \"solid\"")
    })?;
    if length > found || bytes[length..].iter().any(|byte| *byte != 0) {
        let count = (length - HEADER) / TRIANGLE;
        return Err(format!(
            "the header promises {count} triangles, so {length} bytes; the file has {found}"
        ));
    }
    for triangle in bytes[HEADER..length].chunks_exact(TRIANGLE) {
        let number = |i: usize| {
            let four = [triangle[i], triangle[i + 1], triangle[i + 2], triangle[i + 3]];
            f64::from(f32::from_le_bytes(four))
        };
        let corner = |i: usize| DVec3::new(number(i), number(i + 4), number(i + 8));
        welder.triangle([corner(12), corner(24), corner(36)]);
    }
    Ok(())
}

fn read_text(file: &str, text: &str, welder: &mut Welder) -> Result<(), AssetError> {
    let mut words = Words::new(file, text);
    words.expect("solid")?;
    words.skip_line();
    loop {
        match words.next_of(&["facet", "endsolid"])? {
            0 => {
                words.expect("normal")?;
                // Some programs write nan for a triangle without area.
                for _ in 0..3 {
                    words.number()?;
                }
                words.expect("outer")?;
                words.expect("loop")?;
                let mut corners = [DVec3::ZERO; 3];
                for corner in &mut corners {
                    words.expect("vertex")?;
                    *corner =
                        DVec3::new(words.coordinate()?, words.coordinate()?, words.coordinate()?);
                }
                words.expect("endloop")?;
                words.expect("endfacet")?;
                welder.triangle(corners);
            }
            _ => {
                words.skip_line();
                if words.is_at_end() {
                    return Ok(());
                }
                words.expect("solid")?;
                words.skip_line();
            }
        }
    }
}

/// Makes one vertex of all corners at the same point.
#[derive(Default)]
struct Welder {
    draft: Draft,
    known: HashMap<[u64; 3], u32>,
}

impl Welder {
    fn triangle(&mut self, corners: [DVec3; 3]) {
        let numbers = corners.map(|position| {
            *self.known.entry(point_key(position)).or_insert_with(|| {
                let source = self.draft.vertices.len();
                self.draft.vertices.push(Vertex { position, source, ..Vertex::default() });
                self.draft.sources = self.draft.vertices.len();
                source as u32
            })
        });
        self.draft.triangles.push(numbers);
        self.draft.triangle_material.push(0);
    }
}

/// The words of a text, with their lines.
struct Words<'a> {
    file: &'a str,
    rest: &'a str,
    line: usize,
}

impl<'a> Words<'a> {
    fn new(file: &'a str, text: &'a str) -> Words<'a> {
        Words { file, rest: text, line: 1 }
    }

    fn skip_space(&mut self) {
        let trimmed = self.rest.trim_start();
        let space = &self.rest[..self.rest.len() - trimmed.len()];
        self.line += space.matches('\n').count();
        self.rest = trimmed;
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty()
    }

    /// Leaves out what is left of the line.
    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    fn next(&mut self, expected: &str) -> Result<&'a str, AssetError> {
        self.skip_space();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err(self.error(format!("the file ends here; expected {expected}")));
        }
        Ok(word)
    }

    /// Which of some words comes next.
    fn next_of(&mut self, words: &[&str]) -> Result<usize, AssetError> {
        let expected = words.join(" or ");
        let word = self.next(&expected)?;
        words
            .iter()
            .position(|w| w.eq_ignore_ascii_case(word))
            .ok_or_else(|| self.unexpected(word, &expected))
    }

    fn expect(&mut self, word: &str) -> Result<(), AssetError> {
        self.next_of(&[word]).map(|_| ())
    }

    fn number(&mut self) -> Result<f64, AssetError> {
        let word = self.next("a number")?;
        word.parse().map_err(|_| self.unexpected(word, "a number"))
    }

    fn coordinate(&mut self) -> Result<f64, AssetError> {
        let x = self.number()?;
        if x.is_finite() {
            return Ok(x);
        }
        Err(self.error(format!("a coordinate is {x}; expected a finite number")))
    }

    fn unexpected(&self, word: &str, expected: &str) -> AssetError {
        let start: String = word.chars().take(40).collect();
        self.error(format!("{start:?}; expected {expected}"))
    }

    fn error(&self, problem: String) -> AssetError {
        AssetError::line(self.file, self.line, problem)
    }
}
