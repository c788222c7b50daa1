//! Houses of cards.

use glamx::{DQuat, DVec3};

use super::{Build, Kit, Site};
use crate::format::{POSITIVE, SIZES, optional, required, table, way, whole};
use crate::reader::Fields;
use crate::spec::{Form, Spec, Way};

/// `card_house` of a prefab.
pub(super) const CARD_HOUSE: Way<Build> =
    way("card_house", Form::Table(&CARD_HOUSE_KEYS), "Cards leaning on each other.", card_house);

static CARD_HOUSE_KEYS: Spec = table(
    "CardHouse",
    "cards leaning on each other",
    &[
        required("storeys", whole(1, 40), "Storeys; also the tents in the lowest."),
        optional(
            "card",
            SIZES,
            "Length, width and thickness of a card, metres; default [0.088, 0.063, 0.0003].",
        ),
        optional("lean", POSITIVE, "Angle from upright, degrees; default 25."),
    ],
);

/// Tents of two leaning cards, one fewer on each storey, with flat cards between the storeys.
///
/// A card of length L and thickness t that leans by the angle a is L cos a + t sin a high. The two
/// cards of a tent meet edge to edge above its middle; their upper edges, on which the flat cards
/// lie, are t cos a to either side of it, and their feet L sin a. Tents stand one card length
/// apart, so that a flat card reaches from the middle of one to the middle of the next, and
/// carries a tent of the storey above.
fn card_house(table: &Fields, site: &Site) -> Option<Kit> {
    let storeys = table.whole("storeys");
    let card =
        if table.has("card") { table.vector("card")? } else { DVec3::new(0.088, 0.063, 0.0003) };
    let lean = table.number("lean").unwrap_or(25.0);
    let storeys = storeys?;
    let tents = storeys * (storeys + 1) / 2;
    site.fits(2 * tents + storeys * (storeys - 1) / 2)?;
    let [length, width, thick] = card.to_array();
    let (sin, cos) = lean.to_radians().sin_cos();
    if !(lean < 90.0 && 2.0 * (length * sin + thick * cos) <= length) {
        let message = format!(
            "{} leans its cards by {lean} degrees, so that neighbouring tents overlap; expected an angle below 30 and thin cards",
            table.label
        );
        return table.refuse("lean", message);
    }
    let height = length * cos + thick * sin;
    let leaning = DVec3::new(thick, length, width);
    let flat = DVec3::new(length, thick, width);
    let mut kit = Kit::default();
    for storey in 0..storeys {
        let count = storeys - storey;
        let floor = storey as f64 * (height + thick);
        let middle = |i: usize| (i as f64 - 0.5 * (count - 1) as f64) * length;
        for i in 0..count {
            for (name, side) in [("left", -1.0), ("right", 1.0)] {
                let x = middle(i) + side * 0.5 * (length * sin + thick * cos);
                let at = DVec3::new(x, floor + 0.5 * height, 0.0);
                let rotation = DQuat::from_rotation_z(side * lean.to_radians());
                kit.add_box(format!("{storey}.{i}.{name}"), leaning, at, rotation);
            }
        }
        for i in 1..count {
            let x = 0.5 * (middle(i - 1) + middle(i));
            let at = DVec3::new(x, floor + height + 0.5 * thick, 0.0);
            kit.add_box(format!("{storey}.{}.flat", i - 1), flat, at, DQuat::IDENTITY);
        }
    }
    Some(kit)
}
