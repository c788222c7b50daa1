//! Asperity in the comparison.

use std::sync::Arc;

use asperity::World;
use asperity::body::{BodyDesc, Mass};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DPose3, DQuat, DVec3};
use asperity::measure::Solved;
use asperity::solve::{SolveOptions, residual, residual_without_units};
use asperity::world::Settings;

use crate::engine::Engine;
use crate::item::{DENSITY, FRICTION, GRAVITY, Item};
use crate::snapshot::{Figures, Motion, PeerContact, Snapshot};
use crate::solved::closed_contacts;

/// A world of Asperity.
pub(crate) struct Asperity {
    world: World,
}

impl Asperity {
    /// The bodies of a scene, which never sleep; the solver stops at this residual or after so many sweeps.
    pub(crate) fn new(
        items: &[Item],
        dt: f64,
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<Asperity, String> {
        let solver = SolveOptions { tolerance, max_iterations, time_limit: None };
        let settings = Settings { dt, solver, sleep: false, ..Settings::default() };
        Asperity::with(items, &settings)
    }

    /// The bodies of a scene, with default settings; whether they may sleep is said.
    pub(crate) fn by_default(items: &[Item], dt: f64, sleep: bool) -> Result<Asperity, String> {
        Asperity::with(items, &Settings { dt, sleep, ..Settings::default() })
    }

    fn with(items: &[Item], settings: &Settings) -> Result<Asperity, String> {
        let section = Arc::new(Coulomb::new(FRICTION).map_err(|e| e.to_string())?);
        let surfaces = vec![Surface::new("all")];
        let pairing = Pairing::new(surfaces, Vec::new(), &Fallback::Section(section))
            .map_err(|e| e.to_string())?;
        let settings = Settings { gravity: DVec3::NEG_Y * GRAVITY, ..settings.clone() };
        let mut world = World::new(settings, pairing);
        for (k, item) in items.iter().enumerate() {
            let (name, shape) = (format!("body {k}"), item.form.shape());
            let desc = if item.fixed {
                BodyDesc::fixed(name, shape)
            } else {
                BodyDesc { mass: Mass::Density(DENSITY), ..BodyDesc::new(name, shape) }
            };
            let desc = BodyDesc { pose: item.pose, ..desc };
            world.add_body(desc).map_err(|e| e.to_string())?;
        }
        Ok(Asperity { world })
    }

    /// Changes with any bit of any body's motion.
    pub(crate) fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// The contact problems that the next step would solve, and what it would begin with.
    pub(crate) fn next_problems(&mut self) -> Vec<Solved> {
        self.world.next_problems()
    }
}

impl Engine for Asperity {
    fn step(&mut self) {
        self.world.step();
    }

    fn observed_step(&mut self) -> Snapshot {
        let dt = self.world.settings.dt;
        // Contacts are those of the middle of the step, reached with the velocities before it.
        let half_way: Vec<_> = self
            .world
            .bodies()
            .iter()
            .map(|b| {
                let turn = DQuat::from_scaled_axis(b.angular_velocity * (0.5 * dt));
                let centre = b.centre_of_mass() + b.linear_velocity * (0.5 * dt);
                (centre, turn * b.pose.rotation, b.linear_velocity)
            })
            .collect();
        self.world.step();
        let bodies = self.world.bodies();
        let motion = |(b, (_, rotation, before)): (&asperity::world::Body, &(_, DQuat, DVec3))| {
            let (linear, angular) = (b.linear_velocity, b.angular_velocity);
            Motion { rotation: *rotation, before: *before, linear, angular }
        };
        let motions: Vec<Motion> = bodies.iter().zip(&half_way).map(motion).collect();
        let touch = |c: &asperity::contact::Contact| {
            let arms = c.bodies.map(|k| c.point - half_way[k].0);
            PeerContact {
                bodies: c.bodies,
                arms,
                normal: c.frame.normal,
                impulse: c.impulse,
                slack: -c.normal_target,
            }
        };
        let contacts = self.world.contacts().iter().map(touch).collect();
        Snapshot { contacts, bodies: motions, dt }
    }

    fn judged_step(&mut self, items: &[Item]) -> Figures {
        self.world.keep_problems(true);
        let seen = self.observed_step().figures(items);
        let (problem, r) = closed_contacts(self.world.solved_problems());
        self.world.keep_problems(false);
        Figures {
            residual: residual(&problem, &r).value,
            without_units: residual_without_units(&problem, &r).value,
            contacts: problem.blocks.len(),
            ..seen
        }
    }

    fn poses(&self) -> Vec<DPose3> {
        self.world.bodies().iter().map(|b| b.pose).collect()
    }

    fn velocities(&self) -> Vec<[DVec3; 2]> {
        self.world.bodies().iter().map(|b| [b.linear_velocity, b.angular_velocity]).collect()
    }

    fn touches(&self) -> usize {
        self.world.contacts().iter().filter(|c| c.load > 0.0).count()
    }

    fn parts(&self) -> Option<[f64; 2]> {
        let times = self.world.times();
        Some([times.detect, times.solve].map(|part| part.as_secs_f64()))
    }

    fn asleep(&self) -> Option<usize> {
        self.world.settings.sleep.then(|| self.world.asleep())
    }

    fn sweeps(&self) -> usize {
        self.world.report().iterations
    }

    fn asked(&self) -> Option<f64> {
        Some(self.world.settings.solver.tolerance)
    }

    fn ask(&mut self, residual: f64) {
        self.world.settings.solver.tolerance = residual;
    }
}
