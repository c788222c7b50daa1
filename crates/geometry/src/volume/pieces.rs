//! Connected overlaps: which links belong together, and their integrals.

use glamx::{DPose3, DVec2, DVec3};

use super::bvh::Aabb;
use super::chain::{Face, Link, LinkedSurface};
use super::moments::Moments;
use super::{Overlap, REACHES};

/// Memory for the sums of each connected surface.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces {
    /// A forest over points: each names another of its piece, or itself.
    parent: Vec<u32>,
    /// The piece of each point that is the root of its tree.
    piece_of: Vec<u32>,
    list: Vec<Piece>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    moments: Moments,
    bounds: Aabb,
    points: usize,
    /// The face whose fan was begun last, and its first point.
    fan: (usize, u32),
    /// The piece that this one is a cavity of, or itself.
    whole: u32,
    /// Which overlap it became, its centroid and the axes of its plane.
    written: Option<u32>,
    centre: DVec3,
    plane: [DVec3; 2],
}

/// Where a surface is closed and what counts as empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing<'a> {
    /// A point of a plane and its normal, if only the surface of this side is in the links and
    /// the plane closes it.
    pub(super) plane: Option<(DVec3, DVec3, usize)>,
    /// Overlaps that are thinner than this are none.
    pub(super) least: f64,
    /// The overlaps as seen from the other side of a kink: gradients are the mean of both.
    pub(super) others: &'a [Overlap],
}

/// A connected piece of a surface that became an overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenPiece<'a> {
    surface: LinkedSurface<'a>,
    piece_of: &'a [u32],
    number: u32,
    /// Which overlap it became.
    pub(super) overlap: usize,
    /// The centroid of that.
    pub(super) centre: DVec3,
    /// The axes of its plane.
    pub(super) plane: [DVec3; 2],
}

impl<'a> WrittenPiece<'a> {
    /// The place of a point of the surface.
    pub(super) fn point(&self, point: u32) -> DVec3 {
        self.surface.points[point as usize]
    }

    /// The points of the piece, with their numbers.
    pub(super) fn points(&self) -> impl Iterator<Item = (u32, DVec3)> {
        let all = (0_u32..).zip(self.surface.points);
        all.filter(|(i, _)| self.holds(*i)).map(|(i, p)| (i, *p))
    }

    /// All faces of the surface, each with those of its links that belong to the piece.
    pub(super) fn faces(
        self,
    ) -> impl Iterator<Item = (&'a Face, impl Iterator<Item = &'a Link> + Clone)> {
        let own = move |link: &&Link| self.holds(link.from);
        self.surface.faces().map(move |(face, links)| (face, links.iter().filter(own)))
    }

    fn holds(&self, point: u32) -> bool {
        self.piece_of[point as usize] == self.number
    }
}

impl Pieces {
    /// Sums over all faces of a surface in the axes that `world` places.
    pub(super) fn collect(
        &mut self,
        surface: LinkedSurface,
        closing: Closing,
        world: &DPose3,
        out: &mut Vec<Overlap>,
    ) {
        let points = surface.points;
        self.join(points, surface.links);
        if let Some((point, normal, _)) = closing.plane {
            for piece in &mut self.list {
                let origin = &mut piece.moments.origin;
                *origin -= normal * normal.dot(*origin - point);
            }
        }
        for (f, (face, links)) in surface.faces().enumerate() {
            for link in links {
                let piece = &mut self.list[self.piece_of[link.from as usize] as usize];
                if piece.fan.0 != f {
                    piece.fan = (f, link.from);
                }
                let apex = piece.fan.1;
                if link.from != apex && link.to != apex {
                    let corners = [apex, link.from, link.to].map(|p| points[p as usize]);
                    piece.moments.add(face.side, corners, f64::from(link.weight));
                }
            }
        }
        if let Some((_, _, side)) = closing.plane {
            for piece in &mut self.list {
                piece.moments.close(side);
            }
        }
        self.fill_cavities(closing.least);
        self.report(points, &closing, world, out);
    }

    /// Pieces of a surface that became overlaps.
    pub(super) fn written<'a>(
        &'a self,
        surface: LinkedSurface<'a>,
    ) -> impl Iterator<Item = WrittenPiece<'a>> {
        self.list.iter().enumerate().filter_map(move |(k, piece)| {
            let Piece { centre, plane, .. } = *piece;
            let overlap = piece.written? as usize;
            let (piece_of, number) = (self.piece_of.as_slice(), k as u32);
            Some(WrittenPiece { surface, piece_of, number, overlap, centre, plane })
        })
    }

    /// Finds connected pieces; their origins are the means of their points.
    fn join(&mut self, points: &[DVec3], links: &[Link]) {
        self.parent.clear();
        self.parent.extend(0..points.len() as u32);
        for link in links {
            let (a, b) = (self.root(link.from), self.root(link.to));
            // The lower number stays, so that roots come first.
            self.parent[a.max(b) as usize] = a.min(b);
        }
        self.list.clear();
        self.piece_of.clear();
        for (i, p) in points.iter().enumerate() {
            let root = self.root(i as u32) as usize;
            let number = if root == i { self.list.len() as u32 } else { self.piece_of[root] };
            self.piece_of.push(number);
            if root == i {
                self.list.push(Piece {
                    moments: Moments::about(DVec3::ZERO),
                    bounds: Aabb::EMPTY,
                    points: 0,
                    fan: (usize::MAX, 0),
                    whole: number,
                    written: None,
                    centre: DVec3::ZERO,
                    plane: [DVec3::X, DVec3::Y],
                });
            }
            let piece = &mut self.list[number as usize];
            piece.moments.origin += *p;
            piece.points += 1;
            piece.bounds.add(*p);
        }
        for piece in &mut self.list {
            piece.moments.origin /= piece.points as f64;
        }
    }

    fn root(&mut self, mut point: u32) -> u32 {
        while self.parent[point as usize] != point {
            let above = self.parent[self.parent[point as usize] as usize];
            self.parent[point as usize] = above;
            point = above;
        }
        point
    }

    /// A surface turned inwards belongs to the smallest one around it.
    fn fill_cavities(&mut self, least: f64) {
        for k in 0..self.list.len() {
            let cavity = self.list[k];
            if !(cavity.moments.volume < -least * cavity.moments.surface) {
                continue;
            }
            let around = |p: &Piece| {
                p.moments.volume > -cavity.moments.volume && p.bounds.holds(&cavity.bounds)
            };
            let smallest = (0..self.list.len())
                .filter(|i| self.list[*i].whole == *i as u32 && around(&self.list[*i]))
                .min_by(|i, j| {
                    let volume = |i: &usize| self.list[*i].moments.volume;
                    volume(i).total_cmp(&volume(j))
                });
            if let Some(whole) = smallest {
                self.list[k].whole = whole as u32;
                self.list[whole].moments.merge(&cavity.moments);
            }
        }
    }

    /// Writes what is not empty, with how far it reaches.
    fn report(
        &mut self,
        points: &[DVec3],
        closing: &Closing,
        world: &DPose3,
        out: &mut Vec<Overlap>,
    ) {
        for number in 0..self.list.len() {
            let piece = &mut self.list[number];
            let moments = &piece.moments;
            piece.written = None;
            if piece.whole != number as u32 || !(moments.volume > closing.least * moments.surface) {
                continue;
            }
            let mut overlap = moments.overlap(world);
            if let Some(other) = closing.others.iter().find(|o| overlap.is_like(o)) {
                overlap.gradient_linear = 0.5 * (overlap.gradient_linear + other.gradient_linear);
                overlap.gradient_angular =
                    0.5 * (overlap.gradient_angular + other.gradient_angular);
            }
            if overlap.centroid.is_finite() && overlap.gradient_linear.is_finite() {
                let back = world.rotation.inverse();
                piece.centre = world.inverse_transform_point(overlap.centroid);
                piece.plane = overlap.plane().map(|axis| back * axis);
                piece.written = Some(out.len() as u32);
                out.push(overlap);
            }
        }
        let circle = circle();
        for (p, number) in points.iter().zip(&self.piece_of) {
            let piece = &self.list[*number as usize];
            let Some(overlap) = piece.written.and_then(|k| out.get_mut(k as usize)) else {
                continue;
            };
            let away = *p - piece.centre;
            overlap.extend(piece.plane.map(|axis| away.dot(axis)), &circle);
        }
    }
}

/// Cosines and sines of half the directions of [`Overlap::reach`].
pub(super) fn circle() -> [[f64; 2]; REACHES / 2] {
    std::array::from_fn(|k| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / REACHES as f64).sin_cos();
        [cos, sin]
    })
}

impl Overlap {
    /// Whether both are one overlap, seen twice.
    fn is_like(&self, other: &Overlap) -> bool {
        let size = self.volume.cbrt();
        (self.volume - other.volume).abs() <= 1e-9 * self.volume
            && self.centroid.distance(other.centroid) <= 1e-6 * size
    }

    /// Its centroid and the axes of its plane, in the axes that `back` leads to.
    pub(super) fn view(&self, back: &DPose3) -> (DVec3, [DVec3; 2]) {
        let plane = self.plane().map(|axis| back.rotation * axis);
        (back.transform_point(self.centroid), plane)
    }

    /// Makes it reach to a point of its plane.
    pub(super) fn extend(&mut self, [t, b]: [f64; 2], circle: &[[f64; 2]; REACHES / 2]) {
        for (k, [cos, sin]) in circle.iter().enumerate() {
            let way = t * cos + b * sin;
            for (k, way) in [(k, way), (k + REACHES / 2, -way)] {
                if way > self.reach[k] {
                    (self.reach[k], self.outline[k]) = (way, DVec2::new(t, b));
                }
            }
        }
    }
}
