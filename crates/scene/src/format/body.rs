//! Bodies and shapes.

use super::material::STRUCTURE;
use super::shape::SHAPE;
use super::soft::{CLOTH, SOLID};
use super::{
    NON_NEGATIVE, NUMBER, POSITIVE, SIZES, VECTOR, optional, required, table, table_with_one_of,
    vector, whole, words,
};
use crate::body::KINDS;
use crate::place::ANGLES;
use crate::settings::UPS;
use crate::spec::{Form, Range, Spec, keys, names};

/// Turns: `{axis, deg}`, a quaternion, or several tables in turn.
pub(crate) const ROTATE: Form =
    Form::Either(&[Form::Table(&TURN), vector(4, Range::Any), Form::List(&Form::Table(&TURN))]);

/// `body`.
pub(crate) static BODY: Spec = table(
    "Body",
    "a body",
    &[
        required("name", Form::Text, "Unique name."),
        optional("kind", words(&names(&KINDS)), "What moves it; default \"dynamic\"."),
        optional("shape", Form::Table(&SHAPE), "Its shape; without one it touches nothing."),
        optional("at", VECTOR, "Where its origin is, metres; default the origin."),
        optional("rotate", ROTATE, "Turned by an axis and an angle, or a quaternion x y z w."),
        optional("velocity", VECTOR, "Of its centre of mass, m/s."),
        optional("spin", VECTOR, "Angular velocity, rad/s, world axes."),
        optional("mass", POSITIVE, "kg; instead of a density."),
        optional("density", POSITIVE, "kg/m³; instead of the material's."),
        optional("centre", VECTOR, "Centre of mass, body axes; with `mass` and `inertia`."),
        optional(
            "inertia",
            SIZES,
            "Principal moments about the centre of mass along body axes, kg m²; with `mass`.",
        ),
        optional("material", Form::Text, "Name of its material; default \"default\"."),
        optional(
            "structure",
            Form::Either(&[VECTOR, Form::Table(&STRUCTURE)]),
            "The grain of this body, instead of the material's.",
        ),
        optional(
            "keyframes",
            Form::List(&Form::Table(&KEYFRAME)),
            "Prescribed motion of a kinematic body.",
        ),
        optional("gravity_scale", NUMBER, "Factor on gravity; default 1."),
        optional(
            "group",
            whole(0, 0xffff_ffff),
            "Bodies that share a group above zero do not touch each other, rigid or soft.",
        ),
        optional("cloth", Form::Table(&CLOTH), "A rectangle of cloth, instead of a shape."),
        optional("solid", Form::Table(&SOLID), "A soft solid, instead of a shape."),
    ],
);

/// A turn.
pub(crate) static TURN: Spec = table_with_one_of(
    "Turn",
    "a turn about an axis",
    &[required(
        "axis",
        Form::Either(&[words(&names(&UPS)), VECTOR]),
        "\"x\", \"y\", \"z\" or a direction.",
    )],
    &keys(&ANGLES),
);

/// A keyframe.
pub(crate) static KEYFRAME: Spec = table(
    "Keyframe",
    "where a kinematic body is at one time",
    &[
        required("time", NON_NEGATIVE, "Seconds."),
        optional("at", VECTOR, "Where its origin is; default as at the start."),
        optional("rotate", ROTATE, "How it is turned; default as at the start."),
    ],
);
