//! Bodies and shapes.

use super::material::STRUCTURE;
use super::soft::{CLOTH, SOLID};
use super::{NON_NEGATIVE, NUMBER, POSITIVE, SIZES, VECTOR, optional, required, table};
use crate::spec::{Form, Range, Spec};

/// Turns: `{axis, deg}`, a quaternion, or several tables in turn.
pub(crate) const ROTATE: Form = Form::Either(&[
    Form::Table(&TURN),
    Form::Vector(4, Range::Any),
    Form::List(&Form::Table(&TURN)),
]);
/// Sizes of round shapes.
const ROUND: Form = Form::Vector(2, Range::Positive);

/// `body`.
pub(crate) static BODY: Spec = table(
    "Body",
    "a body",
    &[
        required("name", Form::Text, "Unique name."),
        optional(
            "kind",
            Form::Choice(&["dynamic", "kinematic", "fixed"], &[]),
            "What moves it; default \"dynamic\".",
        ),
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
            Form::Whole(0, 0xffff_ffff),
            "Bodies that share a group above zero do not touch each other, rigid or soft.",
        ),
        optional("cloth", Form::Table(&CLOTH), "A rectangle of cloth, instead of a shape."),
        optional("solid", Form::Table(&SOLID), "A soft solid, instead of a shape."),
    ],
);

/// A turn.
pub(crate) static TURN: Spec = Spec {
    name: "Turn",
    doc: "a turn about an axis",
    keys: &[
        required(
            "axis",
            Form::Either(&[Form::Choice(&["x", "y", "z"], &[]), VECTOR]),
            "\"x\", \"y\", \"z\" or a direction.",
        ),
        optional("deg", NUMBER, "Angle in degrees."),
        optional("rad", NUMBER, "Angle in radians."),
    ],
    one_of: &["deg", "rad"],
};

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

/// `shape`.
pub(crate) static SHAPE: Spec = Spec {
    name: "Shape",
    doc: "a shape",
    keys: &[
        optional("box", SIZES, "Full sizes along x, y and z, metres."),
        optional("sphere", POSITIVE, "Radius, metres."),
        optional("capsule", ROUND, "Radius, and length between the two end points, along y."),
        optional("cylinder", ROUND, "Radius and height, along y."),
        optional("cone", ROUND, "Radius and height, along y."),
        optional("half_space", VECTOR, "Outward normal; the surface goes through the origin."),
        optional("hull", Form::List(&VECTOR), "Points of a convex body."),
        optional("mesh", Form::Text, "A triangle mesh file, relative to the scene file."),
        optional("convex_mesh", Form::Text, "The convex hull of a mesh file."),
        optional("height_field", Form::Table(&HEIGHT_FIELD), "Heights along y over x and z."),
        optional("compound", Form::List(&Form::Table(&PART)), "Several shapes as one body."),
        optional(
            "scale",
            Form::Either(&[POSITIVE, SIZES]),
            "Factor on a mesh, or three; default 1.",
        ),
    ],
    one_of: &[
        "box",
        "sphere",
        "capsule",
        "cylinder",
        "cone",
        "half_space",
        "hull",
        "mesh",
        "convex_mesh",
        "height_field",
        "compound",
    ],
};

static PART: Spec = table(
    "Part",
    "one shape of several",
    &[
        required("shape", Form::Table(&SHAPE), "The shape."),
        optional("at", VECTOR, "Where in the body, metres."),
        optional("rotate", ROTATE, "How turned in the body."),
    ],
);

static HEIGHT_FIELD: Spec = Spec {
    name: "HeightField",
    doc: "a field of heights",
    keys: &[
        required("size", Form::Vector(2, Range::Positive), "Full sizes along x and z, metres."),
        optional("heights", Form::List(&Form::List(&NUMBER)), "Rows of heights, metres."),
        optional("waves", Form::Table(&WAVES), "Heights made from a wave."),
        optional("file", Form::Text, "A grey image, relative to the scene file."),
        optional("height", NUMBER, "Height of white in the image, metres; default 1."),
    ],
    one_of: &["heights", "waves", "file"],
};

static WAVES: Spec = table(
    "Waves",
    "amplitude · sin(2π x/length₁) · sin(2π z/length₂)",
    &[
        required("amplitude", NUMBER, "Metres."),
        required("lengths", Form::Vector(2, Range::NonNegative), "Along x and z, metres; 0: even."),
        optional("points", Form::Wholes(2, 2048), "Along x and z; default 33 x 33."),
    ],
);
