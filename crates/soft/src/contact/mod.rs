//! Contacts of deformables: with each other, with themselves and with rigid shapes.
//!
//! Everything works on plain lists, with the vertices of all bodies in one: positions,
//! velocities, inverse masses, triangles, texture coordinates.
//!
//! - [`Topology`] names what can touch, [`Detector`] finds what does: vertices on faces, edges on
//!   edges, vertices on an [`Obstacle`]. Corners and edges of rigid shapes take part as vertices
//!   of a rigid [`ContactMesh`].
//! - [`VelocityFilter`] changes velocities contact by contact (Pabst 2009, section 3).
//!   [`SoftProblem`] gives the same contacts to a general solver.
//! - [`ImpactSolver`] sees to it that nothing passes through anything.
//! - [`ContactStage`] does all of it in order. Friction comes from outside: [`FrictionLaws`], or a
//!   closure that makes a set of a [`ContactGeometry`].

mod beside;
mod bvh;
mod closest;
mod continuous;
mod crossing;
mod cubic;
mod detect;
mod drag;
mod filter;
mod frames;
mod hold;
mod impact;
mod implicit;
mod laws;
mod meet;
mod obstacle;
mod problem;
mod quiet;
mod record;
mod resist;
mod seams;
mod slide;
mod stage;
mod together;
mod topology;

pub use bvh::{Aabb, Bvh, Found};
pub use closest::{Region, point_triangle, segments};
pub use continuous::{Impact, edge_edge_time, vertex_face_time};
pub use detect::{Detector, Motion};
pub use filter::{FilterReport, FrictionRule, VelocityFilter};
pub use frames::{ContactGeometry, VertexFrames};
pub use impact::{ImpactOptions, ImpactReport, ImpactSolver};
pub use implicit::{ImplicitContact, ImplicitOptions, ImplicitReport};
pub use laws::FrictionLaws;
pub use meet::ContactKey;
pub use obstacle::Obstacle;
pub use problem::{Dofs, RigidDof, SoftProblem};
pub use record::{Contacts, NO_SURFACE, SoftContact, SurfaceAxes, SurfaceContact};
pub use stage::{ContactStage, StageOptions, StageReport, StageTimes, Step};
pub use together::Placed;
pub use topology::{ContactError, ContactMesh, Topology};
