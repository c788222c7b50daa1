//! One step of a cloth that lies on a plane of 12°, through the velocity filter and through the
//! general solver, with lumped masses and with the implicit system. Prints times and residuals.
//!
//! `cargo run --release -p asperity-soft --example general`

use std::time::Instant;

use asperity_friction::set::Tensor;
use asperity_friction::{ContactFrame, Law};
use asperity_soft::contact::{
    Contacts, Dofs, SoftContact, SoftProblem, SurfaceAxes, SurfaceContact, VelocityFilter,
};
use asperity_soft::{Fabric, SoftBody, mesh};
use asperity_solve::{ProxSolver, SolveOptions, SolveReport, Solver as _, SplitSolver, residual};
use glamx::{DMat2, DVec2, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for cells in [5, 10, 20, 80] {
        let sheet = mesh::cloth_rectangle(DVec2::ONE, [cells; 2])?;
        let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton())?;
        let angle = 12.0_f64.to_radians();
        let dt = 5e-3;
        let clock = Instant::now();
        cloth.begin_response(dt, DVec3::new(angle.sin(), -angle.cos(), 0.0) * 9.81);
        let factored = clock.elapsed();
        let contacts = on_ground(&cloth);
        let inverse = cloth.inverse_masses();
        let n = contacts.list.len();
        let law = Law::from(Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.5)))?);
        let laws = vec![law; n];
        let dofs = Dofs {
            positions: &cloth.positions,
            velocities: &cloth.velocities,
            inverse_masses: &inverse,
            rigid: &[],
            body_of_obstacle: &[],
            body_of_vertex: &[],
            dt,
        };
        let options = SolveOptions { tolerance: 1e-8, ..SolveOptions::default() };

        let mut v = cloth.velocities.clone();
        let mut filter = VelocityFilter::default();
        let clock = Instant::now();
        filter.apply(&contacts, &laws, &inverse, &mut v, dt)?;
        let filtered = clock.elapsed();
        let clock = Instant::now();
        let lumped = SoftProblem::lumped("lumped", &contacts, &laws, &dofs)?;
        let built = clock.elapsed();
        let value = residual(&lumped.problem, &lumped.rows.from_world(filter.impulses())).value;
        println!("{n} contacts: filter {filtered:.2?}, residual {value:.1e}");
        let mut r = vec![0.0; 3 * n];
        let report = ProxSolver::default().solve(&lumped.problem, &mut r, &options).clone();
        println!("  lumped: built in {built:.2?}, solved in {:.2?}", report.elapsed);

        let clock = Instant::now();
        let bodies = [(0, &cloth)];
        let implicit = SoftProblem::implicit("implicit", &contacts, &laws, &dofs, &bodies)?;
        let built = clock.elapsed() + factored;
        println!("  implicit: built in {built:.2?}");
        let mut r = vec![0.0; 3 * n];
        let mut split = SplitSolver::default();
        let report = split.solve(&implicit.problem, &mut r, &options);
        tell("split", report);
        if n > 1000 {
            continue; // W is dense: n² blocks
        }
        println!("    residual with W: {:.1e}", residual(&implicit.problem, &r).value);
        let mut r = vec![0.0; 3 * n];
        tell("sweeps", ProxSolver::default().solve(&implicit.problem, &mut r, &options));
    }
    Ok(())
}

fn tell(name: &str, report: &SolveReport) {
    println!(
        "    {name}: {:.2?}, {}, {} iterations, residual {:.1e}",
        report.elapsed, report.status, report.iterations, report.residual
    );
}

/// A contact with the plane y = 0 at every vertex.
fn on_ground(cloth: &SoftBody) -> Contacts {
    let mut contacts = Contacts::default();
    let frame = ContactFrame::from_normal(DVec3::Y);
    for (k, p) in (0_u32..).zip(&cloth.positions) {
        let axes = SurfaceAxes { tangent: frame.t, bitangent: frame.b, uv: DVec2::ZERO };
        let surface = SurfaceContact { obstacle: 0, point: *p, velocity: DVec3::ZERO, axes };
        contacts.list.push(SoftContact {
            vertices: [k, 0, 0, 0],
            weights: [1.0, 0.0, 0.0, 0.0],
            split: 0,
            count: 1,
            normal: DVec3::Y,
            gap: 0.0,
            offset: DVec3::ZERO,
            surface: k,
        });
        contacts.surfaces.push(surface);
    }
    contacts
}
