//! `section` of a pair: the friction model.

use std::sync::Arc;

use asperity_friction::FrictionError;
use asperity_friction::section::{
    Alignment, Area, Composition, Coulomb, FrictionTensors, Limit, LoadScaling, Matchstick,
    Ploughing, Sampling, Section, Weakening, ZeroStructure,
};

use super::reader::Fields;

const COULOMB: &[&str] =
    &["mu", "static_mu", "stick_speed", "stribeck_speed", "reference_load", "load_exponent"];
const MATCHSTICK: &[&str] = &["mu", "mu_t", "mu_b", "drilling", "zero_structure"];
const TENSOR: &[&str] = &["composition", "kappa", "associated"];
const PLOUGHING: &[&str] =
    &["mu", "width", "resolution", "directions", "sampling", "limit", "align"];

/// Reads `section` of a pair.
pub(crate) fn read(fields: &Fields) -> Option<Arc<dyn Section>> {
    let model = fields.choice("model")?;
    let own = match model {
        "coulomb" => COULOMB,
        "matchstick" => MATCHSTICK,
        "ploughing" => PLOUGHING,
        _ => TENSOR,
    };
    for key in COULOMB.iter().chain(MATCHSTICK).chain(TENSOR).chain(PLOUGHING) {
        if fields.has(key) && !own.contains(key) {
            let message = format!(
                "\"{key}\" in {} does not belong to the model \"{model}\"; expected {}",
                fields.label,
                super::suggest::one_of(own)
            );
            fields.complain(key, message);
        }
    }
    let made: Result<Arc<dyn Section>, FrictionError> = match model {
        "coulomb" => coulomb(fields)?.map(|s| Arc::new(s) as _),
        "matchstick" => matchstick(fields)?.map(|s| Arc::new(s) as _),
        "ploughing" => ploughing(fields)?.map(|s| Arc::new(s) as _),
        _ => tensors(fields).map(|s| Arc::new(s) as _),
    };
    made.map_err(|e| fields.log.add(fields.place("static_mu"), format!("{}: {e}", fields.label)))
        .ok()
}

/// A number that the model needs.
fn needed(fields: &Fields, key: &str, model: &str) -> Option<f64> {
    if !fields.has(key) {
        let message = format!(
            "{} has no \"{key}\"; the model \"{model}\" needs it, a number, zero or more",
            fields.label
        );
        fields.complain(key, message);
    }
    fields.number(key)
}

fn coulomb(fields: &Fields) -> Option<Result<Coulomb, FrictionError>> {
    let mu = needed(fields, "mu", "coulomb");
    let static_mu = fields.number("static_mu");
    let stick = fields.number("stick_speed");
    let stribeck = fields.number("stribeck_speed");
    if stick.is_some() && stribeck.is_some() {
        let message = format!(
            "{} has \"stick_speed\" and \"stribeck_speed\"; expected only one of them",
            fields.label
        );
        fields.complain("stribeck_speed", message);
    }
    let weakening = match (stribeck, stick) {
        (Some(speed), _) => Weakening::Stribeck(speed),
        (None, speed) => Weakening::Threshold(speed.unwrap_or(1e-4)),
    };
    let scaling = match (fields.number("reference_load"), fields.number("load_exponent")) {
        (Some(reference), Some(exponent)) => Some(LoadScaling { reference, exponent }),
        (None, None) => None,
        _ => {
            let message =
                format!("{} needs \"reference_load\" and \"load_exponent\" together", fields.label);
            fields.log.add(fields.at, message);
            None
        }
    };
    let mu = mu?;
    let made = Coulomb::with_static(static_mu.unwrap_or(mu), mu, weakening);
    Some(match scaling {
        Some(scaling) => made.and_then(|m| m.with_load(scaling)),
        None => made,
    })
}

fn matchstick(fields: &Fields) -> Option<Result<Matchstick, FrictionError>> {
    let [mu, mu_t, mu_b] = ["mu", "mu_t", "mu_b"].map(|key| needed(fields, key, "matchstick"));
    let zero = match fields.choice("zero_structure") {
        Some("isotropic") => ZeroStructure::Isotropic,
        _ => ZeroStructure::OtherDecides,
    };
    let drilling = fields.pair("drilling");
    let made = Matchstick::new(mu?, mu_t?, mu_b?).map(|m| m.with_zero_structure(zero));
    Some(match drilling {
        Some(d) => made.and_then(|m| m.with_drilling(d.x, d.y)),
        None => made,
    })
}

fn ploughing(fields: &Fields) -> Option<Result<Ploughing, FrictionError>> {
    let alignment = match fields.node("align") {
        None => Alignment::Frame,
        Some(node) if node.is_list() => Alignment::Along(node.direction()?),
        Some(node) => match node.text()? {
            "frame" => Alignment::Frame,
            "structure" => Alignment::Structure,
            "slip" => Alignment::Slip,
            _ => return node.expected("\"frame\", \"structure\", \"slip\" or a direction"),
        },
    };
    let limit = match fields.choice("limit") {
        Some("box") => Limit::Box,
        _ => Limit::Polygon(fields.whole("directions").unwrap_or(16)),
    };
    if limit == Limit::Box && fields.has("directions") {
        let message =
            format!("\"directions\" in {} is for the limit \"polygon\"; remove it", fields.label);
        fields.complain("directions", message);
    }
    let usual = Sampling::default();
    let sampling = Sampling {
        width: fields.number("width").unwrap_or(usual.width),
        resolution: fields.whole("resolution").unwrap_or(usual.resolution),
        area: match fields.choice("sampling") {
            Some("area") => Area::Whole,
            _ => Area::Point,
        },
    };
    let made = Ploughing::new(fields.number("mu").unwrap_or(0.0))
        .and_then(|s| s.with_limit(limit))
        .and_then(|s| s.with_alignment(alignment))
        .and_then(|s| s.with_sampling(sampling));
    Some(made)
}

fn tensors(fields: &Fields) -> Result<FrictionTensors, FrictionError> {
    let kappa = fields.number("kappa");
    let composition = match fields.choice("composition") {
        Some("multiplicative") => Composition::Multiplicative,
        Some("minimum") => Composition::Minimum,
        _ => Composition::Additive { kappa: kappa.unwrap_or(0.5) },
    };
    if kappa.is_some() && !matches!(composition, Composition::Additive { .. }) {
        let message =
            format!("\"kappa\" in {} is for the composition \"additive\"; remove it", fields.label);
        fields.complain("kappa", message);
    }
    let made = FrictionTensors::new(composition)?;
    Ok(if fields.flag("associated") == Some(true) { made.associated() } else { made })
}
