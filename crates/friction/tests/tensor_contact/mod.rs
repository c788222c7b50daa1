//! Contacts of two surfaces with friction tensors; the normal is z, so t = x and b = y.

use asperity_friction::section::{Composition, FrictionTensors, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::{Surface, SurfaceTensor};
use asperity_friction::{ContactFrame, ContactState};
use glamx::{DMat2, DVec2, DVec3};

/// A matrix by rows, as it is written.
pub(crate) fn matrix(rows: [[f64; 2]; 2]) -> DMat2 {
    DMat2::from_cols_array_2d(&rows).transpose()
}

pub(crate) fn orthotropic(mu_1: f64, mu_2: f64) -> Surface {
    Surface::new("orthotropic").with_tensor(SurfaceTensor::orthotropic(mu_1, mu_2).unwrap())
}

/// A contact whose surfaces have their tangents at these angles from t, in degrees.
pub(crate) fn contact<'a>(
    a: &'a Surface,
    angle_a: f64,
    b: &'a Surface,
    angle_b: f64,
    slip: DVec2,
) -> ContactState<'a> {
    let at = |surface: &'a Surface, degrees: f64, outward: DVec3| {
        let tangent = DVec2::from_angle(degrees.to_radians()).extend(0.0);
        surface.at(tangent, outward.cross(tangent), DVec2::ZERO)
    };
    let frame = ContactFrame::from_normal(DVec3::Z);
    let surfaces = [at(a, angle_a, DVec3::Z), at(b, angle_b, -DVec3::Z)];
    let slip = slip.extend(0.0);
    ContactState { slip, free_slip: slip, ..ContactState::new(frame, surfaces, 0.01) }
}

/// Friction on B per unit load for a slip.
pub(crate) fn force(set: &Set, slip: DVec2) -> DVec2 {
    let mut force = [0.0; 2];
    set.traction(&slip.to_array(), 1.0, &mut force);
    force.into()
}

/// Friction on B per unit load for the contact's own slip.
pub(crate) fn traction(section: &dyn Section, contact: &ContactState) -> DVec2 {
    force(&section.law(contact).set, contact.plane_slip())
}

/// Friction of a surface turned by some degrees as A, against one without friction.
pub(crate) fn alone(surface: &Surface, degrees: f64, slip: DVec2) -> DVec2 {
    let ice = orthotropic(0.0, 0.0);
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).unwrap();
    traction(&section, &contact(surface, degrees, &ice, 0.0, slip))
}

pub(crate) fn assert_near(found: DVec2, expected: DVec2) {
    assert!(found.distance(expected) < 1e-14, "{found} is not {expected}");
}
