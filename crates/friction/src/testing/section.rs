//! The properties of a section over random contacts.

use glamx::{DQuat, DVec2, DVec3};

use super::Rng;
use super::properties::Case;
use crate::law::{ContactFrame, ContactState};
use crate::section::Section;
use crate::set::{Kind, Set};
use crate::surface::{Surface, SurfacePoint};

/// Rounding errors allowed, relative to the largest force or torque of the contact's set.
const TOLERANCE: f64 = 1e-11;

/// Checks a section at `cases` random contacts between `surfaces` (any two, also one with itself).
///
/// The set of each law passes the properties of [`super::check_set`] and is what the section says of
/// its sets, and follows the load exactly if the section says so; the traction dissipates;
/// exchanging A and B gives the opposite force and torque (Newton's third law); and turning the
/// whole contact turns them with it.
///
/// # Panics
///
/// On the first property that fails, and when the section refuses a pair of the surfaces.
pub fn check_section(label: &str, cases: usize, section: &dyn Section, surfaces: &[Surface]) {
    let mut load_matters = false;
    for number in 0..cases {
        let mut rng = Rng::for_case(label, number);
        let [a, b] = [(); 2].map(|()| &surfaces[rng.index(surfaces.len())]);
        if let Err(why) = section.check(a, b) {
            panic!("{label}, case {number}: {} refuses its surfaces: {why}", section.name());
        }
        let contact = random_contact(&mut rng, a, b);
        // Comparable with the slip and not across the normal: no component is a rounding error.
        let pace = if contact.slip == DVec3::ZERO { 1.0 } else { contact.slip.length() };
        let twist = contact.frame.normal * rng.sign() + rng.unit_vector3() * 0.5;
        let spin = twist * (pace * rng.log_uniform(1e-2, 1e2));
        let load = rng.log_uniform(1e-3, 1e3);
        let law = section.law(&contact);
        let loaded = ContactState { last_load: Some(load), ..contact };
        let follows_load = section.law(&loaded) != law;
        load_matters |= follows_load;
        let set = law.set;
        assert!(
            section.needs().load || !follows_load,
            "{label}, case {number}: needs() says that the load does not matter, but the law follows it"
        );
        assert!(
            !section.never_resists(a, b) || set.support(&vec![1.0; set.dim()], 1.0) == 0.0,
            "{label}, case {number}: never_resists() says that friction is zero, but the law has {set:?}"
        );
        if let Err(why) = keeps_its_word(section, &set) {
            panic!("{label}, case {number}: {why}, but the law has {set:?}");
        }
        let case = Case::new(label, number, &set, load);
        case.check(&mut rng);
        // Tiny coefficients may be what two larger ones left over, with their rounding errors.
        let tolerance = TOLERANCE * case.size.max(1e-3 * load);

        let here = Wrench::of(section, &contact, spin, load);
        let power = here.force.dot(contact.slip) + here.torque.dot(spin);
        let speed = contact.slip.length() + spin.length();
        let there = Wrench::of(section, &contact.exchanged(), -spin, load).opposite();
        let turn = rng.rotation();
        let turned = Wrench::of(section, &turned(&contact, turn), turn * spin, load);
        let expected = Wrench { force: turn * here.force, torque: turn * here.torque };

        let failure = if !(power <= tolerance * speed) {
            format!("traction dissipates? power {power:e} of {here:?}")
        } else if !here.is_near(&there, tolerance) {
            format!("exchanging A and B gives the opposite? {here:?}, exchanged {there:?}")
        } else if !turned.is_near(&expected, tolerance) {
            format!("turning the contact turns the traction? {turned:?}, expected {expected:?}")
        } else {
            continue;
        };
        let axes = contact.surfaces.map(|s| (&s.surface.name, s.tangent, s.bitangent, s.uv));
        panic!(
            "{label}, case {number}: {failure}; load {load:e}, slip {:?}, spin {spin:?}, normal \
             {:?}, surfaces {axes:?}, {set:?}",
            contact.slip, contact.frame.normal
        );
    }
    assert!(
        load_matters == section.needs().load,
        "{label}: needs() says that the load matters, but no law follows it"
    );
}

/// Whether a set is what the section says of its sets.
fn keeps_its_word(section: &dyn Section, set: &Set) -> Result<(), &'static str> {
    let carries_spin = set.dim() == 2 && set.kind() == Kind::Convex;
    if section.no_limit_surface().is_none() && !carries_spin {
        return Err("the section says that a patch can carry spin with it");
    }
    if !section.needs().surfaces && !matches!(set, Set::Disk(_)) {
        return Err("the section looks at no surface, so that its sets are disks");
    }
    Ok(())
}

/// A contact of two surfaces in any position: normals and axes of all directions, tilted and
/// mirrored surfaces, tangents along the normal, slips over eight decades and sometimes zero.
pub fn random_contact<'a>(rng: &mut Rng, a: &'a Surface, b: &'a Surface) -> ContactState<'a> {
    let normal = rng.unit_vector3();
    let mut point = |surface: &'a Surface, outward: DVec3| {
        let tilted = rng.chance(0.3);
        let outward =
            if tilted { (outward + rng.unit_vector3() * 0.3).normalize() } else { outward };
        let side = outward.any_orthonormal_vector();
        let mut tangent = DQuat::from_axis_angle(outward, rng.uniform(0.0, 6.3)) * side;
        let mut bitangent = outward.cross(tangent) * if rng.chance(0.2) { -1.0 } else { 1.0 };
        if rng.chance(0.03) {
            (tangent, bitangent) = (normal * rng.sign(), tangent);
            bitangent = (bitangent - normal * bitangent.dot(normal)).normalize();
        }
        let uv = DVec2::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0));
        surface.at(tangent, bitangent, uv)
    };
    let surfaces = [point(a, normal), point(b, -normal)];
    let frame = ContactFrame::from_normal(normal);
    let approach = normal * rng.uniform(-1.0, 1.0);
    let slip = (frame.to_world(rng.unit_vector2()) + approach) * rng.log_uniform(1e-6, 1e2);
    let slip = if rng.chance(0.02) { DVec3::ZERO } else { slip };
    let last_load = if rng.chance(0.5) { Some(rng.log_uniform(1e-3, 1e3)) } else { None };
    let dt = rng.log_uniform(1e-4, 1e-1);
    let area = if rng.chance(0.2) { 0.0 } else { rng.log_uniform(1e-8, 1.0) };
    ContactState {
        slip,
        free_slip: slip,
        last_load,
        area,
        ..ContactState::new(frame, surfaces, dt)
    }
}

/// Friction on B in world axes.
#[derive(Debug, Clone, Copy)]
struct Wrench {
    force: DVec3,
    torque: DVec3,
}

impl Wrench {
    /// The traction for the contact's slip and a relative angular velocity, world axes.
    fn of(section: &dyn Section, contact: &ContactState, spin: DVec3, load: f64) -> Wrench {
        let set = section.law(contact).set;
        let ContactFrame { normal, t, b } = contact.frame;
        let torque_axes: &[DVec3] = match set.dim() {
            2 => &[],
            3 => &[normal],
            4 => &[t, b],
            dim => panic!("{} gives a set of {dim} rows in space", section.name()),
        };
        let slip = contact.plane_slip();
        let mut velocity = vec![slip.x, slip.y];
        velocity.extend(torque_axes.iter().map(|axis| axis.dot(spin)));
        let mut f = vec![0.0; velocity.len()];
        set.traction(&velocity, load, &mut f);
        let torque = torque_axes.iter().zip(&f[2..]).map(|(axis, m)| *axis * *m).sum();
        Wrench { force: t * f[0] + b * f[1], torque }
    }

    fn opposite(self) -> Wrench {
        Wrench { force: -self.force, torque: -self.torque }
    }

    fn is_near(&self, other: &Wrench, tolerance: f64) -> bool {
        self.force.distance(other.force) <= tolerance
            && self.torque.distance(other.torque) <= tolerance
    }
}

/// The same contact in a world turned by `turn`.
pub(super) fn turned<'a>(contact: &ContactState<'a>, turn: DQuat) -> ContactState<'a> {
    ContactState {
        frame: ContactFrame::from_normal((turn * contact.frame.normal).normalize()),
        surfaces: contact.surfaces.map(|s| SurfacePoint {
            tangent: turn * s.tangent,
            bitangent: turn * s.bitangent,
            structure: turn * s.structure,
            ..s
        }),
        slip: turn * contact.slip,
        free_slip: turn * contact.free_slip,
        ..*contact
    }
}
