//! Every set passes the conformance suite, and every convex one agrees with a conic solver.

mod conic;

use asperity_friction::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, LimitPolytope, LimitSurface, Part,
    Polygon, Rotation, Set, Tensor,
};
use asperity_friction::testing::{Rng, check_set};
use conic::check_projection_against_conic_solver;
use glamx::{DMat2, DVec2};

const CASES: usize = 100_000;
const CONIC_CASES: usize = 300;

fn check_convex(label: &str, make: impl Fn(&mut Rng) -> Set) {
    check_set(label, CASES, &make);
    check_projection_against_conic_solver(label, CONIC_CASES, &make);
}

/// A coefficient over four decades, sometimes zero.
fn mu(rng: &mut Rng) -> f64 {
    if rng.chance(0.05) { 0.0 } else { rng.log_uniform(1e-3, 10.0) }
}

fn rotation(rng: &mut Rng) -> Rotation {
    match rng.index(5) {
        0 => Rotation::IDENTITY,
        1 => Rotation::from_direction(rng.unit_vector2()).unwrap(),
        _ => Rotation::from_angle(rng.uniform(-4.0, 4.0)),
    }
}

fn interval(rng: &mut Rng) -> Interval {
    Interval::new(-mu(rng), mu(rng)).unwrap()
}

/// Aspect ratios up to 1e4, a zero axis now and then.
fn ellipse(rng: &mut Rng) -> Ellipse {
    let long = mu(rng);
    let short = if rng.chance(0.1) { 0.0 } else { long * rng.log_uniform(1e-4, 1.0) };
    let (first, second) = if rng.chance(0.5) { (long, short) } else { (short, long) };
    Ellipse::new(first, second, rotation(rng)).unwrap()
}

/// Hulls of 1 to 24 points about the origin or with a corner or an edge on it.
fn polygon(rng: &mut Rng) -> Polygon {
    let size = rng.log_uniform(1e-3, 10.0);
    let count = 1 + rng.index(24);
    if count == 2 || rng.chance(0.1) {
        let end = rng.unit_vector2() * size;
        let other = if rng.chance(0.5) { DVec2::ZERO } else { -end * rng.unit() };
        return Polygon::from_points(&[end, other]).unwrap();
    }
    let mut points = vec![DVec2::ZERO; usize::from(count < 3 || rng.chance(0.2))];
    while points.len() < count {
        points.push(rng.unit_vector2() * size * rng.log_uniform(1e-2, 1.0));
    }
    Polygon::from_points(&points).unwrap_or_else(|_| {
        points.push(DVec2::ZERO);
        Polygon::from_points(&points).unwrap()
    })
}

fn symmetric(rng: &mut Rng) -> DMat2 {
    let most = rng.log_uniform(1e-3, 10.0);
    let q = DMat2::from_diagonal(DVec2::new(most, most * rng.log_uniform(1e-3, 1.0)));
    rotation(rng).turn_tensor(q)
}

/// A symmetric tensor and a part that turns the force sideways.
fn full(rng: &mut Rng) -> DMat2 {
    let q = symmetric(rng);
    let skew = rng.uniform(-2.0, 2.0) * q.x_axis.length();
    q + DMat2::from_cols(DVec2::new(0.0, skew), DVec2::new(-skew, 0.0))
}

/// Different tensors for both senses of slip; most random ones dissipate in all quadrants.
fn asymmetric(rng: &mut Rng) -> Tensor {
    loop {
        let mut q = [(); 2].map(|()| full(rng));
        if rng.chance(0.2) {
            // Each axis on its own, as in the paper's ratchet.
            q = q.map(|q| DMat2::from_diagonal(DVec2::new(q.x_axis.x, q.y_axis.y)));
        }
        if let Ok(tensor) = Tensor::asymmetric(q[0], q[1]) {
            return tensor;
        }
    }
}

#[test]
fn intervals_conform() {
    check_convex("interval", |rng| interval(rng).into());
}

#[test]
fn disks_conform() {
    check_convex("disk", |rng| Disk::new(mu(rng)).unwrap().into());
}

#[test]
fn ellipses_conform() {
    check_convex("ellipse", |rng| ellipse(rng).into());
}

#[test]
fn boxes_with_four_different_bounds_conform() {
    check_convex("box", |rng| BoxSet::new(interval(rng), interval(rng), rotation(rng)).into());
}

#[test]
fn polygons_conform() {
    check_convex("polygon", |rng| polygon(rng).into());
}

#[test]
fn ellipsoids_conform() {
    check_convex("ellipsoid", |rng| {
        let section = ellipse(rng);
        let drilling = match rng.index(8) {
            0 => mu(rng),
            _ => section.mu().max_element() * rng.log_uniform(1e-4, 1.0),
        };
        Ellipsoid::new(section, drilling).unwrap().into()
    });
}

#[test]
fn disk_disks_conform() {
    check_convex("disk_disk", |rng| DiskDisk::new(mu(rng), mu(rng)).unwrap().into());
}

/// Patches of 1 to 40 parts over four decades of size, sections up to 1:100.
fn patch(rng: &mut Rng) -> LimitSurface {
    let size = rng.log_uniform(1e-3, 10.0);
    let part = |rng: &mut Rng| Part {
        place: rng.unit_vector2() * size * rng.unit(),
        share: rng.log_uniform(1e-2, 1.0),
        spin_radius: size * rng.log_uniform(1e-2, 1.0),
    };
    let parts: Vec<Part> = (0..=rng.index(40)).map(|_| part(rng)).collect();
    let long = rng.log_uniform(1e-3, 10.0);
    let section = Ellipse::new(long, long * rng.log_uniform(1e-2, 1.0), rotation(rng)).unwrap();
    LimitSurface::from_parts(section, &parts).unwrap()
}

#[test]
fn limit_surfaces_of_cells_conform() {
    check_set("limit surface", CASES / 5, |rng| patch(rng).into());
    check_projection_against_conic_solver("limit surface", CONIC_CASES, |rng| patch(rng).into());
}

/// Patches of 1 to 40 points with polygons as sections, flat ones among them; torques in units of
/// the patch's size, as solvers have them.
fn polytope(rng: &mut Rng) -> LimitPolytope {
    let size = rng.log_uniform(1e-3, 10.0);
    let point =
        |rng: &mut Rng| (rng.unit_vector2() * size * rng.unit(), rng.log_uniform(1e-2, 1.0));
    let points: Vec<_> = (0..=rng.index(40)).map(|_| point(rng)).collect();
    LimitPolytope::new(&polygon(rng), &points).unwrap().in_torque_units(size)
}

#[test]
fn limit_surfaces_of_polygons_conform() {
    check_set("limit polytope", CASES / 5, |rng| polytope(rng).into());
    check_projection_against_conic_solver("limit polytope", CONIC_CASES / 3, |rng| {
        polytope(rng).into()
    });
}

#[test]
fn limit_surfaces_of_rings_conform() {
    check_set("rings", CASES / 10, |rng| {
        let size = rng.log_uniform(1e-3, 10.0);
        let ring = |rng: &mut Rng| (size * rng.log_uniform(1e-2, 1.0), rng.log_uniform(1e-2, 1.0));
        let rings: Vec<(f64, f64)> = (0..=rng.index(16)).map(|_| ring(rng)).collect();
        LimitSurface::from_rings(rng.log_uniform(1e-3, 10.0), &rings).unwrap().into()
    });
}

#[test]
fn symmetric_tensors_conform() {
    check_set("symmetric tensor", CASES, |rng| Tensor::linear(symmetric(rng)).unwrap().into());
}

#[test]
fn full_tensors_conform() {
    check_set("full tensor", CASES, |rng| Tensor::linear(full(rng)).unwrap().into());
}

#[test]
fn singular_tensors_conform() {
    check_set("singular tensor", CASES, |rng| {
        let size = mu(rng);
        let q = DMat2::from_diagonal(DVec2::new(size, 0.0));
        Tensor::linear(rotation(rng).turn_tensor(q)).unwrap().into()
    });
}

#[test]
fn asymmetric_tensors_conform() {
    check_set("asymmetric tensor", CASES, |rng| asymmetric(rng).into());
}

/// A joint's rows carry any force and have no load.
#[test]
fn free_sets_leave_every_force_alone() {
    for dim in 1..=6 {
        let mut rng = Rng::new(dim as u64);
        let set = Set::Free(dim);
        let force = rng.unit_vector(dim);
        let mut projected = force.clone();
        set.project(&mut projected, 0.0);
        assert_eq!(projected, force);
        assert_eq!(set.support(&force, 1.0), f64::INFINITY);
        assert_eq!(set.support(&vec![0.0; dim], 1.0), 0.0);
        let mut traction = force.clone();
        set.traction(&force, 1.0, &mut traction);
        assert_eq!(traction, vec![0.0; dim]);
    }
}
