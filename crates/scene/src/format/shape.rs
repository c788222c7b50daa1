//! Shapes.

use super::body::ROTATE;
use super::{
    NUMBER, POSITIVE, SIZES, VECTOR, optional, required, table, table_with_one_of, vector,
};
use crate::shape::{HEIGHTS, SHAPES};
use crate::spec::{Form, Range, Spec, keys};

/// `shape`.
pub(crate) static SHAPE: Spec = table_with_one_of(
    "Shape",
    "a shape",
    &[optional(
        "scale",
        Form::Either(&[POSITIVE, SIZES]),
        "Factor on a mesh, or three; default 1.",
    )],
    &keys(&SHAPES),
);

/// One shape of a compound.
pub(crate) static PART: Spec = table(
    "Part",
    "one shape of several",
    &[
        required("shape", Form::Table(&SHAPE), "The shape."),
        optional("at", VECTOR, "Where in the body, metres."),
        optional("rotate", ROTATE, "How turned in the body."),
    ],
);

/// `height_field` of a shape.
pub(crate) static HEIGHT_FIELD: Spec = table_with_one_of(
    "HeightField",
    "a field of heights",
    &[
        required("size", vector(2, Range::Positive), "Full sizes along x and z, metres."),
        optional("height", NUMBER, "Height of white in the image, metres; default 1."),
    ],
    &keys(&HEIGHTS),
);

/// `waves` of a height field.
pub(crate) static WAVES: Spec = table(
    "Waves",
    "amplitude · sin(2π x/length₁) · sin(2π z/length₂)",
    &[
        required("amplitude", NUMBER, "Metres."),
        required("lengths", vector(2, Range::NonNegative), "Along x and z, metres; 0: even."),
        optional("points", Form::Wholes(2, 2048), "Along x and z; default 33 x 33."),
    ],
);
