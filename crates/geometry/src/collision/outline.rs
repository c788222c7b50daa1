//! Outlines of points, and fewer points that support as much.

use glamx::{DVec2, DVec3};

use super::Point;
use super::contact_plane::ContactPlane;

/// Keeps at most `most` points: the deepest, then each time the one farthest from those kept. Of
/// that distance goes `height` times how far the point is above the deepest. What is kept stays in
/// order.
pub(crate) fn spread(points: &mut Vec<Point>, most: usize, height: f64) {
    if points.len() <= most {
        return;
    }
    let mut distance = vec![f64::INFINITY; points.len()];
    let mut kept = vec![false; points.len()];
    let mut next = first_best(points.len(), |i| -points[i].gap);
    let lowest = points[next].gap;
    for _ in 0..most {
        kept[next] = true;
        for (i, d) in distance.iter_mut().enumerate() {
            *d = d.min((points[i].on_b - points[next].on_b).length());
        }
        let value = |i: usize| distance[i] - height * (points[i].gap - lowest);
        next = first_best(points.len(), |i| if kept[i] { f64::MIN } else { value(i) });
    }
    let mut i = 0;
    points.retain(|_| {
        i += 1;
        kept[i - 1]
    });
}

/// The first index whose value is the largest, up to rounding.
fn first_best(count: usize, value: impl Fn(usize) -> f64) -> usize {
    let mut best = 0;
    for i in 1..count {
        if value(i) > value(best) + 1e-9 * value(best).abs() {
            best = i;
        }
    }
    best
}

/// Drops points inside the outline of the others, for points over one plane.
pub(crate) fn outline(points: &mut Vec<Point>, normal: DVec3, eps: f64) {
    if points.len() < 3 {
        return;
    }
    let plane = ContactPlane::new(points[0].on_b, normal, 0.0);
    let flat: Vec<DVec2> = points.iter().map(|p| plane.flat(p.on_b)).collect();
    let corners = convex_outline(&flat, eps);
    let mut i = 0;
    points.retain(|_| {
        i += 1;
        corners.contains(&(i - 1))
    });
}

/// Corners of the convex outline, counter-clockwise, without points on its straight edges.
pub(crate) fn convex_outline(points: &[DVec2], eps: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| {
        let (p, q) = (points[i], points[j]);
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(&j))
    });
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for i in order {
            while chain.len() >= 2 {
                let (a, b) = (points[chain[chain.len() - 2]], points[chain[chain.len() - 1]]);
                if (b - a).perp_dot(points[i] - a) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut order.iter().copied());
    corners.extend(half(&mut order.iter().rev().copied()));
    // Only now, with all corners in order: a corner that barely shows between its neighbours goes.
    let mut k = 0;
    while k < corners.len() && corners.len() > 2 {
        let n = corners.len();
        let [a, b, c] = [(k + n - 1) % n, k, (k + 1) % n].map(|i| points[corners[i]]);
        let d = c - a;
        let straight = d.perp_dot(b - a).abs() <= eps * d.length();
        if straight && (b - a).dot(c - b) >= 0.0 {
            corners.remove(k);
            k = k.saturating_sub(1);
        } else {
            k += 1;
        }
    }
    corners
}
