//! The cells of a patch under its load, where a memory has a bristle in each or a table of the limit surface.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::pressing::{Pressing, PressureRule, weighed};
use super::spread::{about, round};
use super::{
    Curve, LimitMap, Outline, Spread, Table, disc_set, line_set, pieces_set, polygon_set,
    sampled_twist,
};
use crate::FrictionError;
use crate::set::LimitSurface;

/// How fine the cells of a patch are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fineness {
    /// Cells along a side, N.
    pub cells: usize,
    /// N_ls of a table of the limit surface, where there is one.
    pub table: Option<usize>,
}

/// The cells of a patch: what each carries of the load, and where.
#[derive(Clone, PartialEq)]
pub struct Bed {
    fineness: Fineness,
    /// Under an even load, about the centroid.
    even: LimitSurface,
    /// Under the load as it lies, about its centre.
    surface: LimitSurface,
    /// Centre of the load as the cells have it, from the centroid of the patch.
    middle: DVec2,
    /// Places from there and shares; their mean squared radius is that of the patch.
    places: Vec<(DVec2, f64)>,
    table: Option<Arc<MadeTable>>,
}

/// A table of the limit surface.
#[derive(PartialEq)]
struct MadeTable {
    map: LimitMap,
    /// r, metres.
    spin_radius: f64,
    /// Where the centre of the load was when it was made.
    middle: DVec2,
}

impl std::fmt::Debug for Bed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Bed { fineness, middle, places, .. } = self;
        write!(f, "Bed {{ {fineness:?}, {} cells about {middle} }}", places.len())
    }
}

impl Bed {
    /// The cells of an outline under a load that lies as `pressing` says; `last` is that of the same outline, if
    /// there is one.
    pub(crate) fn new(
        outline: &Outline,
        pressing: Option<&Pressing>,
        fineness: Fineness,
        last: Option<&Arc<Bed>>,
    ) -> Option<Arc<Bed>> {
        let last = last.filter(|last| last.fineness == fineness);
        let even = match last {
            Some(last) => last.even.clone(),
            None => even(outline, fineness.cells).ok()?,
        };
        let cells = Spread::Cells(even.clone());
        let pressed = pressing
            .filter(|_| *outline != Outline::Point)
            .and_then(|pressing| weighed(pressing, outline, &cells));
        let (surface, middle, gyration2) = match pressed {
            Some((Spread::Cells(surface), middle, gyration2)) => (surface, middle, gyration2),
            _ => (even.clone(), DVec2::ZERO, outline.gyration2()),
        };
        if let Some(last) = last.filter(|last| last.surface == surface) {
            return Some(last.clone());
        }
        let places = places(&surface, gyration2);
        let leans = pressing.is_some_and(|pressing| pressing.rule == PressureRule::Linear);
        let near = |table: &&Arc<MadeTable>| {
            leans && (table.middle - middle).length() <= STAYS * gyration2.sqrt()
        };
        let kept = last.and_then(|last| last.table.as_ref()).filter(near);
        let table = match (fineness.table, kept) {
            (None, _) => None,
            (_, Some(kept)) => Some(kept.clone()),
            (Some(resolution), None) => {
                let round = round_disc(outline, pressing);
                let from = round.as_ref().unwrap_or(&surface);
                let (map, spin_radius) = table(from, round.is_some(), resolution).ok()?;
                Some(Arc::new(MadeTable { map, spin_radius, middle }))
            }
        };
        Some(Arc::new(Bed { fineness, even, surface, middle, places, table }))
    }

    /// Places from the centre of the load, metres, and shares of it.
    pub fn places(&self) -> &[(DVec2, f64)] {
        &self.places
    }

    /// Centre of the load from the centroid of the patch, metres.
    pub fn middle(&self) -> DVec2 {
        self.middle
    }

    /// What bristles that were nearest to a cell may be away from it, metres: not quite a cell.
    pub(crate) fn reach(&self) -> f64 {
        let radius = self.surface.parts().map(|p| p.spin_radius).fold(0.0, f64::max);
        REACH * radius
    }

    /// Friction in steady sliding by the table, per unit load and coefficient: (t, b, spin). `None` without one.
    pub fn steady(&self, twist: DVec3) -> Option<DVec3> {
        let MadeTable { map, spin_radius: r, .. } = self.table.as_deref()?;
        let h = if twist == DVec3::ZERO { DVec3::ZERO } else { map.lookup(*r, twist) };
        Some(h * DVec3::new(1.0, 1.0, *r))
    }

    /// The same in other axes of the plane: `seen` is where a vector of these axes points there.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn seen(&self, seen: impl Fn(DVec2) -> DVec2) -> Bed {
        let places = self.places.iter().map(|(at, share)| (seen(*at), *share)).collect();
        Bed { middle: seen(self.middle), places, ..self.clone() }
    }
}

/// The limit surface of many cells under an even load.
fn even(outline: &Outline, cells: usize) -> Result<LimitSurface, FrictionError> {
    match outline {
        Outline::Disc(radius) => polygon_set(&about(*radius), round()?, cells),
        Outline::Polygon(corners) => polygon_set(corners, round()?, cells),
        Outline::Pieces(pieces) => pieces_set(pieces, round()?, cells),
        Outline::Line(length) => line_set(*length, round()?, cells),
        // Of any size: a point does not spin.
        Outline::Point => line_set(1.0, round()?, 1),
    }
}

/// Cells moved outwards by the part that gives them the mean squared radius of the patch, as each of them has some
/// about its own middle.
fn places(surface: &LimitSurface, gyration2: f64) -> Vec<(DVec2, f64)> {
    let square: f64 = surface.parts().map(|p| p.share * p.place.length_squared()).sum();
    let part = if square > 0.0 { (gyration2 / square).sqrt() } else { 0.0 };
    surface.parts().map(|p| (p.place * part, p.share)).collect()
}

/// The limit surface of a whole disc under a load that is the same all round, as rings.
fn round_disc(outline: &Outline, pressing: Option<&Pressing>) -> Option<LimitSurface> {
    let exponent = match pressing.map(|pressing| pressing.rule) {
        None => None,
        Some(PressureRule::Hertz) => Some(2.0),
        Some(PressureRule::Linear | PressureRule::Map) => return None,
    };
    let Outline::Disc(radius) = outline else { return None };
    disc_set(*radius, exponent, 1.0, RINGS).ok()
}

/// The table of a limit surface (Arslan Waltersson, section V-D) from the sum over its parts; of one that is round all of
/// it is one curve (section III-D).
fn table(
    surface: &LimitSurface,
    round: bool,
    resolution: usize,
) -> Result<(LimitMap, f64), FrictionError> {
    let r = surface.drilling();
    let most = DVec3::new(1.0, 1.0, r);
    if round {
        // With chords in place of cubics, of which it takes more.
        let nodes = CURVE * resolution;
        let node = |j| surface.traction(sampled_twist(0, j, nodes, r), 1.0) / most;
        let flat = |j: usize| -DVec2::new(node(j).x, node(j).z);
        let curve = Curve::from_nodes((0..=nodes).map(flat).collect())?;
        return Ok((curve.into(), r));
    }
    let node = |i, j| surface.traction(sampled_twist(i, j, resolution, r), 1.0) / most;
    let nodes: Vec<DVec3> =
        (0..=4 * resolution).flat_map(|i| (0..=resolution).map(move |j| node(i, j))).collect();
    Ok((LimitMap::rounded(Table::from_nodes(resolution, &nodes)?), r))
}

/// How far the centre of a load that leans may go until its table is made again, in units of the patch's mean radius.
const STAYS: f64 = 1e-3;
/// Of a disc whose limit surface is one curve.
const RINGS: usize = 64;
/// Nodes of a curve for one of a table.
const CURVE: usize = 10;
/// In units of the spin radius of a cell, which is 0.38 of a square one's side.
const REACH: f64 = 2.0;
