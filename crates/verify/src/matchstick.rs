//! `asperity verify matchstick`: the scenes of Erleben et al. 2020, their cones while they run,
//! and the authors' own trajectories where those are at hand.

use std::path::Path;
use std::sync::Arc;

use asperity::Shape;
use asperity::contact::Contact;
use asperity::friction::section::Matchstick;
use asperity::geometry::structure::StructureField;
use asperity::glamx::{DQuat, DVec3};
use asperity_scene::Scene;

use crate::host::{self, at};
use crate::scenes::expectations;
use crate::setup::{add, block, sloped};
use crate::{Check, Group, Host, Inputs, VerifyError};

/// The scene of Fig. 7: nine planks with a box each.
const LANES: &str = "box_on_plane.toml";

/// All groups. The data are the authors' trajectories, in the folder or in golden/matchstick.
pub(crate) fn groups<'a>(host: &'a dyn Host, inputs: &Inputs) -> Vec<Group<'a>> {
    let scenes = inputs.scenes.clone();
    let [lanes, closed, of_authors] = [(); 3].map(|()| scenes.join(LANES));
    let mut groups: Vec<Group> = vec![
        ("boxes on planks, closed form, 1 s", Box::new(move || closed_forms(host, &closed))),
        ("cones of a running scene, Eqs. 5 to 12", Box::new(move || running_cones(host, &lanes))),
        ("cones follow bodies that turn", Box::new(turning)),
        ("expectations of every scene", Box::new(move || expectations(host, &scenes))),
    ];
    if let Some(data) = inputs.data.clone() {
        let run = move || trajectories(host, &of_authors, &data);
        groups.insert(0, ("the authors' boxes on a plank, 1 s", Box::new(run)));
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

/// How far a box slides from rest in 1 s: it goes straight in the direction d for which gravity
/// along the plane less the friction that dissipates most is along d; or it holds.
fn slide(k: Coefficients, normal: DVec3, grains: [DVec3; 2], gravity: DVec3) -> DVec3 {
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
    let acceleration = |d: DVec3| {
        let [t, b] = axes.map(|axis| axis.dot(d));
        pull - (axes[0] * t + axes[1] * b) * (load / t.hypot(b))
    };
    let turn = |angle: f64| direction(angle).cross(acceleration(direction(angle))).dot(normal);
    // From 90 degrees to one side to 90 to the other the sense of the turn changes once.
    let (mut low, mut high) = (-std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (turn(middle) > 0.0) == (turn(low) > 0.0) { low = middle } else { high = middle }
    }
    0.5 * acceleration(direction(0.5 * (low + high)))
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

fn running_cones(host: &dyn Host, path: &Path) -> Result<Vec<Check>, VerifyError> {
    let mut scene = host::scene(host, path)?;
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

/// How far each lane's box is from its start after 1 s.
fn after_a_second(host: &dyn Host, path: &Path) -> Result<Vec<(String, DVec3)>, VerifyError> {
    let mut scene = host::scene(host, path)?;
    let start = positions(&scene);
    for _ in 0..(1.0 / scene.world.settings.dt).round() as usize {
        scene.world.step();
    }
    let moved = positions(&scene).into_iter().zip(start);
    let moved = moved.map(|((name, end), (_, start))| (name, end - start));
    Ok(moved.filter(|(name, _)| lane_grains(name).is_some()).collect())
}

/// Where the boxes are after 1 s, against their equation of motion.
fn closed_forms(host: &dyn Host, path: &Path) -> Result<Vec<Check>, VerifyError> {
    let slope = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    let check = |(name, ours): (String, DVec3)| {
        let grains = lane_grains(&name)?.map(|g| slope * g);
        let expected = slide(LANE, slope * DVec3::Y, grains, DVec3::Y * -9.82);
        Some(compare(&name, expected, ours, 0.001))
    };
    let checks: Vec<Check> = after_a_second(host, path)?.into_iter().filter_map(check).collect();
    let lanes = checks.len().to_string();
    Ok(checks.into_iter().chain([Check::fact("lanes", "9", &lanes)]).collect())
}

/// Two displacements, within a part of the distance; where a box holds, within a millimetre.
fn compare(name: &str, expected: DVec3, found: DVec3, part: f64) -> Check {
    let (length, apart) = (expected.length(), (expected - found).length());
    Check {
        what: format!("{name}: distance slid"),
        expected: format!("{length:.4} m"),
        found: format!("{apart:.5} m off"),
        allowed: format!("{} %", 100.0 * part),
        holds: apart <= (part * length).max(1e-3),
    }
}

/// The authors' run of this lane is itself 2.8 % from the closed form of their model, which is
/// judged above for the engine: see docs/papers/erleben2020.md.
const OFF: &str = "p001_b101";

/// Where the boxes are after 1 s, against the authors' program.
fn trajectories(host: &dyn Host, path: &Path, data: &Path) -> Result<Vec<Check>, VerifyError> {
    let folder = host::inside(host, data, &["golden/matchstick"]);
    let known = host.list(&folder).map_err(|e| at(&folder, &e))?;
    let mut checks = Vec::new();
    for (name, ours) in after_a_second(host, path)? {
        let file = format!("prox_box_plane_{name}.csv");
        if !known.contains(&file) {
            continue;
        }
        let check = compare(&name, authors(host, &folder.join(&file))?, ours, 0.02);
        checks.push(if name == OFF { check.only_told() } else { check });
    }
    if checks.is_empty() {
        return Err(at(&folder, "no trajectories (prox_box_plane_*.csv)"));
    }
    Ok(checks)
}

fn positions(scene: &Scene) -> Vec<(String, DVec3)> {
    let bodies = scene.world.bodies();
    bodies.iter().map(|b| (b.name.clone(), b.centre_of_mass())).collect()
}

/// How far the box of one of the authors' runs moved in 1 s. Their first row is not at the start;
/// with a constant acceleration, two rows say where that was.
fn authors(host: &dyn Host, path: &Path) -> Result<DVec3, VerifyError> {
    let text = host::text(host, path)?;
    let mut rows: Vec<(f64, DVec3)> = Vec::new();
    for (k, line) in text.lines().enumerate().skip(1) {
        let mut parts = line.split(',');
        if parts.next() != Some("body_2") {
            continue;
        }
        let numbers: Vec<f64> = parts.filter_map(|t| t.trim().parse().ok()).collect();
        let [t, x, y, z, ..] = numbers[..] else {
            let message = format!("{}:{}: expected a time and a place", path.display(), k + 1);
            return Err(VerifyError::new(message));
        };
        rows.push((t, DVec3::new(x, y, z)));
    }
    let at = rows.iter().min_by(|a, b| (a.0 - 1.0).abs().total_cmp(&(b.0 - 1.0).abs()));
    let (Some(first), Some(at)) = (rows.first(), at) else {
        return Err(host::at(path, "no rows of body_2"));
    };
    let (t1, t2) = (first.0 * first.0, at.0 * at.0);
    let start = if t2 > t1 { (first.1 * t2 - at.1 * t1) / (t2 - t1) } else { first.1 };
    Ok((at.1 - start) / t2)
}
