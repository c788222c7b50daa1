//! A problem as methods with a dense matrix like it: discs, ellipses and ellipsoids are unit balls, boxes lie along
//! their axes, impulses and velocities of every piece are about one.
//!
//! With r = T x, T made of the map E of each set ([`Set::ball_map`]) and of √ρ of each piece, velocities become
//! Tᵀu and W becomes TᵀWT. The law is the same law: power is r·u = x·Tᵀu, and a force of greatest dissipation
//! stays one.

use std::ops::Range;

use asperity_friction::LoadRule;
use asperity_friction::set::{Interval, Polygon, Set};
use glamx::{DMat3, DVec2, DVec3};

use crate::delassus::BodyBuffers;
use crate::dense::least_squares::dot;
use crate::problem::ContactProblem;
use crate::solution::Support;
use crate::solver::{Refusal, Solver, Untaken};
use crate::units::Units;

/// A problem whose round sets are unit balls. Owns its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnitBalls {
    /// W itself, row by row.
    given: Vec<f64>,
    /// TᵀWT, row by row.
    pub(crate) w: Vec<f64>,
    /// Tᵀq over its size.
    pub(crate) q: Vec<f64>,
    pub(crate) pieces: Vec<Piece>,
    /// √ρ of each row.
    scale: Vec<f64>,
    /// Size of Tᵀq: what x is measured in beside √ρ.
    size: f64,
}

/// Rows with one law.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) rows: Range<usize>,
    pub(crate) shape: Shape,
    /// Normal rows that load it.
    pub(crate) normals: Range<usize>,
    /// A load that does not change, in the units of x.
    pub(crate) constant: Option<f64>,
    /// T but for √ρ.
    map: DMat3,
    block: usize,
}

/// What a piece may carry, per unit load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// A normal row: zero or more.
    Normal,
    /// A row of a joint: whatever it takes.
    Free,
    /// The unit ball.
    Ball,
    /// Bounds for each row.
    Sides([Interval; 2]),
    /// The polygon of the block.
    Corners,
}

impl UnitBalls {
    /// Writes the problem anew; `buffers` and `units` are prepared and measured. Sets are such as
    /// [`shape_of`] knows.
    pub(crate) fn prepare(
        &mut self,
        problem: &ContactProblem,
        buffers: &BodyBuffers,
        units: &Units,
    ) {
        let n = problem.rows();
        buffers.write_matrix(problem, &mut self.given);
        self.w.clone_from(&self.given);
        self.q.clone_from(&problem.q);
        self.scale.clear();
        self.scale.resize(n, 0.0);
        self.pieces.clear();
        for unit in &units.list {
            for k in 0..unit.dim() {
                self.scale[unit.row(k)] = unit.rho.sqrt();
            }
            let piece = |rows, shape, map, block| Piece {
                rows,
                shape,
                normals: 0..0,
                constant: None,
                map,
                block,
            };
            if let Some(n) = unit.normal {
                self.pieces.push(piece(n..n + 1, Shape::Normal, DMat3::IDENTITY, 0));
            }
            let Some(number) = unit.block else { continue };
            let block = &problem.blocks[number];
            let Some((shape, map)) = shape_of(&block.law.set) else { continue };
            if shape == Shape::Free {
                let one = |i| piece(i..i + 1, shape, map, number);
                self.pieces.extend(block.rows.clone().map(one));
                continue;
            }
            let mut piece = piece(block.rows.clone(), shape, map, number);
            match block.law.load {
                LoadRule::Normal => piece.normals = block.normals.clone(),
                LoadRule::Constant(load) => piece.constant = Some(load),
            }
            self.pieces.push(piece);
        }
        self.transform();
    }

    fn transform(&mut self) {
        let n = self.q.len();
        for piece in &self.pieces {
            let at = self.scale[piece.rows.start];
            for row in self.w.chunks_exact_mut(n) {
                piece.pull_back(&mut row[piece.rows.clone()], at);
            }
            piece.pull_back(&mut self.q[piece.rows.clone()], at);
        }
        // The same from the left, column by column.
        for piece in &self.pieces {
            let at = self.scale[piece.rows.start];
            for j in 0..n {
                let mut column = [0.0; 3];
                let column = &mut column[..piece.rows.len()];
                for (c, i) in column.iter_mut().zip(piece.rows.clone()) {
                    *c = self.w[i * n + j];
                }
                piece.pull_back(column, at);
                for (c, i) in column.iter().zip(piece.rows.clone()) {
                    self.w[i * n + j] = *c;
                }
            }
        }
        let size = dot(&self.q, &self.q).sqrt();
        self.size = if size > 0.0 { size } else { 1.0 };
        self.q.iter_mut().for_each(|q| *q /= self.size);
        for piece in &mut self.pieces {
            let unit = self.scale[piece.rows.start] * self.size;
            let in_units = |load: f64| if unit > 0.0 { load / unit } else { 0.0 };
            piece.constant = piece.constant.map(in_units);
        }
    }

    /// Impulses of the problem itself, r = T x.
    pub(crate) fn impulses(&self, x: &[f64], r: &mut [f64]) {
        for piece in &self.pieces {
            let rows = piece.rows.clone();
            let f = piece.map * read(&x[rows.clone()]) * (self.size * self.scale[rows.start]);
            r[rows.clone()].copy_from_slice(&f.to_array()[..rows.len()]);
        }
    }

    /// x with T x = r, as near as sets without width allow.
    pub(crate) fn pull(&self, r: &[f64], x: &mut [f64]) {
        for piece in &self.pieces {
            let rows = piece.rows.clone();
            let unit = self.size * self.scale[rows.start];
            let f = read(&r[rows.clone()]) * if unit > 0.0 { 1.0 / unit } else { 0.0 };
            // T has orthogonal columns: E is a turn of a diagonal matrix.
            let back = [piece.map.x_axis, piece.map.y_axis, piece.map.z_axis].map(|column| {
                let square = column.length_squared();
                if square > 0.0 { column.dot(f) / square } else { 0.0 }
            });
            x[rows.clone()].copy_from_slice(&back[..rows.len()]);
        }
    }

    /// u of the problem itself.
    pub(crate) fn velocities(&self, problem: &ContactProblem, r: &[f64], u: &mut [f64]) {
        let n = r.len();
        for (i, u) in u.iter_mut().enumerate() {
            *u = problem.q[i] + dot(&self.given[i * n..(i + 1) * n], r);
        }
    }

    /// TᵀWT x + Tᵀq.
    pub(crate) fn scaled_velocities(&self, x: &[f64], u: &mut [f64]) {
        let n = x.len();
        for (i, u) in u.iter_mut().enumerate() {
            *u = self.q[i] + dot(&self.w[i * n..(i + 1) * n], x);
        }
    }

    /// What a normal row adds to the load of a piece.
    pub(crate) fn share(&self, piece: &Piece, normal: usize) -> f64 {
        let unit = self.scale[piece.rows.start];
        if unit > 0.0 { self.scale[normal] / unit } else { 0.0 }
    }

    /// Load of a piece.
    pub(crate) fn load(&self, piece: &Piece, x: &[f64]) -> f64 {
        let pressed = || piece.normals.clone().map(|i| self.share(piece, i) * x[i]).sum::<f64>();
        piece.constant.unwrap_or_else(|| pressed().max(0.0))
    }

    /// The natural map x − P(x − u) over max(‖x‖, ‖q‖, ‖u‖), with `round` in the place of unit discs.
    pub(crate) fn error(
        &self,
        problem: &ContactProblem,
        round: Option<&Polygon>,
        x: &[f64],
        u: &[f64],
    ) -> f64 {
        let mut sum = 0.0;
        for piece in &self.pieces {
            let rows = piece.rows.clone();
            let (at, slip) = (read(&x[rows.clone()]), read(&u[rows.clone()]));
            let load = self.load(piece, x);
            let to = piece.project(problem, round, at - slip, load);
            // What cannot move has no say.
            if self.scale[rows.start] > 0.0 {
                sum += (at - to).length_squared();
            }
        }
        let size = dot(x, x).max(dot(&self.q, &self.q)).max(dot(u, u)).sqrt();
        let value = if sum == 0.0 { 0.0 } else { sum.sqrt() / size };
        if value.is_nan() || size.is_infinite() { f64::INFINITY } else { value }
    }
}

impl Piece {
    /// v ← Tᵀv for the rows of the piece; `at` is √ρ.
    fn pull_back(&self, v: &mut [f64], at: f64) {
        let back = self.map.transpose() * read(v) * at;
        let dim = v.len();
        v.copy_from_slice(&back.to_array()[..dim]);
    }

    /// Corners of the block's polygon.
    pub(crate) fn corners<'a>(&self, problem: &'a ContactProblem) -> &'a [DVec2] {
        match &problem.blocks[self.block].law.set {
            Set::Polygon(polygon) => polygon.corners(),
            _ => &[],
        }
    }

    fn project(
        &self,
        problem: &ContactProblem,
        round: Option<&Polygon>,
        z: DVec3,
        load: f64,
    ) -> DVec3 {
        let plane = |polygon: &Polygon| polygon.project(DVec2::new(z.x, z.y), load).extend(0.0);
        match self.shape {
            Shape::Normal => DVec3::new(z.x.max(0.0), 0.0, 0.0),
            Shape::Free => z,
            Shape::Ball if self.rows.len() == 2 && round.is_some() => round.map_or(z, plane),
            Shape::Ball => {
                let length = z.length();
                if length > load { z * (load / length) } else { z }
            }
            Shape::Sides([a, b]) => DVec3::new(
                a.project(z.x, load),
                if self.rows.len() == 2 { b.project(z.y, load) } else { 0.0 },
                0.0,
            ),
            Shape::Corners => match &problem.blocks[self.block].law.set {
                Set::Polygon(polygon) => plane(polygon),
                _ => z,
            },
        }
    }
}

/// What a set is in such a problem, and its map; `None` for sets that have no place in it.
pub(crate) fn shape_of(set: &Set) -> Option<(Shape, DMat3)> {
    if let Some(map) = set.ball_map() {
        return Some((Shape::Ball, map));
    }
    match set {
        Set::Free(_) => Some((Shape::Free, DMat3::IDENTITY)),
        Set::Interval(s) => Some((Shape::Sides([*s, *s]), DMat3::IDENTITY)),
        Set::Box(s) => {
            let axis = s.rotation().axis();
            let turn = DMat3::from_cols(axis.extend(0.0), axis.perp().extend(0.0), DVec3::Z);
            Some((Shape::Sides([s.first(), s.second()]), turn))
        }
        Set::Polygon(_) => Some((Shape::Corners, DMat3::IDENTITY)),
        _ => None,
    }
}

/// Up to three rows as a vector.
pub(crate) fn read(v: &[f64]) -> DVec3 {
    let at = |k: usize| v.get(k).copied().unwrap_or(0.0);
    DVec3::new(at(0), at(1), at(2))
}

/// Why a solver over such a problem does not take one: its size, or a law that it does not support.
pub(crate) fn refuses(
    solver: &dyn Solver,
    problem: &ContactProblem,
    most_rows: usize,
) -> Option<Refusal> {
    let refuse = |what| Some(Refusal { solver: solver.name(), what, instead: INSTEAD });
    if problem.rows() > most_rows {
        return refuse(Untaken::Size("so many rows"));
    }
    for (block, b) in problem.blocks.iter().enumerate() {
        let shape = b.law.set.name();
        if b.law.rheology.is_some() {
            return refuse(Untaken::Rheology(block));
        }
        if solver.supports(&b.law) == Support::Unsupported {
            return refuse(Untaken::Set { block, shape });
        }
        if b.stands_alone() {
            return refuse(Untaken::Load { block, shape });
        }
    }
    None
}

const INSTEAD: &str = "\"prox\" takes every problem, and \"auto\" chooses";
