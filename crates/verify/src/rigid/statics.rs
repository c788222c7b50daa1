//! Equilibria at their limit.

use std::f64::consts::TAU;

use asperity::body::{BodyDesc, Mass};
use asperity::glamx::{DMat3, DPose3, DQuat, DVec3};
use asperity::joint::{JointDesc, JointKind};
use asperity::profile::Profile;
use asperity::{BodyId, Shape};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, add_floor, beginning, block, built, centre, coulomb, run_for};

/// A block on a slope tips over when tan α exceeds width/height.
pub(crate) fn tipping() -> Result<Vec<Check>, VerifyError> {
    let (width, height): (f64, f64) = (0.1, 0.3);
    let limit = (width / height).atan().to_degrees();
    let tips = |degrees: f64| -> Result<bool, VerifyError> {
        let mut world = coulomb(2.0, degrees.to_radians(), 0.01)?;
        add_floor(&mut world)?;
        let size = DVec3::new(width, height, 0.2);
        let id = add(&mut world, block("block", size).at(DVec3::Y * 0.5 * height))?;
        run_for(&mut world, 3.0);
        Ok(centre(&world, id).y < 0.45 * height)
    };
    let found = beginning([limit - 2.0, limit + 2.0], 9, tips)?;
    Ok(vec![Check::near("block 0.1 x 0.3 m", limit, found, 0.1, "deg")])
}

/// A uniform ladder with friction μ at floor and wall slips below tan θ = (1 − μ²)/2μ. This one
/// is a rod with round ends of radius r, which touch a little beyond the rod's axis: moments about
/// the foot give cos θ (1 − μ²)/2 = μ sin θ + μ (1 + μ) r/l.
pub(crate) fn ladder() -> Result<Vec<Check>, VerifyError> {
    let mu: f64 = 0.4;
    let (length, radius) = (2.0, 0.01);
    let moment = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        0.5 * cos * (1.0 - mu * mu) - mu * sin - mu * (1.0 + mu) * radius / length
    };
    let (mut low, mut limit) = (0.0, 90.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + limit);
        if moment(middle) > 0.0 { low = middle } else { limit = middle }
    }
    let slips = |degrees: f64| -> Result<bool, VerifyError> {
        let mut world = coulomb(mu, 0.0, 0.01)?;
        add_floor(&mut world)?;
        let wall = BodyDesc::fixed("wall", Shape::HalfSpace { normal: DVec3::X });
        add(&mut world, wall)?;
        let angle = degrees.to_radians();
        let rod = Shape::Capsule { half_height: 0.5 * length, radius };
        // Its ends' spheres touch wall and floor; the capsule's axis is y.
        let at = DVec3::new(
            0.5 * length * angle.cos() + radius,
            0.5 * length * angle.sin() + radius,
            0.0,
        );
        let lean = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2 - angle);
        let id = add(&mut world, BodyDesc::new("ladder", rod).at(at).rotated(lean))?;
        run_for(&mut world, 1.0);
        Ok(centre(&world, id).distance(at) > 1e-3)
    };
    let found = beginning([limit - 2.0, limit + 2.0], 8, |degrees| Ok(!slips(degrees)?))?;
    Ok(vec![Check::near("ladder, mu 0.4 at both ends", limit, found, 0.1, "deg")])
}

/// A chain round a rod holds T₂/T₁ up to [(1 + μ tan δ/2)/(1 − μ tan δ/2)]ⁿ, δ the angle at each
/// of its n contacts.
pub(crate) fn capstan() -> Result<Vec<Check>, VerifyError> {
    let (mu, n) = (0.3, 24_u16);
    let delta = TAU / f64::from(n);
    let step = mu * (0.5 * delta).tan();
    let limit = ((1.0 + step) / (1.0 - step)).powi(i32::from(n));
    let slips = |ratio: f64| capstan_slips(mu, usize::from(n), delta, ratio);
    let found = beginning([0.8 * limit, 1.25 * limit], 7, slips)?;
    let what = "24 contacts, one turn, mu 0.3: T2/T1";
    Ok(vec![Check::relative(what, limit, found, 0.03, "")])
}

fn capstan_slips(mu: f64, n: usize, delta: f64, ratio: f64) -> Result<bool, VerifyError> {
    let (rod, bead, pull) = (0.1, 0.004, 1.0);
    let mut world = coulomb(mu, 0.0, 0.005)?;
    world.settings.gravity = DVec3::ZERO;
    // The rod's axis is y; the beads lie in the plane y = 0.
    let shape = Shape::Cylinder { half_height: 0.05, radius: rod };
    add(&mut world, BodyDesc::fixed("rod", shape))?;
    let place = |k: f64| {
        let angle = (k + 0.5) * delta;
        DVec3::new(angle.cos(), 0.0, angle.sin()) * (rod + bead)
    };
    let mut beads: Vec<BodyId> = Vec::new();
    for k in 0..n {
        let mut desc =
            BodyDesc::new(format!("bead {k}"), Shape::Sphere { radius: bead }).at(place(k as f64));
        desc.group = 1;
        desc.linear_damping = 2.0;
        // A rope slides and does not roll: its beads resist turning.
        let inertia = DMat3::from_diagonal(DVec3::splat(1e3));
        desc.mass = Mass::Explicit { mass: 0.01, centre: DVec3::ZERO, inertia };
        beads.push(add(&mut world, desc)?);
    }
    let length = place(0.0).distance(place(1.0));
    for k in 1..n {
        built(world.add_joint(JointDesc {
            name: format!("link {k}"),
            kind: JointKind::Distance(Profile::Constant(length)),
            a: Some(beads[k - 1]),
            b: beads[k],
            frame_a: DPose3::IDENTITY,
            frame_b: DPose3::IDENTITY,
            limits: None,
            motor: None,
            collide: false,
        }))?;
    }
    let slack = (place(-1.0) - place(0.0)).normalize() * pull;
    let taut = (place(n as f64) - place(n as f64 - 1.0)).normalize() * pull * ratio;
    for _ in 0..400 {
        world.apply_force(beads[0], slack, DVec3::ZERO);
        world.apply_force(beads[n - 1], taut, DVec3::ZERO);
        world.step();
    }
    Ok(centre(&world, beads[n / 2]).distance(place((n / 2) as f64)) > 1e-3)
}
