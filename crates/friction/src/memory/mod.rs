//! Friction that remembers: bristles that bend before they slip (Arslan Waltersson &
//! Karayiannidis, *Planar Friction Modelling with LuGre Dynamics and Limit Surfaces*).
//!
//! - [`Parameters`]: stiffness, damping, Stribeck's curve, LuGre or elasto-plastic;
//! - [`bristle`]: one bristle in one, two or three dimensions;
//! - [`Distributed`]: a bristle in every cell of a patch (section IV);
//! - [`Reduced`]: three bristles for the whole patch (section V);
//! - [`StepLaw`]: either of them as a solver takes it.
//!
//! Twists are (v_x, v_y, ω) at the centre of pressure, wrenches (f_x, f_y, τ) about it. A wrench
//! acts on the moving body, so it opposes the motion.

pub mod bristle;
mod distributed;
pub mod elasto_plastic;
mod kernel;
mod parameters;
mod reduced;
mod step_law;

pub use distributed::Distributed;
pub use parameters::{Parameters, Passivity, Plasticity};
pub use reduced::Reduced;
pub use step_law::StepLaw;
