//! Patches that carry spin: pressure distributions and their limit surfaces (Arslan Waltersson &
//! Karayiannidis, sections III-D and V).
//!
//! Twists are (v_x, v_y, ω) at the centre of pressure, wrenches (f_x, f_y, τ) about it, per unit
//! load and for a friction coefficient of one. A wrench acts on the moving body, so it opposes the
//! motion.

mod angle;
mod bed;
pub(crate) mod cells;
mod curve;
mod ellipse_patch;
mod exact;
mod footprint;
mod full_table;
mod limit_map;
mod outline;
mod patch_polytope;
mod patch_set;
pub(crate) mod planar;
mod pressing;
mod pressure;
pub(crate) mod rings;
mod shapes;
pub(crate) mod spin;
mod spread;
pub mod steady;
mod table;
mod wrench_options;

pub use crate::set::wrench::{
    Algorithm, Block, Metric, Rim, Rolling, Screw, Slip, SpinLaw, Wrench,
};
pub use bed::{Bed, Fineness};
pub use curve::Curve;
pub use ellipse_patch::{CORNERS, EllipsePatch};
pub use exact::Exact;
pub use footprint::{ContactArea, Footprint, PatchLimit};
pub use full_table::FullTable;
pub use limit_map::LimitMap;
pub use outline::{Contour, Outline};
pub use patch_polytope::{line_polytope, pieces_polytope, polygon_polytope};
pub use patch_set::{cell_set, disc_set, line_set, pieces_set, polygon_set};
pub use pressing::{Pressed, Pressing, PressureRule};
pub use pressure::{MAX_SIDE, Pressure};
pub use shapes::{Shape, load_radius};
pub use spread::Spread;
pub use table::{MAX_RESOLUTION, Table, sampled_twist};
pub use wrench_options::{
    NORMALS, NormalRule, PATCHES, PatchShape, SpinRule, Target, WrenchOptions,
};

use crate::FrictionError;
use crate::registry::{Form, Key, Model, Preset, words};
use crate::section::Section;

/// All extents by name.
pub static EXTENTS: &[&Model<Extent>] = &[&POINT, &SPIN, &wrench_options::MODEL];

/// Whether a contact carries torque.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Extent {
    /// Every contact point has friction of its own.
    #[default]
    Point,
    /// The whole patch under uniform pressure has one limit surface of sliding and spin.
    Spin,
    /// The same under another pressure.
    Pressed(PressureRule),
    /// The patch of each volume that two bodies share carries one wrench (Bouchard 2015).
    Wrench(WrenchOptions),
}

impl Extent {
    /// Whether a whole patch has one law.
    pub fn is_spin(&self) -> bool {
        matches!(self, Extent::Spin | Extent::Pressed(_))
    }

    /// Whether the extent goes with a section; an error that says what does.
    pub fn check(&self, section: &dyn Section) -> Result<(), FrictionError> {
        match (self, section.no_limit_surface()) {
            (Extent::Spin | Extent::Pressed(_), Some(why)) => Err(FrictionError::Shape(format!(
                "the section \"{}\" has no limit surface for the extent \"spin\": {why}, or use the \
                 extent \"point\"",
                section.name()
            ))),
            (Extent::Wrench(WrenchOptions { spin: SpinRule::Contensou, .. }), _)
                if section.needs().surfaces =>
            {
                Err(FrictionError::Shape(
                    "this section has no limit surface for spin = \"contensou\"; expected the \
                     section \"coulomb\", or spin = \"corners\""
                        .to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }
}

static POINT: Model<Extent> = Model {
    name: "point",
    doc: "Every contact point has friction of its own",
    keys: &[],
    make: |_| Ok(Extent::Point),
};

static SPIN: Model<Extent> = Model {
    name: "spin",
    doc: "The whole patch has one limit surface of sliding and spin",
    keys: &[Key::optional("pressure", Form::Word(&words(&PRESSURES)), "")
        .or(Preset::Word("uniform"))
        .about("how the load lies on the patch: \"linear\" leans towards its centre, \"map\" goes by the materials")],
    make: |values| Ok(values.choice("pressure", &PRESSURES)?.map_or(Extent::Spin, Extent::Pressed)),
};

/// Pressures by name.
const PRESSURES: [(&str, Option<PressureRule>); 4] = [
    ("uniform", None),
    ("linear", Some(PressureRule::Linear)),
    ("hertz", Some(PressureRule::Hertz)),
    ("map", Some(PressureRule::Map)),
];
