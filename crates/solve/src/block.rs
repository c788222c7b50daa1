//! Friction blocks: rows that share one law, and what loads them.

use std::ops::Range;

use asperity_friction::set::{Kind, MAX_DIM, Set};
use asperity_friction::{Law, LoadRule, Rheology};
use glamx::DMat3;

use crate::ProblemError;
use crate::error::{all_finite, size};

/// Rows that share one law.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionBlock {
    /// The block's rows.
    pub rows: Range<usize>,
    /// Normal rows that load it; empty for joints, motors and wrenches. A wrench has its normal row
    /// within, and its load means nothing.
    pub normals: Range<usize>,
    /// Admissible impulses per unit load, the load, bias, compliance and drag.
    pub law: Law,
}

impl FrictionBlock {
    /// Rows with a law, loaded by these normal rows.
    pub fn new(rows: Range<usize>, normals: Range<usize>, law: impl Into<Law>) -> FrictionBlock {
        FrictionBlock { rows, normals, law: law.into() }
    }

    /// The friction of a point contact with one normal row.
    pub fn contact(normal: usize, rows: Range<usize>, law: impl Into<Law>) -> FrictionBlock {
        FrictionBlock::new(rows, normal..normal + 1, law)
    }

    /// Rows whose set has always the same size: motors, limits; a wrench, to which it means nothing.
    pub fn constant(rows: Range<usize>, load: f64, set: impl Into<Set>) -> FrictionBlock {
        let law = Law { load: LoadRule::Constant(load), ..Law::from(set) };
        FrictionBlock::new(rows, 0..0, law)
    }

    /// Rows that are held whatever it takes: joints.
    pub fn held(rows: Range<usize>) -> FrictionBlock {
        let dim = rows.len();
        FrictionBlock::constant(rows, 1.0, Set::Free(dim))
    }

    /// What scales the law, N s: the sum of its normal rows, or a constant. Normal rows that do not
    /// push leave nothing of either.
    #[inline]
    pub fn load(&self, r: &[f64]) -> f64 {
        let pressed = || r[self.normals.clone()].iter().sum::<f64>();
        match self.law.load {
            LoadRule::Normal => pressed().max(0.0),
            LoadRule::Constant(load) if self.normals.is_empty() || pressed() > 0.0 => load,
            LoadRule::Constant(_) => 0.0,
        }
    }

    /// Whether the block is solved by itself, with its load held, and carries nothing without one:
    /// laws with a rheology, and constant loads that an open contact takes away.
    #[inline]
    pub(crate) fn stands_alone(&self) -> bool {
        let gated = !self.normals.is_empty() && matches!(self.law.load, LoadRule::Constant(_));
        gated || self.law.rheology.is_some()
    }

    /// The normal row it is solved with, if no other block is.
    #[inline]
    pub(crate) fn own_normal(&self) -> Option<usize> {
        let one = self.normals.len() == 1 && !self.stands_alone();
        one.then_some(self.normals.start)
    }

    /// Checks the rows against the `n` of the problem; `number` is that of the block.
    pub(crate) fn validate_rows(&self, number: usize, n: usize) -> Result<(), ProblemError> {
        let field = || format!("blocks[{number}].rows");
        let (rows, set) = (&self.rows, &self.law.set);
        if rows.start > rows.end || rows.end > n {
            return Err(size(field(), format!("rows {rows:?}"), format!("rows within 0..{n}")));
        }
        if rows.len() != set.dim() || rows.len() > MAX_DIM {
            let expected = format!("{} for a set of shape {}", set.dim(), set.name());
            return Err(size(field(), format!("{} rows", rows.len()), expected));
        }
        Ok(())
    }

    /// Checks load and rheology; `is_normal` tells the normal rows.
    pub(crate) fn validate_law(
        &self,
        number: usize,
        is_normal: impl Fn(usize) -> bool,
    ) -> Result<(), ProblemError> {
        let field = format!("blocks[{number}].load");
        let (rows, set) = (&self.normals, &self.law.set);
        if set.kind() == Kind::LocalSolve && !rows.is_empty() {
            let expected = format!("none: a {} has its normal within", set.name());
            return Err(size(field, "normal rows", expected));
        }
        if let LoadRule::Constant(value) = self.law.load
            && !(value.is_finite() && value >= 0.0)
        {
            let expected = "a finite number, zero or more";
            return Err(ProblemError::Value { field, value, expected });
        }
        if rows.start > rows.end || !rows.clone().all(is_normal) {
            return Err(size(field, format!("rows {rows:?}"), "normal rows"));
        }
        match &self.law.rheology {
            Some(rheology) => self.validate_rheology(number, rheology),
            None => Ok(()),
        }
    }

    fn validate_rheology(&self, number: usize, rheology: &Rheology) -> Result<(), ProblemError> {
        let dim = self.rows.len();
        if !(2..=3).contains(&dim) || self.law.set.kind() == Kind::LocalSolve {
            let found = format!("{dim} rows of shape {} that give or drag", self.law.set.name());
            return Err(size(format!("blocks[{number}].rows"), found, "2 or 3: t, b and spin"));
        }
        all_finite(&format!("blocks[{number}].bias"), &rheology.bias.to_array())?;
        for (name, matrix) in [("compliance", &rheology.compliance), ("drag", &rheology.drag)] {
            let field = format!("blocks[{number}].{name}");
            all_finite(&field, &matrix.to_cols_array())?;
            if !is_semi_definite(matrix, dim) {
                let expected = "symmetric and positive semi-definite";
                return Err(size(field, format!("{matrix}"), expected));
            }
        }
        Ok(())
    }
}

/// Blocks of contacts whose rows are (normal, friction rows …) in turn.
pub(crate) fn point_contacts(sets: Vec<Set>) -> Vec<FrictionBlock> {
    let mut row = 0;
    let mut block = |set: Set| {
        let normal = row;
        row += 1 + set.dim();
        FrictionBlock::contact(normal, normal + 1..row, set)
    };
    sets.into_iter().map(&mut block).collect()
}

/// Whether the first `dim` rows and columns are symmetric and all principal minors are zero or more,
/// to rounding, whatever the units of the rows are.
fn is_semi_definite(m: &DMat3, dim: usize) -> bool {
    let at = |i: usize, j: usize| m.col(j)[i];
    let unit: [f64; 3] = std::array::from_fn(|i| if i < dim { at(i, i).sqrt() } else { 1.0 });
    let mut scaled = DMat3::IDENTITY;
    for i in 0..dim {
        for j in (0..dim).filter(|j| *j != i) {
            let size = unit[i] * unit[j];
            let (a, b) = (at(i, j), at(j, i));
            if !((a - b).abs() <= ROUNDING * size && a.abs() <= (1.0 + ROUNDING) * size) {
                return false;
            }
            scaled.col_mut(j)[i] = if size > 0.0 { a / size } else { 0.0 };
        }
    }
    unit.iter().all(|x| x.is_finite()) && scaled.determinant() >= -ROUNDING
}

/// Part of a number that elimination may have lost.
const ROUNDING: f64 = 1e-9;
