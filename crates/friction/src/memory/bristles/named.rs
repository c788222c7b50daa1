//! Bristles by name, as scenes write them.

use std::sync::Arc;

use super::super::Memory;
use super::{Bristles, Parameters, Placing, Plasticity};
use crate::registry::{AtKey, Fault, Form, Key, KeyError, Model, Preset, Range, Value, Values};

/// The name of a model.
pub(super) fn name(bristles: &Bristles) -> &'static str {
    let names = match bristles.parameters.plasticity {
        Plasticity::Always if bristles.passive => {
            ["lugre_passive", "lugre_passive (reduced)", "lugre_passive (distributed)"]
        }
        Plasticity::Always => ["lugre", "lugre (reduced)", "lugre (distributed)"],
        Plasticity::Above(_) => {
            ["elasto_plastic", "elasto_plastic (reduced)", "elasto_plastic (distributed)"]
        }
    };
    match bristles.placing {
        Placing::Patch => names[0],
        Placing::Reduced { .. } => names[1],
        Placing::Distributed { .. } => names[2],
    }
}

/// LuGre's bristles by name.
pub(in crate::memory) static LUGRE: Model<Arc<dyn Memory>> = Model {
    name: "lugre",
    doc: "Bristles that creep from the start (LuGre); drifts under oscillating loads",
    keys: &[STIFFNESS, DAMPING, VISCOSITY, DAMPING_SPEED, BRISTLES, CELLS, RESOLUTION],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Always)?)),
};

/// LuGre's bristles with less damping by name.
pub(in crate::memory) static LUGRE_PASSIVE: Model<Arc<dyn Memory>> = Model {
    name: "lugre_passive",
    doc: "The same with damping that falls with speed to what is passive in every step, whatever the section",
    keys: &[STIFFNESS, DAMPING, VISCOSITY, DAMPING_SPEED, BRISTLES, CELLS, RESOLUTION],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Always)?.passive())),
};

/// Elasto-plastic bristles by name.
pub(in crate::memory) static ELASTO_PLASTIC: Model<Arc<dyn Memory>> = Model {
    name: "elasto_plastic",
    doc: "Bristles that are elastic below a breakaway deflection",
    keys: &[
        STIFFNESS,
        DAMPING,
        VISCOSITY,
        DAMPING_SPEED,
        Key::optional("breakaway", Form::Number(Range::Unit), "")
            .or(Preset::Number(0.9))
            .about("elastic below this part of the largest deflection, below 1"),
        BRISTLES,
        CELLS,
        RESOLUTION,
    ],
    make: |values| Ok(Arc::new(of_values(values, Plasticity::Above(values.given("breakaway")))?)),
};

const STIFFNESS: Key = Key::optional("sigma0", Form::Number(Range::Positive), "1/m")
    .or(Preset::Number(1e6))
    .about("stiffness per unit load");
const DAMPING: Key = Key::optional("sigma1", Form::Number(Range::NonNegative), "s/m")
    .or(Preset::Number(800.0))
    .about("damping per unit load");
const VISCOSITY: Key = Key::optional("sigma2", Form::Number(Range::NonNegative), "s/m")
    .or(Preset::Number(0.0))
    .about("viscous friction per unit load");
const DAMPING_SPEED: Key = Key::optional("damping_speed", Form::Number(Range::Positive), "m/s")
    .about("damping falls with speed v as exp(-(v/damping_speed)^2); default: it does not");

const BRISTLES: Key = Key::optional("bristles", Form::Word(&PLACINGS), "")
    .or(Preset::Word("patch"))
    .about("\"patch\": three on the limit surface; \"reduced\": three on its table; \"distributed\": two in every cell");
const CELLS: Key = Key::optional("cells", Form::Whole(3, 64), "")
    .about("cells along a side, where bristles are \"reduced\" or \"distributed\"; default 21");
const RESOLUTION: Key = Key::optional("resolution", Form::Whole(1, 500), "")
    .about("cells of the table from spin to sliding, where bristles are \"reduced\"; default 20");
const PLACINGS: [&str; 3] = ["patch", "reduced", "distributed"];

/// The paper's N and N_ls.
const USUAL: (usize, usize) = (21, 20);

fn placing(values: &Values) -> Result<Placing, KeyError> {
    let idle = |key: &'static str, of: &'static str| {
        let fault = KeyError::new(key, Fault::Idle("bristles", of));
        if values.has(key) { Err(fault) } else { Ok(()) }
    };
    let number = |key: &str, usual: usize| if values.has(key) { values.whole(key) } else { usual };
    let cells = number("cells", USUAL.0);
    let is = |word: &str| values.get("bristles") == Some(&Value::from(word));
    if is("reduced") {
        return Ok(Placing::Reduced { cells, resolution: number("resolution", USUAL.1) });
    }
    idle("resolution", "reduced")?;
    if is("distributed") {
        return Ok(Placing::Distributed { cells });
    }
    idle("cells", "distributed")?;
    Ok(Placing::Patch)
}

fn of_values(values: &Values, plasticity: Plasticity) -> Result<Bristles, KeyError> {
    let parameters = Parameters {
        stiffness: values.given("sigma0"),
        damping: values.given("sigma1"),
        viscosity: values.given("sigma2"),
        damping_speed: values.number("damping_speed"),
        plasticity,
        ..Parameters::without_stribeck()
    };
    // All but this one are checked by their forms.
    Bristles::new(parameters).at("breakaway")?.placed(placing(values)?).at("cells")
}
