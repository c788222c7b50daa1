//! Prefabs: many bodies from few numbers.

use super::body::{ROTATE, SHAPE};
use super::{NON_NEGATIVE, NUMBER, POSITIVE, SIZES, VECTOR, optional, required, table};
use crate::spec::{Form, Range, Spec};

/// Most bodies in a row of a prefab.
const MOST: u64 = 1000;
const GAP: &str = "Gap between bodies, metres; default 0.";

/// `prefab`.
pub(crate) static PREFAB: Spec = Spec {
    name: "Prefab",
    doc: "many bodies at once",
    keys: &[
        required("name", Form::Text, "The bodies are called \"<name>.0\" and so on."),
        optional("stack", Form::Table(&STACK), "Boxes on top of each other."),
        optional("wall", Form::Table(&WALL), "Bricks in running bond."),
        optional("pyramid", Form::Table(&PYRAMID), "Rows of boxes, each one shorter."),
        optional("arch", Form::Table(&ARCH), "Wedges on an arc."),
        optional("chain", Form::Table(&CHAIN), "Capsules joined by ball joints."),
        optional("grid", Form::Table(&GRID), "The same shape many times."),
        optional("card_house", Form::Table(&CARD_HOUSE), "Cards leaning on each other."),
        optional(
            "at",
            VECTOR,
            "Where its origin is: the middle of its base, or the first end of a chain.",
        ),
        optional("rotate", ROTATE, "Turned as a whole; upright is the world's up axis."),
        optional("material", Form::Text, "Name of the material; default \"default\"."),
        optional("density", POSITIVE, "kg/m³; instead of the material's."),
        optional("velocity", VECTOR, "Of every body, m/s."),
        optional("group", Form::Whole(0, 0xffff_ffff), "Group of every body."),
        optional("kind", Form::Choice(&["dynamic", "fixed"], &[]), "Default \"dynamic\"."),
    ],
    one_of: &["stack", "wall", "pyramid", "arch", "chain", "grid", "card_house"],
};

static STACK: Spec = table(
    "Stack",
    "boxes on top of each other",
    &[
        required("count", Form::Whole(1, MOST), "Number of boxes."),
        required("size", SIZES, "Full sizes of a box, metres."),
        optional("gap", NON_NEGATIVE, GAP),
        optional("turn", NUMBER, "Each box turned against the one below, degrees; default 0."),
        optional("shift", VECTOR, "Each box shifted against the one below, metres."),
    ],
);

static WALL: Spec = table(
    "Wall",
    "bricks in running bond",
    &[
        required("columns", Form::Whole(1, MOST), "Bricks in a row."),
        required("rows", Form::Whole(1, MOST), "Rows."),
        required("size", SIZES, "Full sizes of a brick, metres; the wall runs along x."),
        optional("gap", NON_NEGATIVE, GAP),
        optional("half_bricks", Form::Flag, "Half bricks close every other row; default true."),
    ],
);

static PYRAMID: Spec = table(
    "Pyramid",
    "rows of boxes, each one shorter",
    &[
        required("rows", Form::Whole(1, MOST), "Rows; also the boxes in the lowest."),
        required("size", SIZES, "Full sizes of a box, metres."),
        optional("gap", NON_NEGATIVE, "Gap between the boxes of a row, metres; default 0."),
    ],
);

static ARCH: Spec = table(
    "Arch",
    "wedges on an arc",
    &[
        required("blocks", Form::Whole(2, MOST), "Number of wedges."),
        required("radius", POSITIVE, "Of the centre line, metres."),
        required("thickness", POSITIVE, "Radial, metres."),
        required("depth", POSITIVE, "Along z, metres."),
        optional("deg", Form::Number(Range::Positive), "Angle of the arc; default 180."),
    ],
);

static CHAIN: Spec = table(
    "Chain",
    "capsules joined by ball joints",
    &[
        required("links", Form::Whole(1, MOST), "Number of links."),
        required("length", POSITIVE, "Of a link, from joint to joint, metres."),
        required("radius", POSITIVE, "Of a link, metres."),
        optional("direction", VECTOR, "From the first end; default down."),
        optional(
            "anchor",
            Form::Flag,
            "Whether the first end is joined to the world; default true.",
        ),
        optional("anchor_end", Form::Flag, "Whether the last end is too; default false."),
    ],
);

static GRID: Spec = table(
    "Grid",
    "the same shape many times",
    &[
        required("counts", Form::Wholes(3, MOST), "Along x, y and z."),
        required("spacing", SIZES, "From one to the next, metres."),
        required("shape", Form::Table(&SHAPE), "The shape."),
    ],
);

static CARD_HOUSE: Spec = table(
    "CardHouse",
    "cards leaning on each other",
    &[
        required("storeys", Form::Whole(1, 40), "Storeys; also the tents in the lowest."),
        optional(
            "card",
            SIZES,
            "Length, width and thickness of a card, metres; default [0.088, 0.063, 0.0003].",
        ),
        optional("lean", POSITIVE, "Angle from upright, degrees; default 25."),
    ],
);
