//! Arches.

use glamx::{DQuat, DVec3};

use super::{Build, Kit, MOST, Site};
use crate::format::{POSITIVE, optional, required, table, way, whole};
use crate::reader::Fields;
use crate::spec::{Form, Spec, Way};
use asperity::geometry::shape::Shape;

/// `arch` of a prefab.
pub(super) const ARCH: Way<Build> = way("arch", Form::Table(&ARCH_KEYS), "Wedges on an arc.", arch);

static ARCH_KEYS: Spec = table(
    "Arch",
    "wedges on an arc",
    &[
        required("blocks", whole(2, MOST), "Number of wedges."),
        required("radius", POSITIVE, "Of the centre line, metres."),
        required("thickness", POSITIVE, "Radial, metres."),
        required("depth", POSITIVE, "Along z, metres."),
        optional("deg", POSITIVE, "Angle of the arc; default 180."),
    ],
);

/// Wedges on an arc about the origin, from −x over +y to +x. Each has its origin on the centre
/// line, x along it and y outwards; neighbours share their faces exactly, up to rounding.
fn arch(table: &Fields, site: &Site) -> Option<Kit> {
    let blocks = table.whole("blocks");
    let [radius, thickness, depth] = ["radius", "thickness", "depth"].map(|key| table.number(key));
    let degrees = table.number("deg").unwrap_or(180.0);
    let (blocks, radius, thickness, depth) = (blocks?, radius?, thickness?, depth?);
    site.fits(blocks)?;
    if thickness >= 2.0 * radius {
        let message = format!(
            "{} is {thickness} m thick with a radius of {radius} m; expected less than twice the radius",
            table.label
        );
        return table.refuse("thickness", message);
    }
    let half_angle = (0.5 * degrees / blocks as f64).to_radians();
    if !(degrees < 360.0 && half_angle < 80_f64.to_radians()) {
        let message = format!(
            "{} spans {degrees} degrees with {blocks} blocks; expected less than 360, and less than 160 a block",
            table.label
        );
        return table.refuse("deg", message);
    }
    let (sin, cos) = half_angle.sin_cos();
    let mut points = Vec::with_capacity(8);
    for r in [radius - 0.5 * thickness, radius + 0.5 * thickness] {
        for side in [-1.0, 1.0] {
            for z in [-0.5 * depth, 0.5 * depth] {
                points.push(DVec3::new(side * r * sin, r * cos - radius, z));
            }
        }
    }
    let mut kit = Kit::default();
    for i in 0..blocks {
        // Angle from the crown, growing towards −x.
        let from_crown = (blocks as f64 - 1.0 - 2.0 * i as f64) * half_angle;
        let rotation = DQuat::from_rotation_z(from_crown);
        let shape = Shape::ConvexHull { points: points.clone() };
        kit.add(i.to_string(), shape, rotation * (radius * DVec3::Y), rotation);
    }
    Some(kit)
}
