//! Overlaps on several planes, cut into one for each plane (the paper's future work, section 6.2).
//!
//! The faces of the overlap push B along −n where they are B's and along n where they are A's. Faces
//! whose pushes differ by less than an angle are one group. Groups of less than a tenth of all area are
//! rims and left out; each other group becomes an overlap: the columns between its faces and its middle
//! plane, along its mean push. Two groups so share the corner between them along its bisector. What is
//! missing or counted twice at corners is made good by scaling all volumes to the whole.

use glamx::{DPose3, DVec3};

use super::Overlap;
use super::chain::Face;
use super::moments::Moments;
use super::pieces::{WrittenPiece, circle};

/// Sees the group, the face, the corners and the weight of a triangle.
type Visit<'a> = dyn FnMut(usize, &Face, [DVec3; 3], f64) + 'a;

/// Most overlaps that one is cut into.
const MOST: usize = 8;
/// Groups with less than this part of all faces' area are rims.
const LEAST: f64 = 0.1;
/// How far the parts' volumes may be from the whole.
const MISFIT: f64 = 0.25;

/// Memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Segments {
    /// Push times area of each face of the overlap, a point of it, and its group.
    faces: Vec<(DVec3, DVec3, usize)>,
    order: Vec<usize>,
    whole: Vec<Overlap>,
}

/// Faces that push alike.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    push: DVec3,
    /// Σ area, Σ area × place.
    area: f64,
    place: DVec3,
}

impl Segments {
    /// Cuts the overlaps in `out`, which these pieces became, where their faces push in directions
    /// further apart than `angle`, radians.
    pub(super) fn cut<'a>(
        &mut self,
        pieces: impl Iterator<Item = WrittenPiece<'a>>,
        world: &DPose3,
        angle: f64,
        out: &mut Vec<Overlap>,
    ) {
        self.whole.clear();
        self.whole.append(out);
        for piece in pieces {
            let Some(whole) = self.whole.get(piece.overlap).copied() else { continue };
            let first = out.len();
            self.collect(piece);
            let groups = self.group(angle);
            if groups.len() > 1 {
                self.write(piece, &groups, world, out);
            }
            let volume: f64 = out[first..].iter().map(|o| o.volume).sum();
            let scale = whole.volume / volume;
            // A cut that does not fit is none.
            if (1.0 - MISFIT..1.0 + MISFIT).contains(&scale) {
                for part in &mut out[first..] {
                    part.volume *= scale;
                    part.second_moment *= scale;
                }
            } else {
                out.truncate(first);
                out.push(whole);
            }
        }
    }

    fn collect(&mut self, piece: WrittenPiece) {
        self.faces.clear();
        for (face, links) in piece.faces() {
            let (mut area, mut middle, mut apex) = (DVec3::ZERO, DVec3::ZERO, None);
            let mut size = 0.0;
            for link in links {
                let apex = *apex.get_or_insert(link.from);
                let [a, b, c] = [apex, link.from, link.to].map(|p| piece.point(p));
                let part = (b - a).cross(c - a) * (0.5 * f64::from(link.weight));
                // Along the first of them, since all lie in one plane.
                let signed = if area.dot(part) < 0.0 { -part.length() } else { part.length() };
                area += part;
                size += signed;
                middle += (a + b + c) * (signed / 3.0);
            }
            let place = if size == 0.0 { DVec3::ZERO } else { middle / size };
            let push = if face.side == 1 { -area } else { area };
            self.faces.push((push, place, usize::MAX));
        }
    }

    /// Groups of faces: the largest face leads, then the largest that no leader takes.
    fn group(&mut self, angle: f64) -> Vec<Group> {
        let cos = angle.cos();
        self.order.clear();
        self.order.extend((0..self.faces.len()).filter(|f| self.faces[*f].0 != DVec3::ZERO));
        let faces = &mut self.faces;
        self.order
            .sort_by(|a, b| faces[*b].0.length().total_cmp(&faces[*a].0.length()).then(a.cmp(b)));
        let mut leaders: Vec<DVec3> = Vec::new();
        // By the leaders first, then by the means of what they lead.
        let mut groups = Vec::new();
        for round in 0..3 {
            let mut next = vec![Group::default(); leaders.len()];
            for f in &self.order {
                let (push, place, _) = faces[*f];
                let way = push.normalize_or_zero();
                let nearest = (0..leaders.len())
                    .max_by(|a, b| leaders[*a].dot(way).total_cmp(&leaders[*b].dot(way)));
                let taken = nearest.filter(|k| leaders[*k].dot(way) > cos);
                let group = match taken {
                    Some(k) => k,
                    None if round == 0 && leaders.len() < MOST => {
                        leaders.push(way);
                        next.push(Group::default());
                        leaders.len() - 1
                    }
                    None => {
                        faces[*f].2 = usize::MAX;
                        continue;
                    }
                };
                faces[*f].2 = group;
                let area = push.length();
                next[group].push += push;
                next[group].area += area;
                next[group].place += place * area;
            }
            groups = next;
            if round == 0 {
                let all: f64 = groups.iter().map(|g| g.area).sum();
                groups.retain(|g| g.area >= LEAST * all);
            }
            leaders.clear();
            leaders.extend(groups.iter().map(|g| g.push.normalize_or_zero()));
        }
        groups
    }

    fn write(&self, piece: WrittenPiece, groups: &[Group], world: &DPose3, out: &mut Vec<Overlap>) {
        let first = out.len();
        let mut sums: Vec<Moments> =
            groups.iter().map(|g| Moments::about(g.place / g.area)).collect();
        let ways: Vec<DVec3> = groups.iter().map(|g| g.push.normalize_or_zero()).collect();
        let each = |visit: &mut Visit| {
            for ((face, links), (_, _, group)) in piece.faces().zip(&self.faces) {
                let mut begin = None;
                for link in links {
                    let begin = *begin.get_or_insert(link.from);
                    let corners = [begin, link.from, link.to].map(|p| piece.point(p));
                    if *group < groups.len() {
                        visit(*group, face, corners, f64::from(link.weight));
                    }
                }
            }
        };
        each(&mut |group, face, corners, weight| {
            sums[group].add_column(face.side, corners, weight, ways[group]);
        });
        for moments in &sums {
            out.push(moments.segment(world));
        }
        // A part without volume, or one with none of it where it should be, is no contact.
        if out[first..].iter().any(|o| !(o.volume > 0.0 && o.centroid.is_finite())) {
            out.truncate(first);
            return;
        }
        let circle = circle();
        let back = world.inverse();
        let views: Vec<(DVec3, [DVec3; 2])> = out[first..].iter().map(|o| o.view(&back)).collect();
        each(&mut |group, _, corners, _| {
            let (centre, plane) = views[group];
            for corner in corners {
                out[first + group].extend(plane.map(|axis| (corner - centre).dot(axis)), &circle);
            }
        });
    }
}
