//! Points on which an overlap of two meshes rests, for bodies that touch at points.
//!
//! Seen along the normal an overlap has an outline. Its corners along [`CORNERS`] directions carry the
//! bodies as the corners of a face do; its middle is there so that round bodies, whose overlaps are
//! thin at the outline, are moved apart. How deep the bodies are in each other at such a place is how
//! thick the overlap is there: the length of the line along the normal within its surface.

use glamx::{DPose3, DVec2, DVec3};

use super::Overlap;
use super::chain::Link;
use super::pieces::WrittenPiece;

/// Directions along which corners of the outline are looked for.
pub(crate) const CORNERS: usize = 8;

/// A point on which an overlap rests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foot {
    /// Which overlap.
    pub(crate) overlap: u32,
    /// Which corner of its outline; [`CORNERS`] for the middle.
    pub(crate) corner: u32,
    /// On the surfaces of A and B, world: apart by the thickness along the normal.
    pub(crate) on: [DVec3; 2],
    /// Triangles of A and B there.
    pub(crate) triangles: [u32; 2],
}

/// The overlap's surface and the axes it is seen in.
struct SeenPiece<'a> {
    piece: WrittenPiece<'a>,
    normal: DVec3,
    beside: DVec2,
}

/// Where the line along the normal through a place passes the surface.
#[derive(Default)]
struct Chord {
    thickness: f64,
    /// Sum of all heights, and their number.
    heights: f64,
    count: f64,
    /// The highest of A and the lowest of B, with their triangles.
    ends: [Option<(f64, u32)>; 2],
}

/// The feet of overlaps, from their surfaces in the axes that `world` places.
pub(super) fn find<'a>(
    pieces: impl Iterator<Item = WrittenPiece<'a>>,
    overlaps: &[Overlap],
    world: &DPose3,
    feet: &mut Vec<Foot>,
) {
    for piece in pieces {
        let Some(overlap) = overlaps.get(piece.overlap) else { continue };
        let normal = world.rotation.inverse() * overlap.gradient_normal();
        let reach = overlap.reach.iter().fold(0.0, |m: f64, r| m.max(*r));
        let beside = DVec2::from_angle(ASLANT) * (0.1 * INSIDE * reach);
        let view = SeenPiece { piece, normal, beside };
        let first = feet.len();
        for (corner, point) in view.corners().into_iter().enumerate() {
            let Some(point) = point else { continue };
            let at = piece.point(point);
            let near = |f: &Foot| {
                let apart = world.transform_point(at) - 0.5 * (f.on[0] + f.on[1]);
                let apart = apart - apart.dot(world.rotation * normal) * (world.rotation * normal);
                apart.length() <= DOUBLE * reach
            };
            if feet[first..].iter().any(near) {
                continue;
            }
            // Just inside, so that upright walls of the overlap count.
            let chord = view.chord(at + (piece.centre - at) * INSIDE);
            feet.push(view.foot(&chord, at, corner, Some(point)).placed(world));
        }
        let chord = view.chord(piece.centre);
        if chord.thickness > 0.0 {
            feet.push(view.foot(&chord, piece.centre, CORNERS, None).placed(world));
        }
    }
}

impl Foot {
    /// Moved from the axes of the surface into the world.
    fn placed(self, world: &DPose3) -> Foot {
        Foot { on: self.on.map(|p| world.transform_point(p)), ..self }
    }
}

impl SeenPiece<'_> {
    fn flat(&self, p: DVec3) -> DVec2 {
        DVec2::new(p.dot(self.piece.plane[0]), p.dot(self.piece.plane[1]))
    }

    /// The point of the surface that is farthest along each direction.
    fn corners(&self) -> [Option<u32>; CORNERS] {
        let ways: [DVec2; CORNERS] = std::array::from_fn(|k| {
            // A little aslant, so that of an edge across the direction it is an end that counts.
            DVec2::from_angle(ASLANT + std::f64::consts::TAU * k as f64 / CORNERS as f64)
        });
        let mut best = [(f64::NEG_INFINITY, None); CORNERS];
        for (i, p) in self.piece.points() {
            let flat = self.flat(p);
            for (way, best) in ways.iter().zip(&mut best) {
                let far = way.dot(flat);
                if far > best.0 {
                    *best = (far, Some(i));
                }
            }
        }
        best.map(|(_, point)| point)
    }

    fn chord(&self, at: DVec3) -> Chord {
        let mut chord = Chord::default();
        // A little beside, since lines from corners to the middle like to run along edges.
        let middle = self.flat(at) + self.beside;
        for (face, mut links) in self.piece.faces() {
            let Some(first) = links.clone().next() else { continue };
            // How often the line passes the face, outwards, and where: a fan may pass it in vain.
            let (mut passes, mut height) = (0.0, 0.0);
            links.by_ref().for_each(|link| {
                let space = [first.from, link.from, link.to].map(|c| self.piece.point(c));
                let [a, b, c] = space.map(|p| self.flat(p) - middle);
                let parts = [b.perp_dot(c), c.perp_dot(a), a.perp_dot(b)];
                let sum: f64 = parts.iter().sum();
                let sign = if sum != 0.0 && parts.iter().all(|x| *x >= 0.0) {
                    1.0
                } else if parts.iter().all(|x| *x < 0.0) {
                    -1.0
                } else {
                    return;
                };
                passes += sign * f64::from(link.weight);
                height = (0..3).map(|k| parts[k] * self.normal.dot(space[k])).sum::<f64>() / sum;
            });
            if passes == 0.0 {
                continue;
            }
            chord.thickness += passes * height;
            (chord.heights, chord.count) = (chord.heights + height, chord.count + 1.0);
            let up = if face.side == 0 { 1.0 } else { -1.0 };
            let end = &mut chord.ends[face.side];
            if end.is_none_or(|(best, _)| up * height > up * best) {
                *end = Some((height, face.triangle));
            }
        }
        chord
    }

    /// The foot at a corner, which is a point of the surface, or in the middle; not yet placed.
    fn foot(&self, chord: &Chord, at: DVec3, corner: usize, point: Option<u32>) -> Foot {
        let own = self.normal.dot(at);
        let (middle, thickness) = if chord.count > 0.0 && chord.thickness > 0.0 {
            (chord.heights / chord.count, chord.thickness)
        } else {
            (own, 0.0)
        };
        let on = [0.5, -0.5].map(|half| {
            let height = middle + half * thickness;
            at + self.normal * (height - own)
        });
        let triangles = [0, 1].map(|side| match chord.ends[side] {
            Some((_, triangle)) => triangle,
            None => self.triangle_at(side, point),
        });
        Foot { overlap: self.piece.overlap as u32, corner: corner as u32, on, triangles }
    }

    /// A triangle of one body at a point of the surface; any one of the overlap where there is none.
    fn triangle_at(&self, side: usize, point: Option<u32>) -> u32 {
        let (mut any, mut there) = (None, None);
        for (face, mut links) in self.piece.faces().filter(|(face, _)| face.side == side) {
            let ends = |link: &Link| [link.from, link.to].into_iter().any(|p| Some(p) == point);
            let Some(first) = links.next() else { continue };
            any = any.or(Some(face.triangle));
            if there.is_none() && (ends(first) || links.any(ends)) {
                there = Some(face.triangle);
            }
        }
        there.or(any).unwrap_or(0)
    }
}

/// Angle between the directions of corners and the axes of the plane, radians.
const ASLANT: f64 = 0.12;
/// Corners nearer than this part of the overlap's reach are one.
const DOUBLE: f64 = 1e-6;
/// How far inside the outline the thickness at a corner is measured, as part of the way to the middle.
const INSIDE: f64 = 1e-4;
