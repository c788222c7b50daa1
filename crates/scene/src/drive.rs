//! `drive`: what acts on bodies from outside.

use glamx::DVec3;

use super::body::Bodies;
use super::profile;
use super::reader::Fields;
use super::spec::Range;
use asperity::body::{BodyId, BodyKind};
use asperity::drive::Drive;
use asperity::profile::Profile;

/// A drive that is not in a world yet, and where in the text it is.
pub(crate) type DriveDraft = (Drive, usize);

/// Reads `drive`.
pub(crate) fn read(scene: &Fields, bodies: &Bodies) -> Vec<DriveDraft> {
    let all = scene.tables("drive");
    all.iter().filter_map(|fields| Some((one(fields, bodies)?, fields.at))).collect()
}

fn one(fields: &Fields, bodies: &Bodies) -> Option<Drive> {
    let body = bodies.named(fields, "body");
    let point = fields.vector("point").unwrap_or(DVec3::ZERO);
    let force = fields.has("force") || fields.has("torque");
    let kinds = [force, fields.has("impulse"), fields.has("spring")];
    if kinds.iter().filter(|has| **has).count() != 1 {
        let message = format!(
            "{} needs one of \"force\" (with or without \"torque\"), \"impulse\" or \"spring\"",
            fields.label
        );
        fields.log.add(fields.at, message);
        return None;
    }
    for (key, belongs, with) in [
        ("from", force, "\"force\" and \"torque\""),
        ("until", force, "\"force\" and \"torque\""),
        ("scale", force, "\"force\" and \"torque\""),
        ("at", fields.has("impulse"), "\"impulse\""),
    ] {
        if fields.has(key) && !belongs {
            fields.complain(
                key,
                format!("\"{key}\" in {} goes with {with}; remove it", fields.label),
            );
        }
    }
    let number = body?;
    if bodies.list[number].desc.kind != BodyKind::Dynamic {
        let message = format!(
            "{}: body \"{}\" is not dynamic, so nothing can push it",
            fields.label, bodies.list[number].desc.name
        );
        fields.complain("body", message);
    }
    let body = BodyId(number);
    if fields.has("impulse") {
        let time = fields.number("at").unwrap_or(0.0);
        return Some(Drive::Impulse { body, impulse: fields.vector("impulse")?, point, time });
    }
    if let Some(spring) = fields.table("spring") {
        let (target, stiffness) = (target(&spring), spring.number("stiffness"));
        let damping = spring.number("damping").unwrap_or(0.0);
        let max_force = spring.number("max_force").unwrap_or(f64::INFINITY);
        return Some(Drive::Spring {
            body,
            point,
            target: target?,
            stiffness: stiffness?,
            damping,
            max_force,
        });
    }
    let vector = |key: &str| if fields.has(key) { fields.vector(key) } else { Some(DVec3::ZERO) };
    let (force, torque) = (vector("force"), vector("torque"));
    let from = fields.number("from").unwrap_or(0.0);
    let until = fields.number("until").unwrap_or(f64::INFINITY);
    if !(from < until) {
        let message = format!(
            "{} ends at {until} s and starts at {from} s; expected \"until\" after \"from\"",
            fields.label
        );
        fields.complain("until", message);
    }
    let scale = match fields.node("scale") {
        Some(node) => profile::read(&node)?,
        None => Profile::Constant(1.0),
    };
    Some(Drive::Force { body, force: force?, torque: torque?, scale, point, from, until })
}

/// One place, or rows of time and place.
fn target(spring: &Fields) -> Option<Vec<(f64, DVec3)>> {
    let node = spring.node("target")?;
    let rows = node.items().unwrap_or_default();
    if rows.is_empty() || !rows[0].is_list() {
        return node.numbers(Range::Any).map(|at| vec![(0.0, DVec3::from_array(at))]);
    }
    let mut places: Vec<(f64, DVec3)> = Vec::new();
    for row in &rows {
        let [time, x, y, z]: [f64; 4] = row.numbers(Range::Any)?;
        if places.last().is_some_and(|last| !(last.0 < time)) {
            return row.refuse(format!(
                "{}: time {time} is not after the one before; expected growing times",
                row.what
            ));
        }
        places.push((time, DVec3::new(x, y, z)));
    }
    Some(places)
}
