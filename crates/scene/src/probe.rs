//! `probe`: numbers to watch.

mod soft;

use std::collections::BTreeMap;

use glamx::{DPose3, DQuat, DVec3};

use super::body::Bodies;
use super::reader::Fields;
use super::suggest::hint;
use asperity::body::BodyId;
use asperity::soft::SoftId;
use asperity::world::{Body, World};
use soft::{SoftQuantity, of_soft};

/// A number to watch while a world is stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Unique name.
    pub name: String,
    /// What it measures, as the scene says it.
    pub of: String,
    source: Source,
}

#[derive(Debug, Clone, PartialEq)]
enum Source {
    World(WorldQuantity),
    Scalar(BodyId, Scalar),
    Vector(BodyId, Vector, Part),
    /// Turn since the start, degrees.
    Rotation(BodyId, DQuat, Part),
    /// Squared cosine between the body's y axis and a direction.
    Alignment(BodyId, Part),
    /// Of a soft body: all of it, or one vertex.
    Soft(SoftId, Option<usize>, SoftQuantity),
    /// Mean over several bodies.
    Mean(Vec<Source>),
    /// How many of several are below a value.
    Count(Vec<Source>, f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WorldQuantity {
    Energy,
    KineticEnergy,
    Contacts,
    Residual,
    Penetration,
    Iterations,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Speed,
    Energy,
    /// Volume that wear took, m³.
    Worn,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Vector {
    Position,
    /// Position less the one at the start.
    Displacement(DVec3),
    Velocity,
    Spin,
    ContactForce,
}

/// Which part of a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part {
    /// Along a direction.
    Along(DVec3),
    /// Along the direction around an axis through the origin, where the body is.
    Around(DVec3),
    /// Its length.
    Length,
}

/// What says which part of a vector.
const DIRECTIONS: [&str; 3] = ["along", "around", "component"];

/// Parts by name.
pub(crate) const COMPONENTS: [(&str, Part); 4] = [
    ("x", Part::Along(DVec3::X)),
    ("y", Part::Along(DVec3::Y)),
    ("z", Part::Along(DVec3::Z)),
    ("length", Part::Length),
];

const WORLD: &[(&str, WorldQuantity)] = &[
    ("energy", WorldQuantity::Energy),
    ("kinetic_energy", WorldQuantity::KineticEnergy),
    ("contacts", WorldQuantity::Contacts),
    ("residual", WorldQuantity::Residual),
    ("penetration", WorldQuantity::Penetration),
    ("iterations", WorldQuantity::Iterations),
];
/// What bodies have; vectors are measured along a direction.
const BODY: &[(&str, BodyQuantity)] = &[
    ("position", BodyQuantity::Part(|id, _, part| Source::Vector(id, Vector::Position, part))),
    (
        "displacement",
        BodyQuantity::Part(|id, start, part| {
            Source::Vector(id, Vector::Displacement(start.translation), part)
        }),
    ),
    ("velocity", BodyQuantity::Part(|id, _, part| Source::Vector(id, Vector::Velocity, part))),
    ("rotation", BodyQuantity::Part(|id, start, part| Source::Rotation(id, start.rotation, part))),
    ("spin", BodyQuantity::Part(|id, _, part| Source::Vector(id, Vector::Spin, part))),
    (
        "contact_force",
        BodyQuantity::Part(|id, _, part| Source::Vector(id, Vector::ContactForce, part)),
    ),
    ("alignment", BodyQuantity::Part(|id, _, part| Source::Alignment(id, part))),
    ("speed", BodyQuantity::Number(Scalar::Speed)),
    ("energy", BodyQuantity::Number(Scalar::Energy)),
    ("worn", BodyQuantity::Number(Scalar::Worn)),
];

/// What can be watched of a body.
#[derive(Debug, Clone, Copy)]
enum BodyQuantity {
    /// A plain number.
    Number(Scalar),
    /// Of a body that starts at a pose, a part of a vector.
    Part(fn(BodyId, DPose3, Part) -> Source),
}

/// What only a group of bodies has.
const COUNT: &str = "count";

impl Probe {
    /// Its value now.
    pub fn value(&self, world: &World) -> f64 {
        self.source.value(world)
    }
}

impl Source {
    fn value(&self, world: &World) -> f64 {
        let body = |id: BodyId| world.bodies().get(id.0);
        match self {
            Source::World(quantity) => of_world(*quantity, world),
            Source::Scalar(id, Scalar::Speed) => {
                body(*id).map_or(f64::NAN, |b| b.linear_velocity.length())
            }
            Source::Scalar(id, Scalar::Energy) => {
                body(*id).map_or(f64::NAN, |b| b.energy(world.settings.gravity).total())
            }
            Source::Scalar(id, Scalar::Worn) => world.worn_volume(*id),
            Source::Vector(id, vector, part) => body(*id)
                .map_or(f64::NAN, |b| part.of(of_body(*vector, *id, b, world), b.pose.translation)),
            Source::Rotation(id, start, part) => {
                body(*id).map_or(f64::NAN, |b| turn(b.pose.rotation * start.inverse(), *part))
            }
            Source::Alignment(id, part) => body(*id).map_or(f64::NAN, |b| {
                part.of(b.pose.rotation * DVec3::Y, b.pose.translation).powi(2)
            }),
            Source::Soft(id, vertex, quantity) => {
                world.softs().get(id.0).map_or(f64::NAN, |s| quantity.of(s, *vertex, world))
            }
            Source::Mean(list) => {
                list.iter().map(|s| s.value(world)).sum::<f64>() / list.len() as f64
            }
            Source::Count(list, limit) => {
                list.iter().filter(|s| s.value(world) < *limit).count() as f64
            }
        }
    }
}

impl Part {
    /// Of a vector at a place.
    fn of(self, v: DVec3, at: DVec3) -> f64 {
        match self {
            Part::Along(direction) => v.dot(direction),
            Part::Around(axis) => v.dot(axis.cross(at).normalize_or_zero()),
            Part::Length => v.length(),
        }
    }
}

fn of_world(quantity: WorldQuantity, world: &World) -> f64 {
    match quantity {
        WorldQuantity::Energy => world.energy().total(),
        WorldQuantity::KineticEnergy => world.energy().kinetic,
        WorldQuantity::Contacts => world.report().contacts as f64,
        WorldQuantity::Residual => world.report().residual,
        WorldQuantity::Penetration => world.report().penetration,
        WorldQuantity::Iterations => world.report().iterations as f64,
    }
}

fn of_body(vector: Vector, id: BodyId, body: &Body, world: &World) -> DVec3 {
    match vector {
        Vector::Position => body.pose.translation,
        Vector::Displacement(start) => body.pose.translation - start,
        Vector::Velocity => body.linear_velocity,
        Vector::Spin => body.angular_velocity,
        Vector::ContactForce => {
            let sign = |i: usize| if i == id.0 { 1.0 } else { 0.0 };
            let on = world
                .contacts()
                .iter()
                .map(|c| c.impulse * (sign(c.bodies[1]) - sign(c.bodies[0])));
            on.sum::<DVec3>() / world.settings.dt
        }
    }
}

/// Angle of a turn about a direction, −180 to 180 degrees; or of the whole turn, 0 to 180.
fn turn(q: DQuat, part: Part) -> f64 {
    let axis = DVec3::new(q.x, q.y, q.z);
    let half = match part {
        Part::Along(direction) | Part::Around(direction) => axis.dot(direction).atan2(q.w),
        Part::Length => axis.length().atan2(q.w.abs()),
    };
    let degrees = (2.0 * half).to_degrees();
    if degrees > 180.0 {
        degrees - 360.0
    } else if degrees <= -180.0 {
        degrees + 360.0
    } else {
        degrees
    }
}

/// All probes by name; `None` for those that are wrong.
pub(crate) type Probes = (Vec<Probe>, BTreeMap<String, Option<usize>>);

/// Reads `probe`.
pub(crate) fn read(scene: &Fields, bodies: &Bodies) -> Probes {
    let (mut list, mut names) = (Vec::new(), BTreeMap::new());
    for fields in scene.tables("probe") {
        let probe = one(&fields, bodies);
        let Some(name) = fields.text("name") else { continue };
        if names.contains_key(name) {
            let message = format!("there is another probe named \"{name}\"; choose another name");
            fields.complain("name", message);
            continue;
        }
        names.insert(name.to_owned(), probe.is_some().then_some(list.len()));
        list.extend(probe);
    }
    (list, names)
}

fn one(fields: &Fields, bodies: &Bodies) -> Option<Probe> {
    let name = fields.text("name");
    let of = fields.text("of")?;
    let complain = |message: String| fields.refuse("of", format!("{}: {message}", fields.label));
    let Some((subject, quantity)) = of.rsplit_once('.') else {
        return complain(format!(
            "\"{of}\" is not \"<body>.<quantity>\" or \"world.<quantity>\"; such as \"block.position\""
        ));
    };
    if subject == "world" {
        let known = WORLD.iter().find(|(name, _)| *name == quantity);
        let Some((_, found)) = known else {
            let hint = hint(quantity, WORLD.iter().map(|(name, _)| *name));
            return complain(format!("the world has no \"{quantity}\"{hint}"));
        };
        refuse_direction(fields, quantity);
        return Some(Probe {
            name: name?.to_owned(),
            of: of.to_owned(),
            source: Source::World(*found),
        });
    }
    if let Some(source) = of_soft(fields, subject, quantity, bodies) {
        return Some(Probe { name: name?.to_owned(), of: of.to_owned(), source: source? });
    }
    let members = match subject.strip_suffix('*') {
        Some(begin) => bodies.beginning(begin),
        None => bodies.find(subject).into_iter().collect(),
    };
    let group = subject.ends_with('*');
    if members.is_empty() {
        return complain(if group {
            format!("no body's name begins with \"{}\"", subject.trim_end_matches('*'))
        } else {
            format!("there is no body \"{subject}\"{}", bodies.hint(subject))
        });
    }
    let counts = group && quantity == COUNT;
    let measured = if counts { "position" } else { quantity };
    let Some((_, found)) = BODY.iter().find(|(name, _)| *name == measured) else {
        let own = BODY.iter().map(|(name, _)| *name).chain(group.then_some(COUNT));
        let hint = hint(quantity, own);
        return complain(format!("a body has no \"{quantity}\"{hint}"));
    };
    if counts != fields.has("below") {
        return complain(
            "\"count\" and \"below\" go together: how many are below a value".to_owned(),
        );
    }
    let mut list: Vec<Source> = match found {
        BodyQuantity::Number(scalar) => {
            refuse_direction(fields, quantity);
            members.iter().map(|number| Source::Scalar(BodyId(*number), *scalar)).collect()
        }
        BodyQuantity::Part(of) => {
            let part = part(fields, measured)?;
            let start = |number: usize| bodies.list[number].desc.pose;
            members.iter().map(|number| of(BodyId(*number), start(*number), part)).collect()
        }
    };
    let source = match (group, fields.number("below")) {
        (true, Some(limit)) => Source::Count(list, limit),
        (true, None) => Source::Mean(list),
        (false, _) => list.pop()?,
    };
    Some(Probe { name: name?.to_owned(), of: of.to_owned(), source })
}

/// Notes directions given to a plain number.
fn refuse_direction(fields: &Fields, quantity: &str) {
    for key in DIRECTIONS.into_iter().filter(|key| fields.has(key)) {
        let message = format!(
            "\"{quantity}\" is a plain number, but {} has \"{key}\"; remove it",
            fields.label
        );
        fields.complain(key, message);
    }
}

/// Which part of a vector a probe takes.
fn part(fields: &Fields, quantity: &str) -> Option<Part> {
    match DIRECTIONS.map(|key| fields.has(key)) {
        [true, false, false] => fields.direction("along").map(Part::Along),
        [false, true, false] => fields.direction("around").map(Part::Around),
        [false, false, true] => fields.pick("component", &COMPONENTS),
        given => {
            let found = if given.contains(&true) { "several" } else { "none" };
            let message = format!(
                "\"{quantity}\" is a vector, and {} has {found} of \"along\", \"around\" and \"component\"; expected one, such as component = \"x\"",
                fields.label
            );
            fields.refuse("of", message)
        }
    }
}
