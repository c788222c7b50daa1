//! A contact to look at: two surfaces that lie on each other, turned about the normal.

use asperity::friction::section::Section;
use asperity::friction::set::Sector;
use asperity::friction::surface::{Structure, Surface, SurfaceTensor};
use asperity::friction::{ContactFrame, ContactState, FrictionError, Law};

/// Speed of a contact that slides, m/s: any that no threshold calls rest.
pub(crate) const SLIDING: f64 = 1.0;

/// The law of a section for surface A turned by the first angle (degrees) and B by the second, over
/// an area in square metres. The normal is +z, from A to B; A's axes at angle zero are x and y, and
/// B's are x and −y, for B's bitangent is its outward normal, −z, × its tangent.
pub(crate) fn contact_law(
    section: &dyn Section,
    surfaces: [&Surface; 2],
    degrees: [f64; 2],
    speed: f64,
    area: f64,
) -> Result<Law, FrictionError> {
    let [a, b] = surfaces;
    section.check(a, b)?;
    finite("angle of surface A", degrees[0])?;
    finite("angle of surface B", degrees[1])?;
    let [(sin_a, cos_a), (sin_b, cos_b)] = degrees.map(sin_cos);
    let uv = [0.0, 0.0].into();
    let surfaces = [
        a.at([cos_a, sin_a, 0.0].into(), [-sin_a, cos_a, 0.0].into(), uv),
        b.at([cos_b, sin_b, 0.0].into(), [sin_b, -cos_b, 0.0].into(), uv),
    ];
    let frame = ContactFrame::from_normal([0.0, 0.0, 1.0].into());
    let contact = ContactState {
        slip: [speed, 0.0, 0.0].into(),
        free_slip: [speed, 0.0, 0.0].into(),
        area,
        ..ContactState::new(frame, surfaces, 0.01)
    };
    Ok(section.law(&contact))
}

/// A surface with its grain along its tangent.
pub(crate) fn grained(name: &str) -> Surface {
    Surface::new(name).with_structure(Structure::Constant([1.0, 0.0].into()))
}

/// A friction tensor from Q11, Q12, Q21, Q22, and another for the negative sense.
pub(crate) fn surface_tensor(
    positive: [f64; 4],
    negative: Option<[f64; 4]>,
) -> Result<SurfaceTensor, FrictionError> {
    let positive = sector(0.0, positive).matrix;
    match negative {
        None => SurfaceTensor::full(positive),
        Some(negative) => SurfaceTensor::asymmetric(positive, sector(0.0, negative).matrix),
    }
}

/// An angle in degrees that is a number.
pub(crate) fn finite(what: &str, value: f64) -> Result<f64, FrictionError> {
    let expected = "a finite number of degrees";
    let error = || FrictionError::Value { what: what.to_owned(), value, expected };
    if value.is_finite() { Ok(value) } else { Err(error()) }
}

/// Sine and cosine of degrees, exact at right angles.
fn sin_cos(degrees: f64) -> (f64, f64) {
    let quarter = (degrees / 90.0).round();
    let (sin, cos) = (degrees - 90.0 * quarter).to_radians().sin_cos();
    match quarter.rem_euclid(4.0) {
        1.0 => (cos, -sin),
        2.0 => (-sin, -cos),
        3.0 => (-cos, sin),
        _ => (sin, cos),
    }
}

/// A sector of a tensor from its first ray (radians) and Q11, Q12, Q21, Q22.
#[allow(clippy::default_trait_access, reason = "the library's matrix type has no name here")]
pub(crate) fn sector(start: f64, [q11, q12, q21, q22]: [f64; 4]) -> Sector {
    let mut sector = Sector { start, matrix: Default::default() };
    sector.matrix.x_axis = [q11, q21].into();
    sector.matrix.y_axis = [q12, q22].into();
    sector
}
