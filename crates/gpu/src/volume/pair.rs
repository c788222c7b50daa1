//! Two meshes beside each other: the rays through the region that both may share, and what the sums
//! over them mean.

use glamx::{DMat3, DVec3};

use super::tree::{GRID, Point, Tree, point, row};
use super::{RayMoments, RayPair, Row};

/// Rows of a pair.
pub(super) const ROWS: usize = 13;
/// Sums over the rays of a pair.
pub(super) const SUMS: usize = 16;

/// Whole numbers across which the edges of triangles are compared: products of two differences fit
/// into 63 bits.
const FINE: f64 = (1 << 29) as f64;
/// Room around boxes, in parts of a mesh's reach: more than the rounding of single precision.
const ROOM: f64 = 2e-6;
/// How much further than the region hits are looked for, in parts of half its longest side, and
/// again as much as boxes have room: rounding must not lose a surface at its end.
const SLACK: f64 = 1e-4;
/// How far a mesh may reach, in parts of half the region's longest side.
const FURTHEST: f64 = 1e12;

/// The rays of a pair. They have the axes of A.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// Middle of the region that both may share.
    origin: DVec3,
    /// Half its longest side: the unit of the kernel.
    scale: f64,
    /// Distance of rays, metres.
    cell: f64,
    /// How many stand side by side along each axis.
    counts: [u32; 3],
    half: DVec3,
    sides: [Side; 2],
}

/// From the grid of a mesh to the rays.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// The region's middle on the grid.
    middle: Point,
    map: DMat3,
    shift: DVec3,
    /// Length of a unit of the grid.
    unit: f64,
    /// How far from the middle of the region the mesh may reach, at least 2.
    reach: f64,
}

impl Placed {
    /// None where the boxes of the meshes share nothing.
    pub(super) fn new(pair: &RayPair, a: &Tree, b: &Tree) -> Option<Placed> {
        let turn = DMat3::from_quat(pair.b_in_a.rotation);
        let spread = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let middle = turn * (0.5 * (b.low + b.high)) + pair.b_in_a.translation;
        let half = spread * (0.5 * (b.high - b.low));
        let low = a.low.max(middle - half);
        let high = a.high.min(middle + half);
        let size = high - low;
        if !(size.min_element() > 0.0 && size.is_finite()) {
            return None;
        }
        let origin = 0.5 * (low + high);
        let scale = 0.5 * size.max_element();
        let cell = 2.0 * scale / pair.rays as f64;
        // A quotient that is a whole number but for rounding is that number.
        let counts = (size / cell - 1e-6).ceil().max(DVec3::ONE).to_array().map(|n| n as u32);
        let there = turn.transpose() * (origin - pair.b_in_a.translation);
        let sides =
            [Side::new(a, DMat3::IDENTITY, origin, scale)?, Side::new(b, turn, there, scale)?];
        Some(Placed { origin, scale, cell, counts, half: 0.5 * size, sides })
    }

    pub(super) fn rays(&self) -> u32 {
        let [x, y, z] = self.counts;
        x * y + y * z + z * x
    }

    /// As the kernel reads it. `first` is the pair's first workgroup, `meshes` are the first rows
    /// and the nodes of A and B.
    pub(super) fn write(&self, first: u32, meshes: [(u32, u32); 2], out: &mut Vec<Row>) {
        let bits = |x: f64| (x as f32).to_bits();
        let [(at_a, nodes_a), (at_b, nodes_b)] = meshes;
        out.push([first, self.rays(), at_a, 0]);
        out.push([nodes_a, at_b, nodes_b, 0]);
        for side in &self.sides {
            out.push(row(side.middle, bits(ROOM * side.reach / side.unit + 4.0)));
        }
        for side in &self.sides {
            for k in 0..3 {
                let [x, y, z] = side.map.row(k).to_array().map(bits);
                out.push([x, y, z, bits(side.shift[k])]);
            }
        }
        let [x, y, z] = self.counts;
        out.push([x, y, z, bits(self.cell / self.scale)]);
        let [a, b] = self.sides;
        out.push([bits(FINE / a.reach), bits(FINE / b.reach), bits(a.unit), bits(b.unit)]);
        let slack = SLACK + ROOM * a.reach.max(b.reach);
        let [x, y, z] = (self.half / self.scale + slack).to_array().map(bits);
        out.push([x, y, z, 0]);
    }

    /// The moments from the sums. None where no ray found anything.
    pub(super) fn moments(&self, sums: &[f32]) -> Option<RayMoments> {
        let s: [f64; SUMS] = std::array::from_fn(|k| f64::from(sums[k]));
        let (area, scale) = (self.cell * self.cell, self.scale);
        // A third each: three directions.
        let third = area * scale / 3.0;
        let volume = s[0] * third;
        if !(volume > 0.0 && s.iter().all(|x| x.is_finite())) {
            return None;
        }
        let mean = DVec3::new(s[1], s[2], s[3]) / s[0];
        let [xx, yy, zz, xy, yz, zx] = [s[4], s[5], s[6], s[7], s[8], s[9]];
        let second = DMat3::from_cols_array(&[xx, xy, zx, xy, yy, yz, zx, yz, zz]);
        let about = DMat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z) * s[0];
        let gradient = DVec3::new(s[10], s[11], s[12]);
        let torque = DVec3::new(s[13], s[14], s[15]) - mean.cross(gradient);
        Some(RayMoments {
            volume,
            centroid: self.origin + scale * mean,
            second_moment: (second - about) * (third * scale * scale),
            gradient_linear: gradient * area,
            gradient_angular: torque * (area * scale),
        })
    }
}

impl Side {
    /// `turn` is from the mesh's axes to A's, `at` the region's middle in the mesh's axes. None
    /// where the region is so small beside the mesh that not even double precision finds it.
    fn new(tree: &Tree, turn: DMat3, at: DVec3, scale: f64) -> Option<Side> {
        let exact = (at - tree.middle) / tree.unit;
        let middle = exact.round();
        if !(middle.abs().max_element() <= 4.0 * GRID) {
            return None;
        }
        let unit = tree.unit / scale;
        let reach = unit * (middle.length() + 3.0_f64.sqrt() * GRID);
        if !(reach <= FURTHEST) {
            return None;
        }
        Some(Side {
            middle: point(middle),
            map: turn * unit,
            shift: turn * (middle - exact) * unit,
            unit,
            reach: reach.max(2.0),
        })
    }
}
