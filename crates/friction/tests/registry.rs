//! Every model by name: its keys, its presets, and what is refused.

use asperity_friction::extent::{
    Algorithm, EXTENTS, Extent, NormalRule, PatchShape, SpinRule, Target, WrenchOptions,
};
use asperity_friction::memory::{Bristles, MEMORIES, Parameters};
use asperity_friction::registry::{Fault, Form, Key, KeyError, Model, Preset, Values, find};
use asperity_friction::section::{
    Alignment, Composition, Coulomb, FrictionTensors, Limit, LoadScaling, Matchstick, Ploughing,
    SECTIONS, Weakening, ZeroStructure,
};
use asperity_friction::surface::patch::{Area, Sampling};
use glamx::DVec3;

fn section(name: &str, values: Values) -> Result<String, KeyError> {
    find(SECTIONS, name).unwrap().build(values).map(|section| format!("{section:?}"))
}

fn refused(name: &str, values: Values) -> (String, String) {
    let error = section(name, values).unwrap_err();
    (error.key.clone(), error.message("[pair.wood.section]"))
}

#[test]
fn sections_are_made_of_their_keys() {
    let v = Values::new;
    let coulomb = v().with("mu", 0.3).with("static_mu", 0.8).with("stribeck_speed", 0.1);
    let coulomb = coulomb.with("reference_load", 10.0).with("load_exponent", -0.5);
    let load = LoadScaling { reference: 10.0, exponent: -0.5 };
    let expected = Coulomb::with_static(0.8, 0.3, Weakening::Stribeck(0.1)).unwrap();
    let expected = expected.with_load(load).unwrap();
    assert_eq!(section("coulomb", coulomb).unwrap(), format!("{expected:?}"));
    let plain = section("coulomb", v().with("mu", 0.3)).unwrap();
    assert_eq!(plain, format!("{:?}", Coulomb::new(0.3).unwrap()));

    let grain = v().with("mu", 0.4).with("mu_t", 0.1).with("mu_b", 0.9);
    let expected = Matchstick::new(0.4, 0.1, 0.9).unwrap();
    assert_eq!(section("matchstick", grain.clone()).unwrap(), format!("{expected:?}"));
    let grain = grain.with("drilling", vec![0.02, 0.05]).with("zero_structure", "isotropic");
    let expected = expected.with_drilling(0.02, 0.05).unwrap();
    let expected = expected.with_zero_structure(ZeroStructure::Isotropic);
    assert_eq!(section("matchstick", grain).unwrap(), format!("{expected:?}"));

    let expected = FrictionTensors::new(Composition::default()).unwrap();
    assert_eq!(section("tensor", v()).unwrap(), format!("{expected:?}"));
    let expected = FrictionTensors::new(Composition::Minimum).unwrap().associated();
    let minimum = v().with("composition", "minimum").with("associated", true);
    assert_eq!(section("tensor", minimum).unwrap(), format!("{expected:?}"));

    let expected = Ploughing::new(0.0).unwrap();
    assert_eq!(section("ploughing", v()).unwrap(), format!("{expected:?}"));
    let values = v().with("mu", 0.2).with("limit", "box").with("align", vec![0.0, 0.0, 2.0]);
    let values = values.with("width", 0.1).with("resolution", 8_usize).with("sampling", "area");
    let sampling = Sampling { width: 0.1, resolution: 8, area: Area::Whole, ..Sampling::default() };
    let expected = Ploughing::new(0.2).unwrap().with_limit(Limit::Box).unwrap();
    let along = Alignment::Along(DVec3::Z * 2.0);
    let expected = expected.with_alignment(along).unwrap().with_sampling(sampling).unwrap();
    assert_eq!(section("ploughing", values).unwrap(), format!("{expected:?}"));
}

#[test]
fn memories_and_extents_are_made_of_their_keys() {
    let memory = |name: &str, values: Values| {
        format!("{:?}", find(MEMORIES, name).unwrap().build(values).unwrap())
    };
    let usual = Parameters::without_stribeck();
    let bristles = |p: Parameters| format!("{:?}", Bristles::new(p).unwrap());
    assert_eq!(memory("lugre", Values::new()), bristles(usual));
    let values = Values::new().with("sigma0", 1e5).with("damping_speed", 1e-3);
    let values = values.with("breakaway", 0.5);
    let expected = Parameters { stiffness: 1e5, damping_speed: Some(1e-3), ..usual };
    assert_eq!(memory("elasto_plastic", values), bristles(expected.elasto_plastic(0.5)));

    let extent = |name: &str, values: Values| find(EXTENTS, name).unwrap().build(values);
    assert_eq!(extent("point", Values::new()).unwrap(), Extent::Point);
    assert_eq!(extent("spin", Values::new().with("pressure", "uniform")).unwrap(), Extent::Spin);
    let usual = WrenchOptions::default();
    assert_eq!(extent("wrench", Values::new()).unwrap(), Extent::Wrench(usual));
    let values = Values::new().with("normal", "blend").with("spin", "contensou");
    let values = values.with("target_volume", 1e-9).with("segment", 30.0);
    let expected = WrenchOptions {
        normal: NormalRule::Blend(0.5),
        spin: SpinRule::Contensou,
        target: Target::Volume(1e-9),
        segment: Some(30_f64.to_radians()),
        ..usual
    };
    assert_eq!(extent("wrench", values).unwrap(), Extent::Wrench(expected));
}

#[test]
fn what_is_wrong_is_told_with_its_key() {
    let v = Values::new;
    let mu = || v().with("mu", 0.5);
    let cases = [
        (
            refused("coulomb", v()),
            "mu",
            "[pair.wood.section] has no \"mu\"; the model \"coulomb\" needs it, a number, zero or more",
        ),
        (
            refused("coulomb", mu().with("mu_t", 0.1)),
            "mu_t",
            "\"mu_t\" in [pair.wood.section] does not belong to the model \"coulomb\"; expected \"mu\",",
        ),
        (
            refused("coulomb", mu().with("stick_speed", 0.1).with("stribeck_speed", 0.1)),
            "stribeck_speed",
            "has \"stick_speed\" and \"stribeck_speed\"; expected only one of them",
        ),
        (
            refused("coulomb", mu().with("reference_load", 1.0)),
            "load_exponent",
            "needs \"reference_load\" and \"load_exponent\" together",
        ),
        (refused("coulomb", mu().with("static_mu", 0.1)), "static_mu", "[pair.wood.section]: "),
        (refused("coulomb", v().with("mu", -0.5)), "mu", "expected a number, zero or more"),
        (
            refused("tensor", v().with("composition", "minimum").with("kappa", 1.0)),
            "kappa",
            "\"kappa\" in [pair.wood.section] is for the composition \"additive\"; remove it",
        ),
        (
            refused("ploughing", v().with("limit", "box").with("directions", 8_usize)),
            "directions",
            "\"directions\" in [pair.wood.section] is for the limit \"polygon\"; remove it",
        ),
        (
            refused("ploughing", v().with("align", "sideways")),
            "align",
            "expected \"frame\", \"structure\" or \"slip\", or an array of 3 numbers",
        ),
        (refused("ploughing", v().with("align", vec![0.0; 3])), "align", "direction of alignment"),
    ];
    for ((key, message), expected_key, expected) in cases {
        assert_eq!(key, expected_key, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let breakaway = find(MEMORIES, "elasto_plastic").unwrap();
    let error = breakaway.build(v().with("breakaway", 1.0)).unwrap_err();
    assert!(error.key == "breakaway" && error.to_string().contains("s_ba"), "{error}");
}

/// Names are unique, presets fit their forms, and every key has its line.
fn is_sound<T>(models: &[&Model<T>]) {
    for (i, model) in models.iter().enumerate() {
        assert!(models[..i].iter().all(|other| other.name != model.name));
        assert!(!model.doc.is_empty() && !model.doc.ends_with('.'), "{}", model.name);
        are_sound(model.name, model.keys);
    }
}

fn are_sound(model: &str, keys: &[Key]) {
    for (i, key) in keys.iter().enumerate() {
        assert!(keys[..i].iter().all(|other| other.name != key.name), "{model}.{}", key.name);
        assert!(!key.doc.is_empty() && !key.doc.ends_with('.'), "{model}.{}", key.name);
        let preset = key.preset.value();
        assert!(preset.is_none_or(|value| key.form.accepts(&value)), "{model}.{}", key.name);
    }
}

#[test]
fn every_model_is_declared_soundly() {
    is_sound(SECTIONS);
    is_sound(MEMORIES);
    is_sound(EXTENTS);
    let speed = find(SECTIONS, "ploughing").unwrap().key("width").unwrap();
    assert_eq!(speed.line(), "width of the window, m; default 0.02");
}

/// Tables within tables and matrices, as a material's tensor has them.
#[test]
fn tables_fill_in_their_presets() {
    static INNER: [Key; 2] = [
        Key::required("positive", Form::Matrix, "").about("rows"),
        Key::optional("scale", Form::Whole(1, 9), "").or(Preset::Whole(3)).about("factor"),
    ];
    static OUTER: Model<(f64, usize)> = Model {
        name: "outer",
        doc: "a model with a table",
        keys: &[Key::required("tensor", Form::Either(&[Form::Matrix, Form::Table(&INNER)]), "")],
        make: |values| {
            let table = values.table("tensor").cloned().unwrap_or_default();
            let first = table.matrix("positive").map_or(0.0, |q| q.y_axis.x);
            Ok((first, table.whole("scale")))
        },
    };
    let inner = Values::new().with("positive", [[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(OUTER.build(Values::new().with("tensor", inner)).unwrap(), (2.0, 3));
    let empty = Values::new().with("tensor", Values::new());
    assert!(matches!(OUTER.build(empty).unwrap_err().fault, Fault::Form(_)));
}

#[test]
fn the_papers_way_can_be_said() {
    let words = [("algorithm", "printed"), ("normal", "gradient"), ("spin", "corners")];
    let values = words.into_iter().fold(Values::new(), |v, (key, word)| v.with(key, word));
    let values = values.with("overlaps", "joined").with("patch", "rectangle");
    let paper = WrenchOptions {
        algorithm: Algorithm::Printed,
        normal: NormalRule::Gradient,
        spin: SpinRule::Corners,
        patch: PatchShape::Rectangle,
        joined: true,
        ..WrenchOptions::default()
    };
    let made = find(EXTENTS, "wrench").unwrap().build(values).unwrap();
    assert_eq!(made, Extent::Wrench(paper));
}
