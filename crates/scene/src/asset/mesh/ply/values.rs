//! The numbers behind the header of a PLY file.

use super::header::Number;

/// Where numbers come from.
pub(super) enum Values<'a> {
    Text(Text<'a>),
    Binary { bytes: &'a [u8], at: usize },
}

/// Lines of words.
pub(super) struct Text<'a> {
    lines: std::slice::Split<'a, u8, fn(&u8) -> bool>,
    words: Vec<&'a str>,
    next: usize,
    line: usize,
}

impl<'a> Text<'a> {
    /// `before` lines come before these bytes.
    pub(super) fn new(bytes: &'a [u8], before: usize) -> Text<'a> {
        let ends: fn(&u8) -> bool = |byte| *byte == b'\n';
        Text { lines: bytes.split(ends), words: Vec::new(), next: 0, line: before }
    }

    /// The next word; rows may go over several lines, and lines may be empty.
    fn word(&mut self) -> Option<&'a str> {
        while self.next == self.words.len() {
            let line = self.lines.next()?;
            self.line += 1;
            self.next = 0;
            // What is not text is no number either.
            let text = std::str::from_utf8(line).unwrap_or("?");
            self.words.clear();
            self.words.extend(text.split_whitespace());
        }
        self.next += 1;
        self.words.get(self.next - 1).copied()
    }
}

impl Values<'_> {
    /// The next number, which is of this kind.
    pub(super) fn next(&mut self, kind: Number, name: &str) -> Result<f64, String> {
        match self {
            Values::Text(text) => {
                let word = text.word().ok_or_else(|| format!("the file ends before {name}"))?;
                let shown: String = word.chars().take(40).collect();
                let number: f64 =
                    word.parse().map_err(|_| format!("{name} is {shown:?}; expected a number"))?;
                match bounds(kind) {
                    Some((least, most))
                        if number.fract() != 0.0 || !(least..=most).contains(&number) =>
                    {
                        Err(format!("{name} is {shown:?}; expected a whole number of its type"))
                    }
                    _ => Ok(number),
                }
            }
            Values::Binary { bytes, at } => {
                let found = bytes.get(*at..*at + size(kind));
                let found = found.ok_or_else(|| format!("the file ends before {name}"))?;
                *at += found.len();
                Ok(decode(kind, found))
            }
        }
    }

    /// Nothing of a row may be left in its line.
    pub(super) fn end_of_element(&mut self) -> Result<(), String> {
        match self {
            Values::Text(text) if text.next < text.words.len() => {
                let more = text.words.len() - text.next;
                Err(format!("{more} more numbers in this line than the header promises"))
            }
            _ => Ok(()),
        }
    }

    /// The line that was read last, counted from 1; nothing in binary files.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Values::Text(text) => Some(text.line),
            Values::Binary { .. } => None,
        }
    }

    /// Words or bytes after the last number.
    pub(super) fn rest(&mut self) -> usize {
        match self {
            Values::Text(text) => std::iter::from_fn(|| text.word()).count(),
            Values::Binary { bytes, at } => bytes.len() - *at,
        }
    }
}

fn size(kind: Number) -> usize {
    match kind {
        Number::I8 | Number::U8 => 1,
        Number::I16 | Number::U16 => 2,
        Number::I32 | Number::U32 | Number::F32 => 4,
        Number::F64 => 8,
    }
}

/// Least and greatest of the whole numbers of a kind.
fn bounds(kind: Number) -> Option<(f64, f64)> {
    let bits = 8.0 * size(kind) as f64;
    match kind {
        Number::I8 | Number::I16 | Number::I32 => {
            let half = (bits - 1.0).exp2();
            Some((-half, half - 1.0))
        }
        Number::U8 | Number::U16 | Number::U32 => Some((0.0, bits.exp2() - 1.0)),
        Number::F32 | Number::F64 => None,
    }
}

/// A number of as many bytes as its kind has.
fn decode(kind: Number, bytes: &[u8]) -> f64 {
    let bits = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    match kind {
        Number::I8 => f64::from((bits as u8).cast_signed()),
        Number::U8 => f64::from(bits as u8),
        Number::I16 => f64::from((bits as u16).cast_signed()),
        Number::U16 => f64::from(bits as u16),
        Number::I32 => f64::from((bits as u32).cast_signed()),
        Number::U32 => f64::from(bits as u32),
        Number::F32 => f64::from(f32::from_bits(bits as u32)),
        Number::F64 => f64::from_bits(bits),
    }
}
