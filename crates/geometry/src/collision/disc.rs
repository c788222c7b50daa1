//! Discs over polygons and discs.

use glamx::{DVec2, DVec3};

use super::contact_plane::ContactPlane;
use super::feature::{Disc, Feature};
use super::feature_overlap::{Corners, PointPair, area, inside};
use super::point_key::{Cause, NONE, PointKey};

/// Points on a disc's rim.
const RIM: usize = 8;
/// Below this tilt (radians) a disc's rim points stay with the body, so that what rests keeps its contacts, but for
/// one of them. Above, the first is the nearest to the other surface.
const TILT: f64 = 1e-4;
/// Above this tilt the one that is nearest of them is the nearest point of the rim.
const LEAST_TILT: f64 = 1e-7;
/// Up to this tilt against each other two discs are both round, whichever way they are seen.
const ROUND: f64 = 0.02;
/// Where the rims of others cross is looked for between so many places, and there so often halved.
const SAMPLES: u32 = 32;
const BISECTIONS: usize = 40;

impl ContactPlane {
    /// Rim points of a disc: eight, one of which is the nearest to the other surface when it is tilted against that.
    /// `towards` is straight into the other surface.
    pub(crate) fn rim(d: &Disc, towards: DVec3) -> impl Iterator<Item = DVec2> {
        let lean = d.flat(towards);
        let (tilt, radius) = (lean.length(), d.radius);
        let lean = lean.normalize_or(DVec2::X);
        let first = if tilt > TILT { lean } else { DVec2::X };
        let part = std::f64::consts::TAU / RIM as f64;
        let nearest = (lean.to_angle() / part).round().rem_euclid(RIM as f64) as usize;
        let moves = (LEAST_TILT..=TILT).contains(&tilt);
        (0..RIM).map(move |k| {
            let on = DVec2::from_angle(part * k as f64).rotate(first);
            radius * if moves && k == nearest { lean } else { on }
        })
    }

    /// Calls `emit` with (point on the disc, point on the polygon, key with the disc first).
    pub(crate) fn disc_polygon(
        &self,
        d: &Disc,
        polygon: &Feature,
        s: &mut Corners,
        mut emit: impl FnMut(DVec3, DVec3, PointKey),
    ) {
        let Feature::Polygon(poly, face) = polygon else { return };
        let plane = (d.centre, d.normal);
        let corners = &poly.local.faces[*face].corners;
        s.a.clear();
        s.a.extend(
            corners.iter().map(|&c| d.flat(self.onto(plane, poly.vertices[c as usize]) - d.centre)),
        );
        let n = s.a.len();
        let turned = area(&s.a) < 0.0;
        if turned {
            s.a.reverse();
        }
        let at = |q: DVec2| d.centre + d.x * q.x + d.y * q.y;
        let mut found = |q: DVec2, key: PointKey| {
            let p = at(q);
            emit(p, self.onto_feature(polygon, p), key);
        };
        for (k, q) in Self::rim(d, -poly.normals[*face]).enumerate() {
            if inside(&s.a, q, self.eps) {
                found(q, PointKey { cause: Cause::RimOverFace, a: k as u32, b: NONE });
            }
        }
        let number = |i: usize| if turned { n - 1 - i } else { i };
        for i in 0..n {
            let (c, c1) = (s.a[i], s.a[(i + 1) % n]);
            if c.length() < d.radius - self.eps {
                found(c, PointKey { cause: Cause::CornerOverDisc, a: NONE, b: corners[number(i)] });
            }
            if let Some(ts) = circle_crossings(c, c1, d.radius) {
                for (k, t) in ts.into_iter().enumerate().filter(|(_, t)| (0.0..=1.0).contains(t)) {
                    let edge = corners[number(i)].min(corners[number((i + 1) % n)]);
                    found(
                        c + (c1 - c) * t,
                        PointKey { cause: Cause::RimAndEdge, a: k as u32, b: edge },
                    );
                }
            }
        }
    }

    pub(crate) fn discs(&self, d: &Disc, e: &Disc, out: &mut Vec<PointPair>) {
        let at = |q: DVec2| d.centre + d.x * q.x + d.y * q.y;
        let on_e = |q: DVec2| self.onto((e.centre, e.normal), at(q));
        let push = |q: DVec2, key: PointKey, out: &mut Vec<PointPair>| {
            out.push(PointPair { a: at(q), b: on_e(q), key });
        };
        for (k, q) in Self::rim(d, -e.normal).enumerate() {
            if (on_e(q) - e.centre).length() <= e.radius + self.eps {
                let key = PointKey { cause: Cause::RimOverDisc, a: k as u32, b: NONE };
                push(q, key, out);
            }
        }
        for (k, q) in Self::rim(e, -d.normal).enumerate() {
            let p = e.centre + e.x * q.x + e.y * q.y;
            let on_d = self.onto((d.centre, d.normal), p);
            if (on_d - d.centre).length() < d.radius - self.eps {
                out.push(PointPair {
                    a: on_d,
                    b: p,
                    key: PointKey { cause: Cause::RimOverDisc, a: NONE, b: k as u32 },
                });
            }
        }
        let rims = |k: u32| PointKey { cause: Cause::Rims, a: k, b: NONE };
        if d.normal.cross(e.normal).length() > ROUND {
            // Seen along the normal, one is an ellipse.
            let beyond = |q: DVec2| (on_e(q) - e.centre).length() - e.radius;
            let crossings = around(d.radius, beyond);
            (0..).zip(crossings).for_each(|(k, q)| push(q, rims(k), out));
            return;
        }
        let centre = d.flat(self.onto((d.centre, d.normal), e.centre) - d.centre);
        let apart = centre.length();
        if apart > self.eps && apart < d.radius + e.radius && apart > (d.radius - e.radius).abs() {
            let x = (apart * apart + d.radius * d.radius - e.radius * e.radius) / (2.0 * apart);
            let y = (d.radius * d.radius - x * x).max(0.0).sqrt();
            let u = centre / apart;
            push(u * x + u.perp() * y, rims(0), out);
            push(u * x - u.perp() * y, rims(1), out);
        }
    }
}

/// Where a function on a circle about the origin changes its sign.
fn around(radius: f64, f: impl Fn(DVec2) -> f64) -> impl Iterator<Item = DVec2> {
    let at = move |angle: f64| DVec2::from_angle(angle) * radius;
    let part = std::f64::consts::TAU / f64::from(SAMPLES);
    (0..SAMPLES).filter_map(move |k| {
        let (mut low, mut high) = (part * f64::from(k), part * f64::from(k + 1));
        let rises = f(at(low)) < 0.0;
        if rises == (f(at(high)) < 0.0) {
            return None;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if (f(at(middle)) < 0.0) == rises {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(at(low))
    })
}

impl Disc {
    /// Coordinates in the disc's plane.
    pub(crate) fn flat(&self, v: DVec3) -> DVec2 {
        DVec2::new(v.dot(self.x), v.dot(self.y))
    }
}

/// Where the line from `p` to `q` crosses a circle about the origin, as fractions.
pub(crate) fn circle_crossings(p: DVec2, q: DVec2, radius: f64) -> Option<[f64; 2]> {
    let d = q - p;
    let (a, b) = (d.length_squared(), p.dot(d));
    let c = p.length_squared() - radius * radius;
    if a == 0.0 {
        return (c <= 0.0).then_some([0.0, 1.0]);
    }
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}
