//! Random contact problems: single contacts of every set, towers, patches, joints, motors, chains.

use asperity_friction::random::Rng;
use asperity_friction::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, LimitSurface, Part, Polygon, Rotation,
    Set, Tensor, Wrench,
};
use asperity_friction::{Law, LoadRule, Rheology};
use glamx::{DMat2, DMat3, DVec2, DVec3};

use crate::{
    Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Operator, RowEntry, SparseMatrix,
};

/// One kind of random set per label.
pub const SETS: [&str; 12] = [
    "interval",
    "disk",
    "ellipse",
    "box",
    "polygon",
    "tensor",
    "full tensor",
    "asymmetric tensor",
    "ellipsoid",
    "disk_disk",
    "limit surface",
    "rings",
];

/// A random set of the given kind.
///
/// # Panics
///
/// For a kind that is not in [`SETS`].
pub fn random_set(kind: &str, rng: &mut Rng) -> Set {
    let angle = Rotation::from_angle(rng.uniform(-4.0, 4.0));
    let mut mu = || rng.log_uniform(0.02, 2.0);
    let set = match kind {
        "interval" => Interval::new(-mu(), mu()).map(Set::from),
        "disk" => Disk::new(mu()).map(Set::from),
        "ellipse" => Ellipse::new(mu(), mu(), angle).map(Set::from),
        "box" => Interval::new(-mu(), mu())
            .and_then(|first| Ok(BoxSet::new(first, Interval::new(-mu(), mu())?, angle).into())),
        "polygon" => {
            let corners: Vec<DVec2> =
                (0..7).map(|k| DVec2::from_angle(0.9 * f64::from(k)) * mu()).collect();
            Polygon::from_points(&corners).map(Set::from)
        }
        "tensor" => {
            let q = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            Tensor::linear(angle.turn_tensor(q)).map(Set::from)
        }
        "full tensor" => {
            let (a, d) = (mu(), mu());
            let (skew, even) = (0.4 * a.min(d), 0.4 * (a * d).sqrt());
            let q = DMat2::from_cols(DVec2::new(a, even + skew), DVec2::new(even - skew, d));
            Tensor::linear(angle.turn_tensor(q)).map(Set::from)
        }
        "asymmetric tensor" => {
            let positive = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            let negative = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            Tensor::asymmetric(positive, negative).map(Set::from)
        }
        "ellipsoid" => Ellipse::new(mu(), mu(), angle)
            .and_then(|section| Ellipsoid::new(section, 0.1 * mu()))
            .map(Set::from),
        "limit surface" => Ellipse::new(mu(), mu(), angle).and_then(|section| {
            let size = 0.1 * mu();
            let mut part = |k: i32| Part {
                place: DVec2::from_angle(0.9 * f64::from(k)) * size * mu(),
                share: mu(),
                spin_radius: 0.2 * size,
            };
            let parts: Vec<Part> = (0..9).map(&mut part).collect();
            LimitSurface::from_parts(section, &parts).map(Set::from)
        }),
        "rings" => {
            let size = 0.1 * mu();
            let rings: Vec<(f64, f64)> =
                (1..9).map(|k| (size * f64::from(k) / 8.0, f64::from(k))).collect();
            LimitSurface::from_rings(mu(), &rings).map(Set::from)
        }
        "disk_disk" => DiskDisk::new(mu(), 0.1 * mu()).map(Set::from),
        _ => panic!("no set of kind {kind}"),
    };
    set.unwrap_or_else(|e| panic!("{kind}: {e}"))
}

/// A random symmetric positive definite matrix, row-major, as contacts have it: a body's inverse
/// mass on the diagonal and the coupling of an arm.
pub fn random_matrix(n: usize, rng: &mut Rng) -> Vec<f64> {
    let factor: Vec<f64> = (0..n * n).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let scale = rng.log_uniform(1e-3, 1e3);
    let mut w = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = (0..n).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            w[i * n + j] = scale * (product + if i == j { 0.3 } else { 0.0 });
        }
    }
    w
}

/// One contact with a random W and q that presses the bodies together in most cases.
pub fn single_contact(law: impl Into<Law>, rng: &mut Rng) -> ContactProblem {
    let law = law.into();
    let n = 1 + law.set.dim();
    let w = random_matrix(n, rng);
    let size = rng.log_uniform(1e-3, 1e3);
    let mut q: Vec<f64> = (0..n).map(|_| size * rng.uniform(-1.0, 1.0)).collect();
    q[0] -= 0.5 * size;
    let entries = (0..n * n).map(|k| (k / n, k % n, w[k]));
    let operator = Operator::Explicit(valid(SparseMatrix::from_triplets(n, n, entries)));
    checked("single contact", operator, q, vec![FrictionBlock::contact(0, 1..n, law)])
}

/// A tower of `n` cubes, four contacts between each two: heavily redundant rows over bodies. Each
/// cube moves faster than the one below by `push`, m/s.
pub fn tower(n: usize, law: &Law, push: f64) -> ContactProblem {
    let mut bodies = cubes(n);
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    let velocity = |body: usize| DVec3::new(push * body as f64, 0.0, -0.0981);
    for body in 0..n {
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let normal = q.len();
            let below = if body == 0 { DVec3::ZERO } else { velocity(body - 1) };
            let relative = velocity(body) - below;
            for k in 0..=law.set.dim() {
                let entry =
                    |dof_block, z, sign| contact_entry(dof_block, DVec3::new(x, y, z), k, sign);
                let upper = entry(body, -0.5, 1.0);
                let lower = body.checked_sub(1).map(|k| entry(k, 0.5, -1.0));
                q.push(if k < 3 { relative.dot(AXES[k]) } else { 0.0 });
                bodies.push_row(lower.into_iter().chain([upper]));
            }
            blocks.push(FrictionBlock::contact(normal, normal + 1..q.len(), law.clone()));
        }
    }
    checked(&format!("tower of {n}"), Operator::Bodies(bodies), q, blocks)
}

/// A cube on four normal rows that load one patch below its middle.
pub fn patch(law: &Law, slip: DVec3) -> ContactProblem {
    let mut bodies = cubes(1);
    let mut q = vec![-0.0981; 4];
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
        bodies.push_row([contact_entry(0, DVec3::new(x, y, -0.5), 0, 1.0)]);
    }
    for k in 1..=law.set.dim() {
        bodies.push_row([contact_entry(0, DVec3::new(0.0, 0.0, -0.5), k, 1.0)]);
        q.push(slip.to_array()[(k - 1) % 3]);
    }
    let blocks = vec![FrictionBlock::new(4..q.len(), 0..4, law.clone())];
    checked("patch", Operator::Bodies(bodies), q, blocks)
}

/// A chain of cubes: held by three rows each to the next, the first to the wall, with a motor of
/// limited torque at each joint.
pub fn joints(n: usize, rng: &mut Rng) -> ContactProblem {
    let mut bodies = cubes(n);
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for body in 0..n {
        let first = q.len();
        for axis in AXES {
            let entry = |dof_block, x: f64, sign: f64| RowEntry {
                dof_block,
                linear: axis * sign,
                angular: (DVec3::X * x).cross(axis) * sign,
            };
            let before = body.checked_sub(1).map(|k| entry(k, 0.5, -1.0));
            bodies.push_row(before.into_iter().chain([entry(body, -0.5, 1.0)]));
            q.push(rng.uniform(-1.0, 1.0));
        }
        blocks.push(FrictionBlock::held(first..first + 3));
        let turn = |dof_block, sign: f64| RowEntry {
            dof_block,
            linear: DVec3::ZERO,
            angular: DVec3::Y * sign,
        };
        let before = body.checked_sub(1).map(|k| turn(k, -1.0));
        bodies.push_row(before.into_iter().chain([turn(body, 1.0)]));
        q.push(rng.uniform(-1.0, 1.0));
        let torque = valid(Interval::symmetric(1.0));
        blocks.push(FrictionBlock::constant(first + 3..first + 4, 0.05, torque));
    }
    checked("joints", Operator::Bodies(bodies), q, blocks)
}

/// A chain of `n` masses on springs, each of which touches: every third one a rigid body of 2 kg,
/// the others the ground. The first is held to the wall.
pub fn soft_chain(n: usize, law: &Law, rng: &mut Rng) -> ContactProblem {
    let (mut system, mut rows) = (Vec::new(), Vec::new());
    for i in 0..3 * n {
        system.push((i, i, 0.1 + if i < 3 { 40.0 } else { 20.0 } + 20.0));
        if i >= 3 {
            system.push((i, i - 3, -20.0));
        }
    }
    let mut bodies = Bodies {
        inverse_masses: vec![InverseMass::Body { mass: 0.5, inertia: DMat3::IDENTITY * 3.0 }],
        ..Bodies::default()
    };
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for k in 0..n {
        let arm = DVec3::new(rng.uniform(-0.5, 0.5), -0.5, rng.uniform(-0.5, 0.5));
        for (row, direction) in [DVec3::Y, DVec3::X, DVec3::Z].into_iter().enumerate() {
            rows.extend((0..3).map(|i| (3 * k + row, 3 * k + i, direction[i])));
            let (linear, angular) = (-direction, -arm.cross(direction));
            let rigid = RowEntry { dof_block: 0, linear, angular };
            bodies.push_row((k % 3 == 0).then_some(rigid));
            q.push(if row == 0 { rng.uniform(-1.0, 0.2) } else { rng.uniform(-0.5, 0.5) });
        }
        blocks.push(FrictionBlock::contact(3 * k, 3 * k + 1..3 * k + 3, law.clone()));
    }
    let system = valid(SparseMatrix::from_triplets(3 * n, 3 * n, system));
    let rows = valid(SparseMatrix::from_triplets(3 * n, 3 * n, rows));
    bodies.coupling = valid(Coupling::new(0, system, rows, vec![0.1; 3 * n]));
    checked("soft chain", Operator::Bodies(bodies), q, blocks)
}

/// The set with bias, compliance and drag, for two or three rows with a patch of this radius.
pub fn with_rheology(set: Set, radius: f64, rng: &mut Rng) -> Law {
    let unit = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.0 / radius));
    let mut matrix = |size: f64| {
        let numbers: Vec<f64> = (0..9).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let factor = DMat3::from_cols_slice(&numbers);
        (factor * factor.transpose() + DMat3::IDENTITY * 0.1) * size
    };
    let (compliance, drag) =
        (unit * matrix(0.1) * unit, unit.inverse() * matrix(0.1) * unit.inverse());
    let bias = unit * DVec3::new(rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), 0.02);
    Law { rheology: Some(Box::new(Rheology { bias, compliance, drag })), ..Law::from(set) }
}

/// The set with a constant load, N s.
pub fn with_constant(set: Set, load: f64) -> Law {
    Law { load: LoadRule::Constant(load), ..Law::from(set) }
}

/// A stack of cubes on wrenches.
pub fn wrenches(n: usize, push: f64) -> ContactProblem {
    let mut bodies = cubes(n);
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for body in 0..n {
        let first = q.len();
        for k in 0..6 {
            let entry = |dof_block, z, sign| contact_entry(dof_block, DVec3::Z * z, k, sign);
            let lower = body.checked_sub(1).map(|k| entry(k, 0.5, -1.0));
            bodies.push_row(lower.into_iter().chain([entry(body, -0.5, 1.0)]));
        }
        q.extend([if body == 0 { -0.0981 } else { 0.0 }, push, 0.0, 0.0, 0.0, 0.0]);
        let patch = valid(Ellipse::new(0.5, 0.5, Rotation::IDENTITY));
        let set = valid(Wrench::new(patch, valid(Disk::new(0.5)).into()));
        blocks.push(FrictionBlock::constant(first..first + 6, 1.0, set));
    }
    checked("wrenches", Operator::Bodies(bodies), q, blocks)
}

/// Normal, t and b.
const AXES: [DVec3; 3] = [DVec3::Z, DVec3::X, DVec3::Y];

/// The k-th row of a contact at an arm from the centre: forces along the axes, then torques about
/// them.
fn contact_entry(dof_block: usize, arm: DVec3, k: usize, sign: f64) -> RowEntry {
    let axis = AXES[k % 3] * sign;
    if k < 3 {
        RowEntry { dof_block, linear: axis, angular: arm.cross(axis) }
    } else {
        RowEntry { dof_block, linear: DVec3::ZERO, angular: axis }
    }
}

/// Cubes of 1 kg and edge 1 m.
fn cubes(n: usize) -> Bodies {
    let inertia = DMat3::from_diagonal(DVec3::splat(6.0));
    let inverse_masses = vec![InverseMass::Body { mass: 1.0, inertia }; n];
    Bodies { inverse_masses, ..Bodies::default() }
}

pub(super) fn checked(
    name: &str,
    operator: Operator,
    q: Vec<f64>,
    blocks: Vec<FrictionBlock>,
) -> ContactProblem {
    let compliance = Vec::new();
    let problem = ContactProblem { name: name.to_owned(), operator, q, compliance, blocks };
    valid(problem.validate());
    problem
}

pub(super) fn valid<T, E: std::fmt::Display>(made: Result<T, E>) -> T {
    made.unwrap_or_else(|e| panic!("{e}"))
}
