//! `asperity verify wrench`: overlaps of closed shapes and the 6-D contact of Bouchard et al. 2015.

mod bad_shapes;
pub(crate) mod convergence;
pub(crate) mod counts;
pub(crate) mod points;
mod salad;
mod volumes;

use std::path::PathBuf;

use super::rigid::Group;
use super::scenes::expectations;
use crate::sampler::Which;

/// All groups.
pub(super) fn groups(scenes: PathBuf, full: bool) -> Vec<Group> {
    let folder = scenes.clone();
    vec![
        ("overlaps against closed forms", Box::new(volumes::closed_forms)),
        ("gradient of the volume against differences", Box::new(volumes::gradients)),
        ("turned meshes: exact, by rays, and both ways round", Box::new(volumes::turned)),
        ("octagonal block: sweeps to 1e-15", Box::new(convergence::octagon)),
        ("tapered stack: sweeps, wrench and points", Box::new(move || convergence::stack(full))),
        ("salad: sweeps, wrench and points", Box::new(move || salad::salad(&folder, full))),
        ("bad and thin shapes", Box::new(bad_shapes::shapes)),
        ("slip threshold near an edge", Box::new(convergence::threshold)),
        ("expectations of every scene", Box::new(move || expectations(&scenes, Which::Cpu))),
    ]
}
