//! Strategies for the r-factor of proximal steps (Erleben 2020, Algorithm 2).

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

/// The authors' global r-factor.
const GLOBAL_FACTOR: f64 = 5.0;
