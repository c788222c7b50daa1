//! Bristles in all cells of a patch over one step, eliminated to a law of three rows.
//!
//! The bristle of cell i goes by what its place moves by, uᵢ = u + ω × ρᵢ, with its wear frozen:
//!
//! ```text
//! zᵢ⁺ = aᵢ zᵢ + dᵢ uᵢ                          a = e⁻ˣ, d = (1 − e⁻ˣ)/c with x = hc, c = σ₀‖u‖/g (LuGre)
//! f/N = −Σ shareᵢ Aᵢᵀ(σ₀zᵢ⁺ + σ₁(zᵢ⁺ − zᵢ)/h)      Aᵢ takes a twist to uᵢ
//! ```
//!
//! Elasto-plastic bristles go by implicit Euler, whose β is found with the slip that the law is made about: a is the
//! part that is left of z + hu, and d = ha. Either is affine in u: G u + p, so that C = G⁻¹ and b = C p. Both are passive
//! whatever slip the step ends with, as long as σ₁ is cut to what one bristle is passive with (`step.rs`).

use glamx::{DMat3, DVec2, DVec3};

use super::step::{Damping, FORGETS, bounded, passive_damping};
use super::{Parameters, Plasticity, bristle};
use crate::FrictionError;
use crate::law::{Law, Rheology};

/// A cell with its bristle.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// From the centre of the load, metres.
    pub(super) place: DVec2,
    /// Of the load.
    pub(super) share: f64,
    /// g.
    pub(super) friction: f64,
    /// z, metres.
    pub(super) bent: DVec2,
}

/// All cells of a patch in a step.
pub(super) struct Cells<'a> {
    pub(super) parameters: &'a Parameters,
    pub(super) list: Vec<Cell>,
    /// Seconds.
    pub(super) dt: f64,
}

/// What the bristle of a cell does.
struct Frozen {
    /// a.
    keep: f64,
    /// d, seconds.
    give: f64,
    /// Resistance per unit of slip, and of what it is bent by.
    stiff: f64,
    push: f64,
}

/// Sums over all cells: w = −(G u + p).
struct Sums {
    stiff: DMat3,
    push: DVec3,
    /// Whether any of them wears.
    wears: bool,
}

impl Cells<'_> {
    /// The law made about a twist, from that without bristles, whose coefficient is given.
    pub(super) fn law(
        &self,
        without: Law,
        (twist, how): (DVec3, Damping),
        coefficient: f64,
    ) -> Result<Law, FrictionError> {
        let (p, sums) = (self.parameters, self.sums(twist, how));
        let loose = p.plasticity == Plasticity::Always || how == Damping::Written || sums.wears;
        let most = |m: f64, c: &Cell| m.max(c.bent.length() * p.stiffness).max(c.friction);
        let part = self.list.iter().fold(0.0, most) / coefficient;
        let rheology = Some(Box::new(self.rheology(&sums)));
        let part = loose.then_some(part);
        Ok(Law { rheology, ..bounded(without, p, part, p.damping / self.dt)? })
    }

    /// Bias, compliance and drag.
    fn rheology(&self, sums: &Sums) -> Rheology {
        let compliance = sums.stiff.inverse();
        let viscosity = self.parameters.viscosity;
        let viscous = |sum: DMat3, c: &Cell| sum + spread(c.place, c.share * viscosity);
        let drag = self.list.iter().fold(DMat3::ZERO, viscous);
        Rheology { bias: compliance * sums.push, compliance, drag }
    }

    fn sums(&self, twist: DVec3, how: Damping) -> Sums {
        let mut sums = Sums { stiff: DMat3::ZERO, push: DVec3::ZERO, wears: false };
        for cell in &self.list {
            let frozen = self.frozen(cell, twist, how);
            sums.stiff += spread(cell.place, cell.share * frozen.stiff);
            sums.push += wrench(cell.place, cell.bent * (cell.share * frozen.push));
            sums.wears |= frozen.keep < 1.0;
        }
        // A point does not turn: any stiffness will do.
        let flat = sums.stiff.x_axis.x;
        if !(sums.stiff.z_axis.z > 0.0) {
            sums.stiff.z_axis.z = flat;
        }
        sums
    }

    /// What the law made about a twist carries at the slip `end`, per unit load.
    pub(super) fn wrench_at(&self, about: DVec3, how: Damping, end: DVec3) -> DVec3 {
        let sums = self.sums(about, how);
        -(sums.stiff * end + sums.push)
    }

    /// Moves the bristles on by what they carried: `wrench` without drag, under `load`, with the law about a twist.
    pub(super) fn carry(&mut self, (twist, how): (DVec3, Damping), wrench: DVec3, load: f64) {
        if !(load > 0.0) || !wrench.is_finite() {
            self.list.iter_mut().for_each(|cell| cell.bent = DVec2::ZERO);
            return;
        }
        let sums = self.sums(twist, how);
        let slip = -(sums.stiff.inverse() * (wrench / load + sums.push));
        for k in 0..self.list.len() {
            let cell = self.list[k];
            let Frozen { keep, give, .. } = self.frozen(&cell, twist, how);
            self.list[k].bent = cell.bent * keep + at(cell.place, slip) * give;
        }
    }

    /// What one bristle does about a twist.
    fn frozen(&self, cell: &Cell, twist: DVec3, how: Damping) -> Frozen {
        let (p, h, slip) = (self.parameters, self.dt, at(cell.place, twist));
        let speed = slip.length();
        let (keep, give, wear, worn) = match p.plasticity {
            Plasticity::Always => {
                let c = p.stiffness * speed / cell.friction;
                let worn = h * c;
                let give = if worn > 0.0 { -(-worn).exp_m1() / c } else { h };
                ((-worn.min(FORGETS)).exp(), give, c, worn)
            }
            Plasticity::Above(_) => {
                // By a unit vector, which at rest is none.
                let way = if speed > 0.0 { slip / speed } else { DVec2::ZERO };
                let (old, way) = (cell.bent.to_array(), way.to_array());
                let part = bristle::elastic_share(p, cell.friction, &old, &way, h * speed);
                (part, h * part, (1.0 / part - 1.0) / h, 0.0)
            }
        };
        let whole = p.damping_at(speed);
        let damping = match how {
            Damping::Written => whole,
            Damping::Passive => passive_damping(p, whole, wear, worn),
        };
        let sum = p.stiffness + damping / h;
        Frozen { keep, give, stiff: sum * give, push: sum * keep - damping / h }
    }

    /// ½σ₀ Σ share ‖z‖², metres.
    pub(super) fn stored(&self) -> f64 {
        let sum: f64 = self.list.iter().map(|c| c.share * c.bent.length_squared()).sum();
        0.5 * self.parameters.stiffness * sum
    }

    /// Σ share z, metres, and its moment, m².
    pub(super) fn mean(&self) -> DVec3 {
        self.list.iter().map(|c| wrench(c.place, c.bent * c.share)).sum()
    }
}

/// What a place moves by.
fn at(place: DVec2, twist: DVec3) -> DVec2 {
    twist.truncate() + place.perp() * twist.z
}

/// A force at a place: it, and its torque.
fn wrench(place: DVec2, force: DVec2) -> DVec3 {
    force.extend(place.perp().dot(force))
}

/// AᵀA for a place, times a factor.
fn spread(place: DVec2, part: f64) -> DMat3 {
    let lever = place.perp();
    DMat3::from_cols(
        DVec3::new(1.0, 0.0, lever.x),
        DVec3::new(0.0, 1.0, lever.y),
        lever.extend(lever.length_squared()),
    ) * part
}
