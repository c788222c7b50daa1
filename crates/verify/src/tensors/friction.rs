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

/// Cloth with the tensor (0.2, 0.5) starts to slide at tan α = 1/‖Q⁻¹e‖. The controls are as rough all
/// ways, by the mean of both.
pub(crate) fn thresholds() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let along = [("warp", 0.0_f64), ("weft", 90.0), ("45 degrees", 45.0)];
    let closed = |heading: f64| {
        let (s, c) = heading.to_radians().sin_cos();
        (1.0 / (c / 0.2).hypot(s / 0.5)).atan().to_degrees()
    };
    for (way, (name, heading)) in WAYS.iter().flat_map(|way| along.map(|a| (*way, a))) {
        let expected = closed(heading);
        let tensor = SurfaceTensor::orthotropic(0.2, 0.5)?;
        let found = lets_go(way, &tensor, heading, expected)?;
        let what = format!("{}: along {name} it lets go at", named(way));
        checks.push(Check::near(&what, expected, found, 0.2, "deg"));
    }
    let even =
        lets_go(WAYS[1], &SurfaceTensor::isotropic(0.35)?, 0.0, 0.35_f64.atan().to_degrees())?;
    for (name, heading) in along {
        let what = format!("control, 0.35 all ways: along {name} it lets go at");
        checks.push(Check::apart(&what, closed(heading), even, 0.2, "deg"));
    }
    Ok(checks)
}

/// The slope at which a cloth at rest begins to slide, degrees, looked for about a guess.
fn lets_go(
    way: (f64, SoftContacts),
    cloth: &SurfaceTensor,
    heading: f64,
    guess: f64,
) -> Result<f64, VerifyError> {
    let (mut low, mut high) = (guess - 4.0, guess + 4.0);
    while high - low > 0.02 {
        let angle: f64 = f64::midpoint(low, high);
        let tensors = [SurfaceTensor::isotropic(0.0)?, cloth.clone()];
        let (mut w, id) =
            world(tensors, angle.to_radians(), heading.to_radians(), way.0, DVec3::ZERO)?;
        w.set_soft_contacts(way.1);
        let start = centre(&w, id);
        run_for(&mut w, 0.5);
        // 0.01 degrees above its threshold it would go 0.2 mm.
        if centre(&w, id).distance(start) > 1e-4 { high = angle } else { low = angle }
    }
    Ok(f64::midpoint(low, high))
}

/// From rest, orthotropic cloth goes where a point mass with the force of Eq. 3 goes; the control, as
/// rough all ways, goes straight down.
pub(crate) fn heading() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let turns = [20.0_f64, 45.0, 70.0];
    let slope = 35.0_f64.to_radians();
    let goes = |way: (f64, SoftContacts), cloth: SurfaceTensor, turn: f64| {
        let tensors = [SurfaceTensor::isotropic(0.0)?, cloth];
        let (mut w, id) = world(tensors, slope, turn, way.0, DVec3::ZERO)?;
        w.set_soft_contacts(way.1);
        let start = centre(&w, id);
        run_for(&mut w, 0.5);
        let gone = centre(&w, id) - start;
        Ok::<f64, VerifyError>(gone.z.atan2(gone.x).to_degrees())
    };
    for (way, turned) in WAYS.iter().flat_map(|way| turns.map(|t| (*way, t))) {
        let expected = point_mass(slope, turned.to_radians());
        let found = goes(way, SurfaceTensor::orthotropic(0.2, 0.5)?, turned.to_radians())?;
        let what = format!("{}: heading with its warp turned by {turned} degrees", named(way));
        checks.push(Check::near(&what, expected, found, 1.0, "deg"));
    }
    let even = goes(WAYS[1], SurfaceTensor::isotropic(0.35)?, turns[1].to_radians())?;
    for turned in turns {
        let what =
            format!("control, 0.35 all ways: heading with its warp turned by {turned} degrees");
        let expected = point_mass(slope, turned.to_radians());
        checks.push(Check::apart(&what, expected, even, 1.0, "deg"));
    }
    Ok(checks)
}

/// Where a point mass with the tensor (0.2, 0.5), whose first axis is turned, is after half a second
/// on a slope: degrees off the line of fall.
fn point_mass(slope: f64, turn: f64) -> f64 {
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
    x.y.atan2(x.x).to_degrees()
}

/// Sliding to rest on a level plane: with the nap and against it, and without a nap as a control;
/// across stripes.
pub(crate) fn distances() -> Result<Vec<Check>, VerifyError> {
    let tensor = |along: f64| DMat2::from_diagonal(DVec2::new(along, 0.3));
    let mut checks = Vec::new();
    for way in [(0.001, SoftContacts::Implicit), (0.001, SoftContacts::Solver)] {
        for (name, velocity, mu) in [("with", DVec3::X, 0.2), ("against", DVec3::NEG_X, 0.5)] {
            let goes = |plane: SurfaceTensor| {
                let tensors = [plane, SurfaceTensor::isotropic(0.0)?];
                let (mut w, id) = world(tensors, 0.0, 0.0, way.0, velocity)?;
                w.set_soft_contacts(way.1);
                let start = centre(&w, id);
                run_for(&mut w, 0.6);
                Ok::<f64, VerifyError>(centre(&w, id).distance(start))
            };
            // v²/2μg with v = 1 m/s; the plane's u is x.
            let expected = 0.5 / (mu * GRAVITY);
            let found = goes(SurfaceTensor::asymmetric(tensor(0.2), tensor(0.5))?)?;
            let what = format!("{}: {name} the nap it goes", named(way));
            checks.push(Check::relative(&what, expected, found, 0.01, "m"));
            if way.1 == SoftContacts::Implicit {
                let same = goes(SurfaceTensor::full(tensor(0.35))?)?;
                let what = format!("control, no nap: {name} it, it goes");
                checks.push(Check::apart(&what, expected, same, 0.01 * expected, "m"));
            }
        }
    }
    checks.extend(stripes()?);
    Ok(checks)
}

/// Stripes of 0.1 and 0.9, 1 m each, under a cloth of 0.2 m: at 200 m/s a step of 10 ms crosses one of
/// each, and the mean over the path is 0.5. The control stays within one stripe: what a sample at one
/// point would give for the fast one, too.
fn stripes() -> Result<Vec<Check>, VerifyError> {
    let (low, high) = ([1.0_f32; 4], [9.0_f32; 4]);
    let texels: Vec<[f32; 4]> = (0..64).map(|i| if i < 32 { low } else { high }).collect();
    let map = TextureMap::new(64, 1, texels, DVec2::new(2.0, 2.0), Wrap::Repeat)?;
    let mean = |speed: f64| {
        let striped = SurfaceTensor::isotropic(0.1)?.with_map(map.clone())?;
        let none = SurfaceTensor::isotropic(0.0)?;
        let (mut w, id) = world([striped, none], 0.0, 0.0, 0.01, DVec3::X * speed)?;
        // In the middle of the stripe of 0.1.
        if let Some(cloth) = w.soft_mut(id) {
            cloth.positions.iter_mut().for_each(|x| *x += DVec3::X * 0.5);
        }
        run_for(&mut w, 0.1);
        let cloth = &w.softs()[id.0].body;
        Ok::<f64, VerifyError>((speed - cloth.momentum().x / cloth.mass()) / (GRAVITY * 0.1))
    };
    let fast = "stripes crossed within a step: mean coefficient";
    let slow = "control, not crossed: the coefficient where it begins";
    Ok(vec![
        Check::relative(fast, 0.5, mean(200.0)?, 0.01, ""),
        Check::relative(slow, 0.1, mean(1.0)?, 0.01, ""),
    ])
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
