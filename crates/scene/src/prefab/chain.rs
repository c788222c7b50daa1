//! Chains.

use glamx::{DQuat, DVec3};

use super::{Build, Kit, Link, MOST, Site};
use crate::format::{FLAG, POSITIVE, VECTOR, optional, required, table, way, whole};
use crate::reader::Fields;
use crate::spec::{Form, Spec, Way};
use asperity::geometry::shape::Shape;

/// `chain` of a prefab.
pub(super) const CHAIN: Way<Build> =
    way("chain", Form::Table(&CHAIN_KEYS), "Capsules joined by ball joints.", chain);

static CHAIN_KEYS: Spec = table(
    "Chain",
    "capsules joined by ball joints",
    &[
        required("links", whole(1, MOST), "Number of links."),
        required("length", POSITIVE, "Of a link, from joint to joint, metres."),
        required("radius", POSITIVE, "Of a link, metres."),
        optional("direction", VECTOR, "From the first end; default down."),
        optional("anchor", FLAG, "Whether the first end is joined to the world; default true."),
        optional("anchor_end", FLAG, "Whether the last end is too; default false."),
    ],
);

/// Capsules from joint to joint, from the origin along a direction.
fn chain(table: &Fields, site: &Site) -> Option<Kit> {
    let links = table.whole("links");
    let [length, radius] = ["length", "radius"].map(|key| table.number(key));
    let direction = if table.has("direction") { table.direction("direction")? } else { -DVec3::Y };
    let anchor = table.flag("anchor").unwrap_or(true);
    let anchor_end = table.flag("anchor_end").unwrap_or(false);
    let (links, length, radius) = (links?, length?, radius?);
    site.fits(links)?;
    if 2.0 * radius >= length {
        let message = format!(
            "{} has links of length {length} m and radius {radius} m; expected a radius below half the length",
            table.label
        );
        return table.refuse("radius", message);
    }
    let shape = Shape::Capsule { half_height: 0.5 * length - radius, radius };
    let rotation = DQuat::from_rotation_arc(DVec3::Y, direction);
    let mut kit = Kit::default();
    for i in 0..links {
        let start = i as f64 * length * direction;
        kit.add(i.to_string(), shape.clone(), start + 0.5 * length * direction, rotation);
        if i > 0 {
            kit.joints.push(Link { a: Some(i - 1), b: i, at: start });
        } else if anchor {
            kit.joints.push(Link { a: None, b: 0, at: start });
        }
    }
    if anchor_end {
        let end = links as f64 * length * direction;
        kit.joints.push(Link { a: None, b: links - 1, at: end });
    }
    Some(kit)
}
