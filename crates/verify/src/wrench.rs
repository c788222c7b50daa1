//! `asperity verify wrench`: overlaps of closed shapes and the 6-D contact of Bouchard et al. 2015.

mod bad_shapes;
mod coin;
pub mod convergence;
pub mod counts;
mod edge;
pub mod points;
mod salad;
pub mod transcription;
mod volumes;

use crate::scenes::expectations;
use crate::{Group, Host, Inputs};

/// All groups.
pub(crate) fn groups<'a>(host: &'a dyn Host, inputs: &Inputs) -> Vec<Group<'a>> {
    let (full, scenes, folder) = (inputs.full, inputs.scenes.clone(), inputs.scenes.clone());
    vec![
        ("overlaps against closed forms", Box::new(volumes::closed_forms)),
        ("gradient of the volume against differences", Box::new(volumes::gradients)),
        ("turned meshes: exact, by rays, and both ways round", Box::new(volumes::turned)),
        ("octagonal block: sweeps to 1e-15", Box::new(convergence::octagon)),
        ("stacks of cubes: sweeps, wrench and points", Box::new(move || convergence::stack(full))),
        ("salad: sweeps, wrench and points", Box::new(move || salad::salad(host, &folder, full))),
        ("cubes at an edge", Box::new(edge::edge)),
        ("a coin on its rim", Box::new(coin::coin)),
        ("bad and thin shapes", Box::new(bad_shapes::shapes)),
        ("slip threshold near an edge", Box::new(convergence::threshold)),
        ("expectations of every scene", Box::new(move || expectations(host, &scenes))),
    ]
}
