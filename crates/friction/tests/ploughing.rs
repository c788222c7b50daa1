//! Andrews 2021: signs, exchange of the surfaces, ridges at any angle, masks and clamps.

use std::f64::consts::{FRAC_2_PI, PI};

use asperity_friction::section::{Alignment, Limit, Ploughing, Sampled, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::{MAX_SLOPE, Mask, Relief, SlopeMap, Surface, TextureMap, Wrap};
use asperity_friction::testing::Rng;
use asperity_friction::{ContactFrame, ContactState};
use glamx::{DVec2, DVec3};

/// One slope everywhere: a surface that climbs along growing u and v.
fn ramp(u: f32, v: f32) -> Surface {
    let map = SlopeMap::new(1, 1, vec![[u, v]], DVec2::ONE, Wrap::Repeat).unwrap();
    Surface::new("ramp").with_relief(Relief::plain(map))
}

/// Teeth along u: half of the surface climbs with `up`, half falls with `down`.
fn teeth(up: f32, down: f32) -> Surface {
    let slopes = (0..16).map(|i| if i < 8 { [up, 0.0] } else { [-down, 0.0] }).collect();
    let map = SlopeMap::new(16, 1, slopes, DVec2::new(0.016, 0.016), Wrap::Repeat).unwrap();
    Surface::new("teeth").with_relief(Relief::plain(map))
}

/// A contact whose normal is ±z; both surfaces have their u along x turned by an angle.
fn contact<'a>(
    a: &'a Surface,
    b: &'a Surface,
    normal: DVec3,
    angles: [f64; 2],
) -> ContactState<'a> {
    let frame = ContactFrame::from_normal(normal);
    let [at_a, at_b] = [(a, normal, angles[0]), (b, -normal, angles[1])].map(|(s, out, angle)| {
        let tangent = DVec2::from_angle(angle).extend(0.0);
        s.at(tangent, out.cross(tangent), DVec2::new(0.003, 0.004))
    });
    ContactState::new(frame, [at_a, at_b], 0.01)
}

/// Friction on B per unit load while B moves over A along a world direction.
fn resistance(section: &Ploughing, contact: &ContactState, motion: DVec3) -> f64 {
    let d = contact.frame.to_plane(motion);
    section.law(contact).set.support(&[-d.x, -d.y], 1.0)
}

/// B lies on a slope of A that climbs along +x. Moving up it is resisted, moving down is not.
#[test]
fn a_climbing_surface_resists_who_climbs_it() {
    let section = Ploughing::new(0.0).unwrap();
    let (slope, plain) = (ramp(0.5, 0.0), Surface::new("plain"));
    let on_a = contact(&slope, &plain, DVec3::Z, [0.0; 2]);
    let mu = FRAC_2_PI * 0.5; // Eq. 3
    assert!((resistance(&section, &on_a, DVec3::X) - mu).abs() < 1e-7);
    assert_eq!(resistance(&section, &on_a, DVec3::NEG_X), 0.0);
    // Eq. 4: by the cosine in between, none across.
    let slanted = resistance(&section, &on_a, DVec3::new(0.5, 0.75_f64.sqrt(), 0.0));
    assert!((slanted - 0.5 * mu).abs() < 1e-7);
    assert!(resistance(&section, &on_a, DVec3::Y).abs() < 1e-15);
    // The same slope on B: seen from outside it climbs along +x, so its facets face −x, and they
    // resist where B moves along −x.
    let on_b = contact(&plain, &slope, DVec3::Z, [0.0; 2]);
    assert!((resistance(&section, &on_b, DVec3::NEG_X) - mu).abs() < 1e-7);
    assert_eq!(resistance(&section, &on_b, DVec3::X), 0.0);
}

#[test]
fn the_box_has_the_four_bounds_of_equation_9() {
    let section = Ploughing::new(0.1).unwrap().with_limit(Limit::Box).unwrap();
    let (slope, plain) = (ramp(0.5, 0.25), Surface::new("plain"));
    let law = section.law(&contact(&slope, &plain, DVec3::Z, [0.0; 2]));
    let Set::Box(bounds) = law.set else { panic!("{law:?}") };
    // d1 = +t is resisted by a force along −t; nothing resists d3 and d4 but the ambient friction.
    let expected = [-0.1 - FRAC_2_PI * 0.5, 0.1, -0.1 - FRAC_2_PI * 0.25, 0.1];
    let found =
        [bounds.first().min(), bounds.first().max(), bounds.second().min(), bounds.second().max()];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{found} {expected}");
    }
}

/// The frames of +z and −z are mirror images, so that both windows have the same texels.
#[test]
fn exchanging_a_and_b_gives_the_opposite_force() {
    let (first, second) = (teeth(1.0, 0.2), ramp(-0.3, 0.7));
    for limit in [Limit::Polygon(16), Limit::Polygon(4), Limit::Box] {
        let section = Ploughing::new(0.05).unwrap().with_limit(limit).unwrap();
        for number in 0..200 {
            let mut rng = Rng::for_case("exchange", number);
            let angles = [rng.uniform(-PI, PI), rng.uniform(-PI, PI)];
            let here = contact(&first, &second, DVec3::Z, angles);
            let there = here.exchanged();
            let slip = rng.unit_vector2().extend(0.0);
            let force = |contact: &ContactState, slip: DVec3| {
                let d = contact.frame.to_plane(slip);
                let mut f = [0.0; 2];
                section.law(contact).set.traction(&[d.x, d.y], 1.0, &mut f);
                contact.frame.to_world(f.into())
            };
            let (on_b, on_a) = (force(&here, slip), force(&there, -slip));
            assert!((on_b + on_a).length() < 1e-12, "{limit:?} {number}: {on_b} {on_a}");
            assert!(on_b.dot(slip) < 1e-15);
        }
    }
}

/// At any angle to the sixteen directions, and not only where one of them lies along the ridges.
#[test]
fn ridges_at_any_angle_resist_only_across() {
    let (saw, plain) = (teeth(1.0, 0.2), Surface::new("plain"));
    let section = Ploughing::new(0.0).unwrap();
    for degrees in [0.0, 3.0, 11.25, 22.5, 30.0, 45.0, 77.0] {
        let angle = f64::to_radians(degrees);
        let contact = contact(&saw, &plain, DVec3::Z, [angle, 0.0]);
        let across = DVec2::from_angle(angle).extend(0.0);
        let along = DVec3::Z.cross(across);
        let steep = resistance(&section, &contact, across);
        let gentle = resistance(&section, &contact, -across);
        assert!(steep > 0.2 && gentle > 0.02 && steep > 3.0 * gentle, "{steep} {gentle}");
        for way in [along, -along] {
            assert!(resistance(&section, &contact, way) < 1e-12 * steep, "{degrees}");
        }
    }
}

/// Half-planes would leak friction across the ridges to motion along them.
#[test]
fn a_box_off_the_ridges_resists_along_them() {
    let (saw, plain) = (teeth(1.0, 1.0), Surface::new("plain"));
    let section = Ploughing::new(0.0).unwrap().with_limit(Limit::Box).unwrap();
    let turned = contact(&saw, &plain, DVec3::Z, [PI / 4.0, 0.0]);
    let along = DVec2::from_angle(0.75 * PI).extend(0.0);
    let leak = resistance(&section, &turned, along);
    let across = resistance(&section, &turned, DVec2::from_angle(0.25 * PI).extend(0.0));
    assert!(
        (leak / across - 1.0).abs() < 0.2,
        "as the paper says, nearly isotropic: {leak} {across}"
    );
    // Aligned with the ridges, it does not.
    let aligned = section.with_alignment(Alignment::Along(along)).unwrap();
    assert!(resistance(&aligned, &turned, along) < 1e-12 * across);
}

#[test]
fn ambient_friction_adds_a_disk() {
    let (slope, plain) = (ramp(0.5, 0.0), Surface::new("plain"));
    let contact = contact(&slope, &plain, DVec3::Z, [0.0; 2]);
    let (bare, with) = (Ploughing::new(0.0).unwrap(), Ploughing::new(0.3).unwrap());
    for k in 0..16 {
        // Exact along the sixteen directions, and never more than the exact set in between.
        let d = DVec2::from_angle(PI * f64::from(k) / 8.0).extend(0.0);
        let (less, more) = (resistance(&bare, &contact, d), resistance(&with, &contact, d));
        assert!((more - less - 0.3).abs() < 1e-12);
        let d = DVec2::from_angle(PI * (f64::from(k) + 0.5) / 8.0).extend(0.0);
        let added = resistance(&with, &contact, d) - resistance(&bare, &contact, d);
        assert!(added <= 0.3 + 1e-12 && added > 0.3 * (PI / 16.0).cos() - 1e-9, "{added}");
    }
    // Smooth surfaces have the ambient friction alone.
    let smooth = self::contact(&plain, &plain, DVec3::Z, [0.0; 2]);
    assert!((resistance(&with, &smooth, DVec3::X) - 0.3).abs() < 1e-15);
}

#[test]
fn masks_multiply_each_surface_on_its_own() {
    let map = |slope| SlopeMap::new(1, 1, vec![[slope, 0.0]], DVec2::ONE, Wrap::Repeat).unwrap();
    let masked = |slope, k| {
        let relief = Relief::new(map(slope), Mask::Constant(k)).unwrap();
        Surface::new("masked").with_relief(relief)
    };
    let section = Ploughing::new(0.0).unwrap();
    // B moves along +x: A's climb and B's fall both resist.
    let (a, b) = (masked(0.5, 4.0), masked(-0.25, 3.0));
    let mu = resistance(&section, &contact(&a, &b, DVec3::Z, [0.0; 2]), DVec3::X);
    assert!((mu - FRAC_2_PI * (4.0 * 0.5 + 3.0 * 0.25)).abs() < 1e-6, "{mu}");
    assert!(Relief::new(map(0.1), Mask::Constant(-1.0)).is_err());
    assert!(Relief::new(map(0.1), Mask::Texels(vec![1.0, 2.0])).is_err());
    let error = Relief::new(map(0.1), Mask::Texels(vec![f32::NAN])).unwrap_err().to_string();
    assert!(error.starts_with("mask of texel (0, 0) is NaN"), "{error}");
    let white = TextureMap::new(1, 1, vec![[0.5; 4]], DVec2::ONE, Wrap::Repeat).unwrap();
    assert_eq!(Mask::from_texture(&white, &map(0.1), 8.0), Mask::Texels(vec![4.0]));
}

#[test]
fn an_edge_filter_marks_where_the_surface_bends() {
    let slopes: Vec<[f32; 2]> = (0..16).map(|i| [if i < 8 { 1.0 } else { -1.0 }, 0.0]).collect();
    let map = SlopeMap::new(16, 1, slopes, DVec2::ONE, Wrap::Clamp).unwrap();
    let Mask::Texels(k) = Mask::from_edges(&map, 0.5, 2.0) else { panic!() };
    let expected: Vec<f32> = (0..16).map(|i| if i == 7 || i == 8 { 2.5 } else { 0.5 }).collect();
    assert_eq!(k, expected);
}

#[test]
fn the_steepest_facet_counts_as_the_clamp_says() {
    let section = Ploughing::new(0.0).unwrap();
    let (cliff, plain) = (ramp(1e20, 0.0), Surface::new("plain"));
    assert_eq!(cliff.relief.as_ref().unwrap().map().clipped(), 1);
    let mu = resistance(&section, &contact(&cliff, &plain, DVec3::Z, [0.0; 2]), DVec3::X);
    assert!((mu - FRAC_2_PI * MAX_SLOPE).abs() < 1e-5, "{mu}");
}

#[test]
fn bad_numbers_are_refused_by_name() {
    let message = |e: asperity_friction::FrictionError| e.to_string();
    assert!(message(Ploughing::new(-0.1).unwrap_err()).starts_with("ambient coefficient is -0.1"));
    let section = Ploughing::new(0.1).unwrap();
    for count in [0, 1, 2, 361] {
        let error = message(section.clone().with_limit(Limit::Polygon(count)).unwrap_err());
        assert!(error.starts_with("number of directions"), "{error}");
    }
    assert!(section.clone().with_alignment(Alignment::Along(DVec3::ZERO)).is_err());
    let mut sampling = section.sampling().0;
    sampling.resolution = 0;
    let error = message(section.clone().with_sampling(sampling).unwrap_err());
    assert!(error.starts_with("resolution of the patch window is 0"), "{error}");
    sampling.width = f64::NAN;
    assert!(section.with_sampling(sampling).is_err());
}
