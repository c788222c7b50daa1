//! What holds for every 6-D contact, on boxes without any order.

mod wrench_body;

use asperity_friction::extent::{Screw, SpinLaw, Wrench};
use asperity_friction::random::Rng;
use asperity_friction::set::{BoxSet, Disk, Ellipse, Interval, Rotation, Set, Tensor};
use glamx::{DMat2, DVec3, Vec3Swizzles};
use wrench_body::{Body, after};

fn sections() -> Vec<Set> {
    let interval = |a: f64, b: f64| Interval::new(a, b).unwrap();
    vec![
        Disk::new(0.5).unwrap().into(),
        Ellipse::new(0.9, 0.1, Rotation::from_angle(0.7)).unwrap().into(),
        BoxSet::new(interval(-0.2, 0.8), interval(-0.1, 0.3), Rotation::from_angle(0.3)).into(),
        Tensor::linear(DMat2::from_cols_array(&[0.5, 0.1, -0.1, 0.2])).unwrap().into(),
    ]
}

/// Random boxes that stand on random patches, with random velocities.
fn random(rng: &mut Rng) -> ([f64; 36], [f64; 6], Ellipse) {
    let mut half = || rng.uniform(0.1, 0.6);
    let half = DVec3::new(half(), half(), half());
    let mass = rng.uniform(0.1, 10.0);
    let centre = DVec3::new(half.x, rng.uniform(-half.y, half.y), rng.uniform(-half.z, half.z));
    let body = Body::of_box(mass, half, centre);
    let mut vector =
        |s: f64| DVec3::new(rng.uniform(-s, s), rng.uniform(-s, s), rng.uniform(-s, s));
    let (velocity, spin) = (vector(1.0), vector(3.0));
    let turn = Rotation::from_angle(rng.uniform(0.0, 3.0));
    let patch = Ellipse::new(rng.uniform(0.0, 0.4), rng.uniform(0.0, 0.4), turn).unwrap();
    (body.block(), body.free(velocity, spin), patch)
}

#[test]
fn what_acts_is_admissible_pushes_nothing_apart_and_takes_energy() {
    let mut rng = Rng::new(7);
    let (mut pushed, mut slipped, mut coupled, mut left) = (0, 0, 0, 0);
    for _ in 0..1500 {
        let (w, free, patch) = random(&mut rng);
        for section in sections() {
            let contensou = Wrench::new(patch, section.clone()).unwrap().contensou().ok();
            let corners = Wrench::new(patch, section).unwrap();
            for set in
                [Some(corners.clone()), Some(corners.uniform()), contensou].into_iter().flatten()
            {
                let r = set.solve(&w, &free);
                let size = r.iter().fold(1e-12, |m: f64, x| m.max(x.abs()));
                let bad = set.violations(&r);
                assert!(bad.iter().all(|v| *v <= 1e-9 * size), "{bad:?} {r:?} {set:?}");
                if r[0] == 0.0 {
                    continue;
                }
                pushed += 1;
                // No velocity along the normal where the force acts; with coupled spin, unless the
                // rounds ran out.
                let screw = Screw::from_rows(&r);
                let twist = after(&w, &free, &r);
                let gap = twist.velocity_at(screw.cop()).x;
                if matches!(set.spin(), SpinLaw::Contensou(_)) {
                    coupled += 1;
                    left += usize::from(gap.abs() > 1e-9);
                } else {
                    assert!(gap.abs() < 1e-9, "{gap} {r:?} {set:?}");
                }
                let slip = twist.velocity_at(screw.cop()).yz();
                let power =
                    slip.dot(screw.linear.yz()) + twist.angular.x * screw.spin_about(screw.cop());
                assert!(power <= 1e-9 * size, "{power} {r:?} {set:?}");
                slipped += usize::from(slip.length() > 1e-6);
            }
        }
    }
    assert!(pushed > 3000 && slipped > 1000, "{pushed} {slipped}");
    assert!(100 * left <= coupled, "{left} of {coupled} unsolved");
}

#[test]
fn friction_of_a_disk_opposes_the_slip() {
    let mut rng = Rng::new(3);
    let mut seen = 0;
    for _ in 0..2000 {
        let (w, free, patch) = random(&mut rng);
        let mut set = Wrench::new(patch, Disk::new(0.3).unwrap().into()).unwrap();
        set = set.with_spin(SpinLaw::None);
        let r = set.solve(&w, &free);
        let screw = Screw::from_rows(&r);
        let slip = after(&w, &free, &r).velocity_at(screw.cop()).yz();
        if r[0] > 0.0 && slip.length() > 1e-3 {
            let cosine = slip.normalize().dot(screw.linear.yz().normalize());
            assert!(cosine < -1.0 + 1e-9, "{cosine} {slip} {r:?} {free:?} {patch:?}");
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn nothing_is_allocated_and_nothing_is_remembered() {
    let mut rng = Rng::new(11);
    let (w, free, patch) = random(&mut rng);
    let set = Wrench::new(patch, Disk::new(0.5).unwrap().into()).unwrap();
    let first = set.solve(&w, &free);
    let info = allocation_counter::measure(|| {
        assert_eq!(set.solve(&w, &free), first);
    });
    assert_eq!(info.count_total, 0);
}
