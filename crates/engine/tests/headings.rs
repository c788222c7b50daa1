//! The same limit curve through two models slides in different directions.

use std::f64::consts::FRAC_PI_4;

use asperity::friction::section::{
    Anisotropic, Axis, Composition, FrictionTensors, Matchstick, Section,
};
use asperity::friction::set::{Ellipse, Rotation, Set, Tensor};
use asperity::friction::surface::SurfaceTensor;
use asperity::friction::surface::{Structure, Surface};
use asperity::incline::{Incline, Sample};
use glamx::{DMat2, DVec2};

const SLOPE: f64 = 35.0;
const MU: [f64; 2] = [0.2, 0.5];

/// The plane carries the whole tensor; the mass carries none, and κ = 1.
fn tensor_model() -> (FrictionTensors, Surface, Surface) {
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.0 }).unwrap();
    let plane =
        Surface::new("plane").with_tensor(SurfaceTensor::orthotropic(MU[0], MU[1]).unwrap());
    let mass = Surface::new("mass").with_mu(0.0).unwrap();
    (section, plane, mass)
}

/// Both grains along the same direction: μ_t and μ_b in full.
fn matchstick_model() -> (Matchstick, Surface, Surface) {
    let grain = || Structure::Constant(DVec2::X);
    let section = Matchstick::new(0.35, MU[0], MU[1]).unwrap();
    let plane = Surface::new("plane").with_structure(grain());
    let mass = Surface::new("mass").with_structure(grain());
    (section, plane, mass)
}

fn slide(section: &dyn Section, plane: &Surface, mass: &Surface, slope: f64) -> Sample {
    let incline = Incline {
        slope: slope.to_radians(),
        section,
        plane: (plane, FRAC_PI_4),
        mass: (mass, FRAC_PI_4),
        dt: 0.01,
    };
    let samples = incline.run(1.0);
    assert!(samples.iter().all(|s| s.residual < 1e-12), "every step is solved");
    *samples.last().unwrap()
}

/// Heading of a mass that starts from rest with constant acceleration along v̂, found by scanning
/// v̂ for a = g sin α x̂ + g cos α s(v̂) ∥ v̂, independent of the engine.
fn heading_by_scan(force: impl Fn(DVec2) -> DVec2) -> f64 {
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let miss = |angle: f64| {
        let v = DVec2::from_angle(angle);
        (DVec2::X * sin + force(v) * cos).perp_dot(v)
    };
    let (mut low, mut high) = (-FRAC_PI_4, FRAC_PI_4);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if (miss(middle) > 0.0) == (miss(low) > 0.0) { low = middle } else { high = middle }
    }
    low.to_degrees()
}

#[test]
fn the_same_ellipse_slides_in_different_directions() {
    let (section, plane, mass) = tensor_model();
    let tensor = slide(&section, &plane, &mass, SLOPE).heading().to_degrees();
    let (section, plane, mass) = matchstick_model();
    let matchstick = slide(&section, &plane, &mass, SLOPE).heading().to_degrees();

    assert!((tensor - 11.39).abs() < 0.005, "tensor heads {tensor:.3} deg off the fall line");
    assert!((matchstick - 23.19).abs() < 0.005, "matchstick heads {matchstick:.3} deg");

    let q = Rotation::from_angle(FRAC_PI_4).turn_tensor(DMat2::from_diagonal(MU.into()));
    let by_tensor = heading_by_scan(|v| -(q * v));
    let by_ellipse = heading_by_scan(|v| -(q * q * v) / (q * v).length());
    assert!((tensor - by_tensor).abs() < 1e-9, "{tensor} against {by_tensor}");
    assert!((matchstick - by_ellipse).abs() < 1e-9, "{matchstick} against {by_ellipse}");
}

#[test]
fn both_models_have_the_same_limit_curve() {
    let rotation = Rotation::from_angle(FRAC_PI_4);
    let ellipse = Ellipse::new(MU[0], MU[1], rotation).unwrap();
    let tensor = Tensor::linear(rotation.turn_tensor(DMat2::from_diagonal(MU.into()))).unwrap();
    let (ellipse, tensor) = (Set::from(ellipse), Set::from(tensor));
    let mut apart = 0.0_f64;
    for k in 0..360 {
        let v = DVec2::from_angle(f64::from(k).to_radians()).to_array();
        let (mut f, mut g) = ([0.0; 2], [0.0; 2]);
        tensor.traction(&v, 1.0, &mut f);
        ellipse.traction(&v, 1.0, &mut g);
        assert!((ellipse.support(&v, 1.0) - tensor.support(&v, 1.0)).abs() < 1e-14);
        assert!(ellipse.contains(&f, 1.0, 1e-14), "the tensor's force lies on the ellipse");
        assert!(!ellipse.contains(&f.map(|x| 1.001 * x), 1.0, 1e-6));
        apart = apart.max(DVec2::from(f).angle_to(DVec2::from(g)).abs());
    }
    assert!(apart.to_degrees() > 20.0, "they point {} deg apart at most", apart.to_degrees());
}

/// A tensor contact holds up to tan α = 1/‖Q⁻¹e‖: 14.71° for (0.2, 0.5) at 45°.
#[test]
fn tensor_contact_lets_go_at_the_pulled_back_limit() {
    let (section, plane, mass) = tensor_model();
    let at = |slope: f64| slide(&section, &plane, &mass, slope).position.length();
    let limit = (1.0 / (0.5 * (1.0 / MU[0].powi(2) + 1.0 / MU[1].powi(2))).sqrt()).atan();
    assert!((limit.to_degrees() - 14.71).abs() < 0.005);
    assert!(at(limit.to_degrees() - 0.01) < 1e-12, "holds just below");
    assert!(at(limit.to_degrees() + 0.01) > 1e-6, "slides just above");
}

/// An ellipse along the sliding holds back by μ_t and never leads aside, whatever the grain; one along the grain goes
/// where the cone of parallel grains does.
#[test]
fn an_ellipse_along_the_sliding_never_leads_aside() {
    let (_, plane, mass) = matchstick_model();
    let by = |axis: Axis| {
        let section = Anisotropic::new(MU[0], MU[1], axis).unwrap();
        slide(&section, &plane, &mass, SLOPE)
    };
    let sliding = by(Axis::Sliding);
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let way = 0.5 * 9.81 * (sin - MU[0] * cos);
    assert!((sliding.position.x / way - 1.0).abs() < 1e-3, "{} m of {way} m", sliding.position.x);
    assert!(sliding.position.y.abs() < 1e-9, "{} m aside", sliding.position.y);
    let (matchstick, plane, mass) = matchstick_model();
    let grain = by(Axis::Grain).position;
    let reference = slide(&matchstick, &plane, &mass, SLOPE).position;
    assert!(grain.distance(reference) < 1e-12 && grain.y.abs() > 0.1, "{grain}, not {reference}");
}
