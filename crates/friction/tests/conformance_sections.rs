//! Every section passes the conformance suite, at points and on areas.

use std::sync::Arc;

use asperity_friction::section::{
    Alignment, Anisotropic, Axis, Composition, Coulomb, FrictionTensors, Graded, Limit,
    LoadScaling, Matchstick, Ploughing, Section, Tresca, Weakening, ZeroStructure,
};
use asperity_friction::surface::generate::{self, Grid};
use asperity_friction::surface::patch::Sampling;
use asperity_friction::surface::{
    Mask, Relief, SlopeMap, Structure, Surface, SurfaceTensor, TextureMap, Wrap,
};
use asperity_friction::testing::{Rng, check_extent, check_section};
use glamx::{DMat2, DVec2};

const CASES: usize = 50_000;

/// No grain, two constant grains, and a grain painted by two textures.
fn grained() -> Vec<Surface> {
    let mut rng = Rng::new(7);
    let mut painted = |wrap| {
        let texels = (0..12).map(|_| [(); 4].map(|()| rng.unit() as f32)).collect();
        TextureMap::new(4, 3, texels, DVec2::new(0.3, 0.5), wrap).unwrap()
    };
    let textures = [painted(Wrap::Repeat), painted(Wrap::Clamp)];
    let [repeated, clamped] = textures.map(Structure::Texture);
    vec![
        Surface::new("plain"),
        Surface::new("along").with_structure(Structure::Constant(DVec2::X)),
        Surface::new("slanted").with_structure(Structure::Constant(DVec2::new(-2.0, 0.7))),
        Surface::new("painted").with_structure(repeated),
        Surface::new("edged").with_structure(clamped),
    ]
}

fn matrix(rows: [[f64; 2]; 2]) -> DMat2 {
    DMat2::from_cols_array_2d(&rows).transpose()
}

/// Isotropic, orthotropic, singular, zero, textured, and different for both senses of slip.
fn symmetric_tensors() -> Vec<Surface> {
    let mut rng = Rng::new(11);
    let texels = (0..20).map(|_| [(); 4].map(|()| rng.uniform(0.1, 1.0) as f32)).collect();
    let map = TextureMap::new(5, 4, texels, DVec2::new(0.2, 0.1), Wrap::Repeat).unwrap();
    let orthotropic = SurfaceTensor::orthotropic(0.2, 0.7).unwrap();
    let ratchet = SurfaceTensor::asymmetric(
        matrix([[0.9, 0.0], [0.0, 0.3]]),
        matrix([[0.1, 0.0], [0.0, 0.5]]),
    );
    vec![
        Surface::new("rubber").with_mu(0.6).unwrap(),
        Surface::new("grooved").with_tensor(orthotropic.clone()),
        Surface::new("ice rail").with_tensor(SurfaceTensor::orthotropic(0.0, 0.4).unwrap()),
        Surface::new("ice").with_tensor(SurfaceTensor::isotropic(0.0).unwrap()),
        Surface::new("worn").with_tensor(orthotropic.with_map(map.clone()).unwrap()),
        Surface::new("ratchet").with_tensor(ratchet.clone().unwrap()),
        Surface::new("worn ratchet").with_tensor(ratchet.unwrap().with_map(map).unwrap()),
    ]
}

/// The above, and tensors that push sideways.
fn all_tensors() -> Vec<Surface> {
    let full = SurfaceTensor::full(matrix([[0.5, 0.3], [-0.2, 0.4]])).unwrap();
    let fur = SurfaceTensor::asymmetric(
        matrix([[0.5, 0.1], [-0.2, 0.6]]),
        matrix([[0.2, -0.1], [0.1, 0.3]]),
    );
    let mut surfaces = symmetric_tensors();
    surfaces.push(Surface::new("twisted").with_tensor(full));
    surfaces.push(Surface::new("fur").with_tensor(fur.unwrap()));
    surfaces
}

fn check(label: &str, section: &dyn Section, surfaces: &[Surface]) {
    check_section(label, CASES, section, surfaces);
}

#[test]
fn coulomb_conforms() {
    let surfaces = [Surface::new("a"), Surface::new("b")];
    check("plain Coulomb", &Coulomb::new(0.5).unwrap(), &surfaces);
    let stick = Coulomb::with_static(0.8, 0.3, Weakening::Threshold(0.01)).unwrap();
    check("static and kinetic Coulomb", &stick, &surfaces);
    let stribeck = Coulomb::with_static(0.8, 0.3, Weakening::Stribeck(0.1)).unwrap();
    check("Stribeck", &stribeck, &surfaces);
    let hertz = LoadScaling { reference: 10.0, exponent: -1.0 / 3.0 };
    check("Coulomb that falls with load", &stribeck.with_load(hertz).unwrap(), &surfaces);
}

#[test]
fn matchstick_conforms() {
    let surfaces = grained();
    let planar = Matchstick::new(0.4, 0.1, 0.9).unwrap();
    let drilling = planar.with_drilling(0.02, 0.05).unwrap();
    for zero in [ZeroStructure::OtherDecides, ZeroStructure::Isotropic] {
        check(&format!("matchstick, {zero:?}"), &planar.with_zero_structure(zero), &surfaces);
        let section = drilling.with_zero_structure(zero);
        check(&format!("matchstick with drilling, {zero:?}"), &section, &surfaces);
    }
}

#[test]
fn additive_tensors_conform() {
    let section = FrictionTensors::new(Composition::default()).unwrap();
    check("additive tensors", &section, &all_tensors());
    let section = FrictionTensors::new(Composition::Additive { kappa: 1.3 }).unwrap();
    check("additive tensors, other kappa", &section, &all_tensors());
}

#[test]
fn multiplicative_tensors_conform() {
    let section = FrictionTensors::new(Composition::Multiplicative).unwrap();
    check("multiplicative tensors", &section, &symmetric_tensors());
}

#[test]
fn minimum_tensors_conform() {
    let section = FrictionTensors::new(Composition::Minimum).unwrap();
    check("minimum tensors", &section, &all_tensors());
}

/// Smooth, rough with net slope, a sawtooth, and rough in places; all but one have a grain.
fn embossed() -> Vec<Surface> {
    let mut rng = Rng::new(23);
    let mut map = |width, height, wrap, net: f64| {
        let slopes = (0..width * height)
            .map(|_| [(net + rng.gaussian()) as f32, rng.gaussian() as f32])
            .collect();
        SlopeMap::new(width, height, slopes, DVec2::new(0.03, 0.02), wrap).unwrap()
    };
    let rough = map(31, 17, Wrap::Repeat, 0.5);
    let torn = map(9, 23, Wrap::Clamp, 0.0);
    let teeth = (0..8).map(|i| if i < 4 { [1.0, 0.0] } else { [-0.2, 0.0] }).collect();
    let teeth = SlopeMap::new(8, 1, teeth, DVec2::new(0.008, 0.008), Wrap::Repeat).unwrap();
    let mask = Mask::from_edges(&torn, 0.1, 4.0);
    let grain = |angle: f64| Structure::Constant(DVec2::from_angle(angle));
    vec![
        Surface::new("smooth").with_structure(grain(0.3)),
        Surface::new("rough").with_relief(Relief::plain(rough)).with_structure(grain(1.0)),
        Surface::new("saw").with_relief(Relief::plain(teeth)).with_structure(grain(0.0)),
        Surface::new("torn")
            .with_relief(Relief::new(torn, mask).unwrap())
            .with_structure(grain(2.0)),
    ]
}

/// Windows and directions that depend on the contact, not on its frame, make the same law
/// whatever the frame is. (With [`Alignment::Frame`] another frame looks at other texels.)
#[test]
fn ploughing_conforms() {
    let surfaces = embossed();
    let sampling = Sampling { resolution: 6, ..Sampling::default() };
    let section = |ambient, limit, alignment| {
        let section = Ploughing::new(ambient).unwrap().with_limit(limit).unwrap();
        section.with_alignment(alignment).unwrap().with_sampling(sampling).unwrap()
    };
    for (label, section) in [
        ("sixteen directions", section(0.2, Limit::Polygon(16), Alignment::Slip)),
        ("no ambient friction", section(0.0, Limit::Polygon(16), Alignment::Slip)),
        ("six directions", section(0.1, Limit::Polygon(6), Alignment::Slip)),
        ("box along the grain", section(0.1, Limit::Box, Alignment::Structure)),
    ] {
        check_section(&format!("ploughing, {label}"), 10_000, &section, &surfaces);
    }
}

/// Texels that touch, chosen by the load: with reliefs that have heights, and without any.
#[test]
fn ploughing_of_real_contact_conforms() {
    let grid = Grid::square(12, 1e-3);
    let rough = generate::gaussian_roughness(grid, 4e-4, 1).unwrap();
    let ridges = generate::ridges(grid, 2, 0.6).unwrap();
    let grain = |angle: f64| Structure::Constant(DVec2::from_angle(angle));
    let surfaces = [
        Surface::new("rough").with_relief(Relief::plain(rough)).with_structure(grain(0.4)),
        Surface::new("ridges")
            .with_relief(Relief::new(ridges, Mask::Constant(2.0)).unwrap())
            .with_structure(grain(1.0)),
        Surface::new("smooth").with_structure(grain(0.3)),
    ];
    let sampling = Sampling { resolution: 6, stiffness: Some(1e6), ..Sampling::default() };
    // A box along the slip has a side square to it, on which any force dissipates as much.
    for (limit, align) in
        [(Limit::Polygon(16), Alignment::Slip), (Limit::Box, Alignment::Structure)]
    {
        let section = Ploughing::new(0.1).unwrap().with_limit(limit).unwrap();
        let section = section.with_alignment(align).unwrap();
        let section = section.with_sampling(sampling).unwrap();
        check_section("ploughing of real contact", 10_000, &section, &surfaces);
    }
}

#[test]
fn areas_conform_with_every_section_that_carries_spin() {
    let on_areas = |label: &str, section: Arc<dyn Section>, surfaces: &[Surface]| {
        check_extent(label, 1000, &section, surfaces);
    };
    let stribeck = Coulomb::with_static(0.8, 0.3, Weakening::Stribeck(0.1)).unwrap();
    on_areas("Stribeck on areas", Arc::new(stribeck), &[Surface::new("a")]);
    let matchstick = Matchstick::new(0.4, 0.1, 0.9).unwrap();
    on_areas("matchstick on areas", Arc::new(matchstick), &grained());
    // Those that are ellipses; others have their corners at directions of the frame.
    let tensors = FrictionTensors::new(Composition::default()).unwrap().associated();
    on_areas("associated tensors on areas", Arc::new(tensors), &symmetric_tensors()[..5]);
    let sampling = Sampling { resolution: 6, ..Sampling::default() };
    let ploughing = Ploughing::new(0.2).unwrap().with_alignment(Alignment::Slip).unwrap();
    let ploughing = ploughing.with_sampling(sampling).unwrap();
    on_areas("graded matchstick on areas", graded(matchstick), &grained());
    on_areas("ploughing on areas", Arc::new(ploughing), &embossed());
}

#[test]
fn tresca_conforms() {
    check("Tresca", &Tresca::new(5e4).unwrap(), &[Surface::new("plain")]);
}

#[test]
fn anisotropic_conforms() {
    for axis in [Axis::Sliding, Axis::Grain] {
        let section = Anisotropic::new(0.2, 0.7, axis).unwrap();
        check("anisotropic", &section, &grained());
    }
}

/// Stribeck's curve over a section, which also falls with the load.
fn graded(section: impl Section + 'static) -> Arc<dyn Section> {
    let hertz = LoadScaling { reference: 10.0, exponent: -1.0 / 3.0 };
    let graded = Graded::new(Arc::new(section)).with_speed(1.6, Weakening::Stribeck(0.1)).unwrap();
    Arc::new(graded.with_load(hertz).unwrap())
}

#[test]
fn graded_sections_conform() {
    let plain = [Surface::new("plain")];
    let check = |label: &str, section: Arc<dyn Section>, surfaces: &[Surface]| {
        check_section(label, 10_000, section.as_ref(), surfaces);
    };
    check("graded Coulomb", graded(Coulomb::new(0.5).unwrap()), &plain);
    check("graded Tresca", graded(Tresca::new(5e4).unwrap()), &plain);
    let matchstick = Matchstick::new(0.4, 0.1, 0.9).unwrap();
    check("graded matchstick", graded(matchstick), &grained());
    let drilling = matchstick.with_drilling(0.02, 0.05).unwrap();
    check("graded matchstick with drilling", graded(drilling), &grained());
    let ellipse = Anisotropic::new(0.2, 0.7, Axis::Sliding).unwrap();
    check("graded ellipse along the sliding", graded(ellipse), &grained());
    let tensors = FrictionTensors::new(Composition::default()).unwrap();
    check("graded tensors", graded(tensors), &all_tensors());
    let sampling = Sampling { resolution: 6, ..Sampling::default() };
    for (limit, alignment) in
        [(Limit::Polygon(16), Alignment::Slip), (Limit::Box, Alignment::Structure)]
    {
        let ploughing = Ploughing::new(0.2).unwrap().with_limit(limit).unwrap();
        let ploughing = ploughing.with_alignment(alignment).unwrap();
        let ploughing = ploughing.with_sampling(sampling).unwrap();
        check(&format!("graded ploughing, {limit:?}"), graded(ploughing), &embossed());
    }
    let still = Graded::new(Arc::new(matchstick)).with_speed(1.6, Weakening::Threshold(0.1));
    check("matchstick that follows speed alone", Arc::new(still.unwrap()), &grained());
}

/// Whoever never resists need not be asked; whoever may must be.
#[test]
fn sections_say_where_friction_is_always_zero() {
    let surfaces = symmetric_tensors();
    let named = |name: &str| surfaces.iter().find(|s| s.name == name).unwrap();
    let (ice, rubber, worn) = (named("ice"), named("rubber"), named("worn"));
    let coulomb = |mu| Coulomb::new(mu).unwrap();
    assert!(coulomb(0.0).never_resists(rubber, rubber));
    assert!(!coulomb(0.1).never_resists(ice, ice));
    let tensors = |composition| FrictionTensors::new(composition).unwrap();
    let additive = tensors(Composition::default());
    assert!(additive.never_resists(ice, ice));
    assert!(!additive.never_resists(ice, rubber) && !additive.never_resists(ice, worn));
    for composition in [Composition::Multiplicative, Composition::Minimum] {
        assert!(tensors(composition).never_resists(ice, worn));
        assert!(!tensors(composition).never_resists(rubber, worn));
    }
    let graded = Graded::new(Arc::new(coulomb(0.0)));
    assert!(graded.never_resists(rubber, rubber));
}
