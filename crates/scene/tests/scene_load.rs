//! Good scenes load, and mean what they say.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_1_SQRT_2;

use asperity::body::BodyKind;
use asperity::geometry::shape::Shape;
use asperity::geometry::structure::StructureField;
use asperity::glamx::{DQuat, DVec3};
use asperity_scene::{self as scene, Assets, NoAssets, Scene};

/// Files in memory.
struct Files(BTreeMap<&'static str, Vec<u8>>);

impl Assets for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.get(path).cloned().ok_or_else(|| "no such file".to_owned())
    }
}

fn load(text: &str) -> Scene {
    let text = format!("version = 1\n{text}");
    scene::load(&text, "test.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"))
}

const PAIR: &str = "pair.default = { section = { model = \"coulomb\", mu = 0.5 } }\n";

fn body<'a>(scene: &'a Scene, name: &str) -> &'a asperity::world::Body {
    let id = scene.world.find(name).unwrap_or_else(|| panic!("no body {name}"));
    &scene.world.bodies()[id.0]
}

fn close(a: DVec3, b: DVec3) -> bool {
    a.abs_diff_eq(b, 1e-12)
}

#[test]
fn an_empty_scene_is_an_empty_world() {
    let scene = load("");
    assert_eq!(scene.world.bodies().len(), 0);
    assert_eq!(scene.world.settings.gravity, DVec3::new(0.0, -9.81, 0.0));
    assert_eq!(scene.duration, 5.0);
}

#[test]
fn the_world_table_sets_the_settings() {
    let scene = load(
        r#"world = { up = "z", gravity = 1.62, dt = 0.002, duration = 3, margin = 0.001, slop = 1e-6,
                     restitution_speed = 0.1, contact = "points",
                     solver = { method = "pgs", tolerance = 1e-6, max_iterations = 500 } }"#,
    );
    let settings = &scene.world.settings;
    assert_eq!(settings.gravity, DVec3::new(0.0, 0.0, -1.62));
    assert_eq!((settings.dt, scene.duration), (0.002, 3.0));
    assert_eq!((settings.margin, settings.slop), (Some(0.001), Some(1e-6)));
    assert_eq!(settings.restitution_speed, Some(0.1));
    assert_eq!(settings.method.name(), "pgs");
    assert_eq!((settings.solver.tolerance, settings.solver.max_iterations), (1e-6, 500));
}

/// What a solver makes of the sets of a scene is told when it loads, with line and column.
#[test]
fn sets_that_the_solver_replaces_are_told() {
    let scene = |method: &str, pair: &str| {
        let text = format!(
            "world = {{ solver = {{ method = \"{method}\" }} }}\n\
             material.any = {{ density = 1 }}\npair.default = {{ {pair} }}\n\
             body = [ {{ name = \"a\", shape = {{ box = [1, 1, 1] }}, material = \"any\" }},\n\
             {{ name = \"b\", shape = {{ box = [1, 1, 1] }}, at = [0, 2, 0], material = \"any\" }} ]\n"
        );
        load(&text).warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let coulomb = "section = { model = \"coulomb\", mu = 0.5 }";
    let spin = "section = { model = \"coulomb\", mu = 0.5 }, extent = \"spin\"";
    assert!(scene("prox", coulomb).is_empty() && scene("prox", spin).is_empty());
    for (pair, set) in [(coulomb, "\"disk\""), (spin, "\"limit_surface\"")] {
        let [told] = &scene("pgs", pair)[..] else { panic!("{:?}", scene("pgs", pair)) };
        for part in [":2:", "pgs", "\"any\"", set, "the box around", "auto"] {
            assert!(told.contains(part), "{told}");
        }
    }
}

#[test]
fn gravity_may_be_a_vector() {
    let scene = load("[world]\ngravity = [1, 2, 3]\n");
    assert_eq!(scene.world.settings.gravity, DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn the_design_example_loads_without_what_is_not_there_yet() {
    let scene = load(
        r#"
world   = { up = "y", gravity = [0, -9.81, 0], dt = 0.005, duration = 4, contact = "points", solver = { method = "prox", tolerance = 1e-9 } }
texture.grain = { kind = "structure", generate = { rotate = { turns = 0.5 } }, size = [0.5, 0.5], wrap = "repeat" }
material.oak  = { density = 700, structure = "grain" }
material.rasp = { density = 2700, structure = [1, 0, 0], tensor = [[0.5, 0], [0, 0.1]] }
pair.default  = { section = { model = "coulomb", mu = 0.5 }, extent = "point", memory = "none" }
pair.wood     = { between = ["oak", "rasp"], section = { model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 3 } }
body  = [ { name = "ramp",  kind = "fixed", shape = { box = [4, 0.1, 1] }, rotate = { axis = "z", deg = -20 }, material = "rasp" },
          { name = "block", shape = { box = [0.2, 0.2, 0.2] }, at = [0, 0.2, 0], material = "oak" } ]
joint = [ { kind = "distance", a = "block", b = "ramp", length = { cosine = [0.5, 0.1, 2.0] } } ]
drive = [ { body = "block", impulse = [1, 0, 0], at = 1.0 } ]
probe = [ { name = "slide", of = "block.position", along = [1, 0, 0] } ]
expect = [ { probe = "slide", time = 4, between = [0.9, 1.1], source = "matchstick paper, Fig. 7" } ]
"#,
    );
    assert!((body(&scene, "block").mass - 700.0 * 0.008).abs() < 1e-12);
    assert_eq!(scene.expectations[0].source.as_deref(), Some("matchstick paper, Fig. 7"));
    let pairing = scene.world.pairing();
    let [a, b] =
        ["oak", "rasp"].map(|name| pairing.surfaces().iter().position(|s| s.name == name).unwrap());
    assert_eq!(pairing.pair(a, b).unwrap().section.name(), "matchstick");
    assert_eq!(pairing.pair(a, a).unwrap().section.name(), "coulomb");
}

#[test]
fn every_shape_loads() {
    let shapes = [
        "box = [1, 2, 3]",
        "sphere = 0.5",
        "capsule = [0.2, 1]",
        "cylinder = [0.2, 1]",
        "cone = [0.2, 1]",
        "hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "compound = [{ shape = { sphere = 0.5 } }, { shape = { box = [1, 1, 1] }, at = [2, 0, 0], rotate = { axis = \"y\", deg = 45 } }]",
    ];
    for shape in shapes {
        let scene = load(&format!("{PAIR}body = [{{ name = \"a\", shape = {{ {shape} }} }}]"));
        assert!(body(&scene, "a").mass > 0.0, "{shape}");
    }
    for shape in [
        "half_space = [0, 2, 0]",
        "height_field = { size = [4, 2], heights = [[0, 1, 0], [1, 0, 1]] }",
        "height_field = { size = [4, 4], waves = { amplitude = 0.1, lengths = [1, 0], points = [17, 9] } }",
    ] {
        load(&format!(
            "{PAIR}body = [{{ name = \"a\", kind = \"fixed\", shape = {{ {shape} }} }}]"
        ));
    }
}

#[test]
fn sizes_are_full_sizes() {
    let scene = load(&format!(
        "{PAIR}body = [{{ name = \"a\", shape = {{ box = [1, 2, 3] }}, density = 10 }},
                       {{ name = \"b\", shape = {{ cylinder = [0.5, 4] }}, mass = 3, at = [9, 0, 0] }}]"
    ));
    assert!((body(&scene, "a").mass - 60.0).abs() < 1e-12);
    assert!((body(&scene, "b").mass - 3.0).abs() < 1e-12);
    let Some(Shape::Cylinder { half_height, radius }) = body(&scene, "b").shape() else { panic!() };
    assert_eq!((*half_height, *radius), (2.0, 0.5));
}

#[test]
fn meshes_come_from_the_assets() {
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n".to_vec();
    let files = Files(BTreeMap::from([("meshes/corner.obj", obj)]));
    let text = format!(
        "version = 1\n{PAIR}
        [[body]]\nname = \"mesh\"\nkind = \"fixed\"\nshape = {{ mesh = \"meshes/corner.obj\", scale = 2 }}
        [[body]]\nname = \"hull\"\nshape = {{ convex_mesh = \"meshes/corner.obj\", scale = [1, 2, 3] }}\nat = [9, 9, 9]\n"
    );
    let scene = scene::load(&text, "s", &files).unwrap_or_else(|e| panic!("{e}"));
    assert!((body(&scene, "hull").mass - 1000.0).abs() < 1e-9);
    let Some(Shape::Mesh(mesh)) = body(&scene, "mesh").shape() else { panic!() };
    assert!(mesh.positions.contains(&DVec3::new(2.0, 0.0, 0.0)));
}

#[test]
fn bodies_have_places_turns_and_velocities() {
    let scene = load(&format!(
        r#"{PAIR}
[[body]]
name = "a"
shape = {{ sphere = 1 }}
at = [1, 2, 3]
rotate = {{ axis = "z", deg = 90 }}
velocity = [4, 5, 6]
spin = [0, 0, 1]
group = 3
gravity_scale = 0.5
[[body]]
name = "b"
shape = {{ sphere = 1 }}
rotate = [0, 0, 1, 1]
[[body]]
name = "c"
shape = {{ sphere = 1 }}
rotate = [{{ axis = "x", deg = 90 }}, {{ axis = [0, 0, 2], rad = 1.5707963267948966 }}]
[[body]]
name = "probe"
mass = 2
inertia = [1, 1, 1]
centre = [0, 0.1, 0]
[[body]]
name = "moved"
kind = "kinematic"
shape = {{ box = [1, 1, 1] }}
at = [0, 5, 0]
keyframes = [{{ time = 0 }}, {{ time = 1, at = [1, 5, 0], rotate = {{ axis = "y", deg = 10 }} }}]
"#
    ));
    let a = body(&scene, "a");
    assert_eq!(a.pose.translation, DVec3::new(1.0, 2.0, 3.0));
    assert!(close(a.pose.rotation * DVec3::X, DVec3::Y));
    assert_eq!((a.linear_velocity, a.angular_velocity), (DVec3::new(4.0, 5.0, 6.0), DVec3::Z));
    assert!(close(body(&scene, "b").pose.rotation * DVec3::X, DVec3::Y));
    // First about x: y goes to z; then about z, which leaves it there.
    assert!(close(body(&scene, "c").pose.rotation * DVec3::Y, DVec3::Z));
    assert_eq!(body(&scene, "probe").mass, 2.0);
    assert_eq!(body(&scene, "moved").kind, BodyKind::Kinematic);
}

#[test]
fn a_grain_can_be_a_direction_or_a_field() {
    let scene = load(&format!(
        r#"{PAIR}
material.straight = {{ structure = [0, 0, 2] }}
material.disc = {{ structure = {{ radial = {{ centre = [1, 0, 0], axis = [0, 1, 0] }} }} }}
material.rings = {{ structure = {{ concentric = {{}} }} }}
material.snail = {{ structure = {{ spiral = {{ deg = 45 }} }} }}
material.formula = {{ structure = {{ expression = ["-z", "0", "x"] }} }}
body = [ {{ name = "straight", shape = {{ sphere = 1 }}, material = "straight" }},
         {{ name = "disc", shape = {{ sphere = 1 }}, material = "disc" }},
         {{ name = "rings", shape = {{ sphere = 1 }}, material = "rings" }},
         {{ name = "snail", shape = {{ sphere = 1 }}, material = "snail" }},
         {{ name = "formula", shape = {{ sphere = 1 }}, material = "formula" }},
         {{ name = "own", shape = {{ sphere = 1 }}, material = "disc", structure = [1, 0, 0] }} ]
"#
    ));
    let at = |name: &str, point: DVec3| match body(&scene, name).structure() {
        StructureField::Constant(direction) => *direction,
        StructureField::Procedural(field) => field(point),
        other => panic!("{other:?}"),
    };
    let p = DVec3::new(2.0, 3.0, 0.0);
    assert_eq!(at("straight", p), DVec3::Z);
    assert!(close(at("disc", p), DVec3::X));
    assert!(close(at("rings", p).abs(), DVec3::Z));
    assert!(close(at("snail", p).abs(), DVec3::new(FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2)));
    assert_eq!(at("formula", p), DVec3::new(0.0, 0.0, 2.0));
    assert_eq!(at("own", p), DVec3::X);
}

#[test]
fn every_section_and_texture_loads() {
    let scene = load(
        r#"
texture.stripes = { kind = "structure", generate = { stripes = { count = 4, values = [[1, 0], [0, 1]] }, texels = [32, 1] }, size = [1, 1], wrap = "clamp", flip_green = true }
texture.worn = { kind = "tensor", generate = { constant = [1, 1, 1, 0.5] }, size = [1, 1] }
material.a = { mu = 0.4, structure = "stripes" }
material.b = { mu = 0.6, tensor = { positive = [[0.5, 0], [0, 0.1]], negative = [[0.2, 0], [0, 0.1]] } }
material.c = { tensor = { positive = [[0.5, 0], [0, 0.1]], map = "worn" }, restitution = 0.5, linear_damping = 0.1, angular_damping = 0.2 }
pair.default = { combine = "average" }
pair.ab = { between = ["a", "b"], section = { model = "coulomb", mu = 0.3, static_mu = 0.5, stribeck_speed = 0.01, reference_load = 10, load_exponent = -0.333 } }
pair.ac = { between = ["a", "c"], section = { model = "matchstick", mu = 0.3, mu_t = 0.1, mu_b = 0.7, drilling = [0.01, 0.02], zero_structure = "isotropic" } }
pair.bc = { between = ["b", "c"], section = { model = "tensor", composition = "additive", kappa = 0.7 }, speed = { static = 1.5, stribeck_speed = 0.1 } }
pair.bb = { between = ["b", "b"], section = { model = "tensor", composition = "minimum" } }
pair.cc = { between = ["c", "c"], section = { model = "tensor", composition = "multiplicative" } }
"#,
    );
    let pairing = scene.world.pairing();
    let names: Vec<&str> = pairing.surfaces().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let section = |a: usize, b: usize| pairing.pair(a, b).unwrap().section.name();
    assert_eq!([section(0, 1), section(2, 0), section(1, 2)], ["coulomb", "matchstick", "tensor"]);
    assert_eq!(
        pairing.pair(0, 0).unwrap().origin.to_string(),
        "average of the materials' own: mu = 0.4"
    );
}

#[test]
fn pairs_that_cannot_touch_need_no_friction() {
    // Two fixed bodies, and one alone.
    let one = |name: &str, more: &str| {
        format!("[[body]]\nname = \"{name}\"\nshape = {{ sphere = 1 }}\n{more}\n")
    };
    load(&(one("a", "kind = \"fixed\"") + &one("b", "kind = \"fixed\"")));
    load(&one("alone", ""));
}

#[test]
fn joints_of_every_kind_load() {
    let scene = load(&format!(
        r#"{PAIR}
body = [ {{ name = "a", shape = {{ box = [1, 1, 1] }}, at = [0, 3, 0], rotate = {{ axis = "y", deg = 30 }} }},
         {{ name = "b", shape = {{ box = [1, 1, 1] }}, at = [2, 3, 0] }} ]
joint = [ {{ kind = "ball", a = "a", b = "b", at = [1, 3, 0] }},
          {{ kind = "hinge", a = "a", b = "b", at = [1, 3, 0], axis = [0, 0, 1], limits = [-90, 45], motor = {{ velocity = 2, max_force = 10 }} }},
          {{ kind = "slider", b = "b", axis = [1, 0, 0], limits = [-1, 1], motor = {{ position = {{ table = [[0, 0], [1, 0.5]] }}, stiffness = 100, damping = 5 }} }},
          {{ kind = "fixed", a = "a", b = "b", name = "weld", collide = true }},
          {{ kind = "distance", a = "a", b = "b", point_a = [0.5, 0, 0] }},
          {{ kind = "distance", b = "b", point_a = [0, 9, 0], length = {{ cosine = [6, 1, 0.5] }} }} ]
drive = [ {{ body = "a", force = [1, 0, 0], torque = [0, 1, 0], point = [0, 0.5, 0], from = 1, until = 2 }},
          {{ body = "a", impulse = [1, 0, 0] }},
          {{ body = "b", spring = {{ target = [0, 5, 0], stiffness = 100, damping = 1, max_force = 50 }} }},
          {{ body = "b", spring = {{ target = [[0, 0, 5, 0], [1, 1, 5, 0]], stiffness = 100 }}, point = [0, 0.5, 0] }} ]
"#
    ));
    assert_eq!(scene.world.bodies().len(), 2);
}

#[test]
fn probes_read_the_world() {
    let scene = load(&format!(
        r#"{PAIR}
body = [ {{ name = "a.b", shape = {{ box = [1, 1, 1] }}, at = [1, 2, 3], velocity = [3, 4, 0], spin = [0, 0, 2], rotate = {{ axis = "x", deg = 20 }} }} ]
probe = [ {{ name = "x", of = "a.b.position", component = "x" }},
          {{ name = "diagonal", of = "a.b.position", along = [0, 3, 4] }},
          {{ name = "distance", of = "a.b.displacement", component = "length" }},
          {{ name = "speed", of = "a.b.speed" }},
          {{ name = "vy", of = "a.b.velocity", component = "y" }},
          {{ name = "spin", of = "a.b.spin", component = "z" }},
          {{ name = "turn", of = "a.b.rotation", component = "x" }},
          {{ name = "force", of = "a.b.contact_force", component = "y" }},
          {{ name = "own", of = "a.b.energy" }},
          {{ name = "all", of = "world.energy" }},
          {{ name = "contacts", of = "world.contacts" }},
          {{ name = "residual", of = "world.residual" }},
          {{ name = "depth", of = "world.penetration" }} ]
"#
    ));
    let value =
        |name: &str| scene.probes.iter().find(|p| p.name == name).unwrap().value(&scene.world);
    let near = |name: &str, expected: f64| {
        assert!((value(name) - expected).abs() < 1e-9, "{name} is {}", value(name));
    };
    near("x", 1.0);
    near("diagonal", (6.0 + 12.0) / 5.0);
    near("distance", 0.0);
    near("speed", 5.0);
    near("vy", 4.0);
    near("spin", 2.0);
    near("turn", 0.0);
    near("force", 0.0);
    near("own", 0.5 * 1000.0 * 25.0 + 0.5 * 4.0 * 1000.0 / 6.0 + 1000.0 * 9.81 * 2.0);
    assert_eq!(value("own"), value("all"));
    near("contacts", 0.0);
}

#[test]
fn comments_and_both_ways_of_writing_tables_are_fine() {
    let scene = load(
        "# a comment\n[pair.default]\nsection.model = \"coulomb\"\nsection.mu = 0.5\n[[body]]\nname = \"é\"\nshape.sphere = 1\n",
    );
    assert_eq!(body(&scene, "é").pose.rotation, DQuat::IDENTITY);
}

#[test]
fn the_starter_loads_whatever_its_name() {
    for name in ["first", "", "a \"quoted\" \\ name\n", "naïve"] {
        let text = scene::starter(name);
        let scene = scene::load(&text, "starter.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((scene.probes.len(), scene.expectations.len()), (1, 1));
    }
}

#[test]
fn a_texture_without_size_is_assumed_to_cover_a_metre_and_told() {
    let texture = "texture.t = { kind = \"tensor\", generate = { constant = [1, 1, 1, 1] }";
    let scene = load(&format!("{texture} }}\n"));
    let [warning] = &scene.warnings[..] else { panic!("{:?}", scene.warnings) };
    assert!(warning.message.contains("[texture.t] has no \"size\""), "{warning}");
    assert!(warning.message.contains("1 m x 1 m"), "{warning}");
    assert!(load(&format!("{texture}, size = [2, 2] }}\n")).warnings.is_empty());
}
