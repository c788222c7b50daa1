//! What the parts of a patch carry together, for the planar section at hand.

use std::f64::consts::TAU;

use asperity_friction::FrictionError;
use asperity_friction::extent::{disc_set, line_polytope, line_set, polygon_polytope, polygon_set};
use asperity_friction::set::{
    BoxSet, Disk, Ellipse, LimitPolytope, LimitSurface, Polygon, Rotation, Set,
};
use glamx::DVec2;

use super::outline::Outline;

/// The limit surface of a patch but for its section.
#[derive(Debug, Clone)]
pub(super) enum Works {
    /// Of a disc under isotropic friction, for a coefficient of one.
    Rings(LimitSurface),
    /// For a section that is a disk or an ellipse, with coefficients of one.
    Cells(LimitSurface),
    /// For a section with corners.
    Points(LimitPolytope),
}

/// Rings of a disc.
const RINGS: usize = 16;
/// Pieces of a polygon along a side.
const BLOCKS: usize = 6;
/// The same for sections with corners.
const POINTS: usize = 8;
/// Pieces of a line.
const PIECES: usize = 9;
/// Corners of a disc under anisotropic friction.
const ROUND: usize = 24;
/// Ellipses thinner than this are segments.
const THIN: f64 = 1e-6;

/// Which of them a section needs.
#[derive(PartialEq)]
enum Kind {
    Rings,
    Cells,
    Points,
}

impl Works {
    /// For an outline and isotropic friction; `last` as below.
    pub(super) fn isotropic(outline: &Outline, last: Option<&Works>) -> Option<Works> {
        Works::new(outline, &Disk::new(1.0).ok()?.into(), last)
    }

    /// For an outline and a section; `last` is that of the same outline, if there is one. `None` for
    /// a section that is no convex set of two rows.
    pub(super) fn new(outline: &Outline, section: &Set, last: Option<&Works>) -> Option<Works> {
        let kind = match section {
            Set::Disk(_) if matches!(outline, Outline::Disc(_) | Outline::Point) => Kind::Rings,
            Set::Disk(_) => Kind::Cells,
            Set::Ellipse(s) if s.mu().min_element() > THIN * s.mu().max_element() => Kind::Cells,
            Set::Ellipse(_) | Set::Box(_) | Set::Polygon(_) => Kind::Points,
            _ => return None,
        };
        if let Some(last) = last.filter(|last| last.kind() == kind) {
            return Some(last.clone());
        }
        Works::made(outline, section, &kind).ok()
    }

    fn kind(&self) -> Kind {
        match self {
            Works::Rings(_) => Kind::Rings,
            Works::Cells(_) => Kind::Cells,
            Works::Points(_) => Kind::Points,
        }
    }

    fn made(outline: &Outline, section: &Set, kind: &Kind) -> Result<Works, FrictionError> {
        let round = Ellipse::new(1.0, 1.0, Rotation::IDENTITY)?;
        Ok(match kind {
            Kind::Rings => Works::Rings(match outline {
                Outline::Disc(radius) => disc_set(*radius, None, 1.0, RINGS)?,
                // Of any size: a point does not spin.
                _ => disc_set(1.0, None, 1.0, 1)?,
            }),
            Kind::Cells => Works::Cells(match outline {
                Outline::Disc(radius) => polygon_set(&about(*radius), round, BLOCKS)?,
                Outline::Polygon(corners) => polygon_set(corners, round, BLOCKS)?,
                Outline::Line(length) => line_set(*length, round, PIECES)?,
                Outline::Point => disc_set(1.0, None, 1.0, 1)?,
            }),
            Kind::Points => {
                let section = corners_of(section)?;
                Works::Points(match outline {
                    Outline::Disc(radius) => polygon_polytope(&about(*radius), &section, POINTS)?,
                    Outline::Polygon(corners) => polygon_polytope(corners, &section, POINTS)?,
                    Outline::Line(length) => line_polytope(*length, &section, PIECES)?,
                    Outline::Point => LimitPolytope::new(&section, &[(DVec2::ZERO, 1.0)])?,
                })
            }
        })
    }

    /// The limit surface for a section; of a point the section itself.
    pub(super) fn set(&self, outline: &Outline, section: &Set) -> Option<Set> {
        if *outline == Outline::Point {
            return Some(section.clone());
        }
        Some(match self {
            Works::Rings(surface) | Works::Cells(surface) => {
                let ellipse = match section {
                    Set::Disk(s) => {
                        Ellipse::new(s.radius(), s.radius(), Rotation::IDENTITY).ok()?
                    }
                    Set::Ellipse(s) => *s,
                    _ => return None,
                };
                surface.with_section(ellipse).ok()?.into()
            }
            Works::Points(points) => points.with_section(&corners_of(section).ok()?).into(),
        })
    }

    /// Torque of pure spin per unit load and coefficient, metres.
    pub(super) fn spin_radius(&self) -> f64 {
        match self {
            Works::Rings(surface) | Works::Cells(surface) => surface.drilling(),
            // Of a point none: any length will do.
            Works::Points(points) => {
                let radius: f64 = points.points().map(|(at, share)| at.length() * share).sum();
                if radius > 0.0 { radius } else { 1.0 }
            }
        }
    }
}

/// A planar set in axes turned by `turn`: in which the direction `turn` points along the first axis.
pub(super) fn turned(set: Set, turn: Rotation) -> Option<Set> {
    let seen = |r: Rotation| Rotation::from_direction(turn.to_axes(r.axis()));
    Some(match set {
        Set::Disk(_) => set,
        Set::Ellipse(s) => Ellipse::new(s.mu().x, s.mu().y, seen(s.rotation())?).ok()?.into(),
        Set::Box(s) => BoxSet::new(s.first(), s.second(), seen(s.rotation())?).into(),
        Set::Polygon(s) => {
            let corners: Vec<DVec2> = s.corners().iter().map(|c| turn.to_axes(*c)).collect();
            Polygon::from_points(&corners).ok()?.into()
        }
        _ => return None,
    })
}

/// A coefficient for a planar section: along the slip, or on the mean of four directions.
pub(super) fn coefficient(section: &Set, slip: DVec2) -> f64 {
    let along = slip.normalize_or_zero();
    if along != DVec2::ZERO {
        return section.support(&(-along).to_array(), 1.0);
    }
    let all = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    all.iter().map(|d| section.support(d, 1.0)).sum::<f64>() / 4.0
}

/// A section with corners as a polygon.
fn corners_of(section: &Set) -> Result<Polygon, FrictionError> {
    match section {
        Set::Polygon(s) => Ok(s.clone()),
        Set::Box(s) => {
            let (a, b) = (s.first(), s.second());
            let corners =
                [[a.min(), b.min()], [a.max(), b.min()], [a.max(), b.max()], [a.min(), b.max()]];
            let corners = corners.map(|c| s.rotation().to_frame(DVec2::from_array(c)));
            Polygon::from_points(&corners)
        }
        Set::Ellipse(s) => {
            let (axis, mu) = (s.rotation().axis(), s.mu());
            let half = if mu.x > mu.y { axis * mu.x } else { axis.perp() * mu.y };
            Polygon::from_points(&[half, -half])
        }
        other => Err(FrictionError::Shape(format!(
            "a section \"{}\" has no corners; expected a polygon, a box or an ellipse",
            other.name()
        ))),
    }
}

/// A disc as a polygon of its area.
fn about(radius: f64) -> [DVec2; ROUND] {
    let step = TAU / ROUND as f64;
    let corner = radius * (step / step.sin()).sqrt();
    std::array::from_fn(|k| DVec2::from_angle(step * k as f64) * corner)
}

/// Whether a section lets anything slide without friction all round.
pub(super) fn is_slippery(section: &Set) -> bool {
    match section {
        Set::Disk(s) => s == &Disk::frictionless(),
        _ => !(coefficient(section, DVec2::ZERO) > 0.0),
    }
}
