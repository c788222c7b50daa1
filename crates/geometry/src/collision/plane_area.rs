//! Areas in a plane: convex polygons, discs, and where two of them overlap; areas and centroids exact.

use std::f64::consts::{PI, TAU};

use glamx::DVec2;

use super::disc::circle_crossings;
use super::feature_overlap::{area, inside};

/// Corners of a disc's outline.
const ROUND: usize = 64;

/// A convex area in a plane, its size (m²) and centroid.
#[derive(Debug, Clone)]
pub(crate) struct PlaneArea {
    boundary: Boundary,
    pub(crate) area: f64,
    pub(crate) centroid: DVec2,
}

/// What bounds an area.
#[derive(Debug, Clone)]
enum Boundary {
    /// Counter-clockwise.
    Polygon(Vec<DVec2>),
    Disc(DVec2, f64),
    /// Straight and round pieces, as an outline only.
    Mixed(Vec<DVec2>),
}

impl PlaneArea {
    pub(crate) fn polygon(mut corners: Vec<DVec2>) -> PlaneArea {
        if area(&corners) < 0.0 {
            corners.reverse();
        }
        let size = area(&corners);
        let o = corners.first().copied().unwrap_or_default();
        let mut moment = DVec2::ZERO;
        for i in 1..corners.len().saturating_sub(1) {
            let (p, q) = (corners[i] - o, corners[i + 1] - o);
            moment += (p + q) / 3.0 * (0.5 * p.perp_dot(q));
        }
        let centroid = if size > 0.0 { o + moment / size } else { o };
        PlaneArea { boundary: Boundary::Polygon(corners), area: size, centroid }
    }

    pub(crate) fn disc(centre: DVec2, radius: f64) -> PlaneArea {
        let area = PI * radius * radius;
        PlaneArea { boundary: Boundary::Disc(centre, radius), area, centroid: centre }
    }

    pub(crate) fn whole_disc(&self) -> Option<(DVec2, f64)> {
        match self.boundary {
            Boundary::Disc(c, r) => Some((c, r)),
            _ => None,
        }
    }

    pub(crate) fn outline(&self) -> Vec<DVec2> {
        match &self.boundary {
            Boundary::Polygon(corners) | Boundary::Mixed(corners) => corners.clone(),
            Boundary::Disc(c, r) => rim(*c, *r).collect(),
        }
    }

    /// The overlap; `None` where there is none.
    pub(crate) fn and(&self, other: &PlaneArea) -> Option<PlaneArea> {
        let both = match (&self.boundary, &other.boundary) {
            (Boundary::Polygon(p), Boundary::Polygon(q)) => PlaneArea::polygon(clip(p.clone(), q)),
            (Boundary::Polygon(p), Boundary::Disc(c, r))
            | (Boundary::Disc(c, r), Boundary::Polygon(p)) => disc_in_polygon(*c, *r, p),
            (Boundary::Disc(c, r), Boundary::Disc(d, s)) => discs((*c, *r), (*d, *s))?,
            (Boundary::Mixed(p), _) => PlaneArea::polygon(p.clone()).and(other)?,
            (_, Boundary::Mixed(p)) => self.and(&PlaneArea::polygon(p.clone()))?,
        };
        (both.area > 0.0).then_some(both)
    }
}

fn rim(c: DVec2, r: f64) -> impl Iterator<Item = DVec2> {
    (0..ROUND).map(move |k| c + r * DVec2::from_angle(TAU * k as f64 / ROUND as f64))
}

/// A polygon cut by each side of a convex one.
fn clip(mut polygon: Vec<DVec2>, by: &[DVec2]) -> Vec<DVec2> {
    for i in 0..by.len() {
        let (c, c1) = (by[i], by[(i + 1) % by.len()]);
        let height = |p: DVec2| (c1 - c).perp_dot(p - c);
        let mut cut = Vec::with_capacity(polygon.len() + 1);
        for k in 0..polygon.len() {
            let (p, q) = (polygon[k], polygon[(k + 1) % polygon.len()]);
            let (h, g) = (height(p), height(q));
            if h >= 0.0 {
                cut.push(p);
            }
            if (h > 0.0 && g < 0.0) || (h < 0.0 && g > 0.0) {
                cut.push(p + (q - p) * (h / (h - g)));
            }
        }
        polygon = cut;
    }
    polygon
}

/// Each side of the polygon adds the signed part of the disc between itself and the centre: a
/// triangle where it runs inside the disc, a sector where it runs outside.
fn disc_in_polygon(c: DVec2, r: f64, polygon: &[DVec2]) -> PlaneArea {
    let eps = 1e-12 * r;
    let whole = (0..polygon.len()).all(|i| {
        let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        (q - p).perp_dot(c - p) >= (r - eps) * (q - p).length()
    });
    if whole {
        return PlaneArea::disc(c, r);
    }
    let (mut size, mut moment) = (0.0, DVec2::ZERO);
    let mut outline = Vec::new();
    for i in 0..polygon.len() {
        let (p, q) = (polygon[i] - c, polygon[(i + 1) % polygon.len()] - c);
        if p.length() <= r {
            outline.push(p);
        }
        let mut cuts = vec![0.0];
        if let Some(ts) = circle_crossings(p, q, r) {
            for t in ts.into_iter().filter(|t| *t > 0.0 && *t < 1.0) {
                cuts.push(t);
                outline.push(p + (q - p) * t);
            }
        }
        cuts.push(1.0);
        for pair in cuts.windows(2) {
            let (u, v) = (p + (q - p) * pair[0], p + (q - p) * pair[1]);
            let middle = 0.5 * (u + v);
            if middle.length() <= r {
                let a = 0.5 * u.perp_dot(v);
                size += a;
                moment += (u + v) / 3.0 * a;
            } else {
                size += 0.5 * r * r * u.perp_dot(v).atan2(u.dot(v));
                let (u, v) = (u.normalize(), v.normalize());
                moment += r.powi(3) / 3.0 * DVec2::new(v.y - u.y, u.x - v.x);
            }
        }
    }
    if !(size > 1e-14 * r * r) {
        return PlaneArea { boundary: Boundary::Mixed(Vec::new()), area: 0.0, centroid: c };
    }
    outline.extend(rim(c, r).filter(|q| inside(polygon, *q, 0.0)).map(|q| q - c));
    let centroid = c + moment / size;
    PlaneArea { boundary: Boundary::Mixed(around(outline, c, centroid)), area: size, centroid }
}

/// Two discs that cross: a segment of each, joined at the chord.
fn discs((c, r): (DVec2, f64), (d, s): (DVec2, f64)) -> Option<PlaneArea> {
    let apart = (d - c).length();
    if apart >= r + s {
        return None;
    }
    if apart <= (r - s).abs() + 1e-12 * r.max(s) {
        return Some(if r <= s { PlaneArea::disc(c, r) } else { PlaneArea::disc(d, s) });
    }
    let u = (d - c) / apart;
    let x = (apart * apart + r * r - s * s) / (2.0 * apart);
    // Area of the part of a disc beyond a chord, and its first moment from the disc's centre.
    let segment = |radius: f64, chord: f64| {
        let half = (chord / radius).clamp(-1.0, 1.0).acos();
        let size = radius * radius * (half - half.sin() * half.cos());
        (size, 2.0 / 3.0 * (radius * half.sin()).powi(3))
    };
    let ((a1, m1), (a2, m2)) = (segment(r, x), segment(s, apart - x));
    let size = a1 + a2;
    let centroid = c + (u * m1 + (a2 * apart * u - u * m2)) / size;
    let h = (r * r - x * x).max(0.0).sqrt();
    let mut outline = vec![u * x + u.perp() * h, u * x - u.perp() * h];
    outline.extend(rim(c, r).filter(|q| (*q - d).length() < s).map(|q| q - c));
    outline.extend(rim(d, s).filter(|q| (*q - c).length() < r).map(|q| q - c));
    Some(PlaneArea {
        boundary: Boundary::Mixed(around(outline, c, centroid)),
        area: size,
        centroid,
    })
}

/// Points relative to `c`, put in order around a point inside.
fn around(mut points: Vec<DVec2>, c: DVec2, inside: DVec2) -> Vec<DVec2> {
    let from = inside - c;
    points.sort_by(|p, q| (*p - from).to_angle().total_cmp(&(*q - from).to_angle()));
    points.into_iter().map(|p| p + c).collect()
}
