//! A block that a spring pulls over a rail, against the textbook's LuGre equation.

use crate::watch::{Once, Seen, claim, watch};

static SEEN: Once = Once::new(|| watch("stick_slip", f64::MAX));

/// Speeds at which the first slip has begun, m/s: the way up to there is pre-sliding.
const ONSETS: [f64; 2] = [1e-3, 2e-3];

/// Time, position and speed.
type Sample = (f64, f64, f64);

/// ẍ = k (u t − x) − F, F = N (σ₀ z + σ₁ ż), ż = v − σ₀ |v| z/g(v), g = μ + (μ_s − μ) exp(−(v/v_s)²), for a kilogram;
/// sampled every millisecond.
fn textbook() -> Vec<Sample> {
    const PER_SAMPLE: usize = 500;
    let (stiffness, pull, load) = (60.0, 0.1, 9.81);
    let (sigma0, sigma1) = (1e4, 50.0);
    let g = |v: f64| 0.3 + 0.2 * (-(v / 0.01).powi(2)).exp();
    let rates = |t: f64, [x, v, z]: [f64; 3]| {
        let dz = v - sigma0 * v.abs() / g(v) * z;
        [v, stiffness * (pull * t - x) - load * (sigma0 * z + sigma1 * dz), dz]
    };
    let h = 1e-3 / PER_SAMPLE as f64;
    let mut state = [0.0; 3];
    let mut samples = vec![(0.0, 0.0, 0.0)];
    for k in 0..6000 * PER_SAMPLE {
        let t = k as f64 * h;
        let [a, b] = [state, rates(t, state)];
        // The midpoint rule.
        let half = rates(t + 0.5 * h, std::array::from_fn(|i| a[i] + 0.5 * h * b[i]));
        state = std::array::from_fn(|i| a[i] + h * half[i]);
        if (k + 1) % PER_SAMPLE == 0 {
            samples.push((t + h, state[0], state[1]));
        }
    }
    samples
}

fn seen_samples(seen: &Seen) -> Vec<Sample> {
    let states = seen.path("block").zip(&seen.moments);
    states.map(|(s, m)| (m.time, s.pose.translation.x, s.velocity.x)).collect()
}

/// Where and when the speed first goes past an onset.
fn onset(samples: &[Sample], speed: f64) -> (f64, f64) {
    let k = samples.iter().position(|s| s.2 > speed).expect("it slips");
    let (a, b) = (samples[k - 1], samples[k]);
    let part = (speed - a.2) / (b.2 - a.2);
    (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1))
}

fn peak(samples: &[Sample]) -> f64 {
    samples.iter().map(|s| s.2).fold(0.0, f64::max)
}

/// How often it slips: passes of 0.1 m/s upwards.
fn slips(samples: &[Sample]) -> usize {
    samples.windows(2).filter(|w| w[0].2 < 0.1 && w[1].2 >= 0.1).count()
}

fn check_near(what: &str, found: f64, expected: f64) {
    eprintln!("stick_slip: {what} {found:.6}, textbook {expected:.6}");
    assert!((found / expected - 1.0).abs() < 0.02, "{what} {found:.6}, textbook {expected:.6}");
}

fn check_peak(seen: &Seen) {
    check_near("peak speed", peak(&seen_samples(seen)), peak(&textbook()));
}

fn check_pre_sliding(seen: &Seen) {
    let (ours, exact) = (seen_samples(seen), textbook());
    for speed in ONSETS {
        let (found, expected) = (onset(&ours, speed), onset(&exact, speed));
        check_near("onset after", found.0, expected.0);
        check_near("pre-sliding", found.1, expected.1);
    }
}

fn check_slips(seen: &Seen) {
    let (ours, exact) = (seen_samples(seen), textbook());
    assert_eq!(slips(&ours), slips(&exact));
    check_near("way", ours.last().unwrap().1, exact.last().unwrap().1);
}

#[test]
fn textbook_is_that_of_the_table() {
    let exact = textbook();
    assert!((peak(&exact) - 0.377).abs() < 1e-3);
    assert!((onset(&exact, 2e-3).1 - 190e-6).abs() < 10e-6);
}

claim!(data_block_on_a_rail_does_not_overlap: SEEN, Seen::check_overlap);
claim!(data_stick_slip_has_the_peak_speed_of_lugre: SEEN, check_peak);
claim!(data_stick_slip_has_the_pre_sliding_of_lugre: SEEN, check_pre_sliding);
claim!(data_stick_slip_slips_as_often_as_lugre: SEEN, check_slips);
