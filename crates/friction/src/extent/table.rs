//! Limit surfaces of isotropic friction as tables.

use std::f64::consts::{FRAC_2_PI, PI};

use glamx::DVec3;

use super::Pressure;
use super::angle::{first_quadrants, whole_turn};
use super::steady::{Lattice, corner_wrench, wrench};
use crate::FrictionError;

/// A pre-computed limit surface (section V-D, Eqs. 29 and 33–42), for isotropic friction.
///
/// Twists are sampled over half a sphere: θ is the direction of sliding, φ is 0 for pure spin and
/// π/2 for pure sliding. The other half is the opposite of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// N_ls: cells from φ = 0 to π/2.
    resolution: usize,
    /// θ by θ, with 4 N_ls + 1 by N_ls + 1 of them.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// The normalised wrench.
    h: DVec3,
    /// How far it stands out from the chord of its neighbours in φ.
    bend: DVec3,
}

/// Finest table.
pub const MAX_RESOLUTION: usize = 500;

impl Table {
    /// Samples a pressure distribution with N_ls cells from spin to sliding (the paper: 20).
    ///
    /// Rotations about a point of the grid are means over the corners of its cell (Eq. 21), and
    /// many nodes share corners: each corner is computed once.
    pub fn new(pressure: &Pressure, resolution: usize) -> Result<Table, FrictionError> {
        let resolution = check_resolution(resolution)?;
        let r = pressure.spin_radius();
        let lattice = Lattice::of(pressure);
        let mut corners: Vec<Option<DVec3>> = vec![None; lattice.corners()];
        let most = DVec3::new(1.0, 1.0, if r > 0.0 { r } else { 1.0 });
        let mut nodes = Vec::with_capacity((4 * resolution + 1) * (resolution + 1));
        for i in 0..=4 * resolution {
            for j in 0..=resolution {
                let twist = sampled_twist(i, j, resolution, r);
                let force = match lattice.around(twist) {
                    None => wrench(pressure, twist),
                    Some((first, part)) => Lattice::mean(first, part, |corner| {
                        *corners[lattice.number(corner)]
                            .get_or_insert_with(|| corner_wrench(pressure, &lattice, corner))
                    }),
                };
                nodes.push(force / most);
            }
        }
        Ok(Table::with_bends(resolution, &nodes))
    }

    /// A table from its nodes, θ by θ, 4 N_ls + 1 by N_ls + 1 of them.
    pub fn from_nodes(resolution: usize, nodes: &[DVec3]) -> Result<Table, FrictionError> {
        let resolution = check_resolution(resolution)?;
        let wanted = (4 * resolution + 1) * (resolution + 1);
        if nodes.len() != wanted || nodes.iter().any(|n| !n.is_finite()) {
            return Err(FrictionError::Shape(format!(
                "limit surface has {} nodes; expected {wanted}, all finite",
                nodes.len()
            )));
        }
        Ok(Table::with_bends(resolution, nodes))
    }

    fn with_bends(resolution: usize, nodes: &[DVec3]) -> Table {
        let stride = resolution + 1;
        // Past pure spin the sliding is the opposite one; past pure sliding the whole twist is.
        let across = |i: usize| (i + 2 * resolution) % (4 * resolution) * stride;
        let bend = |i: usize, j: usize| {
            let at = i * stride + j;
            let before = if j == 0 { nodes[across(i) + 1] } else { nodes[at - 1] };
            let after = if j == resolution { -nodes[across(i) + j - 1] } else { nodes[at + 1] };
            nodes[at] - 0.5 * (before + after)
        };
        let all = (0..=4 * resolution).flat_map(|i| (0..stride).map(move |j| (i, j)));
        let node = |(i, j)| Node { h: nodes[i * stride + j], bend: bend(i, j) };
        let nodes = all.map(node).collect();
        Table { resolution, nodes }
    }

    /// h(r, v) (Eqs. 35–42; Eq. 36 with its arguments the right way round): the wrench for a twist
    /// in units of the largest force and of the largest torque, which is r times the force.
    #[inline]
    pub fn lookup(&self, radius: f64, twist: DVec3) -> DVec3 {
        let (at, [da, db], sign) = self.place(radius, twist);
        let across = |at: usize| {
            let [low, high] = self.pair(at);
            low.h * (1.0 - db) + high.h * db
        };
        let (near, far) = (across(at), across(at + self.resolution + 1));
        (near * (1.0 - da) + far * da) * sign
    }

    /// The same nodes, with cubics from node to node in φ in place of chords: chords cut the corner
    /// of a curved surface, and what is missing is most of the error of a table. Ours, not the
    /// paper's.
    #[inline]
    pub fn rounded_lookup(&self, radius: f64, twist: DVec3) -> DVec3 {
        let (at, [da, db], sign) = self.place(radius, twist);
        let rest = 1.0 - db;
        let ([a, b], [c, d]) = (self.pair(at), self.pair(at + self.resolution + 1));
        let (near, far) = (sign * (1.0 - da), sign * da);
        let (p, q, s, t) = (rest * near, db * near, rest * far, db * far);
        // Catmull and Rom's cubic: the chord, and an arch of what its ends stand out.
        let arch = rest * db;
        let straight = (a.h * p + b.h * q) + (c.h * s + d.h * t);
        let bent = (a.bend * p + b.bend * q) + (c.bend * s + d.bend * t);
        straight + bent * arch
    }

    /// Number of the node before a twist in θ and in φ, how far from it, and the sign of the spin.
    #[inline(always)]
    fn place(&self, radius: f64, twist: DVec3) -> (usize, [f64; 2], f64) {
        let sign = if twist.z < 0.0 { -1.0 } else { 1.0 };
        let (x, y) = (sign * twist.x, sign * twist.y);
        let speed = (x * x + y * y).sqrt();
        let [quarter, phi] = first_quadrants([y.abs(), speed], [x.abs(), radius * twist.z.abs()]);
        let scale = self.resolution as f64 * FRAC_2_PI;
        let (a, b) = (whole_turn(quarter, y, x) * scale, phi * scale);
        let (i, j) = (before(a, 4 * self.resolution), before(b, self.resolution));
        (i * (self.resolution + 1) + j, [a - i as f64, b - j as f64], sign)
    }

    /// A node and the next in φ.
    #[inline(always)]
    fn pair(&self, at: usize) -> [Node; 2] {
        match self.nodes[at..] {
            [a, b, ..] => [a, b],
            // Not met: the last node of a row is never the first of a pair.
            _ => [self.nodes[at]; 2],
        }
    }

    /// Node (i_θ, i_φ); `None` outside of the table.
    pub fn node(&self, i: usize, j: usize) -> Option<DVec3> {
        let inside = i <= 4 * self.resolution && j <= self.resolution;
        inside.then(|| self.nodes[i * (self.resolution + 1) + j].h)
    }

    /// N_ls.
    pub fn resolution(&self) -> usize {
        self.resolution
    }
}

/// The whole number before `x`, from 0 to `cells` − 1. At a whole number it may be the one before: a
/// cell's end is the next one's beginning.
#[inline(always)]
fn before(x: f64, cells: usize) -> usize {
    // Adding 2⁵² leaves the nearest whole number in the low bits.
    let shifted = (x - 0.5).max(0.0) + 4_503_599_627_370_496.0;
    ((shifted.to_bits() & 0xffff_ffff) as usize).min(cells - 1)
}

/// The twist of a node (Eq. 33).
pub fn sampled_twist(i: usize, j: usize, resolution: usize, radius: f64) -> DVec3 {
    let step = PI / (2 * resolution) as f64;
    let ((st, ct), (sp, cp)) = ((i as f64 * step).sin_cos(), (j as f64 * step).sin_cos());
    DVec3::new(radius * ct * sp, radius * st * sp, cp)
}

pub(super) fn check_resolution(resolution: usize) -> Result<usize, FrictionError> {
    if (1..=MAX_RESOLUTION).contains(&resolution) {
        return Ok(resolution);
    }
    Err(FrictionError::Value {
        what: "resolution N_ls".to_owned(),
        value: resolution as f64,
        expected: "a whole number from 1 to 500",
    })
}
