//! Friction as a drag that the next solve takes: how it follows from loads and slips.

use std::ops::Range;

use asperity_friction::ContactFrame;
use glamx::{DMat2, DMat3, DVec3};

use super::held_vertices::{HeldContact, HeldVertices, outer};
use super::implicit_contact::Problem;
use super::laws::scale;
use super::resist::{force_by_law, resistance};

impl HeldVertices {
    /// The speeds for the next round: those that came out, or further along the way that all of
    /// them go (Anderson's acceleration of the logarithms, with one step before). Taken each for
    /// itself, contacts of a stiff cloth would hand their loads to and fro.
    pub(crate) fn relax(&mut self, range: &Range<usize>, creep: f64) {
        let (mut along, mut bend, mut size) = (0.0, 0.0, 0.0);
        let own = |t: &HeldContact| t.active && range.contains(&(t.vertex as usize));
        for t in self.list.iter().filter(|t| own(t)) {
            if let (Some([put, got]), Some([p, g])) = (t.tried, t.before) {
                let (way, turn) = (got - put, (got - put) - (g - p));
                let weight = t.load * t.load;
                along += weight * way * turn;
                bend += weight * turn * turn;
                size += weight * way * way;
            }
        }
        // Where the steps hardly get shorter, as far as is allowed.
        let part = if bend > STEADY * size { along / bend } else { f64::NEG_INFINITY };
        for t in self.list.iter_mut().filter(|t| own(t)) {
            let Some([put, got]) = t.tried else { continue };
            let mut next = got;
            if let Some([_, g]) = t.before.filter(|_| size > 0.0) {
                let far = if part.is_finite() { part * (g - got) } else { (got - put) * 1e9 };
                next = got + far.clamp(-FAR, FAR);
            }
            t.speed = creep * next.exp().max(1.0);
        }
    }

    /// The friction that acted at a sliding contact in the last solve.
    pub(super) fn friction_now(&self, k: usize, problem: &Problem, velocity: DVec3) -> DVec3 {
        let (touch, c) = (&self.list[k], &problem.contacts.list[k]);
        let plane = &touch.plane;
        let slip = plane.to_plane(velocity - problem.contacts.surface_velocity(c));
        let law = &problem.laws[k];
        let load = scale(law, touch.load, problem.dt);
        let (symmetric, rest) = resistance(&law.set, plane.to_plane(touch.along));
        plane.to_world(symmetric * slip * (-load / touch.speed) - rest * load)
    }

    /// Direction of slip and load for the next round, after one in which friction `acted`, and the
    /// speed that came out. Returns how far friction was off the law.
    pub(super) fn slides(
        &mut self,
        k: usize,
        problem: &Problem,
        velocity: DVec3,
        (acted, load, inverse_mass): (DVec3, f64, f64),
    ) -> f64 {
        let (c, law) = (&problem.contacts.list[k], &problem.laws[k]);
        let plane = self.list[k].plane;
        let strength = scale(law, load, problem.dt);
        let slip = plane.to_plane(velocity - problem.contacts.surface_velocity(c));
        let acted = plane.to_plane(acted);
        let speed = slip.length();
        let error = acted.distance(force_by_law(&law.set, slip) * strength);
        let touch = &mut self.list[k];
        let was = touch.speed;
        // Part of the admissible force that acted.
        let used = speed / was * scale(law, touch.load, problem.dt);
        touch.load = load;
        touch.along = plane.to_world(slip / speed.max(f64::MIN_POSITIVE));
        touch.before = touch.tried;
        let over_creep = |speed: f64| (speed / problem.creep).max(1.0).ln();
        touch.tried = Some([over_creep(was), over_creep(speed)]);
        // Within the law it is off by what moves though it should not.
        if used <= strength { error.min(speed / inverse_mass) } else { error }
    }
}

pub(super) fn lifted(plane: &ContactFrame, m: DMat2) -> DMat3 {
    let (t, b) = (plane.t, plane.b);
    outer(t, t) * m.x_axis.x
        + outer(b, b) * m.y_axis.y
        + (outer(t, b) + outer(b, t)) * (0.5 * (m.x_axis.y + m.y_axis.x))
}

/// Speed at which what sticks gives way, m/s: a hundred-thousandth of that after a fall by the thickness of
/// the contact, a micrometre per second for a millimetre of cloth on earth. Where nothing falls, a part of the
/// thickness in each step.
pub(super) fn creep(thickness: f64, gravity: f64, dt: f64) -> f64 {
    let fall = (gravity * thickness).sqrt();
    if fall > 0.0 { CREEP * fall } else { CREEP * thickness / dt }
}

const CREEP: f64 = 1e-5;

/// Slip, over the change of velocity that the load would be for the vertex alone, below which a
/// contact counts as one that sticks.
pub(super) const STOPPED: f64 = 1e-4;

/// Squared part of a step by which the next one must differ to tell where they lead.
const STEADY: f64 = 1e-4;

/// Logarithm of how far speeds are extrapolated at most.
const FAR: f64 = 2.3;
