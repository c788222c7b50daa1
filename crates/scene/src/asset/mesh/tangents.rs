//! Tangents of vertices, by MikkTSpace.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, TangentSpace};
use glamx::DVec3;

use super::draft::{Vertex, point_key};
use super::normals::unit;

/// Most triangles around a point that are averaged together: MikkTSpace's work grows with the
/// square, and its stack with the number.
const MAX_AROUND: u32 = 256;

/// Gives every vertex a tangent when any has one or has texture coordinates. Needs unit normals.
///
/// Those of the file are kept; others are computed with MikkTSpace (Mikkelsen 2008) from the
/// texture coordinates. A vertex at which it finds more than one tangent, as where the texture is
/// mirrored, is split. A vertex without texture coordinates gets any tangent perpendicular to its
/// normal.
pub(super) fn fill(vertices: &mut Vec<Vertex>, triangles: &mut [[u32; 3]]) {
    if vertices.iter().all(|v| v.uv.is_none() && v.tangent.is_none()) {
        return;
    }
    if vertices.iter().any(|v| v.uv.is_some() && v.tangent.is_none()) {
        let found = generate(vertices, triangles);
        assign(vertices, triangles, &found);
    }
    for vertex in vertices {
        let normal = vertex.normal.unwrap_or(DVec3::Z);
        let [x, y, z, sign] = vertex.tangent.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let along = unit(DVec3::new(x, y, z)).unwrap_or_default();
        let flat = along - normal * normal.dot(along);
        let t =
            if flat.length() > 1e-6 { flat.normalize() } else { normal.any_orthonormal_vector() };
        vertex.tangent = Some([t.x, t.y, t.z, sign]);
    }
}

/// Tangents of the three corners of each triangle.
type Corners = Vec<[Option<[f32; 4]>; 3]>;

/// Runs MikkTSpace, in passes such that no point has more than [`MAX_AROUND`] triangles in one.
fn generate(vertices: &[Vertex], triangles: &[[u32; 3]]) -> Corners {
    let single = Single::new(vertices);
    // For each point its latest pass, and how many triangles it has there.
    let mut around: HashMap<_, (usize, u32)> = HashMap::new();
    let mut passes: Vec<Vec<usize>> = Vec::new();
    for (i, triangle) in triangles.iter().enumerate() {
        if !single.is_usable(*triangle) {
            continue;
        }
        let points = triangle.map(|corner| point_key(vertices[corner as usize].position));
        let free = points.iter().map(|point| match around.get(point) {
            Some((pass, count)) => pass + usize::from(*count == MAX_AROUND),
            None => 0,
        });
        let pass = free.max().unwrap_or(0);
        for point in points {
            let latest = around.entry(point).or_insert((pass, 0));
            *latest = (pass, if latest.0 == pass { latest.1 + 1 } else { 1 });
        }
        passes.resize_with(passes.len().max(pass + 1), Vec::new);
        passes[pass].push(i);
    }
    let mut found = vec![[None; 3]; triangles.len()];
    for members in &passes {
        let mut pass = Pass { single: &single, triangles, members, found: &mut found };
        // The error type has no values.
        let _ = bevy_mikktspace::generate_tangents(&mut pass);
    }
    found
}

/// Stores tangents in vertices that have none, splitting those that have several.
fn assign(vertices: &mut Vec<Vertex>, triangles: &mut [[u32; 3]], found: &Corners) {
    let needed: Vec<bool> = vertices.iter().map(|v| v.tangent.is_none()).collect();
    let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    for (triangle, tangents) in triangles.iter_mut().zip(found) {
        for (corner, tangent) in triangle.iter_mut().zip(tangents) {
            let original = *corner as usize;
            let Some(tangent) = tangent.filter(|_| needed[original]) else { continue };
            let next = vertices.len() as u32;
            let key = (*corner, tangent.map(f32::to_bits));
            let value = Some(tangent.map(f64::from));
            *corner = *copies.entry(key).or_insert_with(|| {
                if vertices[original].tangent.is_none() {
                    vertices[original].tangent = value;
                    original as u32
                } else {
                    vertices.push(Vertex { tangent: value, ..vertices[original] });
                    next
                }
            });
        }
    }
}

/// Vertices in single precision. Shift and scale do not change tangents.
struct Single {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<Option<[f32; 2]>>,
}

impl Single {
    fn new(vertices: &[Vertex]) -> Single {
        let positions: Vec<_> = vertices.iter().map(|v| v.position.to_array()).collect();
        let uvs: Vec<_> = vertices.iter().map(|v| v.uv.map(|uv| uv.to_array())).collect();
        let to_position = unit_box(positions.iter());
        let to_uv = unit_box(uvs.iter().flatten());
        let normal = |v: &Vertex| v.normal.unwrap_or(DVec3::Z).to_array().map(|x| x as f32);
        Single {
            positions: positions.iter().map(&to_position).collect(),
            normals: vertices.iter().map(normal).collect(),
            uvs: uvs.iter().map(|uv| uv.as_ref().map(&to_uv)).collect(),
        }
    }

    /// Whether all corners have texture coordinates, and three different positions.
    fn is_usable(&self, triangle: [u32; 3]) -> bool {
        let [a, b, c] = triangle.map(|corner| self.positions[corner as usize]);
        let has_uv = triangle.iter().all(|corner| self.uvs[*corner as usize].is_some());
        has_uv && a != b && b != c && c != a
    }
}

/// Maps the bounding box of some points to one of side 1 (at most) around the origin.
fn unit_box<'a, const N: usize>(
    points: impl Iterator<Item = &'a [f64; N]>,
) -> impl Fn(&[f64; N]) -> [f32; N] {
    let (mut low, mut high) = ([f64::INFINITY; N], [f64::NEG_INFINITY; N]);
    for point in points {
        for i in 0..N {
            low[i] = low[i].min(point[i]);
            high[i] = high[i].max(point[i]);
        }
    }
    let side = (0..N).map(|i| high[i] - low[i]).fold(0.0, f64::max);
    let scale = if side > 0.0 { side } else { 1.0 };
    move |point| std::array::from_fn(|i| ((point[i] - 0.5 * (low[i] + high[i])) / scale) as f32)
}

/// Some of the triangles, as MikkTSpace wants to see them.
struct Pass<'a> {
    single: &'a Single,
    triangles: &'a [[u32; 3]],
    members: &'a [usize],
    found: &'a mut Corners,
}

impl Pass<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[self.members[face]][corner] as usize
    }
}

impl Geometry for Pass<'_> {
    fn num_faces(&self) -> usize {
        self.members.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.single.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.single.normals[self.vertex(face, corner)]
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.single.uvs[self.vertex(face, corner)].unwrap_or_default()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let tangent = space.map(|s| s.tangent_encoded());
        let usable = tangent.filter(|t| t.iter().all(|x| x.is_finite()));
        self.found[self.members[face]][corner] = usable;
    }
}
