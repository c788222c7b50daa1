//! The part of a solid's surface that faces a direction.

use glamx::DVec3;

use super::solid::{Core, PlacedPolyhedron, Round, Solid};

/// Directions nearer to each other than this (radians) count as the same where a feature is
/// looked for.
const ALIGNED: f64 = 1e-6;

/// Cosine of the angle up to which a face counts as turned to a direction: beyond that its other corners
/// are too far away to touch in a step.
pub(crate) const LEAN: f64 = 0.97;

/// A point, a line, a polygon or a disc of a solid's core.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Feature<'a> {
    /// With its number.
    Point(DVec3, u32),
    Segment([DVec3; 2]),
    Polygon(&'a PlacedPolyhedron, usize),
    Disc(Disc),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Disc {
    pub(crate) centre: DVec3,
    pub(crate) normal: DVec3,
    /// In the plane, body axes.
    pub(crate) x: DVec3,
    pub(crate) y: DVec3,
    pub(crate) radius: f64,
}

impl Feature<'_> {
    /// The plane of a polygon or disc: a point and the outward normal.
    pub(crate) fn plane(&self) -> Option<(DVec3, DVec3)> {
        match self {
            Feature::Polygon(poly, face) => Some((poly.corner_of(*face), poly.normals[*face])),
            Feature::Disc(disc) => Some((disc.centre, disc.normal)),
            _ => None,
        }
    }
}

impl Solid {
    /// The face, disc or line whose normal is nearest to `n`.
    pub(crate) fn facing(&self, n: DVec3) -> Feature<'_> {
        match &self.core {
            Core::Point(p) => Feature::Point(*p, 0),
            Core::Segment(ends) => Feature::Segment(*ends),
            Core::Polyhedron(poly) => {
                let face = poly.face_towards(n);
                if poly.normals[face].dot(n) < 0.1 {
                    return self.farthest(n);
                }
                Feature::Polygon(poly, face)
            }
            Core::Round(round) => {
                let radial = round.radial(n);
                let end = round.end_towards(n);
                let side = round.side_normal(radial).dot(n);
                if round.radii[end] > 0.0 && round.end_normal(end).dot(n) > side + 1e-12 {
                    Feature::Disc(round.disc(end))
                } else {
                    Feature::Segment(round.side(radial))
                }
            }
        }
    }

    /// The face, disc or line that is turned to `n`, if one is but for [`LEAN`]; else what lies farthest along
    /// `n`.
    pub(crate) fn turned_to(&self, n: DVec3) -> Feature<'_> {
        let facing = self.facing(n);
        let is_turned = match facing {
            Feature::Point(..) => true,
            Feature::Segment([p, q]) => {
                let along = (q - p).normalize_or_zero().dot(n);
                along * along < 1.0 - LEAN * LEAN
            }
            _ => facing.plane().is_some_and(|(_, normal)| normal.dot(n) > LEAN),
        };
        if is_turned { facing } else { self.farthest(n) }
    }

    /// What lies farthest along `n`.
    pub(crate) fn farthest(&self, n: DVec3) -> Feature<'_> {
        match &self.core {
            Core::Point(p) => Feature::Point(*p, 0),
            Core::Segment([a, b]) => {
                let along = (*b - *a).normalize().dot(n);
                if along.abs() < ALIGNED {
                    Feature::Segment([*a, *b])
                } else if along > 0.0 {
                    Feature::Point(*b, 1)
                } else {
                    Feature::Point(*a, 0)
                }
            }
            Core::Polyhedron(poly) => poly.farthest(n, self.size),
            Core::Round(round) => {
                let (end, radial) = (round.end_towards(n), round.radial(n));
                let [low, high] = round.side(radial);
                if round.radii[end] > 0.0 && round.split(n).1.length() < ALIGNED {
                    return Feature::Disc(round.disc(end));
                }
                let slope = (high - low).normalize().dot(n);
                if slope.abs() < ALIGNED {
                    Feature::Segment([low, high])
                } else {
                    Feature::Point(if slope > 0.0 { high } else { low }, u32::from(slope > 0.0))
                }
            }
        }
    }
}

impl PlacedPolyhedron {
    fn farthest(&self, n: DVec3, size: f64) -> Feature<'_> {
        let face = self.face_towards(n);
        if self.normals[face].cross(n).length() < ALIGNED && self.normals[face].dot(n) > 0.0 {
            return Feature::Polygon(self, face);
        }
        let top = self.max(n);
        let near = |v: DVec3| top - n.dot(v) < ALIGNED * size;
        for (e, _) in self.local.edges.iter().enumerate() {
            let ends = self.edge(e);
            if near(ends[0]) && near(ends[1]) {
                return Feature::Segment(ends);
            }
        }
        let found = self.vertices.iter().position(|v| top - n.dot(*v) <= 0.0).unwrap_or(0);
        Feature::Point(self.vertices[found], found as u32)
    }
}

impl Round {
    fn end_towards(&self, n: DVec3) -> usize {
        usize::from(self.axis.dot(n) > 0.0)
    }

    pub(crate) fn disc(&self, end: usize) -> Disc {
        Disc {
            centre: self.end(end),
            normal: self.end_normal(end),
            x: self.x,
            y: self.z,
            radius: self.radii[end],
        }
    }
}
