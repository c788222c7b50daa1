//! Asperity in the comparison.

use std::sync::Arc;

use asperity::World;
use asperity::body::{BodyDesc, Mass};
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::{DPose3, DQuat, DVec3};
use asperity::solve::SolveOptions;
use asperity::world::Settings;

use super::engine::Engine;
use super::scene::{DENSITY, FRICTION, GRAVITY, Item};
use super::snapshot::{Motion, PeerContact, Snapshot};

/// A world of Asperity.
pub(super) struct Asperity {
    world: World,
}

impl Asperity {
    /// The bodies of a scene; the solver stops at this residual or after so many sweeps.
    pub(super) fn new(
        items: &[Item],
        dt: f64,
        tolerance: f64,
        max_iterations: usize,
    ) -> Result<Asperity, String> {
        let section = Arc::new(Coulomb::new(FRICTION).map_err(|e| e.to_string())?);
        let surfaces = vec![Surface::new("all")];
        let pairing = Pairing::new(surfaces, Vec::new(), &Fallback::Section(section))
            .map_err(|e| e.to_string())?;
        let solver = SolveOptions { tolerance, max_iterations, time_limit: None };
        let gravity = DVec3::NEG_Y * GRAVITY;
        let settings = Settings { gravity, dt, solver, ..Settings::default() };
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

    fn poses(&self) -> Vec<DPose3> {
        self.world.bodies().iter().map(|b| b.pose).collect()
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
