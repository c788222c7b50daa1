//! Stacks, walls, pyramids and grids.

use glamx::{DQuat, DVec3};

use super::{Build, GAP, Kit, MOST, Site};
use crate::format::shape::SHAPE;
use crate::format::{
    FLAG, NON_NEGATIVE, NUMBER, SIZES, VECTOR, optional, required, table, way, whole,
};
use crate::reader::Fields;
use crate::shape;
use crate::spec::{Form, Spec, Way};

/// `stack` of a prefab.
pub(super) const STACK: Way<Build> =
    way("stack", Form::Table(&STACK_KEYS), "Boxes on top of each other.", stack);

static STACK_KEYS: Spec = table(
    "Stack",
    "boxes on top of each other",
    &[
        required("count", whole(1, MOST), "Number of boxes."),
        required("size", SIZES, "Full sizes of a box, metres."),
        optional("gap", NON_NEGATIVE, GAP),
        optional("turn", NUMBER, "Each box turned against the one below, degrees; default 0."),
        optional("shift", VECTOR, "Each box shifted against the one below, metres."),
    ],
);

/// Boxes on top of each other.
fn stack(table: &Fields, site: &Site) -> Option<Kit> {
    let (count, size) = (table.whole("count"), table.vector("size"));
    let gap = table.number("gap").unwrap_or(0.0);
    let turn = table.number("turn").unwrap_or(0.0).to_radians();
    let shift = table.vector("shift").unwrap_or(DVec3::ZERO);
    let (count, size) = (count?, size?);
    site.fits(count)?;
    let mut kit = Kit::default();
    for i in 0..count {
        let n = i as f64;
        let at = DVec3::new(0.0, 0.5 * size.y + n * (size.y + gap), 0.0) + n * shift;
        kit.add_box(i.to_string(), size, at, DQuat::from_rotation_y(n * turn));
    }
    Some(kit)
}

/// `wall` of a prefab.
pub(super) const WALL: Way<Build> =
    way("wall", Form::Table(&WALL_KEYS), "Bricks in running bond.", wall);

static WALL_KEYS: Spec = table(
    "Wall",
    "bricks in running bond",
    &[
        required("columns", whole(1, MOST), "Bricks in a row."),
        required("rows", whole(1, MOST), "Rows."),
        required("size", SIZES, "Full sizes of a brick, metres; the wall runs along x."),
        optional("gap", NON_NEGATIVE, GAP),
        optional("half_bricks", FLAG, "Half bricks close every other row; default true."),
    ],
);

/// Bricks in running bond, along x. Every other row is shifted by half a brick; half bricks close
/// it at both ends.
fn wall(table: &Fields, site: &Site) -> Option<Kit> {
    let (columns, rows, size) = (table.whole("columns"), table.whole("rows"), table.vector("size"));
    let gap = table.number("gap").unwrap_or(0.0);
    let half_bricks = table.flag("half_bricks").unwrap_or(true);
    let (columns, rows, size) = (columns?, rows?, size?);
    site.fits(columns * rows + if half_bricks { rows / 2 } else { 0 })?;
    let pitch = size.x + gap;
    let left = -0.5 * (columns as f64 * pitch - gap);
    let mut kit = Kit::default();
    for row in 0..rows {
        let y = (row as f64 + 0.5) * size.y + row as f64 * gap;
        let mut number = 0;
        let mut brick = |from: f64, to: f64| {
            let at = DVec3::new(0.5 * (from + to), y, 0.0);
            let size = DVec3::new(to - from, size.y, size.z);
            kit.add_box(format!("{row}.{number}"), size, at, DQuat::IDENTITY);
            number += 1;
        };
        if row % 2 == 0 {
            for column in 0..columns {
                let from = left + column as f64 * pitch;
                brick(from, from + size.x);
            }
        } else {
            // Half a brick is shorter than half by half a gap, so that the ends are flush.
            let half = 0.5 * (size.x - gap);
            if half_bricks && half > 0.0 {
                brick(left, left + half);
            }
            for column in 0..columns - 1 {
                let from = left + half + gap + column as f64 * pitch;
                brick(from, from + size.x);
            }
            if half_bricks && half > 0.0 {
                brick(-left - half, -left);
            }
        }
    }
    Some(kit)
}

/// `pyramid` of a prefab.
pub(super) const PYRAMID: Way<Build> =
    way("pyramid", Form::Table(&PYRAMID_KEYS), "Rows of boxes, each one shorter.", pyramid);

static PYRAMID_KEYS: Spec = table(
    "Pyramid",
    "rows of boxes, each one shorter",
    &[
        required("rows", whole(1, MOST), "Rows; also the boxes in the lowest."),
        required("size", SIZES, "Full sizes of a box, metres."),
        optional("gap", NON_NEGATIVE, "Gap between the boxes of a row, metres; default 0."),
    ],
);

/// Rows of boxes along x, each one box shorter than the one below.
fn pyramid(table: &Fields, site: &Site) -> Option<Kit> {
    let (rows, size) = (table.whole("rows"), table.vector("size"));
    let gap = table.number("gap").unwrap_or(0.0);
    let (rows, size) = (rows?, size?);
    site.fits(rows * (rows + 1) / 2)?;
    let mut kit = Kit::default();
    for row in 0..rows {
        let count = rows - row;
        for i in 0..count {
            let x = (i as f64 - 0.5 * (count - 1) as f64) * (size.x + gap);
            let at = DVec3::new(x, (row as f64 + 0.5) * size.y, 0.0);
            kit.add_box(format!("{row}.{i}"), size, at, DQuat::IDENTITY);
        }
    }
    Some(kit)
}

/// `grid` of a prefab.
pub(super) const GRID: Way<Build> =
    way("grid", Form::Table(&GRID_KEYS), "The same shape many times.", grid);

static GRID_KEYS: Spec = table(
    "Grid",
    "the same shape many times",
    &[
        required("counts", Form::Wholes(3, MOST), "Along x, y and z."),
        required("spacing", SIZES, "From one to the next, metres."),
        required("shape", Form::Table(&SHAPE), "The shape."),
    ],
);

/// The same shape many times; the origin is in the middle of the lowest layer.
fn grid(table: &Fields, site: &Site) -> Option<Kit> {
    let shape = shape::read(table, site.assets);
    let (counts, spacing) = (table.wholes::<3>("counts"), table.vector("spacing"));
    let ([nx, ny, nz], spacing, shape) = (counts?, spacing?, shape?);
    site.fits(nx * ny * nz)?;
    let middle = |n: usize| 0.5 * (n - 1) as f64;
    let mut kit = Kit::default();
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                let at = DVec3::new(i as f64 - middle(nx), j as f64, k as f64 - middle(nz));
                kit.add(format!("{i}.{j}.{k}"), shape.clone(), at * spacing, DQuat::IDENTITY);
            }
        }
    }
    Some(kit)
}
