//! A problem in units of its own: then numbers of all sizes are alike to a solver. Units are powers of two, so that
//! nothing is rounded.

use asperity_friction::LoadRule;
use asperity_friction::set::Set;
use glamx::{DMat3, DVec3};

use crate::block::FrictionBlock;
use crate::problem::{ContactProblem, InverseMass, Operator, RowEntry};

/// Units in which a problem is written, in those of another writing of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    mass: f64,
    length: f64,
    speed: f64,
}

impl Scale {
    /// Units in which its bodies and free velocities are about one; `None` where it has neither bodies nor rows
    /// that are coupled.
    pub fn of(problem: &ContactProblem) -> Option<Scale> {
        let Operator::Bodies(bodies) = &problem.operator else { return None };
        if bodies.inverse_masses.is_empty() && bodies.coupling.is_empty() {
            return None;
        }
        let (mut mass, mut length) = (Mean::default(), Mean::default());
        for inverse in &bodies.inverse_masses {
            match inverse {
                InverseMass::Body { mass: m, inertia } => {
                    mass.add(*m);
                    let spin = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
                    length.add(m / spin);
                }
                InverseMass::Point(m) => mass.add(*m),
            }
        }
        for coupled in bodies.coupling.parts().iter().flat_map(|parts| parts.3) {
            mass.add(1.0 / coupled);
        }
        // Wrenches go by a radius of their own, in metres.
        let wrenches = problem.blocks.iter().any(|b| matches!(b.law.set, Set::Wrench(_)));
        let length = if wrenches { 1.0 } else { power(length.value().div_euclid(2)) };
        let mut speed: f64 = 0.0;
        for (row, q) in problem.q.iter().enumerate() {
            let entries = &bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
            speed = speed.max(q.abs() * if turns(entries) { length } else { 1.0 });
        }
        let speed = if speed > 0.0 { power(exponent(speed)) } else { 1.0 };
        Some(Scale { mass: power(-mass.value()), length, speed })
    }

    /// Back from these units.
    #[must_use]
    pub fn inverse(&self) -> Scale {
        Scale { mass: 1.0 / self.mass, length: 1.0 / self.length, speed: 1.0 / self.speed }
    }
}

impl ContactProblem {
    /// Writes the problem, and impulses of its rows, in other units. Rows of rotations become those of points as
    /// far from the axis as the unit of length.
    pub fn rescale(&mut self, scale: &Scale, r: &mut [f64]) {
        let Scale { mass, length, speed } = *scale;
        let Operator::Bodies(bodies) = &mut self.operator else { return };
        for inverse in &mut bodies.inverse_masses {
            match inverse {
                InverseMass::Body { mass: m, inertia } => {
                    *m *= mass;
                    *inertia *= mass * length * length;
                }
                InverseMass::Point(m) => *m *= mass,
            }
        }
        bodies.coupling.rescale(mass);
        self.q.iter_mut().for_each(|q| *q /= speed);
        self.compliance.iter_mut().for_each(|c| *c *= mass);
        for r in &mut *r {
            *r /= mass * speed;
        }
        for row in 0..self.q.len() {
            let entries = &mut bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]];
            if !turns(entries) {
                for entry in entries {
                    entry.angular /= length;
                }
                continue;
            }
            self.q[row] *= length;
            r[row] /= length;
            if let Some(compliance) = self.compliance.get_mut(row) {
                *compliance *= length * length;
            }
        }
        for block in &mut self.blocks {
            block.rescale(scale, |row| {
                turns(&bodies.entries[bodies.row_start[row]..bodies.row_start[row + 1]])
            });
        }
    }
}

/// Whether rows are of a rotation: rows of no body are of coupled points.
fn turns(entries: &[RowEntry]) -> bool {
    !entries.is_empty() && entries.iter().all(|e| e.linear == DVec3::ZERO)
}

impl FrictionBlock {
    fn rescale(&mut self, scale: &Scale, turns: impl Fn(usize) -> bool) {
        let Scale { mass, length, speed } = *scale;
        if let Some(set) = self.law.set.in_torque_units(length) {
            self.law.set = set;
        }
        if let LoadRule::Constant(load) = &mut self.law.load {
            let arm =
                if self.normals.is_empty() && self.rows.clone().all(&turns) { length } else { 1.0 };
            *load /= mass * speed * arm;
        }
        if let Some(rheology) = &mut self.law.rheology {
            let out = DMat3::from_diagonal(DVec3::new(1.0, 1.0, length));
            let back = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.0 / length));
            rheology.bias = out * rheology.bias / speed;
            rheology.compliance = out * rheology.compliance * out * (1.0 / speed);
            rheology.drag = back * rheology.drag * back * speed;
        }
    }
}

/// A geometric mean, by exponents.
#[derive(Default)]
struct Mean {
    sum: i64,
    count: i64,
}

impl Mean {
    fn add(&mut self, x: f64) {
        if x.is_normal() {
            (self.sum, self.count) = (self.sum + exponent(x), self.count + 1);
        }
    }

    fn value(&self) -> i64 {
        if self.count > 0 { self.sum.div_euclid(self.count) } else { 0 }
    }
}

/// That of the largest power of two not above a normal number.
fn exponent(x: f64) -> i64 {
    (x.to_bits() >> 52 & 0x7ff).cast_signed() - 1023
}

fn power(exponent: i64) -> f64 {
    (exponent.clamp(-300, 300) as f64).exp2()
}
