//! Asperity: a physics engine in which friction is the subject.
//!
//! This is the crate to depend on. It re-exports [`friction`] (sets and models) and [`solve`]
//! (contact problems and solvers), and holds the engine that joins them: a [`World`] of rigid
//! bodies, stepped by [`World::step`].

pub use asperity_friction as friction;
pub use asperity_geometry as geometry;
pub use asperity_soft as deform;
pub use asperity_solve as solve;
pub use glamx;

mod ask;
mod assemble;
pub mod body;
pub mod contact;
pub mod drive;
mod dynamics;
mod frictionless;
pub mod incline;
mod island;
pub mod joint;
mod laws;
mod look;
pub mod measure;
pub mod patch_block;
pub mod profile;
pub mod sample;
mod settings;
pub mod snapshot;
pub mod soft;
mod stabilise;
mod step;
pub mod world;
pub mod wrench;

pub use body::{BodyDesc, BodyId, BodyKind};
pub use geometry::shape::Shape;
pub use world::World;
