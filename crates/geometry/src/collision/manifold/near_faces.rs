//! The triangles of a mesh near a solid, each placed once, and what is asked of all of them.

use glamx::DVec3;

use super::super::mesh::PlacedMesh;
use super::super::nearest_points::on_polygon;

/// All of them, by number.
#[derive(Debug, Clone, Default)]
pub(super) struct NearFaces(Vec<NearFace>);

/// A triangle, world.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearFace {
    pub(super) number: u32,
    pub(super) normal: DVec3,
    pub(super) corners: [DVec3; 3],
    /// A ball that it lies within.
    centre: DVec3,
    radius: f64,
}

impl NearFace {
    fn new(mesh: &PlacedMesh, number: u32) -> NearFace {
        let corners = mesh.mesh.corners(number, mesh.pose);
        let normal = mesh.normal(number);
        let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
        let reach = corners.map(|corner| corner.distance_squared(centre));
        let radius = reach.into_iter().fold(0.0, f64::max).sqrt() * (1.0 + 1e-9);
        NearFace { number, normal, corners, centre, radius }
    }

    /// The nearest point to a point, and whether it is above or below the triangle.
    pub(super) fn nearest(&self, point: DVec3) -> (DVec3, bool) {
        on_polygon(|i| self.corners[i], 3, self.normal, point)
    }

    /// Whether a point is in front of it.
    pub(super) fn faces(&self, point: DVec3) -> bool {
        self.normal.dot(point - self.corners[0]) >= 0.0
    }

    /// Whether it may be no farther from a point than this.
    #[inline]
    pub(super) fn may_reach(&self, point: DVec3, distance: f64) -> bool {
        let reach = distance + self.radius;
        self.centre.distance_squared(point) <= reach * reach
    }
}

impl NearFaces {
    /// Places the triangles with these numbers.
    pub(super) fn place(&mut self, mesh: &PlacedMesh, numbers: &[u32]) {
        self.0.clear();
        self.0.extend(numbers.iter().map(|number| NearFace::new(mesh, *number)));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &NearFace> {
        self.0.iter()
    }

    /// Whether a point is behind a triangle that is nearest to it; at an edge it may be behind one of several.
    pub(super) fn is_within(&self, point: DVec3) -> bool {
        let mut nearest = f64::INFINITY;
        for face in &self.0 {
            if face.may_reach(point, nearest) {
                nearest = nearest.min(face.nearest(point).0.distance(point));
            }
        }
        let most = nearest * (1.0 + 1e-9);
        self.0.iter().filter(|face| face.may_reach(point, most)).any(|face| {
            let foot = face.nearest(point).0;
            foot.distance(point) <= most && face.normal.dot(point - foot) <= 0.0
        })
    }
}
