//! Speed and load dependence of any section: the same as Coulomb's own over one coefficient, the shape
//! of the section over all others.

use std::sync::Arc;

use asperity_friction::section::{Coulomb, Graded, LoadScaling, Matchstick, Section, Weakening};
use asperity_friction::set::Set;
use asperity_friction::surface::{Structure, Surface};
use asperity_friction::testing::{Rng, random_contact};
use asperity_friction::{ContactFrame, ContactState, FrictionError};
use glamx::{DVec2, DVec3};

const HERTZ: LoadScaling = LoadScaling { reference: 10.0, exponent: -1.0 / 3.0 };

fn radius(section: &dyn Section, contact: &ContactState) -> f64 {
    let Set::Disk(disk) = section.law(contact).set else { panic!("no disk") };
    disk.radius()
}

/// Largest difference to Coulomb's own static coefficient and load, relative, over random states.
fn difference_to_coulomb(ratio: f64, weakening: Weakening) -> f64 {
    let surface = Surface::new("plain");
    let own = Coulomb::with_static(0.72, 0.4, weakening).unwrap().with_load(HERTZ).unwrap();
    let graded = Graded::new(Arc::new(Coulomb::new(0.4).unwrap()));
    let graded = graded.with_speed(ratio, weakening).unwrap().with_load(HERTZ).unwrap();
    let mut worst = 0.0_f64;
    for number in 0..10_000 {
        let mut rng = Rng::for_case("graded", number);
        let contact = random_contact(&mut rng, &surface, &surface);
        let (found, expected) = (radius(&graded, &contact), radius(&own, &contact));
        worst = worst.max((found / expected - 1.0).abs());
    }
    worst
}

#[test]
fn over_one_coefficient_it_is_coulombs_own() {
    for weakening in [Weakening::Threshold(0.01), Weakening::Stribeck(0.1)] {
        let same = difference_to_coulomb(0.72 / 0.4, weakening);
        assert!(same < 1e-15, "{weakening:?}: {same}");
        // The control: another ratio is told apart.
        let other = difference_to_coulomb(1.7, weakening);
        assert!(other > 0.05, "{weakening:?}: {other}");
    }
}

/// Force per load along and across parallel grains, at a slip and a load.
fn ends(section: &dyn Section, slip: f64, last_load: Option<f64>) -> DVec2 {
    let surface = Surface::new("grained").with_structure(Structure::Constant(DVec2::X));
    let surfaces = [surface.at(DVec3::X, DVec3::Y, DVec2::ZERO); 2];
    let frame = ContactFrame::from_normal(DVec3::Z);
    let along = |direction: DVec3| {
        let contact = ContactState {
            slip: direction * slip,
            last_load,
            ..ContactState::new(frame, surfaces, 0.01)
        };
        section.law(&contact).set.support(&frame.to_plane(direction).to_array(), 1.0)
    };
    DVec2::new(along(DVec3::X), along(DVec3::Y))
}

#[test]
fn friction_per_load_goes_with_the_load_to_the_exponent_and_keeps_its_shape() {
    let matchstick = Arc::new(Matchstick::new(0.4, 0.1, 0.9).unwrap());
    for exponent in [-1.0 / 3.0, -0.2, 0.0, 0.5] {
        let scaling = LoadScaling { reference: 10.0, exponent };
        let graded = Graded::new(matchstick.clone()).with_load(scaling).unwrap();
        assert_eq!(graded.needs().load, exponent != 0.0);
        for load in [0.01, 1.0, 10.0, 80.0, 1e4] {
            // Friction itself: N^(1+e).
            let found = ends(&graded, 1.0, Some(load)) * load;
            let expected = DVec2::new(0.1, 0.9) * 10.0 * (load / 10.0).powf(1.0 + exponent);
            let off = ((found - expected) / expected).abs().max_element();
            assert!(off < 1e-14, "{load} N, {exponent}: {found} for {expected}");
        }
        // New contacts and open ones are those of the section, and absurd loads are cut off.
        let plain = DVec2::new(0.1, 0.9);
        assert_eq!([None, Some(0.0)].map(|load| ends(&graded, 1.0, load)), [plain; 2]);
        assert_eq!(ends(&graded, 1.0, Some(1e300)), ends(&graded, 1.0, Some(1e10)));
    }
}

#[test]
fn stribecks_curve_is_that_of_both_axes() {
    let matchstick = Arc::new(Matchstick::new(0.4, 0.1, 0.9).unwrap());
    let graded = Graded::new(matchstick).with_speed(1.5, Weakening::Stribeck(0.2)).unwrap();
    for slip in [0.0, 0.05, 0.2, 0.7, 3.0, 1e200] {
        let ratio = slip / 0.2;
        let expected = DVec2::new(0.1, 0.9) * (1.0 + 0.5 * f64::exp(-ratio * ratio));
        let found = ends(&graded, slip, None);
        assert!((found - expected).abs().max_element() < 1e-15, "{slip}: {found} for {expected}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let graded = || Graded::new(Arc::new(Coulomb::new(0.4).unwrap()));
    let threshold = Weakening::Threshold(0.1);
    let scaling = |reference, exponent| graded().with_load(LoadScaling { reference, exponent });
    for (refused, named) in [
        (graded().with_speed(0.99, threshold), "strength at rest is 0.99"),
        (graded().with_speed(f64::NAN, threshold), "strength at rest is NaN"),
        (graded().with_speed(1.5, Weakening::Stribeck(0.0)), "slip speed"),
        (graded().with_speed(1.5, Weakening::Threshold(f64::INFINITY)), "slip speed"),
        (scaling(0.0, 0.5), "reference load is 0"),
        (scaling(1.0, f64::NAN), "load exponent is NaN"),
    ] {
        let Err(e @ FrictionError::Value { .. }) = refused else { panic!("{named}: accepted") };
        assert!(e.to_string().contains(named), "{e}");
    }
}

#[test]
fn the_factor_has_a_bound() {
    let steep = LoadScaling { reference: 1.0, exponent: 100.0 };
    let graded = Graded::new(Arc::new(Coulomb::new(0.4).unwrap())).with_load(steep).unwrap();
    assert!((graded.factor(0.0, Some(1e5)) - 1e4).abs() < 1e-9);
    assert!(graded.factor(0.0, Some(1e-5)) >= 0.0);
    assert!((ends(&graded, 1.0, Some(1e5)).x - 4e3).abs() < 1e-9);
}
