//! `joint`: what holds bodies together.

use glamx::{DPose3, DQuat, DVec3};

use super::body::Bodies;
use super::format::motion::{self, PROFILE};
use super::format::{PAIR, VECTOR, optional, way};
use super::profile;
use super::reader::Fields;
use super::spec::{Form, Key, Way};
use super::suggest::one_of;
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
    let kind = fields.pick("kind", &JOINTS);
    let b = bodies.named(fields, "b");
    let a = if fields.has("a") { Some(bodies.named(fields, "a")?) } else { None };
    let (kind, b) = (kind?, b?);
    if a == Some(b) {
        let message = format!(
            "{} joins \"{}\" to itself; expected two bodies",
            fields.label, bodies.list[b].desc.name
        );
        return fields.refuse("a", message);
    }
    refuse_strangers(fields);
    let pose = |body: usize| bodies.list[body].desc.pose;
    let ends = Ends { fields, a: a.map_or(DPose3::IDENTITY, pose), b: pose(b) };
    let (kind, [frame_a, frame_b]) = (kind.place)(&ends)?;
    let angular = matches!(kind, JointKind::Hinge);
    Some(JointDesc {
        name: fields.text("name").map_or_else(|| format!("joint.{number}"), str::to_owned),
        kind,
        a: a.map(BodyId),
        b: BodyId(b),
        frame_a,
        frame_b,
        limits: limits(fields, angular),
        motor: fields.table("motor").and_then(|motor| read_motor(&motor, angular)),
        collide: fields.flag("collide").unwrap_or(false),
    })
}

/// A kind of joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointReader {
    /// What it leaves free.
    pub(crate) doc: &'static str,
    /// Keys of `joint` that not all kinds have.
    pub(crate) keys: &'static [Key],
    /// Where it is on both bodies.
    place: fn(&Ends) -> Option<Placed>,
}

/// A kind of joint and where it is on both bodies.
type Placed = (JointKind, [DPose3; 2]);

/// All kinds by name.
pub(crate) static JOINTS: [(&str, JointReader); 5] = [
    (
        "ball",
        JointReader {
            doc: "Turns freely about a point",
            keys: &[AT],
            place: |ends| Some(ends.at(JointKind::Ball, DVec3::X)),
        },
    ),
    (
        "hinge",
        JointReader {
            doc: "Turns about an axis",
            keys: &[AT, AXIS, LIMITS, MOTOR],
            place: |ends| Some(ends.at(JointKind::Hinge, ends.axis("hinge")?)),
        },
    ),
    (
        "slider",
        JointReader {
            doc: "Slides along an axis",
            keys: &[AT, AXIS, LIMITS, MOTOR],
            place: |ends| Some(ends.at(JointKind::Slider, ends.axis("slider")?)),
        },
    ),
    (
        "fixed",
        JointReader {
            doc: "Leaves nothing free",
            keys: &[AT],
            place: |ends| Some(ends.at(JointKind::Fixed, DVec3::X)),
        },
    ),
    (
        "distance",
        JointReader {
            doc: "Keeps two points a length apart",
            keys: &[
                optional(
                    "length",
                    PROFILE,
                    "Length of a distance joint, metres; default as at the start.",
                ),
                optional("point_a", VECTOR, "Distance: where on a, body axes; default its origin."),
                optional("point_b", VECTOR, "Distance: where on b, body axes; default its origin."),
            ],
            place: apart,
        },
    ),
];

const AT: Key =
    optional("at", VECTOR, "Where it is in the world at the start; default where b is.");
const AXIS: Key = optional("axis", VECTOR, "Axis of a hinge or slider in the world at the start.");
const LIMITS: Key =
    optional("limits", PAIR, "Least and greatest: degrees for hinges, metres for sliders.");
const MOTOR: Key = optional("motor", Form::Table(&motion::MOTOR), "Drives a hinge or slider.");

/// The keys that not all kinds have, by kind.
pub(crate) const fn joint_keys() -> [&'static [Key]; JOINTS.len()] {
    let mut keys: [&[Key]; JOINTS.len()] = [&[]; JOINTS.len()];
    let mut k = 0;
    while k < keys.len() {
        keys[k] = JOINTS[k].1.keys;
        k += 1;
    }
    keys
}

/// What a joint joins: the poses of its bodies, the first being the world where there is none.
#[derive(Debug)]
struct Ends<'a> {
    fields: &'a Fields<'a>,
    a: DPose3,
    b: DPose3,
}

impl Ends<'_> {
    /// At a place in the world, x along an axis.
    fn at(&self, kind: JointKind, axis: DVec3) -> Placed {
        let at = self.fields.vector("at").unwrap_or(self.b.translation);
        let frame = DPose3::from_parts(at, DQuat::from_rotation_arc(DVec3::X, axis));
        (kind, [self.a.inverse() * frame, self.b.inverse() * frame])
    }

    /// `axis`, which this kind of joint needs.
    fn axis(&self, kind: &str) -> Option<DVec3> {
        if !self.fields.has("axis") {
            let label = &self.fields.label;
            let message =
                format!("{label} has no \"axis\"; a {kind} needs one, a direction in the world");
            self.fields.complain("axis", message);
        }
        self.fields.direction("axis")
    }
}

/// A length between two points.
fn apart(ends: &Ends) -> Option<Placed> {
    let points = ["point_a", "point_b"].map(|key| ends.fields.vector(key).unwrap_or(DVec3::ZERO));
    let [start, end] = [ends.a.transform_point(points[0]), ends.b.transform_point(points[1])];
    let length = match ends.fields.node("length") {
        Some(node) => profile::read(&node)?,
        None => Profile::Constant(start.distance(end)),
    };
    positive_length(ends.fields, &length)?;
    let frames = points.map(|point| DPose3::from_parts(point, DQuat::IDENTITY));
    Some((JointKind::Distance(length), frames))
}

/// Notes keys that belong to other kinds of joint.
fn refuse_strangers(fields: &Fields) {
    let Some(kind) = fields.choice("kind") else { return };
    for key in JOINTS.iter().flat_map(|(_, of)| of.keys).filter(|key| fields.has(key.name)) {
        let has = |of: &JointReader| of.keys.iter().any(|own| own.name == key.name);
        let whose: Vec<&str> =
            JOINTS.iter().filter(|(_, of)| has(of)).map(|(name, _)| *name).collect();
        if !whose.contains(&kind) {
            let message = format!(
                "\"{}\" in {} (kind \"{kind}\") is for the kind {}; remove it",
                key.name,
                fields.label,
                one_of(&whose)
            );
            fields.complain(key.name, message);
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
    fields.refuse("length", message)
}

fn limits(fields: &Fields, angular: bool) -> Option<[f64; 2]> {
    let [low, high] = fields.pair("limits")?.to_array();
    if low > high {
        let message =
            format!("\"limits\" in {} is [{low}, {high}]; expected the least first", fields.label);
        return fields.refuse("limits", message);
    }
    let unit = if angular { 1.0_f64.to_radians() } else { 1.0 };
    Some([low * unit, high * unit])
}

fn read_motor(fields: &Fields, angular: bool) -> Option<Motor> {
    let max_force = fields.number("max_force").unwrap_or(f64::INFINITY);
    Some(Motor { control: fields.way(&CONTROLS)?(fields, angular)?, max_force })
}

/// What reads a control; whether it turns says its unit.
pub(crate) type ReadControl = fn(&Fields, bool) -> Option<Control>;

/// What a motor follows; whether it turns says its unit.
pub(crate) static CONTROLS: [Way<ReadControl>; 2] = [
    way("velocity", PROFILE, "rad/s or m/s, as fast as the greatest force allows.", |fields, _| {
        for key in ["stiffness", "damping"].into_iter().filter(|key| fields.has(key)) {
            let message = format!(
                "\"{key}\" in {} goes with \"position\", not \"velocity\"; remove it",
                fields.label
            );
            fields.complain(key, message);
        }
        profile::read(&fields.node("velocity")?).map(Control::Velocity)
    }),
    way("position", PROFILE, "Degrees or metres, by a spring and a damper.", |fields, angular| {
        let curve = profile::read(&fields.node("position")?);
        let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping"));
        if !fields.has("stiffness") {
            let message = format!(
                "{} has no \"stiffness\"; a motor with \"position\" needs it",
                fields.label
            );
            fields.complain("stiffness", message);
        }
        let unit = if angular { 1.0_f64.to_radians() } else { 1.0 };
        let target = profile::scaled(curve?, unit);
        let damping = damping.unwrap_or(0.0);
        Some(Control::Position { target, stiffness: stiffness?, damping })
    }),
];
