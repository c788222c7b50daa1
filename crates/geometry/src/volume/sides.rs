//! The planes between which an overlap lies, where edges of both bodies meet in it.
//!
//! Where one body shows a single plane there, the gradient of the volume is along it, exactly. Where both
//! show several, as two boxes at an edge do, the gradient is a mean of them by their areas: of an overlap a
//! little wider than it is deep it points in between, and bodies would be pushed where no face of theirs
//! points. Each plane is then a side, and what uses overlaps chooses one by how bodies came
//! ([`Overlap::entered`]).

use glamx::{DPose3, DVec3};

use super::Overlap;
use super::pieces::WrittenPiece;

/// A plane of faces that push alike, within an overlap.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Side {
    /// Along which its faces push B, a unit vector, world axes.
    pub normal: DVec3,
    /// Extent of the overlap along the normal, metres; zero for none.
    pub depth: f64,
    /// Area of its faces, m²; the mean of both bodies' where both have some.
    pub area: f64,
    /// ∫ (x − c) × n dA over them, about the centroid c, m³.
    pub moment: DVec3,
}

/// Most sides; what has more of them is round.
pub const SIDES: usize = 8;

/// Most faces that are looked at; meshes of more are round.
const FACES: usize = 64;
/// Cosine of the angle up to which faces are in one plane (0.25°).
const PLANE: f64 = 0.99999;
/// Cosine of the angle up to which a side is one that was touched in the last step (45°): a body that tips over
/// an edge turns from one body's plane to the other's.
const LIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// How far a body's pushes may fall short of one plane's, as part of its area.
const FLAT: f64 = 1e-9;

/// Faces of one plane: push times area, Σ area × place, by body.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    normal: DVec3,
    area: [f64; 2],
    moment: [DVec3; 2],
}

impl Overlap {
    /// The side that bodies came in by; none where the gradient is the normal. `gone` is the way of B
    /// against A in the last step, `skin` how deep they may be in each other, which counts as not at all, `last`
    /// the normal of the same contact in the last step.
    ///
    /// Bodies are within each other since the last of their sides was passed: of all sides that with the
    /// least depth over way, if that was in the last step, and else the thinnest. A box that slides down a
    /// wall within the skin so touches the wall, not the edge above it; one that lands on the edge touches
    /// the top. Where they are within the skin of several, they touch the one that they touched in the last step;
    /// at first, one that they were within before this step; else the thinnest.
    pub fn entered(
        &self,
        gone: DVec3,
        skin: impl Fn(&Side) -> f64,
        last: Option<DVec3>,
    ) -> Option<Side> {
        let way = |side: &Side| -gone.dot(side.normal);
        let since = |side: &Side| {
            let (deep, way) = ((side.depth - skin(side)).max(0.0), way(side));
            if deep == 0.0 {
                0.0
            } else if deep <= way {
                deep / way
            } else {
                f64::INFINITY
            }
        };
        // Of sides that count as touched: whether this one was not.
        let newer = |side: &Side| match last {
            Some(last) => last.dot(side.normal) < LIKE,
            None => side.depth < way(side),
        };
        let known = self.sides.iter().filter(|side| side.depth > 0.0);
        known.copied().min_by(|a, b| {
            let earlier = since(a).total_cmp(&since(b));
            earlier.then(newer(a).cmp(&newer(b))).then(a.depth.total_cmp(&b.depth))
        })
    }
}

/// Finds the sides of the overlaps which these pieces became.
pub(super) fn find<'a>(
    pieces: impl Iterator<Item = WrittenPiece<'a>>,
    world: &DPose3,
    out: &mut [Overlap],
) {
    for piece in pieces {
        let Some((groups, count)) = groups(piece) else { continue };
        let Some(overlap) = out.get_mut(piece.overlap) else { continue };
        for (group, side) in groups[..count].iter().zip(&mut overlap.sides) {
            let mut extent = [f64::INFINITY, f64::NEG_INFINITY];
            for (_, point) in piece.points() {
                let at = group.normal.dot(point - piece.centre);
                extent = [extent[0].min(at), extent[1].max(at)];
            }
            let shares = if group.area[0] > 0.0 && group.area[1] > 0.0 { 0.5 } else { 1.0 };
            *side = Side {
                normal: world.rotation * group.normal,
                depth: extent[1] - extent[0],
                area: shares * (group.area[0] + group.area[1]),
                moment: world.rotation * (group.moment[0] + group.moment[1]) * shares,
            };
        }
    }
}

/// The planes of a piece, if there are few and both bodies have several.
fn groups(piece: WrittenPiece) -> Option<([Group; SIDES], usize)> {
    let (mut groups, mut count) = ([Group::default(); SIDES], 0);
    let (mut sum, mut size) = ([DVec3::ZERO; 2], [0.0; 2]);
    let mut faces = 0;
    for (face, links) in piece.faces() {
        let (mut area, mut moment, mut apex) = (DVec3::ZERO, DVec3::ZERO, None);
        for link in links {
            let apex = *apex.get_or_insert(link.from);
            let [a, b, c] = [apex, link.from, link.to].map(|p| piece.point(p) - piece.centre);
            let part = (b - a).cross(c - a) * (0.5 * f64::from(link.weight));
            area += part;
            moment += (a + b + c).cross(part) / 3.0;
        }
        let length = area.length();
        if !(length > 0.0) {
            continue;
        }
        faces += 1;
        if faces > FACES {
            return None;
        }
        let sign = if face.side == 1 { -1.0 } else { 1.0 };
        let normal = area * (sign / length);
        sum[face.side] += area;
        size[face.side] += length;
        let known = groups[..count].iter().position(|g: &Group| g.normal.dot(normal) > PLANE);
        let k = match known {
            Some(k) => k,
            None if count < SIDES => {
                groups[count].normal = normal;
                count += 1;
                count - 1
            }
            None => return None,
        };
        groups[k].area[face.side] += length;
        groups[k].moment[face.side] += moment * sign;
    }
    let bent = |side: usize| sum[side].length() < (1.0 - FLAT) * size[side];
    (bent(0) && bent(1)).then_some((groups, count))
}
