//! What a graphics adapter does for Asperity: offscreen pictures, and friction sampled at many
//! contacts, and volumes that bodies share.
//!
//! # Pictures
//!
//! A [`picture::Stage`] holds meshes and images that stay the same; a [`picture::Shot`] says where
//! they are, from where they are seen and what is drawn over them. A [`Renderer`] turns shots into
//! [`Frame`]s: colours, and on request which instance every pixel shows. There are two, and both
//! take the same descriptions: one on a graphics adapter through wgpu, one in plain code for
//! machines without any.
//!
//! They know of no physics.
//!
//! ```
//! use asperity_gpu::picture::{Instance, Mesh, Shot, Stage};
//! use asperity_gpu::{Choice, Renderer};
//!
//! let triangle = Mesh::flat(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
//! let stage = Stage { meshes: vec![triangle], ..Stage::default() };
//! let mut shot = Shot::new([32, 24]);
//! shot.identities = true;
//! shot.instances.push(Instance::new(0, 7));
//! let frame = Renderer::new(Choice::Cpu, stage)?.draw(&shot)?;
//! assert!(frame.identities.contains(&7));
//! # Ok::<(), asperity_gpu::RenderError>(())
//! ```
//!
//! # Contact patches
//!
//! A [`PatchSampler`] looks at the patches of `asperity-friction` by compute shaders, any number in
//! one submission, and agrees with the sampler in plain code to single precision.
//!
//! # Volumes
//!
//! [`VolumeRays`] finds what pairs of closed meshes share by parallel rays in three directions (the
//! way of Bouchard et al. 2015), any number of pairs in one submission.
//!
//! Nothing here opens files.

mod compute;
mod device;
mod draw;
mod error;
mod frame;
pub mod picture;
mod plain;
mod renderer;
mod sample;
mod volume;

pub use error::RenderError;
pub use frame::Frame;
pub use renderer::{Choice, Renderer};
pub use sample::PatchSampler;
pub use volume::{MAX_RAYS, RayMesh, RayMoments, RayPair, VolumeRays};
