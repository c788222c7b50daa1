//! Textures, materials and pairs.

use super::model::{CONTACT, EXTENT, MEMORY};
use super::{
    FLAG, NON_NEGATIVE, NUMBER, PAIR, POSITIVE, UNIT, VECTOR, optional, required, table,
    table_with_one_of, vector, whole, words,
};
use crate::grade::SPEEDS;
use crate::material::FIELDS;
use crate::pair::RULES;
use crate::spec::{Form, Range, Spec, keys, names};
use crate::texture::{KINDS, SOURCES, WRAPS};

/// `texture.<name>`.
pub(crate) static TEXTURE: Spec = table_with_one_of(
    "Texture",
    "a texture over a surface",
    &[
        required(
            "kind",
            words(&names(&KINDS)),
            "What its channels mean: the grain (red and green), factors on the four entries of a friction tensor, the normals of a rough surface, its heights (red), or how much of it counts (red).",
        ),
        optional("depth", POSITIVE, "Pictures of heights: metres from black to white."),
        optional(
            "size",
            vector(2, Range::Positive),
            "Width and height that one copy covers, metres; without it that of a measured height map, else 1 m each, with a warning.",
        ),
        optional("wrap", words(&names(&WRAPS)), "What lies beyond its edge; default \"repeat\"."),
        optional(
            "flip_green",
            FLAG,
            "Turns the second axis of a structure or normal texture round.",
        ),
        optional("level", FLAG, "Takes the mean slope out of a normal or height texture."),
    ],
    &keys(&SOURCES),
);

/// `generate` of a texture.
pub(crate) static GENERATE: Spec = table_with_one_of(
    "Generate",
    "a texture made from numbers",
    &[
        optional("seed", whole(0, 1_000_000), "Normal: which of many; default 1."),
        optional("texels", Form::Wholes(2, 4096), "Columns and rows; default 64 x 64."),
    ],
    &[
        optional(
            "constant",
            Form::Either(&[PAIR, vector(4, Range::Any)]),
            "The same everywhere: a direction, or four factors on a tensor.",
        ),
        optional(
            "stripes",
            Form::Table(&STRIPES),
            "Two values in turn along the first axis of the texture.",
        ),
        optional(
            "rotate",
            Form::Table(&ROTATE),
            "A direction that turns evenly along the first axis (structure textures only).",
        ),
        optional(
            "rough",
            Form::Table(&ROUGH),
            "Normal: Gaussian heights, the same in all directions.",
        ),
        optional(
            "slopes",
            vector(2, Range::NonNegative),
            "Normal: Gaussian slopes of these deviations along both axes.",
        ),
        optional(
            "sawtooth",
            Form::Table(&SAWTOOTH),
            "Normal: teeth along the first axis, painted with any two slopes.",
        ),
        optional("ridges", Form::Table(&RIDGES), "Normal: round ridges along the second axis."),
        optional(
            "threads",
            Form::Table(&THREADS),
            "Normal: a screw thread about the axis of a cylinder.",
        ),
        optional("brushed", Form::Table(&BRUSHED), "Normal: brushed along the first axis."),
        optional("wood", Form::Table(&WOOD), "Normal: year rings along the first axis."),
    ],
);

static ROUGH: Spec =
    table("Rough", "Gaussian heights", &[required("ra", NON_NEGATIVE, "Roughness R_a, metres.")]);

static SAWTOOTH: Spec = table(
    "Sawtooth",
    "teeth along the first axis",
    &[
        required("slopes", vector(2, Range::NonNegative), "Climbing and falling slope."),
        required("widths", Form::Wholes(2, 4096), "Texels of the climbing and falling facet."),
    ],
);

static RIDGES: Spec = table(
    "Ridges",
    "round ridges",
    &[
        required("count", whole(1, 2048), "Ridges in one copy of the texture."),
        required("slope", NON_NEGATIVE, "The steepest slope."),
    ],
);

static THREADS: Spec = table(
    "Threads",
    "a screw thread; its `size` follows from these numbers",
    &[
        required("pitch", POSITIVE, "Metres along the axis in one turn."),
        required("radius", POSITIVE, "Of the cylinder, metres."),
        required("flanks", vector(2, Range::NonNegative), "Slopes of the two flanks."),
        optional("turns", whole(1, 1024), "Turns in one copy of the texture; default 1."),
        optional("left_handed", FLAG, "The other way round."),
    ],
);

static BRUSHED: Spec = table(
    "Brushed",
    "brushed metal",
    &[
        required("ra", NON_NEGATIVE, "Roughness R_a, metres."),
        required("length", POSITIVE, "Length of the scratches, metres."),
    ],
);

static WOOD: Spec = table(
    "Wood",
    "wood",
    &[
        required("ra", NON_NEGATIVE, "Roughness R_a, metres."),
        required("ring", POSITIVE, "Distance of the rings, metres."),
    ],
);

static STRIPES: Spec = table(
    "Stripes",
    "two values in turn",
    &[
        required("count", whole(1, 2048), "Pairs of stripes in one copy of the texture."),
        required(
            "values",
            Form::List(&Form::List(&NUMBER)),
            "Two directions, or two times four factors on a tensor.",
        ),
    ],
);

static ROTATE: Spec = table(
    "RotateField",
    "a direction that turns",
    &[
        optional("start", NUMBER, "Angle at the left edge, degrees; default 0."),
        required("turns", NUMBER, "Full turns over the width; halves are fine for a grain."),
    ],
);

/// `material.<name>`.
pub(crate) static MATERIAL: Spec = table(
    "Material",
    "a material",
    &[
        optional("density", POSITIVE, "kg/m³; default 1000."),
        optional("mu", NON_NEGATIVE, "Coefficient for `combine` rules and isotropic tensors."),
        optional(
            "structure",
            Form::Either(&[VECTOR, Form::Text, Form::Table(&STRUCTURE)]),
            "The grain, direction of least resistance: body axes, the name of a texture, or a field.",
        ),
        optional(
            "tensor",
            Form::Either(&[Form::List(&PAIR), Form::Table(&TENSOR)]),
            "Friction tensor in the surface's axes: two rows, or a table.",
        ),
        optional("restitution", UNIT, "0 to 1; a pair uses the larger. Default 0."),
        optional("linear_damping", NON_NEGATIVE, "1/s; default 0."),
        optional("angular_damping", NON_NEGATIVE, "1/s; default 0."),
        optional(
            "colour",
            vector(3, Range::Unit),
            "Red, green and blue in pictures, 0 to 1 (sRGB); default by body.",
        ),
        optional(
            "roughness",
            UNIT,
            "Gloss in pictures: 0 a mirror, 1 chalk, finer than the normal map; default 0.55. Friction does not see it.",
        ),
        optional("metalness", UNIT, "In pictures: 1 bare metal, 0 anything else; default 0."),
        optional("normal", Form::Text, "Name of a texture of kind \"normal\" or \"height\"."),
        optional(
            "mask",
            Form::Either(&[NON_NEGATIVE, Form::Text, Form::Table(&MASK)]),
            "Factor on the normal map's friction: a number, the name of a texture of kind \"mask\", or an edge filter. Default 1.",
        ),
        optional(
            "pressure",
            Form::Text,
            "Name of a texture of kind \"mask\": how the load lies on it in pairs whose extent has the pressure \"map\".",
        ),
        optional(
            "wear",
            NON_NEGATIVE,
            "Depth worn off the normal map for each pascal and metre of slip, 1/Pa; needs heights, and \"stiffness\" in its pairs. Default 0.",
        ),
    ],
);

/// `mask` of a material.
static MASK: Spec = table(
    "Mask",
    "how much of a normal map counts",
    &[
        optional("texture", Form::Text, "Name of a texture of kind \"mask\"."),
        optional("floor", NON_NEGATIVE, "Edge filter: the factor where the surface does not bend."),
        required("gain", NON_NEGATIVE, "Factor on the texture, or on the edge filter."),
    ],
);

/// A field of directions over a body.
pub(crate) static STRUCTURE: Spec = table_with_one_of(
    "Structure",
    "a field of directions over a body, in body axes",
    &[],
    &keys(&FIELDS),
);

/// The axis of a field.
pub(crate) static ABOUT: Spec = table(
    "About",
    "an axis of a field",
    &[
        optional("centre", VECTOR, "A point of the axis, body axes; default the origin."),
        optional("axis", VECTOR, "Direction of the axis, body axes; default [0, 1, 0]."),
        optional(
            "deg",
            NUMBER,
            "Spiral only: angle from the radial direction, degrees; default 45.",
        ),
    ],
);

static TENSOR: Spec = table(
    "Tensor",
    "a friction tensor",
    &[
        required("positive", Form::List(&PAIR), "Two rows; for slip along the positive axes."),
        optional(
            "negative",
            Form::List(&PAIR),
            "Two rows; for slip along the negative axes. Default: as `positive`.",
        ),
        optional("map", Form::Text, "Name of a texture of kind \"tensor\" that multiplies it."),
    ],
);

/// `pair.<name>`.
pub(crate) static PAIR_ENTRY: Spec = table_with_one_of(
    "Pair",
    "the friction of a pair of materials",
    &[
        optional(
            "between",
            Form::List(&Form::Text),
            "Two names of materials; not for `pair.default`.",
        ),
        optional(
            "extent",
            Form::Model(&EXTENT),
            "Whether friction is that of points, the default, or of the whole patch with its torque (`section` \"coulomb\" or `combine`).",
        ),
        optional(
            "memory",
            Form::Model(&MEMORY),
            "Whether the contact remembers, default \"none\"; else `extent` is \"spin\".",
        ),
        optional("contact", Form::Model(&CONTACT), "How bodies touch; default: as the world says."),
        optional("speed", Form::Table(&SPEED), "How the strength of the section falls with slip."),
        optional("load", Form::Table(&LOAD), "How the strength of the section follows the load."),
    ],
    &keys(&RULES),
);

/// `speed` of a pair.
static SPEED: Spec = table_with_one_of(
    "Speed",
    "how the strength of a section falls with slip",
    &[required("static", POSITIVE, "Strength at rest over that of fast sliding, 1 or more.")],
    &keys(&SPEEDS),
);

/// `load` of a pair.
static LOAD: Spec = table(
    "Load",
    "how the strength of a section follows the load N of a contact, as (N/reference)^exponent",
    &[
        required("reference", POSITIVE, "Load at which it is that of the section, N."),
        required("exponent", NUMBER, "-1/3 for a Hertz contact of constant shear strength."),
    ],
);
