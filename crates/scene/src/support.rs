//! How the solver of a scene takes the friction of its pairs, told when the scene loads.

use asperity_friction::extent::disc_set;
use asperity_friction::pairing::{Extent, Pair};
use asperity_friction::set::Set;
use asperity_friction::surface::Surface;
use asperity_friction::{ContactFrame, ContactState};
use asperity_solve::{PgsSolver, Support};
use glamx::{DVec2, DVec3};

use super::error::Log;
use super::settings::WorldTable;
use asperity::world::Method;

/// Warns where the solver replaces the sets of a pair by others, and complains where it cannot take
/// them. `prox` takes all sets as they are.
pub(crate) fn tell(log: &Log, table: &WorldTable, pair: &Pair, [a, b]: [&Surface; 2]) {
    let (Method::Pgs, Some(at)) = (table.settings.method, table.method_at) else { return };
    let set = typical(pair, [a, b]);
    let what = format!(
        "the solver \"pgs\" and the friction of materials \"{}\" and \"{}\", a set \"{}\"",
        a.name,
        b.name,
        set.name()
    );
    let instead = "method = \"prox\" takes it as it is";
    match PgsSolver::supports(&set) {
        Support::Native => {}
        Support::Approximate(how) => {
            log.warn(at, format!("{what}: it is replaced by {how}; {instead}"));
        }
        Support::Unsupported => log.add(at, format!("{what}: it does not take it; {instead}")),
    }
}

/// A set such as contacts of the pair have: of two flat surfaces at the origins of their textures.
fn typical(pair: &Pair, surfaces: [&Surface; 2]) -> Set {
    let state = ContactState {
        frame: ContactFrame::from_normal(DVec3::Y),
        surfaces: surfaces.map(|s| s.at(DVec3::X, DVec3::Z, DVec2::ZERO)),
        slip: DVec3::ZERO,
        free_slip: DVec3::X,
        last_load: None,
        dt: 0.01,
    };
    let section = pair.section.law(&state).set;
    match (pair.extent, disc_set(1.0, None, 1.0, 1)) {
        (Extent::Spin, Ok(patch)) => patch.into(),
        _ => section,
    }
}
