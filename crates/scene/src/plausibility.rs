//! What looks wrong in a scene before its first step: bodies within each other, sizes and weights that nothing
//! has, gravity that points up. Warnings, no more, as any of it may be meant; but a crowd of bodies in one place
//! is refused.

use asperity::World;
use asperity::body::BodyKind;
use asperity::friction::extent::Extent;
use asperity::geometry::shape::Shape;
use glamx::DVec3;

use super::error::Log;
use super::run::length;

/// Overlaps at the start above this part of the thinner body are told.
const OVERLAP: f64 = 0.01;
/// The same of bodies that touch by the volume they share: some of it is meant.
const OVERLAP_BY_VOLUME: f64 = 0.1;
/// Overlaps told one by one; of more only the number is.
const MOST_TOLD: usize = 5;
/// Where every body is as large as this, metres, lengths were probably meant as millimetres.
const LARGE: f64 = 20.0;
/// Less and more than anything weighs, kg/m³: thin air, and forty times the heaviest metal.
const DENSITY: [f64; 2] = [0.1, 1e6];

/// Bodies in one place that are refused: every two of them touch.
const CROWD: usize = 32;
/// How near to each other the centres of bodies in one place are, in units of the thinner one's smallest side.
const ONE_PLACE: f64 = 0.1;

/// Warns. `places` are where in the text each body is; `[world]` is at `world_at`.
pub(crate) fn tell(log: &Log, world: &World, up: DVec3, places: &[usize], world_at: usize) {
    if refuse_crowd(log, world, places) {
        return;
    }
    tell_overlaps(log, world, places);
    tell_sizes(log, world, places);
    tell_gravity(log, world, up, world_at);
}

/// Whether more bodies begin in one place than can be moved apart.
fn refuse_crowd(log: &Log, world: &World, places: &[usize]) -> bool {
    let moving = world.bodies().iter().enumerate().filter(|(_, b)| b.kind == BodyKind::Dynamic);
    let mut centres: Vec<(DVec3, f64, usize)> = moving
        .filter(|(_, b)| b.shape().is_some() && b.group() == 0)
        .map(|(k, b)| (b.centre_of_mass(), world.collision().thickness(k), k))
        .collect();
    centres.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    for (i, (centre, thickness, k)) in centres.iter().enumerate() {
        let near = centres[i + 1..].iter().take_while(|o| o.0.x - centre.x < ONE_PLACE * thickness);
        let together = near.filter(|o| o.0.distance(*centre) < ONE_PLACE * thickness.min(o.1));
        if together.take(CROWD).count() == CROWD {
            let name = &world.bodies()[*k].name;
            log.add(
                places.get(*k).copied().unwrap_or(0),
                format!(
                    "body \"{name}\" and more than {CROWD} others begin in one place; expected bodies beside each \
                     other: give each its own `at`, or one `group` to all that never touch"
                ),
            );
            return true;
        }
    }
    false
}

fn tell_overlaps(log: &Log, world: &World, places: &[usize]) {
    let mut found = world.overlaps();
    found.retain(|o| {
        o.part() > if by_volume(world, o.bodies) { OVERLAP_BY_VOLUME } else { OVERLAP }
    });
    found.sort_by(|a, b| b.part().total_cmp(&a.part()));
    for (told, overlap) in found.iter().enumerate() {
        let [a, b] = overlap.bodies;
        let at = places.get(a.max(b)).copied().unwrap_or(0);
        let more = found.len() - told;
        if told == MOST_TOLD && more > 1 {
            log.warn(at, format!("{more} more pairs of bodies are within each other at the start"));
            return;
        }
        let [a, b] = [a, b].map(|k| &world.bodies()[k].name);
        let (depth, thickness) = (length(overlap.depth), length(overlap.thickness));
        log.warn(
            at,
            format!(
                "bodies \"{a}\" and \"{b}\" are {depth} within each other at the start, the thinner {thickness} thick: \
                 they are moved apart in the first step"
            ),
        );
    }
}

/// Whether two bodies touch by the volume they share.
pub(crate) fn by_volume(world: &World, bodies: [usize; 2]) -> bool {
    let [a, b] = bodies.map(|k| world.bodies()[k].surface());
    let pair = world.pairing().pair(a, b);
    pair.is_ok_and(|pair| matches!(pair.extent, Extent::Wrench(_)))
}

fn tell_sizes(log: &Log, world: &World, places: &[usize]) {
    let all = world.bodies().iter().zip(places).enumerate();
    let moving = all.filter(|(_, (body, _))| body.kind == BodyKind::Dynamic);
    let sized: Vec<_> = moving
        .map(|(k, (body, at))| (body, *at, world.collision().diagonal(k)))
        .filter(|(_, _, size)| size.is_finite())
        .collect();
    if let Some((body, at, size)) = sized.first()
        && sized.iter().all(|(_, _, size)| *size > LARGE)
    {
        let (name, size) = (&body.name, length(*size));
        log.warn(
            *at,
            format!(
                "every body that moves is larger than {LARGE} m, as \"{name}\" with {size}: lengths are in metres; \
                 millimetres are to be divided by 1000"
            ),
        );
    }
    for (body, at, _) in &sized {
        let volume = body.shape().and_then(|shape| shape.mass_properties(1.0).ok()).map(|m| m.mass);
        let density = volume.map_or(f64::NAN, |volume| body.mass / volume);
        let [least, most] = DENSITY;
        let word = if density < least { "light" } else { "heavy" };
        if density.is_finite() && !(least..=most).contains(&density) {
            log.warn(
                *at,
                format!(
                    "body \"{}\" weighs {:.3e} kg, or {density:.1e} kg/m³, which is too {word} for anything: \
                     masses are in kilograms, lengths in metres",
                    body.name, body.mass
                ),
            );
            return; // The others are probably in the same units.
        }
    }
}

fn tell_gravity(log: &Log, world: &World, up: DVec3, at: usize) {
    let gravity = world.settings.gravity;
    let length = gravity.length();
    let grounds: Vec<DVec3> = world
        .bodies()
        .iter()
        .filter_map(|b| match b.shape() {
            Some(Shape::HalfSpace { normal }) => Some(b.pose.rotation * normal.normalize()),
            _ => None,
        })
        .collect();
    let away = |normal: &DVec3| gravity.dot(*normal) > 1e-9 * length;
    let what = if !grounds.is_empty() && grounds.iter().all(away) {
        "out of every half-space"
    } else if grounds.is_empty() && gravity.dot(up) > 1e-9 * length {
        "up"
    } else {
        return;
    };
    let [x, y, z] = gravity.to_array();
    log.warn(
        at,
        format!(
            "gravity [{x}, {y}, {z}] points {what}: a vector says where things fall, a number above zero points down"
        ),
    );
}
