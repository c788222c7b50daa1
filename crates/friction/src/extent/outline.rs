//! The shape of a contact area: its edge in the world, and in the axes of its law.

use glamx::{DVec2, DVec3};

use crate::law::ContactFrame;

/// The edge of a contact area, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contour<'a> {
    /// Corners counter-clockwise about the normal; two for a line, one for a point.
    pub corners: &'a [DVec3],
    /// Radius where the area is a whole disc, metres.
    pub disc: Option<f64>,
    /// Square metres; zero for a line or a point.
    pub area: f64,
    /// Of the area, or the middle of the line.
    pub centroid: DVec3,
    /// Convex pieces that the area is made of, corners in order, where it is not all that is within
    /// its corners: where it has holes, or lies in several places.
    pub pieces: &'a [Vec<DVec3>],
}

/// A contact area about its centroid, in the axes of the law's frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// Radius, metres.
    Disc(f64),
    /// Corners, metres; the first side is the longest and points along the first axis.
    Polygon(Vec<DVec2>),
    /// Convex pieces beside each other, corners in order, metres.
    Pieces(Vec<Vec<DVec2>>),
    /// Length along the first axis, metres.
    Line(f64),
    /// Without torque.
    Point,
}

/// Lines shorter than this are points, metres.
const SHORTEST: f64 = 1e-6;
/// Outlines whose corners differ by less than this part of their size are the same.
const SAME: f64 = 1e-9;

impl Outline {
    /// An area, and the frame in whose axes it is: t along the longest side. `None` for a line or a
    /// point.
    pub fn of(contour: &Contour, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        if let Some(radius) = contour.disc {
            return Some((*frame, Outline::Disc(radius)));
        }
        let n = contour.corners.len();
        if n < 3 || !(contour.area > 0.0) {
            return None;
        }
        if let Some(first) = contour.pieces.first() {
            let frame = along(frame, side(first, longest_side(first)))?;
            let flat = |p: &DVec3| frame.to_plane(*p - contour.centroid);
            let piece = |piece: &Vec<DVec3>| piece.iter().map(flat).collect();
            return Some((frame, Outline::Pieces(contour.pieces.iter().map(piece).collect())));
        }
        let first = longest_side(contour.corners);
        let frame = along(frame, side(contour.corners, first))?;
        let corner = |i: usize| frame.to_plane(contour.corners[(first + i) % n] - contour.centroid);
        Some((frame, Outline::Polygon((0..n).map(corner).collect())))
    }

    /// A line or a point, and the frame in whose axes it is.
    pub fn thin(contour: &Contour, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        let first = *contour.corners.first()?;
        let farther = |best: DVec3, p: &DVec3| {
            let side = *p - first;
            if side.length_squared() > best.length_squared() { side } else { best }
        };
        let along = contour.corners.iter().fold(DVec3::ZERO, farther);
        let flat = along - frame.normal * along.dot(frame.normal);
        if flat.length() < SHORTEST {
            return Some((*frame, Outline::Point));
        }
        Some((frame.with_first(flat.normalize()), Outline::Line(flat.length())))
    }

    /// Whether both are one outline but for rounding.
    pub fn is_same(&self, other: &Outline) -> bool {
        match (self, other) {
            (Outline::Disc(a), Outline::Disc(b)) | (Outline::Line(a), Outline::Line(b)) => {
                (a - b).abs() <= SAME * a
            }
            (Outline::Point, Outline::Point) => true,
            (Outline::Polygon(a), Outline::Polygon(b)) => same_corners(a, b, size(a)),
            (Outline::Pieces(a), Outline::Pieces(b)) => {
                let size = a.iter().map(|piece| size(piece)).fold(0.0, f64::max);
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_corners(a, b, size))
            }
            _ => false,
        }
    }

    /// The part of the way from the centroid to the edge at which a place is. Of pieces the edge is the
    /// circle around them.
    pub(super) fn gauge(&self, at: DVec2) -> f64 {
        match self {
            Outline::Disc(radius) => at.length() / radius,
            Outline::Line(length) => 2.0 * at.length() / length,
            Outline::Point => 0.0,
            Outline::Pieces(pieces) => {
                at.length() / pieces.iter().map(|piece| size(piece)).fold(0.0, f64::max)
            }
            Outline::Polygon(corners) => {
                let sides =
                    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
                let part = |(p, q): (DVec2, DVec2)| (q - p).perp_dot(p - at) / (q - p).perp_dot(p);
                // One less how far it is from the side, in units of how far the middle is.
                sides.map(|side| 1.0 - part(side)).fold(0.0, f64::max)
            }
        }
    }

    /// u, mean squared radius (Arslan Waltersson, Eq. 27), m².
    pub fn gyration2(&self) -> f64 {
        match self {
            Outline::Disc(radius) => 0.5 * radius * radius,
            Outline::Line(length) => length * length / 12.0,
            Outline::Point => 0.0,
            Outline::Polygon(corners) => {
                let (area, square) = square(corners);
                square / area
            }
            Outline::Pieces(pieces) => {
                let add = |sum: (f64, f64), of: (f64, f64)| (sum.0 + of.0, sum.1 + of.1);
                let (area, square) = pieces.iter().map(|p| square(p)).fold((0.0, 0.0), add);
                square / area
            }
        }
    }
}

/// A frame with t along a vector.
fn along(frame: &ContactFrame, way: DVec3) -> Option<ContactFrame> {
    let t = (way - frame.normal * way.dot(frame.normal)).try_normalize()?;
    Some(frame.with_first(t))
}

/// The side of a polygon after a corner.
fn side(corners: &[DVec3], i: usize) -> DVec3 {
    corners[(i + 1) % corners.len()] - corners[i]
}

fn longest_side(corners: &[DVec3]) -> usize {
    let longer = |best: usize, i: usize| {
        let [one, other] = [i, best].map(|i| side(corners, i).length_squared());
        if one > other { i } else { best }
    };
    (1..corners.len()).fold(0, longer)
}

/// Largest distance of a corner from the centroid.
fn size(corners: &[DVec2]) -> f64 {
    corners.iter().fold(0.0, |m: f64, p| m.max(p.length()))
}

fn same_corners(a: &[DVec2], b: &[DVec2], size: f64) -> bool {
    let near = |(p, q): (&DVec2, &DVec2)| (*p - *q).length() <= SAME * size;
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// Area and ∫ρ² dA of a polygon, both with its sense.
fn square(corners: &[DVec2]) -> (f64, f64) {
    let next = corners.iter().cycle().skip(1);
    let (mut area, mut square) = (0.0, 0.0);
    for (p, q) in corners.iter().zip(next) {
        let twice = p.perp_dot(*q);
        area += twice / 2.0;
        square += twice * (p.length_squared() + p.dot(*q) + q.length_squared()) / 12.0;
    }
    (area, square)
}
