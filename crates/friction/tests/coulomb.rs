//! Coulomb's section: which coefficient acts, and a block on an incline that sticks and slips.

use asperity_friction::section::{Coulomb, LoadScaling, Section, Weakening};
use asperity_friction::surface::Surface;
use asperity_friction::{ContactFrame, ContactState, FrictionError};
use glamx::{DVec2, DVec3};

const GRAVITY: f64 = 9.81;
const STATIC: f64 = 0.6;
const KINETIC: f64 = 0.4;

fn sticky(weakening: Weakening) -> Coulomb {
    Coulomb::with_static(STATIC, KINETIC, weakening).unwrap()
}

/// A block of 1 kg on an incline, moved by steps: the section's set bounds the force that would
/// stop it within the step.
struct Block<'a> {
    section: &'a dyn Section,
    surface: Surface,
    dt: f64,
    velocity: f64,
}

impl<'a> Block<'a> {
    fn new(section: &'a dyn Section, dt: f64, velocity: f64) -> Block<'a> {
        Block { section, surface: Surface::new("block"), dt, velocity }
    }

    /// One step at an incline with this slope (tan α). Returns whether the block slides after it.
    fn step(&mut self, slope: f64) -> bool {
        let angle = slope.atan();
        let (load, pull) = (GRAVITY * angle.cos(), GRAVITY * angle.sin());
        let surfaces = [self.surface.at(DVec3::X, DVec3::Y, DVec2::ZERO); 2];
        let law = self.section.law(&ContactState {
            slip: DVec3::X * self.velocity,
            last_load: Some(load),
            ..ContactState::new(ContactFrame::from_normal(DVec3::Z), surfaces, self.dt)
        });
        let mut force = [-(self.velocity / self.dt + pull), 0.0];
        law.set.project(&mut force, load);
        self.velocity += self.dt * (pull + force[0]);
        self.velocity.abs() > 1e-12
    }

    /// Slopes at which the block began or ceased to slide.
    fn transitions(&mut self, slopes: impl Iterator<Item = f64>) -> Vec<(bool, f64)> {
        let mut slides = self.velocity != 0.0;
        let mut found = Vec::new();
        for slope in slopes {
            let now = self.step(slope);
            if now != slides {
                found.push((now, slope));
            }
            slides = now;
        }
        found
    }
}

/// Up from level to `top` and back, with this change of slope per second.
fn ramp(top: f64, rate: f64, dt: f64) -> impl Iterator<Item = f64> {
    let steps = (top / (rate * dt)).ceil() as i32;
    (-steps..=steps).map(move |k| top * (1.0 - f64::from(k.abs()) / f64::from(steps)))
}

/// Sticks, breaks away once as the slope passes μₛ, gains speed, and stops once, below μₖ.
#[test]
fn on_a_slow_incline_a_block_breaks_away_once_and_stops_once() {
    for weakening in [Weakening::Threshold(1e-3), Weakening::Stribeck(0.05)] {
        let section = sticky(weakening);
        for dt in [1e-3, 2e-3, 5e-3, 0.01, 0.02, 1.0 / 30.0] {
            let rate = 0.05;
            let transitions = Block::new(&section, dt, 0.0).transitions(ramp(0.7, rate, dt));
            let [(true, start), (false, stop)] = transitions[..] else {
                panic!("{weakening:?}, dt {dt}: {transitions:?}")
            };
            assert!((start - STATIC).abs() <= 1.01 * rate * dt, "breaks away at slope {start}");
            assert!(stop < KINETIC, "stops at slope {stop}");
        }
    }
}

/// With one coefficient it starts at μ, and stops only after the slope has taken back the speed.
#[test]
fn without_a_static_coefficient_a_block_also_slides_once() {
    let section = Coulomb::new(KINETIC).unwrap();
    for dt in [1e-3, 0.01, 1.0 / 30.0] {
        let transitions = Block::new(&section, dt, 0.0).transitions(ramp(0.5, 0.05, dt));
        let [(true, start), (false, stop)] = transitions[..] else { panic!("{transitions:?}") };
        assert!((start - KINETIC).abs() <= 1.01 * 0.05 * dt && stop < KINETIC);
    }
}

/// Between μₖ and μₛ a block keeps the state it had: at rest it stays, sliding it gains speed.
#[test]
fn between_the_coefficients_the_state_is_whatever_it_was() {
    let section = sticky(Weakening::Threshold(1e-3));
    let slope = 0.5;
    for dt in [1e-3, 0.01] {
        let mut resting = Block::new(&section, dt, 0.0);
        assert_eq!(resting.transitions(std::iter::repeat_n(slope, 1000)), []);
        assert!(resting.velocity.abs() < 1e-12);
        let mut sliding = Block::new(&section, dt, 0.01);
        assert_eq!(sliding.transitions(std::iter::repeat_n(slope, 1000)), []);
        let angle = slope.atan();
        let gained = GRAVITY * (angle.sin() - KINETIC * angle.cos()) * dt * 1000.0;
        assert!((sliding.velocity - 0.01 - gained).abs() < 1e-9 * gained);
    }
}

#[test]
fn nothing_chatters_at_the_threshold() {
    let section = sticky(Weakening::Threshold(1e-3));
    for dt in [1e-3, 0.01, 1.0 / 30.0] {
        for (excess, slides) in [(-1e-9, 0), (1e-6, 1), (1e-3, 1)] {
            let slopes = std::iter::repeat_n(STATIC * (1.0 + excess), 20_000);
            let transitions = Block::new(&section, dt, 0.0).transitions(slopes);
            assert_eq!(transitions.len(), slides, "excess {excess}, dt {dt}: {transitions:?}");
        }
        // Coming to rest, it passes the threshold once.
        let mut block = Block::new(&section, dt, 0.5);
        let transitions = block.transitions(std::iter::repeat_n(0.1, 20_000));
        assert_eq!(transitions.len(), 1, "dt {dt}: {transitions:?}");
    }
}

#[test]
fn the_threshold_separates_static_from_kinetic() {
    let section = sticky(Weakening::Threshold(0.01));
    assert_eq!(section.mu(0.0, None), STATIC);
    assert_eq!(section.mu(0.01, None), STATIC);
    assert!((section.mu(0.010_001, None) - KINETIC).abs() < 1e-15);
}

/// μₖ + (μₛ − μₖ) e^−1 at vₛ, all of the difference at rest, none of it far above.
#[test]
fn stribeck_falls_from_static_to_kinetic() {
    let section = sticky(Weakening::Stribeck(0.1));
    assert!((section.mu(0.0, None) - STATIC).abs() < 1e-15);
    assert!((section.mu(0.1, None) - (KINETIC + 0.2 / std::f64::consts::E)).abs() < 1e-15);
    assert!((section.mu(10.0, None) - KINETIC).abs() < 1e-15);
}

/// Hertz: at eight times the load half the coefficient. No load known: the given coefficient.
#[test]
fn load_scaling_is_a_power_of_the_last_load() {
    let hertz = LoadScaling { reference: 10.0, exponent: -1.0 / 3.0 };
    let section = Coulomb::new(0.5).unwrap().with_load(hertz).unwrap();
    for (load, mu) in [(Some(10.0), 0.5), (Some(80.0), 0.25), (Some(1.25), 1.0), (None, 0.5)] {
        assert!((section.mu(1.0, load) - mu).abs() < 1e-15, "{load:?}");
    }
    assert_eq!(section.mu(1.0, Some(0.0)), 0.5);
}

#[test]
fn coefficients_that_make_no_sense_are_refused_with_the_reason() {
    let message = |result: Result<Coulomb, FrictionError>| result.unwrap_err().to_string();
    let threshold = Weakening::Threshold(0.01);
    assert_eq!(
        message(Coulomb::new(-0.5)),
        "static friction coefficient is -0.5; expected a finite number, zero or more"
    );
    assert!(
        message(Coulomb::with_static(0.3, 0.4, threshold))
            .contains("0.3 is below the kinetic one, 0.4")
    );
    assert!(Coulomb::with_static(0.3, f64::NAN, threshold).is_err());
    assert!(
        message(Coulomb::with_static(0.5, 0.4, Weakening::Stribeck(0.0))).contains("slip speed")
    );
    let scaling = LoadScaling { reference: 0.0, exponent: 1.0 };
    assert!(message(sticky(threshold).with_load(scaling)).starts_with("reference load is 0"));
}
