//! Couplings through soft bodies in our own format.

use serde::{Deserialize, Serialize};

use super::Coo;
use crate::{Coupling, ProblemError};

/// H A⁻¹ Hᵀ over rows from `first` on: A on and below its diagonal, H by rows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCoupling {
    first: usize,
    #[serde(rename = "A")]
    system: Coo,
    #[serde(rename = "H")]
    rows: Coo,
    masses: Vec<f64>,
}

impl RawCoupling {
    /// `None` for a coupling of nothing.
    pub(super) fn of(coupling: &Coupling) -> Option<RawCoupling> {
        let (first, system, rows, masses) = coupling.parts()?;
        let (system, rows) = (Coo::from_matrix(system), Coo::from_matrix(rows));
        Some(RawCoupling { first, system, rows, masses: masses.to_vec() })
    }

    pub(super) fn build(self) -> Result<Coupling, ProblemError> {
        let system = self.system.into_matrix("operator.bodies.coupling.A")?;
        let rows = self.rows.into_matrix("operator.bodies.coupling.H")?;
        Coupling::new(self.first, system, rows, self.masses)
    }
}
