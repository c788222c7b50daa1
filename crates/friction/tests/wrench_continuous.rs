//! What acts at a contact does not jump as the motion changes. Where it would, several contacts that
//! share bodies could have no solution, and sweeps would go in circles.

mod wrench_body;

use asperity_friction::extent::{Metric, Rim, Screw, SpinLaw, Wrench};
use asperity_friction::random::Rng;
use asperity_friction::set::{Disk, Ellipse, Rotation};
use glamx::{DVec2, DVec3};
use wrench_body::Body;

fn wrench(patch: Ellipse, metric: Metric) -> Wrench {
    let mut wrench = Wrench::new(patch, Disk::new(0.5).unwrap().into()).unwrap();
    (wrench.metric, wrench.rim) = (metric, Rim::Braked);
    wrench
}

fn between(a: &[f64; 6], b: &[f64; 6], t: f64) -> [f64; 6] {
    std::array::from_fn(|k| a[k] + t * (b[k] - a[k]))
}

fn distance(a: &[f64; 6], b: &[f64; 6], radius: f64) -> f64 {
    let scale = |k: usize| if k < 3 { 1.0 } else { radius };
    (0..6).map(|k| ((a[k] - b[k]) / scale(k)).powi(2)).sum::<f64>().sqrt()
}

/// The largest change that is left between two motions, however near, on the way from `a` to `b`.
fn jump(set: &Wrench, w: &[f64; 36], a: &[f64; 6], b: &[f64; 6]) -> f64 {
    let piece = |k: usize| {
        let at = |k: usize| between(a, b, k as f64 / PIECES as f64);
        left(set, w, &at(k), &at(k + 1))
    };
    (0..PIECES).map(piece).fold(0.0, f64::max)
}

const PIECES: usize = 16;

/// The same, where the half with the larger change is halved again.
fn left(set: &Wrench, w: &[f64; 36], a: &[f64; 6], b: &[f64; 6]) -> f64 {
    let solve = |t: f64| set.solve(w, &between(a, b, t));
    let (mut low, mut high) = (0.0, 1.0);
    let (mut at_low, mut at_high) = (solve(low), solve(high));
    for _ in 0..36 {
        let middle = 0.5 * (low + high);
        let at = solve(middle);
        if distance(&at_low, &at, set.radius()) > distance(&at, &at_high, set.radius()) {
            (high, at_high) = (middle, at);
        } else {
            (low, at_low) = (middle, at);
        }
    }
    distance(&at_low, &at_high, set.radius())
}

#[test]
fn spin_torque_stays_as_the_centre_of_pressure_reaches_the_rim() {
    let w = Body::of_box(2.0, DVec3::splat(0.5), DVec3::new(0.5, 0.0, 0.0)).block();
    let patch = Ellipse::new(0.4, 0.3, Rotation::from_angle(0.4)).unwrap();
    for metric in [Metric::Euclidean, Metric::Mass, Metric::Signorini] {
        let set = wrench(patch, metric);
        // It comes down, slides, spins, and begins to tip.
        let flat = [-1.0, 0.3, 0.1, 2.0, 0.0, 0.0];
        let tips = [-1.0, 0.3, 0.1, 2.0, 1.5, 4.0];
        let rim = |r: &[f64; 6]| {
            let at = patch.rotation().to_axes(Screw::from_rows(r).cop()) / patch.mu();
            at.length()
        };
        assert!(rim(&set.solve(&w, &flat)) < 0.9);
        let at_rim = set.solve(&w, &tips);
        assert!((rim(&at_rim) - 1.0).abs() < 1e-9);
        let screw = Screw::from_rows(&at_rim);
        assert!(screw.spin_about(screw.cop()).abs() > 0.01 * screw.linear.x, "{screw:?}");
        assert!(jump(&set, &w, &flat, &tips) < 1e-8);
        // The paper's algorithm has none at the rim.
        let mut paper = set.clone();
        paper.rim = Rim::Free;
        let screw = Screw::from_rows(&paper.solve(&w, &tips));
        assert!(screw.spin_about(screw.cop()).abs() < 1e-12 * screw.linear.x);
        assert!(jump(&paper, &w, &flat, &tips) > 1e-3);
    }
}

#[test]
fn spin_torque_of_uniform_pressure_fades_towards_the_rim() {
    let w = Body::of_box(2.0, DVec3::splat(0.5), DVec3::new(0.5, 0.0, 0.0)).block();
    let patch = Ellipse::new(0.4, 0.3, Rotation::from_angle(0.4)).unwrap();
    for metric in [Metric::Euclidean, Metric::Mass, Metric::Signorini] {
        let mut set = wrench(patch, metric).uniform();
        let flat = [-1.0, 0.3, 0.1, 2.0, 0.0, 0.0];
        let tips = [-1.0, 0.3, 0.1, 2.0, 1.5, 4.0];
        let spin = |r: &[f64; 6]| {
            let screw = Screw::from_rows(r);
            screw.spin_about(screw.cop()).abs() / screw.linear.x
        };
        for rim in [Rim::Free, Rim::Braked] {
            set.rim = rim;
            assert!(spin(&set.solve(&w, &flat)) > 0.05);
            assert!(spin(&set.solve(&w, &tips)) < 1e-9);
            assert!(jump(&set, &w, &flat, &tips) < 1e-8);
        }
    }
}

#[test]
fn uniform_pressure_carries_what_its_integral_says() {
    // A disc: ⅔ μ R. An ellipse: what the limit surface of its pieces says. At the rim nothing.
    let patch = |a: f64, b: f64| Ellipse::new(a, b, Rotation::IDENTITY).unwrap();
    let disc = Wrench::new(patch(0.3, 0.3), Disk::new(0.5).unwrap().into()).unwrap().uniform();
    assert!((disc.spin_bounds(DVec2::ZERO)[1] - 2.0 / 3.0 * 0.5 * 0.3).abs() < 1e-15);
    let at = DVec2::new(0.0, 0.15);
    assert!((disc.spin_bounds(at)[0] + 0.5 * 2.0 / 3.0 * 0.5 * 0.3).abs() < 1e-15);
    assert_eq!(disc.spin_bounds(DVec2::new(0.3, 0.0)), [0.0, 0.0]);
    let plain = Wrench::new(patch(0.4, 0.1), Disk::new(0.5).unwrap().into()).unwrap();
    let (uniform, exact) = (plain.clone().uniform(), plain.contensou().unwrap());
    let [low, high] = uniform.spin_bounds(DVec2::ZERO);
    let most = exact.spin_bounds(DVec2::ZERO)[1];
    assert!((high - most).abs() < 5e-3 * most && low == -high, "{low} {high} {most}");
}

#[test]
fn with_the_mass_metric_what_acts_on_random_boxes_hardly_ever_jumps() {
    let few = |what: &str, jumps: usize, most: usize| {
        assert!(jumps <= most, "{what}: {jumps} of {WAYS}, expected at most {most}");
    };
    few("braked rim", jumps(Metric::Mass, |braked| braked), 3);
    few("uniform pressure", jumps(Metric::Mass, Wrench::uniform), 7);
    few("no spin torque", jumps(Metric::Mass, |braked| braked.with_spin(SpinLaw::None)), 7);
    // The paper's algorithm.
    let paper = jumps(Metric::Mass, |mut braked| {
        braked.rim = Rim::Free;
        braked
    });
    assert!(paper > 50, "{paper} of {WAYS}");
}

/// Random ways from one motion of a box to another.
const WAYS: usize = 300;

/// On how many of them the wrench jumps.
fn jumps(metric: Metric, law: impl Fn(Wrench) -> Wrench) -> usize {
    let mut rng = Rng::new(11);
    let mut jumps = 0;
    for _ in 0..WAYS {
        let mut vector = |low: f64, high: f64| {
            DVec3::new(rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high))
        };
        let (half, place) = (vector(0.1, 0.6), vector(-1.0, 1.0));
        let centre = DVec3::new(half.x, half.y * place.y, half.z * place.z);
        let mut motion = || {
            let (v, spin) = (vector(-1.0, 1.0), vector(-3.0, 3.0));
            [-v.x.abs(), v.y, v.z, spin.x, spin.y, spin.z]
        };
        let (a, b) = (motion(), motion());
        let turn = Rotation::from_angle(rng.uniform(0.0, 3.0));
        let patch = Ellipse::new(rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.4), turn).unwrap();
        let w = Body::of_box(rng.uniform(0.1, 10.0), half, centre).block();
        let set = law(wrench(patch, metric));
        let size = distance(&set.solve(&w, &a), &[0.0; 6], set.radius());
        jumps += usize::from(jump(&set, &w, &a, &b) > 1e-3 * size);
    }
    jumps
}

/// One random contact of a box: patch, block, two motions.
fn contact(rng: &mut Rng) -> (Ellipse, [f64; 36], [[f64; 6]; 2]) {
    let mut vector = |low: f64, high: f64| {
        DVec3::new(rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high))
    };
    let (half, place) = (vector(0.1, 0.6), vector(-1.0, 1.0));
    let centre = DVec3::new(half.x, half.y * place.y, half.z * place.z);
    let mut motion = || {
        let (v, spin) = (vector(-1.0, 1.0), vector(-3.0, 3.0));
        [-v.x.abs(), v.y, v.z, spin.x, spin.y, spin.z]
    };
    let motions = [motion(), motion()];
    let turn = Rotation::from_angle(rng.uniform(0.0, 3.0));
    let patch = Ellipse::new(rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.4), turn).unwrap();
    (patch, Body::of_box(rng.uniform(0.1, 10.0), half, centre).block(), motions)
}

/// The speed at which the lowest point of a patch comes down once a wrench acts.
fn sinks(set: &Wrench, w: &[f64; 36], free: &[f64; 6], r: &[f64; 6]) -> f64 {
    let u: [f64; 6] =
        std::array::from_fn(|i| free[i] + (0..6).map(|j| w[6 * i + j] * r[j]).sum::<f64>());
    let gradient = DVec2::new(-u[5], u[4]);
    let over = match set.hull() {
        Some(hull) => hull.iter().map(|p| -p.dot(gradient)).fold(f64::MIN, f64::max),
        None => set.patch().support(gradient, 1.0),
    };
    over - u[0]
}

/// Signorini's law for the whole patch: without friction nothing of it sinks in, and what acts hardly ever jumps. With
/// friction that jams (Painlevé) some may. Control: by the nearest point the other side often sinks in, and it jumps.
#[test]
fn by_signorini_no_part_of_a_patch_sinks_in() {
    for mu in [0.0, 0.5] {
        let (mut rng, mut rims, mut sunk) = (Rng::new(23), 0, [0; 2]);
        let mut jumped = [0; 2];
        for k in 0..WAYS {
            let (patch, w, [a, b]) = contact(&mut rng);
            let mut set = Wrench::new(patch, Disk::new(mu).unwrap().into()).unwrap();
            set = set.with_spin(SpinLaw::None);
            set.metric = Metric::Signorini;
            if k % 3 == 0 {
                let corner = |i: i32| {
                    let at = DVec2::from_angle(1.1 * f64::from(i)) * patch.mu();
                    patch.rotation().to_frame(at)
                };
                set = set.with_hull(&[0, 1, 2, 3, 4].map(corner));
                assert!(set.hull().is_some());
            }
            let mut paper = set.clone();
            paper.metric = Metric::Euclidean;
            for (way, set) in [&set, &paper].into_iter().enumerate() {
                for free in [a, b] {
                    let r = set.solve(&w, &free);
                    let speed = free.iter().map(|x| x.abs()).fold(0.0, f64::max);
                    let rim = r[0] > 0.0 && sinks(set, &w, &free, &[0.0; 6]) > 0.0;
                    rims += usize::from(rim);
                    sunk[way] += usize::from(sinks(set, &w, &free, &r) > 1e-9 * speed);
                }
                let size = distance(&set.solve(&w, &a), &[0.0; 6], set.radius());
                jumped[way] += usize::from(jump(set, &w, &a, &b) > 1e-3 * size);
            }
        }
        assert!(rims > 200 && sunk[1] > 50, "{mu}: {rims} {sunk:?} {jumped:?}");
        assert!(mu > 0.0 || sunk[0] == 0, "{sunk:?}");
        assert!(20 * sunk[0] < sunk[1] && jumped[0] < jumped[1], "{mu}: {sunk:?} {jumped:?}");
    }
}
