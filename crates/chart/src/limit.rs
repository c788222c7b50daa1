//! The limit curve of a friction set in the contact plane, and the tractions on it.

use std::f64::consts::TAU;

use asperity_friction::set::{BoxSet, Set, Tensor};
use serde::Serialize;

use crate::{ChartError, Point};

/// The boundary of a planar set per unit load.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// Its pieces in order: one, unless the traction jumps between directions of slip.
    pub branches: Vec<Vec<Point>>,
    /// Whether the curve is one piece whose end is its beginning.
    pub closed: bool,
    set: Set,
}

/// A direction of slip and the friction it causes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Traction {
    /// Unit vector: how B moves over A.
    pub slip: Point,
    /// Force on B per unit load.
    pub force: Point,
}

/// What the friction of a set is like over all directions of slip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Smallest friction per unit load.
    pub smallest: f64,
    /// Largest friction per unit load.
    pub largest: f64,
    /// Largest angle between the friction and the opposite of the slip, degrees.
    pub turned: f64,
    /// Smallest share of the dissipation that would be the most in the set; 1 if associated.
    pub dissipation: f64,
}

/// Friction beyond this many times the load cannot be drawn.
const TOO_LARGE: f64 = 1e100;

impl Limit {
    /// The limit curve of a set in about `samples` points. A set with torques shows its planar
    /// section; a set of one row has none.
    pub fn new(set: &Set, samples: usize) -> Result<Limit, ChartError> {
        let set = planar(set)?;
        let reach = reach(&set);
        if reach > TOO_LARGE || !reach.is_finite() {
            return Err(ChartError::TooMuchFriction(reach));
        }
        let branches = match &set {
            Set::Box(shape) => vec![box_corners(shape)],
            Set::Polygon(shape) => vec![shape.corners().iter().map(|c| [c.x, c.y]).collect()],
            Set::Tensor(tensor) => sector_arcs(tensor, samples),
            convex => vec![projected(convex, reach, samples)],
        };
        let (branches, closed) = joined(branches, !matches!(set, Set::Tensor(_)), 1e-9 * reach);
        Ok(Limit { branches, closed, set })
    }

    /// The friction for slip along `angle` (radians).
    pub fn traction(&self, angle: f64) -> Traction {
        // Along an axis the other part is exactly zero, and not the rounding error of π.
        let slip = [angle.cos(), angle.sin()].map(|c| if c.abs() < 1e-15 { 0.0 } else { c });
        let mut force = [0.0; 2];
        self.set.traction(&slip, 1.0, &mut force);
        Traction { slip, force: force.map(|c| c + 0.0) }
    }

    /// The friction for `count` directions of slip all round.
    pub fn tractions(&self, count: usize) -> Vec<Traction> {
        (0..count).map(|i| self.traction(TAU * i as f64 / count as f64)).collect()
    }

    /// Extremes over a fine fan of slips. Without friction there is nothing to turn.
    pub fn spread(&self) -> Spread {
        let none = Spread { smallest: f64::INFINITY, largest: 0.0, turned: 0.0, dissipation: 1.0 };
        let nothing = 1e-12 * self.reach();
        // Along the normal of an edge any point of the edge will do: such slips are left out.
        let shift = if matches!(self.set, Set::Box(_) | Set::Polygon(_)) { 1e-5 } else { 0.0 };
        let fan = (0..1440).map(|i| self.traction(TAU * f64::from(i) / 1440.0 + shift));
        fan.fold(none, |spread, Traction { slip, force }| {
            let size = force[0].hypot(force[1]);
            let size = if size > nothing { size } else { 0.0 };
            let along = -(slip[0] * force[0] + slip[1] * force[1]);
            let across = slip[0] * force[1] - slip[1] * force[0];
            let angle = if size > 0.0 { across.abs().atan2(along).to_degrees() } else { 0.0 };
            let most = self.set.support(&slip.map(|c| -c), 1.0);
            let share = if most > nothing { along / most } else { 1.0 };
            Spread {
                smallest: spread.smallest.min(size),
                largest: spread.largest.max(size),
                turned: spread.turned.max(angle),
                dissipation: spread.dissipation.min(share),
            }
        })
    }

    /// The largest coordinate of the curve.
    pub fn reach(&self) -> f64 {
        self.branches.iter().flatten().flatten().fold(0.0, |m, c| m.max(c.abs()))
    }
}

/// The part of a set that lies in the contact plane.
fn planar(set: &Set) -> Result<Set, ChartError> {
    match set {
        Set::Free(_) => Err(ChartError::NoLimit),
        set => {
            let error = || ChartError::NotPlanar { name: set.name(), rows: set.dim() };
            set.without_torque().ok_or_else(error)
        }
    }
}

fn box_corners(shape: &BoxSet) -> Vec<Point> {
    let (first, second) = (shape.first(), shape.second());
    let corners = [
        [first.min(), second.min()],
        [first.max(), second.min()],
        [first.max(), second.max()],
        [first.min(), second.max()],
    ];
    corners.map(|c| shape.rotation().to_frame(c.into()).to_array()).to_vec()
}

/// The largest friction per unit load in any of sixteen directions: at least 0.98 of the largest
/// in all.
fn reach(set: &Set) -> f64 {
    let support = |i: i32| {
        let angle = TAU * f64::from(i) / 16.0;
        set.support(&[angle.cos(), angle.sin()], 1.0)
    };
    (0..16).map(support).fold(0.0, f64::max)
}

/// The projections of a circle of points outside the set: every one lies on its boundary.
fn projected(set: &Set, reach: f64, samples: usize) -> Vec<Point> {
    let outside = 2.0 * reach;
    let point = |i: usize| {
        let angle = TAU * i as f64 / samples as f64;
        let mut point = [outside * angle.cos(), outside * angle.sin()];
        set.project(&mut point, 1.0);
        point
    };
    (0..samples).map(point).collect()
}

/// −T(y) for y round the circle, one arc for each sector of the tensor, ends included.
fn sector_arcs(tensor: &Tensor, samples: usize) -> Vec<Vec<Point>> {
    let sectors = tensor.sectors();
    let arc = |i: usize| {
        let start = sectors[i].start;
        let end = sectors.get(i + 1).map_or(sectors[0].start + TAU, |next| next.start);
        let steps = ((samples as f64 * (end - start) / TAU).ceil() as usize).max(2);
        let force = |k: usize| {
            let (sin, cos) = (start + (end - start) * k as f64 / steps as f64).sin_cos();
            let q = sectors[i].matrix;
            [-(q.x_axis.x * cos + q.y_axis.x * sin), -(q.x_axis.y * cos + q.y_axis.y * sin)]
        };
        (0..=steps).map(force).collect()
    };
    (0..sectors.len()).map(arc).collect()
}

/// Branches that meet, to within `gap`, made one, and whether the curve closes. A `ring` is closed
/// already.
fn joined(branches: Vec<Vec<Point>>, ring: bool, gap: f64) -> (Vec<Vec<Point>>, bool) {
    let meets = |a: Option<&Point>, b: Option<&Point>| match (a, b) {
        (Some(a), Some(b)) => (a[0] - b[0]).hypot(a[1] - b[1]) <= gap,
        _ => false,
    };
    let mut out: Vec<Vec<Point>> = Vec::new();
    for branch in branches {
        match out.last_mut() {
            Some(last) if meets(last.last(), branch.first()) => last.extend(&branch[1..]),
            _ => out.push(branch),
        }
    }
    let last = out.last().and_then(|b| b.last()).copied();
    let closed = ring || meets(last.as_ref(), out.first().and_then(|b| b.first()));
    // A gap may come before the seam: then the last branch continues in the first.
    if closed && out.len() > 1 {
        let mut last = out.pop().unwrap_or_default();
        last.extend(&out[0][1..]);
        out[0] = last;
        return (out, false);
    }
    (out, closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::set::{Disk, Ellipse, Ellipsoid, Interval, Polygon, Rotation, Sector};
    use glamx::{DMat2, DVec2};

    fn ellipse() -> Ellipse {
        Ellipse::new(0.5, 0.2, Rotation::from_angle(0.4)).unwrap()
    }

    fn tensor(q_at: &[(f64, f64, f64)]) -> Set {
        let sectors = q_at.iter().map(|&(start, q11, q22)| Sector {
            start,
            matrix: DMat2::from_diagonal(DVec2::new(q11, q22)),
        });
        Tensor::from_sectors(sectors.collect()).unwrap().into()
    }

    #[test]
    fn curve_points_lie_on_the_boundary() {
        let polygon = [[0.5, 0.0], [-0.2, 0.4], [-0.3, -0.3]].map(Into::into);
        let shapes: [Set; 5] = [
            Disk::new(0.5).unwrap().into(),
            ellipse().into(),
            BoxSet::new(
                Interval::new(-0.1, 0.4).unwrap(),
                Interval::new(-0.3, 0.2).unwrap(),
                Rotation::from_angle(0.3),
            )
            .into(),
            Polygon::from_points(&polygon).unwrap().into(),
            tensor(&[(0.0, 0.2, 0.5)]),
        ];
        for set in shapes {
            let limit = Limit::new(&set, 90).unwrap();
            assert!(limit.closed && limit.branches.len() == 1, "{set:?}");
            for point in limit.branches.iter().flatten() {
                assert!(set.contains(point, 1.0, 1e-9), "{point:?} is outside {set:?}");
                let beyond = point.map(|c| 1.001 * c);
                assert!(!set.contains(&beyond, 1.0, 1e-9), "{point:?} is inside {set:?}");
            }
        }
    }

    #[test]
    fn every_traction_lies_on_the_curve() {
        for set in [ellipse().into(), tensor(&[(0.0, 0.2, 0.5), (1.0, 0.4, 0.3)])] {
            let limit = Limit::new(&set, 7200).unwrap();
            for Traction { force, .. } in limit.tractions(16) {
                let near = limit
                    .branches
                    .iter()
                    .flatten()
                    .any(|p| (p[0] - force[0]).hypot(p[1] - force[1]) < 1e-3);
                assert!(near, "{force:?} is not on the curve");
            }
        }
    }

    #[test]
    fn a_jump_of_the_traction_breaks_the_curve() {
        let two = Limit::new(&tensor(&[(0.5, 0.2, 0.5), (1.5, 0.4, 0.5)]), 90).unwrap();
        assert!(!two.closed);
        assert_eq!(two.branches.len(), 2);
        // Different only across a ray on which both agree: no jump there, one at the other end.
        let one = Limit::new(&tensor(&[(0.0, 0.2, 0.5), (1.5, 0.2, 0.4)]), 90).unwrap();
        assert!(!one.closed);
        assert_eq!(one.branches.len(), 1);
    }

    #[test]
    fn spread_of_cone_and_tensor_differ_in_direction_only() {
        let cone = Limit::new(&Ellipse::new(0.2, 0.5, Rotation::IDENTITY).unwrap().into(), 90);
        let tensor = Limit::new(&tensor(&[(0.0, 0.2, 0.5)]), 90);
        let (cone, tensor) = (cone.unwrap().spread(), tensor.unwrap().spread());
        // sin of the largest turn is (r − 1)/(r + 1) with r = μ₂/μ₁, squared for the cone.
        let turn = |r: f64| ((r - 1.0) / (r + 1.0)).asin().to_degrees();
        assert!((cone.turned - turn(6.25)).abs() < 0.01, "{cone:?}");
        assert!((tensor.turned - turn(2.5)).abs() < 0.01, "{tensor:?}");
        // A symmetric tensor loses the cosine of its turn, a cone nothing.
        assert!((cone.dissipation - 1.0).abs() < 1e-12, "{cone:?}");
        assert!((tensor.dissipation - turn(2.5).to_radians().cos()).abs() < 1e-4, "{tensor:?}");
        for spread in [cone, tensor] {
            assert!((spread.smallest - 0.2).abs() < 1e-12 && (spread.largest - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn sets_with_torque_show_their_section_and_sets_of_one_row_none() {
        let solid = Ellipsoid::new(ellipse(), 0.02).unwrap();
        let planar = Limit::new(&ellipse().into(), 90).unwrap();
        assert_eq!(Limit::new(&solid.into(), 90).unwrap(), planar);
        let line = Set::Interval(Interval::new(-1.0, 1.0).unwrap());
        assert!(Limit::new(&line, 90).unwrap_err().to_string().contains("interval"));
        assert!(Limit::new(&Set::Free(2), 90).is_err());
    }

    #[test]
    fn size_does_not_matter_until_it_is_absurd() {
        for size in [1e-30, 1.0, 1e30] {
            let jumps = tensor(&[(0.5, 0.2 * size, 0.5 * size), (1.5, 0.4 * size, 0.5 * size)]);
            let limit = Limit::new(&jumps, 90).unwrap();
            assert_eq!(limit.branches.len(), 2, "{size}");
            assert!(limit.spread().turned > 20.0, "{size}");
        }
        let absurd = Limit::new(&Disk::new(1e300).unwrap().into(), 90);
        assert!(absurd.unwrap_err().to_string().contains("1e300 times the load"));
    }

    #[test]
    fn no_friction_is_a_point() {
        let limit = Limit::new(&Disk::frictionless().into(), 90).unwrap();
        assert_eq!(limit.reach(), 0.0);
        assert_eq!(
            limit.spread(),
            Spread { smallest: 0.0, largest: 0.0, turned: 0.0, dissipation: 1.0 }
        );
    }
}
