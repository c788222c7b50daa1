//! A step with contacts as part of it brings no energy from nowhere, however far it goes.

mod contact_common;

use asperity_friction::set::{Disk, Set};
use asperity_soft::contact::{ContactGeometry, ContactStage, Placed, Step, VertexFrames};
use asperity_soft::{Fabric, SoftBody, mesh};
use contact_common::single;
use glamx::{DVec2, DVec3};

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A flat sheet that falls at `speed` and whose middle vertex is held.
fn caught(cells: u32, speed: f64) -> SoftBody {
    let sheet = mesh::cloth_rectangle(DVec2::ONE, [cells; 2]).unwrap();
    let mut body = SoftBody::cloth(&sheet, &Fabric::cotton()).unwrap();
    let middle = (0..body.positions.len())
        .min_by(|a, b| body.positions[*a].length().total_cmp(&body.positions[*b].length()));
    body.velocities.fill(DVec3::NEG_Y * speed);
    if let Some(middle) = middle {
        body.pinned[middle] = true;
        body.velocities[middle] = DVec3::ZERO;
    }
    body
}

/// Kinetic energy, energy of height and elastic energy.
fn energy(body: &SoftBody) -> f64 {
    let vertices = body.masses.iter().zip(&body.positions).zip(&body.velocities);
    let rigid: f64 =
        vertices.map(|((m, x), v)| m * (0.5 * v.length_squared() - GRAVITY.dot(*x))).sum();
    rigid + body.energy_at(&body.positions)
}

/// The largest gain of energy in a step, as part of the largest energy there was.
fn largest_rise(mut body: SoftBody, dt: f64, linearisations: usize) -> f64 {
    let detector = single(body.positions.len(), &body.triangles, 0.004);
    let frames = VertexFrames::new(&body.triangles, &body.uvs).unwrap();
    let mut stage = ContactStage::new(detector, frames);
    stage.implicit.options.linearisations = linearisations;
    let inverse_masses = body.inverse_masses();
    let (mut most, mut rise) = (energy(&body).abs(), 0.0_f64);
    for _ in 0..(0.1 / dt).ceil() as usize {
        let before = energy(&body);
        let begin = body.velocities.clone();
        let (mut positions, mut velocities) = (body.positions.clone(), begin.clone());
        let step = Step {
            positions: &mut positions,
            velocities: &mut velocities,
            begin_velocities: &begin,
            inverse_masses: &inverse_masses,
            obstacles: &[],
            dt,
        };
        let law = |_: &ContactGeometry| Set::from(Disk::new(0.5).unwrap());
        let mut placed = [Placed { body: &mut body, first: 0 }];
        stage.step_implicit(step, &mut placed, GRAVITY, law).unwrap();
        body.positions.copy_from_slice(&positions);
        body.velocities.copy_from_slice(&velocities);
        most = most.max(energy(&body).abs());
        rise = rise.max(energy(&body) - before);
    }
    rise / most
}

#[test]
fn a_flat_sheet_that_is_caught_at_a_vertex_gains_no_energy() {
    for cells in [6, 11] {
        for dt in [0.005, 0.01, 1.0 / 60.0] {
            for speed in [0.5, 2.0] {
                let rise = largest_rise(caught(cells, speed), dt, 12);
                assert!(rise <= 1e-6, "{cells} cells, {dt} s, {speed} m/s: rises by {rise:e}");
            }
        }
    }
}

/// The matrix of a flat sheet has no stiffness across it: what the sheet stretches by while it is
/// drawn out of its plane comes from nowhere.
#[test]
fn one_linearisation_makes_energy() {
    let rise = largest_rise(caught(6, 2.0), 1.0 / 60.0, 1);
    assert!(rise > 0.1, "only {rise:e}");
}
