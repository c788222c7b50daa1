//! Connected overlaps: which links belong together, and their integrals.

use asperity_friction::law::ContactFrame;
use glamx::{DPose3, DVec3};

use super::bvh::Aabb;
use super::chain::{Face, Link};
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
}

/// Where a surface is closed and what counts as empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    /// A point of a plane and its normal, if only the surface of this side is in the links and
    /// the plane closes it.
    pub(super) plane: Option<(DVec3, DVec3, usize)>,
    /// Overlaps that are thinner than this are none.
    pub(super) least: f64,
}

impl Pieces {
    /// Sums over all faces. Points, links and faces are in the axes that `world` places.
    pub(super) fn collect(
        &mut self,
        points: &[DVec3],
        links: &[Link],
        faces: &[Face],
        closing: Closing,
        world: &DPose3,
        out: &mut Vec<Overlap>,
    ) {
        self.join(points, links);
        if let Some((point, normal, _)) = closing.plane {
            for piece in &mut self.list {
                let origin = &mut piece.moments.origin;
                *origin -= normal * normal.dot(*origin - point);
            }
        }
        for (f, face) in faces.iter().enumerate() {
            let end = faces.get(f + 1).map_or(links.len(), |next| next.first as usize);
            for link in &links[face.first as usize..end] {
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
        self.report(points, closing.least, world, out);
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

    fn report(&self, points: &[DVec3], least: f64, world: &DPose3, out: &mut Vec<Overlap>) {
        for (number, piece) in self.list.iter().enumerate() {
            let moments = &piece.moments;
            let whole = piece.whole == number as u32;
            if !whole || !(moments.volume > least * moments.surface) {
                continue;
            }
            let mut overlap = moments.overlap(world);
            if !(overlap.centroid.is_finite() && overlap.gradient_linear.is_finite()) {
                continue;
            }
            let frame = ContactFrame::from_normal(overlap.gradient_normal());
            let centre = world.inverse_transform_point(overlap.centroid);
            for k in 0..REACHES / 2 {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / REACHES as f64).sin_cos();
                let along = world.rotation.inverse() * (frame.t * cos + frame.b * sin);
                let (mut back, mut forth) = (0.0_f64, 0.0_f64);
                for (i, p) in points.iter().enumerate() {
                    if self.piece_of[i] == number as u32 {
                        let way = (*p - centre).dot(along);
                        back = back.max(-way);
                        forth = forth.max(way);
                    }
                }
                overlap.reach[k] = forth;
                overlap.reach[k + REACHES / 2] = back;
            }
            out.push(overlap);
        }
    }
}
