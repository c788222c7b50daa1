//! Rate-and-state friction against its equations: velocity steps, stick–slip, healing.

#[path = "rate_and_state/apparatus.rs"]
mod apparatus;
mod common;
#[path = "rate_and_state/reference.rs"]
mod reference;

use apparatus::{BOX, Belt, GRAVITY, POINT, Pulled, remembers};
use common::{load, missed};
use reference::{Cycle, Evolution, Friction, Sample, Slider, cycle, onsets};

const EVOLUTIONS: [Evolution; 2] = [Evolution::Aging, Evolution::Slip];
fn friction(evolution: Evolution) -> Friction {
    Friction { mu: 0.6, a: 0.01, b: 0.02, speed: 1e-4, distance: 5e-5, evolution }
}

/// The same by the closed forms: friction at the end of each step.
fn exact(f: &Friction, dt: f64, legs: &[(f64, f64)]) -> Vec<f64> {
    let mut state = f.distance / f.speed;
    let mut curve = Vec::new();
    for (seconds, speed) in legs {
        for _ in 0..(seconds / dt).round() as usize {
            state = f.state_after(state, *speed, dt);
            curve.push(f.coefficient(*speed, state));
        }
    }
    curve
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const SLOW: f64 = 1e-4;
const FAST: f64 = 1e-3;
const LEGS: [(f64, f64); 3] = [(6.0, SLOW), (1.0, FAST), (3.0, SLOW)];

/// With a steady state at first that is not that of the belt.
fn stepped(evolution: Evolution) -> Friction {
    Friction { speed: 3e-5, ..friction(evolution) }
}

#[test]
fn a_step_in_velocity_gives_the_direct_effect_and_then_the_slow_one() {
    for evolution in EVOLUTIONS {
        let f = stepped(evolution);
        let run = |dt: f64| Belt::new(remembers(&f, 1e-9), dt).run(&LEGS);
        let errors = [1e-3, 5e-4].map(|dt| {
            let found = run(dt);
            // Friction fades by at most this in a step, from the state of ten times the speed.
            let fades = f.b * (FAST * dt / f.distance) * 10_f64.ln();
            let error = largest_difference(&found, &exact(&f, dt, &LEGS));
            assert!(error < fades, "{evolution:?}, {dt} s: {error:e}, a step is worth {fades:e}");
            let at = |time: f64| found[(time / dt).round() as usize - 1];
            for (time, sign) in [(6.0, 1.0), (7.0, -1.0)] {
                let jump = sign * (at(time + dt) - at(time));
                let expected = f.a * 10_f64.ln();
                assert!(
                    (jump - expected).abs() < fades,
                    "{evolution:?}, {dt} s: {jump} for {expected}"
                );
            }
            // Steady: (a − b) ln 10, after 20 D.
            let steady = at(7.0) - at(6.0);
            let expected = (f.a - f.b) * 10_f64.ln();
            // The 12 D before leave e⁻¹² of 7/3 b.
            assert!((steady - expected).abs() < 1e-6, "{evolution:?}: {steady} for {expected}");
            error
        });
        assert!(errors[1] < 0.6 * errors[0], "{evolution:?}: {errors:?}");
    }
}

#[test]
fn friction_without_memory_has_no_step() {
    let pair = r#"{ section = { model = "coulomb", mu = 0.6 } }"#;
    let curve = Belt::new(pair.to_owned(), 1e-3).run(&LEGS);
    for (step, mu) in curve.iter().enumerate() {
        assert!((mu - 0.6).abs() < 1e-9, "step {step}: {mu}");
    }
}

#[test]
fn a_manifold_gives_the_curve_of_a_point_at_any_size_and_heading() {
    for evolution in EVOLUTIONS {
        let f = stepped(evolution);
        let legs = [(0.5, SLOW), (0.2, FAST), (0.2, SLOW)];
        let belt = || Belt::new(remembers(&f, 1e-9), 1e-3);
        let four = belt().run(&legs);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (what, other) in [
            ("a point", Belt { shape: POINT, ..belt() }),
            ("45 degrees", Belt { direction: [half, half], ..belt() }),
            ("backwards", Belt { direction: [-1.0, 0.0], ..belt() }),
            (
                "twice the size",
                Belt { shape: "box = [0.2, 0.1, 0.2]", height: 0.05, mass: 8.0, ..belt() },
            ),
        ] {
            let off = largest_difference(&four, &other.run(&legs));
            assert!(off < 1e-7, "{evolution:?}, {what}: {off:e}");
        }
    }
}

#[test]
fn friction_at_rest_grows_with_the_logarithm_of_time() {
    // The age grows from 0.1 s to that and the hold; sliding then wears it off.
    let f = Friction { distance: 1e-5, ..friction(Evolution::Aging) };
    let (dt, pull) = (0.005, 2e-5);
    let peak = |f: &Friction, hold: f64| {
        let belt = Belt { shape: POINT, ..Belt::new(remembers(f, 1e-9), dt) };
        let curve = belt.run(&[(hold, 0.0), (0.2, pull)]);
        curve[(hold / dt).round() as usize..].iter().copied().fold(0.0, f64::max)
    };
    let holds = [1.0, 10.0, 100.0];
    let peaks = holds.map(|hold| peak(&f, hold));
    for (hold, found) in holds.iter().zip(peaks) {
        let expected = f.coefficient(pull, 0.1 + hold);
        // What a step of sliding and one of rest change.
        let slack = f.b * dt * (pull / f.distance + 1.0 / hold);
        assert!((found - expected).abs() <= slack, "{hold} s: {found} for {expected}");
    }
    for i in 0..2 {
        let growth = (peaks[i + 1] - peaks[i]) / ((0.1 + holds[i + 1]) / (0.1 + holds[i])).ln();
        assert!((growth - f.b).abs() < 1e-2 * f.b, "{growth} per e-fold");
    }
    // Ruina's law heals by slip alone.
    let f = Friction { evolution: Evolution::Slip, ..f };
    let [short, long] = [1.0, 10.0].map(|hold| peak(&f, hold));
    assert!((long - short).abs() < 1e-9, "{short} {long}");
}

/// Half of the critical stiffness.
fn soft(evolution: Evolution) -> Slider {
    let friction = friction(evolution);
    Slider { friction, mass: 1.0, load: GRAVITY, stiffness: 1000.0, pull: 1e-3 }
}

const DURATION: f64 = 9.0;

/// The cycle of the reference, the same with a hundredth of the error.
fn true_cycle(slider: &Slider) -> Cycle {
    let age = slider.friction.distance / slider.friction.speed;
    let [rough, fine] = [1e-7, 1e-9]
        .map(|tolerance| cycle(&slider.solve(5.4, age, DURATION, tolerance), slider.pull).unwrap());
    for (a, b) in parts(&rough).into_iter().zip(parts(&fine)) {
        assert!((a / b - 1.0).abs() < 1e-5, "{rough:?} {fine:?}");
    }
    fine
}

fn parts(c: &Cycle) -> [f64; 3] {
    [c.period, c.drop, c.fastest]
}

/// Relative errors of period, force drop and largest speed.
fn errors(found: &Cycle, expected: &Cycle) -> [f64; 3] {
    let (found, expected) = (parts(found), parts(expected));
    [0, 1, 2].map(|i| (found[i] / expected[i] - 1.0).abs())
}

#[test]
fn below_the_critical_stiffness_it_sticks_and_slips_as_the_equations_say() {
    for evolution in EVOLUTIONS {
        let slider = soft(evolution);
        assert!(slider.stiffness < 0.6 * slider.critical_stiffness());
        let expected = true_cycle(&slider);
        let [coarse, fine] = [5e-4, 2.5e-4].map(|dt| {
            let found = cycle(&Pulled::new(slider).run(dt, DURATION), slider.pull);
            let found = found.unwrap_or_else(|| panic!("{evolution:?}, {dt} s: no stick–slip"));
            errors(&found, &expected)
        });
        for i in 0..3 {
            assert!(fine[i] < 0.02, "{evolution:?}: {coarse:?} {fine:?}");
            assert!(fine[i] < 0.7 * coarse[i], "{evolution:?}: {coarse:?} {fine:?}");
        }
    }
}

#[test]
fn stick_slip_is_the_same_at_45_degrees_at_twice_the_size_and_with_uneven_loads() {
    let slider = soft(Evolution::Aging);
    let run = |pulled: Pulled| pulled.run(1e-3, 4.0);
    let first = run(Pulled::new(slider));
    let times = onsets(&first, slider.pull);
    assert!(times.len() >= 2, "{times:?}");
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turned = run(Pulled { direction: [half, half], ..Pulled::new(slider) });
    let large = run(Pulled { shape: "box = [0.2, 0.1, 0.2]", height: 0.05, ..Pulled::new(slider) });
    // The spring's force lifts the load off the rear: points carry up to 15 times as much in front.
    let high = run(Pulled { grip: 0.07, ..Pulled::new(slider) });
    for (what, other) in
        [("45 degrees", turned), ("twice the size", large), ("pulled from above", high)]
    {
        let others = onsets(&other, slider.pull);
        assert_eq!(times.len(), others.len(), "{what}");
        let off = largest_difference(&times, &others);
        assert!(off < 1e-5, "{what}: {off:e} s");
    }
}

/// Nothing slips in the last third, and all goes at the speed of the spring's end.
fn creeps(slider: Slider) {
    let samples = Pulled::new(slider).run(5e-4, DURATION);
    let late = &samples[2 * samples.len() / 3..];
    for s in late {
        assert!((s.speed / slider.pull - 1.0).abs() < 1e-3, "{s:?}");
    }
    let f = &slider.friction;
    let steady = slider.load * f.coefficient(slider.pull, f.distance / slider.pull);
    let force = late[late.len() - 1].force;
    assert!((force / steady - 1.0).abs() < 1e-4, "{force} for {steady}");
}

#[test]
fn above_the_critical_stiffness_it_creeps() {
    for evolution in EVOLUTIONS {
        let slider = soft(evolution);
        // Inertia adds m V²/(N a D) = 1/5 to the critical stiffness.
        creeps(Slider { stiffness: 2.0 * slider.critical_stiffness(), ..slider });
    }
}

#[test]
fn what_grows_stronger_with_speed_never_sticks_and_slips() {
    for evolution in EVOLUTIONS {
        let slider = soft(evolution);
        creeps(Slider { friction: Friction { a: 0.02, b: 0.01, ..slider.friction }, ..slider });
    }
}

#[test]
fn the_force_that_breaks_a_contact_away_grows_with_its_age() {
    let slider = Slider { stiffness: 4000.0, ..soft(Evolution::Aging) };
    let f = &slider.friction;
    let peak = |samples: &[Sample]| samples.iter().map(|s| s.force).fold(0.0, f64::max);
    // Until the spring pulls by half of the limit nothing moves: age is time.
    let ramp = 3.0 / (slider.stiffness * slider.pull);
    let mut peaks = Vec::new();
    for hold in [1.0, 10.0, 100.0] {
        let age = f.distance / f.speed + hold + ramp;
        let expected = peak(&slider.solve(3.0, age, 2.0, 1e-8));
        let pulled = Pulled { force: 0.0, hold, ..Pulled::new(slider) };
        let found = peak(&pulled.run(2e-3, hold + 3.0));
        // 2 % of what ten times the age adds.
        let slack = 0.02 * slider.load * f.b * 10_f64.ln();
        assert!((found - expected).abs() < slack, "{hold} s: {found} N for {expected} N");
        peaks.push(found);
    }
    assert!(peaks[0] < peaks[1] && peaks[1] < peaks[2], "{peaks:?}");
}

#[test]
fn a_blow_to_a_block_at_rest_is_braked_by_no_more_than_its_friction() {
    // At the centre of mass: lower down, the blow itself would press corners into the floor.
    let (dt, hold) = (1e-3, 0.1);
    let mut wrong = Vec::new();
    for evolution in EVOLUTIONS {
        let f = friction(evolution);
        for (blow, rest) in [(0.01, 1e-8), (0.1, 1e-8), (1.0, 1e-8), (0.1, 1e-6), (1.0, 1e-10)] {
            let text = format!(
                r#"version = 1
world = {{ gravity = {GRAVITY}, dt = {dt}, solver = {{ tolerance = 1e-10 }} }}
pair.default = {}
body = [ {{ name = "floor", kind = "fixed", shape = {{ box = [2, 0.2, 2] }}, at = [0, -0.1, 0] }},
         {{ name = "block", shape = {{ {BOX} }}, at = [0, 0.025, 0], mass = 1 }} ]
drive = [ {{ body = "block", impulse = [{blow}, 0, 0], at = {} }} ]
"#,
                remembers(&f, rest),
                hold + 0.5 * dt
            );
            let mut scene = load(&text);
            let mut speed = || {
                scene.world.step();
                scene.world.bodies()[1].linear_velocity.x
            };
            for _ in 0..100 {
                assert!(speed().abs() < 1e-12);
            }
            // Friction is that of its age at most, and at least the steady one of its largest speed.
            let oldest = f.coefficient(blow, f.distance / f.speed + hold + dt);
            let least = f.coefficient(blow, f.distance / blow);
            let mut before = blow;
            for step in 0..20 {
                let now = speed();
                let mu = (before - now) / (GRAVITY * dt);
                // Not in the step in which it comes to rest.
                let slides = now > 1e-2 * GRAVITY * dt;
                if mu > oldest + 1e-6 || (mu < least - 1e-6 && slides) {
                    wrong.push(format!("{evolution:?}, {blow} N s, rest {rest:e} m/s, step {step}: {mu} from {before} to {now} m/s; expected {least} to {oldest}"));
                }
                before = now;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_scene_meets_its_expectations_and_its_control_none() {
    let (missed_by_effect, all) = missed(include_str!("../../../scenes/models/stick_slip.toml"));
    assert!(all > 0 && missed_by_effect.is_empty(), "{missed_by_effect:#?}");
    let (missed_by_control, same) =
        missed(include_str!("../../../scenes/models/stick_slip_control.toml"));
    assert_eq!((missed_by_control.len(), same), (all, all), "{missed_by_control:#?}");
}
