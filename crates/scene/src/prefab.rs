//! `prefab`: many bodies from few numbers.

mod arch;
mod blocks;
mod card_house;
mod chain;

use glamx::{DPose3, DQuat, DVec3};

use super::assets::Assets;
use super::body::{self, Bodies, Draft, MOST_BODIES};
use super::joint::JointDraft;
use super::material::Materials;
use super::place;
use super::reader::Fields;
use super::settings::WorldTable;
use super::spec::Way;
use asperity::body::{BodyId, BodyKind, Mass};
use asperity::geometry::shape::Shape;
use asperity::joint::{JointDesc, JointKind};

/// What a prefab is made of, in its own axes: y up, the origin in the middle of the base.
#[derive(Debug, Default)]
pub(crate) struct Kit {
    parts: Vec<Part>,
    joints: Vec<Link>,
}

/// One body of a prefab.
#[derive(Debug)]
struct Part {
    /// What comes after the prefab's name and a dot.
    suffix: String,
    shape: Shape,
    pose: DPose3,
}

/// A ball joint between two parts, or the world and a part.
#[derive(Debug)]
struct Link {
    a: Option<usize>,
    b: usize,
    at: DVec3,
}

impl Kit {
    fn add(&mut self, suffix: impl Into<String>, shape: Shape, at: DVec3, rotation: DQuat) {
        let pose = DPose3::from_parts(at, rotation);
        self.parts.push(Part { suffix: suffix.into(), shape, pose });
    }

    /// A box by its full sizes.
    fn add_box(&mut self, suffix: impl Into<String>, size: DVec3, at: DVec3, rotation: DQuat) {
        self.add(suffix, Shape::Box { half_extents: 0.5 * size }, at, rotation);
    }
}

/// Reads `prefab`: bodies go to `bodies`, joints are returned.
pub(crate) fn read(
    scene: &Fields,
    world: &WorldTable,
    materials: &mut Materials,
    bodies: &mut Bodies,
    assets: &dyn Assets,
) -> Vec<JointDraft> {
    let mut joints = Vec::new();
    for fields in scene.tables("prefab") {
        let material = materials.of(&fields);
        let pose = place::pose(&fields, DPose3::IDENTITY);
        let pose = DPose3::from_parts(pose.translation, pose.rotation * world.upright());
        let room = MOST_BODIES.saturating_sub(bodies.list.len());
        let kit = build(&Site { prefab: &fields, room, assets });
        let Some(name) = fields.text("name") else { continue };
        if name.trim().is_empty() {
            fields.complain("name", format!("{} has an empty name; expected a word", fields.label));
        }
        let kit = kit.unwrap_or_default();
        let first = bodies.list.len();
        for part in kit.parts {
            let draft = draft(&fields, name, part, pose, materials, material);
            bodies.add(&fields, draft);
        }
        for (i, link) in kit.joints.iter().enumerate() {
            let joint = joint(format!("{name}.joint.{i}"), link, first, pose, bodies);
            joints.push((joint, fields.at));
        }
    }
    joints
}

fn draft(
    fields: &Fields,
    name: &str,
    part: Part,
    pose: DPose3,
    materials: &Materials,
    material: usize,
) -> Draft {
    let mut desc = body::plain(&format!("{name}.{}", part.suffix), materials, material);
    desc.shape = Some(part.shape);
    desc.pose = pose * part.pose;
    desc.linear_velocity = fields.vector("velocity").unwrap_or(DVec3::ZERO);
    desc.group = body::group(fields);
    if fields.choice("kind") == Some("fixed") {
        desc.kind = BodyKind::Fixed;
    }
    if let Some(density) = fields.number("density") {
        desc.mass = Mass::Density(density);
    }
    Draft { desc, at: fields.at }
}

fn joint(name: String, link: &Link, first: usize, pose: DPose3, bodies: &Bodies) -> JointDesc {
    let at = DPose3::from_parts(pose.transform_point(link.at), DQuat::IDENTITY);
    let frame = |part: usize| bodies.list[first + part].desc.pose.inverse() * at;
    JointDesc {
        name,
        kind: JointKind::Ball,
        a: link.a.map(|a| BodyId(first + a)),
        b: BodyId(first + link.b),
        frame_a: link.a.map_or(at, frame),
        frame_b: frame(link.b),
        limits: None,
        motor: None,
        collide: false,
    }
}

/// Where a prefab is built.
pub(crate) struct Site<'a> {
    prefab: &'a Fields<'a>,
    /// Bodies for which there is room.
    room: usize,
    assets: &'a dyn Assets,
}

impl Site<'_> {
    /// Whether there is room for so many bodies; complains where not.
    fn fits(&self, count: usize) -> Option<()> {
        if count <= self.room {
            return Some(());
        }
        let message = format!(
            "{} makes {count} bodies; expected at most {MOST_BODIES} in a scene: lower its counts",
            self.prefab.label
        );
        self.prefab.refuse(self.prefab.alternative()?, message)
    }
}

/// What builds a prefab from its table.
pub(crate) type Build = fn(&Fields, &Site) -> Option<Kit>;

/// All prefabs by name.
pub(crate) static PREFABS: [Way<Build>; 7] = [
    blocks::STACK,
    blocks::WALL,
    blocks::PYRAMID,
    arch::ARCH,
    chain::CHAIN,
    blocks::GRID,
    card_house::CARD_HOUSE,
];

/// Most bodies in a row of a prefab.
const MOST: usize = 1000;
const GAP: &str = "Gap between bodies, metres; default 0.";

/// Builds a prefab.
fn build(site: &Site) -> Option<Kit> {
    let make = site.prefab.way(&PREFABS)?;
    let table = site.prefab.table(site.prefab.alternative()?)?;
    let kit = make(&table, site)?;
    // All parts of a kind have the same few shapes; the first that is wrong speaks for all.
    let wrong = kit.parts.iter().find_map(|part| part.shape.validate().err());
    match wrong {
        None => Some(kit),
        Some(e) => {
            table.log.add(table.at, format!("{}: {e}", table.label));
            None
        }
    }
}
