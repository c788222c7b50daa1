//! Limit surfaces without a grid: closed forms and quadrature (Eqs. 7 and 8).

use glamx::{DVec2, DVec3};

use super::shapes::profile;
use super::{Pressure, rings};
use crate::FrictionError;
use crate::error::{non_negative, positive};

/// A patch whose wrench is evaluated exactly: as good as rounding for points, polygons and cells,
/// to about 1e-10 for discs.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    kind: LoadShape,
    centre: DVec2,
}

#[derive(Debug, Clone, PartialEq)]
enum LoadShape {
    /// Places from the centre of pressure, and shares of the load.
    Points(Vec<(DVec2, f64)>),
    /// Polygons under uniform pressure: corners from the centre of pressure, load per area.
    Polygons(Vec<(Vec<DVec2>, f64)>),
    /// Axisymmetric, within a radius; exponent of Eq. 44, or uniform.
    Disc { radius: f64, exponent: Option<f64> },
}

impl Exact {
    /// Points with loads, newtons or any other unit.
    pub fn points(points: &[(DVec2, f64)]) -> Result<Exact, FrictionError> {
        let mut total = 0.0;
        for (i, (at, load)) in points.iter().enumerate() {
            total += non_negative(&format!("load of support point {i}"), *load)?;
            if !at.is_finite() {
                return Err(FrictionError::Shape(format!("support point {i} is not finite")));
            }
        }
        positive("load of all support points", total)?;
        let centre = points.iter().map(|(at, load)| *at * (load / total)).sum();
        let kind = points.iter().map(|(at, load)| (*at - centre, load / total)).collect();
        Ok(Exact { kind: LoadShape::Points(kind), centre })
    }

    /// A polygon under uniform pressure; corners in order, metres.
    pub fn polygon(corners: &[DVec2]) -> Result<Exact, FrictionError> {
        let mut corners = corners.to_vec();
        let mut area = signed_area(&corners);
        if area < 0.0 {
            corners.reverse();
            area = -area;
        }
        if corners.len() < 3 || !area.is_finite() || area <= 0.0 {
            return Err(FrictionError::Shape(format!(
                "polygon has {} corners and an area of {area}; expected three or more, finite, \
                 and an area above zero",
                corners.len()
            )));
        }
        let mut moment = DVec2::ZERO;
        for (a, b) in edges(&corners) {
            moment += (a + b) * (a.perp_dot(b) / 6.0);
        }
        let centre = moment / area;
        let corners = corners.iter().map(|c| *c - centre).collect();
        Ok(Exact { kind: LoadShape::Polygons(vec![(corners, 1.0 / area)]), centre })
    }

    /// Several polygons beside each other under one uniform pressure; corners in order, metres.
    pub fn polygons(list: &[impl AsRef<[DVec2]>]) -> Result<Exact, FrictionError> {
        let one = |corners: &[DVec2]| match Exact::polygon(corners)? {
            Exact { kind: LoadShape::Polygons(mut list), centre } => {
                Ok(list.pop().map(|p| (p, centre)))
            }
            Exact { .. } => Ok(None),
        };
        let mut parts = Vec::with_capacity(list.len());
        for corners in list {
            parts.extend(one(corners.as_ref())?);
        }
        // Load per area is one over the area.
        let area: f64 = parts.iter().map(|((_, load), _)| load.recip()).sum();
        positive("area of all polygons", area)?;
        let centre = parts.iter().map(|((_, load), at)| *at * (load * area).recip()).sum::<DVec2>();
        let moved = |((corners, _), at): ((Vec<DVec2>, f64), DVec2)| {
            (corners.iter().map(|c| *c + (at - centre)).collect(), area.recip())
        };
        Ok(Exact { kind: LoadShape::Polygons(parts.into_iter().map(moved).collect()), centre })
    }

    /// A disc under uniform pressure, radius in metres.
    pub fn disc(radius: f64) -> Result<Exact, FrictionError> {
        let kind = LoadShape::Disc { radius: positive("radius", radius)?, exponent: None };
        Ok(Exact { kind, centre: DVec2::ZERO })
    }

    /// Hertz-like pressure (Eq. 44) of exponent k within a radius, metres.
    pub fn hertz(radius: f64, exponent: f64) -> Result<Exact, FrictionError> {
        let exponent = Some(positive("exponent k", exponent)?);
        let kind = LoadShape::Disc { radius: positive("radius", radius)?, exponent };
        Ok(Exact { kind, centre: DVec2::ZERO })
    }

    /// The cells of a grid, each under a pressure of its own that is uniform over the cell.
    pub fn cells(pressure: &Pressure) -> Exact {
        let half = 0.5 * pressure.cell();
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let square = |at: DVec2| corners.map(|c| at + DVec2::from_array(c) * half).to_vec();
        let per_area = 1.0 / (pressure.cell() * pressure.cell());
        let kind = pressure.iter().map(|(at, share)| (square(at), share * per_area)).collect();
        Exact { kind: LoadShape::Polygons(kind), centre: pressure.centre() }
    }

    /// The wrench about the centre of pressure for a twist there, per unit load and for a
    /// coefficient of one.
    pub fn wrench(&self, twist: DVec3) -> DVec3 {
        let slip = DVec2::new(twist.x, twist.y);
        match &self.kind {
            LoadShape::Points(points) => points
                .iter()
                .map(|(at, share)| {
                    let f = (slip + at.perp() * twist.z).normalize_or_zero() * -*share;
                    f.extend(at.perp_dot(f))
                })
                .sum(),
            LoadShape::Polygons(list) => {
                list.iter().map(|(p, load)| polygon(p, twist) * *load).sum()
            }
            LoadShape::Disc { radius, exponent } => {
                let weight = |q: f64| exponent.map_or(1.0, |k| profile(q, k)) * q;
                let (speed, spin) = (slip.length(), twist.z.abs() * radius);
                let h = rings::over_disc(&weight, speed, spin);
                let force = slip.normalize_or_zero() * -h.x;
                force.extend(-(h.y * radius).copysign(twist.z))
            }
        }
    }

    /// H(v, ω) = ∫ p ‖v + ω × ρ‖ dA: the support function of the limit surface, and the power that
    /// friction takes per unit load.
    pub fn support(&self, twist: DVec3) -> f64 {
        -self.wrench(twist).dot(twist)
    }

    /// Torque of a pure spin about the centre of pressure per unit load, metres (Eq. 23).
    pub fn spin_radius(&self) -> f64 {
        self.support(DVec3::Z)
    }

    /// Centre of pressure in the coordinates that the patch was given in, metres.
    pub fn centre(&self) -> DVec2 {
        self.centre
    }
}

fn signed_area(corners: &[DVec2]) -> f64 {
    0.5 * edges(corners).map(|(a, b)| a.perp_dot(b)).sum::<f64>()
}

fn edges(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// The wrench about the origin of a polygon under unit pressure.
fn polygon(corners: &[DVec2], twist: DVec3) -> DVec3 {
    let centre = corners.iter().copied().sum::<DVec2>() / corners.len() as f64;
    let size = corners.iter().map(|c| c.distance(centre)).fold(0.0, f64::max);
    let slip = DVec2::new(twist.x, twist.y);
    // Speed at the middle of the polygon, over the largest difference of velocities in it.
    let there = slip + centre.perp() * twist.z;
    if there.length() > FAR * size * twist.z.abs() {
        return by_quadrature(corners, centre, slip, twist.z);
    }
    // Velocities are those of a rotation about this point.
    let pole = slip.perp() / twist.z;
    let (force, torque) = about_pole(corners, pole);
    let sign = 1.0_f64.copysign(twist.z);
    let force = -force * sign;
    force.extend(-torque * sign + pole.perp_dot(force))
}

/// ∫ e dA and ∫ ρ dA over a polygon, for polar coordinates (ρ, α) about the pole and
/// e = (−sin α, cos α). In closed form, by the triangles between the pole and each edge.
fn about_pole(corners: &[DVec2], pole: DVec2) -> (DVec2, f64) {
    let (mut force, mut torque) = (DVec2::ZERO, 0.0);
    for (a, b) in edges(corners) {
        let (a, b) = (a - pole, b - pole);
        let along = (b - a).normalize_or_zero();
        let outward = -along.perp();
        let d = a.dot(outward);
        let (l1, l2) = (a.dot(along), b.dot(along));
        let (r1, r2) = (a.length(), b.length());
        let turn = if d == 0.0 { 0.0 } else { (l2 / d.abs()).asinh() - (l1 / d.abs()).asinh() };
        force += 0.5 * (along * (d * d * turn) - outward * (d * (r2 - r1)));
        torque += d / 6.0 * (d * d * turn + l2 * r2 - l1 * r1);
    }
    (force, torque)
}

/// Beyond so many sizes from the pole the closed form cancels, and quadrature is exact.
const FAR: f64 = 12.0;

/// The same by Gauss's rule over triangles, for a velocity that hardly changes its direction.
fn by_quadrature(corners: &[DVec2], centre: DVec2, slip: DVec2, spin: f64) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (a, b) in edges(corners) {
        let (a, b) = (a - centre, b - centre);
        let twice_area = a.perp_dot(b);
        for (s, ws) in GAUSS {
            for (t, wt) in GAUSS {
                // A square folded onto the triangle.
                let at = centre + (a * (1.0 - t) + b * t) * s;
                let f = (slip + at.perp() * spin).normalize_or_zero();
                sum -= f.extend(at.perp_dot(f)) * (ws * wt * s * twice_area);
            }
        }
    }
    sum
}

/// Gauss–Legendre on [0, 1], five points.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];
