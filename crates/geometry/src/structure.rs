//! Where the structure direction (the grain) of a body comes from.

use std::sync::Arc;

use glamx::DVec3;

use crate::collision::surface::SurfaceFrame;

/// A field of structure directions over a body, in body axes.
#[derive(Clone, Default)]
pub enum StructureField {
    /// No grain of the body's own: that of its surface (constant or texture), if any.
    #[default]
    None,
    /// The same direction everywhere, body axes.
    Constant(DVec3),
    /// A function of the point, both in body axes: radial, concentric, spiral, expressions.
    Procedural(Arc<dyn Fn(DVec3) -> DVec3 + Send + Sync>),
    /// A function of the point, body axes, and of time, seconds.
    Timed(Arc<dyn Fn(DVec3, f64) -> DVec3 + Send + Sync>),
    /// One direction for each vertex of a mesh or height of a height field, body axes, zero where there is no grain;
    /// [`interpolated`] over faces.
    PerVertex(Arc<Vec<DVec3>>),
}

impl StructureField {
    /// Whether it changes in time.
    pub fn follows_time(&self) -> bool {
        matches!(self, StructureField::Timed(_))
    }

    /// Refuses directions of vertices that are not finite, or not one for each of so many.
    pub fn check(&self, vertices: usize) -> Result<(), String> {
        let StructureField::PerVertex(directions) = self else { return Ok(()) };
        if directions.len() != vertices {
            let found = directions.len();
            return Err(format!("a grain for {found} vertices; expected {vertices}, as there are"));
        }
        match directions.iter().position(|d| !d.is_finite()) {
            None => Ok(()),
            Some(bad) => Err(format!("the grain at vertex {bad} is not finite numbers")),
        }
    }

    /// The direction at a point of the surface, body axes, at a time, seconds; `None` where the body has no
    /// grain of its own.
    pub fn at(&self, point: DVec3, time: f64, frame: &SurfaceFrame) -> Option<DVec3> {
        match self {
            StructureField::None => None,
            StructureField::Constant(direction) => Some(*direction),
            StructureField::Procedural(field) => Some(field(point)),
            StructureField::Timed(field) => Some(field(point, time)),
            StructureField::PerVertex(directions) => {
                let Some((vertices, weights)) = frame.barycentric else { return Some(DVec3::ZERO) };
                let corner = |k: u32| directions.get(k as usize).copied().unwrap_or(DVec3::ZERO);
                Some(interpolated(vertices.map(corner), weights))
            }
        }
    }
}

/// The weighted sum of three directions (Erleben 2020, section 5, with barycentric weights), of which only the lines
/// count: of all senses of the three those with the longest sum, so that neighbours do not cancel.
///
/// It does not depend on the order of the corners, and on an edge not on the third one: both faces have the same
/// grain there.
pub fn interpolated(corners: [DVec3; 3], weights: [f64; 3]) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|k| corners[k] * weights[k]);
    let sums = [a + b + c, a + b - c, a - b + c, a - b - c];
    // The first of equals.
    sums.into_iter()
        .reduce(
            |longest, sum| {
                if sum.length_squared() > longest.length_squared() { sum } else { longest }
            },
        )
        .unwrap_or(DVec3::ZERO)
}

impl std::fmt::Debug for StructureField {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            StructureField::None => f.write_str("None"),
            StructureField::Constant(d) => write!(f, "Constant({d})"),
            StructureField::Procedural(_) => f.write_str("Procedural"),
            StructureField::Timed(_) => f.write_str("Timed"),
            StructureField::PerVertex(v) => write!(f, "PerVertex({})", v.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(degrees: f64) -> DVec3 {
        let (sin, cos) = degrees.to_radians().sin_cos();
        DVec3::new(cos, 0.0, sin)
    }

    /// Angle of a line, degrees, 0 to 180.
    fn angle(d: DVec3) -> f64 {
        d.z.atan2(d.x).to_degrees().rem_euclid(180.0)
    }

    #[test]
    fn neighbours_of_opposite_sense_do_not_cancel() {
        for senses in 0..8 {
            let sense = |k: usize| if senses >> k & 1 == 1 { -1.0 } else { 1.0 };
            let corners = [line(10.0) * sense(0), line(20.0) * sense(1), line(30.0) * sense(2)];
            let found = interpolated(corners, [1.0 / 3.0; 3]);
            assert!((angle(found) - 20.0).abs() < 1e-9 && found.length() > 0.9, "{found}");
        }
    }

    /// Lines at 0, 60 and 120 degrees: with senses turned to those of the first corner, the two others cancel on
    /// the edge between them, or not, as another corner is the first.
    #[test]
    fn both_faces_of_an_edge_have_the_same_grain() {
        let [p, q] = [line(60.0), line(120.0)];
        for part in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let weights = [0.0, 1.0 - part, part];
            let alone = angle(interpolated([DVec3::ZERO, p, q], weights));
            for third in (0..180).map(|k| line(f64::from(k))) {
                for (corners, weights) in [
                    ([third, p, q], weights),
                    ([p, q, third], [1.0 - part, part, 0.0]),
                    ([q, -third, -p], [part, 0.0, 1.0 - part]),
                ] {
                    let found = angle(interpolated(corners, weights));
                    assert!((found - alone).abs() < 1e-9, "{found}, not {alone}");
                }
            }
            assert!((60.0..=120.0).contains(&(alone + 1e-9 * (0.5 - part))), "{alone}");
        }
    }

    #[test]
    fn a_corner_without_grain_leaves_that_of_the_others() {
        let found = interpolated([DVec3::ZERO, line(40.0), -line(40.0)], [0.6, 0.2, 0.2]);
        assert!((angle(found) - 40.0).abs() < 1e-9, "{found}");
        assert_eq!(interpolated([DVec3::ZERO; 3], [0.2, 0.4, 0.4]), DVec3::ZERO);
    }
}
