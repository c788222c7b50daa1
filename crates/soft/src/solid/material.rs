//! Materials of soft solids.

use super::Elastic;
use crate::SoftError;
use crate::error::{field, not_negative, positive};

/// What a soft solid is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidMaterial {
    /// Mass per volume, kg/m³.
    pub density: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, between 0 and 0.5.
    pub poisson: f64,
    /// Time constant of internal damping, s: viscosity is this times the stiffness.
    pub damping: f64,
    /// Which energy.
    pub model: Elastic,
}

impl SolidMaterial {
    /// Names of the library, for [`SolidMaterial::named`].
    pub const NAMES: [&str; 3] = ["foam", "gel", "rubber"];

    /// A material of the library.
    pub fn named(name: &str) -> Option<SolidMaterial> {
        match name {
            "foam" => Some(SolidMaterial::foam()),
            "gel" => Some(SolidMaterial::gel()),
            "rubber" => Some(SolidMaterial::rubber()),
            _ => None,
        }
    }

    /// Ballistic gelatine of 10 %: Young's modulus about 100 kPa (Cronin and Falzon,
    /// *Experimental Mechanics* 51, 2011, give stresses of that order), nearly incompressible.
    pub fn gel() -> SolidMaterial {
        SolidMaterial::new(1030.0, 1.0e5, 0.45)
    }

    /// Soft polyurethane foam: Gibson and Ashby, *Cellular Solids* (1997), chapter 5, give
    /// 10 kPa to 100 kPa at 30 kg/m³.
    pub fn foam() -> SolidMaterial {
        SolidMaterial::new(30.0, 3.0e4, 0.3)
    }

    /// Soft natural rubber, about 40 Shore A: 1.5 MPa by Gent's relation (1958).
    pub fn rubber() -> SolidMaterial {
        SolidMaterial::new(950.0, 1.5e6, 0.47)
    }

    /// Stable neo-Hookean, with a damping time of 5 ms.
    pub fn new(density: f64, young: f64, poisson: f64) -> SolidMaterial {
        SolidMaterial { density, young, poisson, damping: 5e-3, model: Elastic::NeoHookean }
    }

    /// Checks units and signs.
    pub fn check(&self) -> Result<(), SoftError> {
        positive("density", self.density)?;
        positive("young", self.young)?;
        if !(self.poisson >= 0.0 && self.poisson <= 0.495) {
            return Err(field("poisson", format!("{}", self.poisson), "between 0 and 0.495"));
        }
        not_negative("damping", self.damping)
    }

    /// Lamé's μ and λ, Pa.
    pub fn lame(&self) -> [f64; 2] {
        let (e, nu) = (self.young, self.poisson);
        [e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))]
    }
}
