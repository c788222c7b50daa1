//! The parameters of bristles.

use crate::FrictionError;
use crate::error::{non_negative, positive};

/// The parameters of a bristle (Arslan Waltersson & Karayiannidis, Table I). All forces are per
/// unit load, so stiffness and damping are too: σ₀ is in 1/m, σ₁ and σ₂ in s/m.
///
/// A static coefficient below the Coulomb one is allowed: friction then grows with speed, the
/// equations hold as they are, and such a bristle is always passive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// μ_C: friction coefficient at high speed, above zero.
    pub coulomb: f64,
    /// μ_S: friction coefficient at no speed, above zero.
    pub stiction: f64,
    /// v_s: speed at which friction has fallen to 1/e of the difference, m/s, above zero.
    pub stribeck_speed: f64,
    /// γ: how steeply it falls, above zero.
    pub stribeck_exponent: f64,
    /// σ₀: stiffness of the bristles per unit load, 1/m, above zero.
    pub stiffness: f64,
    /// σ₁: their damping per unit load, s/m.
    pub damping: f64,
    /// v_d: damping falls as exp(−(v/v_d)²), m/s; `None` for the paper's constant damping. This is
    /// the cure for bristles that are not passive.
    pub damping_speed: Option<f64>,
    /// σ₂: viscous friction per unit load, s/m.
    pub viscosity: f64,
    /// Elastic below the breakaway deflection (elasto-plastic), or creeping from the start (LuGre).
    pub plasticity: Plasticity,
}

/// When bristles begin to slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plasticity {
    /// LuGre (Eq. 1): at any deflection. Drifts under oscillating loads.
    Always,
    /// Elasto-plastic (Eqs. 4–6, 15–18): above this part s_ba of the largest deflection, 0 to 1.
    Above(f64),
}

/// Whether a bristle can return more energy than it was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Passivity {
    /// Never, at any velocity.
    Passive,
    /// At some velocities: σ₂ is below σ₁(μ_S − μ_C)/μ_C.
    Active {
        /// The smallest viscosity that would make it passive, s/m.
        needed: f64,
    },
}

impl Default for Parameters {
    /// Table I, p = 1, with LuGre's plasticity.
    fn default() -> Parameters {
        Parameters {
            coulomb: 1.0,
            stiction: 1.2,
            stribeck_speed: 1e-3,
            stribeck_exponent: 2.0,
            stiffness: 1e6,
            damping: 8e2,
            damping_speed: None,
            viscosity: 0.2,
            plasticity: Plasticity::Always,
        }
    }
}

impl Parameters {
    /// Table I, p = 0: friction that does not depend on speed.
    pub fn without_stribeck() -> Parameters {
        Parameters { stiction: 1.0, viscosity: 0.0, ..Parameters::default() }
    }

    /// Dahl's model (1968): stiffness and one coefficient, no damping and no Stribeck curve.
    pub fn dahl(coulomb: f64, stiffness: f64) -> Parameters {
        let without = Parameters::without_stribeck();
        Parameters { coulomb, stiction: coulomb, stiffness, damping: 0.0, ..without }
    }

    /// The same with elasto-plastic bristles, elastic below `breakaway` (the paper: 0.9) of the
    /// largest deflection.
    #[must_use]
    pub fn elasto_plastic(self, breakaway: f64) -> Parameters {
        Parameters { plasticity: Plasticity::Above(breakaway), ..self }
    }

    /// An error that names the first parameter out of its range.
    pub fn check(&self) -> Result<(), FrictionError> {
        positive("coulomb coefficient mu_c", self.coulomb)?;
        positive("static coefficient mu_s", self.stiction)?;
        positive("Stribeck speed v_s", self.stribeck_speed)?;
        positive("Stribeck exponent gamma", self.stribeck_exponent)?;
        positive("bristle stiffness sigma0", self.stiffness)?;
        non_negative("bristle damping sigma1", self.damping)?;
        non_negative("viscosity sigma2", self.viscosity)?;
        if let Some(speed) = self.damping_speed {
            positive("damping speed v_d", speed)?;
        }
        if let Plasticity::Above(part) = self.plasticity
            && !(0.0..1.0).contains(&part)
        {
            return Err(FrictionError::Value {
                what: "breakaway s_ba".to_owned(),
                value: part,
                expected: "a number from zero to below one",
            });
        }
        Ok(())
    }

    /// Whether these bristles are passive at every velocity: σ₂ ≥ σ₁(μ_S − μ_C)/μ_C. Damping that
    /// falls with speed is asked at every speed for which it and friction still differ.
    pub fn passivity(&self) -> Passivity {
        let needed = match self.damping_speed {
            None => self.damping * (self.stiction - self.coulomb) / self.coulomb,
            // At speed v the worst bristle is deflected by μ_S/σ₀ where g(v)/σ₀ is the steady one.
            Some(fall) => (1..=400)
                .map(|k| fall * 0.01 * f64::from(k))
                .map(|v| {
                    let worst = self.stiction.max(self.coulomb) / self.friction(v) - 1.0;
                    self.damping_at(v) * worst
                })
                .fold(0.0, f64::max),
        };
        if self.viscosity >= needed { Passivity::Passive } else { Passivity::Active { needed } }
    }

    /// g(v), the coefficient of steady sliding (Eq. 2): Stribeck's curve.
    #[inline]
    pub fn friction(&self, speed: f64) -> f64 {
        // Beyond this the last digit of the sum does not see Stribeck's part: e⁻⁶⁰.
        if self.stribeck_exponent == 2.0 && speed.abs() > 7.75 * self.stribeck_speed {
            return self.coulomb;
        }
        let ratio = speed.abs() / self.stribeck_speed;
        let fall = if self.stribeck_exponent == 2.0 {
            ratio * ratio
        } else {
            ratio.powf(self.stribeck_exponent)
        };
        let part = if fall > 60.0 { 0.0 } else { (-fall).exp() };
        self.coulomb + (self.stiction - self.coulomb) * part
    }

    /// σ₁ at this speed, s/m.
    pub fn damping_at(&self, speed: f64) -> f64 {
        match self.damping_speed {
            None => self.damping,
            Some(fall) => self.damping * (-(speed / fall) * (speed / fall)).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_out_of_range_is_named() {
        let good = Parameters::default();
        good.check().unwrap();
        good.elasto_plastic(0.9).check().unwrap();
        Parameters { stiction: 0.5, ..good }.check().unwrap();
        let cases = [
            (Parameters { coulomb: 0.0, ..good }, "mu_c"),
            (Parameters { stiction: f64::NAN, ..good }, "mu_s"),
            (Parameters { stribeck_speed: 0.0, ..good }, "v_s"),
            (Parameters { stribeck_exponent: -1.0, ..good }, "gamma"),
            (Parameters { stiffness: -1e6, ..good }, "sigma0"),
            (Parameters { damping: f64::INFINITY, ..good }, "sigma1"),
            (Parameters { viscosity: -0.1, ..good }, "sigma2"),
            (Parameters { damping_speed: Some(0.0), ..good }, "v_d"),
            (good.elasto_plastic(1.0), "s_ba"),
            (good.elasto_plastic(f64::NAN), "s_ba"),
        ];
        for (parameters, name) in cases {
            let message = parameters.check().unwrap_err().to_string();
            assert!(message.contains(name) && message.contains("expected"), "{message}");
        }
    }

    #[test]
    fn the_default_is_not_passive_and_falling_damping_cures_it() {
        // The paper's p = 1 has 0.2 s/m and needs 160.
        let given = Parameters::default();
        assert!(
            matches!(given.passivity(), Passivity::Active { needed } if (needed - 160.0).abs() < 1e-9)
        );
        let cured = Parameters { damping_speed: Some(2e-5), ..given };
        assert_eq!(cured.passivity(), Passivity::Passive);
        assert_eq!(Parameters { viscosity: 160.0 + 1e-9, ..given }.passivity(), Passivity::Passive);
        assert_eq!(Parameters { stiction: 0.8, ..given }.passivity(), Passivity::Passive);
    }
}
