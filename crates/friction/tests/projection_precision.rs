//! Projections on ellipses and ellipsoids against the same projection with twice the digits.

mod double_double;

use asperity_friction::set::{Ellipse, Ellipsoid, Rotation, Set};
use asperity_friction::testing::Rng;
use double_double::DoubleDouble;

const CASES: usize = 20_000;

/// Nearest point of the ellipsoid Σ (x_i / e_i)² ≤ 1: x_i = e_i² p_i / (t + e_i²), where t ≥ 0 is
/// found by bisecting Σ (e_i p_i / (t + e_i²))² = 1.
fn exact_projection(point: &[DoubleDouble], axes: &[f64]) -> Vec<DoubleDouble> {
    let one = DoubleDouble::from(1.0);
    let zero = DoubleDouble::from(0.0);
    let squares: Vec<DoubleDouble> = axes.iter().map(|e| DoubleDouble::product(*e, *e)).collect();
    let excess = |t: DoubleDouble| {
        let mut sum = zero - one;
        for ((e, e2), p) in axes.iter().zip(&squares).zip(point) {
            let a = DoubleDouble::from(*e) * *p / (t + *e2);
            sum = sum + a * a;
        }
        sum
    };
    if excess(zero) <= zero {
        return point.to_vec();
    }
    // Each a_i is at most e_i |p_i| / t, so the sum is below 1 at t = Σ e_i |p_i|.
    let (mut low, mut high) = (zero, zero);
    for (e, p) in axes.iter().zip(point) {
        high = high + DoubleDouble::from(*e) * p.abs();
    }
    for _ in 0..250 {
        let middle = (low + high) * DoubleDouble::from(0.5);
        if excess(middle) > zero { low = middle } else { high = middle }
    }
    point.iter().zip(&squares).map(|(p, e2)| *e2 * *p / (low + *e2)).collect()
}

/// Semi-axes with a longest of about 1 and ratios up to 1e4.
fn axes(rng: &mut Rng, dim: usize) -> Vec<f64> {
    let mut axes: Vec<f64> = (0..dim).map(|_| rng.log_uniform(1e-4, 1.0)).collect();
    axes[rng.index(dim)] = 1.0;
    axes
}

/// A point at 1e-12 to 1e12 times the size, from the middle or from a point of the boundary; along
/// the normal there in half the cases, so that small distances are truly outside.
fn point(rng: &mut Rng, axes: &[f64]) -> Vec<f64> {
    let unit = rng.unit_vector(axes.len());
    let distance = rng.log_uniform(1e-12, 1e12);
    if rng.chance(0.3) {
        return unit.iter().map(|u| u * distance).collect();
    }
    let along = if rng.chance(0.5) { rng.unit_vector(axes.len()) } else { normal(&unit, axes) };
    (0..axes.len()).map(|i| axes[i] * unit[i] + along[i] * distance).collect()
}

/// Outward normal at the boundary point e_i u_i.
fn normal(unit: &[f64], axes: &[f64]) -> Vec<f64> {
    let n: Vec<f64> = unit.iter().zip(axes).map(|(u, e)| u / e).collect();
    let length = n.iter().map(|n| n * n).sum::<f64>().sqrt();
    n.iter().map(|n| n / length).collect()
}

fn ellipsoid(axes: &[f64], rotation: Rotation) -> Set {
    let section = Ellipse::new(axes[0], axes[1], rotation).unwrap();
    match axes.get(2) {
        Some(drilling) => Ellipsoid::new(section, *drilling).unwrap().into(),
        None => section.into(),
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn check_in_its_own_axes(dim: usize) {
    for case in 0..CASES {
        let mut rng = Rng::for_case("precision", case * 4 + dim);
        let axes = axes(&mut rng, dim);
        let p = point(&mut rng, &axes);
        let exact_point: Vec<DoubleDouble> = p.iter().map(|p| DoubleDouble::from(*p)).collect();
        let exact = exact_projection(&exact_point, &axes);
        let mut found = p.clone();
        ellipsoid(&axes, Rotation::IDENTITY).project(&mut found, 1.0);
        let error: Vec<f64> =
            exact.iter().zip(&found).map(|(x, f)| (*x - DoubleDouble::from(*f)).to_f64()).collect();
        let size = norm(&exact.iter().map(|x| x.to_f64()).collect::<Vec<_>>());
        assert!(
            norm(&error) <= 1e-14 * size,
            "case {case}: axes {axes:?}, {p:?} projects to {found:?}, exact {exact:?}, relative \
             error {:e}",
            norm(&error) / size
        );
    }
}

#[test]
fn ellipse_projection_is_right_to_1e_14_at_any_aspect_and_distance() {
    check_in_its_own_axes(2);
}

#[test]
fn ellipsoid_projection_is_right_to_1e_14_at_any_aspect_and_distance() {
    check_in_its_own_axes(3);
}

/// Turning a far force into the axes of the set costs its last digits. How much of that arrives
/// at the boundary depends on how flat it is: at most the radius of curvature times the angle.
#[test]
fn turned_ellipse_projection_loses_no_more_than_the_last_digits_of_the_force() {
    for case in 0..CASES {
        let mut rng = Rng::for_case("turned precision", case);
        let axes = axes(&mut rng, 2);
        let rotation = Rotation::from_angle(rng.uniform(-4.0, 4.0));
        let [c, s] = rotation.axis().to_array();
        let local = point(&mut rng, &axes);
        let p = [c * local[0] - s * local[1], s * local[0] + c * local[1]];
        let exact_local = [
            DoubleDouble::product(c, p[0]) + DoubleDouble::product(s, p[1]),
            DoubleDouble::product(c, p[1]) - DoubleDouble::product(s, p[0]),
        ];
        let [x, y] = exact_projection(&exact_local, &axes)[..] else { unreachable!() };
        let (c, s) = (DoubleDouble::from(c), DoubleDouble::from(s));
        let exact = [(x * c - y * s).to_f64(), (x * s + y * c).to_f64()];
        let mut found = p.to_vec();
        ellipsoid(&axes, rotation).project(&mut found, 1.0);
        let error = norm(&[found[0] - exact[0], found[1] - exact[1]]);
        let flattest = 1.0 / axes[0].min(axes[1]);
        let allowed = 4.0 * f64::EPSILON * (norm(&exact) + norm(&p).min(flattest));
        assert!(
            error <= allowed,
            "case {case}: axes {axes:?}, {rotation:?}, {p:?} projects to {found:?}, exact \
             {exact:?}, error {error:e}, allowed {allowed:e}"
        );
    }
}
