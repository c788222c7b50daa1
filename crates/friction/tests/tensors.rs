//! Friction tensors by hand (Pabst 2009, Eqs. 3–6): orientation, sense of slip, sticking, texture.

mod tensor_contact;

use asperity_friction::FrictionError;
use asperity_friction::section::{Composition, FrictionTensors, Matchstick, Section};
use asperity_friction::set::{Set, Tensor};
use asperity_friction::surface::{Structure, Surface, SurfaceTensor, TextureMap, Wrap};
use asperity_friction::testing::Rng;
use glamx::{DVec2, DVec3};
use tensor_contact::{alone, assert_near, contact, force, matrix, orthotropic, traction};

/// κ (Q₁ + R Q₂ Rᵀ) for Q₁ = diag(0.2, 0.6), Q₂ = diag(0.4, 0.8) and R by ±30°: cos² = ¾,
/// sin² = ¼, cos sin = ±√3/4, so R Q₂ Rᵀ = [[0.5, ∓√3/10], [∓√3/10, 0.7]].
#[test]
fn turning_one_surface_turns_its_tensor_the_same_way() {
    let (a, b) = (orthotropic(0.2, 0.6), orthotropic(0.4, 0.8));
    let off = 3_f64.sqrt() / 20.0;
    let section = FrictionTensors::new(Composition::default()).unwrap();
    for (degrees, off) in [(30.0, -off), (-30.0, off)] {
        let along_t = traction(&section, &contact(&a, 0.0, &b, degrees, DVec2::X));
        assert_near(along_t, DVec2::new(-0.35, -off));
        let along_b = traction(&section, &contact(&a, 0.0, &b, degrees, DVec2::Y));
        assert_near(along_b, DVec2::new(-off, -0.65));
    }
}

/// Sliding along the turned surface's own axes meets its own coefficients; the other sign of the
/// rotation would be off by 60°.
#[test]
fn a_turned_surface_resists_least_along_its_own_axis() {
    let grooved = orthotropic(0.2, 0.5);
    for degrees in [30.0, -30.0, 77.0] {
        let axis = DVec2::from_angle(f64::to_radians(degrees));
        for (slip, mu) in [(axis, 0.2), (axis.perp(), 0.5)] {
            assert_near(alone(&grooved, degrees, slip), slip * -mu);
        }
    }
}

/// Eq. 4: with n = x, t₁ = y and b₁ = n × t₁ = z, and the second surface turned by 30° from t₁.
#[test]
fn the_force_in_the_world_follows_the_axes_of_the_first_surface() {
    let (a, b) = (orthotropic(0.2, 0.6), orthotropic(0.4, 0.8));
    let mut contact = contact(&a, 0.0, &b, 0.0, DVec2::ZERO);
    contact.frame = asperity_friction::ContactFrame::from_normal(DVec3::X);
    let t_2 = DVec3::Y * 30_f64.to_radians().cos() + DVec3::Z * 30_f64.to_radians().sin();
    contact.surfaces[0] = a.at(DVec3::Y, DVec3::Z, DVec2::ZERO);
    contact.surfaces[1] = b.at(t_2, (-DVec3::X).cross(t_2), DVec2::ZERO);
    contact.slip = DVec3::Y;
    let section = FrictionTensors::new(Composition::default()).unwrap();
    let force = contact.frame.to_world(force(&section.law(&contact).set, contact.plane_slip()));
    let expected = DVec3::new(0.0, -0.35, 3_f64.sqrt() / 20.0);
    assert!(force.distance(expected) < 1e-15, "{force} is not {expected}");
}

/// Eq. 5: channels r g b a multiply Q₁₁ Q₁₂ Q₂₁ Q₂₂.
#[test]
fn texture_channels_multiply_the_entries_row_by_row() {
    let texel = vec![[0.5, 0.25, 0.75, 1.0]];
    let map = TextureMap::new(1, 1, texel, DVec2::ONE, Wrap::Repeat).unwrap();
    let q = SurfaceTensor::full(matrix([[0.4, 0.1], [0.2, 0.8]])).unwrap();
    let worn = Surface::new("worn").with_tensor(q.with_map(map).unwrap());
    assert_near(alone(&worn, 0.0, DVec2::X), DVec2::new(-0.2, -0.15));
    assert_near(alone(&worn, 0.0, DVec2::Y), DVec2::new(-0.025, -0.8));
}

fn fur() -> Surface {
    let tensor = SurfaceTensor::asymmetric(
        matrix([[0.5, 0.1], [0.05, 0.6]]),
        matrix([[0.2, 0.0], [0.1, 0.3]]),
    );
    Surface::new("fur").with_tensor(tensor.unwrap())
}

/// Eq. 6 with v̂ = (0.6, −0.8): v⁺ = (0.6, 0), v⁻ = (0, −0.8), so
/// F = −(Q⁺v⁺ + Q⁻v⁻) = −((0.3, 0.03) + (0, −0.24)). It takes the unit velocity.
#[test]
fn each_sense_of_slip_has_its_own_tensor() {
    assert_near(alone(&fur(), 0.0, DVec2::new(0.6, -0.8)), DVec2::new(-0.3, 0.21));
    assert_near(alone(&fur(), 0.0, DVec2::new(3.0, -4.0)), DVec2::new(-0.3, 0.21));
    assert_near(alone(&fur(), 0.0, DVec2::new(-0.6, -0.8)), DVec2::new(0.12, 0.3));
}

/// On B's surface the other body moves by −v, and B's bitangent is (−n) × t = −b. So v = (0.6,
/// −0.8) is (−0.6, −0.8) there, B pushes A with (0.12, 0.3) in its axes, and A pushes B with
/// (−0.12, 0.3) in ours.
#[test]
fn the_sense_of_slip_on_b_is_that_of_the_other_body() {
    let ice = orthotropic(0.0, 0.0);
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).unwrap();
    let slip = DVec2::new(0.6, -0.8);
    let on_b = traction(&section, &contact(&ice, 0.0, &fur(), 0.0, slip));
    assert_near(on_b, DVec2::new(-0.12, 0.3));
}

/// A determinant ≥ 0, the paper's condition, is not enough: det = 0.01 here, and slip along
/// (1, −1)/√2 would gain 0.45 − 0.1.
#[test]
fn tensors_that_create_energy_are_refused_with_the_direction() {
    let error = Tensor::linear(matrix([[0.1, 0.9], [0.0, 0.1]])).unwrap_err();
    let FrictionError::NotDissipative { direction: [x, y], power, .. } = error else {
        panic!("{error}")
    };
    assert!((power - 0.35).abs() < 1e-15 && (x + y).abs() < 1e-15);
    let message = error.to_string();
    assert!(message.contains("friction tensor is not dissipative: for slip along ("), "{message}");
    assert!(message.contains("friction would push with 0.3500 per unit load"), "{message}");
    assert!(message.contains("symmetric part of a friction tensor must be positive semi-definite"));
    assert!(Tensor::linear(matrix([[-0.1, 0.0], [0.0, -0.1]])).is_err());
    assert!(Tensor::linear(matrix([[0.5, 9.0], [-9.0, 0.5]])).is_ok());
}

#[test]
fn entries_that_are_not_numbers_are_refused_by_name() {
    let message = Tensor::linear(matrix([[0.1, f64::NAN], [0.0, 0.1]])).unwrap_err().to_string();
    assert!(message.starts_with("friction tensor entry Q12 is NaN"), "{message}");
}

/// In the quadrant x > 0 > y the columns (1, 0.9) of Q⁺ and (0, 0.1) of Q⁻ meet:
/// s² − 0.9 s t + 0.1 t² is negative between s = 0.13 t and s = 0.77 t.
#[test]
fn two_good_tensors_with_a_bad_mixed_quadrant_are_refused() {
    let (plus, minus) = (matrix([[1.0, 0.9], [0.9, 1.0]]), matrix([[0.1, 0.0], [0.0, 0.1]]));
    assert!(Tensor::linear(plus).is_ok() && Tensor::linear(minus).is_ok());
    let error = Tensor::asymmetric(plus, minus).unwrap_err();
    let FrictionError::NotDissipative { direction: [x, y], .. } = error else { panic!("{error}") };
    assert!(x * y < 0.0, "({x}, {y}) is in no mixed quadrant");
}

/// Slip along t gains 0.1 whatever the rest does. The worst directions of the matrices that act
/// left and right of it lie in other quadrants.
#[test]
fn a_tensor_that_creates_energy_on_the_edge_of_its_quadrants_is_refused() {
    let (plus, minus) = (matrix([[-0.1, 0.5], [0.0, 1.0]]), matrix([[1.0, -0.5], [0.0, 1.0]]));
    let error = Tensor::asymmetric(plus, minus).unwrap_err();
    let FrictionError::NotDissipative { direction: [x, y], power, .. } = error else {
        panic!("{error}")
    };
    assert!(x == 1.0 && y.abs() < 1e-15 && (power - 0.1).abs() < 1e-15, "({x}, {y}): {power}");
}

/// ‖Q⁻¹e‖² = (25 + 4)/2 for (0.2, 0.5) at 45°, so the contact lets go at tan α = √(2/29), 14.71°.
#[test]
fn a_block_lets_go_where_the_pulled_back_force_leaves_the_disc() {
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).unwrap();
    let (grooved, ice) = (orthotropic(0.2, 0.5), orthotropic(0.0, 0.0));
    let set = section.law(&contact(&grooved, 45.0, &ice, 0.0, DVec2::ZERO)).set;
    let limit = (2.0_f64 / 29.0).sqrt();
    assert!((limit.atan().to_degrees() - 14.71).abs() < 0.005);
    let holds = |tangent: f64| set.contains(&[-tangent * 3.0, 0.0], 3.0, 1e-12);
    assert!(holds(limit * (1.0 - 1e-9)) && !holds(limit * (1.0 + 1e-9)));
    // Neither ‖Qe‖ = √0.145 nor eᵀQe = 0.35 is the limit.
    assert!(!holds(0.145_f64.sqrt()) && !holds(0.35));
}

/// What was slid over counts: the mean of the texture along slip·dt, in the axes of the surface.
#[test]
fn a_textured_tensor_is_the_mean_along_the_path() {
    let mut rng = Rng::new(6);
    let texels = (0..12).map(|_| [(); 4].map(|()| rng.uniform(0.2, 1.0) as f32)).collect();
    let map = TextureMap::new(4, 3, texels, DVec2::new(0.1, 0.06), Wrap::Repeat).unwrap();
    let tensor = SurfaceTensor::orthotropic(0.3, 0.6).unwrap().with_map(map.clone()).unwrap();
    let (worn, ice) = (Surface::new("worn").with_tensor(tensor), orthotropic(0.0, 0.0));
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).unwrap();
    for _ in 0..50 {
        let (degrees, slip) = (rng.uniform(-180.0, 180.0), rng.unit_vector2() * 4.0);
        let mut contact = contact(&worn, degrees, &ice, 0.0, slip);
        contact.surfaces[0].uv = rng.unit_vector2();
        let turn = DVec2::from_angle(degrees.to_radians());
        let back = DVec2::from_angle(-degrees.to_radians());
        let path = back.rotate(slip) * contact.dt;
        let n = 20_000;
        let mean = (0..n)
            .map(|k| {
                map.sample(contact.surfaces[0].uv + path * ((f64::from(k) + 0.5) / f64::from(n)))
            })
            .sum::<glamx::DVec4>()
            / f64::from(n);
        let unit = back.rotate(slip.normalize());
        let expected = turn.rotate(DVec2::new(0.3 * mean.x * unit.x, 0.6 * mean.w * unit.y) * -1.0);
        let found = traction(&section, &contact);
        assert!(found.distance(expected) < 1e-6, "{found} is not {expected}");
    }
}

#[test]
fn a_texture_that_creates_energy_is_refused_by_texel() {
    let mut texels = vec![[1.0; 4]; 6];
    texels[5] = [0.1, 1.0, 1.0, 0.1];
    let map = TextureMap::new(3, 2, texels, DVec2::ONE, Wrap::Repeat).unwrap();
    let tensor = SurfaceTensor::full(matrix([[0.5, 0.3], [0.3, 0.5]])).unwrap();
    let message = tensor.with_map(map).unwrap_err().to_string();
    assert!(message.starts_with("friction tensor at texel (2, 1) is not dissipative"), "{message}");
}

/// −Q v̂ and the support point of −v lie on the same ellipse and agree on its axes only.
#[test]
fn converted_to_an_ellipse_a_tensor_keeps_its_limit_curve_and_changes_its_directions() {
    let q = orthotropic(0.2, 0.5);
    let section = FrictionTensors::new(Composition::default()).unwrap();
    let Set::Tensor(tensor) = section.law(&contact(&q, 40.0, &q, 40.0, DVec2::X)).set else {
        panic!()
    };
    let ellipse = Set::from(tensor.to_ellipse().unwrap());
    for k in 0..360 {
        let slip = DVec2::from_angle(f64::from(k).to_radians());
        let by_tensor = tensor.traction(slip, 1.0);
        assert!(ellipse.contains(&(by_tensor * (1.0 - 1e-12)).to_array(), 1.0, 0.0));
        assert!(!ellipse.contains(&(by_tensor * (1.0 + 1e-12)).to_array(), 1.0, 0.0));
        let angle = by_tensor.angle_to(force(&ellipse, slip)).abs();
        let off_axis = (k - 40) % 90 != 0;
        assert_eq!(angle > 1e-4, off_axis, "{angle} at {k}°");
    }
}

/// Eq. 33 needs no symmetry: forces of any linear tensor lie on an ellipse.
#[test]
fn any_linear_tensor_becomes_the_ellipse_of_its_forces() {
    for entries in [[[0.5, 0.2], [-0.2, 0.5]], [[0.5, 0.3], [0.0, 0.2]], [[0.4, 0.0], [0.0, 0.1]]] {
        let tensor = Tensor::linear(matrix(entries)).unwrap();
        let ellipse = Set::from(tensor.to_ellipse().unwrap());
        for k in 0..360 {
            let force = tensor.traction(DVec2::from_angle(f64::from(k).to_radians()), 1.0);
            assert!(ellipse.contains(&(force * (1.0 - 1e-9)).to_array(), 1.0, 0.0), "{entries:?}");
            assert!(!ellipse.contains(&(force * (1.0 + 1e-9)).to_array(), 1.0, 0.0), "{entries:?}");
        }
    }
    // A segment stays one.
    let segment = Tensor::linear(matrix([[0.3, 0.3], [0.3, 0.3]])).unwrap().to_ellipse().unwrap();
    assert!(segment.mu().x < 1e-15 && (segment.mu().y - 0.6).abs() < 1e-15, "{segment:?}");
    let ratchet =
        Tensor::asymmetric(matrix([[0.5, 0.0], [0.0, 0.5]]), matrix([[0.1, 0.0], [0.0, 0.5]]));
    assert!(ratchet.unwrap().to_ellipse().is_err());
}

/// Parallel grains with μ_t = 0.2, μ_b = 0.5 and the tensor diag(0.2, 0.5) have one limit curve.
/// At 45° the tensor pushes along (0.2, 0.5), the cone along (0.2², 0.5²).
#[test]
fn tensor_and_matchstick_slide_in_different_directions() {
    let grained = orthotropic(0.2, 0.5).with_structure(Structure::Constant(DVec2::X));
    let contact = contact(&grained, 0.0, &grained, 0.0, DVec2::ONE);
    let by_tensor = traction(&FrictionTensors::new(Composition::default()).unwrap(), &contact);
    let by_cone = traction(&Matchstick::new(0.4, 0.2, 0.5).unwrap(), &contact);
    assert_near(by_tensor.normalize(), -DVec2::new(0.2, 0.5).normalize());
    assert_near(by_cone.normalize(), -DVec2::new(0.04, 0.25).normalize());
}
