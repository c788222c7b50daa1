//! `contact` of the world or of a pair: how bodies touch.

use super::{NON_NEGATIVE, POSITIVE, optional, required, table};
use crate::spec::{Form, Range, Spec};

/// `contact`.
pub(crate) const FORM: Form =
    Form::Either(&[Form::Choice(&["points", "wrench"], &[]), Form::Table(&CONTACT)]);

/// `contact` as a table.
pub(crate) static CONTACT: Spec = table(
    "Contact",
    "how bodies touch",
    &[
        required(
            "model",
            Form::Choice(&["points", "wrench"], &[]),
            "At points, or by one wrench for each volume that two bodies share.",
        ),
        optional(
            "normal",
            Form::Choice(&["gradient", "thinnest", "blend"], &[]),
            "Where the normal comes from: the gradient of the volume, default; the direction in which the overlap is thinnest; or a blend.",
        ),
        optional(
            "blend",
            Form::Number(Range::Unit),
            "Part of the thinnest direction in a blend; default 0.5.",
        ),
        optional(
            "patch",
            Form::Choice(&["measured", "rectangle", "ellipse", "reach"], &[]),
            "How the patch follows from the overlap: by its area and moments, default; as of a rectangle or an ellipse; or as far as the overlap reaches.",
        ),
        optional(
            "spin",
            Form::Choice(&["corners", "contensou", "uniform", "none"], &[]),
            "What resists spin: the paper's corners, default; the limit surface of the patch; nothing.",
        ),
        optional(
            "metric",
            Form::Choice(&["euclidean", "mass"], &[]),
            "How a centre of pressure outside the patch comes to its boundary; default \"euclidean\".",
        ),
        optional(
            "rim",
            Form::Choice(&["free", "braked"], &[]),
            "What a contact carries whose centre of pressure is at the boundary of its patch: a force, default (the paper's), or a force and a spin torque within the bound of \"corners\".",
        ),
        optional(
            "slip",
            Form::Choice(&["opposed", "projected"], &[]),
            "Friction against the slip, default, or along the projection of the force that would hold (the paper's).",
        ),
        optional("target_volume", POSITIVE, "Overlap that is left, m³."),
        optional(
            "target_depth",
            POSITIVE,
            "Overlap that is left, as volume over projected area, metres; default 1e-4.",
        ),
        optional(
            "overlaps",
            Form::Choice(&["each", "joined"], &[]),
            "One contact for each volume that two bodies share, default, or one for all of them (the paper's).",
        ),
        optional(
            "segment",
            POSITIVE,
            "Angle between the planes of one overlap, degrees, beyond which each is a contact of its own; overlaps are whole without it.",
        ),
        optional(
            "compliance",
            NON_NEGATIVE,
            "How far bodies sink in beyond the target, m/N; default 0.",
        ),
    ],
);
