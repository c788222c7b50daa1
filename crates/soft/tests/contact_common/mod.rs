//! What the tests of contacts share.
#![allow(dead_code, unreachable_pub)]

use asperity_friction::ContactState;
use asperity_friction::random::Rng;
use asperity_friction::section::{FrictionTensors, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::Surface;
use asperity_soft::contact::{
    Aabb, ContactGeometry, ContactMesh, Detector, Obstacle, SurfaceAxes, Topology,
};
use glamx::{DVec2, DVec3};

/// A half-space below a plane through the origin.
pub struct Plane {
    pub normal: DVec3,
    pub tangent: DVec3,
    pub velocity: DVec3,
}

impl Plane {
    /// The ground: z up, x along the texture's u.
    pub fn ground() -> Plane {
        Plane { normal: DVec3::Z, tangent: DVec3::X, velocity: DVec3::ZERO }
    }
}

impl Obstacle for Plane {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        (self.normal.dot(p), self.normal)
    }

    fn velocity(&self, _: DVec3) -> DVec3 {
        self.velocity
    }

    fn axes(&self, p: DVec3, normal: DVec3) -> SurfaceAxes {
        let bitangent = normal.cross(self.tangent);
        let uv = DVec2::new(p.dot(self.tangent), p.dot(bitangent));
        SurfaceAxes { tangent: self.tangent, bitangent, uv }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: DVec3::splat(-1e9), max: DVec3::splat(1e9) }
    }
}

/// A ball that may turn about its centre.
pub struct Ball {
    pub centre: DVec3,
    pub radius: f64,
    pub spin: DVec3,
}

impl Obstacle for Ball {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        let d = p - self.centre;
        (d.length() - self.radius, d.try_normalize().unwrap_or(DVec3::Z))
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        self.spin.cross(p - self.centre)
    }

    fn axes(&self, _: DVec3, normal: DVec3) -> SurfaceAxes {
        let tangent = DVec3::Z.cross(normal).try_normalize().unwrap_or(DVec3::X);
        SurfaceAxes { tangent, bitangent: normal.cross(tangent), uv: DVec2::ZERO }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: self.centre, max: self.centre }.grown(self.radius)
    }
}

/// A flat sheet in the xy-plane at a height: positions, texture coordinates, triangles whose
/// indices begin at `first`.
pub fn sheet(
    size: f64,
    cells: usize,
    height: f64,
    first: u32,
) -> (Vec<DVec3>, Vec<DVec2>, Vec<[u32; 3]>) {
    let n = cells + 1;
    let step = size / cells as f64;
    let mut uvs = Vec::new();
    for j in 0..n {
        for i in 0..n {
            uvs.push(DVec2::new(i as f64, j as f64) * step);
        }
    }
    let positions = uvs.iter().map(|u| DVec3::new(u.x - 0.5 * size, u.y - 0.5 * size, height));
    let mut triangles = Vec::new();
    let at = |i: usize, j: usize| first + (j * n + i) as u32;
    for j in 0..cells {
        for i in 0..cells {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            // Diagonals alternate, as in a weave.
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    (positions.collect(), uvs, triangles)
}

/// A detector for one mesh that touches itself.
pub fn single(count: usize, triangles: &[[u32; 3]], thickness: f64) -> Detector {
    let mesh = ContactMesh {
        vertices: 0..count as u32,
        triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    Detector::new(Topology::new(count, &[mesh]).unwrap(), thickness).unwrap()
}

/// The set of a contact between two surfaces, by the friction crate's model.
pub fn tensor_law(model: FrictionTensors, a: &Surface, b: &Surface, g: &ContactGeometry) -> Set {
    let [x, y] = &g.axes;
    let state = ContactState {
        frame: g.frame,
        surfaces: [a.at(x.tangent, x.bitangent, x.uv), b.at(y.tangent, y.bitangent, y.uv)],
        slip: g.slip,
        free_slip: g.free_slip,
        last_load: None,
        dt: g.dt,
    };
    model.law(&state).set
}

/// Three numbers in [−1, 1).
pub fn vector(random: &mut Rng) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| 2.0 * random.unit() - 1.0))
}
