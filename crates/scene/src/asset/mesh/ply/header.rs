//! The header of a PLY file.

use crate::asset::AssetError;
use crate::asset::mesh::{MAX_TRIANGLES, MAX_VERTICES};

/// A kind of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// All kinds of numbers by their names.
const NUMBERS: [(&str, Number); 16] = [
    ("char", Number::I8),
    ("int8", Number::I8),
    ("uchar", Number::U8),
    ("uint8", Number::U8),
    ("short", Number::I16),
    ("int16", Number::I16),
    ("ushort", Number::U16),
    ("uint16", Number::U16),
    ("int", Number::I32),
    ("int32", Number::I32),
    ("uint", Number::U32),
    ("uint32", Number::U32),
    ("float", Number::F32),
    ("float32", Number::F32),
    ("double", Number::F64),
    ("float64", Number::F64),
];

/// What a property holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Number(Number),
    List { length: Number, of: Number },
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// So many rows of properties.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

/// What a file says of itself.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) is_text: bool,
    pub(super) elements: Vec<Element>,
}

/// Where what follows the header begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begin {
    pub(super) byte: usize,
    /// Lines before it.
    pub(super) line: usize,
}

/// Most rows of an element: more is taken for a broken or hostile file.
const MOST: usize = if MAX_VERTICES > MAX_TRIANGLES { MAX_VERTICES } else { MAX_TRIANGLES };

impl Header {
    pub(super) fn read(file: &str, bytes: &[u8]) -> Result<(Header, Begin), AssetError> {
        let mut begin = Begin { byte: 0, line: 0 };
        let mut format = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let rest = &bytes[begin.byte..];
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                let problem = "no end_header; expected a header that begins with ply";
                return Err(AssetError::content(file, problem));
            };
            let line = String::from_utf8_lossy(&rest[..end]);
            begin = Begin { byte: begin.byte + end + 1, line: begin.line + 1 };
            let at = |problem: String| AssetError::line(file, begin.line, problem);
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["ply"] if begin.line == 1 => {}
                _ if begin.line == 1 => {
                    return Err(at("expected ply in the first line".to_owned()));
                }
                ["format", "ascii", "1.0"] => format = Some(true),
                ["format", "binary_little_endian", "1.0"] => format = Some(false),
                ["format", ..] => {
                    let found = words[1..].join(" ");
                    return Err(at(format!(
                        "format {found:?}; expected ascii 1.0 or binary_little_endian 1.0"
                    )));
                }
                ["comment" | "obj_info", ..] | [] => {}
                ["element", name, count] => elements.push(element(name, count).map_err(at)?),
                ["property", ..] => {
                    let property = property(&words[1..]).map_err(at)?;
                    let Some(last) = elements.last_mut() else {
                        return Err(at("a property before the first element".to_owned()));
                    };
                    if last.properties.iter().any(|p| p.name == property.name) {
                        return Err(at(format!("{} has {} twice", last.name, property.name)));
                    }
                    last.properties.push(property);
                }
                ["end_header"] => break,
                _ => {
                    let found: String = line.chars().take(40).collect();
                    return Err(at(format!(
                        "{found:?}; expected format, element, property, comment or end_header"
                    )));
                }
            }
        }
        let missing = || AssetError::content(file, "the header has no format line; expected one");
        Ok((Header { is_text: format.ok_or_else(missing)?, elements }, begin))
    }
}

fn element(name: &str, count: &str) -> Result<Element, String> {
    let count = count.parse().ok().filter(|n| *n <= MOST);
    let count =
        count.ok_or_else(|| format!("expected a whole number of {name}, {MOST} at most"))?;
    Ok(Element { name: name.to_owned(), count, properties: Vec::new() })
}

fn property(words: &[&str]) -> Result<Property, String> {
    let number = |name: &str| {
        let known = NUMBERS.iter().find(|(known, _)| *known == name);
        known.map(|(_, number)| *number).ok_or_else(|| {
            format!("a property of type {name:?}; expected one such as float, double, uchar or int")
        })
    };
    let (name, kind) = match words {
        ["list", length, of, name] => {
            let length = number(length)?;
            if matches!(length, Number::F32 | Number::F64) {
                return Err(format!(
                    "the length of list {name} is a fraction; expected a whole number"
                ));
            }
            (name, Kind::List { length, of: number(of)? })
        }
        [kind, name] => (name, Kind::Number(number(kind)?)),
        _ => return Err("expected property TYPE NAME, or property list TYPE TYPE NAME".to_owned()),
    };
    Ok(Property { name: (*name).to_owned(), kind })
}
