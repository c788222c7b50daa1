//! Contacts of deformables: with each other, with themselves and with rigid shapes.
//!
//! Everything works on plain lists, with the vertices of all bodies in one: positions,
//! velocities, inverse masses, triangles, texture coordinates.
//!
//! - [`Topology`] names what can touch, [`Detector`] finds what does: vertices on faces, edges on
//!   edges, vertices on an [`Obstacle`]. Corners and edges of rigid shapes take part as vertices
//!   of a rigid [`ContactMesh`].
//! - [`VelocityFilter`] changes velocities contact by contact (Pabst 2009, section 3).
//!   [`SoftProblem`] gives contacts to a general solver, [`SoftRows`] appends them to another
//!   problem.
//! - [`ImpactSolver`] sees to it that nothing passes through anything.
//! - [`ContactStage`] does all of it in order. Friction comes from outside: [`FrictionLaws`], or a
//!   closure that makes a law of a [`ContactGeometry`].

mod bvh;
mod closest_points;
mod contact_list;
mod crossing;
mod cubic;
mod detector;
mod drag;
mod filter;
mod frames;
mod held_features;
mod held_vertices;
mod impact_solver;
mod impact_times;
mod implicit_contact;
mod implicit_step;
mod known_gaps;
mod laws;
mod obstacle;
mod point_friction;
mod problem;
mod resist;
mod rings;
mod rows;
mod seams;
mod solver_step;
mod stage;
mod topology;

pub use bvh::{Aabb, Bvh, Found};
pub use closest_points::{Region, point_triangle, segments};
pub use contact_list::{
    Contacts, FeatureKey, NO_SURFACE, SoftContact, SurfaceAxes, SurfaceContact,
};
pub use crossing::Crossing;
pub use detector::{Detector, Motion};
pub use filter::{FilterReport, FrictionRule, VelocityFilter};
pub use frames::{ContactGeometry, VertexFrames};
pub use impact_solver::{ImpactOptions, ImpactReport, ImpactSolver, Paths};
pub use impact_times::{Impact, edge_edge_time, vertex_face_time};
pub use implicit_contact::{ImplicitContact, ImplicitOptions, ImplicitReport};
pub use implicit_step::Placed;
pub use laws::FrictionLaws;
pub use obstacle::Obstacle;
pub use problem::SoftProblem;
pub use rows::{Dofs, RigidDof, RowContacts, SoftRows, VertexMasses};
pub use stage::{ContactStage, StageOptions, StageReport, StageTimes, Step};
pub use topology::{ContactError, ContactMesh, Topology};
