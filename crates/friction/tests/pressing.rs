//! Loads that do not lie evenly on a patch.

use asperity_friction::extent::{Exact, Outline, Pressed, Pressing, PressureRule, Spread};
use glamx::{DVec2, DVec3};

fn square(side: f64) -> Outline {
    let h = 0.5 * side;
    Outline::Polygon([(-h, -h), (h, -h), (h, h), (-h, h)].map(DVec2::from).to_vec())
}

fn pressed(rule: PressureRule, outline: &Outline, centre: DVec2) -> Option<Pressed> {
    let even = Spread::isotropic(outline, None).unwrap();
    Pressed::new(&Pressing { rule, centre, map: &|_| 1.0 }, outline, &even)
}

#[test]
fn linear_pressure_has_its_centre_where_the_load_is() {
    // ⟨ρ²⟩ about the centre of pressure is that of even pressure less its square: the leaning part is odd.
    for (outline, even) in [(square(0.2), 0.04 / 6.0), (Outline::Disc(0.1), 0.005)] {
        for centre in [DVec2::new(0.01, 0.004), DVec2::new(-0.02, 0.0)] {
            let found = pressed(PressureRule::Linear, &outline, centre).unwrap();
            let wanted = even - centre.length_squared();
            assert!((found.gyration2 / wanted - 1.0).abs() < 0.01, "{} {wanted}", found.gyration2);
            let Spread::Cells(surface) = &found.spread else { panic!("cells") };
            let middle: DVec2 = surface.parts().map(|p| p.place * p.share).sum();
            assert!(middle.length() < 1e-12);
        }
    }
    // Beyond the kern, a sixth of the side, some of it carries nothing: a triangle over three times what is left.
    let found = pressed(PressureRule::Linear, &square(0.2), DVec2::new(0.07, 0.0)).unwrap();
    let Spread::Cells(surface) = &found.spread else { panic!("cells") };
    let low = surface.parts().map(|p| p.place.x).fold(0.0, f64::min);
    assert!((low + 0.06).abs() < 0.035, "{low}");
    // In the middle nothing leans.
    assert!(pressed(PressureRule::Linear, &square(0.2), DVec2::ZERO).is_none());
}

#[test]
fn hertz_pressure_of_a_disc_is_that_of_its_closed_form() {
    let found = pressed(PressureRule::Hertz, &Outline::Disc(0.1), DVec2::ZERO).unwrap();
    let exact = Exact::hertz(0.1, 2.0).unwrap();
    assert!((found.spread.spin_radius() / exact.spin_radius() - 1.0).abs() < 2e-3);
    assert!((found.gyration2 / 0.004 - 1.0).abs() < 1e-12);
    let Spread::Rings(surface) = &found.spread else { panic!("rings") };
    for k in 0..20 {
        let (sin, cos) = (0.08 * f64::from(k)).sin_cos();
        let twist = DVec3::new(cos, 0.0, sin / 0.06);
        let [a, b] = [surface.support(twist, 1.0), exact.support(twist)];
        assert!((a / b - 1.0).abs() < 2e-3, "{a} {b}");
    }
    // Of a square: ∫s²p/∫sp over shells is 3π/16 where it is 2/3 under even pressure.
    let [even, found] = [
        Spread::isotropic(&square(0.2), None).unwrap().spin_radius(),
        pressed(PressureRule::Hertz, &square(0.2), DVec2::ZERO).unwrap().spread.spin_radius(),
    ];
    let exact = 9.0 * std::f64::consts::PI / 32.0;
    assert!((found / even / exact - 1.0).abs() < 0.02, "{} {exact}", found / even);
}
