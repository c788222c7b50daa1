//! Rows over degree-of-freedom blocks, appended to a contact problem and to its warm start.

use asperity_friction::{Law, LoadRule};
use glamx::DVec3;

use crate::{Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Operator, RowEntry};

/// Appends rows to a contact problem, and to the impulses that its solve begins with. Owns neither.
#[derive(Debug)]
pub struct RowAssembler<'a> {
    bodies: &'a mut Bodies,
    q: &'a mut Vec<f64>,
    compliance: &'a mut Vec<f64>,
    blocks: &'a mut Vec<FrictionBlock>,
    start: &'a mut Vec<f64>,
}

/// How a row's impulse acts on one degree-of-freedom block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lever {
    /// Which block.
    pub block: usize,
    /// Part of the impulse that acts on it; −1 for A of a contact, 1 for B.
    pub weight: f64,
    /// From its centre to where the impulse acts, metres; zero for a point.
    pub arm: DVec3,
}

/// What a row has beside what it acts on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Row {
    /// Velocity without any impulse, m/s.
    pub q: f64,
    /// Impulse that a solve begins with, N s.
    pub start: f64,
    /// Added to the diagonal of W.
    pub compliance: f64,
}

impl Lever {
    /// The entry of a row along an axis.
    #[inline]
    pub fn along(&self, axis: DVec3) -> RowEntry {
        let linear = axis * self.weight;
        RowEntry { dof_block: self.block, linear, angular: self.arm.cross(linear) }
    }

    /// The entry of a row about an axis.
    #[inline]
    pub fn about(&self, axis: DVec3) -> RowEntry {
        RowEntry { dof_block: self.block, linear: DVec3::ZERO, angular: axis * self.weight }
    }
}

impl<'a> RowAssembler<'a> {
    /// For a problem over blocks; one with another operator begins anew.
    pub fn new(problem: &'a mut ContactProblem, start: &'a mut Vec<f64>) -> RowAssembler<'a> {
        if !matches!(problem.operator, Operator::Bodies(_)) {
            *problem = ContactProblem::over_blocks(std::mem::take(&mut problem.name));
            start.clear();
        }
        let ContactProblem { operator, q, compliance, blocks, .. } = problem;
        let Operator::Bodies(bodies) = operator else { unreachable!("set above") };
        RowAssembler { bodies, q, compliance, blocks, start }
    }

    /// Forgets all rows and blocks, and takes these masses.
    pub fn clear(&mut self, masses: impl IntoIterator<Item = InverseMass>) {
        self.bodies.row_start.clear();
        self.bodies.entries.clear();
        self.bodies.inverse_masses.clear();
        self.bodies.inverse_masses.extend(masses);
        self.bodies.coupling = Coupling::default();
        self.q.clear();
        self.compliance.clear();
        self.blocks.clear();
        self.start.clear();
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.q.len()
    }

    /// Appends a row with these entries.
    #[inline]
    pub fn push(&mut self, entries: impl IntoIterator<Item = RowEntry>, row: Row) {
        self.bodies.push_row(entries);
        self.q.push(row.q);
        self.compliance.push(row.compliance);
        self.start.push(row.start);
    }

    /// Appends a friction block over rows that are there.
    #[inline]
    pub fn push_block(&mut self, block: FrictionBlock) {
        self.blocks.push(block);
    }

    /// Says what rows do to each other beside through the blocks.
    pub fn couple(&mut self, coupling: Coupling) {
        self.bodies.coupling = coupling;
    }

    /// Changes q of the last row.
    pub fn set_q(&mut self, q: f64) {
        if let Some(last) = self.q.last_mut() {
            *last = q;
        }
    }

    /// The entries of the last row.
    pub fn last_entries(&mut self) -> &mut [RowEntry] {
        let first = self.bodies.row_start.iter().rev().nth(1).copied().unwrap_or(0);
        &mut self.bodies.entries[first..]
    }

    /// Takes off the rows from `rows` on with their friction blocks, and the coupling.
    pub fn cut(&mut self, rows: usize) {
        self.bodies.row_start.truncate(rows + 1);
        self.bodies.entries.truncate(self.bodies.row_start.last().copied().unwrap_or(0));
        self.bodies.coupling = Coupling::default();
        self.blocks.retain(|block| block.rows.start < rows);
        for list in [&mut *self.q, &mut *self.compliance, &mut *self.start] {
            list.truncate(rows);
        }
    }
}

impl ContactProblem {
    /// A problem over degree-of-freedom blocks, without any rows yet.
    pub fn over_blocks(name: impl Into<String>) -> ContactProblem {
        ContactProblem {
            name: name.into(),
            operator: Operator::Bodies(Bodies::default()),
            q: Vec::new(),
            compliance: Vec::new(),
            blocks: Vec::new(),
        }
    }
}

/// A law of forces as one of impulses over a step of `dt` seconds.
#[inline]
pub fn over_step(law: &Law, dt: f64) -> Law {
    let mut law = law.clone();
    if let LoadRule::Constant(load) = &mut law.load {
        *load *= dt;
    }
    law
}
