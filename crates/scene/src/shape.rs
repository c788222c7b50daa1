//! `shape`: what a body looks like.

use std::f64::consts::TAU;
use std::sync::Arc;

use glamx::{DPose3, DVec2, DVec3};

use super::assets::{self, Assets};
use super::format::shape::{HEIGHT_FIELD, PART, WAVES};
use super::format::{NUMBER, POSITIVE, SIZES, VECTOR, vector, way};
use super::node::Node;
use super::place;
use super::reader::Fields;
use super::spec::{Form, Range, Way};
use asperity::geometry::shape::{MeshData, Shape};

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
    let read = table.way(&SHAPES)?;
    if table.has("scale") && !table.has("mesh") && !table.has("convex_mesh") {
        let message = format!("\"scale\" in {} is for meshes; remove it", table.label);
        table.complain("scale", message);
    }
    read(table, assets)
}

/// What reads a shape.
pub(crate) type Read = fn(&Fields, &dyn Assets) -> Option<Shape>;

/// Sizes of round shapes.
const ROUND: Form = vector(2, Range::Positive);

/// All shapes by name.
pub(crate) static SHAPES: [Way<Read>; 12] = [
    way("box", SIZES, "Full sizes along x, y and z, metres.", |table, _| {
        Some(Shape::Box { half_extents: 0.5 * table.vector("box")? })
    }),
    way("sphere", POSITIVE, "Radius, metres.", |table, _| {
        Some(Shape::Sphere { radius: table.number("sphere")? })
    }),
    way("capsule", ROUND, "Radius, and length between the two end points, along y.", |table, _| {
        let [radius, half_height] = round(table, "capsule")?;
        Some(Shape::Capsule { half_height, radius })
    }),
    way("cylinder", ROUND, "Radius and height, along y.", |table, _| {
        let [radius, half_height] = round(table, "cylinder")?;
        Some(Shape::Cylinder { half_height, radius })
    }),
    way(
        "ring",
        vector(3, Range::Positive),
        "Outer radius, inner radius and height, along y: a cylinder with a hole, of 64 sides.",
        |table, _| {
            let size = table.vector("ring")?;
            match Shape::ring(size.x, size.y, 0.5 * size.z) {
                Ok(shape) => Some(shape),
                Err(e) => table.refuse("ring", format!("{}: {e}", table.label)),
            }
        },
    ),
    way("cone", ROUND, "Radius and height, along y.", |table, _| {
        let [radius, half_height] = round(table, "cone")?;
        Some(Shape::Cone { half_height, radius })
    }),
    way(
        "half_space",
        VECTOR,
        "Outward normal; the surface goes through the origin.",
        |table, _| Some(Shape::HalfSpace { normal: table.direction("half_space")? }),
    ),
    way("hull", Form::List(&VECTOR), "Points of a convex body.", |table, _| {
        let points = table.list("hull");
        let points: Vec<Option<DVec3>> =
            points.iter().map(|p| p.numbers(Range::Any).map(DVec3::from_array)).collect();
        Some(Shape::ConvexHull { points: points.into_iter().collect::<Option<_>>()? })
    }),
    way(
        "mesh",
        Form::Text,
        "A triangle mesh file, relative to the scene file.",
        |table, assets| Some(Shape::Mesh(Arc::new(mesh(table, "mesh", assets)?))),
    ),
    way("convex_mesh", Form::Text, "The convex hull of a mesh file.", |table, assets| {
        Some(Shape::ConvexHull { points: mesh(table, "convex_mesh", assets)?.positions })
    }),
    way(
        "height_field",
        Form::Table(&HEIGHT_FIELD),
        "Heights along y over x and z.",
        |table, assets| height_field(&table.table("height_field")?, assets),
    ),
    way(
        "compound",
        Form::List(&Form::Table(&PART)),
        "Several shapes as one body.",
        |table, assets| {
            let parts: Vec<Option<(DPose3, Shape)>> =
                table.tables("compound").iter().map(|part| part_of(part, assets)).collect();
            Some(Shape::Compound(parts.into_iter().collect::<Option<_>>()?))
        },
    ),
];

/// Radius and half height.
fn round(table: &Fields, key: &str) -> Option<[f64; 2]> {
    table.pair(key).map(|size| [size.x, 0.5 * size.y])
}

fn part_of(part: &Fields, assets: &dyn Assets) -> Option<(DPose3, Shape)> {
    let pose = place::pose(part, DPose3::IDENTITY);
    Some((pose, read(part, assets)?))
}

/// A mesh from a file, scaled.
fn mesh(table: &Fields, key: &str, assets: &dyn Assets) -> Option<MeshData> {
    let scale = scale(table)?;
    let mut data = MeshData::from(assets::mesh(&table.node(key)?, assets)?);
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
    Some(data)
}

/// `scale` of a mesh.
pub(crate) fn scale(table: &Fields) -> Option<DVec3> {
    match table.node("scale") {
        None => Some(DVec3::ONE),
        Some(node) if node.is_number() => node.number(Range::Positive).map(DVec3::splat),
        Some(node) => node.numbers(Range::Positive).map(DVec3::from_array),
    }
}

fn height_field(table: &Fields, assets: &dyn Assets) -> Option<Shape> {
    let size = table.pair("size");
    let kind = table.alternative()?;
    if table.has("height") && kind != "file" {
        let message = format!("\"height\" in {} is for images; remove it", table.label);
        table.complain("height", message);
    }
    let (rows, columns, heights) = table.way(&HEIGHTS)?(table, size, assets)?;
    if rows * columns > MOST_HEIGHTS {
        let message = format!(
            "{} has {rows} x {columns} heights; expected at most {MOST_HEIGHTS} in all",
            table.label
        );
        return table.refuse(kind, message);
    }
    Some(Shape::HeightField { heights, rows, columns, size: size? })
}

/// Rows, columns and heights.
type Heights = (usize, usize, Vec<f64>);

/// What reads heights over a size.
pub(crate) type ReadHeights = fn(&Fields, Option<DVec2>, &dyn Assets) -> Option<Heights>;

/// Where heights come from.
pub(crate) static HEIGHTS: [Way<ReadHeights>; 3] = [
    way("heights", Form::List(&Form::List(&NUMBER)), "Rows of heights, metres.", |table, _, _| {
        rows_of(table)
    }),
    way("waves", Form::Table(&WAVES), "Heights made from a wave.", |table, size, _| {
        waves(&table.table("waves")?, size?)
    }),
    way("file", Form::Text, "A grey image, relative to the scene file.", |table, _, assets| {
        let height = table.number("height").unwrap_or(1.0);
        let picture = assets::image(&table.node("file")?, assets)?;
        let heights = picture.texels.iter().map(|t| f64::from(t[0]) * height).collect();
        Some((picture.height, picture.width, heights))
    }),
];

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
