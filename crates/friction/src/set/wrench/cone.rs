//! Forces within the cone of a planar section (section 5.2, Eqs. 4 and 10).

use glamx::{DMat2, DMat3, DVec2, DVec3, Vec3Swizzles};

use super::block::inverse;
use super::{Algorithm, Slip, Wrench};
use crate::set::Set;

impl Wrench {
    /// The force of a contact with velocity S f + q that is a point to what remains of it: nothing
    /// where it separates; what holds, if that is in the cone; else a force on the cone whose size
    /// keeps the normal velocity at zero.
    pub(super) fn cone(&self, s: &DMat3, q: DVec3) -> DVec3 {
        if q.x >= 0.0 {
            return DVec3::ZERO;
        }
        let stick = -(inverse(s) * q);
        let friction = stick.yz();
        if stick.x > 0.0 {
            let tolerance = 1e-15 * stick.length();
            if self.section.contains(&friction.to_array(), stick.x, tolerance) {
                return stick;
            }
        }
        if self.algorithm == Algorithm::Printed {
            return self.printed_cone(s, q, stick);
        }
        // Friction per unit load: by projection, or where that has no load, what opposes most.
        let mut part = friction.to_array();
        if stick.x > 0.0 {
            self.section.project(&mut part, stick.x);
            part = part.map(|x| x / stick.x);
        } else {
            self.section.traction(&(-friction).to_array(), 1.0, &mut part);
        }
        let force = on_cone(s, q, part.into());
        let force = match self.slip {
            Slip::Projected => force,
            Slip::Opposed => self.against_slip(s, q, force),
        };
        // Where friction jams (it loads the contact that it loads), as much of it as does not push.
        let power = |f: DVec3| (*s * f + q).yz().dot(f.yz());
        if !(power(force) > 1e-12 * (q.yz().length() + f64::MIN_POSITIVE) * force.length()) {
            return force;
        }
        let whole = force.yz() / force.x;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if power(on_cone(s, q, whole * middle)) <= 0.0 { low = middle } else { high = middle }
        }
        on_cone(s, q, whole * low)
    }

    /// Lines 5–8 as printed: along the projection of the force that would hold; nothing where that does not
    /// push, or where the normal velocity cannot be made zero by a push.
    fn printed_cone(&self, s: &DMat3, q: DVec3, stick: DVec3) -> DVec3 {
        let mut part = stick.yz().to_array();
        if stick.x > 0.0 {
            self.section.project(&mut part, stick.x);
            part = part.map(|x| x / stick.x);
        } else {
            part = [0.0; 2];
        }
        let give = s.x_axis.x + s.y_axis.x * part[0] + s.z_axis.x * part[1];
        let load = -q.x / give;
        if load > 0.0 && load.is_finite() {
            DVec3::new(load, part[0] * load, part[1] * load)
        } else {
            DVec3::ZERO
        }
    }

    /// Turns friction until it opposes the slip: s ← P(s − ρ u/f_n).
    fn against_slip(&self, s: &DMat3, q: DVec3, mut force: DVec3) -> DVec3 {
        if let Set::Disk(disk) = &self.section
            && let Some(force) = turned(s, q, disk.radius(), force)
        {
            return force;
        }
        let tangent = DMat2::from_cols(s.y_axis.yz(), s.z_axis.yz());
        let size = tangent.x_axis.length() + tangent.y_axis.length();
        if !(size > 0.0) {
            return force;
        }
        let mut last = f64::INFINITY;
        for round in 0..TURNS {
            let slip = (*s * force + q).yz() / (size * force.x);
            let old = force.yz() / force.x;
            let new = step(&self.section, old, slip);
            let change = (new - old).length();
            if change <= 1e-16 || !change.is_finite() || (round > 20 && change >= last) {
                break;
            }
            last = change;
            force = on_cone(s, q, new);
        }
        force
    }
}

/// The force on a round cone that opposes the slip, by secants over its angle; nothing where they do
/// not end there.
fn turned(s: &DMat3, q: DVec3, mu: f64, start: DVec3) -> Option<DVec3> {
    let first = start.yz().try_normalize()?;
    // How far the slip is from opposing friction: the sine of the angle between them.
    let miss = |angle: f64| {
        let part = first.rotate(DVec2::from_angle(angle));
        let force = on_cone(s, q, part * mu);
        let slip = (*s * force + q).yz().normalize_or_zero();
        (part.perp_dot(slip), part.dot(slip), force)
    };
    let (mut a, mut b) = (0.0, 1e-3);
    let (mut at_a, mut at_b) = (miss(a), miss(b));
    for _ in 0..SECANTS {
        if at_a.0.abs() < at_b.0.abs() {
            ((a, at_a), (b, at_b)) = ((b, at_b), (a, at_a));
        }
        if at_b.0.abs() <= 1e-15 {
            break;
        }
        let step = at_b.0 * (b - a) / (at_b.0 - at_a.0);
        if !step.is_finite() {
            break;
        }
        let next = b - step.clamp(-0.5, 0.5);
        if next == b {
            break;
        }
        ((a, at_a), (b, at_b)) = ((b, at_b), (next, miss(next)));
    }
    (at_b.0.abs() <= 1e-13 && at_b.1 < 0.0).then_some(at_b.2)
}

/// The force along (1, part) that leaves no normal velocity. Where friction would pull as hard as the
/// normal pushes, less of it.
pub(super) fn on_cone(s: &DMat3, q: DVec3, part: DVec2) -> DVec3 {
    let normal = s.x_axis.x;
    let pull = s.y_axis.x * part.x + s.z_axis.x * part.y;
    let least = LEAST_GIVE * normal;
    let part = if normal + pull < least { part * ((least - normal) / pull) } else { part };
    let give = (normal + pull).max(least);
    if !(give > 0.0) {
        return DVec3::ZERO;
    }
    let load = -q.x / give;
    DVec3::new(load, part.x * load, part.y * load)
}

/// One proximal step of friction per unit load against a scaled slip.
fn step(section: &Set, part: DVec2, slip: DVec2) -> DVec2 {
    if let Set::Tensor(tensor) = section {
        let y = tensor.pull_back_near(part, slip, 1.0) + slip;
        return -tensor.map(y.clamp_length_max(1.0));
    }
    let mut near = (part - slip).to_array();
    section.project(&mut near, 1.0);
    near.into()
}

/// Least effective inverse mass along the cone, as part of that along the normal.
const LEAST_GIVE: f64 = 0.05;
/// Most secants.
const SECANTS: usize = 20;
/// Most turns of friction against the slip.
const TURNS: usize = 200;
