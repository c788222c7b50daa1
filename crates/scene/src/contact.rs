//! `contact`: how bodies touch.

use asperity_friction::extent::{Metric, Rim, Slip};

use super::reader::Fields;
use asperity::geometry::volume::{NormalRule, PatchShape};
use asperity::wrench::{ContactKind, SpinRule, Target, WrenchOptions};

/// Reads `contact` of the world or of a pair; `None` where it is not there, or wrong.
pub(crate) fn read(fields: &Fields) -> Option<ContactKind> {
    if !fields.has("contact") {
        return None;
    }
    if !fields.node("contact")?.is_table() {
        return Some(match fields.choice("contact")? {
            "wrench" => ContactKind::Wrench(WrenchOptions::default()),
            _ => ContactKind::Points,
        });
    }
    let table = fields.table("contact")?;
    if table.choice("model")? == "points" {
        for key in OPTIONS.iter().filter(|key| table.has(key)) {
            let message = format!("\"{key}\" in {} is for the model \"wrench\"", table.label);
            table.complain(key, message);
        }
        return Some(ContactKind::Points);
    }
    let mut options = WrenchOptions::default();
    if table.has("blend") && table.choice("normal") != Some("blend") {
        let message = format!("\"blend\" in {} is for normal = \"blend\"", table.label);
        table.complain("blend", message);
    }
    match table.choice("normal") {
        Some("thinnest") => options.normal = NormalRule::Thinnest,
        Some("blend") => {
            options.normal = NormalRule::Blend(table.number("blend").unwrap_or(0.5));
        }
        _ => {}
    }
    match table.choice("patch") {
        Some("rectangle") => options.patch = PatchShape::Rectangle,
        Some("ellipse") => options.patch = PatchShape::Ellipse,
        Some("reach") => options.patch = PatchShape::Reach,
        _ => {}
    }
    match table.choice("spin") {
        Some("contensou") => options.spin = SpinRule::Contensou,
        Some("uniform") => options.spin = SpinRule::Uniform,
        Some("none") => options.spin = SpinRule::None,
        _ => {}
    }
    if table.choice("metric") == Some("mass") {
        options.metric = Metric::Mass;
    }
    if table.choice("rim") == Some("braked") {
        options.rim = Rim::Braked;
    }
    if table.choice("slip") == Some("projected") {
        options.slip = Slip::Projected;
    }
    if let Some(depth) = table.number("target_depth") {
        options.target = Target::Depth(depth);
    }
    if let Some(volume) = table.number("target_volume") {
        options.target = Target::Volume(volume);
        if table.has("target_depth") {
            let message = format!(
                "{} has both \"target_volume\" and \"target_depth\"; expected one of them",
                table.label
            );
            table.complain("target_depth", message);
        }
    }
    options.joined = table.choice("overlaps") == Some("joined");
    if let Some(angle) = table.number("segment") {
        options.segment = Some(angle.to_radians());
        if options.joined {
            let message = format!(
                "{} has both \"segment\" and overlaps = \"joined\"; expected one of them",
                table.label
            );
            table.complain("segment", message);
        }
    }
    if let Some(compliance) = table.number("compliance") {
        options.compliance = compliance;
    }
    Some(ContactKind::Wrench(options))
}

const OPTIONS: [&str; 12] = [
    "normal",
    "blend",
    "patch",
    "spin",
    "metric",
    "rim",
    "slip",
    "target_volume",
    "target_depth",
    "overlaps",
    "segment",
    "compliance",
];
