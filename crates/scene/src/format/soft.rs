//! Cloth and soft solids.

use super::{NON_NEGATIVE, POSITIVE, SIZES, VECTOR, optional, required, table};
use crate::spec::{Form, Range, Spec};

/// Sizes of round shapes, or two of anything above zero.
const TWO: Form = Form::Vector(2, Range::Positive);
/// Two numbers, zero or more.
const TWO_OR_NONE: Form = Form::Vector(2, Range::NonNegative);

/// `cloth`.
pub(crate) static CLOTH: Spec = Spec {
    name: "Cloth",
    doc: "cloth: a rectangle, flat in the plane of body x (warp) and z, its middle at the origin; a tube; or a mesh from a file",
    keys: &[
        optional("size", TWO, "Of a rectangle, along warp and weft, metres."),
        optional("tube", Form::Table(&TUBE), "A tube about body y, sewn from flat cloth."),
        optional(
            "file",
            Form::Text,
            "A glTF, GLB or OBJ file with texture coordinates: its flat cloth. Vertices at the same place are sewn together.",
        ),
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
            Form::Either(&[
                Form::Choice(&["cotton", "denim", "silk", "wool"], &[]),
                Form::Table(&FABRIC),
            ]),
            "What it is made of: a name, or its numbers; default \"cotton\".",
        ),
        optional(
            "thickness",
            POSITIVE,
            "Distance it keeps from others, metres; default the fabric's, or a tenth of the mean edge if that is more.",
        ),
        optional("self_contact", Form::Flag, "Whether it can touch itself; default true."),
        optional("pins", Form::List(&Form::Table(&PIN)), "Vertices that are held."),
        optional(
            "newton",
            Form::Whole(1, 100),
            "Newton iterations of a step; default 1. More than one needs soft_contact = \"filter\" in [world].",
        ),
        optional("tolerance", POSITIVE, "Relative residual of linear solves; default 1e-6."),
    ],
    one_of: &["size", "tube", "file"],
};

static TUBE: Spec = table(
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
            Form::Choice(&["cotton", "denim", "silk", "wool"], &[]),
            "Where numbers that are not given come from; default \"cotton\".",
        ),
        optional("areal_density", POSITIVE, "kg/m²."),
        optional("stretch", TWO, "Young's modulus times thickness along warp and weft, N/m."),
        optional("shear", NON_NEGATIVE, "Shear modulus times thickness, N/m."),
        optional("poisson", Form::Number(Range::Unit), "Poisson's ratio, below 1."),
        optional(
            "bending",
            TWO_OR_NONE,
            "Moment per width and curvature along warp and weft, N m.",
        ),
        optional(
            "shell",
            Form::Choice(&["patches", "hinges"], &[]),
            "Model of bending: curvature of patches, or angles at edges; default \"patches\".",
        ),
        optional("damping", NON_NEGATIVE, "Viscosity over stiffness, seconds."),
        optional("strain_limit", POSITIVE, "Elongation from which it is 50 times stiffer."),
    ],
);

/// `solid`.
pub(crate) static SOLID: Spec = Spec {
    name: "Solid",
    doc: "a soft solid of tetrahedra",
    keys: &[
        optional("box", SIZES, "Full sizes along x, y and z, metres."),
        optional("sphere", POSITIVE, "Radius, metres."),
        optional("cylinder", TWO, "Radius and height, along y."),
        optional("file", Form::Text, "A Gmsh (.msh, version 4, ASCII) or legacy VTK (.vtk) file."),
        optional("cells", Form::Wholes(3, 400), "Of a box, along x, y and z; default 4, 4, 4."),
        optional("halvings", Form::Whole(1, 6), "Of the faces of a sphere; default 2."),
        optional(
            "layers",
            Form::Wholes(2, 400),
            "Shells of a sphere (the first number; default 3), or rings and layers of a cylinder (default 3, 6).",
        ),
        optional(
            "elastic",
            Form::Either(&[Form::Choice(&["foam", "gel", "rubber"], &[]), Form::Table(&ELASTIC)]),
            "What it is made of: a name, or its numbers; default \"gel\".",
        ),
        optional(
            "thickness",
            POSITIVE,
            "Distance it keeps from others, metres; default a tenth of the mean edge.",
        ),
        optional("self_contact", Form::Flag, "Whether it can touch itself; default false."),
        optional("pins", Form::List(&Form::Table(&PIN)), "Vertices that are held."),
        optional(
            "newton",
            Form::Whole(1, 100),
            "Newton iterations of a step; default 1. More than one needs soft_contact = \"filter\" in [world].",
        ),
        optional("tolerance", POSITIVE, "Relative residual of linear solves; default 1e-6."),
    ],
    one_of: &["box", "sphere", "cylinder", "file"],
};

static ELASTIC: Spec = table(
    "Elastic",
    "an elastic material",
    &[
        required("young", POSITIVE, "Young's modulus, Pa."),
        required("poisson", Form::Number(Range::NonNegative), "Poisson's ratio, up to 0.495."),
        required("density", POSITIVE, "kg/m³."),
        optional("damping", NON_NEGATIVE, "Viscosity over stiffness, seconds; default 0.005."),
        optional(
            "model",
            Form::Choice(&["neo_hookean", "corotational"], &[]),
            "The energy; default \"neo_hookean\".",
        ),
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
