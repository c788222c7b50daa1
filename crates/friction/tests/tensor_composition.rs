//! How the tensors of two surfaces make one (Pabst 2009, section 3, and what its text asks for).

mod tensor_contact;

use asperity_friction::section::{Composition, FrictionTensors, Section};
use asperity_friction::surface::{Surface, SurfaceTensor, TextureMap, Wrap};
use glamx::DVec2;
use tensor_contact::{alone, assert_near, contact, force, matrix, orthotropic, traction};

fn section(composition: Composition) -> FrictionTensors {
    FrictionTensors::new(composition).unwrap()
}

fn slip_at(degrees: f64) -> DVec2 {
    DVec2::from_angle(degrees.to_radians())
}

#[test]
fn additive_is_kappa_times_the_sum() {
    let (a, b) = (orthotropic(0.2, 0.6), orthotropic(0.4, 0.8));
    for (kappa, expected) in [(0.5, DVec2::new(-0.3, -0.7)), (1.0, DVec2::new(-0.6, -1.4))] {
        let section = section(Composition::Additive { kappa });
        let [x, y] =
            [DVec2::X, DVec2::Y].map(|v| traction(&section, &contact(&a, 0.0, &b, 0.0, v)));
        assert_near(DVec2::new(x.x, y.y), expected);
    }
    assert_eq!(Composition::default(), Composition::Additive { kappa: 0.5 });
    assert!(FrictionTensors::new(Composition::Additive { kappa: -0.5 }).is_err());
}

#[test]
fn multiplicative_is_the_product_of_tensors_with_common_axes() {
    let (a, b) = (orthotropic(0.2, 0.6), orthotropic(0.4, 0.8));
    let section = section(Composition::Multiplicative);
    for (slip, mu) in [(DVec2::X, 0.08), (DVec2::Y, 0.48)] {
        assert_near(traction(&section, &contact(&a, 0.0, &b, 0.0, slip)), slip * -mu);
    }
}

/// Q₁Q₂ of tensors turned against each other is not symmetric and may be indefinite; here it is:
/// diag(1, 0.01) and the same at 45° give v·Q₁Q₂v < 0 for some v.
#[test]
fn multiplicative_dissipates_where_the_plain_product_would_not() {
    let thin = orthotropic(1.0, 0.01);
    let section = section(Composition::Multiplicative);
    let (q_1, q_2) = (matrix([[1.0, 0.0], [0.0, 0.01]]), matrix([[0.505, 0.495], [0.495, 0.505]]));
    let slips: Vec<DVec2> = (0..360).map(|k| slip_at(f64::from(k))).collect();
    assert!(slips.iter().any(|v| v.dot(q_1 * q_2 * *v) < -0.01));
    for slip in slips {
        let found = traction(&section, &contact(&thin, 0.0, &thin, 45.0, slip));
        assert!(found.dot(slip) < 0.0, "{found} for slip {slip}");
    }
}

/// Against an isotropic 0.4, diag(0.2, 0.6) dissipates less up to 45° from its first axis: at 30°
/// 0.2·¾ + 0.6·¼ = 0.3, at 60° 0.5.
#[test]
fn minimum_takes_the_tensor_that_dissipates_less_along_the_slip() {
    let (a, b) = (orthotropic(0.2, 0.6), Surface::new("rubber").with_mu(0.4).unwrap());
    let section = section(Composition::Minimum);
    let force = |slip| traction(&section, &contact(&a, 0.0, &b, 0.0, slip));
    assert_near(force(slip_at(30.0)), DVec2::new(-0.2 * 0.75_f64.sqrt(), -0.3));
    assert_near(force(slip_at(60.0)), slip_at(60.0) * -0.4);
    assert_near(force(slip_at(44.99)), -DVec2::new(0.2, 0.6) * slip_at(44.99));
    assert_near(force(slip_at(45.01)), slip_at(45.01) * -0.4);
}

#[test]
fn one_zero_tensor_gives_no_friction_unless_added() {
    let ice = orthotropic(0.0, 0.0);
    let ratchet = SurfaceTensor::asymmetric(
        matrix([[0.9, 0.0], [0.0, 0.3]]),
        matrix([[0.1, 0.0], [0.0, 0.5]]),
    );
    let ratchet = Surface::new("ratchet").with_tensor(ratchet.unwrap());
    for other in [orthotropic(0.2, 0.5), orthotropic(0.0, 0.5), orthotropic(0.5, 0.0), ratchet] {
        for degrees in [0.0, 17.0, 45.0, 90.0] {
            for slip in (0..24).map(|k| slip_at(15.0 * f64::from(k))) {
                for composition in [Composition::Multiplicative, Composition::Minimum] {
                    let section = section(composition);
                    let first = traction(&section, &contact(&ice, 0.0, &other, degrees, slip));
                    let second = traction(&section, &contact(&other, degrees, &ice, 0.0, slip));
                    assert_eq!((first, second), (DVec2::ZERO, DVec2::ZERO), "{composition:?}");
                }
                let sum = traction(
                    &section(Composition::default()),
                    &contact(&other, degrees, &ice, 0.0, slip),
                );
                assert_near(sum, alone(&other, degrees, slip) * 0.5);
            }
        }
    }
}

/// A tensor against its own mirror image dissipates the same in every direction; the sideways
/// parts cancel, whichever surface is called A.
#[test]
fn minimum_shares_where_both_dissipate_the_same() {
    let tensor = SurfaceTensor::full(matrix([[0.5, 0.2], [-0.2, 0.5]])).unwrap();
    let twisted = Surface::new("twisted").with_tensor(tensor);
    let section = section(Composition::Minimum);
    for k in 0..36 {
        let slip = slip_at(10.0 * f64::from(k));
        let found = traction(&section, &contact(&twisted, 20.0, &twisted, 70.0, slip));
        assert_near(found, slip * -0.5);
    }
}

/// A rail that resists along t only (1, 0) acts where that is less than the other's 0.3, that is
/// for slips within 56.8° of b. All their forces lie on one line and reach √0.3, further than the
/// 0.3 of the other tensor along t. The contact holds whatever it can carry while it slips.
#[test]
fn minimum_with_a_rail_holds_what_it_carries_while_slipping() {
    let (rail, rubber) = (orthotropic(1.0, 0.0), Surface::new("rubber").with_mu(0.3).unwrap());
    let set = section(Composition::Minimum).law(&contact(&rail, 0.0, &rubber, 0.0, DVec2::X)).set;
    for k in 0..3600 {
        let carried = force(&set, slip_at(0.1 * f64::from(k) + 0.01)) * 5.0;
        assert!(set.contains(&carried.to_array(), 5.0, 1e-10), "{carried} at {k}");
    }
    let reach = 0.3_f64.sqrt();
    assert!(set.contains(&[reach * (1.0 - 1e-9), 0.0], 1.0, 1e-12));
    assert!(!set.contains(&[reach * (1.0 + 1e-9), 0.0], 1.0, 1e-12));
}

/// Several slips may give one force. The one of least length decides whether the contact holds:
/// diag(1, 1) with 10 off the diagonal for slip in the first quadrant reaches far across.
#[test]
fn a_tensor_that_folds_the_plane_holds_what_it_carries_while_slipping() {
    let fold = SurfaceTensor::asymmetric(
        matrix([[1.0, 10.0], [10.0, 1.0]]),
        matrix([[30.0, 0.0], [0.0, 30.0]]),
    );
    let (fold, ice) = (Surface::new("fold").with_tensor(fold.unwrap()), orthotropic(0.0, 0.0));
    let section = section(Composition::Additive { kappa: 1.0 });
    let set = section.law(&contact(&fold, 0.0, &ice, 0.0, DVec2::X)).set;
    for k in 0..3600 {
        let carried = force(&set, slip_at(0.1 * f64::from(k)));
        assert!(set.contains(&carried.to_array(), 1.0, 1e-11), "{carried} at {k}");
    }
}

#[test]
fn multiplicative_refuses_tensors_without_a_square_root() {
    let full = SurfaceTensor::full(matrix([[0.5, 0.2], [-0.2, 0.5]])).unwrap();
    let twisted = Surface::new("felt").with_tensor(full);
    let plain = orthotropic(0.2, 0.5);
    let section = section(Composition::Multiplicative);
    let message = section.check(&plain, &twisted).unwrap_err().to_string();
    assert!(message.contains("\"felt\" is not symmetric"), "{message}");
    assert!(message.contains("use \"additive\" or \"minimum\""), "{message}");
    assert!(section.check(&twisted, &plain).is_err() && section.check(&plain, &plain).is_ok());
}

/// Symmetric tensors that a texture makes unsymmetric (green and blue differ), or that it leaves
/// dissipative in their own quadrant but indefinite.
#[test]
fn multiplicative_refuses_textures_that_take_the_square_root_away() {
    let q = |main: f64| matrix([[main, 0.4], [0.4, main]]);
    let painted = |tensor: SurfaceTensor, texel: [f32; 4]| {
        let map = TextureMap::new(1, 1, vec![texel], DVec2::ONE, Wrap::Repeat).unwrap();
        Surface::new("painted").with_tensor(tensor.with_map(map).unwrap())
    };
    let check = |surface: &Surface| section(Composition::Multiplicative).check(surface, surface);
    let linear = || SurfaceTensor::full(q(1.0)).unwrap();
    assert!(check(&painted(linear(), [1.0, 0.5, 0.5, 1.0])).is_ok());
    assert!(check(&painted(linear(), [1.0, 0.5, 0.25, 1.0])).is_err());
    let asymmetric = || SurfaceTensor::asymmetric(q(1.0), q(2.0)).unwrap();
    assert!(check(&painted(asymmetric(), [1.0, 1.0, 1.0, 1.0])).is_ok());
    assert!(check(&painted(asymmetric(), [0.3, 1.0, 1.0, 0.3])).is_err());
}

#[test]
fn a_surface_with_neither_tensor_nor_coefficient_is_refused_by_name() {
    let bare = Surface::new("bare");
    let message = section(Composition::default()).check(&orthotropic(0.2, 0.5), &bare);
    let message = message.unwrap_err().to_string();
    assert!(message.contains("\"bare\" has no friction tensor; give it `tensor`, or `mu`"));
}
