//! Contacts of deformables through general solvers, and with rigid bodies.

mod contact_common;

use asperity_friction::Law;
use asperity_friction::set::{Disk, Tensor};
use asperity_soft::contact::{
    Contacts, Dofs, RigidDof, SoftContact, SoftProblem, SurfaceAxes, SurfaceContact, VelocityFilter,
};
use asperity_solve::{ProxSolver, SolveOptions, Solver as _, residual};
use contact_common::{angular, found, linear, sheet, sheets};
use glamx::{DMat2, DMat3, DVec2, DVec3};

#[test]
fn many_passes_come_to_what_the_general_solver_finds() {
    let (mut detector, x, v, inverse) = sheets();
    let contacts = found(&mut detector, &x, &v, 0.01);
    let laws = vec![Law::from(Disk::new(0.3).unwrap()); contacts.list.len()];
    let dofs = Dofs {
        positions: &x,
        velocities: &v,
        inverse_masses: &inverse,
        rigid: &[],
        body_of_obstacle: &[],
        body_of_vertex: &[],
        dt: 0.01,
    };
    let soft = SoftProblem::lumped("sheets", &contacts, &laws, &dofs).unwrap();
    let mut r = vec![0.0; soft.problem.rows()];
    let options = SolveOptions { tolerance: 1e-10, ..SolveOptions::default() };
    let solved = ProxSolver::default().solve(&soft.problem, &mut r, &options).clone();
    assert!(solved.residual <= 1e-10);
    let mut expected = v.clone();
    soft.apply(&r, &inverse, &mut expected, &mut []);

    let mut last = f64::INFINITY;
    for passes in [1, 10, 100, 2000] {
        let mut filter = VelocityFilter::default();
        filter.passes = passes;
        let mut after = v.clone();
        filter.apply(&contacts, &laws, &inverse, &mut after, 0.01).unwrap();
        let value = residual(&soft.problem, &soft.rows.from_world(filter.impulses())).value;
        assert!(value < last, "{passes} passes: {value}");
        last = value;
        if passes == 2000 {
            let apart =
                after.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(value < 1e-6 && apart < 1e-4, "{value} {apart}");
        }
    }
}

#[test]
fn rigid_bodies_are_pushed_back_and_momentum_is_shared() {
    // A ball of 2 kg that flies into a sheet, both as obstacle points and in the same problem.
    let (x, _, _) = sheet(1.0, 4, 0.0, 0);
    let inverse = vec![25.0; x.len()];
    let v = vec![DVec3::ZERO; x.len()];
    let body = RigidDof {
        inverse_mass: 0.5,
        inverse_inertia: DMat3::IDENTITY * 3.0,
        centre: DVec3::new(0.05, 0.02, 0.2),
        velocity: DVec3::new(0.5, 0.0, -3.0),
        angular_velocity: DVec3::new(0.0, 0.0, 4.0),
    };
    let mut contacts = Contacts::default();
    for k in [11_u32, 12, 13] {
        // The ball is B's counterpart A: normals point from it to the vertex.
        let p = x[k as usize];
        let normal = (p - body.centre).normalize();
        contacts.list.push(SoftContact {
            vertices: [k, 0, 0, 0],
            weights: [1.0, 0.0, 0.0, 0.0],
            split: 0,
            count: 1,
            normal,
            gap: 0.0,
            offset: normal * 0.02,
            surface: contacts.surfaces.len() as u32,
        });
        contacts.surfaces.push(SurfaceContact {
            obstacle: 0,
            point: p - normal * 0.02,
            velocity: body.velocity + body.angular_velocity.cross(p - body.centre),
            axes: SurfaceAxes { tangent: DVec3::X, bitangent: DVec3::Y, uv: DVec2::ZERO },
        });
    }
    let q = Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.5))).unwrap();
    let laws = vec![Law::from(q); 3];
    let dofs = Dofs {
        positions: &x,
        velocities: &v,
        inverse_masses: &inverse,
        rigid: &[body],
        body_of_obstacle: &[Some(0)],
        body_of_vertex: &[],
        dt: 0.01,
    };
    let options = SolveOptions { tolerance: 1e-11, ..SolveOptions::default() };
    let soft = SoftProblem::lumped("ball", &contacts, &laws, &dofs).unwrap();
    let mut r = vec![0.0; 9];
    assert!(ProxSolver::default().solve(&soft.problem, &mut r, &options).residual <= 1e-11);
    let (mut after, mut bodies) = (v.clone(), [body]);
    soft.apply(&r, &inverse, &mut after, &mut bodies);
    let total = |v: &[DVec3], b: &RigidDof| linear(v, &inverse) + b.velocity / b.inverse_mass;
    assert!(total(&after, &bodies[0]).distance(total(&v, &body)) < 1e-12);
    let turned = |v: &[DVec3], b: &RigidDof| {
        angular(&x, v, &inverse)
            + b.centre.cross(b.velocity) / b.inverse_mass
            + b.angular_velocity / 3.0
    };
    assert!(turned(&after, &bodies[0]).distance(turned(&v, &body)) < 1e-12);
    assert!(bodies[0].velocity.z > -3.0 && after[12].z < -0.1);
}
