//! The matchstick cone by hand (Erleben 2020, Eqs. 5–12), with μ = 0.4, μ_t = 0.1, μ_b = 0.9.

use std::f64::consts::PI;

use asperity_friction::section::{Matchstick, Section, ZeroStructure};
use asperity_friction::set::Set;
use asperity_friction::surface::{Structure, Surface};
use asperity_friction::testing::Rng;
use asperity_friction::{ContactFrame, ContactState};
use glamx::{DVec2, DVec3};

fn matchstick() -> Matchstick {
    Matchstick::new(0.4, 0.1, 0.9).unwrap()
}

/// The set for grains given as world vectors; the normal is z, so t = x and b = y.
fn set_of(section: &Matchstick, grain_a: DVec3, grain_b: DVec3) -> Set {
    let surface = Surface::new("match").with_structure(Structure::None);
    let mut surfaces = [surface.at(DVec3::X, DVec3::Y, DVec2::ZERO); 2];
    surfaces[0].structure = grain_a;
    surfaces[1].structure = grain_b;
    let frame = ContactFrame::from_normal(DVec3::Z);
    assert_eq!((frame.t, frame.b), (DVec3::X, DVec3::Y));
    section.law(&ContactState { slip: DVec3::X, ..ContactState::new(frame, surfaces, 0.01) }).set
}

/// A grain in the contact plane at this many degrees from t.
fn grain(degrees: f64) -> DVec3 {
    DVec2::from_angle(degrees.to_radians()).extend(0.0)
}

/// Eq. 12: the boundary is f = R (μ_t cos φ, μ_b sin φ) λ_n with R turning t to `axis` degrees.
fn assert_cone(set: &Set, mu_t: f64, mu_b: f64, axis: f64) {
    let (load, axis) = (7.0, DVec2::from_angle(axis.to_radians()));
    for k in 0..360 {
        let phi = f64::from(k).to_radians();
        let edge = axis.rotate(DVec2::new(mu_t * phi.cos(), mu_b * phi.sin())) * load;
        let inside = set.contains(&(edge * (1.0 - 1e-9)).to_array(), load, 0.0);
        let outside = !set.contains(&(edge * (1.0 + 1e-9)).to_array(), load, 0.0);
        assert!(inside && outside, "{edge} is not the boundary of {set:?}");
    }
}

#[test]
fn parallel_grains_give_the_extreme_cone() {
    assert_cone(&set_of(&matchstick(), grain(0.0), grain(0.0)), 0.1, 0.9, 0.0);
    assert_cone(&set_of(&matchstick(), grain(70.0), grain(70.0)), 0.1, 0.9, 70.0);
}

/// d = 1 − (2/π)(π/4) = ½: μ_t = (0.1 + 0.4)/2, μ_b = (0.9 + 0.4)/2.
#[test]
fn grains_at_45_degrees_give_the_cone_half_way() {
    assert_cone(&set_of(&matchstick(), grain(0.0), grain(45.0)), 0.25, 0.65, 22.5);
}

/// d = 1 − (2/π)(π/6) = ⅔: μ_t = (0.2 + 0.4)/3, μ_b = (1.8 + 0.4)/3.
#[test]
fn grains_at_30_degrees_give_the_cone_a_third_of_the_way() {
    assert_cone(&set_of(&matchstick(), grain(20.0), grain(-10.0)), 0.2, 2.2 / 3.0, 5.0);
}

#[test]
fn crossed_grains_give_the_isotropic_cone() {
    assert_cone(&set_of(&matchstick(), grain(0.0), grain(90.0)), 0.4, 0.4, 0.0);
    assert_cone(&set_of(&matchstick(), grain(33.0), grain(123.0)), 0.4, 0.4, 0.0);
}

/// Grains at 10° and 150° form an acute angle of 40° about −10°; d = 1 − 40/90 = 5/9.
#[test]
fn the_t_axis_is_the_bisector_of_the_acute_angle() {
    let set = set_of(&matchstick(), grain(10.0), grain(150.0));
    assert_cone(&set, (0.5 + 1.6) / 9.0, (4.5 + 1.6) / 9.0, -10.0);
    let Set::Ellipse(ellipse) = set else { panic!("{set:?} is no ellipse") };
    let bisector = DVec2::from_angle(-10_f64.to_radians());
    assert!(ellipse.rotation().axis().perp_dot(bisector).abs() < 1e-14);
}

#[test]
fn neither_sign_nor_length_of_a_grain_matters() {
    let mut rng = Rng::new(5);
    for _ in 0..1000 {
        let (a, b) = (grain(rng.uniform(0.0, 360.0)), grain(rng.uniform(0.0, 360.0)));
        let plain = set_of(&matchstick(), a, b);
        let slip = rng.unit_vector(2);
        let mut expected = [0.0; 2];
        plain.traction(&slip, 1.0, &mut expected);
        for (sign_a, sign_b) in [(-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (0.01, -300.0)] {
            let mut found = [0.0; 2];
            set_of(&matchstick(), a * sign_a, b * sign_b).traction(&slip, 1.0, &mut found);
            let difference = DVec2::from(found).distance(expected.into());
            assert!(difference < 1e-13, "{found:?} is not {expected:?}");
        }
    }
}

/// θ = 1e-9 rad changes μ_t by (2/π) θ (0.4 − 0.1). An arccos would see no angle at all.
#[test]
fn nearly_parallel_grains_keep_their_digits() {
    let set = set_of(&matchstick(), DVec3::X, DVec3::new(1.0, 1e-9, 0.0));
    let Set::Ellipse(ellipse) = set else { panic!("{set:?} is no ellipse") };
    let change = ellipse.mu().x - 0.1;
    assert!((change - 2.0 / PI * 1e-9 * 0.3).abs() < 1e-16, "{change:e}");
}

#[test]
fn with_one_grain_the_other_surface_decides_by_default() {
    assert_eq!(ZeroStructure::default(), ZeroStructure::OtherDecides);
    assert_cone(&set_of(&matchstick(), DVec3::ZERO, grain(30.0)), 0.1, 0.9, 30.0);
    assert_cone(&set_of(&matchstick(), grain(30.0), DVec3::ZERO), 0.1, 0.9, 30.0);
}

#[test]
fn with_one_grain_eq_5_gives_the_isotropic_cone_when_asked_for() {
    let section = matchstick().with_zero_structure(ZeroStructure::Isotropic);
    assert_cone(&set_of(&section, DVec3::ZERO, grain(30.0)), 0.4, 0.4, 0.0);
    assert_cone(&set_of(&section, grain(30.0), DVec3::ZERO), 0.4, 0.4, 0.0);
    assert_cone(&set_of(&section, grain(30.0), grain(30.0)), 0.1, 0.9, 30.0);
}

#[test]
fn without_grains_the_cone_is_isotropic() {
    for zero in [ZeroStructure::OtherDecides, ZeroStructure::Isotropic] {
        let section = matchstick().with_zero_structure(zero);
        assert_cone(&set_of(&section, DVec3::ZERO, DVec3::ZERO), 0.4, 0.4, 0.0);
    }
}

#[test]
fn a_grain_along_the_normal_is_none() {
    assert_cone(&set_of(&matchstick(), DVec3::Z, grain(30.0)), 0.1, 0.9, 30.0);
    assert_cone(&set_of(&matchstick(), -DVec3::Z, DVec3::Z), 0.4, 0.4, 0.0);
}

/// The angle counts in the contact plane: a grain that leans out of it is laid down first.
#[test]
fn a_leaning_grain_is_laid_into_the_contact_plane() {
    let leaning = DVec3::new(1.0, 0.0, 2.0);
    assert_cone(&set_of(&matchstick(), leaning, grain(45.0)), 0.25, 0.65, 22.5);
}

#[test]
fn drilling_interpolates_like_the_other_coefficients() {
    let section = matchstick().with_drilling(0.02, 0.05).unwrap();
    for (degrees, expected) in [(0.0, 0.02), (45.0, 0.035), (90.0, 0.05)] {
        let set = set_of(&section, grain(0.0), grain(degrees));
        let Set::Ellipsoid(ellipsoid) = set else { panic!("{set:?} is no ellipsoid") };
        assert!((ellipsoid.drilling() - expected).abs() < 1e-15, "{degrees}: {ellipsoid:?}");
        let planar = set_of(&matchstick(), grain(0.0), grain(degrees));
        let mut force = [0.0; 2];
        planar.traction(&[1.0, 2.0], 1.0, &mut force);
        let mut with_torque = [0.0; 3];
        Set::from(ellipsoid).traction(&[1.0, 2.0, 0.0], 1.0, &mut with_torque);
        let difference = DVec2::new(with_torque[0] - force[0], with_torque[1] - force[1]);
        assert!(difference.length() < 1e-15 && with_torque[2] == 0.0);
    }
}

#[test]
fn coefficients_out_of_range_are_refused_by_name() {
    let message = |result: Result<Matchstick, _>| match result {
        Err(asperity_friction::FrictionError::Value { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(message(Matchstick::new(-0.1, 0.1, 0.9)), "isotropic coefficient mu");
    assert_eq!(message(Matchstick::new(0.4, f64::NAN, 0.9)), "coefficient along the grain mu_t");
    assert_eq!(
        message(Matchstick::new(0.4, 0.1, f64::INFINITY)),
        "coefficient across the grain mu_b"
    );
    let drilling = matchstick().with_drilling(0.0, -1.0);
    assert_eq!(message(drilling), "drilling coefficient with crossed grains");
}
