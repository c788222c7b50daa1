//! Random problems of bodies that are held more than once: W has fewer ranks than rows.

use std::f64::consts::TAU;

use asperity_friction::Law;
use asperity_friction::random::Rng;
use asperity_friction::set::{Disk, Ellipse, Rotation, Set};
use glamx::{DMat3, DVec2, DVec3};

use super::problems::{checked, valid};
use crate::{Bodies, ContactProblem, FrictionBlock, InverseMass, Operator, RowEntry, SparseMatrix};

/// How many problems [`redundant`] is asked for, and from how many starts each.
pub const CASES: usize = 100;
/// Starts of each of them.
pub const STARTS: usize = 5;

/// The case-th random problem of boxes on each other (4 to 8 contacts each), tables with many legs,
/// boxes in corners and slabs between walls; μ 0.1 to 1.2, masses 1 to 1,000 kg, free velocities of
/// one step of 10 ms with pushes that leave some at rest and make some slide or turn. Half of them over bodies, half with W itself.
pub fn redundant(case: usize) -> ContactProblem {
    let mut rng = Rng::new(1000 + case as u64);
    let mut scene = Scene::default();
    let rng = &mut rng;
    match case % 4 {
        0 => scene.stack(1 + rng.index(6), rng),
        1 => scene.table(5 + rng.index(12), rng),
        2 => scene.corner(rng),
        _ => scene.squeezed(2 + rng.index(3), rng),
    }
    let problem = scene.finish(case);
    if (case / 4).is_multiple_of(2) { problem } else { as_matrix(problem) }
}

/// The same problem, with W itself.
fn as_matrix(problem: ContactProblem) -> ContactProblem {
    let n = problem.rows();
    let free = ContactProblem { q: vec![0.0; n], ..problem.clone() };
    let mut entries = Vec::new();
    for j in 0..n {
        let (mut one, mut column) = (vec![0.0; n], vec![0.0; n]);
        one[j] = 1.0;
        free.velocities(&one, &mut column);
        entries.extend(column.into_iter().enumerate().map(|(i, v)| (i, j, v)));
    }
    let w = valid(SparseMatrix::from_triplets(n, n, entries));
    ContactProblem { operator: Operator::Explicit(w), ..problem }
}

/// Impulses to start from: the first none, then such as bodies of some weight have, in any
/// direction.
pub fn start(problem: &ContactProblem, case: usize, start: usize) -> Vec<f64> {
    let mut rng = Rng::new((7 * case + start) as u64);
    let size = if start == 0 { 0.0 } else { rng.log_uniform(0.01, 100.0) };
    (0..problem.rows()).map(|_| size * rng.uniform(-1.0, 1.0)).collect()
}

/// Bodies, their free velocities, and contacts between them.
#[derive(Default)]
struct Scene {
    masses: Vec<InverseMass>,
    /// Middle, velocity and turning of each.
    motion: Vec<[DVec3; 3]>,
    contacts: Vec<Contact>,
}

struct Contact {
    /// Pushed back, if not a wall, and pushed.
    bodies: (Option<usize>, usize),
    point: DVec3,
    normal: DVec3,
    set: Set,
}

impl Scene {
    /// A box of edges `size` about `middle`, of random mass, pushed or not; its number.
    fn body(&mut self, middle: DVec3, size: DVec3, rng: &mut Rng) -> usize {
        let mass = rng.log_uniform(1.0, 1e3);
        let square = size * size;
        let inertia = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        let inertia = DMat3::from_diagonal(12.0 / (mass * inertia));
        self.masses.push(InverseMass::Body { mass: 1.0 / mass, inertia });
        let push = if rng.chance(0.5) { 0.0 } else { rng.log_uniform(0.01, 1.0) };
        let mut any = |scale: f64| scale * DVec3::from([0.0; 3].map(|_| rng.uniform(-1.0, 1.0)));
        self.motion.push([middle, DVec3::Z * -0.0981 + any(push), any(push)]);
        self.masses.len() - 1
    }

    fn contact(&mut self, below: Option<usize>, above: usize, at: [DVec3; 2], set: &Set) {
        let [point, normal] = at;
        self.contacts.push(Contact { bodies: (below, above), point, normal, set: set.clone() });
    }

    /// Boxes on each other: the corners and some points between them.
    fn stack(&mut self, count: usize, rng: &mut Rng) {
        let mut below = None;
        for k in 0..count {
            let middle = DVec3::Z * (0.5 + k as f64);
            let body = self.body(middle, DVec3::ONE, rng);
            let (set, points) = (any_set(rng), 4 + rng.index(5));
            for point in around(points) {
                let at = DVec3::new(point.x, point.y, k as f64);
                self.contact(below, body, [at, DVec3::Z], &set);
            }
            below = Some(body);
        }
    }

    /// A table on many legs, and a box on it.
    fn table(&mut self, legs: usize, rng: &mut Rng) {
        let top = self.body(DVec3::Z, DVec3::new(2.0, 2.0, 0.1), rng);
        let set = any_set(rng);
        for _ in 0..legs {
            let at = DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0);
            self.contact(None, top, [at, DVec3::Z], &set);
        }
        let load = self.body(DVec3::new(0.3, -0.2, 1.3), DVec3::splat(0.5), rng);
        let set = any_set(rng);
        for point in around(4) {
            let at = DVec3::new(0.3 + 0.5 * point.x, 0.5 * point.y - 0.2, 1.05);
            self.contact(Some(top), load, [at, DVec3::Z], &set);
        }
    }

    /// A box on the ground and against two walls, one of which leans.
    fn corner(&mut self, rng: &mut Rng) {
        let body = self.body(DVec3::Z * 0.5, DVec3::ONE, rng);
        self.motion[body][1] += DVec3::new(-0.2, -0.1, 0.0) * rng.uniform(-0.5, 1.0);
        let lean = rng.uniform(-0.5, 0.5);
        let walls = [DVec3::Z, DVec3::X, DVec3::new(0.0, lean.cos(), lean.sin())];
        for (axis, normal) in walls.into_iter().enumerate() {
            let set = any_set(rng);
            for p in around(4 + rng.index(3)) {
                let at = match axis {
                    0 => DVec3::new(p.x, p.y, 0.0),
                    1 => DVec3::new(-0.5, p.x, 0.5 + p.y),
                    _ => DVec3::new(p.x, -0.5, 0.5 + p.y),
                };
                self.contact(None, body, [at, normal], &set);
            }
        }
    }

    /// Slabs side by side between two walls that lean towards each other, on the ground.
    fn squeezed(&mut self, count: usize, rng: &mut Rng) {
        let lean = rng.uniform(-0.2, 0.6);
        let mut before = None;
        for k in 0..=count {
            let (side, set) = (k as f64, any_set(rng));
            let inner = DVec3::X;
            let walls = DVec3::new(lean.cos(), 0.0, lean.sin());
            let (last, first) = (k == count, k == 0);
            let body = if last {
                count - 1
            } else {
                let middle = DVec3::new(side + 0.5, 0.0, 0.5);
                self.body(middle, DVec3::ONE, rng)
            };
            for p in around(4 + rng.index(3)) {
                let at = DVec3::new(side, p.x, 0.5 + p.y);
                if last {
                    let normal = DVec3::new(-walls.x, 0.0, walls.z);
                    self.contact(None, body, [at, normal], &set);
                } else {
                    self.contact(before, body, [at, if first { walls } else { inner }], &set);
                }
            }
            if !last && rng.chance(0.7) {
                for p in around(4) {
                    let at = DVec3::new(side + 0.5 + p.x, p.y, 0.0);
                    self.contact(None, body, [at, DVec3::Z], &set);
                }
            }
            before = Some(body);
        }
    }

    fn finish(&self, case: usize) -> ContactProblem {
        let mut bodies = Bodies { inverse_masses: self.masses.clone(), ..Bodies::default() };
        let (mut q, mut blocks) = (Vec::new(), Vec::new());
        for contact in &self.contacts {
            let first = q.len();
            let along = contact.normal.any_orthonormal_vector();
            for axis in [contact.normal, along, contact.normal.cross(along)] {
                let entry = |dof_block: usize, sign: f64| RowEntry {
                    dof_block,
                    linear: axis * sign,
                    angular: (contact.point - self.motion[dof_block][0]).cross(axis) * sign,
                };
                let (below, above) = contact.bodies;
                let below = below.map(|k| entry(k, -1.0));
                let entries = below.into_iter().chain([entry(above, 1.0)]);
                let moves = |e: RowEntry| {
                    let [_, velocity, turning] = self.motion[e.dof_block];
                    e.linear.dot(velocity) + e.angular.dot(turning)
                };
                q.push(entries.clone().map(moves).sum());
                bodies.push_row(entries);
            }
            let law = Law::from(contact.set.clone());
            blocks.push(FrictionBlock::contact(first, first + 1..first + 3, law));
        }
        checked(&format!("redundant {case}"), Operator::Bodies(bodies), q, blocks)
    }
}

/// A disc, or now and then an ellipse.
fn any_set(rng: &mut Rng) -> Set {
    let mut mu = || rng.uniform(0.1, 1.2);
    let (first, second) = (mu(), mu());
    if rng.chance(0.8) {
        valid(Disk::new(first)).into()
    } else {
        valid(Ellipse::new(first, second, Rotation::from_angle(second))).into()
    }
}

/// The corners of a square of edge one, then points between them.
fn around(count: usize) -> impl Iterator<Item = DVec2> {
    (0..count).map(|k| {
        if k < 4 {
            let turn = DVec2::from_angle(TAU * k as f64 / 4.0);
            turn.rotate(DVec2::splat(0.5))
        } else {
            DVec2::from_angle(TAU * k as f64 / 4.0) * 0.5
        }
    })
}
