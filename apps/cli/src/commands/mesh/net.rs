//! From a signed distance to triangles: surface nets, evened out and laid onto the surface.

use std::collections::{HashMap, HashSet};

use asperity::glamx::{DVec2, DVec3};
use fast_surface_nets::ndshape::{RuntimeShape, Shape};
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};

use crate::error::CliError;

/// A closed surface in triangles, metres.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Net {
    pub(crate) positions: Vec<DVec3>,
    /// The gradient of the distance, unit length.
    pub(crate) normals: Vec<DVec3>,
    /// Metres; empty before [`Net::with_box_uvs`].
    pub(crate) uvs: Vec<DVec2>,
    /// Counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// How often the net is evened out.
const ROUNDS: usize = 6;
/// Steps to the surface in each round.
const STEPS: usize = 4;
/// Steps to the surface at last.
const LAST_STEPS: usize = 30;
/// Half the step of a central difference, in cells.
const DIFFERENCE: f64 = 1e-4;

/// Grids that are tried, each a little beside the other.
const GRIDS: usize = 16;

/// The surface where `distance` is zero, within a box that holds it all, on cubes of side `cell`.
pub(crate) fn net(
    distance: impl Fn(DVec3) -> f64,
    bounds: [DVec3; 2],
    cell: f64,
) -> Result<Net, CliError> {
    // A net has one corner in a cell. Where two sheets pass through one they share it, and an edge
    // may have four triangles. Where that is so depends on where the grid lies.
    let raw = |k: usize| raw_net(&distance, bounds, cell, k as f64 / GRIDS as f64);
    let Some(mut net) = (0..GRIDS).map(raw).find(Net::is_closed) else {
        let message = format!("cells of {cell:.1e} m are too coarse; take more --cells");
        return Err(CliError::Input(message));
    };
    let gradient = |p: DVec3| {
        let h = DIFFERENCE * cell;
        DVec3::from_array(
            DVec3::AXES.map(|axis| (distance(p + axis * h) - distance(p - axis * h)) / (2.0 * h)),
        )
    };
    let onto = |mut p: DVec3, steps: usize| {
        for _ in 0..steps {
            let g = gradient(p);
            let step = g * (distance(p) / g.length_squared().max(0.25));
            p -= step.clamp_length_max(0.5 * cell);
        }
        p
    };
    for _ in 0..ROUNDS {
        let means = net.means();
        for (p, mean) in net.positions.iter_mut().zip(means) {
            *p = onto(mean, STEPS);
        }
    }
    for p in &mut net.positions {
        *p = onto(*p, LAST_STEPS);
        // What stands on the plane y = 0 does so to the last bit.
        if p.y.abs() < 1e-9 * cell {
            p.y = 0.0;
        }
    }
    net.normals = net.positions.iter().map(|p| gradient(*p).normalize_or(DVec3::Y)).collect();
    let off = net.positions.iter().map(|p| distance(*p).abs()).fold(0.0, f64::max);
    if !(off < 1e-3 * cell) {
        let message = format!(
            "the net does not reach the surface: {off:.1e} m off with cells of {cell:.1e} m; take more --cells"
        );
        return Err(CliError::Input(message));
    }
    Ok(net)
}

/// Surface nets on a grid that begins up to a cell farther out by `offset`.
fn raw_net(
    distance: impl Fn(DVec3) -> f64,
    [low, high]: [DVec3; 2],
    cell: f64,
    offset: f64,
) -> Net {
    // Air all around.
    let origin = low - DVec3::splat((2.5 + offset) * cell);
    let count = ((high - low) / cell).ceil() + DVec3::splat(7.0);
    let counts = count.to_array().map(|n| n as u32);
    let grid = RuntimeShape::<u32, 3>::new(counts);
    let place = |i: u32| origin + DVec3::from_array(grid.delinearize(i).map(f64::from)) * cell;
    let samples: Vec<f32> = (0..grid.size()).map(|i| (distance(place(i)) / cell) as f32).collect();
    let mut raw = SurfaceNetsBuffer::default();
    surface_nets(&samples, &grid, [0; 3], counts.map(|n| n - 1), &mut raw);
    let at = |p: &[f32; 3]| origin + DVec3::from_array(p.map(f64::from)) * cell;
    let (corners, _) = raw.indices.as_chunks::<3>();
    Net {
        positions: raw.positions.iter().map(at).collect(),
        triangles: corners.to_vec(),
        ..Net::default()
    }
}

impl Net {
    /// Whether every edge has two triangles, one in each sense. False for no triangles.
    pub(crate) fn is_closed(&self) -> bool {
        let mut edges = HashSet::new();
        let around = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let once = self.triangles.iter().flat_map(around).all(|edge| edges.insert(edge));
        once && !edges.is_empty() && edges.iter().all(|[a, b]| edges.contains(&[*b, *a]))
    }

    /// Half-way to the mean of the corners around each corner.
    fn means(&self) -> Vec<DVec3> {
        let mut sums = vec![(DVec3::ZERO, 0.0); self.positions.len()];
        for t in &self.triangles {
            for k in 0..3 {
                // Every edge belongs to two triangles, once in each sense.
                let (from, to) = (t[k] as usize, t[(k + 1) % 3] as usize);
                sums[from].0 += self.positions[to];
                sums[from].1 += 1.0;
            }
        }
        let mean = |(p, (sum, n)): (&DVec3, (DVec3, f64))| p.midpoint(sum / n.max(1.0));
        self.positions.iter().zip(sums).map(mean).collect()
    }

    /// Texture coordinates in metres: every triangle is seen along the axis that its normal is
    /// nearest to, u to the right and v up (from above and below: u along x). Corners where
    /// triangles of different axes meet are split.
    pub(crate) fn with_box_uvs(&self) -> Net {
        let mut split = Net::default();
        let mut known = HashMap::new();
        for corners in &self.triangles {
            let normal = self.area_vector(*corners);
            let axis = normal.abs().max_position();
            let outward = DVec3::AXES[axis] * normal[axis].signum();
            let u = if axis == 1 { DVec3::X } else { DVec3::Y.cross(outward) };
            let v = outward.cross(u);
            split.triangles.push(corners.map(|c| {
                *known.entry((c, axis, normal[axis] > 0.0)).or_insert_with(|| {
                    let p = self.positions[c as usize];
                    split.positions.push(p);
                    split.normals.push(self.normals[c as usize]);
                    split.uvs.push(DVec2::new(p.dot(u), p.dot(v)));
                    split.positions.len() as u32 - 1
                })
            }));
        }
        split
    }

    /// Twice the area of a triangle along its normal.
    fn area_vector(&self, corners: [u32; 3]) -> DVec3 {
        let [a, b, c] = corners.map(|c| self.positions[c as usize]);
        (b - a).cross(c - a)
    }

    /// The volume inside and its centre.
    pub(crate) fn volume(&self) -> (f64, DVec3) {
        let (mut volume, mut moment) = (0.0, DVec3::ZERO);
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|c| self.positions[c as usize]);
            let part = a.dot(b.cross(c)) / 6.0;
            volume += part;
            moment += (a + b + c) * (part / 4.0);
        }
        (volume, moment / volume)
    }
}
