//! What time steps keep: momentum, energy that only falls, bits; and what bad input does.

mod common;

use asperity_soft::{
    Fabric, Method, SoftBody, SoftError, SolidMaterial, SurfaceMesh, TetMesh, mesh,
};
use common::{all, cloth, shake, stiff};
use glamx::{DVec2, DVec3};

fn stir(body: &mut SoftBody) {
    for i in 0..body.positions.len() {
        let x = body.positions[i];
        body.velocities[i] = DVec3::new(1.0, 5.0, -2.0).cross(x) + DVec3::new(0.5, 0.0, 1.0);
    }
}

#[test]
fn energy_never_grows_in_a_free_run() {
    for (name, start) in all() {
        for newton in [1, 4] {
            for h in [1e-3, 1.0 / 240.0, 1.0 / 60.0] {
                let mut body = start.clone();
                body.options.newton = newton;
                body.options.linear.tolerance = 1e-10;
                shake(&mut body, 0.005, 2);
                stir(&mut body);
                let mut energy = body.energy() + body.kinetic_energy();
                let first = energy;
                for step in 0..300 {
                    body.free_velocities(h, DVec3::ZERO, &[]);
                    body.advance(h);
                    let now = body.energy() + body.kinetic_energy();
                    assert!(
                        now <= energy + 1e-12 * first,
                        "{name}, newton {newton}, h {h}, step {step}: {energy} → {now}"
                    );
                    energy = now;
                }
                assert!(energy < first);
            }
        }
    }
}

#[test]
fn momentum_is_kept_and_grows_with_weight() {
    for (name, mut body) in all() {
        shake(&mut body, 0.005, 2);
        stir(&mut body);
        let (h, gravity) = (0.01, DVec3::new(0.0, -9.81, 0.0));
        let mut expected = body.momentum();
        let scale: f64 = body.mass() * 10.0;
        for _ in 0..100 {
            body.free_velocities(h, gravity, &[]);
            body.advance(h);
            expected += gravity * (h * body.mass());
            let error = (body.momentum() - expected).length();
            assert!(error < 1e-13 * scale, "{name}: {error:e} of {scale}");
        }
    }
}

#[test]
fn both_linear_solvers_agree() {
    for (name, start) in all() {
        let run = |method: Method| {
            let mut body = start.clone();
            body.options.linear.method = method;
            body.options.linear.tolerance = 1e-12;
            body.pinned[0] = true;
            shake(&mut body, 0.005, 2);
            let report = body.free_velocities(0.01, DVec3::NEG_Y * 9.81, &[]);
            assert!(report.linear.residual < 1e-9, "{name}: {report:?}");
            body.velocities
        };
        let (a, b) = (run(Method::Gradients), run(Method::Cholesky));
        let worst = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{name}: {worst:e}");
        assert_eq!(a[0], DVec3::ZERO);
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let sheet = mesh::cloth_rectangle(DVec2::ONE, [50, 50]).expect("a mesh");
            let mut body = SoftBody::cloth(&sheet, &Fabric::cotton()).expect("a cloth");
            body.pinned[0] = true;
            let mut ball =
                SoftBody::solid(&mesh::sphere(0.1, 2, 3).expect("a mesh"), &SolidMaterial::gel())
                    .expect("a solid");
            shake(&mut body, 0.002, 1);
            shake(&mut ball, 0.002, 1);
            for _ in 0..10 {
                for b in [&mut body, &mut ball] {
                    b.free_velocities(0.005, DVec3::NEG_Y * 9.81, &[]);
                    b.advance(0.005);
                }
            }
            (body.positions, ball.positions)
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn a_strain_limit_holds_a_heavy_load() {
    let sheet = mesh::cloth_rectangle(DVec2::new(0.5, 0.1), [10, 2]).expect("a mesh");
    let longest = |limit: Option<f64>| {
        let fabric = Fabric { strain_limit: limit, poisson: 0.0, ..stiff() };
        let mut body = SoftBody::cloth(&sheet, &fabric).expect("a cloth");
        let mut forces = vec![DVec3::ZERO; body.positions.len()];
        for (i, x) in sheet.positions.iter().enumerate() {
            body.pinned[i] = x.x < -0.249;
            if x.x > 0.249 {
                // 60 N/m over 300 N/m: 20 % without a limit.
                forces[i] = DVec3::X * (60.0 * 0.1 * if x.z.abs() < 1e-9 { 0.5 } else { 0.25 });
            }
        }
        let report = body.relax(DVec3::ZERO, &forces, 1e-8, 100);
        assert!(report.converged);
        let far = body.positions.iter().map(|x| x.x).fold(0.0, f64::max);
        (far + 0.25) / 0.5 - 1.0
    };
    let (free, held) = (longest(None), longest(Some(0.05)));
    assert!(free > 0.12, "{free}");
    assert!(held > 0.05 && held < 0.055, "{held}");
}

#[test]
fn pinned_vertices_keep_the_velocity_they_are_given() {
    let mut body = cloth();
    body.pinned[3] = true;
    body.velocities[3] = DVec3::new(0.0, 1.0, 0.0);
    let start = body.positions[3];
    for _ in 0..50 {
        body.free_velocities(0.002, DVec3::NEG_Y * 9.81, &[]);
        body.advance(0.002);
    }
    assert!((body.positions[3] - start - DVec3::Y * 0.1).length() < 1e-12);
    assert!(body.velocities.iter().any(|v| v.y.abs() > 0.1));
}

#[test]
fn bad_numbers_stop_a_body_and_are_named() {
    for (_, start) in all() {
        let check = |spoil: &dyn Fn(&mut SoftBody), h: f64, field: &str, vertex: usize| {
            let mut body = start.clone();
            spoil(&mut body);
            let report = body.free_velocities(h, DVec3::NEG_Y, &[]);
            let trouble = report.trouble.expect("a report");
            assert_eq!((trouble.field, trouble.vertex), (field, vertex));
            assert!(trouble.to_string().contains(field));
            let kept = body.positions.clone();
            body.advance(0.1);
            body.free_velocities(0.01, DVec3::NEG_Y, &[]);
            body.advance(0.1);
            assert_eq!(body.positions, kept);
            assert!(kept.iter().all(|x| x.is_finite()));
            assert!(body.velocities.iter().all(|v| *v == DVec3::ZERO));
        };
        check(&|b| b.velocities[4].y = f64::NAN, 0.01, "velocities", 4);
        check(&|b| b.positions[2].x = f64::INFINITY, 0.01, "positions", 2);
        check(&|b| b.masses[1] = f64::NAN, 0.01, "masses", 1);
        check(&|_| (), f64::NAN, "step", 0);
        check(&|_| (), 0.0, "step", 0);
    }
}

#[test]
fn collapsed_and_inverted_elements_come_back() {
    for (name, start) in all() {
        for squeeze in [DVec3::new(1.0, 0.0, 1.0), DVec3::new(1.0, -1.0, 1.0), DVec3::ZERO] {
            let mut body = start.clone();
            for x in &mut body.positions {
                *x *= squeeze;
            }
            for _ in 0..50 {
                let report = body.free_velocities(0.005, DVec3::ZERO, &[]);
                body.advance(0.005);
                assert!(report.trouble.is_none(), "{name}: {report:?}");
            }
            assert!(body.positions.iter().all(|x| x.is_finite()), "{name}");
        }
    }
}

#[test]
fn defects_of_meshes_are_named() {
    let corner = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE, DVec2::NEG_Y, DVec2::ONE];
    let sheet = SurfaceMesh {
        positions: corner.iter().map(|p| DVec3::new(p.x, 0.0, p.y)).collect(),
        uvs: corner.to_vec(),
        // The edge 0–1 has three triangles; one triangle is flat; vertex 5 is nobody's.
        triangles: vec![[0, 1, 2], [1, 0, 4], [0, 1, 3], [0, 0, 1]],
        ..SurfaceMesh::default()
    };
    let mut body = SoftBody::cloth(&sheet, &Fabric::cotton()).expect("a cloth");
    let d = body.defects().clone();
    assert_eq!(d.branching, vec![[0, 1]]);
    assert_eq!(d.flat, vec![3]);
    assert_eq!(d.loose, vec![5]);
    assert!(d.coincident.is_empty());
    assert!(body.pinned[5]);
    body.free_velocities(0.01, DVec3::NEG_Y, &[]);
    assert!(body.stopped().is_none());

    let mut split = mesh::cloth_rectangle(DVec2::ONE, [1, 1]).expect("a mesh");
    split.positions.push(split.positions[0]);
    split.uvs.push(split.uvs[0]);
    split.triangles[1][0] = 5;
    let body = SoftBody::cloth(&split, &Fabric::cotton()).expect("a cloth");
    assert_eq!(body.defects().coincident, vec![[0, 5]]);

    let mut block = mesh::brick(DVec3::ONE, [1, 1, 1]).expect("a mesh");
    block.tets[0].swap(0, 1);
    block.tets.push([0, 1, 2, 3]);
    let body = SoftBody::solid(&block, &SolidMaterial::gel()).expect("a solid");
    assert_eq!((body.defects().inverted, body.defects().flat.len()), (1, 1));
}

#[test]
fn bad_meshes_and_materials_are_refused_by_name() {
    let sheet = mesh::cloth_rectangle(DVec2::ONE, [2, 2]).expect("a mesh");
    let field = |result: Result<SoftBody, SoftError>| match result {
        Err(SoftError::Field { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let mut far = sheet.clone();
    far.triangles[3][1] = 99;
    assert_eq!(field(SoftBody::cloth(&far, &Fabric::cotton())), "triangles[3]");
    let mut odd = sheet.clone();
    odd.positions[1].z = f64::NAN;
    assert_eq!(field(SoftBody::cloth(&odd, &Fabric::cotton())), "positions[1]");
    let thin = Fabric { areal_density: 0.0, ..Fabric::cotton() };
    assert_eq!(field(SoftBody::cloth(&sheet, &thin)), "areal_density");
    let none = SolidMaterial { poisson: 0.5, ..SolidMaterial::gel() };
    let block = mesh::brick(DVec3::ONE, [1, 1, 1]).expect("a mesh");
    assert_eq!(field(SoftBody::solid(&block, &none)), "poisson");
    assert_eq!(field(SoftBody::solid(&TetMesh::default(), &SolidMaterial::gel())), "tets");
    assert!(mesh::cloth_rectangle(DVec2::ONE, [0, 2]).is_err());
    assert!(mesh::brick(DVec3::ONE, [u32::MAX; 3]).is_err());
}
