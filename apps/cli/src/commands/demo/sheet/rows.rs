//! The models of the comparison sheet: one pair of materials, 0.2 along and 0.5 across the grain.

use asperity::friction::FrictionError;
use asperity::friction::section::{Composition, Coulomb, FrictionTensors, Matchstick, Section};
use asperity::friction::surface::Surface;

use crate::commands::plot::cone::contact::{SLIDING, contact_law, grained, surface_tensor};
use crate::error::CliError;
use asperity_chart::limit::Limit;

/// Coefficient of the isotropic model, the mean of along and across.
pub(super) const MEAN: f64 = 0.35;
/// Coefficient along the grain.
pub(super) const ALONG: f64 = 0.2;
/// Coefficient across the grain.
pub(super) const ACROSS: f64 = 0.5;
/// Coefficients with the nap and against it; their mean is [`ALONG`].
pub(super) const NAP: [f64; 2] = [0.05, 0.35];

/// A model and the two surfaces it acts between.
#[derive(Debug)]
pub(super) struct Row {
    /// The model.
    pub(super) name: &'static str,
    /// Its numbers, in lines.
    pub(super) details: Vec<String>,
    /// Whether the grain has a sense.
    pub(super) nap: bool,
    section: Box<dyn Section>,
    surfaces: [Surface; 2],
}

impl Row {
    /// The limit curve with the grain of B turned by so many degrees over that of A.
    pub(super) fn limit(&self, degrees: f64, samples: usize) -> Result<Limit, CliError> {
        let surfaces = self.surfaces.each_ref();
        let law = contact_law(self.section.as_ref(), surfaces, [0.0, degrees], SLIDING, 0.0)?;
        Ok(Limit::new(&law.set, samples)?)
    }
}

/// All models, the plainest first.
pub(super) fn rows() -> Result<Vec<Row>, FrictionError> {
    let tensor = |name, composition, details: &[&str]| {
        let q = surface_tensor([ALONG, 0.0, 0.0, ACROSS], None)?;
        let surfaces = ["A", "B"].map(|s| grained(s).with_tensor(q.clone()));
        row(name, details, FrictionTensors::new(composition)?, surfaces)
    };
    let additive = Composition::Additive { kappa: 0.5 };
    let fur = surface_tensor([NAP[0], 0.0, 0.0, ACROSS], Some([NAP[1], 0.0, 0.0, ACROSS]))?;
    let fur = ["A", "B"].map(|s| grained(s).with_tensor(fur.clone()));
    let plain = ["A", "B"].map(grained);
    let numbers = format!("{ALONG} along, {ACROSS} across");
    let nap = format!("{} with, {} against,", NAP[0], NAP[1]);
    Ok(vec![
        row("Coulomb", &[&format!("μ = {MEAN}")], Coulomb::new(MEAN)?, plain.clone())?,
        row(
            "Matchstick cone",
            &[&numbers, &format!("{MEAN} with crossed grains")],
            Matchstick::new(MEAN, ALONG, ACROSS)?,
            plain,
        )?,
        tensor("Tensors, additive", additive, &[&numbers, "half the sum"])?,
        tensor("Tensors, multiplicative", Composition::Multiplicative, &[&numbers, "product"])?,
        tensor("Tensors, minimum", Composition::Minimum, &[&numbers, "the smaller by direction"])?,
        Row {
            nap: true,
            ..row(
                "Fur, additive",
                &[&nap, &format!("{ACROSS} across the nap"), "half the sum"],
                FrictionTensors::new(additive)?,
                fur,
            )?
        },
    ])
}

fn row(
    name: &'static str,
    details: &[&str],
    section: impl Section + 'static,
    surfaces: [Surface; 2],
) -> Result<Row, FrictionError> {
    let [a, b] = &surfaces;
    section.check(a, b)?;
    let details = details.iter().map(|&line| line.to_owned()).collect();
    Ok(Row { name, details, nap: false, section: Box::new(section), surfaces })
}
