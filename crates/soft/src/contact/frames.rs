//! Axes along texture coordinates, and what a friction model may ask of a contact.

use asperity_friction::ContactFrame;
use glamx::{DVec2, DVec3};

use super::contact_list::{Contacts, FeatureKey, SoftContact, SurfaceAxes, SurfaceContact};
use super::seams::{Corners, NO_UV};
use super::topology::{ContactError, same_length};

/// Tangents of a mesh along its texture coordinates, one pair for each vertex (Pabst 2009,
/// section 3). Keeps its memory.
///
/// At a seam a vertex has texture coordinates on either side. Where both sides of the seam differ
/// by a shift only, as on a tube, the grain runs on and the vertex still has one pair of tangents;
/// elsewhere it has one on either side.
#[derive(Debug, Clone, Default)]
pub struct VertexFrames {
    triangles: Vec<[u32; 3]>,
    uvs: Vec<DVec2>,
    uv_triangles: Vec<[u32; 3]>,
    corners: Corners,
    /// Of each triangle: coordinates of its first two edges along u and v; zero where the texture
    /// coordinates span no area.
    along: Vec<[DVec2; 2]>,
    /// Of each frame of `corners`.
    tangents: Vec<[DVec3; 2]>,
}

impl VertexFrames {
    /// For these triangles, with texture coordinates in metres, one for each vertex.
    pub fn new(triangles: &[[u32; 3]], uvs: &[DVec2]) -> Result<VertexFrames, ContactError> {
        VertexFrames::with_seams(uvs.len(), triangles, uvs, triangles)
    }

    /// For triangles of so many vertices, with texture coordinates in metres; `uv_triangles` says
    /// which of them the corners of each triangle have.
    pub fn with_seams(
        vertices: usize,
        triangles: &[[u32; 3]],
        uvs: &[DVec2],
        uv_triangles: &[[u32; 3]],
    ) -> Result<VertexFrames, ContactError> {
        same_length("uv_triangles", uv_triangles.len(), triangles.len())?;
        let lists = [("triangle", triangles, vertices), ("uv triangle", uv_triangles, uvs.len())];
        for (what, list, count) in lists {
            let range = 0..count as u32;
            for (index, t) in list.iter().enumerate() {
                if let Some(vertex) = t.iter().copied().find(|v| !range.contains(v)) {
                    return Err(ContactError::Index { mesh: 0, what, index, vertex, range });
                }
            }
        }
        let along: Vec<[DVec2; 2]> =
            uv_triangles.iter().map(|t| along(t.map(|v| uvs[v as usize]))).collect();
        let corners = Corners::new(vertices, triangles, uv_triangles, uvs);
        Ok(VertexFrames {
            triangles: triangles.to_vec(),
            uvs: uvs.to_vec(),
            uv_triangles: uv_triangles.to_vec(),
            along,
            tangents: vec![[DVec3::ZERO; 2]; corners.count],
            corners,
        })
    }

    /// Follows the vertices. Tangents of a vertex are the means of those of its triangles,
    /// weighted by area in the texture.
    pub fn update(&mut self, positions: &[DVec3]) -> Result<(), ContactError> {
        same_length("positions", positions.len(), self.corners.home.len())?;
        self.tangents.fill([DVec3::ZERO; 2]);
        let all = self.triangles.iter().zip(&self.corners.frames).zip(&self.along);
        for ((t, frames), [u, v]) in all {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let (ab, ac) = (b - a, c - a);
            let (along_u, along_v) = (ab * u.x + ac * u.y, ab * v.x + ac * v.y);
            for &frame in frames {
                let sums = &mut self.tangents[frame as usize];
                sums[0] += along_u;
                sums[1] += along_v;
            }
        }
        Ok(())
    }

    /// Axes at a point given by vertices and weights (of any sign and sum): barycentric
    /// interpolation. Where there are none, the axes of `frame`. Vertices at a seam count as
    /// corners of the triangle that has all of `vertices`, the first where there are several.
    #[inline]
    pub fn at(&self, vertices: &[u32], weights: &[f64], frame: &ContactFrame) -> SurfaceAxes {
        let (mut t, mut b, mut uv, mut sum) = (DVec3::ZERO, DVec3::ZERO, DVec2::ZERO, 0.0);
        let triangle = self.corners.triangle(vertices, &self.triangles);
        for (v, w) in vertices.iter().zip(weights) {
            let w = w.abs();
            let Some(&home) = self.corners.home.get(*v as usize) else { continue };
            let (frame, place) = triangle.and_then(|k| self.corner(k, *v)).unwrap_or((*v, home));
            let [u, v_axis] = self.tangents[frame as usize];
            t += u * w;
            b += v_axis * w;
            if place != NO_UV {
                uv += self.uvs[place as usize] * w;
            }
            sum += w;
        }
        let (tangent, bitangent) = (t.normalize_or_zero(), b.normalize_or_zero());
        if sum == 0.0 || tangent == DVec3::ZERO || bitangent == DVec3::ZERO {
            return SurfaceAxes { tangent: frame.t, bitangent: frame.b, uv: uv / sum.max(1e-300) };
        }
        SurfaceAxes { tangent, bitangent, uv: uv / sum }
    }

    /// Frame and uv of a vertex as corner of a triangle.
    fn corner(&self, triangle: usize, vertex: u32) -> Option<(u32, u32)> {
        let corner = self.triangles[triangle].iter().position(|v| *v == vertex)?;
        Some((self.corners.frames[triangle][corner], self.uv_triangles[triangle][corner]))
    }
}

/// From texture coordinates: the world directions of growing u and v, times twice the area, are
/// x₀₁·[0].x + x₀₂·[0].y and likewise with [1].
fn along([a, b, c]: [DVec2; 3]) -> [DVec2; 2] {
    let (p, q) = (b - a, c - a);
    let area = p.perp_dot(q);
    if !(area.abs() > 1e-12 * p.length() * q.length()) {
        return [DVec2::ZERO; 2];
    }
    let sign = area.signum();
    [DVec2::new(q.y, -p.y) * sign, DVec2::new(-q.x, p.x) * sign]
}

/// What a friction model may ask of a contact of deformables.
#[derive(Debug, Clone, Copy)]
pub struct ContactGeometry<'a> {
    /// The contact.
    pub contact: &'a SoftContact,
    /// What it is between.
    pub key: FeatureKey,
    /// Its frame, a function of the normal alone. Sets are given in it.
    pub frame: ContactFrame,
    /// Axes and texture coordinates of A and B.
    pub axes: [SurfaceAxes; 2],
    /// The obstacle that is A.
    pub obstacle: Option<usize>,
    /// The point of it that is touched.
    pub surface: Option<&'a SurfaceContact>,
    /// Velocity of B relative to A when the step begins, m/s, world.
    pub slip: DVec3,
    /// Velocity of B relative to A at the end of the step if nothing touched, m/s, world.
    pub free_slip: DVec3,
    /// Length of the step, seconds.
    pub dt: f64,
}

impl Contacts {
    /// What a friction model may ask of one contact; `None` where there is no such contact. The
    /// velocities are those of the beginning of the step, and those without contact.
    #[inline]
    pub fn geometry<'a>(
        &'a self,
        index: usize,
        frames: &VertexFrames,
        [begin, free]: [&[DVec3]; 2],
        dt: f64,
    ) -> Option<ContactGeometry<'a>> {
        let contact = self.list.get(index)?;
        let frame = ContactFrame::from_normal(contact.normal);
        let (vertices, weights) = contact.side_b();
        let b = frames.at(vertices, weights, &frame);
        let surface = self.surfaces.get(contact.surface as usize);
        let a = match surface {
            Some(s) => s.axes,
            None => {
                let (vertices, weights) = contact.side_a();
                frames.at(vertices, weights, &frame)
            }
        };
        let (slip, free_slip) = (self.slip(contact, begin), self.slip(contact, free));
        let obstacle = surface.map(|s| s.obstacle as usize);
        let axes = [a, b];
        Some(ContactGeometry {
            contact,
            key: self.key(contact),
            frame,
            axes,
            obstacle,
            surface,
            slip,
            free_slip,
            dt,
        })
    }
}
