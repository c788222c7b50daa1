//! The friction models of pairs, from the registry: sections, extents, memories and contacts.

use std::iter::once;

use asperity_friction::extent::EXTENTS;
use asperity_friction::memory::MEMORIES;
use asperity_friction::registry::Model;
use asperity_friction::section::SECTIONS;

use crate::spec::{Entry, Models};

/// `section` of a pair.
pub(crate) static SECTION: Models = Models {
    name: "Section",
    doc: "a friction model",
    entries: || entries(SECTIONS).collect(),
    by_name: false,
};

/// `memory` of a pair.
pub(crate) static MEMORY: Models = Models {
    name: "Memory",
    doc: "whether contacts remember",
    entries: || once(NO_MEMORY).chain(entries(MEMORIES)).collect(),
    by_name: true,
};

/// `extent` of a pair.
pub(crate) static EXTENT: Models = Models {
    name: "Extent",
    doc: "whether a patch carries torque",
    entries: || entries(EXTENTS).filter(|entry| entry.name != WRENCH).collect(),
    by_name: true,
};

/// `contact` of the world or of a pair. A wrench is an extent that also changes how contacts are found.
pub(crate) static CONTACT: Models = Models {
    name: "Contact",
    doc: "how bodies touch",
    entries: || once(POINTS).chain(entries(EXTENTS).filter(|e| e.name == WRENCH)).collect(),
    by_name: true,
};

/// Contacts that remember nothing.
pub(crate) const NO_MEMORY: Entry =
    Entry { name: "none", doc: "Contacts remember nothing; the default", keys: &[] };

/// Contacts at points.
pub(crate) const POINTS: Entry =
    Entry { name: "points", doc: "At contact points; the default", keys: &[] };

/// The extent that is chosen by how bodies touch.
const WRENCH: &str = "wrench";

fn entries<T>(models: &'static [&'static Model<T>]) -> impl Iterator<Item = Entry> {
    models.iter().map(|model| model.entry())
}
