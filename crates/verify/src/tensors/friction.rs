//! Friction tensors on cloth against closed forms.

use std::sync::Arc;

use asperity::deform::{Fabric, SoftBody, SolidMaterial, mesh};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::{Composition, FrictionTensors};
use asperity::friction::surface::{Surface, SurfaceTensor, TextureMap, Wrap};
use asperity::glamx::{DMat2, DQuat, DVec2, DVec3};
use asperity::soft::{RestStructure, SoftContacts, SoftDesc, SoftId};
use asperity::world::{Settings, World};
use asperity::{BodyDesc, Shape};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, built};

const GRAVITY: f64 = 9.81;
const THICKNESS: f64 = 2e-3;

/// A plane y = 0 with one tensor, a cloth with another, gravity turned by `slope` radians so that
/// +x is downhill. Tensors are added with weight 1. The cloth is turned by `heading` and moves.
fn world(
    tensors: [SurfaceTensor; 2],
    slope: f64,
    heading: f64,
    dt: f64,
    velocity: DVec3,
) -> Result<(World, SoftId), VerifyError> {
    let [plane, cloth] = tensors;
    let surfaces =
        vec![Surface::new("plane").with_tensor(plane), Surface::new("cloth").with_tensor(cloth)];
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 })?;
    let pairing = built(Pairing::new(surfaces, vec![], &Fallback::Section(Arc::new(section))))?;
    let gravity = DVec3::new(slope.sin(), -slope.cos(), 0.0) * GRAVITY;
    let mut world = World::new(Settings { gravity, dt, ..Settings::default() }, pairing);
    add(&mut world, BodyDesc::fixed("plane", Shape::HalfSpace { normal: DVec3::Y }))?;
    let mut sheet = built(mesh::cloth_rectangle(DVec2::splat(0.2), [5, 5]))?;
    let turn = DQuat::from_rotation_y(heading);
    for x in &mut sheet.positions {
        *x = turn * *x + DVec3::Y * THICKNESS;
    }
    let mut body = built(SoftBody::cloth(&sheet, &Fabric::denim()))?;
    body.velocities.fill(velocity);
    let thickness = Some(THICKNESS);
    let desc = SoftDesc {
        name: "cloth".into(),
        body,
        surface: 1,
        structure: RestStructure::default(),
        thickness,
        self_contact: false,
        group: 0,
    };
    let id = built(world.add_soft(desc))?;
    Ok((world, id))
}

fn centre(world: &World, id: SoftId) -> DVec3 {
    world.softs()[id.0].body.centre()
}

fn run_for(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / world.settings.dt).round() as usize {
        world.step();
    }
}

/// Steps, seconds, and ways to touch that a quantity must not depend on.
const WAYS: [(f64, SoftContacts); 3] = [
    (0.001, SoftContacts::Implicit),
    (1.0 / 60.0, SoftContacts::Implicit),
    (1.0 / 60.0, SoftContacts::Solver),
];

fn named((dt, kind): (f64, SoftContacts)) -> String {
    let by = if kind == SoftContacts::Solver { ", general solver" } else { "" };
    format!("steps of {:.1} ms{by}", 1e3 * dt)
}

/// Cloth with the tensor (0.2, 0.5) starts to slide at tan α = 1/‖Q⁻¹e‖.
pub(crate) fn thresholds() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let along = [("warp", 0.0_f64), ("weft", 90.0), ("45 degrees", 45.0)];
    for (way, (name, heading)) in WAYS.iter().flat_map(|way| along.map(|a| (*way, a))) {
        let (s, c) = heading.to_radians().sin_cos();
        let expected = (1.0 / (c / 0.2).hypot(s / 0.5)).atan().to_degrees();
        let (mut low, mut high) = (expected - 4.0, expected + 4.0);
        while high - low > 0.02 {
            let angle: f64 = f64::midpoint(low, high);
            let tensors = [SurfaceTensor::isotropic(0.0)?, SurfaceTensor::orthotropic(0.2, 0.5)?];
            let (mut w, id) =
                world(tensors, angle.to_radians(), heading.to_radians(), way.0, DVec3::ZERO)?;
            w.set_soft_contacts(way.1);
            let start = centre(&w, id);
            run_for(&mut w, 0.5);
            // 0.01 degrees above its threshold it would go 0.2 mm.
            if centre(&w, id).distance(start) > 1e-4 { high = angle } else { low = angle }
        }
        let found = f64::midpoint(low, high);
        checks.push(Check::near(
            &format!("{}: along {name} it lets go at", named(way)),
            expected,
            found,
            0.2,
            "deg",
        ));
    }
    Ok(checks)
}

/// From rest, orthotropic cloth goes where a point mass with the force of Eq. 3 goes.
pub(crate) fn heading() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let turns = [20.0_f64, 45.0, 70.0];
    for (way, turned) in WAYS.iter().flat_map(|way| turns.map(|t| (*way, t))) {
        let (slope, turn) = (35.0_f64.to_radians(), turned.to_radians());
        let tensors = [SurfaceTensor::isotropic(0.0)?, SurfaceTensor::orthotropic(0.2, 0.5)?];
        let (mut w, id) = world(tensors, slope, turn, way.0, DVec3::ZERO)?;
        w.set_soft_contacts(way.1);
        let start = centre(&w, id);
        run_for(&mut w, 0.5);
        let gone = centre(&w, id) - start;
        // The cloth's warp is at −turn from x towards z.
        let axis = DVec2::new(turn.cos(), -turn.sin());
        let across = DVec2::new(-axis.y, axis.x);
        let q = |v: DVec2| axis * (0.2 * axis.dot(v)) + across * (0.5 * across.dot(v));
        let (mut x, mut v, h) = (DVec2::ZERO, DVec2::ZERO, 1e-6);
        for _ in 0..500_000 {
            let pull = DVec2::X * slope.sin();
            // At the very start the slip is along the force that is left.
            let along = if v == DVec2::ZERO { pull } else { v };
            v += (pull - q(along.normalize()) * slope.cos()) * (GRAVITY * h);
            x += v * h;
        }
        let angle = |p: DVec2| p.y.atan2(p.x).to_degrees();
        let what = format!("{}: heading with its warp turned by {turned} degrees", named(way));
        let found = angle(DVec2::new(gone.x, gone.z));
        checks.push(Check::near(&what, angle(x), found, 1.0, "deg"));
    }
    Ok(checks)
}

/// Sliding to rest on a level plane: one way and back; across stripes.
pub(crate) fn distances() -> Result<Vec<Check>, VerifyError> {
    let positive = DMat2::from_diagonal(DVec2::new(0.2, 0.3));
    let negative = DMat2::from_diagonal(DVec2::new(0.5, 0.3));
    let mut checks = Vec::new();
    for way in [(0.001, SoftContacts::Implicit), (0.001, SoftContacts::Solver)] {
        let mut ways = Vec::new();
        for velocity in [DVec3::X, DVec3::NEG_X] {
            let tensors =
                [SurfaceTensor::asymmetric(positive, negative)?, SurfaceTensor::isotropic(0.0)?];
            let (mut w, id) = world(tensors, 0.0, 0.0, way.0, velocity)?;
            w.set_soft_contacts(way.1);
            let start = centre(&w, id);
            run_for(&mut w, 0.6);
            ways.push(centre(&w, id).distance(start));
        }
        // Which of the two senses +x is depends on the surface's u; the ratio does not.
        let ratio = (ways[0] / ways[1]).max(ways[1] / ways[0]);
        let what = format!("{}: asymmetric, distance one way over the other", named(way));
        checks.push(Check::relative(&what, 2.5, ratio, 0.02, ""));
    }
    // Stripes of 0.1 and 0.9, 0.1 m each; 20 m/s crosses a fifth of one in a step.
    let (low, high) = ([1.0_f32; 4], [9.0_f32; 4]);
    let texels: Vec<[f32; 4]> = (0..64).map(|i| if i < 32 { low } else { high }).collect();
    let map = TextureMap::new(64, 1, texels, DVec2::new(0.2, 0.2), Wrap::Repeat)?;
    let striped = SurfaceTensor::isotropic(0.1)?.with_map(map)?;
    let dt = 0.001;
    let (mut w, id) =
        world([striped, SurfaceTensor::isotropic(0.0)?], 0.0, 0.0, dt, DVec3::X * 20.0)?;
    run_for(&mut w, 0.1);
    let lost = 20.0 - w.softs()[id.0].body.momentum().x / w.softs()[id.0].body.mass();
    let mean = lost / (GRAVITY * 0.1);
    checks.push(Check::relative("stripes crossed fast: mean coefficient", 0.5, mean, 0.01, ""));
    Ok(checks)
}

/// A soft ball hits a rigid one: what one loses the other gains.
pub(crate) fn momentum() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for kind in [SoftContacts::Implicit, SoftContacts::Solver] {
        let tensors = [SurfaceTensor::isotropic(0.4)?, SurfaceTensor::isotropic(0.0)?];
        let (mut w, _) = world(tensors, 0.0, 0.0, 0.002, DVec3::ZERO)?;
        w.set_soft_contacts(kind);
        w.settings.gravity = DVec3::ZERO;
        let mut rigid = BodyDesc::new("rigid", Shape::Sphere { radius: 0.1 });
        rigid.pose.translation = DVec3::Y;
        let ball = add(&mut w, rigid)?;
        let mut m = built(mesh::sphere(0.1, 2, 3))?;
        for x in &mut m.positions {
            *x += DVec3::new(-0.3, 1.05, 0.0);
        }
        let mut body = built(SoftBody::solid(&m, &SolidMaterial::gel()))?;
        body.velocities.fill(DVec3::X);
        let desc = SoftDesc {
            name: "soft".into(),
            body,
            surface: 1,
            structure: RestStructure::default(),
            thickness: None,
            self_contact: false,
            group: 0,
        };
        let soft = built(w.add_soft(desc))?;
        let total = |w: &World| {
            let b = &w.bodies()[ball.0];
            w.softs()[soft.0].body.momentum() + b.linear_velocity * b.mass
        };
        let before = total(&w);
        run_for(&mut w, 0.6);
        let pushed = w.bodies()[ball.0].linear_velocity.length();
        let error = (total(&w) - before).length() / before.length();
        let of = if kind == SoftContacts::Solver { "general solver: " } else { "" };
        let what = format!("{of}linear momentum of a soft and a rigid ball");
        checks.push(Check::below(&what, 1e-10, error, "of it"));
        let pushed = if pushed > 0.1 { "yes" } else { "no" };
        checks.push(Check::fact(&format!("{of}the rigid ball was pushed"), "yes", pushed));
    }
    Ok(checks)
}
