//! What a solver needs of bristles for one step: an affine law and a set, per unit load.
//!
//! Over a step h the slip u is split into what bends the bristles and what slips past them, ξ:
//!
//! ```text
//! z⁺ = (z + h K (u − ξ)) / (1 + h c)         implicit Euler, wear c frozen
//! f/N = −(σ₀ z⁺ + σ₁ (z⁺ − z)/h)             the wrench inside the set
//! −ξ is normal to N·S at f                   maximum dissipation past the limit surface
//! ```
//!
//! Eliminating z⁺ gives ξ = u + (C/N) f + b. So a solver treats the block as any other, with the
//! velocity û = u + (C/N) f + b in place of u. Drag −N D u acts outside of the set.
//!
//! The work that goes in is at least the growth of ½σ₀ zᵀK⁻¹z, for any step: σ₀z⁺·K⁻¹(z⁺ − z) is at
//! least that growth, f·ξ ≤ 0 because zero is in the set, and the terms with σ₁ and c form a
//! non-negative square as long as σ₁ ≤ 4σ₀/c. Damping is therefore cut to that.

use glamx::{DMat3, DVec2, DVec3};

use super::{Distributed, Parameters, Plasticity, Reduced};
use crate::FrictionError;
use crate::extent::cells::LANES;
use crate::set::{Ellipse, LimitSurface, Set};

/// Bristles over one step, per unit load, about the centre of pressure in (t, b, spin).
#[derive(Debug, Clone, PartialEq)]
pub struct StepLaw {
    /// b: velocity with which bent bristles push, (m/s, m/s, rad/s).
    pub bias: DVec3,
    /// C: symmetric and positive; û = u + (C/N) f + b. In (m/s, m/s, rad/s) per unit of force over
    /// load.
    pub compliance: DMat3,
    /// D: viscous friction, −N D u, outside of the set.
    pub drag: DMat3,
    /// The limit surface at the present speed.
    pub set: Set,
    /// c of the reduced model, 1/s.
    wear: f64,
    /// h, seconds.
    step: f64,
}

impl StepLaw {
    /// The slip that bent the bristles, if they carried `wrench` (without drag) under `load`.
    pub fn elastic_slip(&self, wrench: DVec3, load: f64) -> DVec3 {
        -(self.compliance * (wrench / load) + self.bias)
    }

    fn new(p: &Parameters, compliance: DMat3, push: DVec3, drag: DVec3, set: Set) -> StepLaw {
        let drag = DMat3::from_diagonal(drag * p.viscosity);
        StepLaw { bias: compliance * push, compliance, drag, set, wear: 0.0, step: 0.0 }
    }
}

/// The surface of one coefficient scaled to g(speed).
fn set_at(surface: &LimitSurface, g: f64) -> Result<Set, FrictionError> {
    let section = surface.section();
    let mu = section.mu() * g;
    Ok(surface.with_section(Ellipse::new(mu.x, mu.y, section.rotation())?)?.into())
}

impl Reduced {
    /// The law of the next step of `dt` seconds. `twist` is the slip when the step begins, which
    /// decides on Stribeck's curve; `surface` is the limit surface for a coefficient of one.
    ///
    /// Elastic up to the surface for elasto-plastic bristles: the smooth transition above the
    /// breakaway is that of the surface. LuGre's creep c = σ₀‖v_S‖/g fades as 1 − (σ₀‖S⁻¹z‖/g)²,
    /// because at full slip the surface itself lets go, and where it does is exact.
    pub fn step_law(
        &self,
        surface: &LimitSurface,
        twist: DVec3,
        dt: f64,
    ) -> Result<StepLaw, FrictionError> {
        let speed = (twist * DVec3::new(1.0, 1.0, self.radius())).length();
        let set = set_at(surface, self.parameters().friction(speed))?;
        Ok(self.step_law_in(set, twist, dt))
    }

    /// The same with the limit surface at the present speed given: any convex set of a patch or, for
    /// a point, of the plane. Bristles bend alike in all directions; the set says how far.
    pub fn step_law_in(&self, set: Set, twist: DVec3, dt: f64) -> StepLaw {
        let p = self.parameters();
        let scale = DVec3::new(1.0, 1.0, self.radius());
        let speed = (twist * scale).length();
        let g = p.friction(speed);
        let wear = match p.plasticity {
            Plasticity::Above(_) => 0.0,
            Plasticity::Always => {
                let part = p.stiffness * (self.deflection() / scale).length() / g;
                p.stiffness * speed / g * (1.0 - part * part).max(0.0)
            }
        };
        let damping = passive_damping(p, speed, wear);
        let rest = 1.0 / (1.0 + dt * wear);
        let give = 1.0 / ((p.stiffness * dt + damping) * rest);
        let compliance = DMat3::from_diagonal(give / (scale * scale));
        let push = self.deflection() * ((p.stiffness + damping / dt) * rest - damping / dt);
        let drag = DVec3::new(1.0, 1.0, self.gyration2());
        let law = StepLaw::new(p, compliance, push, drag, set);
        StepLaw { wear, step: dt, ..law }
    }

    /// Moves the bristles on by what they carried: `wrench` without drag, under `load`. Without
    /// load they are unbent.
    pub fn advance(&mut self, law: &StepLaw, wrench: DVec3, load: f64) {
        if !(load > 0.0) || !wrench.is_finite() {
            return self.set_deflection(DVec3::ZERO);
        }
        let scale = DVec3::new(1.0, 1.0, self.radius());
        let bent = law.elastic_slip(wrench, load) * scale * scale;
        self.set_deflection((self.deflection() + bent * law.step) / (1.0 + law.step * law.wear));
    }

    /// Energy stored in the bristles per unit load, metres: ½σ₀ zᵀS⁻²z.
    pub fn stored(&self) -> f64 {
        let z = self.deflection() / DVec3::new(1.0, 1.0, self.radius());
        0.5 * self.parameters().stiffness * z.length_squared()
    }
}

impl Distributed {
    /// The same with the cells eliminated: C is the inverse of Σ share Aᵀ(σ₀h + σ₁)/(1 + hc)A.
    pub fn step_law(
        &self,
        surface: &LimitSurface,
        twist: DVec3,
        dt: f64,
    ) -> Result<StepLaw, FrictionError> {
        let p = *self.parameters();
        let pressure = self.pressure();
        let speed = twist.x.hypot(twist.y).hypot(pressure.spin_radius() * twist.z);
        let (mut stiff, mut push) = (DMat3::ZERO, DVec3::ZERO);
        for ((at, share), z) in pressure.iter().zip(self.deflections()) {
            let frozen = Frozen::of(&p, at, z, twist, dt);
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
        let drag = DVec3::new(1.0, 1.0, pressure.gyration2());
        let set = set_at(surface, p.friction(speed))?;
        let law = StepLaw::new(&p, stiff.inverse(), push, drag, set);
        // The slip of the beginning is needed again, to freeze the same numbers.
        Ok(StepLaw { step: dt, ..law })
    }

    /// Moves the bristles on by what they carried; `twist` is the one the law was made with. A cell
    /// bends no further than its own friction allows: what it gives up is dissipated.
    pub fn advance(&mut self, law: &StepLaw, twist: DVec3, wrench: DVec3, load: f64) {
        let p = *self.parameters();
        if !(load > 0.0) || !wrench.is_finite() {
            return self.set_deflections(std::iter::repeat(DVec2::ZERO));
        }
        let slip = law.elastic_slip(wrench, load);
        let pressure = self.pressure().clone();
        for i in 0..pressure.count() {
            let chunk = &pressure.cells.chunks[i / LANES];
            let at = DVec2::new(chunk.x[i % LANES], chunk.y[i % LANES]);
            let z = self.deflection(i);
            let frozen = Frozen::of(&p, at, z, twist, law.step);
            let bent = DVec2::new(slip.x, slip.y) + at.perp() * slip.z;
            let new = (z + bent * law.step) / (1.0 + law.step * frozen.wear);
            self.set_deflection(i, new.clamp_length_max(frozen.largest));
        }
    }
}

/// A cell's numbers for one step.
struct Frozen {
    wear: f64,
    /// (σ₀h + σ₁)/(1 + hc).
    stiff: f64,
    /// What a unit of deflection pushes with.
    push: f64,
    /// g/σ₀.
    largest: f64,
}

impl Frozen {
    fn of(p: &Parameters, at: DVec2, z: DVec2, twist: DVec3, dt: f64) -> Frozen {
        let speed = (DVec2::new(twist.x, twist.y) + at.perp() * twist.z).length();
        let g = p.friction(speed);
        let wear = match p.plasticity {
            Plasticity::Above(_) => 0.0,
            Plasticity::Always => {
                let part = p.stiffness * z.length() / g;
                p.stiffness * speed / g * (1.0 - part * part).max(0.0)
            }
        };
        let damping = passive_damping(p, speed, wear);
        let rest = 1.0 / (1.0 + dt * wear);
        Frozen {
            wear,
            stiff: (p.stiffness * dt + damping) * rest,
            push: (p.stiffness + damping / dt) * rest - damping / dt,
            largest: p.stiction.max(g) / p.stiffness,
        }
    }
}

/// σ₁, no larger than the step is passive with.
fn passive_damping(p: &Parameters, speed: f64, wear: f64) -> f64 {
    let damping = p.damping_at(speed);
    if wear > 0.0 { damping.min(4.0 * p.stiffness / wear) } else { damping }
}
