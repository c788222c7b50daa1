//! Limit surfaces against closed forms and against each other.

use std::f64::consts::PI;

use asperity_friction::extent::{
    Curve, Exact, FullTable, LimitMap, Pressure, Shape, Table, cell_set, disc_set, line_set,
    polygon_polytope, polygon_set, steady,
};
use asperity_friction::set::{
    BoxSet, Disk, Ellipse, Interval, LimitPolytope, Polygon, Rotation, Set,
};
use asperity_friction::testing::Rng;
use glamx::{DVec2, DVec3};

#[test]
fn a_disc_that_slides_and_spins_has_its_known_wrench() {
    // v/(ωR) and F, T in units of μN and μNR.
    let known = [
        (0.2, 0.19899, 0.64682),
        (0.5, 0.48384, 0.54775),
        (1.0, 0.84883, 0.28294),
        (2.0, 0.96769, 0.12781),
    ];
    let radius = 0.03;
    let disc = Exact::disc(radius).unwrap();
    for (ratio, force, torque) in known {
        let w = disc.wrench(DVec3::new(0.0, ratio * radius * 2.0, 2.0));
        assert!((w.y + force).abs() < 1e-5, "{ratio}: {w}");
        assert!((w.z / radius + torque).abs() < 1e-5, "{ratio}: {w}");
        assert!(w.x.abs() < 1e-15);
    }
}

#[test]
fn pure_spin_has_its_known_torque() {
    let disc = Exact::disc(2.0).unwrap().spin_radius();
    assert!((disc - 2.0 * 2.0 / 3.0).abs() < 1e-10, "{disc}");
    let hertz = Exact::hertz(1.0, 2.0).unwrap().spin_radius();
    assert!((hertz - 3.0 * PI / 16.0).abs() < 1e-10, "{hertz}");
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(DVec2::from_array);
    let square = Exact::polygon(&square).unwrap().spin_radius();
    // (√2 + asinh 1)/6 sides.
    let closed = (2.0_f64.sqrt() + 1.0_f64.asinh()) / 6.0;
    assert!((square - closed).abs() < 1e-15 && (square - 0.382_598).abs() < 1e-6, "{square}");
}

#[test]
fn polygons_cells_and_discs_agree() {
    let corner = |k: usize| DVec2::from_angle(2.0 * PI * k as f64 / 2000.0);
    let many = Exact::polygon(&(0..2000).map(corner).collect::<Vec<_>>()).unwrap();
    let disc = Exact::disc(1.0).unwrap();
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(DVec2::from_array);
    let square = Exact::polygon(&square).unwrap();
    let cells = Exact::cells(&Shape::Square.pressure(7, 1.0).unwrap());
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let slip = rng.unit_vector2() * rng.log_uniform(1e-3, 1e4);
        let twist = slip.extend(if rng.chance(0.5) { 1.0 } else { -1.0 });
        let error = (many.wrench(twist) - disc.wrench(twist)).length();
        assert!(error < 1e-5, "{twist}: {error:e}");
        let error = (square.wrench(twist) - cells.wrench(twist)).length();
        assert!(error < 1e-9, "{twist}: {error:e}");
    }
    let slide = square.wrench(DVec3::new(3.0, 4.0, 0.0));
    assert!((slide - DVec3::new(-0.6, -0.8, 0.0)).length() < 1e-12, "{slide}");
}

#[test]
fn the_wrench_is_the_gradient_of_the_power() {
    let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let patches = [
        Exact::polygon(&l.map(DVec2::from_array)).unwrap(),
        Exact::hertz(1.3, 3.0).unwrap(),
        Exact::cells(&Shape::NonConvex2.pressure(21, 2.0).unwrap()),
    ];
    let mut rng = Rng::new(2);
    for patch in patches {
        for _ in 0..100 {
            let twist = DVec3::from_slice(&rng.unit_vector(3));
            let step = DVec3::from_slice(&rng.unit_vector(3)) * 1e-5;
            let slope = patch.support(twist + step) - patch.support(twist - step);
            let expected = -2.0 * patch.wrench(twist).dot(step);
            assert!((slope - expected).abs() < 1e-9, "{twist}: {slope:e} {expected:e}");
        }
    }
}

#[test]
fn tables_and_curves_come_near_the_exact_surface() {
    // A grid of 101 × 101 cells, as Fig. 14 has it.
    let pressure = Shape::Circle.pressure(101, 0.02).unwrap();
    let r = pressure.spin_radius();
    let table = LimitMap::from(Table::new(&pressure, 40).unwrap());
    let curve = LimitMap::from(Curve::new(&pressure, 40).unwrap());
    let cells = Exact::cells(&pressure);
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let slip = rng.unit_vector2() * r * rng.log_uniform(0.05, 20.0);
        let twist = slip.extend(if rng.chance(0.5) { 1.0 } else { -1.0 });
        let exact = cells.wrench(twist) / DVec3::new(1.0, 1.0, r);
        for map in [&table, &curve] {
            let found = map.lookup(r, twist);
            assert!((found - exact).length() < 5e-3, "{twist}: {found} {exact}");
            // Scaling the patch or the speed changes nothing.
            let larger = map.lookup(2.0 * r, DVec3::new(twist.x, twist.y, 0.5 * twist.z));
            assert!((larger - found).length() < 1e-12);
        }
    }
}

#[test]
fn the_bilinear_steady_state_has_no_steps() {
    // Fig. 10: a line contact whose centre of rotation moves along it.
    let pressure = Shape::Line.pressure(21, 0.02).unwrap();
    let jump = |of: &dyn Fn(DVec3) -> DVec3| {
        let force = |k: i32| of(DVec3::new(f64::from(k) * 1e-6, 0.0, 1.0)).x;
        (-9000..9000).map(|k| (force(k + 1) - force(k)).abs()).fold(0.0, f64::max)
    };
    let (plain, smooth) =
        (jump(&|t| steady::wrench(&pressure, t)), jump(&|t| steady::bilinear_wrench(&pressure, t)));
    // A cell is 1/21 of the load, and its force turns round.
    assert!(plain > 0.9 * 2.0 / 21.0 && smooth < 2e-4, "{plain} {smooth}");
}

#[test]
fn bad_patches_are_refused_by_name() {
    let square = |side, width| Shape::Square.pressure(side, width).unwrap_err().to_string();
    assert!(square(0, 1.0).contains("cells along a side"));
    assert!(square(21, 0.0).contains("width"));
    assert!(square(21, f64::NAN).contains("width"));
    let hertz = |radius, exponent| {
        Shape::Hertz { radius, exponent }.pressure(21, 0.02).unwrap_err().to_string()
    };
    assert!(hertz(-1.0, 2.0).contains("radius") && hertz(1.0, 0.0).contains("exponent"));
    let far = Shape::Ellipse { axes: [1e-9, 1e-9] }.pressure(20, 1.0).unwrap_err().to_string();
    assert!(far.contains("pressure is empty"), "{far}");
    let mask = |ix: usize, iy: usize| [0.0, 1.0, -1.0, 0.0][iy * 2 + ix];
    let mask = Pressure::from_cells(2, 1.0, mask);
    assert!(mask.unwrap_err().to_string().contains("pressure of cell (0, 1)"));
    let pressure = Shape::Square.pressure(5, 1.0).unwrap();
    assert!(Table::new(&pressure, 0).unwrap_err().to_string().contains("N_ls"));
    assert!(Exact::polygon(&[DVec2::ZERO, DVec2::X]).is_err());
    assert!(Exact::points(&[(DVec2::ZERO, -1.0)]).unwrap_err().to_string().contains("point 0"));
    let section = Ellipse::new(1.0, 1.0, Rotation::IDENTITY).unwrap();
    assert!(polygon_set(&[DVec2::ZERO, DVec2::X], section, 6).is_err());
    assert!(polygon_set(&[DVec2::ZERO, DVec2::X, 2.0 * DVec2::X], section, 6).is_err());
    let same = Shape::Polygon { corners: vec![DVec2::X, DVec2::Y] }.pressure(5, 1.0);
    assert!(same.unwrap_err().to_string().contains("2 corners"));
}

#[test]
fn sets_come_near_the_exact_surface() {
    let mut rng = Rng::new(4);
    let round = Ellipse::new(1.0, 1.0, Rotation::IDENTITY).unwrap();
    let disc = disc_set(0.01, None, 1.0, 16).unwrap();
    let hertz = disc_set(0.01, Some(2.0), 1.0, 16).unwrap();
    let grid = |shape: Shape| {
        let pressure = shape.pressure(21, 0.02).unwrap();
        (Exact::cells(&pressure), cell_set(&pressure, round, 6).unwrap())
    };
    let (square, square_set) = grid(Shape::Square);
    let (odd, odd_set) = grid(Shape::NonConvex2);
    let (line, line_set) = grid(Shape::LineGradient);
    let polygon = |corners: &[DVec2]| {
        (Exact::polygon(corners).unwrap(), polygon_set(corners, round, 6).unwrap())
    };
    let box_of = |w: f64, h: f64| [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]].map(DVec2::from_array);
    let (bar, bar_set) = polygon(&box_of(0.06, 0.02));
    let (needle, needle_set) = polygon(&box_of(1.0, 1e-4));
    let (three, three_set) = polygon(&box_of(0.02, 0.03)[..3]);
    let (exact_square, exact_square_set) = polygon(&box_of(0.02, 0.02));
    let cases = [
        ("rectangle", bar, bar_set, [2e-2, 3e-3]),
        ("needle", needle, needle_set, [2e-2, 2e-3]),
        ("triangle", three, three_set, [3e-2, 4e-3]),
        ("polygon of a square", exact_square, exact_square_set, [2e-2, 3e-3]),
        ("disc", Exact::disc(0.01).unwrap(), disc, [3e-3, 5e-4]),
        ("hertz", Exact::hertz(0.01, 2.0).unwrap(), hertz, [3e-3, 5e-4]),
        ("square", square, square_set, [2e-2, 3e-3]),
        // Where the centre of rotation is in one of few parts, forces differ more than power.
        ("non-convex", odd, odd_set, [5e-2, 5e-3]),
        ("line", line, line_set, [4e-2, 2e-3]),
    ];
    for (name, exact, set, allowed) in cases {
        let r = exact.spin_radius();
        assert!((set.drilling() / r - 1.0).abs() < 5e-3, "{name}: {} {r}", set.drilling());
        let (mut worst, mut power) = (0.0_f64, 0.0_f64);
        for _ in 0..2000 {
            let slip = rng.unit_vector2() * r * rng.log_uniform(0.02, 50.0);
            let twist = slip.extend(if rng.chance(0.5) { 1.0 } else { -1.0 });
            let (found, known) = (set.traction(twist, 1.0), exact.wrench(twist));
            let difference = (found - known) / DVec3::new(1.0, 1.0, r);
            worst = worst.max(difference.length());
            power = power.max((set.support(-twist, 1.0) / exact.support(twist) - 1.0).abs());
        }
        assert!(worst < allowed[0] && power < allowed[1], "{name}: {worst} {power}");
    }
}

#[test]
fn lines_come_near_thin_rectangles() {
    let mut rng = Rng::new(8);
    let section = Ellipse::new(1.0, 1.0, Rotation::IDENTITY).unwrap();
    let corners = [[0.0, 0.0], [0.1, 0.0], [0.1, 1e-6], [0.0, 1e-6]].map(DVec2::from_array);
    let (exact, set) = (Exact::polygon(&corners).unwrap(), line_set(0.1, section, 9).unwrap());
    assert!((set.drilling() / 0.025 - 1.0).abs() < 1e-9, "{}", set.drilling());
    for _ in 0..500 {
        let slip = rng.unit_vector2() * 0.025 * rng.log_uniform(0.02, 50.0);
        let twist = slip.extend(1.0);
        let power = set.support(-twist, 1.0) / exact.support(twist) - 1.0;
        assert!(power.abs() < 1e-2, "{twist}: {power}");
    }
    assert!(line_set(0.0, section, 9).unwrap_err().to_string().contains("length"));
}

#[test]
fn full_tables_hold_anisotropic_and_asymmetric_sections() {
    let pressure = Shape::Square.pressure(11, 0.02).unwrap();
    let r = pressure.spin_radius();
    // The same friction in all directions: the paper's table.
    let half = Table::new(&pressure, 20).unwrap();
    let full = FullTable::new(&pressure, &Disk::new(1.0).unwrap().into(), 20).unwrap();
    let ratchet: Set = BoxSet::new(
        Interval::new(-0.2, 0.6).unwrap(),
        Interval::new(-0.4, 0.4).unwrap(),
        Rotation::from_angle(0.4),
    )
    .into();
    let uneven = FullTable::new(&pressure, &ratchet, 20).unwrap();
    let mut rng = Rng::new(6);
    for _ in 0..500 {
        let slip = rng.unit_vector2() * r * rng.log_uniform(0.1, 10.0);
        let twist = slip.extend(if rng.chance(0.5) { 1.0 } else { -1.0 });
        let known = half.lookup(r, twist) * DVec3::new(1.0, 1.0, r);
        let difference = (full.lookup(twist) - known) / DVec3::new(1.0, 1.0, r);
        assert!(difference.length() < 6e-2, "{twist}: {difference}");
        // In the hull of the nodes: no further in any direction than the set allows.
        let d = DVec3::from_slice(&rng.unit_vector(3));
        let power: f64 = pressure
            .iter()
            .map(|(at, share)| {
                let slip = DVec2::new(d.x, d.y) + at.perp() * d.z;
                ratchet.support(&slip.to_array(), share)
            })
            .sum();
        assert!(uneven.lookup(twist).dot(d) <= power + 1e-12);
        assert!(uneven.lookup(twist).dot(twist) <= 1e-12, "dissipates");
    }
    let [forth, back] = [1.0, -1.0].map(|s| {
        let way = DVec2::from_angle(0.4) * s;
        uneven.lookup(way.extend(0.0)).length()
    });
    assert!((forth - 0.2).abs() < 0.25 && (back - 0.6).abs() < 0.25 && back > forth + 0.2);
    assert!(uneven.is_associated());
    assert!(FullTable::new(&pressure, &Set::Free(2), 20).is_err());
}

/// The set of a patch with a section with corners against the same sum over many cells.
#[test]
fn polytopes_are_the_sum_of_their_cells() {
    let square = [[0.0, 0.0], [0.02, 0.0], [0.02, 0.02], [0.0, 0.02]].map(DVec2::from_array);
    let section = Polygon::from_points(
        &[[0.5, 0.1], [-0.1, 0.3], [-0.3, -0.2], [0.2, -0.4]].map(DVec2::from_array),
    )
    .unwrap();
    let few = polygon_polytope(&square, &section, 8).unwrap();
    let pressure = Shape::Square.pressure(40, 0.02).unwrap();
    let many = LimitPolytope::new(&section, &pressure.iter().collect::<Vec<_>>()).unwrap();
    let table = FullTable::new(&pressure, &section.clone().into(), 40).unwrap();
    for k in 0..200 {
        let a = f64::from(k) * 0.7;
        let twist = DVec3::new(a.cos(), (1.3 * a).sin(), 300.0 * (0.37 * a).sin());
        let (found, wanted) = (few.support(-twist, 1.0), many.support(-twist, 1.0));
        assert!((found - wanted).abs() < 5e-3 * wanted, "{twist}: {found} {wanted}");
        // The table is within the set and dissipates nearly as much.
        let tabled = table.lookup(twist);
        assert!(many.support(-twist, 1.0) + 1e-12 >= -tabled.dot(twist));
        assert!(-tabled.dot(twist) > 0.99 * wanted, "{twist}");
        let slid = many.traction(twist, 1.0);
        assert!((slid.dot(twist) + wanted).abs() < 1e-9 * wanted);
    }
    assert!(LimitPolytope::new(&section, &[]).is_err());
    assert!(LimitPolytope::new(&section, &[(DVec2::NAN, 1.0)]).is_err());
}
