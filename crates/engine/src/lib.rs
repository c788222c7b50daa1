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

mod approach;
mod assemble;
pub mod audit;
pub mod body;
pub mod contact;
pub mod drive;
mod dynamics;
mod free_slip;
pub mod incline;
mod island;
pub mod joint;
mod laws;
pub mod measure;
mod memory;
mod motion;
mod observation;
mod outcome;
mod passing;
pub mod profile;
pub mod report;
pub mod sampling;
pub mod settings;
mod site;
mod sleep;
pub mod snapshot;
pub mod soft;
mod stabilisation;
mod step;
mod wear;
pub mod world;

pub use body::{BodyDesc, BodyId, BodyKind};
pub use geometry::shape::Shape;
pub use settings::Settings;
pub use world::World;

/// The example of the README, as a test.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;
