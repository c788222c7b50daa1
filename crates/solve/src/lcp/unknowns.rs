//! The unknowns of the linear complementarity problem, and its matrix.

use asperity_friction::set::{Polygon, Set};

use super::LcpSolver;
use crate::problem::ContactProblem;
use crate::unit_balls::{Piece, Shape, UnitBalls};

/// One unknown of the linear complementarity problem.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unknown {
    /// An impulse: what it adds to two rows.
    Impulse([(usize, f64); 2], usize),
    /// λ of a piece.
    Power(usize),
}

impl LcpSolver {
    /// Lists the unknowns, and what they have without each other.
    pub(super) fn list_unknowns(&mut self, problem: &ContactProblem) {
        self.unknowns.clear();
        self.q.clear();
        let round = self.polygon.as_ref().map_or(&[][..], Polygon::corners);
        for (number, piece) in self.balls.pieces.iter().enumerate() {
            let first = piece.rows.start;
            let mut add = |x: f64, y: f64| {
                let last = piece.rows.end - 1;
                let impulse = Unknown::Impulse([(first, x), (last, y)], number);
                self.unknowns.push(impulse);
                self.q.push(x * self.balls.q[first] + y * self.balls.q[last]);
            };
            match piece.shape {
                Shape::Normal => add(1.0, 0.0),
                Shape::Free => {
                    add(1.0, 0.0);
                    add(-1.0, 0.0);
                }
                Shape::Ball if piece.rows.len() == 1 => {
                    add(1.0, 0.0);
                    add(-1.0, 0.0);
                }
                Shape::Ball => round.iter().for_each(|p| add(p.x, p.y)),
                Shape::Corners => piece.corners(problem).iter().for_each(|p| add(p.x, p.y)),
                Shape::Sides([a, _]) if piece.rows.len() == 1 => {
                    add(a.min(), 0.0);
                    add(a.max(), 0.0);
                }
                Shape::Sides([a, b]) => {
                    for (x, y) in [
                        (a.min(), b.min()),
                        (a.max(), b.min()),
                        (a.max(), b.max()),
                        (a.min(), b.max()),
                    ] {
                        add(x, y);
                    }
                }
            }
            if !matches!(piece.shape, Shape::Normal | Shape::Free) {
                self.unknowns.push(Unknown::Power(number));
                self.q.push(piece.constant.unwrap_or(0.0));
            }
        }
        self.z.clear();
        self.z.resize(self.unknowns.len(), 0.0);
    }

    /// How many unknowns a problem has, all sets being known.
    pub(super) fn size(&self, problem: &ContactProblem) -> usize {
        let of = |set: &Set| match set {
            Set::Free(dim) => 2 * dim,
            Set::Interval(_) => 3,
            Set::Box(_) => 5,
            Set::Polygon(s) => s.corners().len() + 1,
            _ => self.directions.max(3) + 1,
        };
        let friction: usize = problem.blocks.iter().map(|b| of(&b.law.set)).sum();
        problem.normals() + friction
    }
}

/// M between two unknowns.
pub(super) fn entry(balls: &UnitBalls, unknowns: &[Unknown], i: usize, j: usize) -> f64 {
    let n = balls.q.len();
    let share = |piece: &Piece, normal: usize| {
        if piece.normals.contains(&normal) { balls.share(piece, normal) } else { 0.0 }
    };
    match (unknowns[i], unknowns[j]) {
        (Unknown::Impulse(a, _), Unknown::Impulse(b, _)) => {
            let of = |(row, part): (usize, f64), (column, other): (usize, f64)| {
                if part == 0.0 || other == 0.0 {
                    0.0
                } else {
                    part * other * balls.w[row * n + column]
                }
            };
            of(a[0], b[0]) + of(a[0], b[1]) + of(a[1], b[0]) + of(a[1], b[1])
        }
        (Unknown::Impulse(_, piece), Unknown::Power(other)) => f64::from(piece == other),
        (Unknown::Power(piece), Unknown::Impulse(_, other)) if piece == other => -1.0,
        (Unknown::Power(piece), Unknown::Impulse(rows, other)) => {
            let normal = balls.pieces[other].shape == Shape::Normal;
            if normal { share(&balls.pieces[piece], rows[0].0) } else { 0.0 }
        }
        (Unknown::Power(_), Unknown::Power(_)) => 0.0,
    }
}
