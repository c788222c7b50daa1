//! The scenes of `asperity bench wrench`.

use asperity::World;

use crate::error::CliError;
use crate::verify::wrench::convergence::{SCALES, octagonal, tapered, world};

/// A scene.
pub(super) struct Case {
    pub(super) name: String,
    /// Of all bodies that are not primitives to overlaps.
    pub(super) triangles: usize,
    /// Whether its sweeps are counted.
    pub(super) counted: bool,
    kind: Kind,
}

enum Kind {
    Stack(f64),
    Sphere,
    Octagon,
}

/// All of them.
pub(super) fn cases() -> Result<Vec<Case>, CliError> {
    let case = |name: &str, triangles: usize, counted: bool, kind: Kind| Case {
        name: name.to_owned(),
        triangles,
        counted,
        kind,
    };
    let mut cases = vec![
        case("rolling ball", 0, false, Kind::Sphere),
        case("sliding octagonal block", 28, true, Kind::Octagon),
    ];
    for (ratio, what) in SCALES {
        cases.push(case(&format!("tapered stack, {what}"), 120, true, Kind::Stack(ratio)));
    }
    Ok(cases)
}

impl Case {
    /// Its world with this kind of contact; nothing where points cannot do it.
    pub(super) fn world(&self, contact: &str) -> Result<Option<World>, CliError> {
        let made = match self.kind {
            Kind::Stack(ratio) => tapered(contact, ratio),
            Kind::Octagon => octagonal(contact),
            Kind::Sphere => sphere(contact),
        };
        made.map(Some)
    }
}

/// A ball that rolls.
fn sphere(contact: &str) -> Result<World, CliError> {
    world(&format!(
        r#"
version = 1
world = {{ dt = 0.01, contact = "{contact}" }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
body = [ {{ name = "plane", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }},
         {{ name = "ball", shape = {{ sphere = 0.1 }}, at = [0, 0.0998, 0], velocity = [2, 0, 0], spin = [0, 0, -20] }} ]
"#
    ))
}
