//! `asperity verify matchstick`: the scenes of Erleben et al. 2020, their cones while they run,
//! and the authors' own trajectories where those are at hand.

mod authors;
mod controls;
mod reference;
mod solvers;
mod table;

use std::path::Path;
use std::sync::Arc;

use asperity::Shape;
use asperity::contact::Contact;
use asperity::friction::section::Matchstick;
use asperity::geometry::structure::StructureField;
use asperity::glamx::{DQuat, DVec3};

use self::authors::{Authors, follow};
use crate::host;
use crate::scenes::expectations;
use crate::setup::{add, block, sloped};
use crate::{Check, Group, Host, Inputs, VerifyError};

/// The scenes of Figs. 7, 8, 10 and 11: nine planks with a box each, cylinders, towers, arches.
const LANES: &str = "box_on_plane.toml";
const CYLINDERS: &str = "cylinder_on_plank.toml";
const TOWERS: &str = "tower.toml";
const ARCHES: &str = "arch.toml";
/// Tables on four legs (section 6).
const TABLE: &str = "four_legged_table.toml";

/// In these scenes, m/s².
const GRAVITY: f64 = 9.82;

/// All groups. The data are the authors' trajectories, in the folder or in golden/matchstick.
pub(crate) fn groups<'a>(host: &'a dyn Host, inputs: &Inputs) -> Vec<Group<'a>> {
    type Of = fn(&dyn Host, &Path) -> Result<Vec<Check>, VerifyError>;
    let scenes = inputs.scenes.clone();
    let group = |name: &'static str, of: Of| -> Group<'a> {
        let scenes = scenes.clone();
        (name, Box::new(move || of(host, &scenes)))
    };
    let mut groups = vec![
        group("boxes on planks, closed form, every step to 1 s", closed_forms),
        group("cones of a running scene, Eqs. 5 to 12", running_cones),
        ("cones follow bodies that turn", Box::new(turning)),
        group("cylinders, closed form and second simulator", reference::cylinders),
        group("towers, second simulator", reference::towers),
        group("arches, statics and second simulator", reference::arches),
        group("expectations of every scene", expectations),
        group("the same steps by several solvers", solvers::steps),
        group("the same motion by several solvers", solvers::motion),
        ("a table on four legs by every solver", Box::new(table::table)),
        group("hoppers by several solvers", solvers::hopper),
        group("pills at the wall of a hopper", controls::hopper),
        group("isotropic controls miss what scenes expect", controls::isotropic),
    ];
    if let Some(data) = inputs.data.clone() {
        type Compared = fn(&Authors) -> Result<Vec<Check>, VerifyError>;
        let files: [(&'static str, Compared); 4] = [
            ("the authors' boxes on a plank", |a| a.boxes()),
            ("the authors' cylinders", |a| a.cylinders()),
            ("the authors' towers", |a| a.towers()),
            ("the authors' arches", |a| a.arches()),
        ];
        for (k, (name, of)) in files.into_iter().enumerate() {
            let (data, scenes) = (data.clone(), scenes.clone());
            let run = move || of(&Authors::find(host, &data, &scenes)?);
            groups.insert(k, (name, Box::new(run)));
        }
    }
    groups
}

/// Coefficients of a matchstick section: crossed, along, across.
#[derive(Debug, Clone, Copy)]
struct Coefficients {
    mu: f64,
    mu_t: f64,
    mu_b: f64,
}

/// The half axes of the cone at unit load, as vectors of the contact plane (Eqs. 5 to 12).
fn half_axes(k: Coefficients, normal: DVec3, grains: [DVec3; 2]) -> [DVec3; 2] {
    let [a, b] = grains.map(|s| (s - normal * s.dot(normal)).normalize());
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let theta = a.dot(b).clamp(-1.0, 1.0).acos();
    let d = 1.0 - theta / std::f64::consts::FRAC_PI_2;
    let along = (a + b).normalize();
    let mu_t = d * k.mu_t + (1.0 - d) * k.mu;
    let mu_b = d * k.mu_b + (1.0 - d) * k.mu;
    [along * mu_t, normal.cross(along) * mu_b]
}

/// The limit of friction in a direction of the contact plane.
fn limit(k: Coefficients, normal: DVec3, grains: [DVec3; 2], direction: DVec3) -> f64 {
    let [t, b] = half_axes(k, normal, grains).map(|axis| axis.dot(direction));
    t.hypot(b)
}

/// The acceleration of a box from rest: it goes straight in the direction d for which gravity
/// along the plane less the friction that dissipates most is along d; or it holds.
fn acceleration(k: Coefficients, normal: DVec3, grains: [DVec3; 2], gravity: DVec3) -> DVec3 {
    let axes = half_axes(k, normal, grains);
    let load = -gravity.dot(normal);
    let pull = gravity + normal * load;
    let held = axes.map(|axis| pull.dot(axis) / axis.length_squared());
    if held[0].hypot(held[1]) <= load {
        return DVec3::ZERO;
    }
    let down = pull.normalize();
    let across = normal.cross(down);
    let direction = |angle: f64| down * angle.cos() + across * angle.sin();
    let of = |d: DVec3| {
        let [t, b] = axes.map(|axis| axis.dot(d));
        pull - (axes[0] * t + axes[1] * b) * (load / t.hypot(b))
    };
    let turn = |angle: f64| direction(angle).cross(of(direction(angle))).dot(normal);
    // From 90 degrees to one side to 90 to the other the sense of the turn changes once.
    let (mut low, mut high) = (-std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (turn(middle) > 0.0) == (turn(low) > 0.0) { low = middle } else { high = middle }
    }
    of(direction(0.5 * (low + high)))
}

/// Largest difference between a contact's cone and the formula, over directions.
fn difference(contact: &Contact, k: Coefficients, grains: [DVec3; 2]) -> f64 {
    let frame = &contact.frame;
    let directions = (0..36).map(|i| std::f64::consts::TAU * f64::from(i) / 36.0);
    directions.fold(0.0, |worst: f64, angle| {
        let (sin, cos) = angle.sin_cos();
        let mut local = [0.0; 4];
        (local[0], local[1]) = (cos, sin);
        let found = contact.law.set.support(&local[..contact.law.set.dim()], 1.0);
        let direction = frame.t * cos + frame.b * sin;
        worst.max((found - limit(k, frame.normal, grains, direction)).abs())
    })
}

/// Friction of the lanes.
const LANE: Coefficients = Coefficients { mu: 0.2, mu_t: 0.2, mu_b: 3.0 };

/// Grain of a lane's name: "101" is x + z.
fn grain(digits: &str) -> DVec3 {
    let digit = |i: usize| f64::from(u8::from(digits.as_bytes().get(i) == Some(&b'1')));
    DVec3::new(digit(0), digit(1), digit(2))
}

/// Grains of plank and box of a lane such as "p101_b001", each in its own axes.
fn lane_grains(name: &str) -> Option<[DVec3; 2]> {
    let (plank, lane) = name.strip_prefix('p')?.split_once("_b")?;
    // The planks themselves are called "plank_p101_b001".
    (plank.len() == 3).then(|| [grain(plank), grain(lane)])
}

fn running_cones(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut scene = host::scene(host, &scenes.join(LANES))?;
    let k = LANE;
    let (mut worst, mut count) = (0.0_f64, 0);
    for _ in 0..50 {
        scene.world.step();
        let bodies = scene.world.bodies();
        for contact in scene.world.contacts() {
            // "plank_p101_b001" and "p101_b001".
            let [plank, lane] = contact.bodies.map(|b| &bodies[b]);
            let Some([p, b]) = lane_grains(&lane.name) else { continue };
            let grains = [plank.pose.rotation * p, lane.pose.rotation * b];
            worst = worst.max(difference(contact, k, grains));
            count += 1;
        }
    }
    let boxes = if count >= 50 * 9 { "nine boxes" } else { "fewer" };
    Ok(vec![
        Check::fact("contacts in every one of 50 steps", "nine boxes", boxes),
        Check::below("largest difference of a cone", 1e-6, worst, ""),
    ])
}

/// A box that spins on a plane, with next to no friction: its cone turns with the mean of the two
/// grains, and becomes a circle when they are crossed.
fn turning() -> Result<Vec<Check>, VerifyError> {
    let k = Coefficients { mu: 1e-3, mu_t: 5e-4, mu_b: 4e-3 };
    let section = Matchstick::new(k.mu, k.mu_t, k.mu_b)?;
    let mut world = sloped(Arc::new(section), 0.0, 0.01)?;
    let mut floor = asperity::body::BodyDesc::fixed("floor", Shape::HalfSpace { normal: DVec3::Y });
    floor.structure = StructureField::Constant(DVec3::X);
    add(&mut world, floor)?;
    let mut spinner = block("box", DVec3::new(0.3, 0.1, 0.2)).at(DVec3::Y * 0.05);
    spinner.structure = StructureField::Constant(DVec3::X);
    spinner.angular_velocity = DVec3::Y * 2.0;
    let id = add(&mut world, spinner)?.0;
    let (mut worst, mut count, mut turned) = (0.0_f64, 0, 0.0);
    for _ in 0..200 {
        let body = &world.bodies()[id];
        // Contacts are those half-way through the step.
        let half = DQuat::from_scaled_axis(body.angular_velocity * (0.5 * world.settings.dt));
        let rotation = half * body.pose.rotation;
        turned += body.angular_velocity.y * world.settings.dt;
        world.step();
        for contact in world.contacts() {
            worst = worst.max(difference(contact, k, [DVec3::X, rotation * DVec3::X]));
            count += 1;
        }
    }
    let round = if turned > std::f64::consts::PI && count >= 800 { "yes" } else { "no" };
    Ok(vec![
        Check::fact("it turns by more than half a turn, in touch", "yes", round),
        Check::below("largest difference of a cone", 1e-9, worst, ""),
    ])
}

/// The acceleration of the box of a lane, whose grains are in its own axes.
fn lane_acceleration(grains: [DVec3; 2]) -> DVec3 {
    let slope = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    acceleration(LANE, slope * DVec3::Y, grains.map(|g| slope * g), DVec3::Y * -GRAVITY)
}

/// Where the boxes are at every step, against their equation of motion, until they come to the edge of their plank.
fn closed_forms(host: &dyn Host, scenes: &Path) -> Result<Vec<Check>, VerifyError> {
    let track = follow(&mut host::scene(host, &scenes.join(LANES))?, 1.0);
    let check = |(name, path): (&String, &Vec<(f64, DVec3)>)| {
        let a = lane_acceleration(lane_grains(name)?);
        let on_plank = path.iter().take_while(|(_, moved)| moved.z.abs() < EDGE);
        let off = |(time, moved): &(f64, DVec3)| moved.distance(a * (0.5 * time * time));
        let worst = on_plank.map(off).fold(0.0, f64::max);
        let what = format!("{name}: {:.4} m in 1 s", 0.5 * a.length());
        Some(Check::below(&what, 1e-4, worst, "m"))
    };
    let checks: Vec<Check> = track.iter().filter_map(check).collect();
    let lanes = checks.len().to_string();
    Ok(checks.into_iter().chain([Check::fact("lanes", "9", &lanes)]).collect())
}

/// A box is at the edge of its plank when its middle is, metres from where it began.
const EDGE: f64 = 0.98;
