//! Laws that give and drag: bias b, compliance C and drag D of a block whose load N is held.
//!
//! The rows carry r = f − N D u in all, with f in N·S and −ξ normal to it, ξ = u + (C/N) f + b. With
//! the block's own u = W r + q this is u = A (W f + q), A = (I + N W D)⁻¹. So f solves the problem of
//! a block without any of it, whose W is A W + C/N and whose q is A q + b.

use asperity_friction::{Rheology, set::Set};
use glamx::{DMat3, DVec3};

use crate::local::{self, Local};
use crate::units::invert;

/// A rheology at a load, for two or three rows; what belongs to a third row is zero without one.
pub(crate) struct Loaded {
    /// b.
    bias: DVec3,
    /// C/N.
    give: DMat3,
    /// N D.
    drag: DMat3,
}

impl Loaded {
    /// For a block of `dim` rows and a load above zero.
    pub(crate) fn new(rheology: &Rheology, dim: usize, load: f64) -> Loaded {
        if dim >= 3 {
            let Rheology { bias, compliance, drag } = *rheology;
            return Loaded { bias, give: compliance * (1.0 / load), drag: drag * load };
        }
        let kept = DVec3::new(1.0, 1.0, 0.0);
        let cut = |m: DMat3| {
            let m = DMat3::from_cols(m.x_axis * kept, m.y_axis * kept, m.z_axis * kept);
            m * DMat3::from_diagonal(kept)
        };
        Loaded {
            bias: rheology.bias * kept,
            give: cut(rheology.compliance) * (1.0 / load),
            drag: cut(rheology.drag) * load,
        }
    }

    /// f and ξ for the impulses and velocities of the block's rows.
    pub(crate) fn inside(&self, r: &[f64], u: &[f64]) -> (DVec3, DVec3) {
        let u = read(u);
        let f = read(r) + self.drag * u;
        (f, u + self.give * f + self.bias)
    }

    /// 1/(1/ρ + c/N), c the largest number on the diagonal of C, with rows in units of `scale`.
    pub(crate) fn rho(&self, rho: f64, scale: &[f64]) -> f64 {
        let give = |(j, s): (usize, &f64)| self.give.col(j)[j] * s * s;
        let give = scale.iter().enumerate().map(give).fold(0.0, f64::max);
        let sum = give + if rho > 0.0 { 1.0 / rho } else { 0.0 };
        if sum > 0.0 { 1.0 / sum } else { 0.0 }
    }

    /// What ξ gives along a direction per unit of f along it: C/N.
    pub(crate) fn give_along(&self, direction: DVec3) -> f64 {
        direction.dot(self.give * direction)
    }

    /// What r loses along a direction per unit of u along it: N D.
    pub(crate) fn drag_along(&self, direction: DVec3) -> f64 {
        direction.dot(self.drag * direction)
    }
}

/// Solves a block with its load held. `r` holds the last impulses and receives the new ones.
pub(crate) fn solve(local: &Local, set: &Set, rheology: &Rheology, r: &mut [f64]) {
    let dim = r.len();
    let law = Loaded::new(rheology, dim, local.load);
    let mut w = DMat3::ZERO;
    for i in 0..dim {
        for j in 0..dim {
            w.col_mut(j)[i] = local.w[i * dim + j];
        }
    }
    let q = read(local.q);
    // What only gives needs no A.
    let a = (law.drag != DMat3::ZERO).then(|| (DMat3::IDENTITY + w * law.drag).inverse());
    let (folded_w, folded_q) = a.map_or((w, q), |a| (a * w, a * q));
    let (folded_w, folded_q) = (folded_w + law.give, folded_q + law.bias);
    let (mut block, mut inverse) = ([0.0; 9], [0.0; 9]);
    for i in 0..dim {
        for j in 0..dim {
            block[i * dim + j] = folded_w.col(j)[i];
        }
    }
    invert(&block[..dim * dim], dim, &mut inverse[..dim * dim]);
    let piece = Local {
        w: &block[..dim * dim],
        inverse: &inverse[..dim * dim],
        q: &folded_q.to_array()[..dim],
        rheology: None,
        ..*local
    };
    let (start, _) = law.inside(r, &(w * read(r) + q).to_array());
    let mut f = start.to_array();
    local::solve_set(&piece, set, &mut f[..dim]);
    let f = read(&f[..dim]);
    let total = a.map_or(f, |a| f - law.drag * (a * (w * f + q)));
    r.copy_from_slice(&total.to_array()[..dim]);
}

/// Two or three rows as a vector.
pub(crate) fn read(rows: &[f64]) -> DVec3 {
    DVec3::new(rows[0], rows[1], rows.get(2).copied().unwrap_or(0.0))
}
