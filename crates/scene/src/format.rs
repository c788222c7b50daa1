//! The scene format, table by table: the one description that the reader and the schema share.

pub(crate) mod body;
pub(crate) mod material;
pub(crate) mod model;
pub(crate) mod motion;
pub(crate) mod observe;
pub(crate) mod prefab;
pub(crate) mod shape;
pub(crate) mod soft;

use asperity_solve::SOLVERS;

use super::run::ALLOWABLE;
use super::settings::{CONES, SOFT_CONTACTS, UPS};
use super::spec::{Form, Key, Plain, Range, Spec, Way, names};

/// A key that must be there.
pub(crate) const fn required(name: &'static str, form: Form, doc: &'static str) -> Key {
    Key { name, form, required: true, doc }
}

/// A key that may be there.
pub(crate) const fn optional(name: &'static str, form: Form, doc: &'static str) -> Key {
    Key { name, form, required: false, doc }
}

/// A table that may have any of its keys.
pub(crate) const fn table(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Spec {
    table_with_one_of(name, doc, keys, &[])
}

/// A table that has exactly one of some further keys.
pub(crate) const fn table_with_one_of(
    name: &'static str,
    doc: &'static str,
    keys: &'static [Key],
    one_of: &'static [Key],
) -> Spec {
    Spec { name, doc, keys, one_of, kinds: &[] }
}

/// One of the keys of which a table must have exactly one, and what it stands for.
pub(crate) const fn way<T>(name: &'static str, form: Form, doc: &'static str, then: T) -> Way<T> {
    Way { key: optional(name, form, doc), then }
}

/// One of some words.
pub(crate) const fn words(words: &'static [&'static str]) -> Form {
    Form::Plain(Plain::Word(words))
}

/// So many numbers.
pub(crate) const fn vector(count: usize, range: Range) -> Form {
    Form::Plain(Plain::Vector(count, range))
}

/// A whole number, least and greatest.
pub(crate) const fn whole(least: usize, most: usize) -> Form {
    Form::Plain(Plain::Whole(least, most))
}

/// Any number.
pub(crate) const NUMBER: Form = Form::Plain(Plain::Number(Range::Any));
/// A number above zero.
pub(crate) const POSITIVE: Form = Form::Plain(Plain::Number(Range::Positive));
/// A number, zero or more.
pub(crate) const NON_NEGATIVE: Form = Form::Plain(Plain::Number(Range::NonNegative));
/// A number from 0 to 1.
pub(crate) const UNIT: Form = Form::Plain(Plain::Number(Range::Unit));
/// true or false.
pub(crate) const FLAG: Form = Form::Plain(Plain::Flag);
/// Three numbers.
pub(crate) const VECTOR: Form = vector(3, Range::Any);
/// Three numbers above zero.
pub(crate) const SIZES: Form = vector(3, Range::Positive);
/// Two numbers.
pub(crate) const PAIR: Form = vector(2, Range::Any);

/// The whole file.
pub(crate) static SCENE: Spec = table(
    "Scene",
    "a scene of Asperity",
    &[
        required("version", whole(1, 1), "Version of the format: 1."),
        optional("title", Form::Text, "What the scene is, in one line."),
        optional("about", Form::Text, "What the scene shows, at any length."),
        optional(
            "allow",
            Form::List(&words(&ALLOWABLE)),
            "What runs may show without being called failures, for scenes that show it on purpose.",
        ),
        optional("world", Form::Table(&WORLD), "How the world is stepped."),
        optional("texture", Form::Named(&material::TEXTURE), "Textures by name."),
        optional("material", Form::Named(&material::MATERIAL), "Materials by name."),
        optional(
            "pair",
            Form::Named(&material::PAIR_ENTRY),
            "Friction of pairs of materials; `default` is for all pairs without an entry.",
        ),
        optional("body", Form::List(&Form::Table(&body::BODY)), "Bodies."),
        optional("prefab", Form::List(&Form::Table(&prefab::PREFAB)), "Many bodies at once."),
        optional("joint", Form::List(&Form::Table(&motion::JOINT)), "Joints."),
        optional("drive", Form::List(&Form::Table(&motion::DRIVE)), "What acts from outside."),
        optional("probe", Form::List(&Form::Table(&observe::PROBE)), "Numbers to watch."),
        optional("expect", Form::List(&Form::Table(&observe::EXPECT)), "What must come out."),
        optional("view", Form::Table(&observe::VIEW), "From where pictures are taken."),
    ],
);

/// `world`.
pub(crate) static WORLD: Spec = table(
    "World",
    "how the world is stepped",
    &[
        optional("up", words(&names(&UPS)), "Up axis; default \"y\"."),
        optional(
            "gravity",
            Form::Either(&[NUMBER, VECTOR]),
            "m/s²: a vector, or a number that points down. Default 9.81 down.",
        ),
        optional("dt", POSITIVE, "Length of a step, seconds; default 0.01."),
        optional("duration", POSITIVE, "How long to run, seconds; default 5."),
        optional(
            "margin",
            NON_NEGATIVE,
            "Distance below which contacts are found even at rest, metres; default a fiftieth of the thinner body's smallest side.",
        ),
        optional(
            "slop",
            NON_NEGATIVE,
            "Penetration that is left alone, metres; default a millionth of the thinner body's smallest side.",
        ),
        optional(
            "restitution_speed",
            NON_NEGATIVE,
            "Approach speed above which restitution acts, m/s; default what gravity gives a body in a step.",
        ),
        optional(
            "sleep",
            FLAG,
            "Whether bodies that stand still, up to rounding, are left alone until something touches them; default true.",
        ),
        optional(
            "contact",
            Form::Model(&model::CONTACT),
            "How bodies touch: at \"points\", default, or by one \"wrench\" for each volume that two closed bodies share.",
        ),
        optional(
            "soft_contact",
            words(&names(&SOFT_CONTACTS)),
            "How cloth and soft solids touch: rigid bodies as part of their \"implicit\" step, default; after it by the velocity \"filter\" of Pabst 2009, which needs short steps, with friction from the slip that is left, or \"filter_as_printed\", from the slip before friction; or everything by the contact \"solver\", together with rigid contacts and joints, exact and slower.",
        ),
        optional(
            "cones",
            words(&names(&CONES)),
            "Where bodies are when friction is asked for its law: \"half_way\" through the step, default, or at its \"end\", solved again until cones no longer turn (fully implicit).",
        ),
        optional("solver", Form::Table(&SOLVER), "The contact solver."),
    ],
);

static SOLVER: Spec = table(
    "Solver",
    "the contact solver",
    &[
        optional(
            "method",
            words(&SOLVER_NAMES),
            "Which solver, as `asperity solve --help` lists them; default \"auto\".",
        ),
        optional("tolerance", POSITIVE, "Residual to reach; default 1e-9."),
        optional(
            "max_iterations",
            whole(1, 10_000_000),
            "Sweeps over all contacts at most; default 2000.",
        ),
        optional(
            "directions",
            whole(3, 1000),
            "Directions of friction, for \"lcp\" alone: corners of the polygon in the place of a disc or an ellipse; default 16.",
        ),
    ],
);

/// Names of all solvers.
const SOLVER_NAMES: [&str; SOLVERS.len()] = {
    let mut names = [""; SOLVERS.len()];
    let mut k = 0;
    while k < names.len() {
        names[k] = SOLVERS[k].name;
        k += 1;
    }
    names
};
