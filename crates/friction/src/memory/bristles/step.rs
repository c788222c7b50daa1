//! Bristles over one step, as a solver takes them: an affine law and a set, per unit load.
//!
//! Over a step h the slip u is split into what bends the bristles, what they wear off by, and what slips
//! past them, ξ:
//!
//! ```text
//! K⁻¹(z⁺ − z)/h = u − B z⁺ − ξ               implicit Euler, wear B frozen
//! f/N = −(σ₀ z⁺ + σ₁ (z⁺ − z)/h)             the wrench inside the set
//! −ξ is normal to N·S at f                   maximum dissipation past the set
//! ```
//!
//! K = diag(1, 1, ⟨ρ²⟩): a patch turns by its torque over σ₀N⟨ρ²⟩, as bristles all over its area let
//! it. Eliminating z⁺ gives ξ = u + (C/N) f + b with C = (K⁻¹ + hB)/(σ₀h + σ₁). So a solver treats the
//! block as any other, with the velocity û = u + (C/N) f + b in place of u. Drag −N D u acts outside
//! of the set.
//!
//! Elasto-plastic bristles do not wear, and S is the limit surface. LuGre's wear, σ₀‖v‖z/g for one
//! bristle, is in steady sliding all of the slip: B z* = u, where −σ₀z* is the friction of the limit
//! surface for u. Of the symmetric B with that the one nearest to c K⁻¹ is taken, c = uᵀKu/(z*·u),
//! which it is wherever z* is along K u. S is then but a bound on what such bristles can carry, however
//! far a step goes from the u that B was made about.
//!
//! The work that goes in is at least the growth of ½σ₀ zᵀK⁻¹z, for any step: σ₀z⁺·K⁻¹(z⁺ − z) is at
//! least that growth, f·ξ ≤ 0 because zero is in the set, and the terms with σ₁ and B form a
//! non-negative square as long as σ₁ ≤ 4σ₀/c, c the largest eigenvalue of KB. Damping is therefore
//! cut to that.

use glamx::{DMat3, DVec2, DVec3};

use super::{Distributed, Parameters, Plasticity, Reduced};
use crate::FrictionError;
use crate::extent::cells::LANES;
use crate::law::{Law, Rheology};
use crate::set::{Ellipse, LimitSurface, Set};

impl Reduced {
    /// The law of the next step of `dt` seconds. `twist` is the slip when the step begins, which
    /// decides on Stribeck's curve and on wear; `surface` is the limit surface for a coefficient of one.
    pub fn law(&self, surface: &LimitSurface, twist: DVec3, dt: f64) -> Result<Law, FrictionError> {
        let (without, bend) = self.on(surface, twist, dt)?;
        self.bent(without, &bend)
    }

    /// The law without bristles, and what they do in the step.
    fn on(
        &self,
        surface: &LimitSurface,
        twist: DVec3,
        dt: f64,
    ) -> Result<(Law, Bend), FrictionError> {
        let speed = (twist * self.scale()).length();
        let set = set_at(surface, self.parameters().friction(speed))?;
        let mut steady = [0.0; 3];
        set.traction(&twist.to_array(), 1.0, &mut steady);
        Ok((set.into(), self.bend(twist, DVec3::from_array(steady), dt)))
    }

    /// The law with bristles, from that without.
    pub(super) fn bent(&self, without: Law, bend: &Bend) -> Result<Law, FrictionError> {
        let (p, bent) = (self.parameters(), (self.deflection() / self.scale()).length());
        let rheology = Some(Box::new(self.rheology(bend)));
        Ok(Law { rheology, ..bounded(without, p, bent / bend.largest, bend.damping / bend.dt)? })
    }

    fn rheology(&self, bend: &Bend) -> Rheology {
        let (h, z) = (bend.dt, self.deflection());
        let give = DMat3::from_diagonal(self.give());
        let sum = self.parameters().stiffness * h + bend.damping;
        let compliance = (give + bend.wear * h) * (1.0 / sum);
        let bias = (give * z - compliance * z * bend.damping) / h;
        Rheology { bias, compliance, drag: drag(self.parameters(), self.gyration2()) }
    }

    /// What the bristles do in a step about a twist with this friction in steady sliding.
    pub(super) fn bend(&self, twist: DVec3, steady: DVec3, dt: f64) -> Bend {
        let (p, give) = (self.parameters(), self.give());
        let speed = (twist * self.scale()).length();
        let damping = p.damping_at(speed);
        let largest = p.friction(speed) / p.stiffness;
        let full = -steady / p.stiffness;
        let along = full.dot(twist);
        let still = Bend { wear: DMat3::ZERO, damping, largest, dt };
        if p.plasticity != Plasticity::Always || !(along > 0.0) {
            return still;
        }
        // B = c (K⁻¹ − K⁻¹z* z*ᵀK⁻¹/(z*·K⁻¹z*)) + u uᵀ/(z*·u).
        let (back, square) = (give * full, (twist / give).dot(twist));
        let (c, bent) = (square / along, back.dot(full));
        let wear = DMat3::from_diagonal(give * c) - outer(back) * (c / bent)
            + outer(twist) * (1.0 / along);
        // Between K u and z* is an angle, by K⁻¹; KB has the eigenvalues c and c(1 ± its sine).
        let sine = (1.0 - along * along / (bent * square)).max(0.0).sqrt();
        let damping = passive_damping(p, damping, c * (1.0 + sine));
        if wear.is_finite() { Bend { wear, damping, ..still } } else { still }
    }

    /// Moves the bristles on by what they carried: `wrench` without drag, under `load`, after a step of
    /// `dt` with the law of this twist and limit surface. Without load they are unbent.
    pub fn advance(
        &mut self,
        surface: &LimitSurface,
        twist: DVec3,
        dt: f64,
        wrench: DVec3,
        load: f64,
    ) -> Result<(), FrictionError> {
        let (_, bend) = self.on(surface, twist, dt)?;
        self.carry(&bend, wrench, load);
        Ok(())
    }

    /// The same for what the bristles did in the step.
    pub(super) fn carry(&mut self, bend: &Bend, wrench: DVec3, load: f64) {
        if !(load > 0.0) || !wrench.is_finite() {
            return self.set_deflection(DVec3::ZERO);
        }
        let damping = bend.damping / bend.dt;
        let push = self.deflection() * damping - wrench / load;
        self.set_deflection(push / (self.parameters().stiffness + damping));
    }

    /// Energy stored in the bristles per unit load, metres: ½σ₀ zᵀK⁻¹z.
    pub fn stored(&self) -> f64 {
        let z = self.deflection();
        0.5 * self.parameters().stiffness * (self.give() * z).dot(z)
    }

    /// ‖v‖ = √(vᵀKv), m/s: over bristles all over the patch the root of the mean square.
    pub(super) fn speed(&self, twist: DVec3) -> f64 {
        (twist / self.give()).dot(twist).sqrt()
    }

    /// K⁻¹. At a point, which does not turn, any number will do for spin.
    fn give(&self) -> DVec3 {
        let (radius, square) = (self.radius(), self.gyration2());
        DVec3::new(1.0, 1.0, 1.0 / if square > 0.0 { square } else { radius * radius })
    }

    /// S.
    fn scale(&self) -> DVec3 {
        DVec3::new(1.0, 1.0, self.radius())
    }
}

/// What three bristles do in one step.
pub(super) struct Bend {
    /// B.
    wear: DMat3,
    /// σ₁, no larger than the step is passive with.
    damping: f64,
    /// g/σ₀.
    largest: f64,
    dt: f64,
}

impl Distributed {
    /// The law of the next step with the cells eliminated: C is the inverse of
    /// Σ share Aᵀ(σ₀h + σ₁)/(1 + hc)A. Arguments as of [`Reduced::law`].
    pub fn law(&self, surface: &LimitSurface, twist: DVec3, dt: f64) -> Result<Law, FrictionError> {
        let speed = twist.x.hypot(twist.y).hypot(self.pressure().spin_radius() * twist.z);
        let (p, g) = (self.parameters(), self.parameters().friction(speed));
        let without = Law::from(set_at(surface, g)?);
        let bent = self.deflections().fold(0.0, |m: f64, z| m.max(z.length()));
        let rheology = Some(Box::new(self.rheology(twist, dt)));
        Ok(Law { rheology, ..bounded(without, p, bent * p.stiffness / g, p.damping / dt)? })
    }

    fn rheology(&self, twist: DVec3, dt: f64) -> Rheology {
        let (p, pressure) = (self.parameters(), self.pressure());
        let (mut stiff, mut push) = (DMat3::ZERO, DVec3::ZERO);
        for ((at, share), z) in pressure.iter().zip(self.deflections()) {
            let frozen = Frozen::of_cell(p, at, twist, dt);
            let lever = at.perp();
            let columns = [DVec2::X, DVec2::Y, lever];
            let k = share * frozen.stiff;
            let entry = |i: usize, j: usize| columns[i].dot(columns[j]) * k;
            stiff += DMat3::from_cols_array_2d(&[0, 1, 2].map(|j| [0, 1, 2].map(|i| entry(i, j))));
            let f = z * (share * frozen.push);
            push += f.extend(lever.dot(f));
        }
        // A line has no stiffness of its own about itself; a point none at all.
        let most = stiff.x_axis.x * pressure.cell() * pressure.cell();
        stiff.z_axis.z = stiff.z_axis.z.max(1e-9 * most);
        let compliance = stiff.inverse();
        let drag = drag(p, pressure.gyration2());
        Rheology { bias: compliance * push, compliance, drag }
    }

    /// Moves the bristles on by what they carried, as [`Reduced::advance`]. A cell bends no further
    /// than its own friction allows: what it gives up is dissipated.
    pub fn advance(&mut self, twist: DVec3, dt: f64, wrench: DVec3, load: f64) {
        let p = *self.parameters();
        if !(load > 0.0) || !wrench.is_finite() {
            return self.set_deflections(std::iter::repeat(DVec2::ZERO));
        }
        let slip = elastic_slip(&self.rheology(twist, dt), wrench, load);
        let pressure = self.pressure().clone();
        for i in 0..pressure.count() {
            let chunk = &pressure.cells.chunks[i / LANES];
            let at = DVec2::new(chunk.x[i % LANES], chunk.y[i % LANES]);
            let z = self.deflection(i);
            let frozen = Frozen::of_cell(&p, at, twist, dt);
            let bent = DVec2::new(slip.x, slip.y) + at.perp() * slip.z;
            let new = (z + bent * dt) / (1.0 + dt * frozen.wear);
            self.set_deflection(i, new.clamp_length_max(frozen.largest));
        }
    }
}

/// The surface of one coefficient scaled to g(speed).
fn set_at(surface: &LimitSurface, g: f64) -> Result<Set, FrictionError> {
    let section = surface.section();
    let mu = section.mu() * g;
    Ok(surface.with_section(Ellipse::new(mu.x, mu.y, section.rotation())?)?.into())
}

/// A law whose set holds all that bristles can carry which creep: bent by `part` of the most that
/// they are in steady sliding, or by all of it, from one side to the other in one step of h; `damping` is
/// σ₁/h. What else bristles carry is bounded by the limit surface.
fn bounded(without: Law, p: &Parameters, part: f64, damping: f64) -> Result<Law, FrictionError> {
    match p.plasticity {
        Plasticity::Above(_) => Ok(without),
        Plasticity::Always => without.scaled(part.max(1.0) * (1.0 + 2.0 * damping / p.stiffness)),
    }
}

/// D; u, m².
fn drag(p: &Parameters, gyration2: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(1.0, 1.0, gyration2) * p.viscosity)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The slip that bent the bristles, if they carried `wrench` (without drag) under `load`.
fn elastic_slip(rheology: &Rheology, wrench: DVec3, load: f64) -> DVec3 {
    -(rheology.compliance * (wrench / load) + rheology.bias)
}

/// The numbers of a cell's bristle for one step.
struct Frozen {
    /// c, 1/s.
    wear: f64,
    /// (σ₀h + σ₁)/(1 + hc).
    stiff: f64,
    /// What a unit of deflection pushes with.
    push: f64,
    /// g/σ₀.
    largest: f64,
}

impl Frozen {
    /// Moving so fast, m/s.
    fn of(p: &Parameters, speed: f64, dt: f64) -> Frozen {
        let g = p.friction(speed);
        let wear = match p.plasticity {
            Plasticity::Above(_) => 0.0,
            Plasticity::Always => p.stiffness * speed / g,
        };
        let damping = passive_damping(p, p.damping_at(speed), wear);
        let rest = 1.0 / (1.0 + dt * wear);
        Frozen {
            wear,
            stiff: (p.stiffness * dt + damping) * rest,
            push: (p.stiffness + damping / dt) * rest - damping / dt,
            largest: p.stiction.max(g) / p.stiffness,
        }
    }

    fn of_cell(p: &Parameters, at: DVec2, twist: DVec3, dt: f64) -> Frozen {
        let speed = (DVec2::new(twist.x, twist.y) + at.perp() * twist.z).length();
        Frozen::of(p, speed, dt)
    }
}

/// σ₁, no larger than the step is passive with.
fn passive_damping(p: &Parameters, damping: f64, wear: f64) -> f64 {
    if wear > 0.0 { damping.min(4.0 * p.stiffness / wear) } else { damping }
}
