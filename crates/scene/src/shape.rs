//! `shape`: what a body looks like.

use std::f64::consts::TAU;
use std::sync::Arc;

use glamx::{DPose3, DVec2, DVec3};

use super::assets::{self, Assets};
use super::node::Node;
use super::place;
use super::reader::Fields;
use super::spec::Range;
use asperity::geometry::shape::Shape;

/// Heights of a height field at most.
const MOST_HEIGHTS: usize = 1 << 22;

/// Reads and checks `shape` of a table.
pub(crate) fn read(fields: &Fields, assets: &dyn Assets) -> Option<Shape> {
    let table = fields.table("shape")?;
    let shape = one(&table, assets)?;
    match shape.validate() {
        Ok(()) => Some(shape),
        Err(e) => {
            table.log.add(table.at, format!("{}: {e}", table.label));
            None
        }
    }
}

fn one(table: &Fields, assets: &dyn Assets) -> Option<Shape> {
    let kind = table.alternative()?;
    if table.has("scale") && !matches!(kind, "mesh" | "convex_mesh") {
        let message = format!("\"scale\" in {} is for meshes; remove it", table.label);
        table.complain("scale", message);
    }
    Some(match kind {
        "box" => Shape::Box { half_extents: 0.5 * table.vector("box")? },
        "sphere" => Shape::Sphere { radius: table.number("sphere")? },
        "capsule" => {
            let [radius, length] = table.pair("capsule")?.to_array();
            Shape::Capsule { half_height: 0.5 * length, radius }
        }
        "cylinder" => {
            let [radius, height] = table.pair("cylinder")?.to_array();
            Shape::Cylinder { half_height: 0.5 * height, radius }
        }
        "cone" => {
            let [radius, height] = table.pair("cone")?.to_array();
            Shape::Cone { half_height: 0.5 * height, radius }
        }
        "half_space" => Shape::HalfSpace { normal: table.direction("half_space")? },
        "hull" => {
            let points = table.list("hull");
            let points: Vec<Option<DVec3>> =
                points.iter().map(|p| p.numbers(Range::Any).map(DVec3::from_array)).collect();
            Shape::ConvexHull { points: points.into_iter().collect::<Option<_>>()? }
        }
        "height_field" => height_field(&table.table("height_field")?, assets)?,
        "compound" => {
            let parts: Vec<Option<(DPose3, Shape)>> =
                table.tables("compound").iter().map(|part| part_of(part, assets)).collect();
            Shape::Compound(parts.into_iter().collect::<Option<_>>()?)
        }
        _ => mesh(table, kind, assets)?,
    })
}

fn part_of(part: &Fields, assets: &dyn Assets) -> Option<(DPose3, Shape)> {
    let pose = place::pose(part, DPose3::IDENTITY);
    Some((pose, read(part, assets)?))
}

fn mesh(table: &Fields, kind: &str, assets: &dyn Assets) -> Option<Shape> {
    let scale = match table.node("scale") {
        None => DVec3::ONE,
        Some(node) if node.is_number() => DVec3::splat(node.number(Range::Positive)?),
        Some(node) => DVec3::from_array(node.numbers(Range::Positive)?),
    };
    let mut data = assets::mesh(&table.node(kind)?, assets)?;
    if scale != DVec3::ONE {
        for p in &mut data.positions {
            *p *= scale;
        }
        for n in &mut data.normals {
            *n = (*n / scale).normalize_or_zero();
        }
        for t in &mut data.tangents {
            let along = (DVec3::new(t[0], t[1], t[2]) * scale).normalize_or_zero();
            *t = [along.x, along.y, along.z, t[3]];
        }
    }
    Some(if kind == "mesh" {
        Shape::Mesh(Arc::new(data))
    } else {
        Shape::ConvexHull { points: data.positions }
    })
}

fn height_field(table: &Fields, assets: &dyn Assets) -> Option<Shape> {
    let size = table.pair("size");
    let kind = table.alternative()?;
    if table.has("height") && kind != "file" {
        let message = format!("\"height\" in {} is for images; remove it", table.label);
        table.complain("height", message);
    }
    let (rows, columns, heights) = match kind {
        "heights" => rows_of(table)?,
        "waves" => waves(&table.table("waves")?, size?)?,
        _ => {
            let node = table.node("file")?;
            let height = table.number("height").unwrap_or(1.0);
            let picture = assets::image(&node, assets)?;
            let heights = picture.texels.iter().map(|t| f64::from(t[0]) * height).collect();
            (picture.height, picture.width, heights)
        }
    };
    if rows * columns > MOST_HEIGHTS {
        let message = format!(
            "{} has {rows} x {columns} heights; expected at most {MOST_HEIGHTS} in all",
            table.label
        );
        table.complain(kind, message);
        return None;
    }
    Some(Shape::HeightField { heights, rows, columns, size: size? })
}

/// Rows, columns and heights.
type Heights = (usize, usize, Vec<f64>);

fn rows_of(table: &Fields) -> Option<Heights> {
    let rows = table.list("heights");
    let columns = rows.first().and_then(Node::items).map_or(0, |row| row.len());
    let mut heights = Vec::new();
    for row in &rows {
        let numbers = row.list()?;
        if numbers.len() != columns {
            return row.expected(&format!("a row of {columns} numbers, as the first row"));
        }
        for number in &numbers {
            heights.push(number.number(Range::Any)?);
        }
    }
    Some((rows.len(), columns, heights))
}

fn waves(table: &Fields, size: DVec2) -> Option<Heights> {
    let [columns, rows] = table.wholes("points").unwrap_or([33, 33]);
    let (amplitude, lengths) = (table.number("amplitude"), table.pair("lengths"));
    let (amplitude, lengths) = (amplitude?, lengths?);
    let wave = |x: f64, length: f64| if length > 0.0 { (TAU * x / length).sin() } else { 1.0 };
    let place = |i: usize, n: usize, size: f64| size * (i as f64 / (n.max(2) - 1) as f64 - 0.5);
    let mut heights = Vec::with_capacity(rows * columns);
    for r in 0..rows {
        for c in 0..columns {
            let across = wave(place(c, columns, size.x), lengths.x);
            heights.push(amplitude * across * wave(place(r, rows, size.y), lengths.y));
        }
    }
    Some((rows, columns, heights))
}
