//! Patches of bodies that lean: they end where the bodies do.

use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, NormalRule, Overlap, PatchShape, Scratch, overlaps};
use glamx::{DPose3, DQuat, DVec2, DVec3};

/// What a body shares with the ground whose lowest edge is `deep` in it, leaning by an angle about z, turned about y.
fn leaning(shape: &Shape, [half, high]: [f64; 2], deep: f64, lean: f64, turned: f64) -> Overlap {
    let body = ClosedShape::new(shape).unwrap();
    let ground = ClosedShape::new(&Shape::HalfSpace { normal: DVec3::Y }).unwrap();
    let turn = DQuat::from_rotation_z(-lean) * DQuat::from_rotation_y(turned);
    let y = half * lean.sin() + high * lean.cos() - deep;
    let pose = DPose3::from_parts(DVec3::new(3.0, y, -2.0), turn);
    let mut found = Vec::new();
    overlaps(&ground, &DPose3::IDENTITY, &body, &pose, &mut Scratch::default(), &mut found);
    assert_eq!(found.len(), 1);
    found[0]
}

/// Where the ellipse of a patch ends along +x, from the place where the body touches lowest.
fn short_of_the_edge(overlap: &Overlap, half: f64, high: f64, lean: f64, shape: PatchShape) -> f64 {
    let patch = overlap.patch(overlap.normal(NormalRule::Gradient), shape);
    let end = match patch.hull {
        Some(hull) => {
            hull.iter().map(|p| (patch.u * p.x + patch.w * p.y).x).fold(f64::MIN, f64::max)
        }
        None => (DVec2::new(patch.u.x, patch.w.x) * patch.half).length(),
    };
    // The lower edge is at (half, −high), turned by the lean.
    let edge = 3.0 + half * lean.cos() - high * lean.sin();
    edge - (patch.centre.x + end)
}

#[test]
fn the_patch_of_a_block_that_leans_ends_at_its_edge() {
    for (half, high) in [(0.05, 0.2), (0.5, 0.1)] {
        let block = Shape::Box { half_extents: DVec3::new(half, high, 0.7 * half) };
        for lean in [1e-6, 1e-4, 1e-3, 1e-2] {
            for part in [0.3, 1.0, 1.9, 2.0, 3.0, 10.0] {
                // At part = 2 it touches with the whole face, just so; beyond, all of it is in.
                let deep = part * half * f64::sin(lean);
                let overlap = leaning(&block, [half, high], deep, lean, 0.0);
                for shape in [PatchShape::Measured, PatchShape::Reach, PatchShape::Hull] {
                    let short = short_of_the_edge(&overlap, half, high, lean, shape);
                    let lowered = 1.001 * deep * f64::tan(lean) + 1e-9 * half;
                    assert!(short.abs() < lowered, "{shape:?} {lean} {part}: {short}");
                }
                let beyond = short_of_the_edge(&overlap, half, high, lean, PatchShape::Rectangle);
                assert!(part > 4.0 || beyond < -0.03 * half.min(part * half), "{part}: {beyond}");
            }
        }
    }
}

#[test]
fn the_patch_of_a_cylinder_that_leans_ends_within_it() {
    let (half, high) = (0.05, 0.2);
    let cylinder = Shape::Cylinder { half_height: high, radius: half };
    for turned in [0.0, 0.3] {
        for lean in [1e-5, 1e-3] {
            for part in [2.0, 3.0, 10.0] {
                let deep = part * half * f64::sin(lean);
                let overlap = leaning(&cylinder, [half, high], deep, lean, turned);
                let short = |shape| short_of_the_edge(&overlap, half, high, lean, shape);
                let ellipse = short(PatchShape::Measured);
                assert!(ellipse > -1e-3 * half && ellipse < 0.03 * half, "{part}: {ellipse}");
                let hull = short(PatchShape::Hull);
                assert!(hull.abs() < 6e-3 * half, "{part}: {hull}");
            }
        }
    }
}

/// Uniform pressure over an ellipse resists spin with ⅔ of the mean of its boundary's distance: of a square that is to
/// be (√2 + ln(1 + √2))/3 of its half width, of a ring ⅔ (R³ − r³)/(R² − r²).
#[test]
fn the_spread_of_a_patch_is_that_of_what_touches() {
    let lever = |half: DVec2| {
        let at = |k: i32| (DVec2::from_angle(0.1 * f64::from(k)) * half).length();
        2.0 / 3.0 * (0..63).map(at).sum::<f64>() / 63.0
    };
    let patch = |shape: &Shape, half: f64| {
        let overlap = leaning(shape, [half, 0.1], 1e-4, 0.0, 0.4);
        overlap.patch(DVec3::Y, PatchShape::Measured)
    };
    let square = patch(&Shape::Box { half_extents: DVec3::new(0.2, 0.1, 0.2) }, 0.2);
    let root = 2.0_f64.sqrt();
    let exact = 0.2 * (root + (1.0 + root).ln()) / 3.0;
    assert!((lever(square.spread) / exact - 1.0).abs() < 0.01, "{} {exact}", lever(square.spread));
    let disc = patch(&Shape::Cylinder { half_height: 0.1, radius: 0.2 }, 0.2);
    assert!((lever(disc.spread) / (0.2 * 2.0 / 3.0) - 1.0).abs() < 1e-3);
    // The square's own ellipse ends 13 % short of that.
    assert!(lever(square.half) / exact < 0.9);
}
