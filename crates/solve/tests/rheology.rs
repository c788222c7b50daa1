//! Laws that give and drag, and constant loads that need a closed contact, against closed forms.

use asperity_friction::set::{Disk, Ellipse, Ellipsoid, Rotation, Set};
use asperity_friction::testing::Rng;
use asperity_friction::{Law, LoadRule, Rheology};
use asperity_solve::{
    Bodies, ContactProblem, Coupling, FrictionBlock, InverseMass, Operator, PgsSolver, ProxSolver,
    RowEntry, SolveOptions, SolveReport, Solver, SparseMatrix, SplitSolver, json, residual,
};
use glamx::{DMat3, DVec3};

const OPTIONS: SolveOptions =
    SolveOptions { tolerance: 1e-13, max_iterations: 20_000, time_limit: None };

fn law(set: impl Into<Set>, bias: DVec3, compliance: DMat3, drag: DMat3) -> Law {
    let rheology = Some(Box::new(Rheology { bias, compliance, drag }));
    Law { rheology, ..Law::from(set) }
}

/// One body with these inverse masses along its rows, which are a normal and those of a block.
fn on_a_patch(inverse: &[f64], q: Vec<f64>, law: Law) -> ContactProblem {
    let n = inverse.len();
    let w = SparseMatrix::from_triplets(n, n, (0..n).map(|i| (i, i, inverse[i]))).unwrap();
    let blocks = vec![FrictionBlock::contact(0, 1..n, law)];
    let operator = Operator::Explicit(w);
    let problem =
        ContactProblem { name: "patch".into(), operator, q, compliance: Vec::new(), blocks };
    problem.validate().unwrap();
    problem
}

fn solved(problem: &ContactProblem) -> Vec<f64> {
    let mut r = vec![0.0; problem.rows()];
    let report = ProxSolver::default().solve(problem, &mut r, &OPTIONS).clone();
    assert!(report.residual <= 1e-12, "{report:?}");
    assert_eq!(report.residual, residual(problem, &r).value);
    r
}

/// The same by rows, whose boxes must be the set itself for it to be a solution.
fn solved_by_rows(problem: &ContactProblem) -> (Vec<f64>, SolveReport) {
    let mut r = vec![0.0; problem.rows()];
    let report = PgsSolver::default().solve(problem, &mut r, &OPTIONS).clone();
    (r, report)
}

/// m = 2 kg presses with N = 3 N s. A spring bent so that it pushes with ξ = b holds at
/// f = −(q + b)/(1/m + C/N) below the limit, and slides at the limit with what remains.
#[test]
fn a_bent_spring_pushes_and_gives_way_at_the_limit() {
    let (inverse, load, give, mu) = (0.5, 3.0, 1.8, 0.4);
    for (q, bias) in [(0.0, 0.3), (0.2, 0.5), (0.1, -0.7), (0.5, 3.0), (-2.0, -1.0), (0.0, 0.0)] {
        let law = law(
            Disk::new(mu).unwrap(),
            DVec3::new(bias, 0.0, 9.0),
            DMat3::from_diagonal(DVec3::new(give, give, 5.0)),
            DMat3::ZERO,
        );
        let problem = on_a_patch(&[inverse; 3], vec![-load * inverse, q, 0.0], law);
        let free = -(q + bias) / (inverse + give / load);
        let expected = free.clamp(-mu * load, mu * load);
        let r = solved(&problem);
        assert!((r[0] - load).abs() < 1e-12 && (r[1] - expected).abs() < 1e-12, "{r:?} {expected}");
        assert!(r[2].abs() < 1e-12);
        let (by_rows, report) = solved_by_rows(&problem);
        assert!(report.own_residual.unwrap() <= 1e-13, "{report:?}");
        assert!((by_rows[1] - expected).abs() < 1e-12, "{by_rows:?}");
    }
}

/// m dv/dt = −N D v by implicit Euler: v' = v/(1 + h N D/m), with N in newton seconds for h N.
#[test]
fn drag_alone_is_implicit_euler() {
    let (inverse, load) = (0.25, 2.0);
    for drag in [0.0, 0.1, 3.0, 1e4] {
        let drags = DMat3::from_diagonal(DVec3::new(drag, 2.0 * drag, 0.0));
        let law = law(Disk::frictionless(), DVec3::ZERO, DMat3::ZERO, drags);
        let q = vec![-load * inverse, 1.5, -0.7];
        let problem = on_a_patch(&[inverse; 3], q.clone(), law);
        for r in [solved(&problem), solved_by_rows(&problem).0] {
            let mut u = vec![0.0; 3];
            problem.velocities(&r, &mut u);
            for (k, drag) in [(1, drag), (2, 2.0 * drag)] {
                let expected = q[k] / (1.0 + inverse * load * drag);
                assert!((u[k] - expected).abs() < 1e-12, "{u:?} {expected}");
            }
        }
    }
}

/// A random symmetric positive definite matrix whose third row is a torque's.
fn random_matrix(rng: &mut Rng, size: f64, radius: f64) -> DMat3 {
    let mut column = || DVec3::from_slice(&rng.unit_vector(3));
    let factor = DMat3::from_cols(column(), column(), column());
    let scale = DMat3::from_diagonal(DVec3::new(1.0, 1.0, radius));
    scale * (factor * factor.transpose() + DMat3::IDENTITY * 0.1) * scale * size
}

/// f by projected steps in units in which torques are forces: slow, but nothing of the solver.
fn by_projection(w: DMat3, q: DVec3, law: &Law, load: f64, radius: f64) -> DVec3 {
    let rheology = law.rheology.as_deref().unwrap();
    let Set::Ellipsoid(set) = &law.set else { unreachable!() };
    let unit = DVec3::new(1.0, 1.0, radius);
    let scaled = Ellipsoid::new(set.section(), set.drilling() / radius).unwrap();
    let a = (DMat3::IDENTITY + w * rheology.drag * load).inverse();
    let folded = a * w + rheology.compliance * (1.0 / load);
    let slip = |f: DVec3| folded * f + a * q + rheology.bias;
    let cut = DMat3::from_diagonal(unit);
    let step = 1.0 / (cut * folded * cut).to_cols_array().iter().map(|x| x.abs()).sum::<f64>();
    let mut g = DVec3::ZERO;
    for _ in 0..2_000_000 {
        let next = scaled.project(g - slip(g * unit) * unit * step, load);
        let moved = (next - g).length();
        g = next;
        if moved <= 1e-16 * g.length() {
            break;
        }
    }
    g * unit
}

#[test]
fn everything_at_once_agrees_with_projected_steps() {
    let mut rng = Rng::new(11);
    let (mut held, mut slid) = (0, 0);
    for case in 0..60 {
        let radius = rng.log_uniform(1e-2, 1.0);
        let section = Ellipse::new(
            rng.uniform(0.2, 1.0),
            rng.uniform(0.2, 1.0),
            Rotation::from_angle(rng.uniform(0.0, 3.0)),
        );
        let section = section.unwrap();
        let set = Ellipsoid::new(section, section.mu().max_element() * radius).unwrap();
        let size = rng.log_uniform(0.1, 10.0);
        let compliance = random_matrix(&mut rng, size, 1.0 / radius);
        let drag = random_matrix(&mut rng, 0.3, radius);
        let bias = DVec3::from_slice(&rng.unit_vector(3)) * DVec3::new(1.0, 1.0, 1.0 / radius);
        let law = law(set, bias, compliance, drag);
        let w = random_matrix(&mut rng, 1.0, 1.0 / radius);
        let q = DVec3::from_slice(&rng.unit_vector(3)) * rng.log_uniform(0.1, 10.0);
        let q = q * DVec3::new(1.0, 1.0, 1.0 / radius);
        let load = rng.log_uniform(0.1, 10.0);
        let mut entries = vec![(0, 0, 1.0)];
        entries.extend((0..9).map(|k| (1 + k % 3, 1 + k / 3, w.to_cols_array()[k])));
        let problem = ContactProblem {
            name: "all three".into(),
            operator: Operator::Explicit(SparseMatrix::from_triplets(4, 4, entries).unwrap()),
            q: vec![-load, q.x, q.y, q.z],
            compliance: Vec::new(),
            blocks: vec![FrictionBlock::contact(0, 1..4, law.clone())],
        };
        problem.validate().unwrap();
        let r = solved(&problem);
        let total = DVec3::from_slice(&r[1..]);
        let f = total + drag * (w * total + q) * load;
        let expected = by_projection(w, q, &law, load, radius);
        let unit = DVec3::new(1.0, 1.0, 1.0 / radius);
        let apart = ((f - expected) * unit).length() / (expected * unit).length();
        assert!(apart < 1e-10, "case {case}: {f} {expected} {apart:e}");
        let xi = w * total + q + compliance * f * (1.0 / load) + bias;
        let holds = (xi / unit).length() < 1e-9;
        (held, slid) = (held + usize::from(holds), slid + usize::from(!holds));
        let again = json::read(&json::write(&problem).unwrap()).unwrap();
        assert_eq!(again.blocks[0].law.rheology, problem.blocks[0].law.rheology);
    }
    assert!(held > 5 && slid > 5, "{held} {slid}");
}

/// A bar on two points, with one patch of friction below its middle: a pull tips it forward.
fn bar(law: Law) -> ContactProblem {
    let mut bodies = Bodies::default();
    let inertia = DMat3::from_diagonal(DVec3::splat(3.0));
    bodies.inverse_masses.push(InverseMass::Body { mass: 0.5, inertia });
    let entry = |at: DVec3, d: DVec3| RowEntry { dof_block: 0, linear: d, angular: at.cross(d) };
    for x in [-0.5, 0.5] {
        bodies.push_row([entry(DVec3::new(x, -0.4, 0.0), DVec3::Y)]);
    }
    let below = DVec3::new(0.1, -0.4, 0.0);
    bodies.push_row([entry(below, DVec3::Z)]);
    bodies.push_row([entry(below, DVec3::X)]);
    let dim = law.set.dim();
    if dim == 3 {
        bodies.push_row([RowEntry { dof_block: 0, linear: DVec3::ZERO, angular: DVec3::Y }]);
    }
    let q = [-0.1, -0.1, 0.02, 0.15, 0.3];
    let problem = ContactProblem {
        name: "bar".into(),
        operator: Operator::Bodies(bodies),
        q: q[..2 + dim].to_vec(),
        compliance: Vec::new(),
        blocks: vec![FrictionBlock::new(2..2 + dim, 0..2, law)],
    };
    problem.validate().unwrap();
    problem
}

#[test]
fn loads_that_friction_changes_are_found_with_it() {
    let section = Ellipse::new(0.5, 0.3, Rotation::from_angle(0.4)).unwrap();
    let planar = Set::from(section);
    let spinning = Set::from(Ellipsoid::new(section, 0.05).unwrap());
    for set in [planar, spinning] {
        for (bias, give, drag) in [
            (0.0, 0.05, 0.0),
            (0.1, 0.05, 0.2),
            (-0.2, 1.0, 0.0),
            (0.02, 0.0, 1.5),
            (0.3, 0.3, 0.3),
        ] {
            let cross = DMat3::from_cols(
                DVec3::new(1.0, 0.3, 0.2),
                DVec3::new(0.3, 1.0, -0.1),
                DVec3::new(0.2, -0.1, 1.0),
            );
            let law =
                law(set.clone(), DVec3::new(0.0, bias, bias), cross * give, cross * (0.1 * drag));
            let problem = bar(law.clone());
            let options = SolveOptions { tolerance: 1e-11, ..OPTIONS };
            let mut r = vec![0.0; problem.rows()];
            let report = ProxSolver::default().solve(&problem, &mut r, &options).clone();
            assert!(report.residual <= 1e-10, "{bias} {give} {drag}: {report:?}");
            all_laws_hold(&problem, &law, &r);
            let mut split = vec![0.0; problem.rows()];
            let mut solver = SplitSolver::default();
            let report = solver.solve(&problem, &mut split, &options);
            assert!(report.residual <= 1e-10, "{bias} {give} {drag}: {report:?}");
            all_laws_hold(&problem, &law, &split);
            let apart = r.iter().zip(&split).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-8, "{r:?} {split:?}");
        }
    }
}

fn all_laws_hold(problem: &ContactProblem, law: &Law, r: &[f64]) {
    let mut u = vec![0.0; r.len()];
    problem.velocities(r, &mut u);
    for n in 0..2 {
        assert!(r[n] >= 0.0 && u[n] >= -1e-9 && (r[n] * u[n]).abs() < 1e-9, "{r:?} {u:?}");
    }
    let (load, dim) = (r[0] + r[1], law.set.dim());
    assert!(load > 0.0);
    let three = |v: &[f64]| DVec3::new(v[0], v[1], if dim == 3 { v[2] } else { 0.0 });
    let cut = |v: DVec3| DVec3::new(v.x, v.y, if dim == 3 { v.z } else { 0.0 });
    let rheology = law.rheology.as_deref().unwrap();
    let u = three(&u[2..]);
    let f = three(&r[2..]) + cut(rheology.drag * u) * load;
    let xi = u + cut(rheology.compliance * f) * (1.0 / load) + cut(rheology.bias);
    let force = &f.to_array()[..dim];
    assert!(law.set.contains(force, load, 1e-9), "{f}");
    // Maximum dissipation: −ξ·f is all that the set can give.
    let most = law.set.support(&(-xi).to_array()[..dim], load);
    assert!((most + xi.dot(f)).abs() < 1e-9, "{xi} {f}");
}

#[test]
fn a_constant_load_needs_a_closed_contact() {
    let set = Disk::new(1.0).unwrap();
    let slide = |normal: f64| {
        let law = Law { load: LoadRule::Constant(0.3), ..Law::from(set) };
        on_a_patch(&[1.0; 3], vec![normal, 2.0, 0.0], law)
    };
    for (approach, expected) in [(-1.0, -0.3), (-1e-3, -0.3), (1.0, 0.0)] {
        let problem = slide(approach);
        let r = solved(&problem);
        assert_eq!(r[1], expected);
        let (by_rows, report) = solved_by_rows(&problem);
        assert!((by_rows[1] - expected).abs() < 1e-15, "{report:?}");
        let again = json::read(&json::write(&problem).unwrap()).unwrap();
        assert_eq!(again, problem);
    }
    // Held rows let go as well.
    let mut problem = slide(1.0);
    problem.blocks[0].law.set = Set::Free(2);
    assert_eq!(solved(&problem), [0.0; 3]);
    problem.q[0] = -1.0;
    assert_eq!(solved(&problem), [1.0, -2.0, 0.0]);
    // Without any normal row it is always there.
    let mut problem = slide(1.0);
    problem.blocks[0].normals = 0..0;
    assert_eq!(solved(&problem)[1], -0.3);
}

#[test]
fn a_patch_without_load_carries_nothing() {
    let stiff = DMat3::from_diagonal(DVec3::splat(0.1));
    let law = law(Disk::new(0.5).unwrap(), DVec3::X, stiff, stiff);
    assert_eq!(solved(&on_a_patch(&[1.0; 3], vec![0.5, 2.0, 1.0], law)), [0.0; 3]);
}

#[test]
fn rows_coupled_through_a_soft_body_give_and_drag() {
    let give = DMat3::from_diagonal(DVec3::new(0.4, 0.2, 0.0));
    let law = law(Disk::new(0.4).unwrap(), DVec3::new(0.1, 0.0, 0.0), give, give);
    let identity = |s: f64| SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, s))).unwrap();
    let mut bodies = Bodies { row_start: vec![0; 4], ..Bodies::default() };
    bodies.coupling = Coupling::new(0, identity(2.0), identity(1.0), vec![1.0; 3]).unwrap();
    let mut problem = on_a_patch(&[0.5; 3], vec![-0.5, 0.3, 0.1], law);
    let expected = solved(&problem);
    problem.operator = Operator::Bodies(bodies);
    problem.validate().unwrap();
    let mut r = vec![0.0; 3];
    let mut solver = SplitSolver::default();
    let report = solver.solve(&problem, &mut r, &OPTIONS);
    assert!(report.residual <= 1e-12, "{report:?}");
    for (a, b) in r.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-11, "{r:?} {expected:?}");
    }
}
