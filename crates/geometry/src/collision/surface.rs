//! Axes and texture coordinates on the surfaces of shapes.
//!
//! Primitives have coordinates in metres; a mesh has those of its file. The bitangent is the
//! outward normal times the tangent, or its opposite where a mesh is mirrored.

use glamx::{DVec2, DVec3};

use crate::shape::{MeshData, Shape};

/// The axes of a surface at a point, in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceFrame {
    /// Direction of growing u, unit length.
    pub tangent: DVec3,
    /// Direction of growing v, unit length.
    pub bitangent: DVec3,
    /// Metres for primitives; as in the file for meshes.
    pub uv: DVec2,
    /// Positions of the triangle's corners and their weights, for a mesh or height field.
    pub barycentric: Option<([u32; 3], [f64; 3])>,
}

/// The axes and texture coordinates of a shape at a point of its surface, all in body axes.
/// `part` is what [`Point::parts`](super::Point::parts) says: the part of a compound, the triangle
/// of a mesh or height field.
///
/// | shape | u | v |
/// |---|---|---|
/// | half-space, hull, box face, disc | along the frame of the plane | |
/// | cylinder side | arc length about Y | height |
/// | capsule | arc length at its middle about Y | height, then arc length over the ends |
/// | cone side | arc length at its base about Y | slant distance from the base |
/// | sphere | longitude × radius | latitude × radius |
/// | height field | x | −z |
/// | mesh | from the file, else along the triangle's plane | |
pub fn surface_point(
    shape: &Shape,
    part: u32,
    local_point: DVec3,
    local_normal_outward: DVec3,
) -> SurfaceFrame {
    let (p, n) = (local_point, local_normal_outward.normalize_or(DVec3::Y));
    match shape {
        Shape::HalfSpace { normal } => planar(p, normal.normalize_or(DVec3::Y)),
        Shape::ConvexHull { .. } => planar(p, n),
        Shape::Box { .. } => planar(p, main_axis(n)),
        Shape::Sphere { radius } => {
            let across = DVec2::new(n.x, n.z).length();
            wrapped(n, DVec2::new(longitude(n) * radius, n.y.atan2(across) * radius))
        }
        Shape::Capsule { half_height: l, radius } => {
            let beyond = p.y - p.y.clamp(-l, *l);
            let across = DVec2::new(p.x, p.z).length();
            let v = p.y.clamp(-l, *l) + radius * beyond.atan2(across);
            wrapped(n, DVec2::new(longitude(p) * radius, v))
        }
        Shape::Cylinder { radius, .. } => {
            if n.y.abs() > std::f64::consts::FRAC_1_SQRT_2 {
                return planar(p, DVec3::Y * n.y.signum());
            }
            wrapped(DVec3::new(n.x, 0.0, n.z), DVec2::new(longitude(n) * radius, p.y))
        }
        Shape::Cone { half_height: l, radius } => {
            // At the apex the normal says which side is meant.
            let off_axis = DVec2::new(p.x, p.z).length() > 1e-6 * radius;
            let q = if off_axis { p } else { n };
            let radial = DVec3::new(q.x, 0.0, q.z).normalize_or(DVec3::X);
            let side = (radial * (2.0 * l) + DVec3::Y * *radius).normalize();
            if -n.y > side.dot(n) {
                return planar(p, DVec3::NEG_Y);
            }
            let slant = (p.y + l) / (2.0 * l) * (2.0 * l).hypot(*radius);
            wrapped(side, DVec2::new(longitude(radial) * radius, slant))
        }
        Shape::Mesh(mesh) => on_mesh(mesh, part, p, n),
        Shape::HeightField { columns, .. } => on_heights(shape, *columns, part, p, n),
        Shape::Compound(parts) => {
            let Some((pose, shape)) = parts.get(part as usize) else { return planar(p, n) };
            let inner_point = pose.inverse_transform_point(p);
            let f = surface_point(shape, 0, inner_point, pose.rotation.inverse() * n);
            SurfaceFrame {
                tangent: pose.rotation * f.tangent,
                bitangent: pose.rotation * f.bitangent,
                ..f
            }
        }
    }
}

/// Axes of a plane: the tangent is body X laid into it, or Z where X is near the normal.
fn planar(p: DVec3, n: DVec3) -> SurfaceFrame {
    let guide = if n.x.abs() < 0.9 { DVec3::X } else { DVec3::Z };
    framed(guide, n, |t, b| DVec2::new(p.dot(t), p.dot(b)))
}

/// Tangent nearest to `guide` in the plane of `n`.
fn framed(guide: DVec3, n: DVec3, uv: impl Fn(DVec3, DVec3) -> DVec2) -> SurfaceFrame {
    let tangent = guide.reject_from_normalized(n).normalize_or(n.any_orthonormal_vector());
    let bitangent = n.cross(tangent);
    SurfaceFrame { tangent, bitangent, uv: uv(tangent, bitangent), barycentric: None }
}

/// Axes of a surface about Y: the tangent runs around it.
fn wrapped(n: DVec3, uv: DVec2) -> SurfaceFrame {
    let n = n.normalize_or(DVec3::X);
    let tangent = DVec3::Y.cross(n).normalize_or(DVec3::X.reject_from_normalized(n).normalize());
    SurfaceFrame { tangent, bitangent: n.cross(tangent), uv, barycentric: None }
}

/// Angle about Y, from X towards −Z.
fn longitude(p: DVec3) -> f64 {
    (-p.z).atan2(p.x)
}

/// The axis nearest to a normal, with its sign.
fn main_axis(n: DVec3) -> DVec3 {
    let a = n.abs();
    if a.x >= a.y && a.x >= a.z {
        DVec3::X * n.x.signum()
    } else if a.y >= a.z {
        DVec3::Y * n.y.signum()
    } else {
        DVec3::Z * n.z.signum()
    }
}

fn on_heights(shape: &Shape, columns: usize, part: u32, p: DVec3, n: DVec3) -> SurfaceFrame {
    let uv = DVec2::new(p.x, -p.z);
    let frame = framed(DVec3::X, n, |_, _| uv);
    let Shape::HeightField { heights, rows, size, .. } = shape else { return frame };
    if columns < 2 || *rows < 2 {
        return frame;
    }
    let (cell, second) = (part as usize / 2, part % 2 == 1);
    let (r, c) = (cell / (columns - 1), cell % (columns - 1));
    if r + 1 >= *rows {
        return frame;
    }
    let i = (r * columns + c) as u32;
    let below = i + columns as u32;
    let corners = if second { [below, below + 1, i + 1] } else { [i, below, i + 1] };
    let at = |i: u32| {
        let (r, c) = (i as usize / columns, i as usize % columns);
        DVec3::new(
            size.x * (c as f64 / (columns - 1) as f64 - 0.5),
            heights.get(i as usize).copied().unwrap_or(0.0),
            size.y * (r as f64 / (rows - 1) as f64 - 0.5),
        )
    };
    let positions = corners.map(at);
    let weights = weights(positions, p);
    let normal = triangle_normal(positions).unwrap_or(n);
    SurfaceFrame { barycentric: Some((corners, weights)), ..framed(DVec3::X, normal, |_, _| uv) }
}

fn on_mesh(mesh: &MeshData, part: u32, p: DVec3, n: DVec3) -> SurfaceFrame {
    let Some(&corners) = mesh.triangles.get(part as usize) else { return planar(p, n) };
    let at = corners.map(|c| mesh.positions.get(c as usize).copied().unwrap_or_default());
    let Some(normal) = triangle_normal(at) else { return planar(p, n) };
    let weights = weights(at, p);
    let barycentric = Some((corners, weights));
    let uvs = corners.map(|c| mesh.uvs.get(c as usize).copied());
    let tangents = corners.map(|c| mesh.tangents.get(c as usize).copied());
    let (uv, gradient) = match uvs {
        [Some(a), Some(b), Some(c)] => {
            (a * weights[0] + b * weights[1] + c * weights[2], u_direction(at, [a, b, c]))
        }
        _ => {
            let flat = planar(p, normal);
            (flat.uv, Some((flat.tangent, 1.0)))
        }
    };
    let given = match tangents {
        [Some(a), Some(b), Some(c)] => {
            let mixed = |k: usize| a[k] * weights[0] + b[k] * weights[1] + c[k] * weights[2];
            Some((DVec3::new(mixed(0), mixed(1), mixed(2)), mixed(3).signum()))
        }
        _ => None,
    };
    let usable = |(t, sign): (DVec3, f64)| {
        let t = t.reject_from_normalized(normal).try_normalize()?;
        Some((t, sign))
    };
    let (tangent, sign) = given
        .and_then(usable)
        .or(gradient.and_then(usable))
        .unwrap_or((planar(p, normal).tangent, 1.0));
    SurfaceFrame { tangent, bitangent: normal.cross(tangent) * sign, uv, barycentric }
}

fn triangle_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    (b - a).cross(c - a).try_normalize()
}

/// Direction of growing u over a triangle, and the bitangent's sign: −1 where the texture is
/// mirrored. `None` where the texture coordinates do not span an area.
fn u_direction([a, b, c]: [DVec3; 3], [ua, ub, uc]: [DVec2; 3]) -> Option<(DVec3, f64)> {
    let (e, f, d, g) = (b - a, c - a, ub - ua, uc - ua);
    let determinant = d.perp_dot(g);
    if determinant.abs() <= 1e-14 * d.length() * g.length() || determinant == 0.0 {
        return None;
    }
    Some(((e * g.y - f * d.y) / determinant, determinant.signum()))
}

/// Barycentric weights of the triangle's point nearest to `p` in its plane, kept inside it.
fn weights([a, b, c]: [DVec3; 3], p: DVec3) -> [f64; 3] {
    let (e, f, d) = (b - a, c - a, p - a);
    let normal = e.cross(f);
    let area = normal.length_squared();
    if area == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = d.cross(f).dot(normal) / area;
    let w = e.cross(d).dot(normal) / area;
    let inside = [1.0 - v - w, v, w].map(|x| x.max(0.0));
    let sum: f64 = inside.iter().sum();
    inside.map(|x| x / sum)
}
