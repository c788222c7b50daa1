//! The grain of soft bodies: a field over the body at rest that goes with its triangles.

use asperity_geometry::collision::surface::SurfaceFrame;
use asperity_geometry::structure::StructureField;
use glamx::{DPose3, DVec2, DVec3};

use super::Soft;

/// Where the grain of a soft body comes from.
#[derive(Debug, Clone, Default)]
pub struct RestStructure {
    /// A field over the body where it was when it was added, in axes of its own.
    pub field: StructureField,
    /// From these axes to the world.
    pub placed: DPose3,
}

impl RestStructure {
    /// Refuses a grain for other vertices than the body has.
    pub(super) fn check(&self, vertices: usize) -> Result<(), String> {
        self.field.check(vertices)
    }
}

/// The grain at each corner of each triangle, as parts of its edges AB and AC: as they are drawn out and turned, so
/// is the grain.
pub(super) type Parts = Vec<[DVec2; 3]>;

/// The grain of all soft bodies now, triangle by triangle around each vertex.
#[derive(Debug, Default)]
pub(super) struct Grains {
    /// The corners at vertex v are those from `starts[v]` to `starts[v + 1]`; none where its body has no field.
    starts: Vec<usize>,
    corners: Vec<Corner>,
}

/// A triangle at one of its corners, world axes.
#[derive(Debug, Clone, Copy, Default)]
struct Corner {
    /// The grain, the longer the larger the triangle is.
    grain: DVec3,
    /// Unit normal.
    normal: DVec3,
}

impl Grains {
    /// Finds the grain at a time, where the bodies are.
    pub(super) fn find(&mut self, list: &mut [Soft], time: f64) {
        self.starts.clear();
        self.corners.clear();
        let has_field = |soft: &&mut Soft| !matches!(soft.structure.field, StructureField::None);
        for soft in list.iter_mut().filter(has_field) {
            if soft.grain.is_empty() || soft.structure.field.follows_time() {
                soft.grain = at_rest(soft, time);
            }
            self.add(soft);
        }
    }

    fn add(&mut self, soft: &Soft) {
        let Soft { body, first, grain, .. } = soft;
        let begin = self.corners.len();
        self.starts.resize(first + 1, begin);
        // How many corners each vertex has, then where they end, which each one of them moves back.
        let mut ends = vec![0; body.positions.len()];
        for v in body.triangles.iter().flatten() {
            ends[*v as usize] += 1;
        }
        let mut end = begin;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        self.starts.extend(&ends);
        self.corners.resize(end, Corner::default());
        for (triangle, parts) in body.triangles.iter().zip(grain).rev() {
            let [a, b, c] = triangle.map(|v| body.positions[v as usize]);
            let (e, f) = (b - a, c - a);
            let normal = e.cross(f).normalize_or_zero();
            for (v, part) in triangle.iter().zip(parts).rev() {
                let end = &mut ends[*v as usize];
                *end -= 1;
                self.corners[*end] = Corner { grain: e * part.x + f * part.y, normal };
            }
        }
    }

    /// The grain at a vertex of a surface with this normal, of any length; `None` where its body has no field. Around
    /// an edge of a solid each face has its own: those that face the contact count.
    pub(super) fn at(&self, vertex: usize, normal: DVec3) -> Option<DVec3> {
        let [from, to] = [vertex, vertex + 1].map(|k| self.starts.get(k).copied());
        let corners = self.corners.get(from?..to?).filter(|corners| !corners.is_empty())?;
        Some(corners.iter().fold(DVec3::ZERO, |sum, corner| {
            let grain = corner.grain * corner.normal.dot(normal).powi(2);
            // Only the line counts, not its sense.
            sum + if sum.dot(grain) < 0.0 { -grain } else { grain }
        }))
    }
}

/// The parts of a body's field at a time.
fn at_rest(soft: &Soft, time: f64) -> Parts {
    let RestStructure { field, placed } = &soft.structure;
    let corners = |triangle: &[u32; 3]| {
        let rest = triangle.map(|v| placed.inverse_transform_point(soft.rest[v as usize]));
        let direction = |k: usize| {
            let mut weights = [0.0; 3];
            weights[k] = 1.0;
            let frame = SurfaceFrame {
                tangent: DVec3::ZERO,
                bitangent: DVec3::ZERO,
                uv: DVec2::ZERO,
                barycentric: Some((*triangle, weights)),
            };
            in_edges(rest, field.at(rest[k], time, &frame).unwrap_or(DVec3::ZERO))
        };
        [0, 1, 2].map(direction)
    };
    soft.body.triangles.iter().map(corners).collect()
}

/// A direction laid into a triangle, as parts of its edges AB and AC, times its area; zero where it is along the
/// normal, or the triangle has no area.
fn in_edges([a, b, c]: [DVec3; 3], direction: DVec3) -> DVec2 {
    let (e, f) = (b - a, c - a);
    let normal = e.cross(f);
    let flat = direction.normalize_or_zero().reject_from(normal);
    if !(flat.length() > ALONG_NORMAL) {
        return DVec2::ZERO;
    }
    let d = flat.normalize();
    DVec2::new(d.cross(f).dot(normal), e.cross(d).dot(normal)) / normal.length()
}

/// A direction this near to the normal of a triangle, radians, is no direction along it.
const ALONG_NORMAL: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle that is sheared and turned takes its grain along: F d, not the turn alone.
    #[test]
    fn a_grain_goes_with_the_edges_of_its_triangle() {
        let rest = [DVec3::ZERO, DVec3::new(0.3, 0.0, 0.1), DVec3::new(-0.1, 0.0, 0.4)];
        let shear = |p: DVec3| DVec3::new(p.x + 0.7 * p.z, 0.2 * p.x, p.z);
        for angle in 0..12 {
            let (sin, cos) = (f64::from(angle) * 0.5).sin_cos();
            let d = DVec3::new(cos, 0.0, sin);
            let part = in_edges(rest, d);
            let [a, b, c] = rest.map(shear);
            let found = ((b - a) * part.x + (c - a) * part.y).normalize();
            let expected = shear(d).normalize();
            assert!(found.distance(expected) < 1e-14, "{found}, not {expected}");
        }
        assert_eq!(in_edges(rest, DVec3::Y), DVec2::ZERO, "along the normal");
        assert_eq!(in_edges([DVec3::X; 3], DVec3::Y), DVec2::ZERO, "no area");
    }
}
