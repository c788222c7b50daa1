//! Scene files: TOML that describes a world, what to watch in it and what must come out.
//!
//! ```
//! use asperity_scene::{self as scene, NoAssets};
//!
//! let text = r#"
//! version = 1
//! pair.default = { section = { model = "coulomb", mu = 0.5 } }
//! body = [ { name = "ground", kind = "fixed", shape = { half_space = [0, 1, 0] } },
//!          { name = "block", shape = { box = [1, 1, 1] }, at = [0, 0.5, 0] } ]
//! probe = [ { name = "height", of = "block.position", component = "y" } ]
//! "#;
//! let scene = scene::load(text, "block.toml", &NoAssets)?;
//! assert_eq!(scene.probes[0].value(&scene.world), 0.5);
//! # Ok::<(), scene::SceneError>(())
//! ```
//!
//! [`load`] opens no files: what a scene names is asked of an [`Assets`]. Whatever is wrong is
//! reported at once, each with its line and column. [`schema`] describes the format.

pub mod asset;
mod assets;
mod body;
pub mod docs;
mod drive;
mod error;
mod expect;
mod fabric;
mod finish;
pub mod fit;
mod format;
mod grade;
mod joint;
mod material;
mod model;
mod node;
mod pair;
mod patch;
mod place;
mod plausibility;
mod prefab;
mod probe;
mod profile;
mod reader;
pub mod record;
mod relief;
pub mod run;
mod schema;
mod settings;
mod shape;
mod soft;
mod spec;
mod starter;
mod suggest;
mod support;
mod texture;
mod vertex_grain;
mod view;

use glamx::DVec3;
use toml::de::DeTable;

pub use assets::{Assets, NoAssets};
pub use error::{Problem, SceneError};
pub use expect::{Expectation, Outcome, Verdict, When};
pub use finish::Finish;
pub use probe::Probe;
pub use schema::schema;
pub use starter::starter;
pub use view::{MAX_FOV, View};

use asperity::world::World;
use body::{Bodies, MOST_BODIES};
use drive::DriveDraft;
use error::Log;
use joint::JointDraft;
use material::Materials;
use reader::Fields;
use run::ALLOWABLE;

/// A scene, ready to run.
#[derive(Debug)]
pub struct Scene {
    /// What it is, in one line.
    pub title: Option<String>,
    /// What it shows.
    pub about: Option<String>,
    /// The world at time zero.
    pub world: World,
    /// How long to run, seconds.
    pub duration: f64,
    /// Numbers to watch.
    pub probes: Vec<Probe>,
    /// What must come out.
    pub expectations: Vec<Expectation>,
    /// The up axis, a unit vector.
    pub up: DVec3,
    /// From where pictures are taken.
    pub view: View,
    /// What materials look like, by number of the surface.
    pub finishes: Vec<Finish>,
    /// What runs may show without being called failures: "energy", "overlap", "stretch", "joints", "stopped".
    pub allow: Vec<String>,
    /// What was assumed where the file says nothing, and what looks like a mistake.
    pub warnings: Vec<Problem>,
}

/// Reads a scene. `name` is what messages call the file.
pub fn load(text: &str, name: &str, assets: &dyn Assets) -> Result<Scene, SceneError> {
    let log = Log::default();
    let (document, mistakes) = DeTable::parse_recoverable(text);
    for mistake in &mistakes {
        let at = mistake.span().map_or(0, |span| span.start);
        log.add(at, format!("not valid TOML: {}", mistake.message().replace('\n', "; ")));
    }
    let scene = if log.is_empty() && knows_version(document.get_ref(), &log) {
        let fields = Fields::new(document.get_ref(), &format::SCENE, "the scene", 0, &log);
        read(&fields, text, assets)
    } else {
        None
    };
    match scene {
        Some(scene) if log.is_empty() => Ok(Scene { warnings: log.warnings(name, text), ..scene }),
        _ => Err(log.into_error(name, text)),
    }
}

/// Whether the file is of a version that is known. One that says nothing is read all the same,
/// and told to say it.
fn knows_version(document: &DeTable, log: &Log) -> bool {
    let Some(version) = document.get("version") else { return true };
    if version.get_ref().as_integer().is_some_and(|i| i.as_str() == "1") {
        return true;
    }
    let found = match version.get_ref().as_integer() {
        Some(number) => number.to_string(),
        None => format!("a {}", version.get_ref().type_str()),
    };
    log.add(
        version.span().start,
        format!(
            "\"version\" is {found}; this program reads scenes of version 1: write version = 1"
        ),
    );
    false
}

fn read(fields: &Fields, text: &str, assets: &dyn Assets) -> Option<Scene> {
    let table = settings::read(fields);
    support::tell_coupled(fields.log, &table);
    let textures = texture::read(fields, assets);
    let mut materials = Materials::read(fields, &textures);
    let mut bodies = Bodies::read(fields, &mut materials, assets);
    let made = prefab::read(fields, &table, &mut materials, &mut bodies, assets);
    if bodies.list.len() > MOST_BODIES {
        let message = format!("{} bodies; expected at most {MOST_BODIES}", bodies.list.len());
        fields.complain("body", message);
    }
    let pairs = pair::read(fields, &materials);
    let contacts = pairs.contacts(&table);
    let pairing = pairs.build(fields, &materials, &bodies.list, &table);
    let mut joints = joint::read(fields, &bodies);
    joints.extend(made);
    let drives = drive::read(fields, &bodies);
    let (probes, names) = probe::read(fields, &bodies);
    let expectations = expect::read(fields, &names, table.duration);
    let view = view::read(fields);
    let title = fields.text("title").map(str::to_owned);
    let about = fields.text("about").map(str::to_owned);
    let allow = allowed(fields);
    if !fields.log.is_empty() {
        return None;
    }
    let mut world = World::new(table.settings, pairing?);
    world.set_soft_contacts(table.soft);
    for draft in bodies.softs.iter().filter(|_| table.soft.filter().is_none()) {
        let newton = draft.desc.body.options.newton;
        if newton > 1 {
            let name = &draft.desc.name;
            fields.log.add(draft.at, format!("body \"{name}\": newton = {newton} needs soft_contact = \"filter\" in [world]; contacts as part of the implicit step take one iteration"));
        }
    }
    for (between, kind, at) in contacts {
        support::tell_spin(fields.log, at, kind);
        if let Err(e) = world.set_wrench(between, kind) {
            fields.log.add(at, e.to_string());
        }
    }
    let places: Vec<usize> = bodies.list.iter().map(|draft| draft.at).collect();
    fill(&mut world, bodies, joints, drives, fields.log);
    if fields.log.is_empty() {
        plausibility::tell(fields.log, &world, table.up, &places, fields.place("world"));
    }
    let line = |at: usize| text.get(..at).unwrap_or("").matches('\n').count() + 1;
    let expectations =
        expectations.into_iter().map(|(e, at)| Expectation { line: line(at), ..e }).collect();
    Some(Scene {
        title,
        about,
        world,
        duration: table.duration,
        probes,
        expectations,
        up: table.up,
        view,
        finishes: materials.list.iter().map(|material| material.finish).collect(),
        allow,
        warnings: Vec::new(),
    })
}

/// What runs of the scene may show.
fn allowed(fields: &Fields) -> Vec<String> {
    let words = fields.list("allow").into_iter();
    let word = |node: node::Node| {
        if node.is_text() { node.word(&ALLOWABLE) } else { node.expected("a string") }
    };
    words.filter_map(word).map(str::to_owned).collect()
}

/// Puts everything into the world; stops at the first kind of thing that it refuses, since what
/// follows refers to it.
fn fill(
    world: &mut World,
    bodies: Bodies,
    joints: Vec<JointDraft>,
    drives: Vec<DriveDraft>,
    log: &Log,
) {
    for draft in bodies.list {
        if let Err(e) = world.add_body(draft.desc) {
            log.add(draft.at, e.to_string());
        }
    }
    for draft in bodies.softs {
        if let Err(e) = world.add_soft(draft.desc) {
            log.add(draft.at, e.to_string());
        }
    }
    if !log.is_empty() {
        return;
    }
    for (joint, at) in joints {
        if let Err(e) = world.add_joint(joint) {
            log.add(at, e.to_string());
        }
    }
    for (drive, at) in drives {
        if let Err(e) = world.add_drive(drive) {
            log.add(at, e.to_string());
        }
    }
}
