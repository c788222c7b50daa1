//! Joints and drives.

use super::{
    FLAG, NON_NEGATIVE, NUMBER, POSITIVE, VECTOR, optional, required, table, table_with_one_of,
    vector, words,
};
use crate::joint::{CONTROLS, JOINTS, joint_keys};
use crate::profile::CURVES;
use crate::spec::{Form, Range, Spec, keys, names};

/// A number that follows time.
pub(crate) const PROFILE: Form = Form::Either(&[NUMBER, Form::Table(&CURVE)]);

/// `joint`.
pub(crate) static JOINT: Spec = Spec {
    kinds: &joint_keys(),
    ..table(
        "Joint",
        "a joint",
        &[
            required("kind", words(&names(&JOINTS)), "What it leaves free."),
            optional("name", Form::Text, "Name, for messages; default \"joint.<number>\"."),
            optional("a", Form::Text, "First body; default the world."),
            required("b", Form::Text, "Second body."),
            optional("collide", FLAG, "Whether the two bodies may touch; default false."),
        ],
    )
};

/// A number that follows time.
pub(crate) static CURVE: Spec =
    table_with_one_of("Curve", "a number that follows time", &[], &keys(&CURVES));

/// `motor` of a joint.
pub(crate) static MOTOR: Spec = table_with_one_of(
    "Motor",
    "a motor",
    &[
        optional("stiffness", NON_NEGATIVE, "N m/rad or N/m; with `position`."),
        optional("damping", NON_NEGATIVE, "N m s/rad or N s/m; with `position`; default 0."),
        optional("max_force", POSITIVE, "N m or N at most; default without bound."),
    ],
    &keys(&CONTROLS),
);

/// `drive`.
pub(crate) static DRIVE: Spec = table(
    "Drive",
    "something that acts from outside",
    &[
        required("body", Form::Text, "On which body."),
        optional("force", VECTOR, "Newtons, world axes."),
        optional("torque", VECTOR, "Newton metres, world axes."),
        optional("scale", PROFILE, "Factor on force and torque; default 1."),
        optional("impulse", VECTOR, "Newton seconds, world axes, at the time `at`."),
        optional("spring", Form::Table(&SPRING), "A damped spring to a place that may move."),
        optional("point", VECTOR, "Where it acts, body axes; default the body's origin."),
        optional("from", NON_NEGATIVE, "Force and torque: start, seconds; default 0."),
        optional("until", NON_NEGATIVE, "Force and torque: end, seconds; default never."),
        optional("at", NON_NEGATIVE, "Impulse: when, seconds; default 0."),
    ],
);

static SPRING: Spec = table(
    "Spring",
    "a damped spring",
    &[
        required(
            "target",
            Form::Either(&[VECTOR, Form::List(&vector(4, Range::Any))]),
            "A place in the world, or rows of time and place.",
        ),
        required("stiffness", NON_NEGATIVE, "N/m."),
        optional("damping", NON_NEGATIVE, "N s/m; default 0."),
        optional("max_force", POSITIVE, "Newtons at most; default without bound."),
    ],
);
