//! Bodies of 10 mm at 10 km/s do not pass what is a millimetre thick in steps of 10 ms, and what they would miss
//! does not stop them.

use std::sync::Arc;

use asperity::body::{BodyDesc, BodyKind, Mass};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::geometry::shape::{MeshData, Shape};
use asperity::glamx::{DQuat, DVec2, DVec3, EulerRot};
use asperity::{Settings, World};

const SPEED: f64 = 1e4;
const DISTANCE: f64 = 30.0;

fn world() -> World {
    let section = Fallback::Section(Arc::new(Coulomb::new(0.4).unwrap()));
    let pairing = Pairing::new(vec![Surface::new("all")], vec![], &section).unwrap();
    World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }, pairing)
}

/// Bullets of 10 mm. Meshes are not among them: they find other meshes where they overlap, and not before.
fn bullets() -> [(&'static str, Shape); 5] {
    let (radius, half_height) = (0.005, 0.005);
    [
        ("sphere", Shape::Sphere { radius }),
        ("box", Shape::Box { half_extents: DVec3::splat(radius) }),
        ("capsule", Shape::Capsule { radius, half_height }),
        ("cylinder", Shape::Cylinder { radius, half_height }),
        ("cone", Shape::Cone { radius, half_height }),
    ]
}

/// A block as a mesh.
fn block(half: DVec3) -> MeshData {
    let corner = |k: u32| {
        let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(sign(1), sign(2), sign(4))
    };
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshData { positions: (0..8).map(corner).collect(), triangles, ..MeshData::default() }
}

/// Plates of a millimetre and a metre, and ground that is steep on one side, across x.
fn targets() -> [(&'static str, Shape, DQuat); 3] {
    let half = DVec3::new(5e-4, 0.5, 0.5);
    let waves = |k: usize| 1e-3 * ((k * 7919) % 13) as f64 / 13.0;
    let heights = (0..20 * 20).map(waves).collect();
    let size = DVec2::splat(1.0);
    let ground = Shape::HeightField { heights, rows: 20, columns: 20, size };
    [
        ("plate", Shape::Box { half_extents: half }, DQuat::IDENTITY),
        ("mesh", Shape::Mesh(Arc::new(block(half))), DQuat::IDENTITY),
        // Its heights point towards the bullet.
        ("height field", ground, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2)),
    ]
}

/// Where a bullet and its target are after three steps, and the energy before and after.
fn shoot(bullet: Shape, target: BodyDesc, aim: DVec3) -> ([DVec3; 2], [f64; 2]) {
    let mut world = world();
    world.add_body(target).unwrap();
    let turned = DQuat::from_euler(EulerRot::XYZ, 0.3, 0.7, 0.2);
    let mut desc = BodyDesc::new("bullet", bullet).at(aim - DVec3::X * DISTANCE);
    (desc.mass, desc.linear_velocity) = (Mass::Total(0.01), DVec3::X * SPEED);
    desc.pose.rotation = turned;
    world.add_body(desc).unwrap();
    let before = world.energy().total();
    for _ in 0..3 {
        world.step();
    }
    let at = [1, 0].map(|k| world.bodies()[k].pose.translation);
    (at, [before, world.energy().total()])
}

#[test]
fn what_stands_still_is_not_passed() {
    for (target, shape, rotation) in targets() {
        for (name, bullet) in bullets() {
            let mut desc = BodyDesc::fixed(target, shape.clone());
            desc.pose.rotation = rotation;
            let ([bullet, _], [before, after]) = shoot(bullet, desc, DVec3::new(0.0, 0.1, 0.07));
            assert!(bullet.x < 0.0, "{name} on {target}: at {bullet}");
            assert!(after <= before, "{name} on {target}: {before} J, then {after} J");
        }
    }
}

#[test]
fn what_comes_the_other_way_is_not_passed() {
    for (target, shape, rotation) in targets().into_iter().take(2) {
        for (name, bullet) in bullets() {
            for speed in [-1e4, -50.0, 2e3] {
                let mut desc = BodyDesc::new(target, shape.clone());
                (desc.mass, desc.linear_velocity) = (Mass::Total(1.0), DVec3::X * speed);
                (desc.pose.rotation, desc.kind) = (rotation, BodyKind::Dynamic);
                // In the middle, so that the plate does not turn.
                let ([bullet, plate], [before, after]) = shoot(bullet.clone(), desc, DVec3::ZERO);
                assert!(bullet.x < plate.x, "{name} on {target} at {speed}: {bullet}, {plate}");
                assert!(
                    after <= before * (1.0 + 1e-12),
                    "{name} on {target} at {speed}: {after} J"
                );
            }
        }
    }
}

#[test]
fn what_passes_by_is_not_stopped() {
    for (target, shape, rotation) in targets() {
        for (name, bullet) in bullets() {
            let mut desc = BodyDesc::fixed(target, shape.clone());
            desc.pose.rotation = rotation;
            // Two centimetres beyond the rim.
            let ([bullet, _], _) = shoot(bullet, desc, DVec3::new(0.0, 0.52, 0.0));
            let free = -DISTANCE + 0.03 * SPEED;
            assert!((bullet.x - free).abs() < 1e-9, "{name} by {target}: at {bullet}");
        }
    }
}
