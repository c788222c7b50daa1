//! `body`: single bodies.

use std::collections::BTreeMap;

use glamx::{DMat3, DPose3, DVec3};

use super::assets::Assets;
use super::material::{self, Materials};
use super::place;
use super::reader::Fields;
use super::shape;
use super::soft::{self, SoftDraft};
use super::suggest::hint;
use super::vertex_grain;
use asperity::body::{BodyDesc, BodyKind, Keyframe, Mass};
use asperity::geometry::shape::Shape;

/// A body that is not in a world yet.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) desc: BodyDesc,
    /// Where in the text.
    pub(crate) at: usize,
}

/// All bodies of a scene so far.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) list: Vec<Draft>,
    /// Cloth and soft solids.
    pub(crate) softs: Vec<SoftDraft>,
    by_name: BTreeMap<String, usize>,
}

/// What moves a body.
pub(crate) const KINDS: [(&str, BodyKind); 3] = [
    ("dynamic", BodyKind::Dynamic),
    ("kinematic", BodyKind::Kinematic),
    ("fixed", BodyKind::Fixed),
];

/// Bodies of a scene at most.
pub(crate) const MOST_BODIES: usize = 20_000;

impl Bodies {
    /// Reads `body`.
    pub(crate) fn read(scene: &Fields, materials: &mut Materials, assets: &dyn Assets) -> Bodies {
        let mut bodies = Bodies::default();
        for fields in scene.tables("body") {
            if soft::is_soft(&fields) {
                if let Some(draft) = soft::read(&fields, materials, assets) {
                    bodies.check_name(&fields, &draft.desc.name);
                    bodies.softs.push(draft);
                }
                continue;
            }
            let draft = one(&fields, materials, assets);
            bodies.add(&fields, draft);
        }
        bodies
    }

    /// Adds a body, or notes why not.
    pub(crate) fn add(&mut self, fields: &Fields, draft: Draft) {
        let name = draft.desc.name.clone();
        self.check_name(fields, &name);
        self.by_name.entry(name).or_insert(self.list.len());
        self.list.push(draft);
    }

    fn check_name(&self, fields: &Fields, name: &str) {
        let problem = if name.trim().is_empty() {
            fields.has("name").then(|| "its name is empty; expected a word".to_owned())
        } else if name == "world" {
            Some("the name \"world\" is taken; choose another".to_owned())
        } else if self.by_name.contains_key(name) || self.soft(name).is_some() {
            Some(format!("there is another body named \"{name}\"; choose another name"))
        } else {
            None
        };
        if let Some(problem) = problem {
            fields.complain("name", format!("{}: {problem}", fields.label));
        }
    }

    /// Number of a soft body by its name.
    pub(crate) fn soft(&self, name: &str) -> Option<usize> {
        self.softs.iter().position(|s| s.desc.name == name)
    }

    /// Number of a body by its name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Numbers of all bodies whose names begin so.
    pub(crate) fn beginning(&self, begin: &str) -> Vec<usize> {
        let named = self.by_name.range(begin.to_owned()..);
        named.take_while(|(name, _)| name.starts_with(begin)).map(|(_, k)| *k).collect()
    }

    /// `; did you mean …?`
    pub(crate) fn hint(&self, name: &str) -> String {
        let soft = self.softs.iter().map(|s| s.desc.name.as_str());
        hint(name, self.by_name.keys().map(String::as_str).chain(soft))
    }

    /// Number of the body that a key of a table names.
    pub(crate) fn named(&self, fields: &Fields, key: &str) -> Option<usize> {
        let name = fields.text(key)?;
        self.find(name).or_else(|| {
            let hint = self.hint(name);
            fields.refuse(key, format!("{}: there is no body \"{name}\"{hint}", fields.label))
        })
    }
}

/// A body of a material at rest, without a shape.
pub(crate) fn plain(name: &str, materials: &Materials, surface: usize) -> BodyDesc {
    // The shape is set by the caller; this one is never built.
    let mut desc = BodyDesc::new(name, Shape::Sphere { radius: 1.0 });
    let material = &materials.list[surface];
    desc.shape = None;
    desc.surface = surface;
    desc.structure = material.structure.clone();
    desc.mass = Mass::Density(material.density);
    desc.restitution = material.restitution;
    desc.linear_damping = material.linear_damping;
    desc.angular_damping = material.angular_damping;
    desc
}

fn one(fields: &Fields, materials: &mut Materials, assets: &dyn Assets) -> Draft {
    let surface = materials.of(fields);
    let mut desc = plain(fields.text("name").unwrap_or(""), materials, surface);
    desc.kind = fields.pick("kind", &KINDS).unwrap_or(BodyKind::Dynamic);
    desc.shape = shape::read(fields, assets);
    desc.pose = place::pose(fields, DPose3::IDENTITY);
    desc.linear_velocity = fields.vector("velocity").unwrap_or(DVec3::ZERO);
    desc.angular_velocity = fields.vector("spin").unwrap_or(DVec3::ZERO);
    desc.gravity_scale = fields.number("gravity_scale").unwrap_or(1.0);
    desc.group = group(fields);
    if let Some(node) = fields.node("structure") {
        let vertices = |structure: &Fields| vertex_grain::of_rigid(structure, fields, assets);
        desc.structure = material::structure(&node, &vertices).unwrap_or_default();
    }
    desc.mass = mass(fields, desc.mass);
    desc.keyframes = keyframes(fields, desc.pose);
    if !desc.keyframes.is_empty() {
        // Where they want it, so that it does not jump there in the first step.
        let (position, rotation) = Keyframe::pose_at(&desc.keyframes, 0.0);
        desc.pose = DPose3::from_parts(position, rotation);
    }
    check(fields, &desc);
    Draft { desc, at: fields.at }
}

/// `group` of a table.
pub(crate) fn group(fields: &Fields) -> u32 {
    fields.whole("group").and_then(|g| u32::try_from(g).ok()).unwrap_or(0)
}

/// What does not go together.
fn check(fields: &Fields, desc: &BodyDesc) {
    let label = &fields.label;
    if desc.kind == BodyKind::Fixed {
        for key in ["velocity", "spin"] {
            if fields.has(key) {
                let message = format!(
                    "{label} is fixed, but has \"{key}\"; remove it, or make the body kinematic with keyframes"
                );
                fields.complain(key, message);
            }
        }
    }
    if desc.kind != BodyKind::Dynamic {
        for key in ["mass", "density", "inertia", "centre"] {
            if fields.has(key) {
                let message =
                    format!("{label} is not dynamic, so its \"{key}\" has no effect; remove it");
                fields.complain(key, message);
            }
        }
    }
    if desc.kind != BodyKind::Kinematic && fields.has("keyframes") {
        let message =
            format!("{label} has keyframes, but is not kinematic; add kind = \"kinematic\"");
        fields.complain("keyframes", message);
    }
    if desc.kind == BodyKind::Dynamic && !fields.has("shape") && !fields.has("inertia") {
        let message = format!(
            "{label} has no shape; expected \"shape\", or \"mass\" and \"inertia\" for a body that touches nothing"
        );
        fields.log.add(fields.at, message);
    }
}

fn mass(fields: &Fields, default: Mass) -> Mass {
    let (mass, density) = (fields.number("mass"), fields.number("density"));
    if fields.has("mass") && fields.has("density") {
        let message =
            format!("{} has \"mass\" and \"density\"; expected only one of them", fields.label);
        fields.complain("density", message);
    }
    let inertia = fields.vector("inertia");
    let centre = fields.vector("centre");
    if fields.has("inertia") && !fields.has("mass") {
        let message = format!("{} has \"inertia\" without \"mass\"; add \"mass\"", fields.label);
        fields.complain("inertia", message);
    }
    if fields.has("centre") && !fields.has("inertia") {
        let message = format!(
            "{} has \"centre\" without \"inertia\"; add \"mass\" and \"inertia\"",
            fields.label
        );
        fields.complain("centre", message);
    }
    match (mass, inertia, density) {
        (Some(mass), Some(inertia), _) => Mass::Explicit {
            mass,
            centre: centre.unwrap_or(DVec3::ZERO),
            inertia: DMat3::from_diagonal(inertia),
        },
        (Some(mass), None, _) => Mass::Total(mass),
        (None, _, Some(density)) => Mass::Density(density),
        (None, _, None) => default,
    }
}

fn keyframes(fields: &Fields, start: DPose3) -> Vec<Keyframe> {
    let mut frames: Vec<Keyframe> = Vec::new();
    for frame in fields.tables("keyframes") {
        let Some(time) = frame.number("time") else { continue };
        if frames.last().is_some_and(|last| !(last.time < time)) {
            let message = format!(
                "{}: time {time} is not after the one before; expected growing times",
                fields.label
            );
            frame.complain("time", message);
        }
        let pose = place::pose(&frame, start);
        frames.push(Keyframe { time, position: pose.translation, rotation: pose.rotation });
    }
    frames
}
