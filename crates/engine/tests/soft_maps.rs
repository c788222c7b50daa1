//! Friction from normal maps, and sections with torques, on cloth.

use asperity::World;
use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets};

const KINDS: [&str; 3] = ["implicit", "filter", "solver"];
const PLANE: &str = r#"kind = "fixed", shape = { half_space = [0, 1, 0] }"#;
const BOX: &str = r#"kind = "fixed", shape = { box = [2, 0.2, 2] }, at = [0, -0.1, 0]"#;
const FIELD: &str = r#"kind = "fixed", shape = { height_field = { heights = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], size = [2, 2] } }"#;
const CLOTH: &str = r#"{ name = "thing", at = [0, 0.002, 0], material = "upper", cloth = { size = [0.3, 0.3], cells = [6, 6], thickness = 0.002, self_contact = false } }"#;
const BLOCK: &str = r#"{ name = "thing", at = [0, 0.01, 0], material = "upper", shape = { box = [0.07, 0.02, 0.07] } }"#;
/// The whole contact of a block, and of a cloth what a vertex stands for: some 5 cm of either, or 10 teeth. Texels do not
/// repeat with the teeth.
const AREA: &str = r#"model = "ploughing", mu = 0.1, sampling = "area", resolution = 64"#;

/// What lies on what, and who has teeth.
#[derive(Clone, Copy)]
struct Setup<'a> {
    kind: &'a str,
    ground: &'a str,
    thing: &'a str,
    teeth: &'a str,
    section: &'a str,
}

const USUAL: Setup =
    Setup { kind: "implicit", ground: PLANE, thing: CLOTH, teeth: "lower", section: AREA };

impl Setup<'_> {
    /// A world whose gravity leans by `slope` degrees towards `towards`. Teeth are 5 mm long along
    /// u, with a slope of 1 for those who climb them, and of 0.2 for those who come back.
    fn world(&self, slope: f64, towards: DVec3) -> World {
        let Setup { kind, ground, thing, teeth, section } = self;
        let (s, c) = slope.to_radians().sin_cos();
        let gravity = ((towards * s - DVec3::Y * c) * 9.81).to_array();
        // The ground's grain is the body's own, the cloth's is a texture.
        let (smooth, toothed) = match *teeth {
            "lower" => ("upper", ", structure = [1, 0, 0]"),
            _ => ("lower", ""),
        };
        let text = format!(
            r#"
version = 1
world = {{ dt = 0.01, gravity = {gravity:?}, soft_contact = "{kind}", solver = {{ tolerance = 1e-7 }} }}
texture.teeth = {{ kind = "normal", size = [0.005, 0.005], generate = {{ sawtooth = {{ slopes = [1.0, 0.2], widths = [32, 32] }}, texels = [64, 8] }} }}
texture.grain = {{ kind = "structure", size = [1, 1], generate = {{ stripes = {{ count = 1, values = [[1, 0], [1, 0]] }} }} }}
material.{teeth} = {{ normal = "teeth"{toothed} }}
material.{smooth} = {{ structure = "grain" }}
pair.default = {{ section = {{ {section} }} }}
body = [ {{ name = "ground", material = "lower", {ground} }}, {thing} ]
"#
        );
        scene::load(&text, "maps.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}")).world
    }

    /// How far it goes along the ground in half a second.
    fn way(&self, slope: f64, towards: DVec3) -> f64 {
        let mut world = self.world(slope, towards);
        let start = place(&world);
        for _ in 0..50 {
            let report = world.step();
            assert_eq!((&report.soft_error, &report.sampler_error), (&None, &None));
            assert!(report.frozen.is_empty(), "{:?}", report.frozen);
            assert!(report.patches > 0);
        }
        (place(&world) - start).with_y(0.0).length()
    }

    /// It holds half a degree below `limit`, and slides half a degree above.
    fn assert_lets_go_at(&self, limit: f64, towards: DVec3) {
        let [below, above] = [-0.5, 0.5].map(|more| self.way(limit + more, towards));
        let what = format!("{}, to {towards} at {limit:.2} degrees", self.kind);
        assert!(below < 1e-4, "{what}: holds, but went {below:e} m");
        // Half a degree more is an acceleration of 8 cm/s²: 1 cm in half a second.
        assert!(above > 5e-3, "{what}: slides, but went {above:e} m");
    }
}

/// Where the thing is.
fn place(world: &World) -> DVec3 {
    let soft = world.softs().iter().filter(|s| s.name == "thing").map(|s| s.body.centre());
    let rigid = world.bodies().iter().filter(|b| b.name == "thing").map(|b| b.pose.translation);
    soft.chain(rigid).next().expect("a thing")
}

/// The slope from which on a block slides, degrees.
fn block_lets_go(towards: DVec3) -> f64 {
    let block = Setup { thing: BLOCK, ..USUAL };
    let (mut low, mut high) = (0.0, 45.0);
    while high - low > 0.01 {
        let middle = 0.5 * (low + high);
        *(if block.way(middle, towards) > 1e-4 { &mut high } else { &mut low }) = middle;
    }
    high
}

/// Up the steep sides, up the flat ones, and along the grooves.
const WAYS: [DVec3; 3] = [DVec3::X, DVec3::NEG_X, DVec3::Z];

#[test]
fn cloth_lets_go_of_teeth_where_a_block_does() {
    for (towards, slope) in WAYS.into_iter().zip([1.0, 0.2, 0.0]) {
        let limit = block_lets_go(towards);
        // Half of the facets resist (Andrews 2021, Eqs. 6 to 8).
        let closed = (0.1 + std::f64::consts::FRAC_2_PI * 0.5 * slope).atan().to_degrees();
        assert!((limit - closed).abs() < 0.2, "{towards}: {limit}, but {closed} by hand");
        for kind in KINDS {
            Setup { kind, ..USUAL }.assert_lets_go_at(limit, towards);
        }
    }
}

#[test]
fn teeth_of_the_cloth_act_as_those_of_the_ground_the_other_way() {
    for kind in KINDS {
        let own = Setup { kind, teeth: "upper", ..USUAL };
        own.assert_lets_go_at(block_lets_go(DVec3::X), DVec3::NEG_X);
        own.assert_lets_go_at(block_lets_go(DVec3::NEG_X), DVec3::X);
    }
}

#[test]
fn windows_about_vertices_and_boxes_of_coefficients_do_the_same() {
    // With a box there is nothing to lose between directions, if it lies along the grooves.
    for section in [
        r#"model = "ploughing", mu = 0.1, width = 0.05, resolution = 64"#,
        r#"model = "ploughing", mu = 0.1, width = 0.05, resolution = 64, limit = "box", align = "slip""#,
    ] {
        for towards in WAYS {
            Setup { section, ..USUAL }.assert_lets_go_at(block_lets_go(towards), towards);
        }
    }
}

#[test]
fn every_shape_shows_its_teeth() {
    let limit = block_lets_go(DVec3::X);
    for ground in [BOX, FIELD] {
        for kind in ["implicit", "solver"] {
            Setup { kind, ground, ..USUAL }.assert_lets_go_at(limit, DVec3::X);
        }
    }
}

#[test]
fn a_mesh_that_moves_fast_is_looked_at_where_it_is() {
    // In half a step it goes further than a window is deep.
    let ground = r#"kind = "kinematic", keyframes = [{ time = 0, at = [0, 0, 0] }, { time = 10, at = [0, 100, 0] }], shape = { height_field = { heights = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], size = [2, 2] } }"#;
    let thing = CLOTH.replace("material", "velocity = [0, 10, 0], material");
    for kind in ["implicit", "solver"] {
        let moving = Setup { kind, ground, thing: &thing, ..USUAL };
        moving.assert_lets_go_at(block_lets_go(DVec3::X), DVec3::X);
    }
}

#[test]
fn cloth_on_cloth_looks_at_both() {
    // A sheet that is held everywhere is the ground of another.
    let held = r#"{ name = "held", at = [0, 0, 0], material = "lower", cloth = { size = [0.3, 0.3], cells = [5, 5], thickness = 0.002, self_contact = false, pins = [{ min = [-1, -1, -1], max = [1, 1, 1] }] } }"#;
    let ground = r#"kind = "fixed", shape = { half_space = [0, 1, 0] }, at = [0, -1, 0]"#;
    let small =
        CLOTH.replace("size = [0.3, 0.3], cells = [6, 6]", "size = [0.15, 0.15], cells = [3, 3]");
    let thing = format!("{held}, {small}");
    for towards in [DVec3::X, DVec3::Z] {
        let both = Setup { kind: "solver", ground, thing: &thing, ..USUAL };
        both.assert_lets_go_at(block_lets_go(towards), towards);
    }
}

#[test]
fn patches_have_the_same_bits_on_any_number_of_threads() {
    for kind in KINDS {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = Setup { kind, ..USUAL }.world(20.0, DVec3::NEG_X);
                for _ in 0..20 {
                    world.step();
                }
                world.state_hash()
            })
        };
        assert_eq!(run(1), run(4), "{kind}");
    }
}

/// Where everything is after half a second of sliding.
fn slid(kind: &str, section: &str) -> Vec<DVec3> {
    let mut world = Setup { kind, section, ..USUAL }.world(30.0, DVec3::new(0.6, 0.0, 0.8));
    for _ in 0..50 {
        assert_eq!(world.step().soft_error, None);
    }
    world.softs()[0].body.positions.clone()
}

#[test]
fn a_section_with_torques_acts_as_its_cut_without() {
    let plain = r#"model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 0.5"#;
    let drilling = format!("{plain}, drilling = [0.01, 0.02]");
    for kind in KINDS {
        let cut = slid(kind, plain);
        assert!(cut == slid(kind, &drilling), "{kind}");
        let other = r#"model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 0.4"#;
        assert!(cut != slid(kind, other), "{kind}: the coefficients do not matter");
    }
}

#[test]
fn anisotropic_cones_hold_and_slide_as_they_should() {
    // Grains along each other: 0.1 along, 0.5 across (Erleben 2020, Eqs. 10 and 11).
    let section = r#"model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 0.5"#;
    for kind in KINDS {
        for (towards, mu) in [(DVec3::X, 0.1_f64), (DVec3::Z, 0.5)] {
            let limit = mu.atan().to_degrees();
            let way = |slope: f64| {
                let mut world = Setup { kind, section, ..USUAL }.world(slope, towards);
                let start = place(&world);
                for _ in 0..50 {
                    assert_eq!(world.step().soft_error, None);
                }
                place(&world).distance(start)
            };
            let (below, above) = (way(limit - 0.2), way(limit + 0.2));
            assert!(below < 1e-5 && above > 3e-3, "{kind} {towards}: {below:e} {above:e}");
        }
    }
}

#[test]
fn pairs_that_remember_or_touch_by_wrench_are_refused_with_advice() {
    for (key, what, advice) in [
        ("memory = \"lugre\"", "remember", "memory = \"none\""),
        ("contact = \"wrench\"", "wrench", "contact = \"points\""),
    ] {
        let text = format!(
            r#"
version = 1
material.felt = {{}}
material.wood = {{}}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
pair.odd = {{ between = ["felt", "wood"], section = {{ model = "coulomb", mu = 0.5 }}, {key} }}
body = [ {{ name = "table", kind = "fixed", material = "wood", shape = {{ box = [1, 1, 1] }} }},
         {{ name = "sheet", at = [0, 1, 0], material = "felt", cloth = {{ size = [1, 1], cells = [2, 2] }} }} ]
"#
        );
        let error = scene::load(&text, "odd.toml", &NoAssets).expect_err("refused").to_string();
        assert!(error.contains("odd.toml:8"), "{error}");
        for part in ["\"wood\" and \"felt\"", what, advice] {
            assert!(error.contains(part), "{error}");
        }
    }
}
