//! Patches that carry spin: pressure distributions and their limit surfaces (Arslan Waltersson &
//! Karayiannidis, sections III-D and V).
//!
//! Twists are (v_x, v_y, ω) at the centre of pressure, wrenches (f_x, f_y, τ) about it, per unit
//! load and for a friction coefficient of one. A wrench acts on the moving body, so it opposes the
//! motion.

mod angle;
mod bouchard2015_wrench;
pub(crate) mod cells;
mod curve;
mod exact;
mod full_table;
mod limit_map;
mod patch_polytope;
mod patch_set;
mod pressure;
pub(crate) mod rings;
mod shapes;
pub mod steady;
mod table;

pub use bouchard2015_wrench::{Block, Metric, Rim, Rolling, Screw, Slip, SpinLaw, Wrench};
pub use curve::Curve;
pub use exact::Exact;
pub use full_table::FullTable;
pub use limit_map::LimitMap;
pub use patch_polytope::{cell_polytope, line_polytope, polygon_polytope};
pub use patch_set::{cell_set, disc_set, line_set, polygon_set};
pub use pressure::{MAX_SIDE, Pressure};
pub use shapes::{Shape, load_radius};
pub use table::{MAX_RESOLUTION, Table, sampled_twist};
