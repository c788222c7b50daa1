//! Patches whose friction is not the same in all directions: whole bodies in the engine against the
//! equations of motion in the plane, with the friction of 900 cells summed one by one.

use asperity::World;
use asperity::friction::set::{Polygon, Set};
use asperity::glamx::{DVec2, DVec3};
use asperity_scene::{self as scene, NoAssets};

use crate::Check;
use crate::Group;
use crate::VerifyError;
use crate::setup::built;

pub(crate) fn groups(groups: &mut Vec<Group>) {
    groups.push(("a plate that slides and spins on anisotropic floors", Box::new(plates)));
    groups.push(("what a patch cannot be", Box::new(|| Ok(refused()))));
}

/// Name, materials, section.
const FLOORS: [[&str; 3]; 4] = [
    [
        "matchstick",
        "material.floor = { density = 1000, structure = [1, 0, 0] }\nmaterial.plate = { density = 1000 }",
        "{ model = \"matchstick\", mu = 0.3, mu_t = 0.15, mu_b = 0.45 }",
    ],
    [
        "tensor, associated",
        "material.floor = { density = 1000, tensor = [[0.2, 0.1], [-0.1, 0.4]] }\nmaterial.plate = { density = 1000, mu = 0 }",
        "{ model = \"tensor\", kappa = 1, associated = true }",
    ],
    [
        "ploughing, box",
        PLOUGHED,
        "{ model = \"ploughing\", mu = 0.1, sampling = \"area\", resolution = 128, limit = \"box\", align = [1, 0, 0] }",
    ],
    [
        "ploughing, polygon",
        PLOUGHED,
        "{ model = \"ploughing\", mu = 0.1, sampling = \"area\", resolution = 128, directions = 12, align = [1, 0, 0] }",
    ],
];
const PLOUGHED: &str = "texture.teeth = { kind = \"normal\", size = [0.005, 0.005], generate = { sawtooth = { slopes = [0.5, 0.1], widths = [16, 16] }, texels = [32, 4] } }\n\
    texture.smooth = { kind = \"normal\", size = [0.1, 0.1], generate = { rough = { ra = 0 }, texels = [4, 4] } }\n\
    material.floor = { density = 1000, normal = \"teeth\", mask = 1 }\nmaterial.plate = { density = 1000, normal = \"smooth\", mask = 1 }";

/// The plate: sides along x and z, metres, and its first motion.
const SIDES: [f64; 2] = [0.1, 0.06];
const VELOCITY: [f64; 2] = [0.5, 0.8];
const SPIN: f64 = 15.0;
const G: f64 = 9.81;

fn plates() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for [name, materials, section] in FLOORS {
        let mut world = load(materials, section, "extent = \"spin\"")?;
        world.step();
        let Some(block) = world.patch_blocks().first() else {
            return Err(VerifyError::new(format!("{name}: the plate has no patch")));
        };
        let section: Set = match &block.law.set {
            Set::LimitSurface(s) => s.section().into(),
            Set::LimitPolytope(s) => Polygon::from_points(s.corners())?.into(),
            other => return Err(VerifyError::new(format!("{name}: a set {}", other.name()))),
        };
        let (t, b, n) = (block.frame.t, block.frame.b, block.frame.normal);
        let plane = |v: DVec3| DVec2::new(v.dot(t), v.dot(b));
        let sides = [DVec3::X * SIDES[0], DVec3::Z * SIDES[1]].map(plane);
        let first = plane(DVec3::new(VELOCITY[0], 0.0, VELOCITY[1]));
        let wanted = integrate(&section, sides, first.extend(SPIN * n.y));
        let mut angle = turned(&world);
        let mut last = angle;
        for _ in 0..600 {
            world.step();
            let now = turned(&world);
            angle += (now - last + 540.0).rem_euclid(360.0) - 180.0;
            last = now;
            // At rest, but for what the solver's tolerance leaves.
            if world.bodies().last().is_some_and(|body| body.linear_velocity.length() < 1e-6) {
                break;
            }
        }
        let found = world.bodies().last().map_or(DVec3::ZERO, |body| body.pose.translation);
        let apart = plane(found).distance(wanted.truncate()) / wanted.truncate().length();
        checks.push(Check::below(&format!("{name}: place of rest"), 1e-2, apart, "of its way"));
        let degrees = wanted.z.to_degrees() * n.y;
        checks.push(Check::relative(
            &format!("{name}: angle at rest"),
            degrees,
            angle,
            1e-2,
            "deg",
        ));
    }
    Ok(checks)
}

fn load(materials: &str, section: &str, patch: &str) -> Result<World, VerifyError> {
    let text = format!(
        "version = 1\nworld = {{ dt = 0.005, duration = 3 }}\n{materials}\n\
         pair.default = {{ section = {section}, {patch} }}\n\
         body = [\n  {{ name = \"floor\", kind = \"fixed\", shape = {{ box = [8, 0.2, 8] }}, at = [0, -0.1, 0], material = \"floor\" }},\n  \
         {{ name = \"plate\", shape = {{ box = [{}, 0.0004, {}] }}, at = [0, 0.0002, 0], velocity = [{}, 0, {}], spin = [0, {SPIN}, 0], material = \"plate\" }},\n]\n",
        SIDES[0], SIDES[1], VELOCITY[0], VELOCITY[1]
    );
    Ok(built(scene::load(&text, "a scene made here", &NoAssets))?.world)
}

/// About y, degrees.
fn turned(world: &World) -> f64 {
    let x = world.bodies().last().map_or(DVec3::X, |body| body.pose.rotation * DVec3::X);
    (-x.z).atan2(x.x).to_degrees()
}

/// Cells along a side.
const CELLS: usize = 30;

/// Where the plate comes to rest, and by how much it turned, by the midpoint rule.
fn integrate(section: &Set, sides: [DVec2; 2], first: DVec3) -> DVec3 {
    let inertia = (sides[0].length_squared() + sides[1].length_squared()) / 12.0;
    let part = |k: usize| (k as f64 + 0.5) / CELLS as f64 - 0.5;
    let cells: Vec<DVec2> = (0..CELLS * CELLS)
        .map(|k| sides[0] * part(k % CELLS) + sides[1] * part(k / CELLS))
        .collect();
    let rate = |v: DVec3, angle: f64| {
        let turn = DVec2::from_angle(angle);
        let mut sum = DVec3::ZERO;
        for cell in &cells {
            let at = turn.rotate(*cell);
            let mut f = [0.0; 2];
            section.traction(&(v.truncate() + at.perp() * v.z).to_array(), G, &mut f);
            let f = DVec2::from_array(f);
            sum += f.extend(at.perp_dot(f) / inertia);
        }
        sum / cells.len() as f64
    };
    let (mut v, mut pose, dt) = (first, DVec3::ZERO, 4e-4);
    let size = inertia.sqrt();
    for _ in 0..20_000 {
        if v.truncate().length() + size * v.z.abs() < 1e-3 {
            break;
        }
        let half = v + rate(v, pose.z) * (0.5 * dt);
        let middle = pose.z + 0.5 * dt * v.z;
        pose += half * dt;
        v += rate(half, middle) * dt;
    }
    pose
}

/// Sections without a limit surface are refused by name, with what to do.
fn refused() -> Vec<Check> {
    let tensor = "material.floor = { density = 1000, tensor = [[0.2, 0], [0, 0.4]] }\nmaterial.plate = { density = 1000, mu = 0.1 }";
    let grain = FLOORS[0][1];
    let cases = [
        ("a friction tensor", tensor, "{ model = \"tensor\" }", "associated = true"),
        (
            "a matchstick with drilling",
            grain,
            "{ model = \"matchstick\", mu = 0.3, mu_t = 0.1, mu_b = 0.4, drilling = [0.01, 0.01] }",
            "drilling",
        ),
    ];
    let check = |(what, materials, section, word): (&str, &str, &str, &str)| {
        let message = load(materials, section, "extent = \"spin\"").err().map(|e| e.to_string());
        let named = message.is_some_and(|m| m.contains("limit surface") && m.contains(word));
        Check::fact(
            &format!("{what} with the extent \"spin\""),
            "refused",
            if named { "refused" } else { "taken" },
        )
    };
    cases.into_iter().map(check).collect()
}
