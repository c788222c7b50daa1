//! The same scene in other units of length, time and mass: the same bits, where the units are powers of two.

mod units;

use asperity_scene as scene;
use units::{COULOMB, ONE, Units, check, check_within, number};

#[test]
fn a_tower_falls_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            for k in 0..6 {
                let k = f64::from(k);
                let at = [0.02 * k, 0.06 + 0.11 * k, 0.01 * k];
                text += &u.pushed(&format!("b{k}"), &u.cuboid([0.1, 0.1, 0.1]), at, 1.0 + k);
            }
            let speed = u.speeds([3.0, 0.0, 0.0]);
            text += &u.pushed("hit", &format!("sphere = {}", u.l(0.05)), [-0.5, 0.3, 0.0], 2.0);
            text += &format!("velocity = [{speed}]\n");
            text
        },
        120,
    );
}

#[test]
fn round_things_roll_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            let shapes = [
                format!("capsule = [{}]", u.lengths([0.05, 0.1])),
                format!("cylinder = [{}]", u.lengths([0.06, 0.1])),
                format!("cone = [{}]", u.lengths([0.06, 0.1])),
                format!("sphere = {}", u.l(0.06)),
                u.cuboid([0.02, 0.1, 0.06]),
            ];
            for (k, shape) in shapes.iter().cycle().take(12).enumerate() {
                let at = [0.03 * (k % 3) as f64, 0.12 + 0.15 * k as f64, 0.02 * (k % 4) as f64];
                text += &u.pushed(&format!("b{k}"), shape, at, 0.5 + k as f64);
                text += &format!("rotate = {{ axis = [1, 0.3, 0.5], deg = {} }}\n", 37 * k);
            }
            text
        },
        150,
    );
}

#[test]
fn joints_motors_and_springs_act_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            let size = u.cuboid([0.1, 0.3, 0.1]);
            text += &u.pushed("a", &size, [0.0, 1.0, 0.0], 1.0);
            text += &u.pushed("b", &size, [0.0, 0.7, 0.0], 2.0);
            text += &u.pushed("c", &size, [0.5, 0.2, 0.0], 2.0);
            text += &format!("velocity = [{}]\n", u.speeds([1.0, 0.0, 0.4]));
            text += &format!(
                "[[joint]]\nkind = \"hinge\"\nb = \"a\"\nat = [{}]\naxis = [0, 0, 1]\n",
                u.lengths([0.0, 1.15, 0.0])
            );
            text += &format!(
                "[[joint]]\nkind = \"ball\"\na = \"a\"\nb = \"b\"\nat = [{}]\n",
                u.lengths([0.0, 0.85, 0.0])
            );
            let force = u.force(5.0);
            text + &format!("[[drive]]\nbody = \"c\"\nforce = [{force}, 0, 0]\n")
        },
        120,
    );
}

fn spinning_boxes(u: Units, memory: &str) -> String {
    let section = "section = { model = \"coulomb\", mu = 0.5 }, extent = \"spin\"";
    let mut text =
        u.head(0.01) + &format!("pair.default = {{ {section}{memory} }}\n") + &u.ground();
    for k in 0..3 {
        let at = [0.3 * f64::from(k), 0.05, 0.0];
        text += &u.pushed(&format!("b{k}"), &u.cuboid([0.2, 0.1, 0.1]), at, 1.0);
        let spin = number(8.0 / u.time);
        text += &format!("velocity = [{}]\n", u.speeds([0.5 * f64::from(k), 0.0, 0.2]));
        text += &format!("spin = [0, {spin}, 0]\n");
    }
    text
}

#[test]
fn patches_turn_the_same() {
    check(|u| spinning_boxes(u, ""), 100);
}

#[test]
fn bristles_bend_the_same() {
    for model in ["lugre", "elasto_plastic"] {
        let memory = |u: Units| {
            let [stiffness, damping] = [1e4, 10.0 * u.time].map(|x| number(x / u.length));
            format!(
                ", memory = {{ model = \"{model}\", sigma0 = {stiffness}, sigma1 = {damping} }}"
            )
        };
        check(|u| spinning_boxes(u, &memory(u)), 100);
    }
}

#[test]
fn meshes_and_waves_of_ground_carry_the_same() {
    check(
        |u| {
            let size = u.lengths([2.0, 2.0]);
            let (amplitude, lengths) = (u.l(0.05), u.lengths([0.7, 0.9]));
            let waves = format!(
                "waves = {{ amplitude = {amplitude}, lengths = [{lengths}], points = [24, 24] }}"
            );
            let field = format!("height_field = {{ size = [{size}], {waves} }}");
            let mut text = u.head(0.005) + COULOMB;
            text += &u.body("ground", &field, [0.0; 3], "kind = \"fixed\"");
            for k in 0..4 {
                let at = [0.3 * f64::from(k) - 0.5, 0.2 + 0.1 * f64::from(k), 0.1];
                text += &u.pushed(&format!("w{k}"), "mesh = \"wedge.obj\"", at, 1.0);
                let at = [at[0], at[1], -0.3];
                text += &u.pushed(&format!("b{k}"), &u.cuboid([0.1, 0.1, 0.1]), at, 2.0);
            }
            text
        },
        150,
    );
}

#[test]
fn bullets_stop_the_same() {
    check(
        |u| {
            let mut text = u.head(0.01) + COULOMB + &u.ground();
            text += &u.pushed("plate", &u.cuboid([0.001, 0.5, 0.5]), [1.0, 0.25, 0.0], 1.0);
            let ball = format!("sphere = {}", u.l(0.005));
            text += &u.pushed("bullet", &ball, [0.0, 0.2, 0.0], 0.01);
            text + &format!("velocity = [{}]\n", u.speeds([1e4, 0.0, 0.0]))
        },
        20,
    );
}

#[test]
fn wrenches_press_the_same() {
    check(
        |u| {
            let section = "section = { model = \"coulomb\", mu = 0.5 }";
            let contact =
                format!("contact = {{ model = \"wrench\", target_depth = {} }}", u.l(1e-3));
            let mut text = u.head(0.005) + &format!("pair.default = {{ {section}, {contact} }}\n");
            let plate = u.cuboid([1.0, 0.1, 1.0]);
            text += &u.body("ground", &plate, [0.0, -0.05, 0.0], "kind = \"fixed\"");
            text += &u.pushed("box", &u.cuboid([0.2, 0.1, 0.1]), [0.0, 0.0495, 0.0], 1.0);
            text + &format!("velocity = [{}]\n", u.speeds([0.5, 0.0, 0.2]))
        },
        100,
    );
}

/// A heap of more than 256 contacts, which is solved for roughly and divided among cores.
#[test]
fn a_large_heap_falls_the_same() {
    let make = |u: Units| {
        let mut text = u.head(0.01) + COULOMB + &u.ground();
        for k in 0..108 {
            let (layer, row, column) = (k / 36, k / 6 % 6, k % 6);
            let shift = 0.013 * f64::from(k % 5) + 0.03 * f64::from(layer % 2);
            let at = [
                0.18 * f64::from(row) + shift,
                0.105 + 0.21 * f64::from(layer),
                0.19 * f64::from(column) - 0.5 * shift,
            ];
            let shape = match k % 7 {
                3 => format!("sphere = {}", u.l(0.09)),
                _ => u.cuboid([0.2, 0.2, 0.2]),
            };
            text += &u.pushed(&format!("b{k}"), &shape, at, 1.0 + 0.25 * f64::from(k % 3));
        }
        text
    };
    let scene = scene::load(&make(ONE), "heap.toml", &ONE).unwrap_or_else(|e| panic!("{e}"));
    let mut world = scene.world;
    (0..30).for_each(|_| {
        world.step();
    });
    let (contacts, islands) = (world.report().contacts, world.report().islands);
    assert!(contacts > 256 && islands < 10, "{contacts} contacts in {islands} islands");
    check(make, 30);
}

/// A soft cube in units: its shape, its stiffness and its density.
fn gel(u: Units, name: &str, at: [f64; 3]) -> String {
    let size = u.cuboid([0.1, 0.1, 0.1]);
    let young = number(1e5 * u.mass / (u.length * u.time * u.time));
    let density = number(1000.0 * u.mass / (u.length * u.length * u.length));
    let damping = number(0.01 * u.time);
    let elastic = format!(
        "elastic = {{ young = {young}, poisson = 0.4, density = {density}, damping = {damping} }}"
    );
    let at = u.lengths(at);
    format!(
        "[[body]]\nname = \"{name}\"\nat = [{at}]\nsolid = {{ {size}, cells = [2, 2, 2], {elastic} }}\n"
    )
}

/// A cloth in units, a metre wide.
fn cloth(u: Units, name: &str, at: [f64; 3], cells: usize) -> String {
    let areal = number(0.15 * u.mass / (u.length * u.length));
    let [stretch, shear] = [9807.0, 56.0].map(|x| number(x * u.mass / (u.time * u.time)));
    let bending = number(8e-6 * u.mass * u.length * u.length / (u.time * u.time));
    let damping = number(0.002 * u.time);
    let fabric = format!(
        "{{ like = \"cotton\", areal_density = {areal}, stretch = [{stretch}, {stretch}], shear = {shear}, bending = [{bending}, {bending}], damping = {damping} }}"
    );
    let (size, at, thickness) = (u.lengths([1.0, 1.0]), u.lengths(at), u.l(0.01));
    format!(
        "[[body]]\nname = \"{name}\"\nat = [{at}]\ncloth = {{ size = [{size}], cells = [{cells}, {cells}], thickness = {thickness}, fabric = {fabric} }}\n"
    )
}

fn with_way(u: Units, way: &str) -> String {
    u.head(0.01).replace(" }\n", &format!(", soft_contact = \"{way}\" }}\n")) + COULOMB
}

/// Each way of contact, in units in which no density is beyond what scenes may have.
fn check_ways(make: impl Fn(Units, &str) -> String, steps: usize) {
    let cube = |length: f64, time: f64| Units { length, time, mass: length.powi(3) };
    let others = [
        cube(1.0 / 65536.0, 1.0 / 256.0),
        cube(16384.0, 128.0),
        Units { length: 1.0, time: 1.0, mass: 1_048_576.0 },
        Units { length: 1.0, time: 1.0, mass: 1.0 / 2_097_152.0 },
        Units { length: 4.0, time: 2.0, mass: 0.25 },
        Units { length: 8.0, time: 0.5, mass: 128.0 },
    ];
    for way in ["implicit", "filter", "solver"] {
        eprintln!("soft_contact = \"{way}\"");
        check_within(0.0, &others, |u| make(u, way), steps);
    }
}

#[test]
fn soft_cubes_fall_the_same() {
    let make = |u: Units, way: &str| {
        let lower = gel(u, "lower", [0.0, 0.056, 0.0]);
        with_way(u, way) + &u.ground() + &lower + &gel(u, "upper", [0.02, 0.17, 0.01])
    };
    check_ways(make, 30);
}

#[test]
fn plates_press_soft_cubes_the_same() {
    let make = |u: Units, way: &str| {
        let plate = u.pushed("plate", &u.cuboid([0.14, 0.02, 0.14]), [0.01, 0.13, 0.0], 0.3);
        with_way(u, way) + &u.ground() + &gel(u, "cube", [0.0, 0.056, 0.0]) + &plate
    };
    check_ways(make, 30);
}

#[test]
fn cloth_falls_on_what_is_round_and_what_has_edges_the_same() {
    let make = |u: Units, way: &str| {
        let ball = format!("sphere = {}", u.l(0.2));
        let ball = u.body("ball", &ball, [0.25, -0.22, 0.0], "kind = \"fixed\"");
        let block = u.cuboid([0.3, 0.3, 0.3]);
        let block = u.body("block", &block, [-0.25, -0.17, 0.05], "kind = \"fixed\"");
        with_way(u, way) + &ball + &block + &cloth(u, "sheet", [0.0; 3], 8)
    };
    check_ways(make, 25);
}

/// Enough vertices for groups of them in the linear solves, and long enough for it to touch itself.
#[test]
fn a_cloth_that_touches_itself_falls_the_same() {
    let make = |u: Units, way: &str| {
        let rod = format!("capsule = [{}]", u.lengths([0.6, 0.05]));
        let rod = u.body("rod", &rod, [0.0, -0.07, 0.0], "kind = \"fixed\"");
        let rod = rod + "rotate = { axis = \"x\", deg = 90 }\n";
        with_way(u, way) + &rod + &cloth(u, "sheet", [0.05, 0.0, 0.0], 14)
    };
    check_ways(make, 40);
}
