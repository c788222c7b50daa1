//! Fabrics by measured stiffness, and a library of them.

use crate::SoftError;
use crate::error::{field, not_negative, positive};

/// What a cloth is made of, per area of cloth.
///
/// Stiffnesses are forces per width: N/m is Young's modulus (Pa) times thickness (m).
#[derive(Debug, Clone, PartialEq)]
pub struct Fabric {
    /// Mass per area, kg/m².
    pub areal_density: f64,
    /// Thickness for contacts, m.
    pub thickness: f64,
    /// Young's moduli times thickness along warp and weft, N/m.
    pub stretch: [f64; 2],
    /// Shear modulus times thickness, N/m.
    pub shear: f64,
    /// Poisson's ratio, the geometric mean of those of both directions: between −1 and 1.
    pub poisson: f64,
    /// Moment per width and curvature when bent along warp and weft, N·m.
    pub bending: [f64; 2],
    /// Which model of bending.
    pub shell: Shell,
    /// Time constant of internal damping, s: viscosity is this times the stiffness.
    pub damping: f64,
    /// Relative elongation along warp and weft at which the cloth becomes
    /// [`Fabric::LIMIT_STIFFENING`] times stiffer.
    pub strain_limit: Option<f64>,
}

/// One gram-force in newtons.
const GF: f64 = 9.806_65e-3;

/// What the Kawabata evaluation system measures of a cloth, in its own units, along warp and weft.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kawabata {
    /// EMT: elongation at 500 gf/cm, percent.
    pub elongation: [f64; 2],
    /// B: bending rigidity, gf·cm²/cm.
    pub bending: [f64; 2],
    /// G: shear stiffness, the mean of both directions, gf/(cm·deg).
    pub shear: f64,
}

impl Kawabata {
    /// The same along warp and weft, as where a table has one figure for both.
    pub fn alike(elongation: f64, bending: f64, shear: f64) -> Kawabata {
        Kawabata { elongation: [elongation; 2], bending: [bending; 2], shear }
    }
}

/// What FAST measures of a cloth, in its own units, along warp and weft.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fast {
    /// E100: extension at 100 gf/cm (98.1 N/m), percent.
    pub extension: [f64; 2],
    /// B: bending rigidity, µN·m.
    pub bending: [f64; 2],
    /// G: shear rigidity, N/m; 123 over the extension on the bias at 5 gf/cm in percent.
    pub shear: f64,
}

/// A model of bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shell {
    /// Curvature from a triangle and its neighbours: converges on regular meshes.
    #[default]
    Patches,
    /// Angles between triangles (discrete shells), as the friction tensor paper has it. How
    /// stiff the cloth is depends on the mesh, also on regular ones.
    Hinges,
}

impl Fabric {
    /// How much stiffer a cloth is beyond its strain limit.
    pub const LIMIT_STIFFENING: f64 = 50.0;

    /// Names of the library, for [`Fabric::named`].
    pub const NAMES: [&str; 4] = ["cotton", "denim", "silk", "wool"];

    /// A fabric of the library.
    pub fn named(name: &str) -> Option<Fabric> {
        match name {
            "cotton" => Some(Fabric::cotton()),
            "denim" => Some(Fabric::denim()),
            "silk" => Some(Fabric::silk()),
            "wool" => Some(Fabric::wool()),
            _ => None,
        }
    }

    /// Cotton shirting. Figures of the middle of the ranges that S. Kawabata, *The
    /// Standardization and Analysis of Hand Evaluation* (1980), gives for shirtings: elongation
    /// 5 % at 490 N/m, bending 0.08 gf·cm²/cm, shear 1 gf/(cm·deg). No particular sample, and
    /// warp and weft are not told apart.
    pub fn cotton() -> Fabric {
        Fabric::from_kawabata(0.15, 0.4e-3, &Kawabata::alike(5.0, 0.08, 1.0))
    }

    /// Denim. Elongation, bending and shear measured by the Kawabata system: *Journal of
    /// Textiles* 2016, article 4614168, Table 5, sample B, one figure each for warp and weft
    /// together. Mass and thickness are those of usual denim of 12 ounces per square yard.
    pub fn denim() -> Fabric {
        Fabric::from_kawabata(0.41, 0.8e-3, &Kawabata::alike(5.735, 0.144, 1.538))
    }

    /// Thin silk. Figures of the low end of Kawabata's ranges for thin women's dress fabrics:
    /// elongation 4 % at 490 N/m, bending 0.02 gf·cm²/cm, shear 0.3 gf/(cm·deg). No particular
    /// sample, and warp and weft are not told apart.
    pub fn silk() -> Fabric {
        Fabric::from_kawabata(0.06, 0.2e-3, &Kawabata::alike(4.0, 0.02, 0.3))
    }

    /// Wool suiting. Figures of the middle of Kawabata's ranges for men's suiting: elongation
    /// 6 % at 490 N/m, bending 0.12 gf·cm²/cm, shear 0.8 gf/(cm·deg). No particular sample, and
    /// warp and weft are not told apart.
    pub fn wool() -> Fabric {
        Fabric::from_kawabata(0.22, 0.6e-3, &Kawabata::alike(6.0, 0.12, 0.8))
    }

    /// From a row of a table of the Kawabata evaluation system, mass per area (kg/m²) and thickness
    /// (m).
    ///
    /// The tensile stiffness is the secant to 500 gf/cm. Poisson's ratio is 0: the yarns of a
    /// woven cloth cross, and its tension in one direction hardly needs the other.
    pub fn from_kawabata(areal_density: f64, thickness: f64, row: &Kawabata) -> Fabric {
        Fabric {
            areal_density,
            thickness,
            stretch: row.elongation.map(|percent| 500.0 * GF / 0.01 / (percent / 100.0)),
            shear: row.shear * GF / 0.01 / 1.0_f64.to_radians(),
            poisson: 0.0,
            bending: row.bending.map(|b| b * GF * 0.01),
            shell: Shell::Patches,
            damping: 2e-3,
            strain_limit: None,
        }
    }

    /// From a row of a table of FAST (fabric assurance by simple testing), mass per area (kg/m²) and
    /// thickness (m). The tensile stiffness is the secant to 100 gf/cm.
    pub fn from_fast(areal_density: f64, thickness: f64, row: &Fast) -> Fabric {
        Fabric {
            areal_density,
            thickness,
            stretch: row.extension.map(|percent| 100.0 * GF / 0.01 / (percent / 100.0)),
            shear: row.shear,
            poisson: 0.0,
            bending: row.bending.map(|b| b * 1e-6),
            shell: Shell::Patches,
            damping: 2e-3,
            strain_limit: None,
        }
    }

    /// Checks units and signs.
    pub fn check(&self) -> Result<(), SoftError> {
        positive("areal_density", self.areal_density)?;
        not_negative("thickness", self.thickness)?;
        positive("stretch[0]", self.stretch[0])?;
        positive("stretch[1]", self.stretch[1])?;
        not_negative("shear", self.shear)?;
        if !(self.poisson.abs() < 1.0) {
            return Err(field("poisson", format!("{}", self.poisson), "between -1 and 1"));
        }
        not_negative("bending[0]", self.bending[0])?;
        not_negative("bending[1]", self.bending[1])?;
        not_negative("damping", self.damping)?;
        if let Some(limit) = self.strain_limit {
            positive("strain_limit", limit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_tables_become_si_along_warp_and_weft() {
        let row = Kawabata { elongation: [5.0, 10.0], bending: [0.1, 0.05], shear: 1.0 };
        let fabric = Fabric::from_kawabata(0.2, 5e-4, &row);
        // 500 gf/cm are 490.3325 N/m, 1 gf cm²/cm is 98.0665 µN m, 1 gf/(cm deg) is 56.188 N/m.
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-5, "{a} {b}");
        near(fabric.stretch[0], 9806.65);
        near(fabric.stretch[1], 4903.325);
        near(fabric.bending[0], 9.806_65e-6);
        near(fabric.bending[1], 4.903_325e-6);
        near(fabric.shear, 56.1880);
        let row = Fast { extension: [2.0, 4.0], bending: [10.0, 5.0], shear: 123.0 / 3.0 };
        let fabric = Fabric::from_fast(0.2, 5e-4, &row);
        near(fabric.stretch[0], 4903.325);
        near(fabric.stretch[1], 2451.6625);
        near(fabric.bending[1], 5e-6);
        near(fabric.shear, 41.0);
    }
}
