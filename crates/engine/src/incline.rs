//! The smallest world: a point mass on an inclined plane, from rest.
//!
//! It shows what a friction model does before any shape or collision comes in, and it has closed
//! forms. Coordinates are the plane's: x down the fall line, y across, z away from the plane.

use asperity_friction::section::Section;
use asperity_friction::set::Disk;
use asperity_friction::surface::Surface;
use asperity_friction::{ContactFrame, ContactState, Law};
use asperity_solve::{
    ContactProblem, FrictionBlock, InverseMass, Lever, ProxSolver, Row, RowAssembler, SolveOptions,
    Solver as _, over_step,
};
use glamx::{DVec2, DVec3};

/// A point mass on an inclined plane.
#[derive(Debug)]
pub struct Incline<'a> {
    /// Slope, radians.
    pub slope: f64,
    /// The friction model.
    pub section: &'a dyn Section,
    /// Surface of the plane, and the angle of its tangent from the fall line, radians.
    pub plane: (&'a Surface, f64),
    /// Surface of the mass, and the angle of its tangent.
    pub mass: (&'a Surface, f64),
    /// Time step, seconds.
    pub dt: f64,
}

/// Where the mass is at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Seconds.
    pub time: f64,
    /// Position in the plane, metres.
    pub position: DVec2,
    /// Velocity in the plane, m/s.
    pub velocity: DVec2,
    /// Residual that the solver reached in this step.
    pub residual: f64,
}

impl Sample {
    /// Angle of the path from the fall line, radians.
    pub fn heading(&self) -> f64 {
        self.position.to_angle()
    }
}

/// Gravity, m/s².
const GRAVITY: f64 = 9.81;

impl Incline<'_> {
    /// Lets the mass (1 kg) go from rest at the origin; one sample per step.
    pub fn run(&self, duration: f64) -> Vec<Sample> {
        let frame = ContactFrame::from_normal(DVec3::Z);
        let gravity = DVec3::new(self.slope.sin(), 0.0, -self.slope.cos()) * GRAVITY;
        let axes = |angle: f64| DVec2::from_angle(angle).extend(0.0);
        let (t_plane, t_mass) = (axes(self.plane.1), axes(self.mass.1));
        let mut solver = ProxSolver::default();
        let options = SolveOptions { tolerance: 1e-13, max_iterations: 100, time_limit: None };
        let (mut position, mut velocity) = (DVec3::ZERO, DVec3::ZERO);
        let mut impulse = [0.0; 3];
        let mut last_load = None;
        let steps = (duration / self.dt).round().max(0.0) as usize;
        let mut samples = Vec::with_capacity(steps);
        for step in 1..=steps {
            let uv = DVec2::new(position.x, position.y);
            let surfaces = [
                self.plane.0.at(t_plane, DVec3::Z.cross(t_plane), uv),
                self.mass.0.at(t_mass, -DVec3::Z.cross(t_mass), DVec2::ZERO),
            ];
            let (slip, free_slip) = (velocity, velocity);
            let state = ContactState::new(frame, surfaces, self.dt);
            let contact = ContactState { slip, free_slip, last_load, ..state };
            let free = velocity + gravity * self.dt;
            // A point has no spin.
            let law = self.section.law(&contact);
            let set = law.set.without_torque().unwrap_or(Disk::frictionless().into());
            let law = over_step(&Law { set, ..law }, self.dt);
            let problem = point_problem(&frame, free, law);
            let residual = solver.solve(&problem, &mut impulse, &options).residual;
            let before = velocity;
            velocity = free
                + frame.normal * impulse[0]
                + frame.to_world(DVec2::new(impulse[1], impulse[2]));
            // Midpoint positions: exact for constant acceleration.
            position += 0.5 * (before + velocity) * self.dt;
            last_load = Some(impulse[0] / self.dt);
            samples.push(Sample {
                time: step as f64 * self.dt,
                position: DVec2::new(position.x, position.y),
                velocity: DVec2::new(velocity.x, velocity.y),
                residual,
            });
        }
        samples
    }
}

/// One contact of a mass of 1 kg with a plane at rest.
fn point_problem(frame: &ContactFrame, free: DVec3, law: Law) -> ContactProblem {
    let mut problem = ContactProblem::over_blocks("incline");
    let mut start = Vec::new();
    let mut rows = RowAssembler::new(&mut problem, &mut start);
    rows.clear([InverseMass::Point(1.0)]);
    let mass = Lever { block: 0, weight: 1.0, arm: DVec3::ZERO };
    for axis in [frame.normal, frame.t, frame.b] {
        rows.push([mass.along(axis)], Row { q: axis.dot(free), ..Row::default() });
    }
    rows.push_block(FrictionBlock::contact(0, 1..1 + law.set.dim(), law));
    problem
}
