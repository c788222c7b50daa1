//! Pairs of many bodies.

mod collide_support;

use asperity_geometry::collision::{Collision, Mobility};
use asperity_geometry::shape::Shape;
use collide_support::*;
use glamx::{DPose3, DVec3};

#[test]
fn five_thousand_bodies_give_the_pairs_that_testing_all_of_them_gives() {
    let mut numbers = Numbers(7);
    let mut collision = Collision::new();
    let n = 5000;
    let radius: Vec<f64> = (0..n).map(|_| 0.1 + 0.05 * numbers.next()).collect();
    for (i, &radius) in radius.iter().enumerate() {
        let mobility = if i % 5 == 0 { Mobility::Fixed } else { Mobility::Free };
        collision.add(i, &Shape::Sphere { radius }, mobility, u32::from(i % 7 == 0)).unwrap();
    }
    let mut poses: Vec<DPose3> =
        (0..n).map(|_| DPose3::from_translation(numbers.vector() * 3.0)).collect();
    collision.exclude(3, 4);
    (poses[3], poses[4]) = (at(0.0, 0.0, 0.0), at(0.01, 0.0, 0.0));
    for _ in 0..4 {
        collision.update(&poses, |_| 0.0, 0.01, 0.02);
        let mut wanted = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                let apart = poses[a].translation - poses[b].translation;
                let near = apart.abs().max_element() <= radius[a] + radius[b] + 0.02;
                let moves = a % 5 != 0 || b % 5 != 0;
                let grouped = a % 7 == 0 && b % 7 == 0;
                if near && moves && !grouped && (a, b) != (3, 4) {
                    wanted.push((a, b));
                }
            }
        }
        assert!(wanted.len() > 1000);
        assert_eq!(collision.near_pairs(), wanted);
        let touching = wanted.iter().filter(|&&(a, b)| {
            let apart = (poses[a].translation - poses[b].translation).length();
            apart - radius[a] - radius[b] <= 0.02
        });
        assert_eq!(collision.manifolds().len(), touching.count());
        for (i, pose) in poses.iter_mut().enumerate().skip(5) {
            if i % 5 != 0 {
                pose.translation += numbers.vector() * 0.3;
            }
        }
    }
}

#[test]
fn fast_bodies_see_contacts_ahead() {
    let mut collision = pair(&floor(), &Shape::Sphere { radius: 0.1 });
    let poses = [at(0.0, 0.0, 0.0), at(0.0, 0.4, 0.0)];
    collision.update(&poses, |_| 0.0, 0.01, 0.01);
    assert!(collision.manifolds().is_empty());
    collision.update(&poses, |i| if i == 1 { 40.0 } else { 0.0 }, 0.01, 0.01);
    assert!((collision.manifolds()[0].points[0].gap - 0.3).abs() < 1e-12);
}

#[test]
fn bodies_that_were_apart_are_found_as_soon_as_they_are_near() {
    let shapes = [cuboid(0.2, 0.1, 0.3), Shape::Capsule { half_height: 0.2, radius: 0.1 }];
    let mut numbers = Numbers(3);
    let (mut apart, mut near) = (0, 0);
    for _ in 0..40 {
        let mut lasting = pair(&shapes[0], &shapes[1]);
        let (way, axis) = (numbers.vector().normalize(), numbers.vector().normalize());
        for k in 0..120 {
            // Towards each other, turning, in steps far smaller than what is looked for ahead.
            let pose = turned(0.0, 0.0, 0.0, axis, 0.004 * f64::from(k));
            let pose = DPose3 { translation: way * (0.7 - 0.004 * f64::from(k)), ..pose };
            let poses = [at(0.0, 0.0, 0.0), pose];
            let speed = numbers.next().abs();
            let mut fresh = pair(&shapes[0], &shapes[1]);
            for collision in [&mut lasting, &mut fresh] {
                collision.update(&poses, |_| speed, 0.01, 1e-3);
            }
            let gaps = |c: &Collision| -> Vec<f64> {
                c.manifolds().iter().flat_map(|m| &m.points).map(|p| p.gap).collect()
            };
            assert_eq!(gaps(&lasting), gaps(&fresh), "{k}");
            *if gaps(&fresh).is_empty() { &mut apart } else { &mut near } += 1;
        }
    }
    assert!(apart > 1000 && near > 1000, "{apart} {near}");
}

#[test]
fn a_tilted_half_space_meets_only_what_is_near_it() {
    let mut collision = Collision::new();
    collision
        .add(0, &Shape::HalfSpace { normal: DVec3::new(1.0, 1.0, 0.0) }, Mobility::Fixed, 0)
        .unwrap();
    let mut poses = vec![at(0.0, 0.0, 0.0)];
    for i in 1..100 {
        collision.add(i, &cuboid(0.1, 0.1, 0.1), Mobility::Free, 0).unwrap();
        let x = i as f64;
        poses.push(at(x, -x + 0.1 * x, 0.0));
    }
    collision.update(&poses, |_| 0.0, 0.01, 0.01);
    let bodies: Vec<usize> = collision.manifolds().iter().map(|m| m.bodies[1]).collect();
    assert_eq!(bodies, [1, 2]);
}
