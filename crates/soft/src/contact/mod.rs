//! Contacts of deformables: with each other, with themselves and with rigid shapes.

mod beside;
mod bvh;
mod closest;
mod continuous;
mod crossing;
mod cubic;
mod detect;
mod filter;
mod frames;
mod impact;
mod obstacle;
mod problem;
mod record;
mod slide;
mod stage;
mod topology;

pub use bvh::{Aabb, Bvh, Found};
pub use closest::{Region, point_triangle, segments};
pub use continuous::{Impact, edge_edge_time, vertex_face_time};
pub use detect::{Detector, Motion};
pub use filter::{FilterReport, FrictionRule, VelocityFilter};
pub use frames::{ContactGeometry, VertexFrames};
pub use impact::{ImpactOptions, ImpactReport, ImpactSolver};
pub use obstacle::Obstacle;
pub use problem::{Dofs, RigidDof, SoftProblem};
pub use record::{Contacts, NO_SURFACE, SoftContact, SurfaceAxes, SurfaceContact};
pub use stage::{ContactStage, StageOptions, StageReport, StageTimes, Step};
pub use topology::{ContactError, ContactMesh, Topology};
