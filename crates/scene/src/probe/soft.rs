//! Probes of cloth and soft solids.

use glamx::DVec3;

use super::{Bodies, Fields, Part, Source, hint, part, refuse_direction};
use asperity::soft::{Soft, SoftId};
use asperity::world::World;

/// A number of a soft body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SoftQuantity {
    Position(Part),
    /// Position less the one at the start.
    Displacement(DVec3, Part),
    Velocity(Part),
    Speed,
    Energy,
    /// Largest extent along a direction, metres.
    Extent(DVec3),
}

impl SoftQuantity {
    /// Its value, of the whole body or of a vertex.
    pub(super) fn of(self, soft: &Soft, vertex: Option<usize>, world: &World) -> f64 {
        let body = &soft.body;
        let position = || vertex.map_or_else(|| body.centre(), |i| body.positions[i]);
        let velocity =
            || vertex.map_or_else(|| body.momentum() / body.mass(), |i| body.velocities[i]);
        match self {
            SoftQuantity::Position(part) => part.of(position(), position()),
            SoftQuantity::Displacement(start, part) => part.of(position() - start, position()),
            SoftQuantity::Velocity(part) => part.of(velocity(), position()),
            SoftQuantity::Speed => velocity().length(),
            SoftQuantity::Energy => {
                let weight = world.settings.gravity * body.mass();
                body.kinetic_energy() + body.energy() - weight.dot(body.centre())
            }
            SoftQuantity::Extent(direction) => {
                let along = body.positions.iter().map(|x| x.dot(direction));
                along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
            }
        }
    }
}

const SOFT: &[&str] = &["position", "displacement", "velocity", "speed", "energy", "extent"];

/// A probe of a soft body (`sheet`) or one of its vertices (`sheet[12]`); `None` where the subject
/// is none, `Some(None)` where the quantity is wrong.
#[allow(clippy::option_option)]
pub(super) fn of_soft(
    fields: &Fields,
    subject: &str,
    quantity: &str,
    bodies: &Bodies,
) -> Option<Option<Source>> {
    let (name, vertex) = match subject.strip_suffix(']').and_then(|s| s.rsplit_once('[')) {
        Some((name, index)) => (name, Some(index)),
        None => (subject, None),
    };
    let number = bodies.soft(name)?;
    let body = &bodies.softs[number].desc.body;
    let complain = |message: String| {
        fields.complain("of", format!("{}: {message}", fields.label));
        Some(None)
    };
    let count = body.positions.len();
    let vertex = match vertex.map(str::parse::<usize>) {
        None => None,
        Some(Ok(i)) if i < count => Some(i),
        Some(_) => return complain(format!("\"{name}\" has vertices 0 to {}", count - 1)),
    };
    if fields.has("below") || !SOFT.contains(&quantity) {
        let hint = hint(quantity, SOFT.iter().copied());
        return complain(format!("a soft body has no \"{quantity}\"{hint}"));
    }
    if matches!(quantity, "speed" | "energy") {
        refuse_direction(fields, quantity);
        let q = if quantity == "speed" { SoftQuantity::Speed } else { SoftQuantity::Energy };
        return Some(Some(Source::Soft(SoftId(number), vertex, q)));
    }
    let Some(part) = part(fields, quantity) else { return Some(None) };
    let start = vertex.map_or_else(|| body.centre(), |i| body.positions[i]);
    let q = match (quantity, part) {
        ("position", _) => SoftQuantity::Position(part),
        ("displacement", _) => SoftQuantity::Displacement(start, part),
        ("velocity", _) => SoftQuantity::Velocity(part),
        (_, Part::Along(direction)) => SoftQuantity::Extent(direction),
        (_, Part::Around(_) | Part::Length) => {
            return complain("\"extent\" needs a direction, such as component = \"x\"".to_owned());
        }
    };
    Some(Some(Source::Soft(SoftId(number), vertex, q)))
}
