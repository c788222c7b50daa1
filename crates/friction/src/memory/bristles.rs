//! Bristles that bend before they slip, LuGre or elasto-plastic (Arslan Waltersson &
//! Karayiannidis, *Planar Friction Modelling with LuGre Dynamics and Limit Surfaces*).
//!
//! Twists are (v_x, v_y, ω) at the centre of pressure, wrenches (f_x, f_y, τ) about it. A wrench
//! acts on the moving body, so it opposes the motion.

pub mod bristle;
mod cells;
mod distributed;
pub mod elasto_plastic;
mod kernel;
mod named;
mod parameters;
mod reduced;
mod remembered;
mod step;

pub use distributed::Distributed;
pub(super) use named::{ELASTO_PLASTIC, LUGRE, LUGRE_PASSIVE};
pub use parameters::{Parameters, Passivity, Plasticity};
pub use reduced::Reduced;

use glamx::DVec3;

use self::cells::Cells;
use self::step::{Bend, Damping};
use super::{Carried, Memory, Moment, Past};
use crate::FrictionError;
use crate::extent::{Extent, Fineness, LimitMap, MAX_RESOLUTION};
use crate::law::Law;
use crate::section::Section;

/// Bristles of a contact, placed as [`Placing`] says. How far they bend is the
/// section's affair: `coulomb`, `stiction` and Stribeck's curve of the parameters are not used.
///
/// Of the [`Past`], `vector` is the bending in the contact plane, metres, and the first number that
/// about the normal: u times an angle, m². The second is the speed with which the step began, m/s:
/// LuGre's wear goes by the speed with which the next one is going to end. Where each cell has a bristle, the
/// first two are means over all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bristles {
    parameters: Parameters,
    passive: bool,
    placing: Placing,
}

/// Where the bristles of a patch are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placing {
    /// Three for the patch, two for sliding and one for spin, on its limit surface.
    #[default]
    Patch,
    /// The same on a table of the limit surface (the reduced model).
    Reduced {
        /// Cells of the patch along a side, from which the table is made.
        cells: usize,
        /// N_ls of the table.
        resolution: usize,
    },
    /// Two in every cell (the distributed model).
    Distributed {
        /// Cells of the patch along a side.
        cells: usize,
    },
}

/// Fewest and most cells along a side: with fewer a patch has no stiffness in spin.
const CELLS: [usize; 2] = [3, 64];

impl Bristles {
    /// With these stiffness, damping, viscosity and plasticity.
    pub fn new(parameters: Parameters) -> Result<Bristles, FrictionError> {
        parameters.check()?;
        Ok(Bristles { parameters, passive: false, placing: Placing::Patch })
    }

    /// The same in other places.
    pub fn placed(self, placing: Placing) -> Result<Bristles, FrictionError> {
        let (cells, resolution) = match placing {
            Placing::Patch => (CELLS[0], 1),
            Placing::Reduced { cells, resolution } => (cells, resolution),
            Placing::Distributed { cells } => (cells, 1),
        };
        for (what, number, [least, most], expected) in [
            ("cells along a side", cells, CELLS, "a whole number from 3 to 64"),
            ("resolution N_ls", resolution, [1, MAX_RESOLUTION], "a whole number from 1 to 500"),
        ] {
            if !(least..=most).contains(&number) {
                let (what, value) = (what.to_owned(), number as f64);
                return Err(FrictionError::Value { what, value, expected });
            }
        }
        Ok(Bristles { placing, ..self })
    }

    /// The same with damping that is cut to what a step is passive with, whatever slip it ends with
    /// and however fast friction falls with speed.
    #[must_use]
    pub fn passive(self) -> Bristles {
        Bristles { passive: true, ..self }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What three of them do in a step, in steady sliding on the table where there is one. Damping is that of the
    /// equation once it is known where the step ends.
    fn bend(&self, reduced: &Reduced, moment: &Moment, past: Option<&Past>) -> Bend {
        let about = about(reduced, moment, past);
        let table = moment.cells.as_ref().and_then(|cells| cells.bed.steady(about));
        let steady = table.map_or(moment.steady, |steady| steady * moment.coefficient);
        reduced.bend(about, steady, moment.dt, self.damping(moment))
    }

    fn damping(&self, moment: &Moment) -> Damping {
        let known = moment.found.is_some() && !self.passive;
        if known { Damping::Written } else { Damping::Passive }
    }

    /// All bristles of a patch that has one in each cell, and how their law is made.
    fn in_cells(
        &self,
        moment: &Moment,
        past: Option<&Past>,
    ) -> Option<(Cells<'_>, (DVec3, Damping))> {
        let (Placing::Distributed { .. }, Some(loaded)) = (self.placing, &moment.cells) else {
            return None;
        };
        let about = about(&self.reduced(moment, None)?, moment, past);
        let list = remembered::cells(loaded, &moment.frame, past);
        let cells = Cells { parameters: &self.parameters, list, dt: moment.dt };
        Some((cells, (about, self.damping(moment))))
    }

    /// Bent as the past left them.
    fn reduced(&self, moment: &Moment, past: Option<&Past>) -> Option<Reduced> {
        let mu = moment.coefficient;
        let parameters = Parameters { coulomb: mu, stiction: mu, ..self.parameters };
        let (map, radius) = (LimitMap::Ellipsoid, moment.spin_radius);
        let mut reduced = Reduced::with_radius(parameters, map, radius, moment.gyration2).ok()?;
        if let Some(Past { vector, numbers, .. }) = past {
            reduced.set_deflection(moment.frame.to_plane(*vector).extend(numbers[0]));
        }
        Some(reduced)
    }
}

impl Memory for Bristles {
    fn name(&self) -> &'static str {
        named::name(self)
    }

    fn cells(&self) -> Option<Fineness> {
        match self.placing {
            Placing::Patch => None,
            Placing::Reduced { cells, resolution } => {
                Some(Fineness { cells, table: Some(resolution) })
            }
            Placing::Distributed { cells } => Some(Fineness { cells, table: None }),
        }
    }

    fn law(&self, without: Law, moment: &Moment, past: Option<&Past>) -> Option<Law> {
        let own = without.rheology.as_ref().map(|own| own.drag);
        let mut law = match self.in_cells(moment, past) {
            Some((cells, about)) => cells.law(without, about, moment.coefficient).ok()?,
            None => {
                let reduced = self.reduced(moment, past)?;
                reduced.bent(without, &self.bend(&reduced, moment, past)).ok()?
            }
        };
        if let (Some(rheology), Some(own)) = (&mut law.rheology, own) {
            rheology.drag += own;
        }
        Some(law)
    }

    /// Wear grows with speed, and is frozen over a step.
    fn is_far(&self, moment: &Moment, past: Option<&Past>, end: DVec3) -> bool {
        if let Some((cells, (about, how))) = self.in_cells(moment, past) {
            let end_how = if self.passive { Damping::Passive } else { Damping::Written };
            let [now, then] =
                [(about, how), (end, end_how)].map(|(about, how)| cells.wrench_at(about, how, end));
            let off = (now - then) / DVec3::new(1.0, 1.0, moment.spin_radius);
            return off.length() > FAR * moment.coefficient;
        }
        let Some(reduced) = self.reduced(moment, past) else { return false };
        let about = about(&reduced, moment, past);
        let lugre = self.parameters.plasticity == Plasticity::Always;
        if !lugre && !self.bend(&reduced, moment, past).creeps() {
            let fresh = moment.found.is_none();
            return reduced.is_plastic(end, moment.dt) || (fresh && reduced.is_cut(end, moment.dt));
        }
        let worn = self.parameters.stiffness * moment.dt / moment.coefficient;
        let far = worn * reduced.speed(end - about) > FAR * (1.0 + worn * reduced.speed(about));
        // Once more with the damping of the equation, now that it is known where the step ends.
        let cut = moment.found.is_none()
            && !self.passive
            && self.bend(&reduced, moment, past).cut > FAR * moment.coefficient;
        far || cut
    }

    fn remember(&self, moment: &Moment, past: Option<&Past>, carried: &Carried) -> Option<Past> {
        if let (Some((mut cells, about)), Some(loaded)) =
            (self.in_cells(moment, past), &moment.cells)
        {
            cells.carry(about, carried.wrench, carried.load);
            let speed = self.reduced(moment, None)?.speed(moment.twist);
            return remembered::past(&cells, loaded, &moment.frame, speed);
        }
        let mut reduced = self.reduced(moment, past)?;
        let bend = self.bend(&reduced, moment, past);
        reduced.carry(&bend, carried.wrench, carried.load);
        let (z, speed) = (reduced.deflection(), reduced.speed(moment.twist));
        let bent = z.is_finite() && z != DVec3::ZERO;
        let vector = moment.frame.to_world(z.truncate());
        bent.then_some(Past { vector, numbers: [z.z, speed], bristles: None })
    }

    fn stored(&self, moment: &Moment, past: &Past) -> f64 {
        match self.in_cells(moment, Some(past)) {
            Some((cells, _)) => cells.stored(),
            None => self.reduced(moment, Some(past)).map_or(0.0, |reduced| reduced.stored()),
        }
    }

    fn caution(&self, coefficient: &dyn Fn(f64) -> f64) -> Option<String> {
        let p = &self.parameters;
        // Elasto-plastic bristles carry no more than the limit surface of the section.
        if self.passive || p.plasticity != Plasticity::Always {
            return None;
        }
        let speeds = || (0..=5 * DECADES).map(|k| SLOWEST * 10_f64.powf(0.2 * f64::from(k)));
        let most = speeds().map(coefficient).fold(coefficient(0.0), f64::max);
        // σ₂ ≥ σ₁(μ_S − μ_C)/μ_C, at every speed with what σ₁ and friction are there.
        let need = |v: f64| p.damping_at(v) * (most / coefficient(v) - 1.0);
        let needed = speeds().map(need).filter(|n| n.is_finite()).fold(0.0, f64::max);
        (needed > p.viscosity * (1.0 + 1e-9)).then(|| {
            format!(
                "\"lugre\" with sigma1 = {} and sigma2 = {} gives energy of its own at some speeds, \
                 since friction falls with speed; expected sigma2 of {needed:.4} s/m or more, a \
                 damping_speed, or the memory \"lugre_passive\"",
                p.damping, p.viscosity
            )
        })
    }

    fn check(&self, extent: &Extent, section: &dyn Section) -> Result<(), FrictionError> {
        if self.placing != Placing::Patch && section.needs().surfaces {
            return Err(FrictionError::Shape(format!(
                "bristles in cells and tables of limit surfaces are for friction that is the same in all \
                 directions, and the section is \"{}\"; expected the section \"coulomb\", or bristles = \"patch\"",
                section.name()
            )));
        }
        if *extent == Extent::Point {
            return Err(FrictionError::Shape(
                "bristles belong to a whole patch, not to the extent \"point\"; expected the extent \
                 \"spin\", or no memory"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}

/// Speeds at which passivity is asked for: the least, m/s, and how far up.
const SLOWEST: f64 = 1e-9;
const DECADES: u32 = 12;

/// A law is made again where wear over the step changes by more than this part.
const FAR: f64 = 1e-3;

/// The twist with which a step is going to end: that found, or else along the one that it begins with,
/// when speed goes on changing as in the last step.
fn about(reduced: &Reduced, moment: &Moment, past: Option<&Past>) -> DVec3 {
    let begin = reduced.speed(moment.twist);
    match (moment.found, past) {
        (None, Some(past)) if begin > 0.0 => {
            moment.twist * (2.0 - past.numbers[1] / begin).max(0.0)
        }
        _ => moment.about(),
    }
}
