//! Cloth and soft solids.

use super::{
    FLAG, NON_NEGATIVE, POSITIVE, UNIT, VECTOR, optional, required, table, table_with_one_of,
    vector, whole, words,
};
use crate::fabric::SHELLS;
use crate::soft::{CLOTHS, ELASTICS, SOLIDS};
use crate::spec::{Form, Key, Range, Spec, keys, names};

/// Sizes of round shapes, or two of anything above zero.
pub(crate) const TWO: Form = vector(2, Range::Positive);
/// Two numbers, zero or more.
const TWO_OR_NONE: Form = vector(2, Range::NonNegative);

/// Fabrics with names.
const FABRICS: Form = words(&["cotton", "denim", "silk", "wool"]);

static ONE_PIN: Form = Form::Table(&PIN);
const PINS: Key = optional("pins", Form::List(&ONE_PIN), "Vertices that are held.");
const NEWTON: Key = optional(
    "newton",
    whole(1, 100),
    "Newton iterations of a step; default 1. More than one needs soft_contact = \"filter\" in [world].",
);
const TOLERANCE: Key =
    optional("tolerance", POSITIVE, "Relative residual of linear solves; default 1e-6.");

/// `cloth`.
pub(crate) static CLOTH: Spec = table_with_one_of(
    "Cloth",
    "cloth: a rectangle, flat in the plane of body x (warp) and z, its middle at the origin; a tube; or a mesh from a file",
    &[
        optional(
            "cells",
            Form::Wholes(2, 4000),
            "Of a rectangle or a tube: cells along warp, and rows of them.",
        ),
        optional(
            "uv_scale",
            POSITIVE,
            "Of a file: metres of flat cloth for 1 in texture coordinates; default 1.",
        ),
        optional(
            "fabric",
            Form::Either(&[FABRICS, Form::Table(&FABRIC)]),
            "What it is made of: a name, or its numbers; default \"cotton\". \"cotton\", \"silk\" and \"wool\" are after ranges of Kawabata (1980), \"denim\" after Journal of Textiles 2016, 4614168, Table 5; the manual has the figures.",
        ),
        optional(
            "thickness",
            POSITIVE,
            "Distance it keeps from others, metres; default the fabric's, or a tenth of the mean edge if that is more.",
        ),
        optional("self_contact", FLAG, "Whether it can touch itself; default true."),
        PINS,
        NEWTON,
        TOLERANCE,
    ],
    &keys(&CLOTHS),
);

/// `tube` of cloth.
pub(crate) static TUBE: Spec = table(
    "Tube",
    "a tube of cloth about body y, its middle at the origin, warp around it and weft along +y",
    &[
        required(
            "radius",
            Form::Either(&[POSITIVE, TWO]),
            "Metres; two where it tapers: of the end at −y and of that at +y.",
        ),
        required("length", POSITIVE, "Along the cloth, metres."),
    ],
);

static FABRIC: Spec = table(
    "Fabric",
    "a fabric, per area of cloth",
    &[
        optional(
            "like",
            FABRICS,
            "Where numbers that are not given come from; default \"cotton\".",
        ),
        optional("areal_density", POSITIVE, "kg/m²."),
        optional(
            "kawabata",
            Form::Table(&KAWABATA),
            "Elasticity as a row of a table of the Kawabata evaluation system has it.",
        ),
        optional("fast", Form::Table(&FAST), "Elasticity as a row of a table of FAST has it."),
        optional("stretch", TWO, "Young's modulus times thickness along warp and weft, N/m."),
        optional("shear", NON_NEGATIVE, "Shear modulus times thickness, N/m."),
        optional("poisson", UNIT, "Poisson's ratio, below 1."),
        optional(
            "bending",
            TWO_OR_NONE,
            "Moment per width and curvature along warp and weft, N m.",
        ),
        optional(
            "shell",
            words(&names(&SHELLS)),
            "Model of bending: curvature of patches, or angles at edges; default \"patches\".",
        ),
        optional("damping", NON_NEGATIVE, "Viscosity over stiffness, seconds."),
        optional("strain_limit", POSITIVE, "Elongation from which it is 50 times stiffer."),
    ],
);

/// `kawabata` of a fabric.
static KAWABATA: Spec = table(
    "Kawabata",
    "measured by the Kawabata evaluation system, in its units, along warp and weft",
    &[
        required("elongation", TWO, "EMT: elongation at 500 gf/cm, percent."),
        required("bending", TWO_OR_NONE, "B: bending rigidity, gf cm²/cm."),
        required("shear", NON_NEGATIVE, "G: shear stiffness, the mean of both, gf/(cm deg)."),
    ],
);

/// `fast` of a fabric.
static FAST: Spec = table(
    "Fast",
    "measured by FAST (fabric assurance by simple testing), in its units, along warp and weft",
    &[
        required("extension", TWO, "E100: extension at 100 gf/cm, percent."),
        required("bending", TWO_OR_NONE, "B: bending rigidity, µN m."),
        required("shear", NON_NEGATIVE, "G: shear rigidity, N/m."),
    ],
);

/// `solid`.
pub(crate) static SOLID: Spec = table_with_one_of(
    "Solid",
    "a soft solid of tetrahedra",
    &[
        optional("cells", Form::Wholes(3, 400), "Of a box, along x, y and z; default 4, 4, 4."),
        optional("halvings", whole(1, 6), "Of the faces of a sphere; default 2."),
        optional(
            "layers",
            Form::Wholes(2, 400),
            "Shells of a sphere (the first number; default 3), or rings and layers of a cylinder (default 3, 6).",
        ),
        optional(
            "elastic",
            Form::Either(&[words(&["foam", "gel", "rubber"]), Form::Table(&ELASTIC)]),
            "What it is made of: a name, or its numbers; default \"gel\".",
        ),
        optional(
            "thickness",
            POSITIVE,
            "Distance it keeps from others, metres; default a tenth of the mean edge.",
        ),
        optional("self_contact", FLAG, "Whether it can touch itself; default false."),
        PINS,
        NEWTON,
        TOLERANCE,
    ],
    &keys(&SOLIDS),
);

static ELASTIC: Spec = table(
    "Elastic",
    "an elastic material",
    &[
        required("young", POSITIVE, "Young's modulus, Pa."),
        required("poisson", NON_NEGATIVE, "Poisson's ratio, up to 0.495."),
        required("density", POSITIVE, "kg/m³."),
        optional("damping", NON_NEGATIVE, "Viscosity over stiffness, seconds; default 0.005."),
        optional("model", words(&names(&ELASTICS)), "The energy; default \"neo_hookean\"."),
    ],
);

static PIN: Spec = table(
    "Pin",
    "a box; the vertices in it at the start are held",
    &[
        required("min", VECTOR, "Least x, y and z, body axes, metres."),
        required("max", VECTOR, "Greatest x, y and z, body axes, metres."),
        optional("velocity", VECTOR, "With which they move, m/s; default none."),
    ],
);
