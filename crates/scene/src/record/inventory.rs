//! What a world holds, counted.

use std::collections::{BTreeMap, BTreeSet};

use asperity::body::BodyKind;
use asperity::drive::Drive;
use asperity::friction::extent::{Extent, PressureRule};
use asperity::world::World;
use serde::{Deserialize, Serialize};

/// What a world holds, counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inventory {
    /// Bodies that forces and contacts move.
    pub dynamic: usize,
    /// Bodies with a prescribed motion.
    pub kinematic: usize,
    /// Bodies that nothing moves.
    pub fixed: usize,
    /// Bodies by the name of their shape; "none" for those that touch nothing.
    pub shapes: BTreeMap<&'static str, usize>,
    /// Cloth and soft solids, by kind.
    pub softs: BTreeMap<&'static str, usize>,
    /// Bodies of each material, in order of their numbers.
    pub materials: Vec<(String, usize)>,
    /// Joints by kind.
    pub joints: BTreeMap<&'static str, usize>,
    /// What acts from outside, by kind.
    pub drives: BTreeMap<&'static str, usize>,
    /// Friction of the pairs of materials of which two bodies could touch.
    pub pairs: Vec<PairUse>,
}

/// The friction of a pair of materials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairUse {
    /// Names of the materials.
    pub materials: [String; 2],
    /// Name of the section.
    pub section: String,
    /// Name of the extent.
    #[serde(default)]
    pub extent: String,
    /// Name of the memory; none where there is none.
    #[serde(default)]
    pub memory: Option<String>,
    /// What chose it, in words.
    pub origin: String,
}

impl Inventory {
    /// Counts.
    pub fn of(world: &World) -> Inventory {
        let names = world.pairing().surfaces().iter().map(|s| (s.name.clone(), 0));
        let mut inventory = Inventory { materials: names.collect(), ..Inventory::default() };
        for body in world.bodies() {
            match body.kind {
                BodyKind::Dynamic => inventory.dynamic += 1,
                BodyKind::Kinematic => inventory.kinematic += 1,
                BodyKind::Fixed => inventory.fixed += 1,
            }
            let shape = body.shape().map_or("none", |shape| shape.name());
            *inventory.shapes.entry(shape).or_default() += 1;
            inventory.materials[body.surface()].1 += 1;
        }
        for soft in world.softs() {
            let kind = if soft.body.is_cloth() { "cloth" } else { "solid" };
            *inventory.softs.entry(kind).or_default() += 1;
            inventory.materials[soft.surface].1 += 1;
        }
        for joint in world.joints() {
            *inventory.joints.entry(joint.kind.name()).or_default() += 1;
        }
        for drive in world.drives() {
            let kind = match drive {
                Drive::Force { .. } => "force",
                Drive::Impulse { .. } => "impulse",
                Drive::Spring { .. } => "spring",
            };
            *inventory.drives.entry(kind).or_default() += 1;
        }
        let could_touch = could_touch(world);
        inventory.pairs = could_touch.into_iter().filter_map(|p| PairUse::of(world, p)).collect();
        inventory
    }
}

impl PairUse {
    /// The friction of two surfaces, by their numbers; `None` where they have none.
    pub fn of(world: &World, surfaces: [usize; 2]) -> Option<PairUse> {
        let pairing = world.pairing();
        let pair = pairing.pair(surfaces[0], surfaces[1]).ok()?;
        Some(PairUse {
            materials: surfaces.map(|k| pairing.surfaces()[k].name.clone()),
            section: pair.section.name().to_owned(),
            extent: extent_name(&pair.extent).to_owned(),
            memory: pair.memory.as_ref().map(|memory| memory.name().to_owned()),
            origin: pair.origin.to_string(),
        })
    }
}

/// As scenes call it.
fn extent_name(extent: &Extent) -> &'static str {
    match extent {
        Extent::Point => "point",
        Extent::Spin => "spin",
        Extent::Pressed(PressureRule::Linear) => "spin (linear pressure)",
        Extent::Pressed(PressureRule::Hertz) => "spin (Hertz's pressure)",
        Extent::Pressed(PressureRule::Map) => "spin (pressure by a map)",
        Extent::Wrench(_) => "wrench",
    }
}

impl std::fmt::Display for PairUse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [a, b] = &self.materials;
        write!(f, "{a} on {b}: {}", self.section)?;
        if !self.extent.is_empty() {
            let memory = self.memory.as_deref().unwrap_or("none");
            write!(f, ", extent {}, memory {memory}", self.extent)?;
        }
        write!(f, " ({})", self.origin)
    }
}

/// Pairs of surfaces, smaller number first, of which two bodies could touch: both have a shape
/// and one is pushed by contacts, as soft bodies are. Cloth can touch itself.
fn could_touch(world: &World) -> BTreeSet<[usize; 2]> {
    let count = world.pairing().surfaces().len();
    // Bodies of each surface: all, and those that are pushed.
    let mut bodies = vec![[0_usize; 2]; count];
    for body in world.bodies().iter().filter(|b| b.shape().is_some()) {
        let [all, pushed] = &mut bodies[body.surface()];
        *all += 1;
        *pushed += usize::from(body.kind == BodyKind::Dynamic);
    }
    let mut pairs = BTreeSet::new();
    for soft in world.softs() {
        let [all, pushed] = &mut bodies[soft.surface];
        *all += 1;
        *pushed += 1;
        if soft.touches_itself() {
            pairs.insert([soft.surface; 2]);
        }
    }
    for a in 0..count {
        for b in a..count {
            let ([all_a, pushed_a], [all_b, pushed_b]) = (bodies[a], bodies[b]);
            let enough = if a == b { all_a > 1 } else { all_a > 0 && all_b > 0 };
            if enough && pushed_a + pushed_b > 0 {
                pairs.insert([a, b]);
            }
        }
    }
    pairs
}
