//! What the tests of contacts share.
#![allow(dead_code, unreachable_pub)]

use asperity_friction::ContactState;
use asperity_friction::random::Rng;
use asperity_friction::section::{FrictionTensors, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::Surface;
use asperity_soft::contact::{
    Aabb, ContactGeometry, ContactMesh, Contacts, Detector, Motion, Obstacle, SurfaceAxes, Topology,
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
    let surfaces = [a.at(x.tangent, x.bitangent, x.uv), b.at(y.tangent, y.bitangent, y.uv)];
    let state = ContactState {
        slip: g.slip,
        free_slip: g.free_slip,
        ..ContactState::new(g.frame, surfaces, g.dt)
    };
    model.law(&state).set
}

/// Three numbers in [−1, 1).
pub fn vector(random: &mut Rng) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| 2.0 * random.unit() - 1.0))
}

/// Two rough sheets, one above the other, that fall on each other.
pub fn sheets() -> (Detector, Vec<DVec3>, Vec<DVec3>, Vec<f64>) {
    let (mut x, _, mut triangles) = sheet(1.0, 6, 0.0, 0);
    let (above, _, more) = sheet(1.0, 6, 0.008, x.len() as u32);
    x.extend(above.iter().map(|p| *p * DVec3::new(0.8, 0.8, 1.0) + DVec3::new(0.01, 0.02, 0.0)));
    triangles.extend(more);
    let mut random = Rng::new(41);
    for p in &mut x {
        *p += vector(&mut random) * 1e-3;
    }
    let v = x.iter().map(|p| vector(&mut random) * 0.2 - DVec3::Z * (50.0 * p.z)).collect();
    let inverse = x.iter().map(|_| 50.0 + 100.0 * random.unit()).collect();
    (single(x.len(), &triangles, 0.01), x, v, inverse)
}

/// The contacts between meshes.
pub fn found(detector: &mut Detector, x: &[DVec3], v: &[DVec3], dt: f64) -> Contacts {
    let mut contacts = Contacts::default();
    let motion = Motion { positions: x, velocities: v, dt };
    detector.find(&motion, &mut contacts).unwrap();
    contacts
}

/// Linear momentum.
pub fn linear(v: &[DVec3], inverse: &[f64]) -> DVec3 {
    v.iter().zip(inverse).map(|(v, m)| *v / *m).sum()
}

/// Angular momentum about the origin.
pub fn angular(x: &[DVec3], v: &[DVec3], inverse: &[f64]) -> DVec3 {
    x.iter().zip(v).zip(inverse).map(|((x, v), m)| x.cross(*v) / *m).sum()
}
