//! Section × extent × memory → law: areas, lines and ellipses, and what goes together.

use std::sync::Arc;

use asperity_friction::extent::{
    ContactArea, Contour, EllipsePatch, Extent, Footprint, Rolling, SpinRule, WrenchOptions,
    disc_set, polygon_set,
};
use asperity_friction::memory::{Bristles, Carried, Memory, Parameters, Placing};
use asperity_friction::pairing::{Answer, Fallback, Origin, Pair, Pairing, check_patch};
use asperity_friction::section::{
    Composition, Coulomb, FrictionTensors, Matchstick, Section, Weakening,
};
use asperity_friction::set::{Ellipse, Rotation, Set};
use asperity_friction::surface::{Structure, Surface};
use asperity_friction::{ContactFrame, ContactState};
use glamx::{DQuat, DVec2, DVec3};

/// A rectangle of 2 cm by 8 cm about a place, counter-clockwise about the normal.
fn rectangle(frame: &ContactFrame, turn: f64) -> [DVec3; 4] {
    let corners = [[-0.01, -0.04], [0.01, -0.04], [0.01, 0.04], [-0.01, 0.04]];
    corners.map(|c| frame.to_world(DVec2::from_angle(turn).rotate(DVec2::from_array(c))))
}

fn contour(corners: &[DVec3], area: f64) -> Contour<'_> {
    let centroid = corners.iter().sum::<DVec3>() / corners.len() as f64;
    Contour { corners, disc: None, area, centroid, pieces: &[] }
}

fn area(contour: Contour<'_>, spin: f64) -> Footprint<'_> {
    Footprint::Area(ContactArea { contour, centre: contour.centroid, spin, last: None })
}

fn pair(section: impl Section + 'static, extent: Extent) -> Pair {
    Pair { extent, ..Pair::new(Arc::new(section), Origin::Default) }
}

fn bristles() -> Arc<dyn Memory> {
    Arc::new(Bristles::new(Parameters::without_stribeck().elasto_plastic(0.9)).unwrap())
}

fn contact(surface: &Surface, normal: DVec3, slip: DVec3) -> ContactState<'_> {
    let frame = ContactFrame::from_normal(normal);
    let at = |out: DVec3| surface.at(frame.t, out.cross(frame.t), DVec2::ZERO);
    let surfaces = [at(normal), at(-normal)];
    ContactState { slip, last_load: Some(2.0), ..ContactState::new(frame, surfaces, 0.01) }
}

/// Traction for a slip and a spin, world axes: force and torque about the normal.
fn traction(answer: &Answer, slip: DVec3, spin: f64) -> (DVec3, f64) {
    let twist = answer.frame.to_plane(slip).extend(spin);
    let mut wrench = [0.0; 3];
    answer.law.set.traction(&twist.to_array(), 1.0, &mut wrench);
    (answer.frame.to_world(DVec2::new(wrench[0], wrench[1])), wrench[2])
}

#[test]
fn a_disc_has_the_limit_surface_of_rings() {
    let surface = Surface::new("plain");
    let contact = contact(&surface, DVec3::Y, DVec3::X);
    let disc =
        Contour { corners: &[], disc: Some(0.03), area: 1.0, centroid: DVec3::ZERO, pieces: &[] };
    let pair = pair(Coulomb::new(0.4).unwrap(), Extent::Spin);
    let answer = pair.law(&contact, &area(disc, 1.0), None).unwrap();
    let section = Ellipse::new(0.4, 0.4, Rotation::IDENTITY).unwrap();
    let expected = disc_set(0.03, None, 1.0, 16).unwrap().with_section(section).unwrap();
    assert_eq!(answer.law.set, Set::from(expected));
    assert_eq!((answer.frame, answer.law.rheology), (contact.frame, None));
    assert!(answer.moment.is_none());
}

#[test]
fn an_area_answers_in_the_axes_of_its_longest_side_and_keeps_its_cells() {
    let grained = Surface::new("grained").with_structure(Structure::Constant(DVec2::X));
    let matchstick = Matchstick::new(0.4, 0.1, 0.9).unwrap();
    let pair = pair(matchstick, Extent::Spin);
    let slip = DVec3::new(0.1, -0.3, 0.2);
    for normal in [DVec3::Y, DVec3::new(0.48, -0.6, 0.64)] {
        let slip = slip - normal * slip.dot(normal);
        let contact = contact(&grained, normal, slip);
        for turn in [0.0, 0.3, 1.7] {
            let corners = rectangle(&contact.frame, turn);
            let found = pair.law(&contact, &area(contour(&corners, 1.6e-3), 3.0), None).unwrap();
            let side = (corners[2] - corners[1]).normalize();
            assert!((found.frame.t - side).length() < 1e-12, "{:?}", found.frame);
            // Sliding without spin is the section's own, whatever the axes.
            let point = pair.law(&contact, &Footprint::Point, None).unwrap();
            let (whole, torque) = traction(&found, slip, 0.0);
            assert!((whole - traction(&point, slip, 0.0).0).length() < 1e-12);
            // Anisotropic friction of a symmetric area has no torque without spin.
            assert!(torque.abs() < 1e-12);
            // The next step uses the cells again, to the last bit.
            let last = found.limit.as_ref();
            let again = ContactArea {
                contour: contour(&corners, 1.6e-3),
                centre: contour(&corners, 1.6e-3).centroid,
                spin: 3.0,
                last,
            };
            let again = pair.law(&contact, &Footprint::Area(again), None).unwrap();
            assert_eq!(again.law, found.law);
        }
    }
}

#[test]
fn coefficients_see_sliding_and_spin_together() {
    let surface = Surface::new("plain");
    let stribeck = Coulomb::with_static(0.8, 0.3, Weakening::Stribeck(0.1)).unwrap();
    let pair = pair(stribeck, Extent::Spin);
    let contact = contact(&surface, DVec3::Z, DVec3::ZERO);
    let corners = rectangle(&contact.frame, 0.0);
    let spin = 4.0;
    let answer = pair.law(&contact, &area(contour(&corners, 1.6e-3), spin), None).unwrap();
    let limit = answer.limit.unwrap();
    let mu = stribeck.mu(limit.spread.spin_radius() * spin, None);
    assert!(mu < 0.7);
    let section = Ellipse::new(mu, mu, Rotation::IDENTITY).unwrap();
    let plane: Vec<DVec2> = (0..4).map(|i| answer.frame.to_plane(corners[(i + 1) % 4])).collect();
    let unit = Ellipse::new(1.0, 1.0, Rotation::IDENTITY).unwrap();
    let expected = polygon_set(&plane, unit, 6).unwrap().with_section(section).unwrap();
    let there = |set: &Set, w: [f64; 3]| set.support(&w, 1.0);
    for w in [[0.3, 0.1, 0.02], [0.0, 0.0, 1.0], [1.0, -2.0, 0.3]] {
        let (a, b) = (there(&answer.law.set, w), there(&expected.clone().into(), w));
        assert!((a - b).abs() < 1e-13, "{w:?}: {a} {b}");
    }
}

#[test]
fn lines_points_and_ice_keep_the_friction_of_their_points() {
    let surface = Surface::new("plain");
    let contact = contact(&surface, DVec3::Z, DVec3::X);
    let square = rectangle(&contact.frame, 0.0);
    let line = [DVec3::ZERO, DVec3::Y * 0.1];
    let mut pair = pair(Coulomb::new(0.5).unwrap(), Extent::Spin);
    let law = |pair: &Pair, corners: &[DVec3], area_m2: f64| {
        pair.law(&contact, &area(contour(corners, area_m2), 0.1), None)
    };
    assert!(law(&pair, &square, 1.6e-3).is_some());
    assert!(law(&pair, &line, 0.0).is_none() && law(&pair, &line[..1], 0.0).is_none());
    assert!(pair.law(&contact, &Footprint::Point, None).is_some());
    pair.memory = Some(bristles());
    assert_eq!(law(&pair, &line, 0.0).unwrap().law.set.dim(), 3);
    assert_eq!(law(&pair, &line[..1], 0.0).unwrap().law.set.dim(), 2);
    // At their points they remember nothing.
    let at_point = pair.law(&contact, &Footprint::Point, None).unwrap();
    assert!(at_point.law.rheology.is_none() && at_point.moment.is_none());
    let ice = Pair { section: Arc::new(Coulomb::new(0.0).unwrap()), ..pair.clone() };
    assert!(law(&ice, &square, 1.6e-3).is_none());
    let point = Pair { extent: Extent::Point, memory: None, ..pair };
    assert!(law(&point, &square, 1.6e-3).is_none());
}

#[test]
fn bristles_of_cells_stay_where_they_are_when_the_outline_changes() {
    let surface = Surface::new("plain");
    let contact = contact(&surface, DVec3::Z, DVec3::ZERO);
    let mut pair = pair(Coulomb::new(0.5).unwrap(), Extent::Spin);
    let p = Parameters::without_stribeck().elasto_plastic(0.9);
    let placing = Placing::Distributed { cells: 9 };
    pair.memory = Some(Arc::new(Bristles::new(p).unwrap().placed(placing).unwrap()));
    let corners = rectangle(&contact.frame, 0.0);
    let new = pair.law(&contact, &area(contour(&corners, 1.6e-3), 0.0), None).unwrap();
    let carried = Carried { wrench: DVec3::new(0.4, 0.0, 0.0), load: 2.0, twist: DVec3::ZERO };
    let past = pair.remember(&new.moment.unwrap().0, None, &carried).unwrap();
    assert!(past.bristles.as_ref().unwrap().len() > 60);
    // Half of sigma0 z^2 for each newton: a fifth is (sigma0 + sigma1/h) z.
    let z: f64 = 0.2 / (1e6 + 800.0 / 0.01);
    let whole = 0.5 * 1e6 * z * z;
    let stored = |long: f64, turn: f64| {
        let corners =
            [[-0.01, -0.5 * long], [0.01, -0.5 * long], [0.01, 0.5 * long], [-0.01, 0.5 * long]];
        let corners = corners
            .map(|c| contact.frame.to_world(DVec2::from_angle(turn).rotate(DVec2::from_array(c))));
        let answer = pair.law(&contact, &area(contour(&corners, 0.02 * long), 0.0), Some(&past));
        pair.stored(&answer.unwrap().moment.unwrap().0, Some(&past)) / whole
    };
    assert!((stored(0.08, 0.0) - 1.0).abs() < 1e-9, "{}", stored(0.08, 0.0));
    // Seen the other way round, it is the same patch.
    assert!((stored(0.08, std::f64::consts::PI) - 1.0).abs() < 1e-9);
    assert!((stored(0.07, 0.0) - 1.0).abs() < 1e-9, "{}", stored(0.07, 0.0));
    // What is new is not bent: half of a patch that is twice as long; its cells are larger.
    assert!((stored(0.16, 0.0) - 0.5).abs() < 0.1, "{}", stored(0.16, 0.0));
}

#[test]
fn bristles_of_an_area_hold_what_they_carried() {
    let surface = Surface::new("plain");
    let contact = contact(&surface, DVec3::Z, DVec3::ZERO);
    let corners = rectangle(&contact.frame, 0.2);
    let footprint = area(contour(&corners, 1.6e-3), 0.0);
    let mut pair = pair(Coulomb::new(0.5).unwrap(), Extent::Spin);
    pair.memory = Some(bristles());
    let new = pair.law(&contact, &footprint, None).unwrap();
    let rheology = new.law.rheology.as_ref().unwrap();
    assert_eq!(rheology.bias, DVec3::ZERO);
    // After a step in which they carried a fifth of the load, they push with just that.
    let moment = new.moment.unwrap();
    let carried = Carried { wrench: DVec3::new(0.4, 0.0, 0.0), load: 2.0, twist: DVec3::ZERO };
    let past = pair.remember(&moment.0, None, &carried).unwrap();
    let next = pair.law(&contact, &footprint, Some(&past)).unwrap().law.rheology.unwrap();
    // At rest ξ = (C/N) f + b vanishes for the force that holds: σ₀ z, of which damping takes part.
    let held = next.compliance.inverse() * next.bias * -2.0;
    let share = 1e6 * 0.01 / (1e6 * 0.01 + 800.0);
    assert!((held.x - 0.4 * share).abs() < 1e-12 && held.y.abs() < 1e-15, "{held}");
    // Turned with the bodies, they push the turned way.
    let turn = DQuat::from_axis_angle(DVec3::Z, 0.7);
    let turned = past.turned(turn);
    let next = pair.law(&contact, &footprint, Some(&turned)).unwrap();
    let bias = next.frame.to_world(next.law.rheology.unwrap().bias.truncate());
    let expected =
        turn * new.frame.to_world(DVec2::new(-held.x / 2.0 * rheology.compliance.x_axis.x, 0.0));
    assert!((bias - expected).length() < 1e-12 * expected.length(), "{bias} {expected}");
    let nothing = Carried { load: 0.0, ..carried };
    assert_eq!(pair.remember(&moment.0, Some(&past), &nothing), None);
}

#[test]
fn an_ellipse_carries_a_wrench() {
    let surface = Surface::new("plain");
    let contact = contact(&surface, DVec3::Z, DVec3::X);
    let options = WrenchOptions { spin: SpinRule::Contensou, ..WrenchOptions::default() };
    let pair = pair(Coulomb::new(0.5).unwrap(), Extent::Wrench(options));
    let frame = contact.frame;
    let (u, half) = (frame.b, DVec2::new(0.02, 0.01));
    let patch = EllipsePatch::new(DVec3::ZERO, [u, DVec3::Z.cross(u)], half);
    let rolling = Rolling { velocity: DVec2::new(0.1, 0.0), depth: 1e-4 };
    let answer = pair.law(&contact, &Footprint::Ellipse { patch, rolling }, None).unwrap();
    let Set::Wrench(wrench) = &answer.law.set else { panic!("{:?}", answer.law.set) };
    assert_eq!((wrench.patch().mu(), wrench.rolling), (half, rolling));
    assert!((wrench.patch().rotation().axis() - DVec2::Y).length() < 1e-15);
    assert!(pair.law(&contact, &Footprint::Point, None).is_some());
    let corners = rectangle(&frame, 0.0);
    assert!(pair.law(&contact, &area(contour(&corners, 1.6e-3), 0.0), None).is_none());
}

#[test]
fn vertices_carry_no_torque() {
    let grained = Surface::new("grained").with_structure(Structure::Constant(DVec2::X));
    let contact = contact(&grained, DVec3::Z, DVec3::X);
    let drilling = Matchstick::new(0.4, 0.1, 0.9).unwrap().with_drilling(0.02, 0.05).unwrap();
    let pair = pair(drilling, Extent::Point);
    assert_eq!(pair.law(&contact, &Footprint::Point, None).unwrap().law.set.dim(), 3);
    assert_eq!(pair.law(&contact, &Footprint::Vertex, None).unwrap().law.set.dim(), 2);
}

/// What is asked for, and what the message must say.
type Refusal<'a> = (&'a dyn Section, Extent, Option<&'a dyn Memory>, &'a str);

#[test]
fn what_does_not_go_together_is_refused_with_what_does() {
    let coulomb = Coulomb::new(0.5).unwrap();
    let drilling = Matchstick::new(0.4, 0.1, 0.9).unwrap().with_drilling(0.02, 0.05).unwrap();
    let tensors = FrictionTensors::new(Composition::default()).unwrap();
    let memory = bristles();
    let contensou = WrenchOptions { spin: SpinRule::Contensou, ..WrenchOptions::default() };
    let refused: [Refusal; 5] = [
        (&drilling, Extent::Spin, None, "spin torque of its own; remove that, or use the extent"),
        (&tensors, Extent::Spin, None, "`associated = true`, or use the extent \"point\""),
        (&coulomb, Extent::Point, Some(&*memory), "expected the extent \"spin\", or no memory"),
        (&coulomb, Extent::Wrench(WrenchOptions::default()), Some(&*memory), "memory = \"none\""),
        (&tensors, Extent::Wrench(contensou), None, "expected the section \"coulomb\", or spin"),
    ];
    for (section, extent, memory, expected) in refused {
        let message = check_patch(section, &extent, memory).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    check_patch(&tensors.associated(), &Extent::Spin, Some(&*memory)).unwrap();
    check_patch(&coulomb, &Extent::Wrench(contensou), None).unwrap();
}

#[test]
fn a_pairing_gives_pairs_their_extent_and_memory() {
    let surfaces = vec![Surface::new("a"), Surface::new("b")];
    let coulomb = |mu: f64| -> Arc<dyn Section> { Arc::new(Coulomb::new(mu).unwrap()) };
    let fallback = Fallback::Section(coulomb(0.1));
    let mut pairing = Pairing::new(surfaces, vec![(0, 1, coulomb(0.5))], &fallback).unwrap();
    let memory = bristles();
    pairing.set_patch(None, Extent::Spin, Some(&memory)).unwrap();
    assert_eq!(pairing.pair(0, 0).unwrap().extent, Extent::Spin);
    assert_eq!(pairing.pair(0, 0).unwrap().memory.as_ref().unwrap().name(), "elasto_plastic");
    assert_eq!(pairing.pair(1, 0).unwrap().extent, Extent::Point);
    // Refused, and nothing changes.
    assert!(pairing.set_patch(None, Extent::Point, Some(&memory)).is_err());
    assert_eq!(pairing.pair(1, 1).unwrap().extent, Extent::Spin);
    pairing.set_patch(Some((1, 0)), Extent::Spin, None).unwrap();
    assert_eq!(pairing.pair(0, 1).unwrap().extent, Extent::Spin);
    let message = pairing.set_patch(Some((0, 2)), Extent::Spin, None).unwrap_err().to_string();
    assert_eq!(message, "there is no surface 2");
}
