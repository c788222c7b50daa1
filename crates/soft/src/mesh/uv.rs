//! Default texture coordinates.

use glamx::{DVec2, DVec3};

/// Texture coordinates in metres for a surface that has none, and a message that says so.
///
/// The surface is projected along the shortest side of its bounding box; u is along the first
/// and v along the second of the other two axes. Where the surface runs along the direction of
/// projection (the sides of a box), these coordinates give no direction.
pub fn planar_uvs(positions: &[DVec3]) -> (Vec<DVec2>, String) {
    let finite = positions.iter().filter(|p| p.is_finite());
    let low = finite.clone().fold(DVec3::INFINITY, |a, p| a.min(*p));
    let high = finite.fold(DVec3::NEG_INFINITY, |a, p| a.max(*p));
    let size = if positions.is_empty() { DVec3::ONE } else { high - low };
    // y is preferred where sides are equal: most things lie on the ground.
    let (axis, uv): (&str, fn(&DVec3) -> DVec2) = if size.y <= size.x && size.y <= size.z {
        ("y", |p| DVec2::new(p.x, -p.z))
    } else if size.x <= size.z {
        ("x", |p| DVec2::new(p.y, p.z))
    } else {
        ("z", |p| DVec2::new(p.x, p.y))
    };
    let message = format!(
        "no texture coordinates: the surface is projected along {axis}, 1 m to 1; faces along {axis} have no direction of their own"
    );
    (positions.iter().map(uv).collect(), message)
}
