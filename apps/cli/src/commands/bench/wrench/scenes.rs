//! The scenes of `asperity bench wrench`.

use std::sync::Arc;

use asperity::geometry::shape::MeshData;
use asperity::glamx::{DPose3, DQuat, DVec3};
use asperity::{BodyDesc, BodyId, Shape, World};

use crate::commands::mesh::{What, figure_mesh};
use crate::error::CliError;
use asperity_verify::setup::add;
use asperity_verify::wrench::convergence::{Cubes, STACKS, cubes, octagonal, world};
use asperity_verify::wrench::counts::SAME;

/// A scene.
pub(super) struct Case {
    pub(super) name: String,
    /// Of all bodies that are not primitives to overlaps.
    pub(super) triangles: usize,
    /// To which relative change its sweeps are counted, if they are.
    pub(super) counted: Option<f64>,
    /// Whether sweeps are counted from its beginning, while it slides.
    pub(super) slides: bool,
    kind: SceneKind,
}

enum SceneKind {
    Stack(&'static Cubes),
    Sphere,
    Octagon,
    Bumpy(Arc<MeshData>),
    /// With this spin law.
    Salad(Vec<Arc<MeshData>>, &'static str),
}

/// All of them.
pub(super) fn cases() -> Result<Vec<Case>, CliError> {
    let case = |name: &str, triangles: usize, counted: Option<f64>, kind: SceneKind| Case {
        name: name.to_owned(),
        triangles,
        counted,
        slides: matches!(kind, SceneKind::Octagon),
        kind,
    };
    let bumpy = mesh(What::BumpyCube, 0.3)?;
    let figures = [
        What::Mug,
        What::Gear,
        What::Jack,
        What::Knot,
        What::Star,
        What::Pear,
        What::Mushroom,
        What::Octopus,
        What::Duck,
        What::Bone,
    ];
    let salad = figures.into_iter().map(|what| mesh(what, 0.2)).collect::<Result<Vec<_>, _>>()?;
    let leaves = salad.iter().map(|m| m.triangles.len()).sum();
    let mut cases = vec![
        case("bumpy cube", bumpy.triangles.len(), None, SceneKind::Bumpy(bumpy)),
        case("salad", leaves, Some(1e-6), SceneKind::Salad(salad.clone(), "uniform")),
        case("salad, the paper's spin", leaves, Some(1e-6), SceneKind::Salad(salad, "corners")),
        case("rolling ball", 0, None, SceneKind::Sphere),
        case("sliding octagonal block", 28, Some(1e-15), SceneKind::Octagon),
    ];
    for stack in &STACKS {
        let boxes = stack.count + usize::from(stack.on_cube);
        cases.push(case(stack.name, 12 * boxes, Some(SAME), SceneKind::Stack(stack)));
    }
    Ok(cases)
}

impl Case {
    /// Its world with this kind of contact.
    pub(super) fn world(&self, contact: &str) -> Result<World, CliError> {
        match &self.kind {
            SceneKind::Bumpy(mesh) => bumpy(contact, mesh),
            SceneKind::Salad(meshes, spin) => salad(contact, meshes, spin),
            SceneKind::Stack(stack) => Ok(cubes(contact, stack)?),
            SceneKind::Octagon => Ok(octagonal(contact)?),
            SceneKind::Sphere => sphere(contact),
        }
    }
}

/// A ball that rolls.
fn sphere(contact: &str) -> Result<World, CliError> {
    Ok(world(&format!(
        r#"
version = 1
world = {{ dt = 0.01, contact = "{contact}" }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
body = [ {{ name = "plane", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "ball", shape = {{ sphere = 0.1 }}, at = [0, 0.0998, 0], velocity = [2, 0, 0], spin = [0, 0, -20] }} ]
"#
    ))?)
}

fn mesh(what: What, size: f64) -> Result<Arc<MeshData>, CliError> {
    let net = figure_mesh(what, size, None)?;
    let data =
        MeshData { positions: net.positions, triangles: net.triangles, ..MeshData::default() };
    Ok(Arc::new(data))
}

/// The cube slides; all its bumps are one contact, or one point each.
fn bumpy(contact: &str, mesh: &Arc<MeshData>) -> Result<World, CliError> {
    let contact = match contact {
        "wrench" => r#"{ model = "wrench", overlaps = "joined", patch = "reach" }"#,
        _ => r#""points""#,
    };
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = 0.005, contact = {contact} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.4 }} }}
body = [ {{ name = "plane", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }} ]
"#
    ))?;
    let mut desc = BodyDesc::new("cube", Shape::Mesh(mesh.clone()));
    desc.linear_velocity = DVec3::X;
    add(&mut world, desc)?;
    Ok(world)
}

/// Ten figures that fall into a box.
fn salad(contact: &str, meshes: &[Arc<MeshData>], spin: &str) -> Result<World, CliError> {
    let contact = match contact {
        "wrench" => format!(
            r#"{{ model = "wrench", target_depth = 2e-4, overlaps = "joined", metric = "mass", spin = "{spin}", patch = "reach" }}"#
        ),
        _ => r#""points""#.to_owned(),
    };
    let wall = |name: &str, size: [f64; 3], at: [f64; 3]| {
        format!(
            r#"{{ name = "{name}", kind = "fixed", shape = {{ box = {size:?} }}, at = {at:?} }}"#
        )
    };
    let walls = [
        wall("left", [0.1, 0.4, 0.8], [-0.3, 0.2, 0.0]),
        wall("right", [0.1, 0.4, 0.8], [0.3, 0.2, 0.0]),
        wall("back", [0.5, 0.4, 0.1], [0.0, 0.2, -0.3]),
        wall("front", [0.5, 0.4, 0.1], [0.0, 0.2, 0.3]),
    ];
    let mut world = world(&format!(
        r#"
version = 1
world = {{ dt = 0.005, contact = {contact}, solver = {{ tolerance = 1e-6, max_iterations = 100 }} }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.4 }} }}
body = [ {{ name = "floor", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }}, {} ]
"#,
        walls.join(", ")
    ))?;
    for (k, mesh) in meshes.iter().enumerate() {
        let mut desc = BodyDesc::new(format!("figure {k}"), Shape::Mesh(mesh.clone()));
        let side = |bit: usize| if k >> bit & 1 == 1 { 0.11 } else { -0.1 };
        let at = DVec3::new(side(0), 0.02 + 0.28 * (k / 4) as f64, side(1));
        desc.pose = DPose3::from_parts(at, DQuat::from_rotation_y(k as f64));
        let _: BodyId = add(&mut world, desc)?;
    }
    Ok(world)
}
