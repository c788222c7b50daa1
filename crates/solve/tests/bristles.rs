//! Bristles in a solver: one body on one patch, in steps of up to 10 ms.

use std::sync::Arc;

use asperity_friction::extent::{Exact, LimitMap, Shape, disc_set};
use asperity_friction::memory::{Distributed, Parameters, Reduced};
use asperity_friction::set::{LimitSurface, Set};
use asperity_friction::testing::Rng;
use asperity_friction::{Law, LoadRule};
use asperity_solve::{
    ContactProblem, FrictionBlock, Operator, ProxSolver, SolveOptions, Solver, SparseMatrix,
};
use glamx::DVec3;

const LOAD: f64 = 9.81;
/// Inverse masses of a 1 kg disc of 5 cm.
const INVERSE: DVec3 = DVec3::new(1.0, 1.0, 1.0 / (0.5 * 0.05 * 0.05));

/// One step of the disc under a force: its new velocity and the wrench of the bristles.
fn step(law: &Law, velocity: DVec3, force: DVec3, dt: f64) -> (DVec3, DVec3) {
    let free = velocity + INVERSE * force * dt;
    // In impulses: f is h times the force, and so is the load.
    let load = LoadRule::Constant(LOAD * dt);
    let problem = ContactProblem {
        name: "bristles".to_owned(),
        operator: Operator::Explicit(
            SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, INVERSE[i]))).unwrap(),
        ),
        q: free.to_array().to_vec(),
        compliance: Vec::new(),
        blocks: vec![FrictionBlock::new(0..3, 0..0, Law { load, ..law.clone() })],
    };
    problem.validate().unwrap();
    let mut r = vec![0.0; 3];
    let options = SolveOptions { tolerance: 1e-12, max_iterations: 50, time_limit: None };
    let report = ProxSolver::default().solve(&problem, &mut r, &options).clone();
    assert!(report.residual < 1e-10, "{report:?}");
    let new = free + INVERSE * DVec3::from_slice(&r);
    let drag = law.rheology.as_ref().unwrap().drag;
    (new, DVec3::from_slice(&r) / dt + drag * new * LOAD)
}

/// Bristles of either kind.
enum Bristles {
    Reduced(Reduced),
    Distributed(Box<Distributed>),
}

impl Bristles {
    fn reduced(parameters: Parameters, radius: f64) -> Bristles {
        let (r, u) = (2.0 / 3.0 * radius, 0.5 * radius * radius);
        Bristles::Reduced(Reduced::with_radius(parameters, LimitMap::Ellipsoid, r, u).unwrap())
    }

    fn distributed(parameters: Parameters, radius: f64) -> Bristles {
        let pressure = Arc::new(Shape::Circle.pressure(21, 2.0 * radius).unwrap());
        Bristles::Distributed(Box::new(Distributed::new(parameters, pressure).unwrap()))
    }

    fn stored(&self) -> f64 {
        match self {
            Bristles::Reduced(b) => b.stored(),
            Bristles::Distributed(b) => b.stored(),
        }
    }

    /// One step; the new velocity and the wrench of the bristles. The law is made again about the velocity
    /// found, as worlds do: LuGre's wear goes by it.
    fn step(
        &mut self,
        surface: &LimitSurface,
        velocity: DVec3,
        force: DVec3,
        dt: f64,
    ) -> (DVec3, DVec3) {
        let (mut about, mut found) = (velocity, velocity);
        let mut wrench = DVec3::ZERO;
        for round in 0..ROUNDS {
            if round > 0 {
                about = found;
            }
            let law = match self {
                Bristles::Reduced(b) => b.law(surface, about, dt).unwrap(),
                Bristles::Distributed(b) => b.law(surface, about, dt).unwrap(),
            };
            (found, wrench) = step(&law, velocity, force, dt);
        }
        match self {
            Bristles::Reduced(b) => b.advance(surface, about, dt, wrench, LOAD).unwrap(),
            Bristles::Distributed(b) => b.advance(about, dt, wrench, LOAD),
        }
        (found, wrench)
    }
}

/// How often a law is made in a step.
const ROUNDS: usize = 3;

fn kinds(parameters: Parameters, radius: f64) -> [Bristles; 2] {
    [Bristles::reduced(parameters, radius), Bristles::distributed(parameters, radius)]
}

const RADIUS: f64 = 0.025;

#[test]
fn friction_with_memory_never_creates_energy() {
    let lugre = Parameters::default();
    let surface = disc_set(RADIUS, None, 1.0, 8).unwrap();
    let mut rng = Rng::new(5);
    for parameters in [lugre, lugre.elasto_plastic(0.9), Parameters { damping: 1e4, ..lugre }] {
        for mut bristles in kinds(parameters, RADIUS) {
            let mut velocity = DVec3::ZERO;
            let (mut slid, mut held) = (0, 0);
            for _ in 0..400 {
                let dt = rng.log_uniform(1e-4, 1e-2);
                let size = LOAD * rng.log_uniform(1e-3, 10.0);
                let force = DVec3::from_slice(&rng.unit_vector(3)) * size;
                let force = DVec3::new(force.x, force.y, RADIUS * force.z);
                let before = bristles.stored();
                let (new, wrench) = bristles.step(&surface, velocity, force, dt);
                let work = -wrench.dot(new) * dt;
                let growth = LOAD * (bristles.stored() - before);
                let scale =
                    LOAD * (bristles.stored() + before) + wrench.length() * new.length() * dt;
                assert!(work >= growth - 1e-9 * scale, "{work:e} < {growth:e}");
                velocity = new;
                let speed = velocity.x.hypot(velocity.y) + RADIUS * velocity.z.abs();
                slid += usize::from(speed > 1e-2);
                held += usize::from(speed < 1e-3);
            }
            assert!(slid > 20 && held > 20, "{slid} {held}");
        }
    }
}

/// Where the disc is at the same phase of an oscillating force, cycle after cycle.
fn drift(mut bristles: Bristles, dt: f64) -> Vec<f64> {
    let surface = disc_set(RADIUS, None, 1.0, 8).unwrap();
    let (mut velocity, mut position, mut out) = (DVec3::ZERO, DVec3::ZERO, Vec::new());
    let per_cycle = (0.4 / dt).round() as usize;
    for i in 0..40 * per_cycle {
        let t = i as f64 * dt;
        let swing = 0.4 * (std::f64::consts::TAU * t / 0.4).sin();
        let force = DVec3::new(1.0 + swing, 0.0, 0.03 + 0.02 * swing);
        velocity = bristles.step(&surface, velocity, force, dt).0;
        position += velocity * dt;
        if i % per_cycle == 0 && i >= 10 * per_cycle {
            out.push(position.x);
        }
    }
    out
}

#[test]
fn elasto_plastic_bristles_do_not_drift_and_lugre_does() {
    let lugre = Parameters::default();
    for dt in [1e-3, 1e-2] {
        for (k, bristles) in kinds(lugre.elasto_plastic(0.9), RADIUS).into_iter().enumerate() {
            let places = drift(bristles, dt);
            let moved = (places[places.len() - 1] - places[0]).abs() / (places.len() - 1) as f64;
            assert!(moved < 1e-9, "elasto-plastic {k}, {dt}: {moved:e} m per cycle");
            // The elastic deflection under 1 N is f/(σ₀ N).
            assert!((places[0] - 1.0 / (1e6 * LOAD)).abs() < 1e-7, "{}", places[0]);
        }
        for (k, bristles) in kinds(lugre, RADIUS).into_iter().enumerate() {
            let places = drift(bristles, dt);
            let moved = (places[places.len() - 1] - places[0]) / (places.len() - 1) as f64;
            assert!(moved > 1e-9, "LuGre {k}, {dt}: {moved:e} m per cycle");
        }
    }
}

/// Distance, angle and time to rest of a disc with Coulomb friction, by small steps.
fn integrated(mu: f64, radius: f64, start: DVec3) -> DVec3 {
    let (disc, dt) = (Exact::disc(radius).unwrap(), 2e-5);
    let (mut velocity, mut place, mut t) = (start, DVec3::ZERO, 0.0);
    while velocity.x > 1e-4 {
        let first = INVERSE * disc.wrench(velocity) * (mu * LOAD);
        let middle = velocity + first * (0.5 * dt);
        let change = INVERSE * disc.wrench(middle) * (mu * LOAD) * dt;
        place += (velocity + 0.5 * change) * dt;
        velocity += change;
        t += dt;
    }
    DVec3::new(place.x, place.z, t)
}

#[test]
fn a_sliding_spinning_disc_stops_in_both_at_once() {
    let (mu, radius, dt) = (0.2, 0.05, 0.01);
    let parameters = Parameters {
        coulomb: mu,
        stiction: mu,
        viscosity: 0.0,
        ..Parameters::default().elasto_plastic(0.9)
    };
    let surface = disc_set(radius, None, 1.0, 24).unwrap();
    for start in [DVec3::new(1.0, 0.0, 10.0), DVec3::new(1.0, 0.0, 30.0)] {
        let mut bristles = Bristles::reduced(parameters, radius);
        let (mut velocity, mut place, mut t) = (start, DVec3::ZERO, 0.0);
        let mut stopped = [None; 2];
        while t < 2.0 {
            let new = bristles.step(&surface, velocity, DVec3::ZERO, dt).0;
            place += (velocity + new) * (0.5 * dt);
            t += dt;
            velocity = new;
            for (stop, v) in stopped.iter_mut().zip([velocity.x, radius * velocity.z]) {
                if v.abs() < 1e-3 && stop.is_none() {
                    *stop = Some(t);
                }
            }
        }
        let expected = integrated(mu, radius, start);
        let found = DVec3::new(place.x, place.z, expected.z);
        let error = ((found - expected) / expected).abs();
        assert!(error.max_element() < 5e-3, "{start}: {found} {expected} {error}");
        let [Some(a), Some(b)] = stopped else { panic!("still moving: {velocity}") };
        assert!((a - b).abs() < 1.5 * dt && (a - expected.z).abs() < 2.5 * dt, "{a} {b}");
    }
}

#[test]
fn a_law_without_load_unbends_the_bristles() {
    let parameters = Parameters::default();
    let surface = disc_set(RADIUS, None, 1.0, 8).unwrap();
    let Bristles::Reduced(mut b) = Bristles::reduced(parameters, RADIUS) else { unreachable!() };
    b.set_deflection(DVec3::new(1e-6, 0.0, 1e-9));
    let law = b.law(&surface, DVec3::ZERO, 1e-2).unwrap();
    assert!(matches!(law.set, Set::LimitSurface(_)));
    b.advance(&surface, DVec3::ZERO, 1e-2, DVec3::ZERO, 0.0).unwrap();
    assert_eq!(b.deflection(), DVec3::ZERO);
}
