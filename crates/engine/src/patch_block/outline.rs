//! The shape of a patch.

use asperity_friction::ContactFrame;
use glamx::{DVec2, DVec3};

use asperity_geometry::collision::Patch;

/// The patch about its centroid, in the axes of the block's frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outline {
    Disc(f64),
    Polygon(Vec<DVec2>),
    /// Length. Only with bristles, as a point.
    Line(f64),
    /// Without torque.
    Point,
}

/// Lines shorter than this are points, metres.
const SHORTEST: f64 = 1e-6;
/// Patches whose corners differ by less than this part of their size are the same.
const SAME: f64 = 1e-9;

impl Outline {
    /// The patch, and the frame in whose axes it is.
    pub(super) fn of(patch: &Patch, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        if let Some((_, radius)) = patch.disc {
            return Some((*frame, Outline::Disc(radius)));
        }
        let n = patch.outline.len();
        if n < 3 || !(patch.area > 0.0) {
            return None;
        }
        let side = |i: usize| patch.outline[(i + 1) % n] - patch.outline[i];
        let longer = |best: usize, i: usize| {
            if side(i).length_squared() > side(best).length_squared() { i } else { best }
        };
        let first = (1..n).fold(0, longer);
        let along = side(first);
        let t = (along - frame.normal * along.dot(frame.normal)).try_normalize()?;
        let frame = ContactFrame { normal: frame.normal, t, b: frame.normal.cross(t) };
        let corner = |i: usize| frame.to_plane(patch.outline[(first + i) % n] - patch.centroid);
        Some((frame, Outline::Polygon((0..n).map(corner).collect())))
    }

    /// A line or a point, and the frame in whose axes it is.
    pub(super) fn thin(patch: &Patch, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        let first = *patch.outline.first()?;
        let farther = |best: DVec3, p: &DVec3| {
            let side = *p - first;
            if side.length_squared() > best.length_squared() { side } else { best }
        };
        let along = patch.outline.iter().fold(DVec3::ZERO, farther);
        let flat = along - frame.normal * along.dot(frame.normal);
        if flat.length() < SHORTEST {
            return Some((*frame, Outline::Point));
        }
        let t = flat.normalize();
        let frame = ContactFrame { normal: frame.normal, t, b: frame.normal.cross(t) };
        Some((frame, Outline::Line(flat.length())))
    }

    pub(super) fn is_same(&self, other: &Outline) -> bool {
        match (self, other) {
            (Outline::Disc(a), Outline::Disc(b)) | (Outline::Line(a), Outline::Line(b)) => {
                (a - b).abs() <= SAME * a
            }
            (Outline::Point, Outline::Point) => true,
            (Outline::Polygon(a), Outline::Polygon(b)) => {
                let size = a.iter().fold(0.0, |m: f64, p| m.max(p.length()));
                let near = |(p, q): (&DVec2, &DVec2)| (*p - *q).length() <= SAME * size;
                a.len() == b.len() && a.iter().zip(b).all(near)
            }
            _ => false,
        }
    }

    /// Mean squared radius (Eq. 27), m².
    pub(super) fn gyration2(&self) -> f64 {
        match self {
            Outline::Disc(radius) => 0.5 * radius * radius,
            Outline::Line(length) => length * length / 12.0,
            Outline::Point => 0.0,
            Outline::Polygon(corners) => {
                let next = corners.iter().cycle().skip(1);
                let (mut area, mut square) = (0.0, 0.0);
                for (p, q) in corners.iter().zip(next) {
                    let twice = p.perp_dot(*q);
                    area += twice / 2.0;
                    square += twice * (p.length_squared() + p.dot(*q) + q.length_squared()) / 12.0;
                }
                square / area
            }
        }
    }
}
