//! Textures, materials and pairs.

use super::{NON_NEGATIVE, NUMBER, PAIR, POSITIVE, VECTOR, optional, required, table};
use crate::spec::{Form, Range, Spec};

/// `texture.<name>`.
pub(crate) static TEXTURE: Spec = Spec {
    name: "Texture",
    doc: "a texture over a surface",
    keys: &[
        required(
            "kind",
            Form::Choice(&["structure", "tensor", "normal", "height", "mask"], &[]),
            "What its channels mean: the grain (red and green), factors on the four entries of a friction tensor, the normals of a rough surface, its heights (red), or how much of it counts (red).",
        ),
        optional("file", Form::Text, "An image, relative to the scene file."),
        optional(
            "mesh",
            Form::Text,
            "A glTF file whose own normal texture this is (normal textures only).",
        ),
        optional("generate", Form::Table(&GENERATE), "Made from numbers instead of a file."),
        optional("depth", POSITIVE, "Height textures: metres from black to white."),
        optional(
            "size",
            Form::Vector(2, Range::Positive),
            "Width and height that one copy covers, metres; without it, 1 m each, with a warning.",
        ),
        optional(
            "wrap",
            Form::Choice(&["repeat", "clamp"], &[]),
            "What lies beyond its edge; default \"repeat\".",
        ),
        optional(
            "flip_green",
            Form::Flag,
            "Turns the second axis of a structure or normal texture round.",
        ),
        optional("level", Form::Flag, "Takes the mean slope out of a normal or height texture."),
    ],
    one_of: &["file", "mesh", "generate"],
};

/// `generate` of a texture.
static GENERATE: Spec = Spec {
    name: "Generate",
    doc: "a texture made from numbers",
    keys: &[
        optional(
            "constant",
            Form::Either(&[PAIR, Form::Vector(4, Range::Any)]),
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
            Form::Vector(2, Range::NonNegative),
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
        optional("seed", Form::Whole(0, 1_000_000), "Normal: which of many; default 1."),
        optional("texels", Form::Wholes(2, 4096), "Columns and rows; default 64 x 64."),
    ],
    one_of: &[
        "constant", "stripes", "rotate", "rough", "slopes", "sawtooth", "ridges", "threads",
        "brushed", "wood",
    ],
};

static ROUGH: Spec =
    table("Rough", "Gaussian heights", &[required("ra", NON_NEGATIVE, "Roughness R_a, metres.")]);

static SAWTOOTH: Spec = table(
    "Sawtooth",
    "teeth along the first axis",
    &[
        required("slopes", Form::Vector(2, Range::NonNegative), "Climbing and falling slope."),
        required("widths", Form::Wholes(2, 4096), "Texels of the climbing and falling facet."),
    ],
);

static RIDGES: Spec = table(
    "Ridges",
    "round ridges",
    &[
        required("count", Form::Whole(1, 2048), "Ridges in one copy of the texture."),
        required("slope", NON_NEGATIVE, "The steepest slope."),
    ],
);

static THREADS: Spec = table(
    "Threads",
    "a screw thread; its `size` follows from these numbers",
    &[
        required("pitch", POSITIVE, "Metres along the axis in one turn."),
        required("radius", POSITIVE, "Of the cylinder, metres."),
        required("flanks", Form::Vector(2, Range::NonNegative), "Slopes of the two flanks."),
        optional("turns", Form::Whole(1, 1024), "Turns in one copy of the texture; default 1."),
        optional("left_handed", Form::Flag, "The other way round."),
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
        required("count", Form::Whole(1, 2048), "Pairs of stripes in one copy of the texture."),
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
        optional(
            "restitution",
            Form::Number(Range::Unit),
            "0 to 1; a pair uses the larger. Default 0.",
        ),
        optional("linear_damping", NON_NEGATIVE, "1/s; default 0."),
        optional("angular_damping", NON_NEGATIVE, "1/s; default 0."),
        optional("normal", Form::Text, "Name of a texture of kind \"normal\" or \"height\"."),
        optional(
            "mask",
            Form::Either(&[NON_NEGATIVE, Form::Text, Form::Table(&MASK)]),
            "Factor on the normal map's friction: a number, the name of a texture of kind \"mask\", or an edge filter. Default 1.",
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
pub(crate) static STRUCTURE: Spec = Spec {
    name: "Structure",
    doc: "a field of directions over a body, in body axes",
    keys: &[
        optional("radial", Form::Table(&ABOUT), "Away from an axis."),
        optional("concentric", Form::Table(&ABOUT), "Round an axis."),
        optional("spiral", Form::Table(&ABOUT), "Between the two, at an angle."),
        optional(
            "expression",
            Form::List(&Form::Text),
            "Three formulas in x, y and z: the components of the direction.",
        ),
    ],
    one_of: &["radial", "concentric", "spiral", "expression"],
};

static ABOUT: Spec = table(
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
pub(crate) static PAIR_ENTRY: Spec = Spec {
    name: "Pair",
    doc: "the friction of a pair of materials",
    keys: &[
        optional(
            "between",
            Form::List(&Form::Text),
            "Two names of materials; not for `pair.default`.",
        ),
        optional("section", Form::Table(&SECTION), "The friction model."),
        optional(
            "combine",
            Form::Choice(&["sum", "product", "min", "max", "average"], &[]),
            "Coulomb friction with the materials' own `mu` combined.",
        ),
        optional(
            "extent",
            Form::Either(&[Form::Choice(&["point", "spin"], &[]), Form::Table(&EXTENT)]),
            "Whether friction is that of points, the default, or of the whole patch with its torque (`section` \"coulomb\" or `combine`).",
        ),
        optional(
            "memory",
            Form::Either(&[
                Form::Choice(&["none", "lugre", "elasto_plastic"], &[]),
                Form::Table(&MEMORY),
            ]),
            "Whether the contact remembers, default \"none\"; else `extent` is \"spin\".",
        ),
        optional("contact", super::contact::FORM, "How bodies touch; default: as the world says."),
    ],
    one_of: &["section", "combine"],
};

/// `extent` of a pair.
pub(crate) static EXTENT: Spec = table(
    "Extent",
    "whether a patch carries torque",
    &[
        required("model", Form::Choice(&["point", "spin"], &[]), "Which model."),
        optional(
            "pressure",
            Form::Choice(&["uniform"], &[]),
            "Spin: how the load lies on the patch, default \"uniform\".",
        ),
    ],
);

/// `memory` of a pair.
pub(crate) static MEMORY: Spec = table(
    "Memory",
    "bristles that bend before they slip",
    &[
        required(
            "model",
            Form::Choice(&["none", "lugre", "elasto_plastic"], &[]),
            "Which model; LuGre drifts under oscillating loads.",
        ),
        optional("sigma0", POSITIVE, "Stiffness per unit load, 1/m; default 1e6."),
        optional("sigma1", NON_NEGATIVE, "Damping per unit load, s/m; default 800."),
        optional("sigma2", NON_NEGATIVE, "Viscous friction per unit load, s/m; default 0."),
        optional(
            "damping_speed",
            POSITIVE,
            "Damping falls with speed v as exp(-(v/damping_speed)^2), m/s; default: it does not.",
        ),
        optional(
            "breakaway",
            Form::Number(Range::Unit),
            "Elasto-plastic: elastic below this part of the largest deflection, below 1; default 0.9.",
        ),
    ],
);

/// `section` of a pair.
pub(crate) static SECTION: Spec = table(
    "Section",
    "a friction model",
    &[
        required(
            "model",
            Form::Choice(&["coulomb", "matchstick", "tensor", "ploughing"], &[]),
            "Which model.",
        ),
        optional(
            "mu",
            NON_NEGATIVE,
            "Coulomb: kinetic coefficient. Matchstick: crossed grains. Ploughing: what is left on smooth surfaces, default 0.",
        ),
        optional("static_mu", NON_NEGATIVE, "Coulomb: static coefficient; default `mu`."),
        optional(
            "stick_speed",
            POSITIVE,
            "Coulomb: slip below which `static_mu` holds, m/s; default 1e-4.",
        ),
        optional("stribeck_speed", POSITIVE, "Coulomb: smooth fall to `mu` over this slip, m/s."),
        optional("reference_load", POSITIVE, "Coulomb: load at which the coefficients hold, N."),
        optional("load_exponent", NUMBER, "Coulomb: exponent of the load; with reference_load."),
        optional("mu_t", NON_NEGATIVE, "Matchstick: along parallel grains."),
        optional("mu_b", NON_NEGATIVE, "Matchstick: across parallel grains."),
        optional(
            "drilling",
            Form::Vector(2, Range::NonNegative),
            "Matchstick: torque per load with parallel and crossed grains, metres.",
        ),
        optional(
            "zero_structure",
            Form::Choice(&["other_decides", "isotropic"], &[]),
            "Matchstick: what a surface without grain means; default \"other_decides\".",
        ),
        optional(
            "composition",
            Form::Choice(&["additive", "multiplicative", "minimum"], &[]),
            "Tensor: how two tensors make one; default \"additive\".",
        ),
        optional("kappa", NON_NEGATIVE, "Tensor: factor on the sum of both; default 0.5."),
        optional("associated", Form::Flag, "Tensor: the convex set with its limit curve instead."),
        optional("width", POSITIVE, "Ploughing: width of the window, metres; default 0.02."),
        optional(
            "resolution",
            Form::Whole(1, 2048),
            "Ploughing: texels along a side of the window; default 16.",
        ),
        optional("directions", Form::Whole(3, 360), "Ploughing: corners of the set; default 16."),
        optional(
            "sampling",
            Form::Choice(&["point", "area"], &[]),
            "Ploughing: a window about each contact point, or the whole area; default \"point\".",
        ),
        optional(
            "limit",
            Form::Choice(&["polygon", "box"], &[]),
            "Ploughing: the shape of the set; default \"polygon\".",
        ),
        optional(
            "align",
            Form::Either(&[Form::Text, VECTOR]),
            "Ploughing: where the window and the box point: \"frame\" (the default), \"structure\", \"slip\" (where it would slide without friction), or a direction.",
        ),
    ],
);
