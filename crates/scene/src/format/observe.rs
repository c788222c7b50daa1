//! Probes, expectations and the view.

use super::{
    NON_NEGATIVE, NUMBER, PAIR, POSITIVE, VECTOR, optional, required, table, table_with_one_of,
    words,
};
use crate::expect::TIMES;
use crate::probe::COMPONENTS;
use crate::spec::{Form, Spec, keys, names};

/// `probe`.
pub(crate) static PROBE: Spec = table(
    "Probe",
    "a number to watch",
    &[
        required("name", Form::Text, "Unique name."),
        required(
            "of",
            Form::Text,
            "\"<body>.<quantity>\" or \"world.<quantity>\", such as \"block.position\"; with \"pill.*\" for the body the mean over all whose names begin so.",
        ),
        optional("along", VECTOR, "Direction in which a vector is measured."),
        optional("around", VECTOR, "Axis through the origin; a vector is measured around it."),
        optional("component", words(&names(&COMPONENTS)), "Component of a vector."),
        optional(
            "below",
            NUMBER,
            "With the quantity \"count\": how many of a group have a position below this.",
        ),
    ],
);

/// `expect`.
pub(crate) static EXPECT: Spec = table_with_one_of(
    "Expect",
    "what must come out",
    &[
        required("probe", Form::Text, "Name of a probe."),
        optional("between", PAIR, "Least and greatest value."),
        optional("near", NUMBER, "Value, with `within`."),
        optional("within", NON_NEGATIVE, "Greatest distance from `near`."),
        optional("source", Form::Text, "Where the number comes from."),
    ],
    &keys(&TIMES),
);

/// `view`.
pub(crate) static VIEW: Spec = table(
    "View",
    "from where pictures are taken; what is absent is chosen to show what moves",
    &[
        optional("eye", VECTOR, "Where the camera stands, metres."),
        optional("at", VECTOR, "Where it looks, metres."),
        optional("fov", POSITIVE, "Angle from bottom to top, degrees; default 35."),
        optional("sun", VECTOR, "Direction towards the sun; default over the left shoulder."),
    ],
);
