//! The random numbers of the conformance suite are what they say.

use asperity_friction::testing::Rng;

const DRAWS: usize = 100_000;

/// Mean of a function of the generator. Its error is about 1/√DRAWS = 0.003 of the deviation.
fn mean(mut draw: impl FnMut(&mut Rng) -> f64) -> f64 {
    let mut rng = Rng::new(42);
    (0..DRAWS).map(|_| draw(&mut rng)).sum::<f64>() / DRAWS as f64
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.02, "{found} is not {expected}");
}

#[test]
fn numbers_have_the_moments_of_their_distribution() {
    assert_near(mean(Rng::unit), 0.5);
    assert_near(mean(|rng| rng.unit().powi(2)), 1.0 / 3.0);
    assert_near(mean(|rng| rng.uniform(-3.0, 1.0)), -1.0);
    assert_near(mean(|rng| rng.log_uniform(1e-6, 1e2).log10()), -2.0);
    assert_near(mean(Rng::gaussian), 0.0);
    assert_near(mean(|rng| rng.gaussian().powi(2)), 1.0);
    assert_near(mean(|rng| f64::from(rng.chance(0.3))), 0.3);
    assert_near(mean(Rng::sign), 0.0);
}

#[test]
fn every_index_occurs_and_none_beyond() {
    let mut counts = [0; 7];
    let mut rng = Rng::new(1);
    for _ in 0..DRAWS {
        counts[rng.index(7)] += 1;
    }
    for count in counts {
        assert_near(f64::from(count) / DRAWS as f64, 1.0 / 7.0);
    }
}

#[test]
fn unit_vectors_have_length_one_and_no_preferred_direction() {
    for dim in 1..=6 {
        let mut rng = Rng::new(dim as u64);
        let mut sum = vec![0.0; dim];
        for _ in 0..DRAWS {
            let v = rng.unit_vector(dim);
            assert!((v.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
            for (s, x) in sum.iter_mut().zip(&v) {
                *s += x / DRAWS as f64;
            }
        }
        for s in sum {
            assert_near(s, 0.0);
        }
    }
}

#[test]
fn a_case_always_draws_the_same_and_its_neighbours_do_not() {
    let first = |label: &str, case: usize| Rng::for_case(label, case).next_u64();
    assert_eq!(first("disk", 5), first("disk", 5));
    assert_ne!(first("disk", 5), first("disk", 6));
    assert_ne!(first("disk", 5), first("box", 5));
}
