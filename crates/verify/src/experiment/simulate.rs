//! Experiments in the plane: a prescribed motion, or a body under loads.

use asperity::friction::FrictionError;
use asperity::glamx::{DVec2, DVec3};

use super::model::Model;
use super::signal::Signal;

/// What is done to the patch.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Step, seconds.
    pub dt: f64,
    /// End, seconds.
    pub duration: f64,
    /// Loads, forces and velocities are held for so long, seconds; zero for not at all.
    pub hold: f64,
    /// Time between rows, seconds.
    pub every: f64,
    /// Normal force on the patch, newtons.
    pub load: Signal,
    /// What moves the patch.
    pub motion: Motion,
}

/// What moves the patch.
#[derive(Debug, Clone)]
pub enum Motion {
    /// Velocities at the centre of pressure. Rows are taken at the beginning of a step, or at the
    /// end of a hold.
    Prescribed([Signal; 3]),
    /// A body under loads. Rows are taken at the end of a hold or a step.
    Body(Body),
}

/// A rigid body in the plane.
#[derive(Debug, Clone)]
pub struct Body {
    /// kg.
    pub mass: f64,
    /// About the centre of mass, kg m².
    pub inertia: f64,
    /// Of the centre of mass, from the centre of the patch, metres.
    pub position: DVec2,
    /// Of the centre of mass, m/s, and rad/s.
    pub velocity: DVec3,
    /// m/s².
    pub gravity: DVec2,
    /// Force and torque at the centre of mass.
    pub applied: [Signal; 3],
    /// Patches that hold the body, one behind the other.
    pub patches: f64,
    /// Whether the patch stays where it is (a gripper) or goes with the body (a block on a table).
    pub grip: bool,
}

/// One row of a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Beginning of the step or of the hold, seconds.
    pub t: f64,
    /// Normal force on the patch, newtons.
    pub load: f64,
    /// At the centre of pressure.
    pub twist: DVec3,
    /// On the body by one patch, about the centre of pressure.
    pub wrench: DVec3,
    /// About the centre of the patch.
    pub wrench_at_centre: DVec3,
    /// Force and torque on the body from outside, N and N m.
    pub applied: DVec3,
    /// Position and angle of the body.
    pub pose: DVec3,
    /// Of the centre of mass, m/s, and rad/s.
    pub velocity: DVec3,
}

/// The load when an experiment begins.
pub fn first_load(experiment: &Experiment) -> f64 {
    experiment.load.at(0.0)
}

/// Runs an experiment. `told` hears the part done, now and then.
pub fn simulate(
    experiment: &Experiment,
    model: &mut Model,
    told: &mut dyn FnMut(f64),
) -> Result<Vec<Row>, FrictionError> {
    let Experiment { dt, duration, hold, every, load, motion } = experiment;
    let (steps, per_row) = (count(*duration, *dt), count(*every, *dt).max(1));
    let held = |t: f64| if *hold > 0.0 { ((t / hold) + 1e-9).floor() * hold } else { t };
    let at_end = *hold > 0.0 || matches!(motion, Motion::Body(_));
    let mut rows = Vec::with_capacity(steps / per_row + 1);
    let (mut pose, mut velocity) = match motion {
        Motion::Prescribed(_) => (DVec3::ZERO, DVec3::ZERO),
        Motion::Body(body) => (body.position.extend(0.0), body.velocity),
    };
    let (mut last, mut normal, mut given) = (f64::NAN, 0.0, DVec3::ZERO);
    for i in 0..steps {
        let t = held(i as f64 * dt);
        if t != last {
            last = t;
            normal = load.at(t).max(0.0);
            model.set_load(normal)?;
            given = match motion {
                Motion::Prescribed(signals) => all(signals, t),
                Motion::Body(body) => all(&body.applied, t),
            };
        }
        let mut applied = DVec3::ZERO;
        let (mut twist, mut wrench);
        match motion {
            Motion::Prescribed(_) => {
                twist = given;
                wrench = model.step(twist, normal, *dt);
                pose += twist * *dt;
                velocity = twist;
            }
            Motion::Body(body) => {
                applied = given;
                let lever = arm(body, model, pose);
                twist = at_arm(velocity, lever);
                wrench = model.step(twist, normal, *dt);
                let force = DVec2::new(wrench.x, wrench.y);
                let torque = applied.z + body.patches * (wrench.z + lever.perp_dot(force));
                let pull = DVec2::new(applied.x, applied.y) + force * body.patches;
                let gain = pull / body.mass + body.gravity;
                velocity += DVec3::new(gain.x, gain.y, torque / body.inertia) * *dt;
                pose += velocity * *dt;
            }
        }
        let due = if at_end { (i + 1) % per_row == 0 } else { i % per_row == 0 };
        if due {
            if let Motion::Body(body) = motion {
                twist = at_arm(velocity, arm(body, model, pose));
                wrench = model.wrench(twist, normal);
            }
            let start = if at_end { i + 1 - per_row } else { i } as f64 * dt;
            let force = DVec2::new(wrench.x, wrench.y);
            let moment = wrench.z + model.centre().perp_dot(force);
            let wrench_at_centre = force.extend(moment);
            let t = start;
            let load = normal;
            rows.push(Row { t, load, twist, wrench, wrench_at_centre, applied, pose, velocity });
            told((i + 1) as f64 / steps as f64);
        }
    }
    Ok(rows)
}

/// From the centre of mass to the centre of pressure.
fn arm(body: &Body, model: &Model, pose: DVec3) -> DVec2 {
    if body.grip { model.centre() - DVec2::new(pose.x, pose.y) } else { model.centre() }
}

/// The velocity of the body at a lever arm.
fn at_arm(velocity: DVec3, lever: DVec2) -> DVec3 {
    DVec3::new(velocity.x - velocity.z * lever.y, velocity.y + velocity.z * lever.x, velocity.z)
}

fn all(signals: &[Signal; 3], t: f64) -> DVec3 {
    DVec3::new(signals[0].at(t), signals[1].at(t), signals[2].at(t))
}

fn count(duration: f64, dt: f64) -> usize {
    (duration / dt).round() as usize
}
