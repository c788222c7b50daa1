//! Places and turns.

use glamx::{DPose3, DQuat, DVec3};

use super::format::body::TURN;
use super::node::Node;
use super::reader::Fields;
use super::spec::Range;

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
    let unit = fields.alternative();
    let axis = axis(&fields)?;
    let angle = match unit? {
        "deg" => fields.number("deg")?.to_radians(),
        _ => fields.number("rad")?,
    };
    Some(DQuat::from_axis_angle(axis, angle))
}

/// `axis`: the name of one, or a direction.
fn axis(fields: &Fields) -> Option<DVec3> {
    let node = fields.node("axis")?;
    if !node.is_text() {
        return node.direction();
    }
    match node.text()? {
        "x" => Some(DVec3::X),
        "y" => Some(DVec3::Y),
        "z" => Some(DVec3::Z),
        _ => node.expected("\"x\", \"y\", \"z\" or a direction [x, y, z]"),
    }
}
