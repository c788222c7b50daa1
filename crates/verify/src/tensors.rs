//! `asperity verify tensors`: cloth and soft solids with friction tensors (Pabst et al. 2009).

mod cigars;
mod controls;
mod drapes;
mod elasticity;
mod friction;
mod orthotropy;
mod rope;
mod scenes;

use crate::{Group, Host, Inputs};

/// All groups.
pub(crate) fn groups<'a>(host: &'a dyn Host, inputs: &Inputs) -> Vec<Group<'a>> {
    let (full, scenes, folder) = (inputs.full, inputs.scenes.clone(), inputs.scenes.clone());
    vec![
        ("bending", Box::new(elasticity::bending)),
        ("bending along warp and weft", Box::new(orthotropy::orthotropy)),
        ("hanging", Box::new(elasticity::hanging)),
        ("patch test and energy", Box::new(elasticity::patch_and_energy)),
        ("where cloth lets go", Box::new(friction::thresholds)),
        ("where cloth heads", Box::new(friction::heading)),
        ("asymmetric and striped friction", Box::new(friction::distances)),
        ("momentum", Box::new(friction::momentum)),
        ("drapes on a turning sphere", Box::new(move || drapes::drapes(host, &folder, full))),
        ("scenes", Box::new(move || scenes::scenes(host, &scenes, full))),
    ]
}
