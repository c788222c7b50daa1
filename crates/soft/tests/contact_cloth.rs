//! Cloth that touches itself and the ground, with its elasticity.

mod contact_common;

use asperity_friction::Law;
use asperity_friction::section::{Composition, FrictionTensors};
use asperity_friction::set::Tensor;
use asperity_friction::surface::{Surface, SurfaceTensor};
use asperity_soft::contact::{
    ContactGeometry, ContactMesh, ContactStage, Contacts, Detector, Dofs, Motion, SoftProblem,
    Step, Topology, VertexFrames,
};
use asperity_soft::{Fabric, SoftBody, mesh};
use asperity_solve::{ProxSolver, SolveOptions, Solver as _};
use contact_common::{Plane, tensor_law};
use glamx::{DMat2, DVec2, DVec3};

fn detector(body: &SoftBody, rest: &[DVec3], thickness: f64) -> Detector {
    let mesh = ContactMesh {
        vertices: 0..body.positions.len() as u32,
        triangles: &body.triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let topology = Topology::new(body.positions.len(), &[mesh]).unwrap();
    Detector::new(topology.with_rest(rest).unwrap(), thickness).unwrap()
}

/// From the plane y = 0 to the plane z = 0, as the ground has z up.
fn upright(p: DVec3) -> DVec3 {
    DVec3::new(p.x, -p.z, p.y)
}

#[test]
fn a_folded_sheet_that_falls_on_itself_does_not_pass_through() {
    let sheet = mesh::cloth_rectangle(DVec2::new(0.6, 0.2), [30, 10]).unwrap();
    let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton()).unwrap();
    let rest = cloth.positions.clone();
    let thickness = 3e-3;
    // A zigzag of three layers that rises all along and leans to the side.
    for p in &mut cloth.positions {
        let flat = upright(*p);
        let s = flat.x + 0.3;
        let x = 0.1 - ((s % 0.4) - 0.2).abs();
        *p = DVec3::new(x + 0.05 * flat.y, flat.y, 0.02 + 0.2 * s);
    }
    let frames = VertexFrames::new(&cloth.triangles, &cloth.uvs).unwrap();
    let mut check = detector(&cloth, &rest, thickness);
    assert_eq!(check.crossings(&cloth.positions).unwrap(), 0);
    let mut stage = ContactStage::new(detector(&cloth, &rest, thickness), frames);
    let inverse = cloth.inverse_masses();
    let tensor = SurfaceTensor::orthotropic(0.2, 0.5).unwrap();
    let (a, b) =
        (Surface::new("a").with_tensor(tensor.clone()), Surface::new("b").with_tensor(tensor));
    let model = FrictionTensors::new(Composition::default()).unwrap();
    let (mut touches, mut impacts) = (0, 0);
    for step in 0..100 {
        let begin = cloth.velocities.clone();
        cloth.free_velocities(0.01, DVec3::Z * -9.81, &[]);
        let report = stage
            .step(
                Step {
                    positions: &mut cloth.positions,
                    velocities: &mut cloth.velocities,
                    begin_velocities: &begin,
                    inverse_masses: &inverse,
                    obstacles: &[&Plane::ground()],
                    dt: 0.01,
                },
                |g: &ContactGeometry| tensor_law(model, &a, &b, g),
            )
            .unwrap();
        touches += stage.contacts().list.iter().filter(|c| c.count == 4).count();
        impacts += report.impacts.first;
        assert_eq!(report.impacts.stopped, 0, "step {step}");
        assert!(report.residual.unwrap().is_finite());
        assert_eq!(check.crossings(&cloth.positions).unwrap(), 0, "step {step}");
        let lowest = cloth.positions.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0, "step {step}: {lowest}");
    }
    assert!(cloth.stopped().is_none());
    assert!(touches > 1000 && impacts > 0, "{touches} touches, {impacts} impacts");
}

/// Speed after 20 steps of cloth on a slope, all of it through the implicit system and the
/// general solver.
fn speed_on_slope(degrees: f64, heading: DVec2) -> f64 {
    let sheet = mesh::cloth_rectangle(DVec2::splat(0.1), [4, 4]).unwrap();
    let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton()).unwrap();
    let (rest, thickness, dt) = (cloth.positions.clone(), 1e-3, 5e-3);
    for p in &mut cloth.positions {
        *p = upright(*p) + DVec3::Z * thickness;
    }
    let detector = detector(&cloth, &rest, thickness);
    let angle = degrees.to_radians();
    let down = heading * angle.sin();
    let gravity = DVec3::new(down.x, down.y, -angle.cos()) * 9.81;
    let inverse = cloth.inverse_masses();
    let n = cloth.positions.len();
    let law = Law::from(Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.5))).unwrap());
    let options = SolveOptions { tolerance: 1e-11, ..SolveOptions::default() };
    for _ in 0..20 {
        cloth.begin_response(dt, gravity);
        let mut contacts = Contacts::default();
        let motion = Motion { positions: &cloth.positions, velocities: &cloth.velocities, dt };
        detector.find_obstacles(&[&Plane::ground()], &motion, &mut contacts).unwrap();
        assert_eq!(contacts.list.len(), n);
        let laws = vec![law.clone(); n];
        let dofs = Dofs {
            positions: &cloth.positions,
            velocities: &cloth.velocities,
            inverse_masses: &inverse,
            rigid: &[],
            body_of_obstacle: &[],
            body_of_vertex: &[],
            dt,
        };
        let soft = SoftProblem::implicit("slope", &contacts, &laws, &dofs, &[(0, &cloth)]).unwrap();
        let mut r = vec![0.0; 3 * n];
        let report = ProxSolver::default().solve(&soft.problem, &mut r, &options).clone();
        assert!(report.residual <= 1e-10, "{report:?}");
        let mut impulses = vec![DVec3::ZERO; n];
        soft.rows.vertex_impulses(&r, &mut impulses, &mut []);
        let free = cloth.velocities.clone();
        cloth.end_response(&free, &impulses);
        // The velocities are those that the problem's impulses give.
        let mut u = vec![0.0; 3 * n];
        soft.problem.velocities(&r, &mut u);
        for (k, c) in contacts.list.iter().enumerate() {
            let slip = c.normal.dot(contacts.slip(c, &cloth.velocities));
            let room = c.gap.max(0.0) / dt;
            assert!((slip + room - u[3 * k]).abs() < 1e-8);
        }
        cloth.advance(dt);
    }
    cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max)
}

#[test]
fn implicit_cloth_slides_within_a_fifth_of_a_degree_of_the_tensors_angle() {
    let q = DVec2::new(0.2, 0.5);
    for heading in [DVec2::X, DVec2::Y, DVec2::ONE.normalize()] {
        let limit = (1.0 / (heading / q).length()).atan().to_degrees();
        let (below, above) =
            (speed_on_slope(limit - 0.1, heading), speed_on_slope(limit + 0.1, heading));
        assert!(below < 1e-7, "{limit}°: {below} m/s below");
        assert!(above > 1e-4, "{limit}°: {above} m/s above");
    }
}
