//! Limit surfaces of areas with holes and in several places.

use asperity_friction::ContactFrame;
use asperity_friction::extent::{Contour, Exact, Outline, disc_set, pieces_set, polygon_set};
use asperity_friction::set::{Ellipse, Rotation};
use asperity_friction::testing::Rng;
use glamx::{DVec2, DVec3};

fn round() -> Ellipse {
    Ellipse::new(1.0, 1.0, Rotation::IDENTITY).unwrap()
}

/// A ring as `sides` quadrangles, of the area of a round one.
fn ring(outer: f64, inner: f64, sides: usize) -> Vec<Vec<DVec2>> {
    let step = std::f64::consts::TAU / sides as f64;
    let grown = (step / step.sin()).sqrt();
    let at = |k: usize, r: f64| DVec2::from_angle(step * k as f64) * (r * grown);
    let one = |k: usize| vec![at(k, inner), at(k, outer), at(k + 1, outer), at(k + 1, inner)];
    (0..sides).map(one).collect()
}

#[test]
fn a_ring_is_a_disc_without_a_disc() {
    // What friction takes is a sum over the area: that of the large disc less that of the small one.
    let mut rng = Rng::for_case("rings", 0);
    for inner in [0.2, 0.5, 0.8] {
        let set = pieces_set(&ring(1.0, inner, 96), round(), 10).unwrap();
        let [large, small] = [1.0, inner].map(|r| Exact::disc(r).unwrap());
        let (mut worst, mut filled) = (0.0_f64, 0.0_f64);
        let disc = disc_set(1.0, None, 1.0, 16).unwrap();
        for _ in 0..500 {
            let twist = rng.unit_vector3();
            let part = inner * inner;
            let exact = (large.support(twist) - part * small.support(twist)) / (1.0 - part);
            worst = worst.max((set.support(twist, 1.0) / exact - 1.0).abs());
            filled = filled.max((disc.support(twist, 1.0) / exact - 1.0).abs());
        }
        eprintln!("{inner}: power off by {worst:.1e}, of a filled disc by {filled:.1e}");
        assert!(worst < 2e-3, "{inner}: {worst}");
        assert!(filled > 4.0 * worst, "{inner}: {filled}");
        // Pure spin has the exact torque.
        let exact = 2.0 / 3.0 * (1.0 - inner.powi(3)) / (1.0 - inner * inner);
        assert!((set.drilling() / exact - 1.0).abs() < 1e-5, "{} {exact}", set.drilling());
    }
}

#[test]
fn pieces_that_fill_a_polygon_are_that_polygon() {
    let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)].map(DVec2::from);
    let [a, b, c, d] = corners;
    let whole = polygon_set(&corners, round(), 6).unwrap();
    let cut = pieces_set(&[vec![a, b, c], vec![a, c, d]], round(), 6).unwrap();
    for (one, other) in whole.parts().zip(cut.parts()) {
        assert!((one.place - other.place).length() < 1e-12);
        assert!((one.share - other.share).abs() < 1e-12);
    }
}

#[test]
fn outlines_of_pieces_turn_with_them_and_know_their_moments() {
    let frame = ContactFrame::from_normal(DVec3::Y);
    let pieces = ring(0.5, 0.3, 40);
    let outline = |turn: f64, shift: f64| {
        let place = |p: &DVec2| frame.to_world(DVec2::from_angle(turn).rotate(*p) + shift);
        let world: Vec<Vec<DVec3>> = pieces.iter().map(|q| q.iter().map(place).collect()).collect();
        let corners: Vec<DVec3> = world.iter().flatten().copied().collect();
        let contour = Contour {
            corners: &corners,
            disc: None,
            area: std::f64::consts::PI * 0.16,
            centroid: frame.to_world(DVec2::splat(shift)),
            pieces: &world,
        };
        Outline::of(&contour, &frame).unwrap().1
    };
    let first = outline(0.0, 0.0);
    assert!(first.is_same(&outline(0.7, 0.4)));
    assert!((first.gyration2() / (0.5 * (0.25 + 0.09)) - 1.0).abs() < 1e-5);
}
