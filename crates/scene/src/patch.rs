//! `extent`, `memory` and `contact`: whether patches carry torque, whether they remember, and how
//! bodies touch.

use std::sync::Arc;

use asperity_friction::extent::{EXTENTS, Extent, WrenchOptions};
use asperity_friction::memory::{MEMORIES, Memory};
use asperity_friction::pairing::{Fallback, check_patch};
use asperity_friction::section::Coulomb;

use super::format::model::{CONTACT, EXTENT, MEMORY, NO_MEMORY, POINTS};
use super::model;
use super::reader::Fields;

/// A memory, if there is one.
pub(crate) type SomeMemory = Option<Arc<dyn Memory>>;

/// How bodies touch: by one wrench for each volume they share, or at points.
pub(crate) type ContactKind = Option<WrenchOptions>;

/// Reads extent and memory. A memory that belongs to a whole patch, as bristles do, carries spin
/// unless the pair says otherwise, which is refused.
pub(crate) fn read(fields: &Fields) -> Option<(Extent, SomeMemory)> {
    let extent = if fields.has("extent") {
        Some(model::read(fields, "extent", &EXTENT)?.make(EXTENTS)?)
    } else {
        None
    };
    let memory = if fields.has("memory") { memory(fields)? } else { None };
    let at_points = |memory: &Arc<dyn Memory>| {
        let coulomb = Coulomb::new(1.0);
        coulomb.is_ok_and(|coulomb| memory.check(&Extent::Point, &coulomb).is_ok())
    };
    let usual = if memory.as_ref().is_none_or(at_points) { Extent::Point } else { Extent::Spin };
    Some((extent.unwrap_or(usual), memory))
}

fn memory(fields: &Fields) -> Option<SomeMemory> {
    let chosen = model::read(fields, "memory", &MEMORY)?;
    if chosen.name == NO_MEMORY.name { Some(None) } else { chosen.make(MEMORIES).map(Some) }
}

/// Reads `contact` of the world or of a pair; `None` where it is not there, or wrong.
pub(crate) fn contact(fields: &Fields) -> Option<ContactKind> {
    let chosen = model::read(fields, "contact", &CONTACT)?;
    if chosen.name == POINTS.name {
        return Some(None);
    }
    match chosen.make(EXTENTS)? {
        Extent::Wrench(options) => Some(Some(options)),
        Extent::Point | Extent::Spin | Extent::Pressed(_) => None,
    }
}

/// Whether the section of an entry goes with its extent and memory; complains where not.
pub(crate) fn fits(fields: &Fields, rule: &Fallback, extent: Extent, memory: &SomeMemory) -> bool {
    let memory = memory.as_deref();
    let checked = match rule {
        Fallback::Section(section) => check_patch(section.as_ref(), &extent, memory),
        // Combined coefficients are Coulomb friction.
        Fallback::Combine(_) => {
            Coulomb::new(1.0).and_then(|coulomb| check_patch(&coulomb, &extent, memory))
        }
    };
    let Err(e) = checked else { return true };
    let key = if fields.has("extent") { "extent" } else { "memory" };
    fields.complain(key, format!("{}: {e}", fields.label));
    false
}
