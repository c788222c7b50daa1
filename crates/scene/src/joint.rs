//! `joint`: what holds bodies together.

use glamx::{DPose3, DQuat, DVec3};

use super::body::Bodies;
use super::profile;
use super::reader::Fields;
use asperity::body::BodyId;
use asperity::joint::{Control, JointDesc, JointKind, Motor};
use asperity::profile::Profile;

/// A joint that is not in a world yet, and where in the text it is.
pub(crate) type JointDraft = (JointDesc, usize);

/// Reads `joint`.
pub(crate) fn read(scene: &Fields, bodies: &Bodies) -> Vec<JointDraft> {
    let all = scene.tables("joint");
    let mut joints: Vec<JointDraft> = Vec::new();
    for (i, fields) in all.iter().enumerate() {
        let Some(joint) = one(fields, i, bodies) else { continue };
        if joints.iter().any(|(other, _)| other.name == joint.name) {
            let message =
                format!("there is another joint named \"{}\"; choose another name", joint.name);
            fields.complain("name", message);
        }
        joints.push((joint, fields.at));
    }
    joints
}

fn one(fields: &Fields, number: usize, bodies: &Bodies) -> Option<JointDesc> {
    let kind = fields.choice("kind");
    let b = bodies.named(fields, "b");
    let a = if fields.has("a") { Some(bodies.named(fields, "a")?) } else { None };
    let (kind, b) = (kind?, b?);
    if a == Some(b) {
        let message = format!(
            "{} joins \"{}\" to itself; expected two bodies",
            fields.label, bodies.list[b].desc.name
        );
        fields.complain("a", message);
        return None;
    }
    refuse_strangers(fields, kind);
    let pose = |body: usize| bodies.list[body].desc.pose;
    let pose_a = a.map_or(DPose3::IDENTITY, pose);
    let mut joint = JointDesc {
        name: fields.text("name").map_or_else(|| format!("joint.{number}"), str::to_owned),
        kind: JointKind::Fixed,
        a: a.map(BodyId),
        b: BodyId(b),
        frame_a: DPose3::IDENTITY,
        frame_b: DPose3::IDENTITY,
        limits: None,
        motor: None,
        collide: fields.flag("collide").unwrap_or(false),
    };
    if kind == "distance" {
        let point = |key: &str| fields.vector(key).unwrap_or(DVec3::ZERO);
        let (point_a, point_b) = (point("point_a"), point("point_b"));
        joint.frame_a = DPose3::from_parts(point_a, DQuat::IDENTITY);
        joint.frame_b = DPose3::from_parts(point_b, DQuat::IDENTITY);
        let start = pose_a.transform_point(point_a).distance(pose(b).transform_point(point_b));
        let length = match fields.node("length") {
            Some(node) => profile::read(&node)?,
            None => Profile::Constant(start),
        };
        positive_length(fields, &length)?;
        joint.kind = JointKind::Distance(length);
        return Some(joint);
    }
    let at = fields.vector("at").unwrap_or(pose(b).translation);
    let axis = axis(fields, kind)?;
    let frame = DPose3::from_parts(at, DQuat::from_rotation_arc(DVec3::X, axis));
    joint.frame_a = pose_a.inverse() * frame;
    joint.frame_b = pose(b).inverse() * frame;
    let angular = kind == "hinge";
    joint.kind = match kind {
        "ball" => JointKind::Ball,
        "hinge" => JointKind::Hinge,
        "slider" => JointKind::Slider,
        _ => JointKind::Fixed,
    };
    joint.limits = limits(fields, angular);
    joint.motor = fields.table("motor").and_then(|motor| read_motor(&motor, angular));
    Some(joint)
}

/// Notes keys that do not belong to the kind of joint.
fn refuse_strangers(fields: &Fields, kind: &str) {
    let free = matches!(kind, "hinge" | "slider");
    let distance = kind == "distance";
    for (keys, belongs, whose) in [
        (&["axis", "limits", "motor"][..], free, "hinges and sliders"),
        (&["length", "point_a", "point_b"][..], distance, "distance joints"),
        (&["at"][..], !distance, "other joints; a distance joint has \"point_a\" and \"point_b\""),
    ] {
        for key in keys.iter().filter(|key| fields.has(key) && !belongs) {
            let message = format!(
                "\"{key}\" in {} (kind \"{kind}\") is for {whose}; remove it",
                fields.label
            );
            fields.complain(key, message);
        }
    }
}

/// A length of zero has no direction to push along.
fn positive_length(fields: &Fields, length: &Profile) -> Option<()> {
    let least = match length {
        Profile::Constant(value) => *value,
        Profile::Cosine { mean, amplitude, .. } | Profile::Sine { mean, amplitude, .. } => {
            mean - amplitude.abs()
        }
        Profile::Table(rows) => rows.iter().map(|row| row[1]).fold(f64::INFINITY, f64::min),
    };
    if least > 0.0 {
        return Some(());
    }
    let message = format!(
        "the length of {} falls to {least} m; expected lengths above zero (for zero, use a ball joint)",
        fields.label
    );
    fields.complain("length", message);
    None
}

fn axis(fields: &Fields, kind: &str) -> Option<DVec3> {
    if !matches!(kind, "hinge" | "slider") {
        return Some(DVec3::X);
    }
    if !fields.has("axis") {
        let message = format!(
            "{} has no \"axis\"; a {kind} needs one, a direction in the world",
            fields.label
        );
        fields.complain("axis", message);
    }
    fields.direction("axis")
}

fn limits(fields: &Fields, angular: bool) -> Option<[f64; 2]> {
    let [low, high] = fields.pair("limits")?.to_array();
    if low > high {
        let message =
            format!("\"limits\" in {} is [{low}, {high}]; expected the least first", fields.label);
        fields.complain("limits", message);
        return None;
    }
    let unit = if angular { 1.0_f64.to_radians() } else { 1.0 };
    Some([low * unit, high * unit])
}

fn read_motor(fields: &Fields, angular: bool) -> Option<Motor> {
    let key = fields.alternative()?;
    let curve = fields.node(key).and_then(|node| profile::read(&node));
    let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping"));
    let max_force = fields.number("max_force").unwrap_or(f64::INFINITY);
    let control = if key == "velocity" {
        for key in ["stiffness", "damping"].into_iter().filter(|key| fields.has(key)) {
            let message = format!(
                "\"{key}\" in {} goes with \"position\", not \"velocity\"; remove it",
                fields.label
            );
            fields.complain(key, message);
        }
        Control::Velocity(curve?)
    } else {
        if !fields.has("stiffness") {
            let message = format!(
                "{} has no \"stiffness\"; a motor with \"position\" needs it",
                fields.label
            );
            fields.complain("stiffness", message);
        }
        let unit = if angular { 1.0_f64.to_radians() } else { 1.0 };
        let target = profile::scaled(curve?, unit);
        Control::Position { target, stiffness: stiffness?, damping: damping.unwrap_or(0.0) }
    };
    Some(Motor { control, max_force })
}
