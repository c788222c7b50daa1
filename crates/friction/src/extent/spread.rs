//! How a load is spread over an outline: its limit surface but for the section.

use std::f64::consts::TAU;

use glamx::DVec2;

use super::{
    Outline, disc_set, line_polytope, line_set, pieces_polytope, pieces_set, polygon_polytope,
    polygon_set,
};
use crate::FrictionError;
use crate::set::{Disk, Ellipse, LimitPolytope, LimitSurface, Polygon, Rotation, Set};

/// The limit surface of an outline under uniform pressure but for its section; serves as long as the
/// outline stays the same.
#[derive(Debug, Clone)]
pub enum Spread {
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
/// The same of what is around holes or in several places.
const BLOCKS_OF_PIECES: usize = 10;
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
enum SpreadKind {
    Rings,
    Cells,
    Points,
}

impl Spread {
    /// For an outline and isotropic friction; `last` as below.
    pub fn isotropic(outline: &Outline, last: Option<&Spread>) -> Option<Spread> {
        Spread::new(outline, &Disk::new(1.0).ok()?.into(), last)
    }

    /// For an outline and a section; `last` is that of the same outline, if there is one. `None` for
    /// a section that is no convex set of two rows.
    pub fn new(outline: &Outline, section: &Set, last: Option<&Spread>) -> Option<Spread> {
        let kind = match section {
            Set::Disk(_) if matches!(outline, Outline::Disc(_) | Outline::Point) => {
                SpreadKind::Rings
            }
            Set::Disk(_) => SpreadKind::Cells,
            Set::Ellipse(s) if s.mu().min_element() > THIN * s.mu().max_element() => {
                SpreadKind::Cells
            }
            Set::Ellipse(_) | Set::Box(_) | Set::Polygon(_) => SpreadKind::Points,
            _ => return None,
        };
        if let Some(last) = last.filter(|last| last.kind() == kind) {
            return Some(last.clone());
        }
        Spread::made(outline, section, &kind).ok()
    }

    fn kind(&self) -> SpreadKind {
        match self {
            Spread::Rings(_) => SpreadKind::Rings,
            Spread::Cells(_) => SpreadKind::Cells,
            Spread::Points(_) => SpreadKind::Points,
        }
    }

    fn made(outline: &Outline, section: &Set, kind: &SpreadKind) -> Result<Spread, FrictionError> {
        let round = round()?;
        Ok(match kind {
            SpreadKind::Rings => Spread::Rings(match outline {
                Outline::Disc(radius) => disc_set(*radius, None, 1.0, RINGS)?,
                // Of any size: a point does not spin.
                _ => disc_set(1.0, None, 1.0, 1)?,
            }),
            SpreadKind::Cells => Spread::Cells(match outline {
                Outline::Disc(radius) => polygon_set(&about(*radius), round, BLOCKS)?,
                Outline::Polygon(corners) => polygon_set(corners, round, BLOCKS)?,
                Outline::Pieces(pieces) => pieces_set(pieces, round, BLOCKS_OF_PIECES)?,
                Outline::Line(length) => line_set(*length, round, PIECES)?,
                Outline::Point => disc_set(1.0, None, 1.0, 1)?,
            }),
            SpreadKind::Points => {
                let section = corners_of(section)?;
                Spread::Points(match outline {
                    Outline::Disc(radius) => polygon_polytope(&about(*radius), &section, POINTS)?,
                    Outline::Polygon(corners) => polygon_polytope(corners, &section, POINTS)?,
                    Outline::Pieces(pieces) => pieces_polytope(pieces, &section, BLOCKS_OF_PIECES)?,
                    Outline::Line(length) => line_polytope(*length, &section, PIECES)?,
                    Outline::Point => LimitPolytope::new(&section, &[(DVec2::ZERO, 1.0)])?,
                })
            }
        })
    }

    /// The limit surface for a section; of a point the section itself.
    pub fn set(&self, outline: &Outline, section: &Set) -> Option<Set> {
        if *outline == Outline::Point {
            return Some(section.clone());
        }
        Some(match self {
            Spread::Rings(surface) | Spread::Cells(surface) => {
                let ellipse = match section {
                    Set::Disk(s) => {
                        Ellipse::new(s.radius(), s.radius(), Rotation::IDENTITY).ok()?
                    }
                    Set::Ellipse(s) => *s,
                    _ => return None,
                };
                surface.with_section(ellipse).ok()?.into()
            }
            Spread::Points(points) => points.with_section(&corners_of(section).ok()?).into(),
        })
    }

    /// Torque of pure spin per unit load and coefficient, metres.
    pub fn spin_radius(&self) -> f64 {
        match self {
            Spread::Rings(surface) | Spread::Cells(surface) => surface.drilling(),
            // Of a point none: any length will do.
            Spread::Points(points) => {
                let radius: f64 = points.points().map(|(at, share)| at.length() * share).sum();
                if radius > 0.0 { radius } else { 1.0 }
            }
        }
    }
}

/// A coefficient of one in all directions.
pub(super) fn round() -> Result<Ellipse, FrictionError> {
    Ellipse::new(1.0, 1.0, Rotation::IDENTITY)
}

/// A section with corners as a polygon.
fn corners_of(section: &Set) -> Result<Polygon, FrictionError> {
    match section {
        Set::Polygon(s) => Ok(s.clone()),
        Set::Box(s) => Polygon::from_points(&s.corners()),
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
pub(super) fn about(radius: f64) -> [DVec2; ROUND] {
    let step = TAU / ROUND as f64;
    let corner = radius * (step / step.sin()).sqrt();
    std::array::from_fn(|k| DVec2::from_angle(step * k as f64) * corner)
}
