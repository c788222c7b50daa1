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
}

/// A contact area about its centroid, in the axes of the law's frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// Radius, metres.
    Disc(f64),
    /// Corners, metres; the first side is the longest and points along the first axis.
    Polygon(Vec<DVec2>),
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
        let side = |i: usize| contour.corners[(i + 1) % n] - contour.corners[i];
        let longer = |best: usize, i: usize| {
            if side(i).length_squared() > side(best).length_squared() { i } else { best }
        };
        let first = (1..n).fold(0, longer);
        let along = side(first);
        let t = (along - frame.normal * along.dot(frame.normal)).try_normalize()?;
        let frame = frame.with_first(t);
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
            (Outline::Polygon(a), Outline::Polygon(b)) => {
                let size = a.iter().fold(0.0, |m: f64, p| m.max(p.length()));
                let near = |(p, q): (&DVec2, &DVec2)| (*p - *q).length() <= SAME * size;
                a.len() == b.len() && a.iter().zip(b).all(near)
            }
            _ => false,
        }
    }

    /// u, mean squared radius (Arslan Waltersson, Eq. 27), m².
    pub fn gyration2(&self) -> f64 {
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
