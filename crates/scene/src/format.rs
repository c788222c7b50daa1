//! The scene format, table by table: the one description that the reader and the schema share.

pub(crate) mod body;
pub(crate) mod contact;
pub(crate) mod material;
pub(crate) mod motion;
pub(crate) mod observe;
pub(crate) mod prefab;
pub(crate) mod soft;

use super::spec::{Form, Key, Need, Range, Spec};

/// A key that must be there.
const fn required(name: &'static str, form: Form, doc: &'static str) -> Key {
    Key { name, form, need: Need::Required, doc }
}

/// A key that may be there.
const fn optional(name: &'static str, form: Form, doc: &'static str) -> Key {
    Key { name, form, need: Need::Optional, doc }
}

/// A table that may have any of its keys.
const fn table(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Spec {
    Spec { name, doc, keys, one_of: &[] }
}

/// Any number.
const NUMBER: Form = Form::Number(Range::Any);
/// A number above zero.
const POSITIVE: Form = Form::Number(Range::Positive);
/// A number, zero or more.
const NON_NEGATIVE: Form = Form::Number(Range::NonNegative);
/// Three numbers.
const VECTOR: Form = Form::Vector(3, Range::Any);
/// Three numbers above zero.
const SIZES: Form = Form::Vector(3, Range::Positive);
/// Two numbers.
const PAIR: Form = Form::Vector(2, Range::Any);

/// The whole file.
pub(crate) static SCENE: Spec = table(
    "Scene",
    "a scene of Asperity",
    &[
        required("version", Form::Whole(1, 1), "Version of the format: 1."),
        optional("title", Form::Text, "What the scene is, in one line."),
        optional("about", Form::Text, "What the scene shows, at any length."),
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
        optional("up", Form::Choice(&["x", "y", "z"], &[]), "Up axis; default \"y\"."),
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
            "Distance below which contacts are found even at rest, metres; default 0.002.",
        ),
        optional(
            "slop",
            NON_NEGATIVE,
            "Penetration and joint error that is left alone, metres; default 1e-7.",
        ),
        optional(
            "restitution_speed",
            NON_NEGATIVE,
            "Approach speed above which restitution acts, m/s; default 0.05.",
        ),
        optional(
            "contact",
            contact::FORM,
            "How bodies touch: at \"points\", default, or by one \"wrench\" for each volume that two closed bodies share.",
        ),
        optional(
            "soft_contact",
            Form::Choice(&["implicit", "filter", "solver"], &[]),
            "How cloth and soft solids touch: rigid bodies as part of their \"implicit\" step, default; after it by the velocity \"filter\" of Pabst 2009, which needs short steps; or everything by the contact \"solver\", together with rigid contacts and joints, exact and slower.",
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
            Form::Choice(&["prox", "pgs"], &[]),
            "Block Gauss–Seidel with exact local solves, or projected Gauss–Seidel with box bounds; default \"prox\".",
        ),
        optional("tolerance", POSITIVE, "Residual to reach; default 1e-9."),
        optional(
            "max_iterations",
            Form::Whole(1, 10_000_000),
            "Sweeps over all contacts at most; default 2000.",
        ),
    ],
);
