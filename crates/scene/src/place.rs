//! Places and turns.

use glamx::{DPose3, DQuat, DVec3};

use super::format::body::TURN;
use super::format::{NUMBER, way};
use super::node::Node;
use super::reader::{Fields, Read};
use super::settings::UPS;
use super::spec::{Range, Way};

/// `at` and `rotate` of a table; what is absent is as in `default`.
pub(crate) fn pose(fields: &Fields, default: DPose3) -> DPose3 {
    let at = fields.vector("at").unwrap_or(default.translation);
    let rotation = fields.node("rotate").and_then(|node| rotation(&node));
    DPose3::from_parts(at, rotation.unwrap_or(default.rotation))
}

/// A turn: a table, a quaternion, or several tables in turn.
fn rotation(node: &Node) -> Option<DQuat> {
    if node.is_table() {
        return turn(node);
    }
    let items = node.items().unwrap_or_default();
    if items.first().is_some_and(Node::is_table) {
        return items.iter().try_fold(DQuat::IDENTITY, |q, item| Some(turn(item)? * q));
    }
    if items.len() != 4 {
        return node.expected("{ axis = \"z\", deg = 30 }, or a quaternion [x, y, z, w]");
    }
    let q = DQuat::from_array(node.numbers(Range::Any)?);
    let length = q.length();
    if length > 1e-9 {
        Some((q * (1.0 / length)).normalize())
    } else {
        node.expected("a quaternion that is not zero")
    }
}

fn turn(node: &Node) -> Option<DQuat> {
    let fields = node.table(&TURN, &node.what)?;
    let read = fields.way(&ANGLES);
    let axis = axis(&fields)?;
    Some(DQuat::from_axis_angle(axis, read?(&fields)?))
}

/// An angle, radians, by its unit.
pub(crate) static ANGLES: [Way<Read<f64>>; 2] = [
    way("deg", NUMBER, "Angle in degrees.", |turn| turn.number("deg").map(f64::to_radians)),
    way("rad", NUMBER, "Angle in radians.", |turn| turn.number("rad")),
];

/// `axis`: the name of one, or a direction.
fn axis(fields: &Fields) -> Option<DVec3> {
    let node = fields.node("axis")?;
    if !node.is_text() {
        return node.direction();
    }
    let found = node.text()?;
    let axis = UPS.iter().find(|(name, _)| *name == found).map(|(_, axis)| *axis);
    axis.or_else(|| node.expected("\"x\", \"y\", \"z\" or a direction [x, y, z]"))
}
