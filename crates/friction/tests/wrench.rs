//! The 6-D contact of one patch against closed forms.

mod wrench_body;

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use asperity_friction::extent::{Block, Metric, Rolling, Screw, Slip, Wrench};
use asperity_friction::set::{Disk, Ellipse, Interval, Rotation, Tensor};
use glamx::{DMat2, DVec2, DVec3};
use wrench_body::{Body, after};

const CUBE: Body = Body {
    mass: 2.0,
    inertia: DVec3::new(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0),
    centre: DVec3::new(0.5, 0.0, 0.0),
};

fn patch(a: f64, b: f64) -> Ellipse {
    Ellipse::new(a, b, Rotation::IDENTITY).unwrap()
}

fn wrench(a: f64, b: f64, mu: f64) -> Wrench {
    Wrench::new(patch(a, b), Disk::new(mu).unwrap().into()).unwrap()
}

fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn a_known_force_at_a_known_point_has_its_centre_of_pressure_there() {
    let (force, at) = (DVec3::new(3.0, 0.7, -0.2), DVec2::new(0.11, -0.35));
    let screw = Screw::at(force, 0.0, at);
    // τ = r × f with r = (0, 0.11, −0.35) in (n, t, b).
    let arm = DVec3::new(0.0, at.x, at.y);
    assert_eq!(screw.angular, arm.cross(force));
    assert!((screw.cop() - at).length() < 1e-15);
    near(screw.spin_about(at), 0.0, 1e-15);
}

#[test]
fn a_moved_block_is_the_block_of_the_moved_point() {
    let at = DVec2::new(0.3, -0.2);
    let moved = Block::from_rows(&CUBE.block()).moved(at);
    let there = Body { centre: CUBE.centre - DVec3::new(0.0, at.x, at.y), ..CUBE };
    let direct = Block::from_rows(&there.block());
    for k in 0..6 {
        let mut rows = [0.0; 6];
        rows[k] = 1.0;
        let (a, b) =
            (moved.apply(&Screw::from_rows(&rows)), direct.apply(&Screw::from_rows(&rows)));
        assert!((a.linear - b.linear).length() + (a.angular - b.angular).length() < 1e-14);
    }
}

#[test]
fn a_block_at_rest_is_held_by_its_weight_in_the_middle() {
    let set = wrench(0.4, 0.5, 0.6);
    let free = CUBE.free(DVec3::new(-0.0981, 0.0, 0.0), DVec3::ZERO);
    let r = set.solve(&CUBE.block(), &free);
    near(r[0], 2.0 * 0.0981, 1e-15);
    assert!(r[1..].iter().all(|x| x.abs() < 1e-16), "{r:?}");
}

#[test]
fn a_sliding_block_has_mu_times_its_load_and_its_pressure_ahead_of_it() {
    let mu = 0.3;
    for slip in [Slip::Projected, Slip::Opposed] {
        let mut set = wrench(0.4, 0.5, mu);
        set.slip = slip;
        let free = CUBE.free(DVec3::new(-0.1, 3.0, 1.0), DVec3::ZERO);
        let r = set.solve(&CUBE.block(), &free);
        near(r[0], 0.2, 1e-14);
        let along = DVec2::new(3.0, 1.0).normalize();
        assert!((DVec2::new(r[1], r[2]) + along * (mu * 0.2)).length() < 1e-14, "{r:?}");
        // Torque about the centre of mass must vanish: d = μ × height, forwards.
        let cop = Screw::from_rows(&r).cop();
        assert!((cop - along * (mu * 0.5)).length() < 1e-13, "{cop}");
        near(r[3], 0.0, 1e-15);
    }
}

#[test]
fn a_block_that_slides_too_hard_tips_over_its_edge() {
    // μ × height = 0.45 > 0.4: the pressure stays at the front edge, and the block turns about it.
    let set = wrench(0.4, 0.5, 0.9);
    let free = CUBE.free(DVec3::new(-0.1, 3.0, 0.0), DVec3::ZERO);
    let (w, r) = (CUBE.block(), set.solve(&CUBE.block(), &free));
    assert!((Screw::from_rows(&r).cop() - DVec2::new(0.4, 0.0)).length() < 1e-14);
    let twist = after(&w, &free, &r);
    let edge = twist.velocity_at(DVec2::new(0.4, 0.0));
    assert!(edge.x.abs() < 1e-14 && edge.y > 0.0, "{edge}");
    // The rear edge lifts.
    assert!(twist.velocity_at(DVec2::new(-0.4, 0.0)).x > 0.01);
}

#[test]
fn a_block_tips_exactly_when_its_centre_of_mass_is_beyond_the_patch() {
    for (offset, tips) in [(0.399, false), (0.401, true)] {
        let body = Body { centre: DVec3::new(0.5, offset, 0.0), ..CUBE };
        let set = wrench(0.4, 0.5, 0.6);
        let free = body.free(DVec3::new(-0.1, 0.0, 0.0), DVec3::ZERO);
        let r = set.solve(&body.block(), &free);
        let twist = after(&body.block(), &free, &r);
        assert_eq!(twist.angular.length() > 1e-6, tips, "{twist:?}");
        assert!(twist.velocity_at(DVec2::new(0.4, 0.0)).length() < 1e-14);
    }
}

#[test]
fn rolling_resistance_is_the_load_at_the_edge_of_the_patch() {
    // A sphere that rolls: the torque about the contact's middle is f_n × semi-axis.
    let (radius, half) = (0.5, 0.02);
    let body = Body {
        mass: 1.0,
        inertia: DVec3::splat(0.4 * radius * radius),
        centre: DVec3::new(radius, 0.0, 0.0),
    };
    let set = wrench(half, half, 0.8);
    let speed = 2.0;
    // Rolling along t is turning about b.
    let spin = DVec3::new(0.0, 0.0, speed / radius);
    let rolls = body.at_patch(DVec3::new(0.0, speed, 0.0), spin);
    assert!(rolls.linear.length() < 1e-14, "{rolls:?}");
    let free = body.free(DVec3::new(-0.0981, speed, 0.0), spin);
    let r = set.solve(&body.block(), &free);
    let screw = Screw::from_rows(&r);
    assert!((screw.cop() - DVec2::new(half, 0.0)).length() < 1e-14, "{}", screw.cop());
    near(screw.angular.length(), half * r[0], 1e-12);
}

#[test]
fn a_ball_rolls_over_its_patch_and_does_not_hop_over_its_rim() {
    let (radius, half, speed) = (0.1, 0.006, 1.0);
    let body = Body {
        mass: 4.0,
        inertia: DVec3::splat(0.4 * 4.0 * radius * radius),
        centre: DVec3::new(radius, 0.0, 0.0),
    };
    let spin = DVec3::new(0.0, 0.0, speed / radius);
    let free = body.free(DVec3::new(-0.0981, speed, 0.0), spin);
    let rises = |set: &Wrench| {
        let r = set.solve(&body.block(), &free);
        (after(&body.block(), &free, &r).linear.x, r)
    };
    // Held at its rim it would rise with ω a.
    let mut set = wrench(half, half, 0.8);
    assert!(rises(&set).0 > 0.9 * speed * half / radius);
    // The patch moves with the ball; a cap of rim a has the mean depth a²/(4 R).
    set.rolling = Rolling { velocity: DVec2::X * speed, depth: half * half / (4.0 * radius) };
    near(set.descent(DVec2::X * half), speed * half / radius, 1e-15);
    let (rise, r) = rises(&set);
    near(rise, 0.0, 1e-3);
    near(r[0], 4.0 * 0.0981, 1e-2);
    assert!(rise >= 0.0);
    // A patch that goes the other way gives nothing.
    set.rolling.velocity = -set.rolling.velocity;
    assert!(rises(&set).0 > 0.9 * speed * half / radius);
}

#[test]
fn a_frictionless_sphere_is_not_turned() {
    let body = Body { mass: 1.0, inertia: DVec3::splat(0.1), centre: DVec3::new(0.5, 0.0, 0.0) };
    let free = body.free(DVec3::new(-0.1, 2.0, -1.0), DVec3::ZERO);
    let r = wrench(0.05, 0.05, 0.0).solve(&body.block(), &free);
    near(r[0], 0.1, 1e-15);
    assert!(r[1..].iter().all(|x| *x == 0.0), "{r:?}");
}

#[test]
fn both_spin_laws_at_the_middle_and_the_edge_of_a_circle() {
    let (mu, radius) = (0.6, 0.3);
    let corners = wrench(radius, radius, mu);
    let exact = corners.clone().contensou().unwrap();
    let edge = DVec2::new(0.6, 0.8) * radius;
    // The paper's bound is 2.1 times what a patch under uniform pressure can carry …
    near(corners.spin_bounds(DVec2::ZERO)[1], SQRT_2 * mu * radius, 1e-15);
    near(exact.spin_bounds(DVec2::ZERO)[1], 2.0 / 3.0 * mu * radius, 1e-5);
    // … and does not vanish at the edge, until the pressure's centre was beyond it.
    assert!(corners.spin_bounds(edge)[1] > 0.5 * mu * radius);
    near(exact.spin_bounds(edge)[1], 0.0, 1e-15);
    // A body that only spins is braked by just so much.
    let free = CUBE.free(DVec3::new(-0.1, 0.0, 0.0), DVec3::new(50.0, 0.0, 0.0));
    for (set, part) in [(&corners, SQRT_2), (&exact, 2.0 / 3.0)] {
        let r = set.solve(&CUBE.block(), &free);
        near(r[3], -part * mu * r[0] * radius, 1e-5);
    }
}

#[test]
fn a_spinning_pad_slides_easily_with_contensou_friction_only() {
    let (mu, radius) = (0.5, 0.3);
    let body = Body { inertia: DVec3::splat(1e3), centre: DVec3::new(0.1, 0.0, 0.0), ..CUBE };
    let free = body.free(DVec3::new(-0.1, 0.5, 0.0), DVec3::new(20.0, 0.0, 0.0));
    let friction = |set: &Wrench| {
        let r = set.solve(&body.block(), &free);
        DVec2::new(r[1], r[2]).length() / (mu * r[0])
    };
    let corners = wrench(radius, radius, mu);
    near(friction(&corners), 1.0, 1e-12);
    let exact = corners.contensou().unwrap();
    // A disc that spins fast: f/(μ f_n) = v/(ω R) to first order (Contensou).
    let slow = friction(&exact);
    near(slow, 0.5 / (20.0 * radius), 2e-2);
}

#[test]
fn without_friction_the_mass_metric_takes_the_most_energy() {
    let body =
        Body { inertia: DVec3::new(0.4, 0.9, 0.1), centre: DVec3::new(0.5, 0.5, 0.4), ..CUBE };
    let (a, b) = (0.3, 0.2);
    let mut set = wrench(a, b, 0.0);
    set.metric = Metric::Mass;
    let free = body.free(DVec3::new(-0.1, 0.0, 0.0), DVec3::ZERO);
    let (w, free_twist) = (body.block(), Screw::from_rows(&free));
    let taken = |r: &[f64; 6]| {
        let mean = Block::from_rows(&w).apply(&Screw::from_rows(r));
        let screw = Screw::from_rows(r);
        let power = |t: &Screw| screw.linear.dot(t.linear) + screw.angular.dot(t.angular);
        -power(&free_twist) - 0.5 * power(&mean)
    };
    let best = taken(&set.solve(&w, &free));
    set.metric = Metric::Euclidean;
    assert!(taken(&set.solve(&w, &free)) < best);
    for k in 0..2000 {
        let at = DVec2::from_angle(0.003_141_592_653 * f64::from(k)) * DVec2::new(a, b);
        let give = Block::from_rows(&w).moved(at).apply(&Screw::at(DVec3::X, 0.0, DVec2::ZERO));
        let load = (-free_twist.velocity_at(at).x / give.linear.x).max(0.0);
        let mut r = [0.0; 6];
        Screw::at(DVec3::X * load, 0.0, at).write(&mut r);
        assert!(taken(&r) <= best + 1e-15, "{k}");
    }
}

#[test]
fn a_face_that_sinks_in_with_one_side_is_pushed_there() {
    // The middle leaves, the side at +t sinks in.
    let free = CUBE.free(DVec3::new(0.1, 0.0, 0.0), DVec3::new(0.0, 0.0, -1.0));
    let sinks = Screw::from_rows(&free).velocity_at(DVec2::new(-0.4, 0.0)).x;
    let lifts = Screw::from_rows(&free).velocity_at(DVec2::new(0.4, 0.0)).x;
    let edge = DVec2::new(if sinks < lifts { -0.4 } else { 0.4 }, 0.0);
    let r = wrench(0.4, 0.5, 0.5).solve(&CUBE.block(), &free);
    assert!(r[0] > 0.0);
    assert!((Screw::from_rows(&r).cop() - edge).length() < 1e-14);
    near(after(&CUBE.block(), &free, &r).velocity_at(edge).x, 0.0, 1e-15);
}

#[test]
fn bad_blocks_give_finite_wrenches_or_none() {
    let set = wrench(0.2, 0.1, 0.5);
    let falls = [-1.0, 0.4, 0.0, 3.0, -2.0, 1.0];
    assert_eq!(set.solve(&[0.0; 36], &falls), [0.0; 6]);
    // A body that can only move along the normal.
    let mut w = [0.0; 36];
    w[0] = 0.5;
    let r = set.solve(&w, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    near(r[0], 2.0, 1e-12);
    assert!(r.iter().all(|x| x.is_finite()));
    // One that cannot turn.
    for k in 0..3 {
        w[7 * k] = 0.5;
    }
    let r = set.solve(&w, &falls);
    assert!(r.iter().all(|x| x.is_finite()) && r[0] > 0.0, "{r:?}");
    let nan = [f64::NAN; 36];
    assert!(set.solve(&nan, &falls).iter().all(|x| x.is_finite()));
}

#[test]
fn sections_that_are_not_planar_are_refused() {
    let line = Interval::symmetric(FRAC_1_SQRT_2).unwrap();
    let error = Wrench::new(patch(0.1, 0.1), line.into()).unwrap_err();
    assert!(error.to_string().contains("planar"), "{error}");
    let tensor = Tensor::linear(DMat2::IDENTITY).unwrap();
    let error = Wrench::new(patch(0.1, 0.1), tensor.into()).unwrap().contensou().unwrap_err();
    assert!(error.to_string().contains("disk or an ellipse"), "{error}");
}

/// A cylinder eight times as tall as its patch is wide, which spins and has next to no slip: it does not tip. Its weight
/// stays in the middle and its spin torque at the bound, however little it slips.
#[test]
fn a_tall_cylinder_that_spins_stays_upright() {
    let (radius, mu) = (0.05, 0.3);
    for (high, spin) in [(0.05, 20.0), (0.2, 20.0), (0.4, 20.0), (0.2, 60.0)] {
        let mass = 3.0;
        let across = mass * (3.0 * radius * radius + 4.0 * high * high) / 12.0;
        let inertia = DVec3::new(0.5 * mass * radius * radius, across, across);
        let body = Body { mass, inertia, centre: DVec3::new(high, 0.0, 0.0) };
        let set = wrench(radius, radius, mu).uniform();
        for slip in [0.0, 1e-17, 1e-12, 1e-7] {
            let free = body.free(DVec3::new(-0.1, slip, 0.3 * slip), DVec3::new(spin, 0.0, 0.0));
            let r = set.solve(&body.block(), &free);
            near(r[0], 0.1 * mass, 1e-5);
            near(r[3], -2.0 / 3.0 * mu * radius * r[0], 1e-4 * radius);
            let off = Screw::from_rows(&r).cop().length();
            assert!(off <= 1e3 * slip, "{high} {spin} {slip}: {off}");
        }
    }
}
