//! What happened in a world, step by step, as tables and arrays.
//!
//! A [`Recorder`] watches a world after its steps and keeps every so many of them as a
//! [`Recording`], which writes itself as CSV texts ([`Recording::write_bodies`] and its
//! neighbours) and as one npz archive ([`Recording::write_npz`]). [`Recording::read`] reads it back
//! from these files. It also keeps a [`Summary`] of all steps, recorded or not. The same run gives
//! the same bytes.
//!
//! ```
//! use asperity::friction::pairing::{Fallback, Pairing};
//! use asperity::friction::section::Coulomb;
//! use asperity::friction::surface::Surface;
//! use asperity_scene::record::Recorder;
//! use asperity::world::Settings;
//! use asperity::{BodyDesc, Shape, World};
//!
//! let section = Fallback::Section(std::sync::Arc::new(Coulomb::new(0.5)?));
//! let pairing = Pairing::new(vec![Surface::new("oak")], vec![], &section)?;
//! let mut world = World::new(Settings::default(), pairing);
//! world.add_body(BodyDesc::new("ball", Shape::Sphere { radius: 0.1 }))?;
//! let mut recorder = Recorder::new(&world, Vec::new(), 10);
//! recorder.observe(&world, &[]);
//! for _ in 0..100 {
//!     world.step();
//!     recorder.observe(&world, &[]);
//! }
//! let (recording, summary) = recorder.finish(&world, &[]);
//! assert_eq!((recording.len(), summary.steps), (11, 100));
//! let mut text = Vec::new();
//! recording.write_bodies(&mut text)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod columns;
mod edges;
pub mod files;
pub mod glb;
mod inventory;
mod npy;
mod npz;
mod read;
mod soft;
mod soundness;
mod split;
mod summary;
mod table;
mod tables;

pub use animation::AnimationError;
pub use columns::{Channel, ContactColumns, Recording, WorldColumns};
pub use files::ReadingError;
pub use inventory::{Inventory, PairUse};
pub use read::{ReadError, SoftRecord};
pub use soft::SoftColumns;
pub use soundness::{
    DeepestOverlap, DeepestSoftOverlap, EnergyRise, LargestStretch, Soundness, WidestGape,
};
pub use summary::Summary;

use asperity::world::World;
use columns::Worst;
use edges::Edges;

/// Watches a world and keeps every so many steps of it.
#[derive(Debug)]
pub struct Recorder {
    every: u64,
    recording: Recording,
    summary: Summary,
    /// Since the last frame.
    worst: Worst,
    /// Of soft bodies, as they were at the start.
    edges: Vec<Edges>,
}

impl Recorder {
    /// A recorder of this world's bodies and of these channels. Keeps the start and then every
    /// `every`-th step (0 counts as 1).
    pub fn new(world: &World, channels: Vec<Channel>, every: u64) -> Recorder {
        Recorder {
            every: every.max(1),
            recording: Recording::new(world, channels),
            summary: Summary::default(),
            worst: Worst::default(),
            edges: world
                .softs()
                .iter()
                .map(|s| Edges::new(&s.body.triangles, &s.body.positions))
                .collect(),
        }
    }

    /// Looks at the world: once before the first step, then after each step. `values` are those
    /// of the channels, in their order; missing ones are recorded as NaN.
    pub fn observe(&mut self, world: &World, values: &[f64]) {
        self.summary.see(world, &self.edges);
        self.worst.see(world.report());
        if world.steps().is_multiple_of(self.every) {
            self.keep(world, values);
        }
    }

    /// What was seen of all steps so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Ends the recording; the last step is kept in any case.
    pub fn finish(mut self, world: &World, values: &[f64]) -> (Recording, Summary) {
        if self.recording.world.step.last() != Some(&world.steps()) {
            self.keep(world, values);
        }
        // Only stretches need them.
        self.recording.softs.iter_mut().for_each(|soft| soft.edges = Edges::default());
        (self.recording, self.summary)
    }

    fn keep(&mut self, world: &World, values: &[f64]) {
        let worst = std::mem::take(&mut self.worst);
        self.recording.push(world, &worst, values);
    }
}
