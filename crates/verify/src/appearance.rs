//! `asperity verify appearance`: friction from normal maps (Andrews et al. 2021).

mod lies;
mod nut;
mod pipeline;
mod real_maps;
pub mod roughness;
pub mod running;
mod samplers;
mod scanned;
mod synthetic;
mod turning;

use asperity::friction::set::Rotation;
use asperity::friction::surface::patch::{Sampler, Window};
use asperity::friction::surface::{Relief, SlopeMap};

use crate::pressed::Pressed;
use crate::scenes::expectations;
use crate::{Group, Host, Inputs, VerifyError};

/// All groups. The data are normal maps and height maps, in the folder or in folders below it.
pub(crate) fn groups<'a>(host: &'a dyn Host, inputs: &Inputs) -> Vec<Group<'a>> {
    let (data, scenes) = (inputs.data.clone(), inputs.scenes.clone());
    let mut groups: Vec<Group> = vec![
        ("isotropic roughness", Box::new(synthetic::isotropic)),
        ("anisotropic slopes", Box::new(synthetic::anisotropic)),
        ("sawtooth", Box::new(synthetic::sawtooth)),
        ("ridges at an angle", Box::new(turning::ridges)),
        ("turned maps", Box::new(turning::turned)),
        ("friction against roughness (Fig. 2)", Box::new(roughness::curve)),
    ];
    if let Some(data) = data {
        let normals = data.clone();
        groups.push((
            "normal maps of published assets",
            Box::new(move || real_maps::maps(host, &normals)),
        ));
        groups
            .push(("scanned surfaces in scenes", Box::new(move || scanned::scanned(host, &data))));
    }
    groups.push(("files that lie", Box::new(lies::lies)));
    let folder = scenes.clone();
    let seen = move || running::contacts(host, &folder);
    groups.push(("contacts of a running scene (Fig. 7)", Box::new(seen)));
    let folder = scenes.clone();
    let advance = move || nut::advance(host, &folder);
    groups.push(("advance of the bolt per turn (Fig. 13)", Box::new(advance)));
    let folder = scenes.clone();
    groups.push(("both samplers on every scene", Box::new(move || samplers::agree(host, &folder))));
    let folder = scenes.clone();
    let lost = move || pipeline::lost(host, &folder);
    groups.push(("the paper's pipeline: boxes and projected Gauss-Seidel", Box::new(lost)));
    let run = move || expectations(host, &scenes);
    groups.push(("expectations of every scene", Box::new(run)));
    groups
}

/// Texels along a side of the synthetic maps.
const TEXELS: usize = 512;

/// A window that shows every texel of a square map at its centre.
fn whole(map: &SlopeMap) -> Window {
    Window::about_point(map.size().x, map.dimensions().0, 0.0, Rotation::IDENTITY)
}

/// Coefficients of sixteen directions: of one surface alone, or of both.
fn coefficients(pressed: &Pressed) -> Result<Vec<f64>, VerifyError> {
    let mut sampler = Sampler::new(16)?;
    let sample = sampler.sample(&pressed.patch());
    Ok((0..16).map(|k| sample.mu(k)).collect())
}

/// A relief whose mask is 1.
fn plain(map: SlopeMap) -> Relief {
    Relief::plain(map)
}

/// How far apart two directions without a sense are, degrees.
fn apart(a: f64, b: f64) -> f64 {
    let turn = (a - b).to_degrees().rem_euclid(180.0);
    turn.min(180.0 - turn)
}
