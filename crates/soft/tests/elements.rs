//! Forces and stiffnesses of elements against differences of energies, and what rigid motions do.

mod common;

use asperity_friction::random::Rng;
use asperity_soft::cloth::{Membrane, Weave, hinges};
use asperity_soft::solid::Tet;
use asperity_soft::{Elastic, Fabric, SolidMaterial, mesh};
use common::{all, shake, stiff};
use glamx::{DMat3, DQuat, DVec2, DVec3};

#[test]
fn forces_are_the_falling_of_energy() {
    for (name, mut body) in all() {
        shake(&mut body, 0.01, 1);
        let forces = body.forces();
        let scale = forces.iter().map(|f| f.length()).fold(0.0, f64::max);
        assert!(scale > 0.0);
        let h = 1e-7;
        let mut worst = 0.0_f64;
        for i in 0..body.positions.len() {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let mut x = body.positions.clone();
                x[i] += axis * h;
                let up = body.energy_at(&x);
                x[i] -= axis * (2.0 * h);
                let slope = (up - body.energy_at(&x)) / (2.0 * h);
                worst = worst.max((forces[i].dot(axis) + slope).abs());
            }
        }
        assert!(worst < 1e-6 * scale, "{name}: {worst:e} of {scale:e}");
    }
}

/// Largest difference between blocks and differences of forces, over the largest block entry.
fn hessian_error<const N: usize>(
    x: [DVec3; N],
    forces: impl Fn(&[DVec3]) -> [DVec3; N],
    block: impl Fn(usize, usize) -> DMat3,
) -> f64 {
    let h = 1e-6;
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    for j in 0..N {
        for c in 0..3 {
            let (mut low, mut high) = (x, x);
            low[j][c] -= h;
            high[j][c] += h;
            let (f, g) = (forces(&low), forces(&high));
            for i in 0..N {
                let column = block(i, j).col(c);
                worst = worst.max((column - (f[i] - g[i]) / (2.0 * h)).length());
                scale = scale.max(column.length());
            }
        }
    }
    worst / scale
}

#[test]
fn the_stiffness_of_a_membrane_is_the_slope_of_its_forces() {
    let weave = Weave::new(&stiff());
    let flat = [DVec2::new(0.0, 0.0), DVec2::new(0.12, 0.02), DVec2::new(0.03, 0.1)];
    let m = Membrane::new([0, 1, 2], flat).expect("an area");
    // One stretched beyond its limit, one compressed: without projection both are exact.
    for factor in [1.2, 0.8] {
        let mut rng = Rng::new(7);
        let x = flat.map(|p| {
            DVec3::new(p.x, p.y, 0.0) * factor
                + DVec3::from_array([0; 3].map(|_| rng.uniform(-0.01, 0.01)))
        });
        let forces = |x: &[DVec3]| m.forces(&m.state(x, &weave), None, &weave);
        let state = m.state(&x, &weave);
        let block = |i, j| m.block(&state, state.stress, (1.0, 0.0), &weave, (i, j));
        let error = hessian_error(x, forces, block);
        assert!(error < 1e-8, "{error:e}");
    }
}

#[test]
fn the_stiffness_of_a_hinge_at_its_rest_angle_is_the_slope_of_its_forces() {
    let sheet = mesh::cloth_rectangle(DVec2::new(0.1, 0.13), [1, 1]).expect("a mesh");
    let (list, branching) = hinges(&sheet, [0.02, 0.01]);
    assert_eq!((list.len(), branching.len()), (2, 0));
    let mut h = list[0];
    let mut x = h.vertices.map(|i| sheet.positions[i as usize]);
    h.vertices = [0, 1, 2, 3];
    x[2].y += 0.05;
    x[3].x += 0.01;
    h.rest = h.state(&x).angle;
    assert!(h.rest.abs() > 0.3);
    let forces = |x: &[DVec3]| h.forces(&h.state(x), None, 0.0);
    let g = h.state(&x).gradients;
    let block = |i: usize, j: usize| {
        DMat3::from_cols(g[i] * g[j].x, g[i] * g[j].y, g[i] * g[j].z) * h.stiffness
    };
    let error = hessian_error(x, forces, block);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn the_stiffness_of_a_tetrahedron_is_the_slope_of_its_forces() {
    let rest = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 0.9, 0.1), DVec3::new(0.1, 0.3, 1.1)]
        .map(|p| p * 0.1);
    let t = Tet::new([0, 1, 2, 3], rest).expect("a volume");
    let mut rng = Rng::new(3);
    for model in [Elastic::Corotational, Elastic::NeoHookean] {
        let material = SolidMaterial { model, ..SolidMaterial::new(1000.0, 1e5, 0.4) };
        for _ in 0..20 {
            let x = rest.map(|p| p + DVec3::from_array([0; 3].map(|_| rng.uniform(-0.02, 0.02))));
            let forces = |x: &[DVec3]| t.forces(&t.state(x, &material, false), None, &material);
            let state = t.state(&x, &material, false);
            let block = |i, j| t.block(&state, (1.0, 0.0), &material, (i, j));
            let error = hessian_error(x, forces, block);
            assert!(error < 1e-7, "{model:?}: {error:e}");
        }
    }
}

#[test]
fn the_viscosity_is_the_slope_of_the_viscous_forces() {
    for (name, mut body) in all() {
        shake(&mut body, 0.01, 5);
        let mut rng = Rng::new(11);
        let direction: Vec<DVec3> = (0..body.positions.len())
            .map(|_| DVec3::from_array([0; 3].map(|_| rng.uniform(-1.0, 1.0))))
            .collect();
        let still = body.forces();
        body.velocities.copy_from_slice(&direction);
        let moving = body.forces();
        // A = M + h D + h² K with three steps of different length gives D alone.
        let mut product = |h: f64| {
            body.velocities.fill(DVec3::ZERO);
            body.free_velocities(h, DVec3::ZERO, &[]);
            let mut y = vec![DVec3::ZERO; direction.len()];
            body.matrix().multiply(&direction, &mut y);
            y
        };
        let h = 1e-3;
        let (one, two, four) = (product(h), product(2.0 * h), product(4.0 * h));
        let mut worst = 0.0_f64;
        let mut scale = 0.0_f64;
        for i in 0..direction.len() {
            // (M + hD + h²K), doubled twice: eliminate M and K.
            let (a, b) = (two[i] - one[i], four[i] - two[i]);
            let d = (a * 4.0 - b) / (2.0 * h);
            worst = worst.max((d - (still[i] - moving[i])).length());
            scale = scale.max(d.length());
        }
        assert!(worst < 1e-9 * scale, "{name}: {worst:e} of {scale:e}");
    }
}

/// Viscous forces of a tetrahedron with edges along the axes, at x ↦ F x with velocities G x.
fn viscous_forces(f: DMat3, g: DMat3, material: &SolidMaterial) -> [DVec3; 4] {
    let rest = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * 0.1);
    let t = Tet::new([0, 1, 2, 3], rest).expect("a volume");
    let (x, v) = (rest.map(|p| f * p), rest.map(|p| g * p));
    let state = t.state(&x, material, true);
    let (with, without) = (t.forces(&state, Some(&v), material), t.forces(&state, None, material));
    [0, 1, 2, 3].map(|k| with[k] - without[k])
}

#[test]
fn viscosity_follows_the_rate_of_deformation_where_a_solid_is_stretched() {
    let material = SolidMaterial::new(1000.0, 1e5, 0.4);
    let [mu, lambda] = material.lame();
    let per_rate = material.damping * (2.0 * mu + lambda);
    for stretch in [0.3_f64, 0.8, 1.0, 1.5, 4.0, 20.0] {
        let f = DMat3::from_diagonal(DVec3::new(stretch, 1.0, 1.0));
        let rate = 0.7;
        let forces = viscous_forces(f, DMat3::from_diagonal(DVec3::X * rate), &material);
        // Stretched: Cauchy's stress is that of a fluid, τ (2μ + λ) σ̇/σ, over 1/σ of the stretch.
        // Pressed: the rate of Green's strain, σσ̇.
        let stress = if stretch > 1.0 {
            per_rate * rate / (stretch * stretch)
        } else {
            per_rate * rate * stretch * stretch
        };
        let area = 0.1 * 0.1 / 2.0 / 3.0;
        let force = -stress * area;
        assert!((forces[1].x - force).abs() < 1e-10 * force.abs(), "{stretch}: {}", forces[1].x);
    }
}

#[test]
fn a_turning_solid_is_not_braked_however_it_is_stretched() {
    let material = SolidMaterial::new(1000.0, 1e5, 0.4);
    let spin = |w: DVec3| DMat3::from_cols(w.cross(DVec3::X), w.cross(DVec3::Y), w.cross(DVec3::Z));
    let mut rng = Rng::new(8);
    for _ in 0..50 {
        let mut number = || rng.uniform(-3.0, 3.0);
        let f = DMat3::from_cols_array(&[0.0; 9].map(|_: f64| number()));
        let w = DVec3::new(number(), number(), number());
        let turning = viscous_forces(f, spin(w) * f, &material);
        let growing = viscous_forces(f, f, &material);
        let size = |forces: [DVec3; 4]| forces.iter().map(|x| x.length()).fold(0.0, f64::max);
        assert!(size(turning) < 1e-10 * (1.0 + size(growing)), "{turning:?}");
        assert!(size(growing) > 0.0);
    }
}

#[test]
fn the_matrix_of_a_step_is_symmetric_and_positive_definite() {
    for (name, mut body) in all() {
        for seed in 0..5 {
            shake(&mut body, 0.03, 20 + seed);
            let old = body.positions.clone();
            body.velocities.fill(DVec3::ZERO);
            let h = 0.5;
            body.free_velocities(h, DVec3::ZERO, &[]);
            let a = body.matrix().clone();
            let mut rng = Rng::new(seed);
            for _ in 0..50 {
                let mut random = || -> Vec<DVec3> {
                    (0..a.rows())
                        .map(|_| DVec3::from_array([0; 3].map(|_| rng.gaussian())))
                        .collect()
                };
                let (x, y) = (random(), random());
                let (mut ax, mut ay) = (x.clone(), y.clone());
                a.multiply(&x, &mut ax);
                a.multiply(&y, &mut ay);
                let dot = |p: &[DVec3], q: &[DVec3]| -> f64 {
                    p.iter().zip(q).map(|(a, b)| a.dot(*b)).sum()
                };
                let mass: f64 = x.iter().zip(&body.masses).map(|(x, m)| m * x.dot(*x)).sum();
                assert!(dot(&x, &ax) >= mass * (1.0 - 1e-9), "{name}");
                let (p, q) = (dot(&y, &ax), dot(&x, &ay));
                assert!((p - q).abs() <= 1e-10 * dot(&x, &ax).max(dot(&y, &ay)), "{name}");
            }
            body.positions = old;
        }
    }
}

#[test]
fn rigid_motions_give_no_force() {
    let turn = DQuat::from_euler(glamx::EulerRot::XYZ, 0.7, -1.1, 2.0);
    for (name, mut body) in all() {
        let omega = DVec3::new(3.0, -2.0, 5.0);
        for i in 0..body.positions.len() {
            let x = turn * body.positions[i] + DVec3::new(0.3, -0.2, 0.5);
            body.positions[i] = x;
            body.velocities[i] = omega.cross(x) + DVec3::new(1.0, 2.0, 3.0);
        }
        let worst = body.forces().iter().map(|f| f.length()).fold(0.0, f64::max);
        // Against the forces of one per mille of strain.
        for x in &mut body.positions {
            *x *= 1.001;
        }
        body.velocities.fill(DVec3::ZERO);
        let scale = body.forces().iter().map(|f| f.length()).fold(0.0, f64::max);
        assert!(worst < 1e-8 * scale, "{name}: {worst:e} of {scale:e}");
    }
}

#[test]
fn an_affine_deformation_leaves_inner_vertices_without_force() {
    // The patch test: constant strain, so that inner vertices are in balance.
    let affine = DMat3::from_cols_array(&[1.03, 0.02, -0.01, 0.04, 0.97, 0.03, 0.02, -0.03, 1.01]);
    let mut rng = Rng::new(9);
    for (name, mut body) in all() {
        let outer = body.positions.iter().fold(DVec3::ZERO, |a, p| a.max(p.abs()));
        let inner: Vec<bool> = body
            .positions
            .iter()
            .map(|p| {
                let inside = (outer - p.abs()).cmpgt(DVec3::splat(1e-9));
                inside.x && inside.z && (inside.y || outer.y == 0.0)
            })
            .collect();
        assert!(inner.iter().any(|i| *i));
        for x in &mut body.positions {
            *x = affine * *x;
        }
        let forces = body.forces();
        let scale = forces.iter().map(|f| f.length()).fold(0.0, f64::max);
        for (i, f) in forces.iter().enumerate().filter(|(i, _)| inner[*i]) {
            assert!(f.length() < 1e-12 * scale, "{name}: vertex {i} has {f}");
        }
        // And equilibrium finds the affine shape again when only the outside is held.
        let exact = body.positions.clone();
        for (i, x) in body.positions.iter_mut().enumerate() {
            body.pinned[i] = !inner[i];
            if inner[i] {
                *x += DVec3::from_array([0; 3].map(|_| rng.uniform(-0.005, 0.005)));
            }
        }
        // Residual relative to nothing given is infinite; iterate until nothing improves.
        body.relax(DVec3::ZERO, &[], 0.0, 30);
        let worst =
            body.positions.iter().zip(&exact).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{name}: {worst:e}");
    }
}

#[test]
fn small_strains_follow_hooke() {
    // A tetrahedron under uniaxial stress: F = diag(1 − νe, 1 + e, 1 − νe) gives σ = E e.
    let (young, nu, e) = (1e5, 0.3, 1e-6);
    for model in [Elastic::Corotational, Elastic::NeoHookean] {
        let material = SolidMaterial { model, ..SolidMaterial::new(1.0, young, nu) };
        let f = DMat3::from_diagonal(DVec3::new(1.0 - nu * e, 1.0 + e, 1.0 - nu * e));
        let (stress, _) = model.stress_and_hessian(f, material.lame(), true);
        assert!((stress.y_axis.y / (young * e) - 1.0).abs() < 1e-4, "{model:?}");
        assert!(stress.x_axis.x.abs() < 1e-4 * young * e, "{model:?}");
    }
    let fabric = Fabric { strain_limit: None, ..stiff() };
    let weave = Weave::new(&fabric);
    let flat = [DVec2::ZERO, DVec2::X, DVec2::Y];
    let m = Membrane::new([0, 1, 2], flat).expect("an area");
    let contraction = fabric.poisson * (fabric.stretch[0] / fabric.stretch[1]).sqrt();
    let x = flat.map(|p| DVec3::new(p.x * (1.0 + e), p.y * (1.0 - contraction * e), 0.0));
    let s = m.state(&x, &weave).stress;
    assert!((s[0] / (fabric.stretch[0] * e) - 1.0).abs() < 1e-4);
    assert!(s[1].abs() < 1e-4 * s[0]);
}
