//! Friction laws of contacts of soft bodies.

use asperity_friction::pairing::Pairing;
use asperity_friction::set::{Disk, Set};
use asperity_friction::{ContactFrame, ContactState};
use asperity_soft::contact::ContactGeometry;
use glamx::{DVec2, DVec3};

use crate::world::WorldError;

/// The friction set of a contact between two materials.
pub(super) fn law(pairing: &Pairing, surfaces: [usize; 2], g: &ContactGeometry) -> Set {
    let Ok(pair) = pairing.pair(surfaces[0], surfaces[1]) else {
        // Pairs without a section are refused when a body is added.
        return Set::from(Disk::frictionless());
    };
    let at = |side: usize| {
        let axes = g.axes[side];
        pairing.surfaces()[surfaces[side]].at(axes.tangent, axes.bitangent, axes.uv)
    };
    let state = ContactState {
        frame: g.frame,
        surfaces: [at(0), at(1)],
        slip: g.slip,
        free_slip: g.free_slip,
        last_load: None,
        dt: g.dt,
    };
    pair.section.law(&state).set
}

/// Soft contacts look at a point and have two friction rows; other models are refused.
pub(super) fn check_pair(pairing: &Pairing, a: usize, b: usize) -> Result<(), WorldError> {
    let pair = pairing.pair(a, b)?;
    let names = [a, b].map(|k| pairing.surfaces()[k].name.clone());
    let refuse = |what: &str| {
        Err(WorldError::Bad(format!(
            "materials \"{}\" and \"{}\": {what}; cloth and soft solids take sections of single points, such as \"tensor\" or \"coulomb\"",
            names[0], names[1]
        )))
    };
    if pair.section.sampling().is_some() {
        return refuse("their section looks at patches of normal maps");
    }
    let surfaces = [a, b].map(|k| pairing.surfaces()[k].at(DVec3::X, DVec3::Z, DVec2::ZERO));
    let state = ContactState {
        frame: ContactFrame::from_normal(DVec3::Y),
        surfaces,
        slip: DVec3::X,
        free_slip: DVec3::X,
        last_load: None,
        dt: 0.01,
    };
    if pair.section.law(&state).set.dim() != 2 {
        return refuse("their section has torques");
    }
    Ok(())
}
