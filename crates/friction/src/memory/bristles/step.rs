//! Bristles over one step, as a solver takes them: an affine law and a set, per unit load.
//!
//! Over a step h the slip u is split into what bends the bristles, what they wear off by, and what slips
//! past them, ξ:
//!
//! ```text
//! K⁻¹(z⁺ − z)/(ϑh) = u − B z⁺ − ξ            wear B frozen; ϑ = (eˣ − 1)/x, x = hc
//! f/N = −(σ₀ z⁺ + σ₁ (z⁺ − z)/h)             the wrench inside the set
//! −ξ is normal to N·S at f                   maximum dissipation past the set
//! ```
//!
//! K = diag(1, 1, ⟨ρ²⟩): a patch turns by its torque over σ₀N⟨ρ²⟩, as bristles all over its area let
//! it. Eliminating z⁺ gives ξ = u + (C/N) f + b with C = (K⁻¹/ϑ + hB)/(σ₀h + σ₁). So a solver treats the
//! block as any other, with the velocity û = u + (C/N) f + b in place of u. Drag −N D u acts outside
//! of the set. With ϑ the step is that of the exact solution for a slip that stays: z⁺ = z e⁻ˣ +
//! (u/c)(1 − e⁻ˣ) for one bristle, where ϑ = 1 would be implicit Euler.
//!
//! LuGre's wear, σ₀‖v‖z/g for one
//! bristle, is in steady sliding all of the slip: B z* = u, where −σ₀z* is the friction of the limit
//! surface for u. Of the symmetric B with that the one nearest to c K⁻¹ is taken, c = uᵀKu/(z*·u),
//! which it is wherever z* is along K u. S is then but a bound on what such bristles can carry, however
//! far a step goes from the u that B was made about.
//!
//! Elasto-plastic bristles wear by β of that, with β of where implicit Euler ends for the same u. Where that is
//! nothing they are elastic up to S, which is the limit surface as long as it is not known where the step ends.
//!
//! The work that goes in is at least the growth of ½σ₀ zᵀK⁻¹z, for any step and whatever slip it ends with,
//! as long as s = σ₁c/σ₀ ≤ p + √(p² − k² + 2x), with c the largest eigenvalue of KB, p = 1 + 1/ϑ and
//! k = 1 − 1/ϑ: f·ξ ≤ 0 because zero is in the set, and what is left is a square in z⁺ and z⁺ − z. The bound
//! is 4 for short steps. Damping is cut to that where the slip that a step ends with is not known yet. Where
//! it is, bristles that are bent no farther than in steady sliding take energy with any damping, for ż
//! and u then go the same way; so the last law of a step has the damping of the equation.

use glamx::{DMat3, DVec2, DVec3};

use super::cells::{Cell, Cells};
use super::{Distributed, Parameters, Plasticity, Reduced, bristle};
use crate::FrictionError;
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
        Ok((set.into(), self.bend(twist, DVec3::from_array(steady), dt, Damping::Passive)))
    }

    /// The law with bristles, from that without.
    pub(super) fn bent(&self, without: Law, bend: &Bend) -> Result<Law, FrictionError> {
        let (p, bent) = (self.parameters(), (self.deflection() / self.scale()).length());
        let rheology = Some(Box::new(self.rheology(bend)));
        let part = bend.loose.then_some(bent / bend.largest);
        Ok(Law { rheology, ..bounded(without, p, part, bend.damping / bend.dt)? })
    }

    fn rheology(&self, bend: &Bend) -> Rheology {
        let (h, z) = (bend.dt, self.deflection());
        let give = DMat3::from_diagonal(self.give() * bend.part);
        let sum = self.parameters().stiffness * h + bend.damping;
        let compliance = (give + bend.wear * h) * (1.0 / sum);
        let bias = (give * z - compliance * z * bend.damping) / h;
        Rheology { bias, compliance, drag: drag(self.parameters(), self.gyration2()) }
    }

    /// What the bristles do in a step about a twist with this friction in steady sliding.
    pub(super) fn bend(&self, twist: DVec3, steady: DVec3, dt: f64, how: Damping) -> Bend {
        let (p, give) = (self.parameters(), self.give());
        let speed = (twist * self.scale()).length();
        let damping = p.damping_at(speed);
        let largest = p.friction(speed) / p.stiffness;
        let full = -steady / p.stiffness;
        let along = full.dot(twist);
        let loose = p.plasticity == Plasticity::Always || how == Damping::Written;
        let still = Bend { wear: DMat3::ZERO, part: 1.0, damping, largest, loose, dt, cut: 0.0 };
        if !(along > 0.0) {
            return still;
        }
        // B = c (K⁻¹ − K⁻¹z* z*ᵀK⁻¹/(z*·K⁻¹z*)) + u uᵀ/(z*·u).
        let (back, square) = (give * full, (twist / give).dot(twist));
        let (c, bent) = (square / along, back.dot(full));
        let wear = DMat3::from_diagonal(give * c) - outer(back) * (c / bent)
            + outer(twist) * (1.0 / along);
        // Between K u and z* is an angle, by K⁻¹; KB has the eigenvalues c and c(1 ± its sine).
        let sine = (1.0 - along * along / (bent * square)).max(0.0).sqrt();
        let plastic = self.plastic(full, c * dt);
        if plastic == 0.0 {
            return still;
        }
        let (wear, c) = (wear * plastic, c * plastic);
        // What is partly elastic goes by implicit Euler, by which its β is found.
        let worn = if p.plasticity == Plasticity::Always { dt * c } else { 0.0 };
        let part = stretch(worn).recip();
        let passive = passive_damping(p, damping, c * (1.0 + sine), worn);
        let kept = if how == Damping::Written { damping } else { passive };
        // What is cut off acts while bristles are on the way to their steady deflection.
        let way = (full - self.deflection()) / self.scale();
        let cut = (damping - kept) * way.length() * -(-dt * c).exp_m1() / dt;
        let bend = Bend { wear, part, damping: kept, cut, loose: true, ..still };
        if wear.is_finite() { bend } else { still }
    }

    /// Whether a step with this twist is plastic, by the ellipsoid.
    pub(super) fn is_plastic(&self, twist: DVec3, dt: f64) -> bool {
        let (p, speed) = (self.parameters(), self.speed(twist));
        let full = twist / self.give() * (p.coulomb / (p.stiffness * speed));
        speed > 0.0 && self.plastic(full, dt * p.stiffness * speed / p.coulomb) > 0.0
    }

    /// Whether bristles that stay elastic in a step with this twist push with more than the limit surface, by the
    /// ellipsoid: what bends them fast resists with σ₁, too.
    pub(super) fn is_cut(&self, twist: DVec3, dt: f64) -> bool {
        let (p, rate) = (self.parameters(), twist / self.give());
        let damping = p.damping_at(self.speed(twist));
        let force = (self.deflection() + rate * dt) * p.stiffness + rate * damping;
        (force / self.scale()).length() > p.coulomb
    }

    /// β of bristles that go towards a steady deflection by `worn` of it (hc): one for LuGre; else that of where
    /// one step of implicit Euler ends.
    fn plastic(&self, full: DVec3, worn: f64) -> f64 {
        let p = self.parameters();
        if p.plasticity == Plasticity::Always {
            return 1.0;
        }
        let [old, way] = [self.deflection(), full].map(|z| (z / self.scale()).to_array());
        // As for one whose largest deflection is ‖way‖ and which goes by ‖way‖ worn.
        let share = bristle::elastic_share(p, p.stiffness, &old, &way, worn);
        // 1 + hβc is one over the share that is left of what elastic bristles would be bent by.
        if share < 1.0 && worn > 0.0 { (1.0 / share - 1.0) / worn } else { 0.0 }
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
    /// 1/ϑ.
    part: f64,
    /// σ₁.
    damping: f64,
    /// g/σ₀.
    largest: f64,
    /// Whether they carry more than the limit surface.
    loose: bool,
    /// Force per unit load that a smaller σ₁ than that of the equation leaves out.
    pub(super) cut: f64,
    dt: f64,
}

impl Bend {
    /// Whether bristles wear in the step.
    pub(super) fn creeps(&self) -> bool {
        self.wear != DMat3::ZERO
    }
}

/// Which σ₁ a step has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Damping {
    /// That of the equation.
    Written,
    /// No larger than the step is passive with, whatever slip it ends with.
    Passive,
}

impl Distributed {
    /// The law of the next step with the cells eliminated, each with g of its own speed. Arguments as of
    /// [`Reduced::law`].
    pub fn law(&self, surface: &LimitSurface, twist: DVec3, dt: f64) -> Result<Law, FrictionError> {
        let speed = twist.x.hypot(twist.y).hypot(self.pressure().spin_radius() * twist.z);
        let g = self.parameters().friction(speed);
        let without = Law::from(set_at(surface, g)?);
        self.cells(twist, dt).law(without, (twist, Damping::Passive), g)
    }

    /// Moves the bristles on by what they carried, as [`Reduced::advance`].
    pub fn advance(&mut self, twist: DVec3, dt: f64, wrench: DVec3, load: f64) {
        let mut cells = self.cells(twist, dt);
        cells.carry((twist, Damping::Passive), wrench, load);
        let bent: Vec<DVec2> = cells.list.iter().map(|cell| cell.bent).collect();
        self.set_deflections(bent.into_iter());
    }

    fn cells(&self, twist: DVec3, dt: f64) -> Cells<'_> {
        let p = self.parameters();
        let cell = |((place, share), bent): ((DVec2, f64), DVec2)| {
            let slip = twist.truncate() + place.perp() * twist.z;
            Cell { place, share, friction: p.friction(slip.length()), bent }
        };
        let list = self.pressure().iter().zip(self.deflections()).map(cell).collect();
        Cells { parameters: p, list, dt }
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
/// σ₁/h. Elastic bristles (no part) are bounded by the limit surface.
pub(super) fn bounded(
    without: Law,
    p: &Parameters,
    part: Option<f64>,
    damping: f64,
) -> Result<Law, FrictionError> {
    match part {
        None => Ok(without),
        Some(part) => without.scaled(part.max(1.0) * (1.0 + 2.0 * damping / p.stiffness)),
    }
}

/// D; u, m².
fn drag(p: &Parameters, gyration2: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::new(1.0, 1.0, gyration2) * p.viscosity)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// σ₁, no larger than a step is passive with; `worn` is x, zero for implicit Euler.
pub(super) fn passive_damping(p: &Parameters, damping: f64, wear: f64, worn: f64) -> f64 {
    let part = stretch(worn).recip();
    let (sum, rest) = (1.0 + part, 1.0 - part);
    let most = sum + (sum * sum - rest * rest + 2.0 * worn).sqrt();
    if wear > 0.0 { damping.min(most * p.stiffness / wear) } else { damping }
}

/// The x from which on bristles forget all but the last digits of what they were.
pub(super) const FORGETS: f64 = 30.0;

/// ϑ = (eˣ − 1)/x.
fn stretch(worn: f64) -> f64 {
    let x = worn.min(FORGETS);
    if x > 0.0 { x.exp_m1() / x } else { 1.0 }
}
