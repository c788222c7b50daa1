//! Prefabs: many bodies from few numbers.

use super::body::ROTATE;
use super::{POSITIVE, VECTOR, optional, required, table_with_one_of, whole, words};
use crate::prefab::PREFABS;
use crate::spec::{Form, Spec, keys};

/// `prefab`.
pub(crate) static PREFAB: Spec = table_with_one_of(
    "Prefab",
    "many bodies at once",
    &[
        required("name", Form::Text, "The bodies are called \"<name>.0\" and so on."),
        optional(
            "at",
            VECTOR,
            "Where its origin is: the middle of its base, or the first end of a chain.",
        ),
        optional("rotate", ROTATE, "Turned as a whole; upright is the world's up axis."),
        optional("material", Form::Text, "Name of the material; default \"default\"."),
        optional("density", POSITIVE, "kg/m³; instead of the material's."),
        optional("velocity", VECTOR, "Of every body, m/s."),
        optional("group", whole(0, 0xffff_ffff), "Group of every body."),
        optional("kind", words(&["dynamic", "fixed"]), "Default \"dynamic\"."),
    ],
    &keys(&PREFABS),
);
