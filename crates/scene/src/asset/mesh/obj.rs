//! Meshes from OBJ files.

use std::borrow::Cow;
use std::collections::HashMap;

use glamx::{DVec2, DVec3};

use super::draft::{DEFAULT_MATERIAL, Draft, Vertex};
use super::polygon;
use crate::asset::AssetError;

/// Statements without a meaning for the surface: names, groups, lines, points, display.
const IGNORED: &str = "o g s l p mg lod mtllib maplib usemap bevel c_interp d_interp shadow_obj \
                       trace_obj";

/// Statements of free-form curves and surfaces.
const FREE_FORM: &str = "vp cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con \
                         stech ctech";

/// What the statements of a file say, in its own numbering.
#[derive(Default)]
struct Contents {
    positions: Vec<DVec3>,
    uvs: Vec<DVec2>,
    normals: Vec<DVec3>,
    faces: Vec<Face>,
    corners: Vec<Corner>,
}

/// A polygon: its corners are the next `count` ones.
struct Face {
    line: usize,
    material: u32,
    count: usize,
}

/// Position, texture coordinates and normal of a corner, counted from 0.
type Corner = (usize, Option<usize>, Option<usize>);

/// Reads a Wavefront OBJ. Vertex weights and colours, groups and smoothing groups are ignored;
/// free-form geometry is refused.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Draft, AssetError> {
    let mut draft = Draft::default();
    let mut contents = Contents::default();
    let mut material = None;
    for (line, statement) in statements(bytes) {
        let at = |problem| AssetError::line(file, line, problem);
        let mut words = statement.split_whitespace();
        let Some(keyword) = words.next().filter(|word| !word.starts_with('#')) else { continue };
        match keyword {
            "v" => contents.positions.push(DVec3::from_array(numbers(words, 3).map_err(at)?)),
            "vn" => contents.normals.push(DVec3::from_array(numbers(words, 3).map_err(at)?)),
            "vt" => contents.uvs.push(DVec2::from_array(numbers(words, 1).map_err(at)?)),
            "usemtl" => {
                let name = words.collect::<Vec<_>>().join(" ");
                let name = if name.is_empty() { DEFAULT_MATERIAL } else { &name };
                material = Some(draft.material(name));
            }
            "f" => {
                let material = *material.get_or_insert_with(|| draft.material(DEFAULT_MATERIAL));
                let count = contents.face(words).map_err(at)?;
                contents.faces.push(Face { line, material, count });
            }
            _ if IGNORED.split(' ').any(|ignored| ignored == keyword) => {}
            _ if FREE_FORM.split(' ').any(|refused| refused == keyword) => {
                return Err(at(format!(
                    "\"{keyword}\" belongs to free-form geometry, which is not read; expected polygons"
                )));
            }
            _ => {
                return Err(at(format!(
                    "unknown statement {:?}; expected one such as v, vt, vn, f or usemtl",
                    shortened(keyword)
                )));
            }
        }
    }
    contents.build(file, &mut draft)?;
    draft.sources = contents.positions.len();
    Ok(draft)
}

impl Contents {
    /// Adds the corners of a face, and counts them.
    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<usize, String> {
        let mut count = 0;
        for word in words {
            let mut parts = word.split('/');
            let position = index(parts.next().unwrap_or(""), self.positions.len(), "position")?
                .ok_or_else(|| format!("corner {word:?} has no position"))?;
            let uv = index(parts.next().unwrap_or(""), self.uvs.len(), "texture coordinate")?;
            let normal = index(parts.next().unwrap_or(""), self.normals.len(), "normal")?;
            if parts.next().is_some() {
                return Err(format!("corner {word:?}; expected at most three numbers"));
            }
            self.corners.push((position, uv, normal));
            count += 1;
        }
        if count < 3 {
            return Err(format!("a face with {count} corners; expected at least three"));
        }
        Ok(count)
    }

    /// Makes one vertex of all corners that are the same, and triangles of all polygons.
    fn build(&self, file: &str, draft: &mut Draft) -> Result<(), AssetError> {
        let mut known: HashMap<Corner, u32> = HashMap::new();
        let mut rest = self.corners.as_slice();
        for face in &self.faces {
            let (corners, others) = rest.split_at(face.count);
            rest = others;
            let at = |problem| AssetError::line(file, face.line, problem);
            let mut numbers = Vec::with_capacity(corners.len());
            for corner in corners {
                let number = match known.get(corner) {
                    Some(number) => *number,
                    None => {
                        let number = draft.vertices.len() as u32;
                        draft.vertices.push(self.vertex(*corner).map_err(at)?);
                        draft.check_size(file)?;
                        known.insert(*corner, number);
                        number
                    }
                };
                numbers.push(number);
            }
            let points: Vec<DVec3> = corners.iter().map(|c| self.positions[c.0]).collect();
            for triangle in polygon::triangulate(&points).map_err(at)? {
                draft.triangles.push(triangle.map(|k| numbers[k]));
                draft.triangle_material.push(face.material);
            }
        }
        Ok(())
    }

    fn vertex(&self, (position, uv, normal): Corner) -> Result<Vertex, String> {
        Ok(Vertex {
            position: lookup(&self.positions, position, "position")?,
            normal: normal.map(|n| lookup(&self.normals, n, "normal")).transpose()?,
            uv: uv.map(|t| lookup(&self.uvs, t, "texture coordinate")).transpose()?,
            source: position,
            ..Vertex::default()
        })
    }
}

fn lookup<T: Copy>(list: &[T], index: usize, what: &str) -> Result<T, String> {
    list.get(index)
        .copied()
        .ok_or_else(|| format!("{what} {} does not exist; the file has {}", index + 1, list.len()))
}

/// An index of a face, counted from 0; negative ones count back from the latest of `count`.
fn index(word: &str, count: usize, what: &str) -> Result<Option<usize>, String> {
    if word.is_empty() {
        return Ok(None);
    }
    let number: i64 = word
        .parse()
        .map_err(|_| format!("{what} {:?} of a face; expected a whole number", shortened(word)))?;
    let index = if number < 0 { count.cast_signed() as i64 + number } else { number - 1 };
    match usize::try_from(index) {
        Ok(index) if index < u32::MAX as usize => Ok(Some(index)),
        _ => Err(format!("{what} {number} of a face does not exist; there are {count} so far")),
    }
}

/// `N` finite numbers, of which those after the first `least` may be left out; more are ignored.
fn numbers<'a, const N: usize>(
    mut words: impl Iterator<Item = &'a str>,
    least: usize,
) -> Result<[f64; N], String> {
    let mut numbers = [0.0; N];
    for (i, number) in numbers.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            return if i < least { Err(format!("{i} numbers; expected {N}")) } else { Ok(numbers) };
        };
        *number = word
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| format!("{:?}; expected a finite number", shortened(word)))?;
    }
    Ok(numbers)
}

/// Lines with their numbers, counted from 1; a line that ends in a backslash goes on in the next.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate();
    std::iter::from_fn(move || {
        let (i, first) = lines.next()?;
        let mut text = String::from_utf8_lossy(first);
        while text.trim_end_matches('\r').ends_with('\\') {
            let joined = text.to_mut();
            joined.truncate(joined.trim_end_matches('\r').len() - 1);
            joined.push(' ');
            match lines.next() {
                Some((_, next)) => joined.push_str(&String::from_utf8_lossy(next)),
                None => break,
            }
        }
        Some((i + 1, text))
    })
}

/// The beginning of a word, for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
