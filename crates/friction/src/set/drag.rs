//! Friction sets as drags: a symmetric matrix over the speed, found again in every round.
//!
//! The power h of friction is a norm or nearly so. Near a slip v it is bounded from above by the
//! quadratic that its drag has, and touches it there: h = √(vᵀQv) by vᵀQv/2s + s/2 with s = h(v), and
//! each of the |g·v| of a polygon by (g·v)²/2s + s/2 with s = |g·v|. So rounds go downhill.

use glamx::{DMat2, DVec2};

use super::{BoxSet, Ellipse, Polygon, Set};

/// T near the unit slip `along` as a symmetric matrix B and a rest: T(along) = B along + rest, the
/// force that opposes the slip per unit load.
pub fn resistance(set: &Set, along: DVec2) -> (DMat2, DVec2) {
    match set {
        Set::Disk(disk) => (DMat2::from_diagonal(DVec2::splat(disk.radius())), DVec2::ZERO),
        Set::Tensor(tensor) => {
            let m = tensor.matrix_at(along);
            let symmetric = (m + m.transpose()) * 0.5;
            (symmetric, m * along - symmetric * along)
        }
        _ if along == DVec2::ZERO => {
            // At rest no direction is known: as much as it can give along both axes, either way.
            let along = |d: DVec2| set.support(&d.to_array(), 1.0);
            let most = |d: DVec2| along(d).max(along(-d));
            (DMat2::from_diagonal(DVec2::new(most(DVec2::X), most(DVec2::Y))), DVec2::ZERO)
        }
        Set::Ellipse(ellipse) => (of_ellipse(ellipse, along), DVec2::ZERO),
        Set::Box(sides) => of_box(sides, along),
        Set::Polygon(polygon) => {
            let drag = of_polygon(polygon, along);
            (drag, opposing(polygon, along) - drag * along)
        }
        _ => {
            // B = g gᵀ/(g·along) for the law's own force −g, and as much across.
            let g = -force_by_law(set, along);
            let power = g.dot(along);
            if !(power > 0.0) {
                return (DMat2::ZERO, g);
            }
            (outer(g) * (1.0 / power) + outer(along.perp()) * power, DVec2::ZERO)
        }
    }
}

/// The force per unit load while it slips. Where a polygon's jumps, within a milliradian of the slips
/// at right angles to its sides, it goes from corner to corner instead: there the slip across the
/// side is as good as none, and the force is whatever keeps it so.
pub fn force_by_law(set: &Set, slip: DVec2) -> DVec2 {
    let along = slip.normalize_or_zero();
    match set {
        _ if along == DVec2::ZERO => DVec2::ZERO,
        Set::Polygon(polygon) => -opposing(polygon, along),
        Set::Box(sides) => {
            let (drag, rest) = of_box(sides, along);
            -(drag * along + rest)
        }
        _ => {
            let mut force = [0.0; 2];
            set.traction(&slip.to_array(), 1.0, &mut force);
            DVec2::from_array(force)
        }
    }
}

/// Radians from a jump of the force within which it is spread out.
const CORNER: f64 = 1e-3;

/// Q/h for the support h = √(dᵀQd).
fn of_ellipse(ellipse: &Ellipse, along: DVec2) -> DMat2 {
    let (axis, mu) = (ellipse.rotation().axis(), ellipse.mu());
    let h = ellipse.support(along, 1.0);
    if !(h > 0.0) {
        // No resistance this way, but across.
        return outer(axis) * mu.x + outer(axis.perp()) * mu.y;
    }
    (outer(axis) * (mu.x * mu.x) + outer(axis.perp()) * (mu.y * mu.y)) * (1.0 / h)
}

/// For each side the middle of its bounds, and half of what is between them as a drag.
fn of_box(sides: &BoxSet, along: DVec2) -> (DMat2, DVec2) {
    let (mut drag, mut rest) = (DMat2::ZERO, DVec2::ZERO);
    let axis = sides.rotation().axis();
    for (axis, bounds) in [(axis, sides.first()), (axis.perp(), sides.second())] {
        let (low, high) = (bounds.min(), bounds.max());
        drag += outer(axis) * (0.5 * (high - low) / along.dot(axis).abs().max(CORNER));
        rest -= axis * (0.5 * (high + low));
    }
    (drag, rest)
}

/// Σ e eᵀ/4|e·along| over all sides e: the mean power of both senses of a slip is Σ |e·v|/4.
fn of_polygon(polygon: &Polygon, along: DVec2) -> DMat2 {
    let corners = polygon.corners();
    let mut drag = DMat2::ZERO;
    for (k, corner) in corners.iter().enumerate() {
        let side = corners[(k + 1) % corners.len()] - *corner;
        let least = CORNER * side.length();
        if least > 0.0 {
            drag += outer(side) * (0.25 / side.dot(along).abs().max(least));
        }
    }
    drag
}

/// The force that opposes a unit slip most, with its sign turned; spread out near jumps.
fn opposing(polygon: &Polygon, along: DVec2) -> DVec2 {
    let corners = polygon.corners();
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (k, corner) in corners.iter().enumerate() {
        let reach = -corner.dot(along);
        if reach > most {
            (best, most) = (k, reach);
        }
    }
    let Some(&corner) = corners.get(best) else { return DVec2::ZERO };
    let n = corners.len();
    let mut force = corner;
    // A line has one neighbour.
    let neighbours = [best + 1, best + n - 1];
    for other in &neighbours[..n.saturating_sub(1).min(2)] {
        let side = corners[other % n] - corner;
        // How far the slip has turned from where both corners do the same, over the spread.
        let turned = side.dot(along) / (CORNER * side.length());
        if turned < 1.0 {
            force += side * (0.5 * (1.0 - turned));
        }
    }
    -force
}

fn outer(v: DVec2) -> DMat2 {
    DMat2::from_cols(v * v.x, v * v.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{Interval, Rotation};
    use std::f64::consts::TAU;

    fn sets() -> Vec<Set> {
        let turned = Rotation::from_angle(0.3);
        let points = |list: &[[f64; 2]]| {
            let points: Vec<DVec2> = list.iter().map(|p| DVec2::from_array(*p)).collect();
            Set::from(Polygon::from_points(&points).unwrap())
        };
        let [x, y] =
            [(-0.4, 0.1), (-0.2, 0.2)].map(|(low, high)| Interval::new(low, high).unwrap());
        vec![
            Ellipse::new(0.1, 0.8, turned).unwrap().into(),
            BoxSet::new(x, y, turned).into(),
            points(&[[-0.4, -0.1], [0.1, -0.2], [0.2, 0.1], [-0.3, 0.2]]),
            points(&[[-0.4, -0.1], [0.3, -0.1], [0.0, 0.5]]),
            points(&[[-0.4, -0.1], [0.4, 0.1]]),
        ]
    }

    #[test]
    fn drags_give_the_force_of_the_law() {
        for set in sets() {
            for k in 0..1000 {
                let along = DVec2::from_angle(TAU * (f64::from(k) + 0.5) / 1000.0);
                let (drag, rest) = resistance(&set, along);
                assert!((drag.x_axis.y - drag.y_axis.x).abs() < 1e-12);
                let force = -(drag * along + rest);
                assert!(force.distance(force_by_law(&set, along)) < 1e-12, "{set:?} {along}");
                // Where the law does not jump, it is the law itself; where it does, on the way.
                let mut exact = [0.0; 2];
                set.traction(&along.to_array(), 1.0, &mut exact);
                let lost = (force - DVec2::from_array(exact)).dot(along);
                assert!(lost.abs() < 1e-3 && set.contains(&force.to_array(), 1.0, 1e-12));
            }
        }
    }

    #[test]
    fn drags_of_symmetric_sets_bound_their_power_from_above() {
        // The rest of a box or a parallelogram is its middle.
        for set in &sets()[..3] {
            for k in 0..100 {
                let along = DVec2::from_angle(TAU * (f64::from(k) + 0.5) / 100.0);
                let (drag, rest) = resistance(set, along);
                for j in 0..100 {
                    let v = DVec2::from_angle(TAU * f64::from(j) / 100.0)
                        * (0.1 * f64::from(1 + j % 7));
                    let bound = 0.5 * (v.dot(drag * v) + along.dot(drag * along)) + rest.dot(v);
                    let power = set.support(&(-v).to_array(), 1.0);
                    assert!(bound >= power - 1e-12, "{set:?} {along} {v}: {bound} {power}");
                }
            }
        }
    }
}
