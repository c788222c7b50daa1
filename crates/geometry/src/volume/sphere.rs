//! Spheres: closed forms.

use std::f64::consts::{PI, TAU};

use glamx::{DMat3, DPose3, DVec2, DVec3};

use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;

use super::mesh::Mesh;
use super::moments::outer;
use super::{Overlap, REACHES};

/// Planes that differ by less are one; of a unit normal, and of a body's size.
const FLAT: f64 = 1e-12;

/// A cap of a ball: what lies beyond a plane at `radius − height` from its centre.
#[derive(Debug, Clone, Copy)]
struct Cap {
    volume: f64,
    /// Of the centroid from the centre of the ball.
    distance: f64,
    /// ∫ s² dV along the axis and across it, about the centroid.
    along: f64,
    across: f64,
    /// Area of the round part.
    dome: f64,
}

impl Cap {
    /// With x = radius − s from the pole inwards, the disc at x has the squared radius x(2r − x).
    fn new(r: f64, height: f64) -> Cap {
        let h = height.clamp(0.0, 2.0 * r);
        let volume = PI * h * h * (r - h / 3.0);
        // Powers of x times the disc's area, from 0 to h.
        let first = PI * h.powi(3) * (2.0 * r / 3.0 - h / 4.0);
        let mean = first / volume;
        // About the centroid without cancellation: x = h y, all in terms of q = h/r.
        let q = h / r;
        // ∫(x − mean)² area dx = π r h⁴ · [polynomial in q]; see the test against quadrature.
        let (m0, m1, m2) = (1.0 - q / 3.0, 2.0 / 3.0 - q / 4.0, 0.5 - q / 5.0);
        let along = PI * r * h.powi(4) * (m2 - m1 * m1 / m0);
        // Discs have ∫ y² dA = π ρ⁴/4: ∫ x²(2r − x)² dx.
        let across = 0.25 * PI * r * r * h.powi(3) * (4.0 / 3.0 - q + q * q / 5.0);
        Cap { volume, distance: r - mean, along, across, dome: 2.0 * PI * r * h }
    }
}

/// A sphere, which is body A (side 0) or B (side 1), and a half-space with this normal.
pub(super) fn sphere_in_plane(
    radius: f64,
    pose: &DPose3,
    side: usize,
    normal: DVec3,
    plane: &DPose3,
) -> Option<Overlap> {
    let n = (plane.rotation * normal).normalize();
    let height = n.dot(pose.translation - plane.translation);
    let depth = radius - height;
    if !(depth > 4.0 * f64::EPSILON * (radius + height.abs())) {
        return None;
    }
    if depth >= 2.0 * radius {
        return Some(ball(radius, pose.translation));
    }
    let cap = Cap::new(radius, depth);
    let disc = depth * (2.0 * radius - depth);
    let centroid = pose.translation - n * cap.distance;
    // Moving the sphere along the normal takes volume away over the disc.
    let sign = if side == 1 { -1.0 } else { 1.0 };
    let lifted = n * (PI * disc * sign);
    Some(Overlap {
        volume: cap.volume,
        centroid,
        second_moment: about_axis(n, cap.along, cap.across),
        gradient_linear: lifted,
        gradient_angular: DVec3::ZERO,
        surface: cap.dome + PI * disc,
        reach: [widest(radius, depth); REACHES],
        outline: round(widest(radius, depth)),
        sides: Default::default(),
    })
}

/// A sphere, which is body A (side 0) or B (side 1), in a mesh, where that is simple: all of the
/// mesh's surface within the sphere is in one plane, or there is none. Otherwise no answer.
pub(super) fn sphere_in_mesh(
    radius: f64,
    pose: &DPose3,
    side: usize,
    mesh: &Mesh,
    mesh_pose: &DPose3,
    stack: &mut Vec<u32>,
) -> Option<Overlap> {
    let centre = mesh_pose.inverse_transform_point(pose.translation);
    let mut plane: Option<(DVec3, DVec3)> = None;
    stack.clear();
    stack.extend((!mesh.bvh.nodes.is_empty()).then_some(0));
    while let Some(n) = stack.pop() {
        let node = &mesh.bvh.nodes[n as usize];
        let nearest = centre.clamp(node.bounds.low, node.bounds.high);
        if !(nearest.distance_squared(centre) < radius * radius) {
            continue;
        }
        if node.second != 0 {
            stack.extend([node.second, n + 1]);
            continue;
        }
        for face in mesh.bvh.triangles(node) {
            let [a, b, c] = mesh.corners(*face);
            if !(Triangle::new(a, b, c).distance_to_local_point(centre, true) < radius) {
                continue;
            }
            let normal = (b - a).cross(c - a).normalize();
            let (point, first) = *plane.get_or_insert((a, normal));
            let off = [a, b, c].map(|p| (p - point).dot(first).abs());
            let flat = off.into_iter().fold(0.0, f64::max) <= FLAT * mesh.bvh.bounds().magnitude();
            if !(flat && first.distance(normal) <= FLAT) {
                return None;
            }
        }
    }
    // Without surface within reach the sphere is inside or outside: the general way knows.
    let (point, normal) = plane?;
    let turn = mesh_pose.rotation;
    let level = DPose3::from_translation(mesh_pose.transform_point(point));
    sphere_in_plane(radius, pose, side, turn * normal, &level)
}

/// Two spheres.
pub(super) fn two_spheres(ra: f64, pose_a: &DPose3, rb: f64, pose_b: &DPose3) -> Option<Overlap> {
    let between = pose_b.translation - pose_a.translation;
    let d = between.length();
    let depth = ra + rb - d;
    if !(depth > 4.0 * f64::EPSILON * (ra + rb)) {
        return None;
    }
    if d <= (ra - rb).abs() {
        let (radius, pose) = if ra < rb { (ra, pose_a) } else { (rb, pose_b) };
        return Some(ball(radius, pose.translation));
    }
    let n = between / d;
    // Heights of the caps: ha + hb = depth, and the discs are one.
    let height_a = depth * (2.0 * rb - depth) / (2.0 * d);
    let height_b = depth * (2.0 * ra - depth) / (2.0 * d);
    let (a, b) = (Cap::new(ra, height_a), Cap::new(rb, height_b));
    let volume = a.volume + b.volume;
    // The cap of A beyond the disc lies towards B, that of B towards A.
    let (at_a, at_b) = (pose_a.translation + n * a.distance, pose_b.translation - n * b.distance);
    let centroid = at_a + (at_b - at_a) * (b.volume / volume);
    let apart = n.dot(at_a - at_b);
    let along = a.along + b.along + apart * apart * a.volume * b.volume / volume;
    let disc = height_a * (2.0 * ra - height_a);
    let wide = widest(ra, height_a).max(widest(rb, height_b));
    Some(Overlap {
        volume,
        centroid,
        second_moment: about_axis(n, along, a.across + b.across),
        gradient_linear: n * (-PI * disc),
        gradient_angular: DVec3::ZERO,
        surface: a.dome + b.dome,
        reach: [wide; REACHES],
        outline: round(wide),
        sides: Default::default(),
    })
}

/// Largest radius of a cap.
fn widest(radius: f64, height: f64) -> f64 {
    if height < radius { (height * (2.0 * radius - height)).sqrt() } else { radius }
}

/// The outline of a disc.
fn round(radius: f64) -> [DVec2; REACHES] {
    std::array::from_fn(|k| DVec2::from_angle(TAU * k as f64 / REACHES as f64) * radius)
}

/// A whole ball inside the other body.
fn ball(radius: f64, centroid: DVec3) -> Overlap {
    let volume = 4.0 / 3.0 * PI * radius.powi(3);
    Overlap {
        volume,
        centroid,
        second_moment: DMat3::from_diagonal(DVec3::splat(volume * radius * radius / 5.0)),
        gradient_linear: DVec3::ZERO,
        gradient_angular: DVec3::ZERO,
        surface: 4.0 * PI * radius * radius,
        reach: [radius; REACHES],
        outline: round(radius),
        sides: Default::default(),
    }
}

fn about_axis(n: DVec3, along: f64, across: f64) -> DMat3 {
    outer(n, n) * (along - across) + DMat3::from_diagonal(DVec3::splat(across))
}
