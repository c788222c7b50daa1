//! No text makes the loader panic: random changes to good scenes, from a fixed seed.

use asperity_scene::{self as scene, NoAssets};

const GOOD: &str = r#"version = 1
title = "everything"
world = { up = "z", gravity = 9.81, dt = 0.005, duration = 4, solver = { method = "pgs", tolerance = 1e-9 } }
texture.grain = { kind = "structure", generate = { stripes = { count = 4, values = [[1, 0], [0, 1]] }, texels = [32, 2] }, size = [0.5, 0.5] }
texture.worn = { kind = "tensor", generate = { constant = [1, 1, 1, 0.5] }, size = [1, 1], wrap = "clamp" }
material.oak = { density = 700, mu = 0.4, structure = "grain" }
material.felt = { mu = 0.3, tensor = { positive = [[0.5, 0], [0, 0.1]], map = "worn" }, restitution = 0.2 }
material.disc = { mu = 0.2, structure = { spiral = { centre = [1, 0, 0], deg = 30 } } }
material.wave = { mu = 0.2, structure = { expression = ["sin(x)", "y^2", "1/z"] } }
pair.default = { combine = "average" }
pair.wood = { between = ["oak", "oak"], section = { model = "matchstick", mu = 0.2, mu_t = 0.1, mu_b = 3, drilling = [0.1, 0.2] }, speed = { static = 1.5, stick_speed = 0.01 }, load = { reference = 10, exponent = -0.3 } }
pair.felt = { between = ["felt", "oak"], section = { model = "tensor", composition = "minimum" } }
pair.slow = { between = ["disc", "oak"], section = { model = "coulomb", mu = 0.2, static_mu = 0.3, stribeck_speed = 0.1 } }
body = [ { name = "ground", kind = "fixed", shape = { half_space = [0, 0, 1] }, material = "oak" },
  { name = "block", shape = { box = [1, 2, 3] }, at = [0, 5, 0], rotate = { axis = "z", deg = 20 }, material = "felt", velocity = [1, 0, 0] },
  { name = "hull", shape = { hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]] }, material = "disc", mass = 2 },
  { name = "two", shape = { compound = [{ shape = { sphere = 0.5 } }, { shape = { cylinder = [0.5, 1] }, at = [1, 0, 0] }] }, material = "wave", group = 2 },
  { name = "hills", kind = "fixed", shape = { height_field = { size = [4, 4], waves = { amplitude = 0.1, lengths = [1, 2] } } }, material = "oak" },
  { name = "rows", kind = "fixed", shape = { height_field = { size = [4, 4], heights = [[0, 1], [1, 0]] } }, material = "oak" },
  { name = "lift", kind = "kinematic", shape = { capsule = [0.5, 1] }, keyframes = [{ time = 0 }, { time = 1, at = [0, 0, 1] }], material = "oak" } ]
joint = [ { kind = "hinge", a = "block", b = "hull", at = [1, 3, 0], axis = [0, 0, 1], limits = [-90, 45], motor = { velocity = 2, max_force = 10 } },
  { kind = "distance", a = "two", b = "block", length = { cosine = [5, 1, 2] } } ]
drive = [ { body = "block", force = [1, 0, 0], from = 1, until = 2 }, { body = "hull", spring = { target = [[0, 1, 2, 3], [1, 1, 2, 3]], stiffness = 10 } } ]
probe = [ { name = "x", of = "block.position", component = "x" }, { name = "e", of = "world.energy" } ]
expect = [ { probe = "x", time = 1, between = [0, 1] }, { probe = "e", when = "max", near = 1, within = 2 } ]
prefab = [ { name = "s", stack = { count = 3, size = [1, 1, 1] }, material = "oak" }, { name = "w", wall = { columns = 3, rows = 2, size = [1, 1, 1] }, material = "oak" },
  { name = "a", arch = { blocks = 5, radius = 2, thickness = 0.3, depth = 1 }, material = "oak" }, { name = "c", chain = { links = 3, length = 1, radius = 0.1 }, material = "oak" },
  { name = "h", card_house = { storeys = 2 }, material = "oak" }, { name = "p", pyramid = { rows = 2, size = [1, 1, 1] }, material = "oak" },
  { name = "g", grid = { counts = [2, 2, 2], spacing = [1, 1, 1], shape = { cone = [0.2, 0.3] } }, material = "oak" } ]
"#;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

#[test]
fn the_good_scene_is_good() {
    scene::load(GOOD, "good.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn changed_characters_never_panic() {
    const ODD: &[&str] =
        &["\"", "[", "]", "{", "}", "=", ",", ".", "-", "9", "e", "\n", "é", "\0", "#", " ", "'"];
    let mut random = Random(1);
    for _ in 0..1500 {
        let mut characters: Vec<String> = GOOD.chars().map(String::from).collect();
        for _ in 0..=random.below(4) {
            let at = random.below(characters.len());
            match random.below(3) {
                0 => drop(characters.remove(at)),
                1 => characters[at] = ODD[random.below(ODD.len())].to_owned(),
                _ => characters.insert(at, ODD[random.below(ODD.len())].to_owned()),
            }
        }
        check(&characters.concat());
    }
}

#[test]
fn changed_words_never_panic() {
    const VALUES: &[&str] = &[
        "0",
        "-1",
        "1e308",
        "-1e-308",
        "nan",
        "inf",
        "-inf",
        "9223372036854775807",
        "99999999999999999999",
        "0.5",
        "1e14",
        "1e-14",
        "\"\"",
        "\"oak\"",
        "\"block\"",
        "[]",
        "[0, 0, 0]",
        "[1, 0, 0]",
        "[1e15, 1e15, 1e15]",
        "{}",
        "true",
        "1979-05-27",
        "1_000",
        "0x10",
        "[[0, 0], [0, 0]]",
    ];
    let words: Vec<&str> = split(GOOD);
    let mut random = Random(2);
    for _ in 0..4000 {
        let mut changed: Vec<&str> = words.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(changed.len());
            match random.below(4) {
                0 => drop(changed.remove(at)),
                1 => changed[at] = words[random.below(words.len())],
                _ => {
                    // Most changes hit a value, so that the file stays valid TOML.
                    let values: Vec<usize> = (0..changed.len())
                        .filter(|i| {
                            changed[*i]
                                .starts_with(|c: char| c.is_ascii_digit() || c == '"' || c == '-')
                        })
                        .collect();
                    changed[values[random.below(values.len())]] =
                        VALUES[random.below(VALUES.len())];
                }
            }
        }
        check(&changed.concat());
    }
}

#[test]
fn cut_off_files_never_panic() {
    for end in (0..GOOD.len()).filter(|i| GOOD.is_char_boundary(*i)) {
        check(&GOOD[..end]);
    }
}

#[test]
fn deep_nesting_never_panics() {
    let deep = |n: usize| format!("version = 1\nbody = {}1{}\n", "[".repeat(n), "]".repeat(n));
    for n in [10, 100, 10_000] {
        check(&deep(n));
    }
    let mut shape = "{ sphere = 1 }".to_owned();
    for _ in 0..60 {
        shape = format!("{{ compound = [{{ shape = {shape} }}] }}");
    }
    check(&format!("version = 1\nbody = [{{ name = \"a\", shape = {shape} }}]\n"));
}

/// Loads; an error has places inside the text.
fn check(text: &str) {
    if let Err(error) = scene::load(text, "s", &NoAssets) {
        assert!(!error.problems.is_empty());
        let lines = text.matches('\n').count() + 1;
        assert!(error.problems.iter().all(|p| p.line >= 1 && p.line <= lines && p.column >= 1));
    }
}

/// Words, strings, numbers and single other characters.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |i| i + 2)
        } else if word(first) {
            rest.find(|c: char| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (head, tail) = rest.split_at(length);
        words.push(head);
        rest = tail;
    }
    words
}
