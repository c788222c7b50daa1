//! Meshes from PLY files, text and binary (little endian).

mod header;
mod values;

use glamx::{DVec2, DVec3};

use self::header::{Element, Header, Kind, Property};
use self::values::{Text, Values};
use super::draft::{DEFAULT_MATERIAL, Draft, Vertex};
use super::polygon;
use crate::asset::AssetError;

/// Names of the three coordinates of a vertex, of its normal, of its grain; two texture coordinates have several.
const POSITION: [&str; 3] = ["x", "y", "z"];
const NORMAL: [&str; 3] = ["nx", "ny", "nz"];
const GRAIN: [&str; 3] = ["gx", "gy", "gz"];
const UVS: [[&str; 2]; 3] = [["u", "v"], ["s", "t"], ["texture_u", "texture_v"]];

/// Names of the list of a face's corners.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

/// Reads a PLY. Elements and properties without a meaning for the surface are ignored.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Draft, AssetError> {
    let (header, begin) = Header::read(file, bytes)?;
    let body = &bytes[begin.byte..];
    let mut values = if header.is_text {
        Values::Text(Text::new(body, begin.line))
    } else {
        Values::Binary { bytes: body, at: 0 }
    };
    let mut draft = Draft::default();
    draft.material(DEFAULT_MATERIAL);
    let refuse = |values: &Values, element: &Element, i: usize, problem: String| {
        let problem = format!("{} {i}: {problem}", element.name);
        match values.line() {
            Some(line) => AssetError::line(file, line, problem),
            None => AssetError::content(file, problem),
        }
    };
    for element in &header.elements {
        let of = Columns::of(element).map_err(|problem| AssetError::content(file, problem))?;
        let mut row = Row::default();
        for i in 0..element.count {
            row.read(element, &mut values).map_err(|e| refuse(&values, element, i, e))?;
            let added = match &of {
                Columns::Vertex(columns) => columns.add(&row, &mut draft),
                Columns::Face { corners } => add_face(&row, *corners, &mut draft),
                Columns::Ignored => Ok(()),
            };
            added.map_err(|e| refuse(&values, element, i, e))?;
            draft.check_size(file)?;
        }
    }
    match values.rest() {
        0 => Ok(draft),
        rest => Err(AssetError::content(file, format!("{rest} more than the header promises"))),
    }
}

/// The numbers of an element: of single properties, and of the list that the header says first.
#[derive(Default)]
struct Row {
    numbers: Vec<f64>,
    lists: Vec<Vec<f64>>,
}

impl Row {
    fn read(&mut self, element: &Element, values: &mut Values) -> Result<(), String> {
        self.numbers.clear();
        self.lists.clear();
        for property in &element.properties {
            match property.kind {
                Kind::Number(number) => self.numbers.push(values.next(number, &property.name)?),
                Kind::List { length, of } => {
                    let found = values.next(length, &property.name)?;
                    let count = whole(found).filter(|n| *n <= MOST_CORNERS).ok_or_else(|| {
                        format!(
                            "a list of {found} {}; expected a whole number up to {MOST_CORNERS}",
                            property.name
                        )
                    })?;
                    let list = (0..count).map(|_| values.next(of, &property.name));
                    self.lists.push(list.collect::<Result<_, _>>()?);
                }
            }
        }
        values.end_of_element()
    }
}

/// Longest list.
const MOST_CORNERS: usize = 1 << 20;

/// What an element is for.
enum Columns {
    Vertex(VertexColumns),
    Face { corners: usize },
    Ignored,
}

/// Places of a vertex's numbers among the single properties of its element.
struct VertexColumns {
    position: [usize; 3],
    normal: Option<[usize; 3]>,
    grain: Option<[usize; 3]>,
    uv: Option<[usize; 2]>,
}

impl Columns {
    fn of(element: &Element) -> Result<Columns, String> {
        let is_list = |p: &&Property| matches!(p.kind, Kind::List { .. });
        match element.name.as_str() {
            "vertex" => {
                let singles: Vec<&str> = element
                    .properties
                    .iter()
                    .filter(|p| !is_list(p))
                    .map(|p| p.name.as_str())
                    .collect();
                let position = all(&singles, POSITION)?.ok_or("vertex has no x, y and z")?;
                let uvs = UVS.into_iter().find_map(|names| all(&singles, names).transpose());
                Ok(Columns::Vertex(VertexColumns {
                    position,
                    normal: all(&singles, NORMAL)?,
                    grain: all(&singles, GRAIN)?,
                    uv: uvs.transpose()?,
                }))
            }
            "face" => {
                let mut lists = element.properties.iter().filter(is_list);
                let corners = lists.position(|p| CORNERS.contains(&p.name.as_str()));
                let corners = corners.ok_or("face has no list vertex_indices; expected one")?;
                Ok(Columns::Face { corners })
            }
            "tristrips" => Err("tristrips are not read; expected faces".to_owned()),
            _ => Ok(Columns::Ignored),
        }
    }
}

/// Places of some names; nothing where none of them is there.
fn all<const N: usize>(names: &[&str], wanted: [&str; N]) -> Result<Option<[usize; N]>, String> {
    let found = wanted.map(|name| names.iter().position(|other| *other == name));
    match found.iter().filter(|place| place.is_some()).count() {
        0 => Ok(None),
        n if n == N => Ok(Some(found.map(Option::unwrap_or_default))),
        _ => {
            let missing: Vec<&str> =
                wanted.into_iter().filter(|name| !names.contains(name)).collect();
            Err(format!("vertex has no {}; expected {}", missing.join(", "), wanted.join(", ")))
        }
    }
}

impl VertexColumns {
    fn add(&self, row: &Row, draft: &mut Draft) -> Result<(), String> {
        let vector = |places: [usize; 3]| DVec3::from_array(places.map(|i| row.numbers[i]));
        let position = vector(self.position);
        if !position.is_finite() {
            return Err(format!("its place is {position}; expected finite numbers"));
        }
        let grain = self.grain.map(vector);
        if let Some(grain) = grain.filter(|g| !g.is_finite()) {
            return Err(format!("its grain is {grain}; expected finite numbers, zeros for none"));
        }
        draft.vertices.push(Vertex {
            position,
            normal: self.normal.map(vector),
            uv: self.uv.map(|[u, v]| DVec2::new(row.numbers[u], row.numbers[v])),
            tangent: None,
            grain,
            source: draft.sources,
        });
        draft.sources += 1;
        Ok(())
    }
}

/// A face as triangles. Its vertices have been read before it.
fn add_face(row: &Row, corners: usize, draft: &mut Draft) -> Result<(), String> {
    let count = draft.vertices.len();
    let corner = |index: &f64| {
        let known = whole(*index).filter(|i| *i < count);
        known.ok_or_else(|| {
            format!("vertex {index} does not exist; expected one of {count} before it")
        })
    };
    let corners: Vec<usize> = row.lists[corners].iter().map(corner).collect::<Result<_, _>>()?;
    if corners.len() < 3 {
        return Err(format!("{} corners; expected at least three", corners.len()));
    }
    let points: Vec<DVec3> = corners.iter().map(|i| draft.vertices[*i].position).collect();
    for triangle in polygon::triangulate(&points)? {
        draft.triangles.push(triangle.map(|k| corners[k] as u32));
        draft.triangle_material.push(0);
    }
    Ok(())
}

/// A whole number, zero or more.
fn whole(x: f64) -> Option<usize> {
    (x >= 0.0 && x.fract() == 0.0 && x < 1e15).then_some(x as usize)
}
