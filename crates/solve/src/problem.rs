//! The contact problem: what a solver sees.

use asperity_friction::set::Set;
use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::block::{FrictionBlock, point_contacts};
use crate::coupling::Coupling;
use crate::error::{LARGEST, all_finite, size};
use crate::factored::Factored;
use crate::json::rows;
use crate::{ProblemError, SparseMatrix};

/// Find impulses r and relative velocities u with
///
/// - u = (W + C) r + q, C the compliance;
/// - for each normal row: 0 ≤ r_n ⊥ u_n ≥ 0;
/// - for each friction block with set S and load N: r_f in N·S, and u_f the slip that this force
///   opposes (−u_f normal to N·S at r_f; for tensors r_f = −T(y), y = N û_f or u_f = 0, ‖y‖ ≤ N);
/// - where the block's law has a rheology with bias b, compliance C and drag D: the same of
///   f = r_f + N D u_f and ξ = u_f + (C/N) f + b in place of r_f and u_f;
/// - for each wrench block, whose normal row is its first: what Bouchard's Algorithm 1 says.
///
/// A row that belongs to no friction block is a normal row.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactProblem {
    /// For reports.
    pub name: String,
    /// Where W comes from.
    pub operator: Operator,
    /// Relative velocity of each row without any impulse, m/s.
    pub q: Vec<f64>,
    /// Compliance of each row, added to the diagonal of W: springs and dampers treated
    /// implicitly. Empty where nothing gives.
    pub compliance: Vec<f64>,
    /// Friction blocks; their rows do not overlap.
    pub blocks: Vec<FrictionBlock>,
}

/// Where W comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// W itself.
    Explicit(SparseMatrix),
    /// W = J M⁻¹ Jᵀ + G with block-diagonal mass; G is the coupling, where there is one.
    Bodies(Bodies),
    /// W = Hᵀ M⁻¹ H with a sparse, factored mass.
    Factored(Box<Factored>),
}

/// Rows over degree-of-freedom blocks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// Inverse mass of each degree-of-freedom block.
    pub inverse_masses: Vec<InverseMass>,
    /// Row i has the entries `row_start[i]..row_start[i + 1]`.
    pub row_start: Vec<usize>,
    /// What each row touches.
    pub entries: Vec<RowEntry>,
    /// What rows do to each other beside through these blocks.
    pub coupling: Coupling,
}

/// The inverse mass of one degree-of-freedom block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum InverseMass {
    /// Six degrees of freedom: 1/kg and the inverse inertia in world axes.
    Body {
        /// 1/kg.
        mass: f64,
        /// 1/(kg m²), world axes.
        #[serde(with = "rows")]
        inertia: DMat3,
    },
    /// Three degrees of freedom: 1/kg.
    Point(f64),
}

/// One row's Jacobian with respect to one degree-of-freedom block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowEntry {
    /// Which block.
    pub dof_block: usize,
    /// Direction of the impulse on it.
    pub linear: DVec3,
    /// Torque arm × direction; zero for a point.
    #[serde(default)]
    pub angular: DVec3,
}

impl InverseMass {
    /// M⁻¹ applied to a row's Jacobian.
    #[inline]
    pub fn apply(&self, linear: DVec3, angular: DVec3) -> (DVec3, DVec3) {
        match self {
            InverseMass::Body { mass, inertia } => (linear * *mass, *inertia * angular),
            InverseMass::Point(mass) => (linear * *mass, DVec3::ZERO),
        }
    }
}

impl Bodies {
    /// Appends a row.
    #[inline(always)]
    pub fn push_row(&mut self, entries: impl IntoIterator<Item = RowEntry>) {
        for entry in entries {
            self.entries.push(entry);
        }
        self.end_row();
    }

    /// Ends a row whose entries were pushed.
    #[inline]
    pub fn end_row(&mut self) {
        if self.row_start.is_empty() {
            self.row_start.push(0);
        }
        self.row_start.push(self.entries.len());
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_start.len().saturating_sub(1)
    }
}

impl ContactProblem {
    /// One contact per set, rows (normal, friction rows …) in turn, W given.
    pub fn explicit(
        name: impl Into<String>,
        w: SparseMatrix,
        q: Vec<f64>,
        sets: Vec<Set>,
    ) -> Result<ContactProblem, ProblemError> {
        let blocks = point_contacts(sets);
        let problem = ContactProblem {
            name: name.into(),
            operator: Operator::Explicit(w),
            q,
            compliance: Vec::new(),
            blocks,
        };
        problem.validate()?;
        Ok(problem)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.q.len()
    }

    /// Number of normal rows: rows in no friction block.
    pub fn normals(&self) -> usize {
        self.rows() - self.blocks.iter().map(|b| b.rows.len()).sum::<usize>()
    }

    /// Compliance of one row.
    #[inline]
    pub(crate) fn give(&self, row: usize) -> f64 {
        self.compliance.get(row).copied().unwrap_or(0.0)
    }

    /// u = (W + C) r + q.
    pub fn velocities(&self, r: &[f64], u: &mut [f64]) {
        for (i, ui) in u.iter_mut().enumerate() {
            *ui = self.q[i] + self.give(i) * r[i];
        }
        match &self.operator {
            Operator::Explicit(w) => add_product(w, r, u),
            Operator::Factored(f) => add_product(f.delassus(), r, u),
            Operator::Bodies(bodies) => {
                let mut dv = vec![(DVec3::ZERO, DVec3::ZERO); bodies.inverse_masses.len()];
                for i in 0..bodies.rows() {
                    for e in &bodies.entries[bodies.row_start[i]..bodies.row_start[i + 1]] {
                        let (l, a) = bodies.inverse_masses[e.dof_block].apply(e.linear, e.angular);
                        dv[e.dof_block].0 += l * r[i];
                        dv[e.dof_block].1 += a * r[i];
                    }
                }
                for i in 0..bodies.rows() {
                    for e in &bodies.entries[bodies.row_start[i]..bodies.row_start[i + 1]] {
                        let (l, a) = dv[e.dof_block];
                        u[i] += e.linear.dot(l) + e.angular.dot(a);
                    }
                }
                bodies.coupling.add_product(r, u);
            }
        }
    }

    /// Checks sizes, ranges and numbers. Solvers rely on it: nothing they do afterwards panics.
    pub fn validate(&self) -> Result<(), ProblemError> {
        let n = self.q.len();
        all_finite("q", &self.q)?;
        let (rows, columns) = match &self.operator {
            Operator::Explicit(w) => (w.rows(), w.columns()),
            Operator::Factored(f) => (f.delassus().rows(), f.delassus().columns()),
            Operator::Bodies(bodies) => {
                validate_bodies(bodies)?;
                bodies.coupling.validate(bodies.rows())?;
                (bodies.rows(), bodies.rows())
            }
        };
        if rows != columns {
            return Err(size("W", format!("{rows} x {columns}"), "a square matrix"));
        }
        if rows != n {
            return Err(size(
                "q",
                format!("{n} numbers"),
                format!("{rows}, one for each row of W"),
            ));
        }
        if !self.compliance.is_empty() && self.compliance.len() != n {
            let found = format!("{} numbers", self.compliance.len());
            return Err(size("compliance", found, format!("none or {n}, one for each row")));
        }
        if let Some(i) = self.compliance.iter().position(|c| !(0.0..=LARGEST).contains(c)) {
            return Err(ProblemError::Value {
                field: format!("compliance[{i}]"),
                value: self.compliance[i],
                expected: "a finite number, zero or more and at most 1e100",
            });
        }
        let mut owned = vec![false; n];
        for (k, block) in self.blocks.iter().enumerate() {
            block.validate_rows(k, n)?;
            for i in block.rows.clone() {
                if std::mem::replace(&mut owned[i], true) {
                    let field = format!("blocks[{k}].rows");
                    return Err(size(field, format!("row {i} again"), "rows of one block only"));
                }
            }
        }
        let is_normal = |row: usize| owned.get(row) == Some(&false);
        for (k, block) in self.blocks.iter().enumerate() {
            block.validate_law(k, is_normal)?;
        }
        Ok(())
    }
}

fn add_product(w: &SparseMatrix, r: &[f64], u: &mut [f64]) {
    for (i, ui) in u.iter_mut().enumerate() {
        *ui += w.row_dot(i, r);
    }
}

fn validate_bodies(bodies: &Bodies) -> Result<(), ProblemError> {
    let entries = bodies.entries.len();
    let ordered = bodies.row_start.windows(2).all(|w| w[0] <= w[1]);
    let last = bodies.row_start.last().copied().unwrap_or(0);
    if !ordered || last != entries || bodies.row_start.first().is_some_and(|s| *s != 0) {
        return Err(size(
            "row_start",
            "offsets out of order",
            "growing offsets from 0 to the number of entries",
        ));
    }
    for (k, e) in bodies.entries.iter().enumerate() {
        if e.dof_block >= bodies.inverse_masses.len() {
            return Err(size(
                format!("entries[{k}].dof_block"),
                e.dof_block.to_string(),
                format!("below {}", bodies.inverse_masses.len()),
            ));
        }
        all_finite(&format!("entries[{k}]"), &e.linear.to_array())?;
        all_finite(&format!("entries[{k}]"), &e.angular.to_array())?;
    }
    for (k, m) in bodies.inverse_masses.iter().enumerate() {
        let (mass, inertia) = match m {
            InverseMass::Body { mass, inertia } => (*mass, *inertia),
            InverseMass::Point(mass) => (*mass, DMat3::ZERO),
        };
        all_finite(&format!("inverse_masses[{k}].inertia"), &inertia.to_cols_array())?;
        if !(0.0..=LARGEST).contains(&mass) {
            return Err(ProblemError::Value {
                field: format!("inverse_masses[{k}].mass"),
                value: mass,
                expected: "a finite number, zero or more and at most 1e100",
            });
        }
    }
    Ok(())
}
