//! Bristles over one step, as a solver takes them: an affine law and a set, per unit load.
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
use crate::law::{Law, Rheology};
use crate::set::{Ellipse, LimitSurface, Set};

impl Reduced {
    /// The law of the next step of `dt` seconds. `twist` is the slip when the step begins, which
    /// decides on Stribeck's curve; `surface` is the limit surface for a coefficient of one.
    ///
    /// Elastic up to the surface for elasto-plastic bristles: the smooth transition above the
    /// breakaway is that of the surface. LuGre's creep c = σ₀‖v_S‖/g fades as 1 − (σ₀‖S⁻¹z‖/g)²,
    /// because at full slip the surface itself lets go, and where it does is exact.
    pub fn law(&self, surface: &LimitSurface, twist: DVec3, dt: f64) -> Result<Law, FrictionError> {
        let speed = (twist * self.scale()).length();
        let set = set_at(surface, self.parameters().friction(speed))?;
        let rheology = Some(Box::new(self.rheology(twist, dt)));
        Ok(Law { rheology, ..Law::from(set) })
    }

    /// The same but for the limit surface: of a patch, or of a point in the plane, with any convex
    /// set. Bristles bend alike in all directions; the set says how far.
    pub fn rheology(&self, twist: DVec3, dt: f64) -> Rheology {
        let (frozen, scale) = (self.frozen(twist, dt), self.scale());
        let give = 1.0 / frozen.stiff;
        let compliance = DMat3::from_diagonal(give / (scale * scale));
        let push = self.deflection() * frozen.push;
        rheology(self.parameters(), compliance, push, self.gyration2())
    }

    /// Moves the bristles on by what they carried: `wrench` without drag, under `load`, after a step
    /// with the law of this twist and `dt`. Without load they are unbent.
    pub fn advance(&mut self, twist: DVec3, dt: f64, wrench: DVec3, load: f64) {
        if !(load > 0.0) || !wrench.is_finite() {
            return self.set_deflection(DVec3::ZERO);
        }
        let scale = self.scale();
        let slip = elastic_slip(&self.rheology(twist, dt), wrench, load);
        let wear = self.frozen(twist, dt).wear;
        let bent = slip * scale * scale;
        self.set_deflection((self.deflection() + bent * dt) / (1.0 + dt * wear));
    }

    /// Energy stored in the bristles per unit load, metres: ½σ₀ zᵀS⁻²z.
    pub fn stored(&self) -> f64 {
        let z = self.deflection() / self.scale();
        0.5 * self.parameters().stiffness * z.length_squared()
    }

    fn frozen(&self, twist: DVec3, dt: f64) -> Frozen {
        let scale = self.scale();
        let (bent, speed) = ((self.deflection() / scale).length(), (twist * scale).length());
        Frozen::of(self.parameters(), bent, speed, dt)
    }

    /// S.
    fn scale(&self) -> DVec3 {
        DVec3::new(1.0, 1.0, self.radius())
    }
}

impl Distributed {
    /// The law of the next step with the cells eliminated: C is the inverse of
    /// Σ share Aᵀ(σ₀h + σ₁)/(1 + hc)A. Arguments as of [`Reduced::law`].
    pub fn law(&self, surface: &LimitSurface, twist: DVec3, dt: f64) -> Result<Law, FrictionError> {
        let speed = twist.x.hypot(twist.y).hypot(self.pressure().spin_radius() * twist.z);
        let set = set_at(surface, self.parameters().friction(speed))?;
        let rheology = Some(Box::new(self.rheology(twist, dt)));
        Ok(Law { rheology, ..Law::from(set) })
    }

    fn rheology(&self, twist: DVec3, dt: f64) -> Rheology {
        let (p, pressure) = (self.parameters(), self.pressure());
        let (mut stiff, mut push) = (DMat3::ZERO, DVec3::ZERO);
        for ((at, share), z) in pressure.iter().zip(self.deflections()) {
            let frozen = Frozen::of_cell(p, at, z, twist, dt);
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
        rheology(p, stiff.inverse(), push, pressure.gyration2())
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
            let frozen = Frozen::of_cell(&p, at, z, twist, dt);
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

/// `push` is what the bristles push with per unit load when the step begins; u, m².
fn rheology(p: &Parameters, compliance: DMat3, push: DVec3, gyration2: f64) -> Rheology {
    let drag = DVec3::new(1.0, 1.0, gyration2) * p.viscosity;
    Rheology { bias: compliance * push, compliance, drag: DMat3::from_diagonal(drag) }
}

/// The slip that bent the bristles, if they carried `wrench` (without drag) under `load`.
fn elastic_slip(rheology: &Rheology, wrench: DVec3, load: f64) -> DVec3 {
    -(rheology.compliance * (wrench / load) + rheology.bias)
}

/// A bristle's numbers for one step.
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
    /// Bent so far, metres, and moving so fast, m/s.
    fn of(p: &Parameters, bent: f64, speed: f64, dt: f64) -> Frozen {
        let g = p.friction(speed);
        let wear = match p.plasticity {
            Plasticity::Above(_) => 0.0,
            Plasticity::Always => {
                let part = p.stiffness * bent / g;
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

    fn of_cell(p: &Parameters, at: DVec2, z: DVec2, twist: DVec3, dt: f64) -> Frozen {
        let speed = (DVec2::new(twist.x, twist.y) + at.perp() * twist.z).length();
        Frozen::of(p, z.length(), speed, dt)
    }
}

/// σ₁, no larger than the step is passive with.
fn passive_damping(p: &Parameters, speed: f64, wear: f64) -> f64 {
    let damping = p.damping_at(speed);
    if wear > 0.0 { damping.min(4.0 * p.stiffness / wear) } else { damping }
}
