//! A bunny that sits up: ellipsoids and limbs that flow into each other, cut flat below.

use asperity::glamx::DVec3;

use super::distance::{ellipsoid, intersection, limb, pair, union};

/// A box around it: it is one unit high, looks along x and stands on the plane y = 0.
pub(crate) const BOUNDS: [DVec3; 2] = [DVec3::new(-0.32, 0.0, -0.26), DVec3::new(0.34, 1.0, 0.26)];

/// Signed distance, near the surface.
pub(crate) fn distance(p: DVec3) -> f64 {
    let at = DVec3::new;
    let belly = ellipsoid(p, at(-0.02, 0.25, 0.0), at(0.185, 0.285, 0.175));
    let chest = ellipsoid(p, at(0.05, 0.4, 0.0), at(0.12, 0.16, 0.12));
    let haunches = pair(p, 0.02, |p| ellipsoid(p, at(-0.03, 0.13, 0.12), at(0.14, 0.15, 0.08)));
    let feet =
        pair(p, 0.01, |p| limb(p, [at(-0.05, 0.03, 0.115), at(0.1, 0.03, 0.12)], [0.06, 0.06]));
    let arms =
        pair(p, 0.01, |p| limb(p, [at(0.1, 0.42, 0.085), at(0.15, 0.27, 0.05)], [0.05, 0.045]));
    let head = ellipsoid(p, at(0.085, 0.635, 0.0), at(0.14, 0.115, 0.11));
    let snout = ellipsoid(p, at(0.195, 0.605, 0.0), at(0.06, 0.05, 0.06));
    let cheeks = pair(p, 0.03, |p| ellipsoid(p, at(0.13, 0.595, 0.06), at(0.06, 0.055, 0.05)));
    let ears = pair(p, 0.04, |p| {
        // Spoons that lean back and out.
        let q = DVec3::new(p.x + 0.28 * (p.y - 0.7), p.y, p.z - 0.2 * (p.y - 0.7));
        ellipsoid(q, at(0.04, 0.845, 0.06), at(0.053, 0.155, 0.06))
    });
    let tail = ellipsoid(p, at(-0.215, 0.13, 0.0), at(0.07, 0.065, 0.065));

    let trunk = union(union(belly, chest, 0.1), haunches, 0.04);
    let face = union(union(head, snout, 0.06), cheeks, 0.04);
    let mut all = union(trunk, face, 0.06);
    for (part, blend) in [(ears, 0.05), (arms, 0.04), (feet, 0.06), (tail, 0.04)] {
        all = union(all, part, blend);
    }
    intersection(all, -p.y, 0.01)
}
