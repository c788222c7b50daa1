//! Proximal steps and the strategies for their r-factor (Erleben 2020, Algorithm 2).

use asperity_friction::set::Set;
use glamx::DVec2;

use crate::local;
use crate::units::Unit;

/// Strategies for the r-factor of a proximal step, with the authors' numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RFactor {
    /// 1/W_ii, shrunk by 0.9 when a sweep diverges.
    Local,
    /// 5 for all, shrunk by 0.1.
    Global,
    /// The inverse of the contact's block of W. Never shrunk, and so never rolled back.
    BlockInverse,
}

impl RFactor {
    /// What a diverging sweep multiplies the factor by.
    pub(crate) fn shrink(self) -> f64 {
        match self {
            RFactor::Local => 0.9,
            RFactor::Global => 0.1,
            RFactor::BlockInverse => 1.0,
        }
    }

    /// −R u for a contact with the block W of its own.
    pub(crate) fn step(self, w: &[f64], unit: &Unit, factor: f64, u: &[f64], z: &mut [f64]) {
        let dim = u.len();
        let first = usize::from(unit.normal.is_some());
        let diagonal = |k: usize| w[k * dim + k];
        match self {
            RFactor::BlockInverse if local::solve_linear(w, u, z) => {}
            RFactor::Global => {
                for k in 0..dim {
                    z[k] = -GLOBAL_FACTOR * factor * u[k];
                }
            }
            RFactor::Local | RFactor::BlockInverse => {
                let largest = (first..dim).fold(0.0_f64, |m, k| m.max(diagonal(k)));
                for k in 0..dim {
                    let w_ii = if k < first { diagonal(k) } else { largest };
                    z[k] = if w_ii > 0.0 { -factor * u[k] / w_ii } else { 0.0 };
                }
            }
        }
    }
}

/// Line 9 of Algorithm 2 for one block: `z` holds the step −R u and receives the new impulse. A
/// tensor steps in the disc of its y, where r = −T(y), against the step.
pub(crate) fn proximal_step(set: &Set, load: f64, old: &[f64], u: &[f64], z: &mut [f64]) {
    if let Set::Tensor(tensor) = set {
        let pair = |v: &[f64]| DVec2::new(v[0], v[1]);
        let y = tensor.pull_back_near(pair(old), pair(u), load) - pair(z);
        let length = y.length();
        let y = if length > load { y * (load / length) } else { y };
        z.copy_from_slice(&(-tensor.map(y)).to_array());
        return;
    }
    for (z, old) in z.iter_mut().zip(old) {
        *z += old;
    }
    set.project(z, load);
}

/// The authors' global r-factor.
const GLOBAL_FACTOR: f64 = 5.0;
