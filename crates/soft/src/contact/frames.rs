use asperity_friction::ContactFrame;
use glamx::{DVec2, DVec3};

use super::record::{Contacts, SoftContact, SurfaceAxes};
use super::topology::{ContactError, same_length};

/// Tangents of a mesh along its texture coordinates, one pair for each vertex (Pabst 2009,
/// section 3). Keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct VertexFrames {
    triangles: Vec<[u32; 3]>,
    uvs: Vec<DVec2>,
    /// Of each triangle: coordinates of its first two edges along u and v; zero where the texture
    /// coordinates span no area.
    along: Vec<[DVec2; 2]>,
    tangents: Vec<[DVec3; 2]>,
    without: usize,
}

impl VertexFrames {
    /// For these triangles, with texture coordinates in metres, one for each vertex.
    pub fn new(triangles: &[[u32; 3]], uvs: &[DVec2]) -> Result<VertexFrames, ContactError> {
        let range = 0..uvs.len() as u32;
        for (index, t) in triangles.iter().enumerate() {
            if let Some(vertex) = t.iter().copied().find(|v| !range.contains(v)) {
                let what = "triangle";
                return Err(ContactError::Index { mesh: 0, what, index, vertex, range });
            }
        }
        let along: Vec<[DVec2; 2]> =
            triangles.iter().map(|t| along(t.map(|v| uvs[v as usize]))).collect();
        let without = along.iter().filter(|a| a[0] == DVec2::ZERO && a[1] == DVec2::ZERO).count();
        Ok(VertexFrames {
            triangles: triangles.to_vec(),
            uvs: uvs.to_vec(),
            along,
            tangents: vec![[DVec3::ZERO; 2]; uvs.len()],
            without,
        })
    }

    /// Triangles whose texture coordinates span no area: they have no say in the frames.
    pub fn without_area(&self) -> usize {
        self.without
    }

    /// Follows the vertices. Tangents of a vertex are the means of those of its triangles,
    /// weighted by area in the texture.
    pub fn update(&mut self, positions: &[DVec3]) -> Result<(), ContactError> {
        same_length("positions", positions.len(), self.uvs.len())?;
        self.tangents.fill([DVec3::ZERO; 2]);
        for (t, [u, v]) in self.triangles.iter().zip(&self.along) {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let (ab, ac) = (b - a, c - a);
            let (along_u, along_v) = (ab * u.x + ac * u.y, ab * v.x + ac * v.y);
            for &vertex in t {
                let sums = &mut self.tangents[vertex as usize];
                sums[0] += along_u;
                sums[1] += along_v;
            }
        }
        Ok(())
    }

    /// Axes at a point given by vertices and weights (of any sign and sum): barycentric
    /// interpolation. Where there are none, the axes of `frame`.
    #[inline]
    pub fn at(&self, vertices: &[u32], weights: &[f64], frame: &ContactFrame) -> SurfaceAxes {
        let (mut t, mut b, mut uv, mut sum) = (DVec3::ZERO, DVec3::ZERO, DVec2::ZERO, 0.0);
        for (v, w) in vertices.iter().zip(weights) {
            let w = w.abs();
            let Some([u, v_axis]) = self.tangents.get(*v as usize) else { continue };
            t += *u * w;
            b += *v_axis * w;
            uv += self.uvs[*v as usize] * w;
            sum += w;
        }
        let (tangent, bitangent) = (t.normalize_or_zero(), b.normalize_or_zero());
        if sum == 0.0 || tangent == DVec3::ZERO || bitangent == DVec3::ZERO {
            return SurfaceAxes { tangent: frame.t, bitangent: frame.b, uv: uv / sum.max(1e-300) };
        }
        SurfaceAxes { tangent, bitangent, uv: uv / sum }
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
    /// Which contact it is.
    pub index: usize,
    /// Its frame, a function of the normal alone. Sets are given in it.
    pub frame: ContactFrame,
    /// Axes and texture coordinates of A and B.
    pub axes: [SurfaceAxes; 2],
    /// The obstacle that is A.
    pub obstacle: Option<usize>,
    /// Velocity of B relative to A when the step begins, m/s, world.
    pub slip: DVec3,
    /// The same at the end of the step if nothing touched.
    pub free_slip: DVec3,
    /// Length of the step, seconds.
    pub dt: f64,
}

impl Contacts {
    /// What a friction model may ask of one contact; `None` where there is no such contact. The
    /// velocities are those of the beginning of the step, and those without contact.
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
        Some(ContactGeometry { contact, index, frame, axes: [a, b], obstacle, slip, free_slip, dt })
    }
}
