//! Mass, centre and inertia of shapes of uniform density.

use std::collections::HashMap;
use std::f64::consts::PI;

use glamx::{DMat3, DVec3};

use super::{MeshData, Shape, ShapeError};

/// Mass properties in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProps {
    /// kg.
    pub mass: f64,
    /// Centre of mass, metres.
    pub centre: DVec3,
    /// kg m² about the centre of mass.
    pub inertia: DMat3,
}

impl Shape {
    /// Mass properties at a density in kg/m³. Parts of a compound that overlap count twice.
    pub fn mass_properties(&self, density: f64) -> Result<MassProps, ShapeError> {
        if !(density.is_finite() && density > 0.0) {
            return Err(ShapeError::Density { density });
        }
        self.validate()?;
        match self {
            Shape::HalfSpace { .. } | Shape::HeightField { .. } => {
                Err(ShapeError::NoVolume { what: self.name() })
            }
            Shape::Box { half_extents: h } => {
                let mass = density * 8.0 * h.x * h.y * h.z;
                let s = *h * *h;
                let about = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 3.0;
                Ok(about_origin(mass, about))
            }
            Shape::Sphere { radius: r } => {
                let mass = density * 4.0 / 3.0 * PI * r.powi(3);
                Ok(about_origin(mass, DVec3::splat(0.4 * r * r)))
            }
            Shape::Capsule { half_height: l, radius: r } => {
                // A cylinder and two half spheres, whose centres lie 3r/8 beyond its ends.
                let cylinder = density * 2.0 * l * PI * r * r;
                let ends = density * 4.0 / 3.0 * PI * r.powi(3);
                let along = 0.5 * cylinder * r * r + 0.4 * ends * r * r;
                let across = cylinder * (r * r / 4.0 + l * l / 3.0)
                    + ends * (0.4 * r * r + l * l + 0.75 * l * r);
                let mass = cylinder + ends;
                Ok(about_origin(mass, DVec3::new(across, along, across) / mass))
            }
            Shape::Cylinder { half_height: l, radius: r } => {
                let mass = density * 2.0 * l * PI * r * r;
                let across = r * r / 4.0 + l * l / 3.0;
                Ok(about_origin(mass, DVec3::new(across, r * r / 2.0, across)))
            }
            Shape::Cone { half_height: l, radius: r } => {
                let mass = density * 2.0 * l * PI * r * r / 3.0;
                // Height 2l: 3/80 (2l)² = 3/20 l².
                let across = 0.15 * (r * r + l * l);
                let about = about_origin(mass, DVec3::new(across, 0.3 * r * r, across));
                Ok(MassProps { centre: DVec3::new(0.0, -0.5 * l, 0.0), ..about })
            }
            Shape::ConvexHull { .. } => match self.polyhedron()? {
                Some(poly) => integrate(&poly.vertices, &poly.triangles(), density, "the hull"),
                None => Err(ShapeError::NoVolume { what: self.name() }),
            },
            Shape::Mesh(mesh) => {
                mesh.check_closed()?;
                integrate(&mesh.positions, &mesh.triangles, density, "the mesh")
            }
            Shape::Compound(parts) => {
                let parts = parts.iter().map(|(pose, shape)| {
                    let p = shape.mass_properties(density)?;
                    let turn = DMat3::from_quat(pose.rotation);
                    Ok(MassProps {
                        mass: p.mass,
                        centre: pose.transform_point(p.centre),
                        inertia: turn * p.inertia * turn.transpose(),
                    })
                });
                Ok(sum(&parts.collect::<Result<Vec<_>, ShapeError>>()?))
            }
        }
    }
}

/// A body about its origin, from its squared radii of gyration.
fn about_origin(mass: f64, squared_radii: DVec3) -> MassProps {
    let inertia = DMat3::from_diagonal(mass * squared_radii);
    MassProps { mass, centre: DVec3::ZERO, inertia }
}

fn sum(parts: &[MassProps]) -> MassProps {
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    let centre = parts.iter().map(|p| p.centre * p.mass).sum::<DVec3>() / mass;
    let mut inertia = DMat3::ZERO;
    for p in parts {
        inertia += p.inertia + p.mass * spread(p.centre - centre);
    }
    MassProps { mass, centre, inertia }
}

/// Inertia of a unit mass at `d`: |d|² I − d dᵀ.
fn spread(d: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d, d)
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Sums over tetrahedra from a point inside to each triangle. A tetrahedron with corners 0, a, b, c
/// has the volume V = a·(b×c)/6 and ∫ x xᵀ dV = V/20 (aaᵀ + bbᵀ + ccᵀ + ssᵀ), s = a + b + c.
fn integrate(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    density: f64,
    what: &str,
) -> Result<MassProps, ShapeError> {
    let reference = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    let mut magnitude = 0.0;
    for t in triangles {
        let [a, b, c] = t.map(|i| positions[i as usize] - reference);
        let v = a.dot(b.cross(c)) / 6.0;
        let s = a + b + c;
        volume += v;
        magnitude += v.abs();
        first += v / 4.0 * s;
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (v / 20.0);
    }
    if !(volume > 1e-12 * magnitude) || !volume.is_finite() {
        return Err(ShapeError::Volume { what: what.into(), volume });
    }
    let from_reference = first / volume;
    second -= volume * outer(from_reference, from_reference);
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let inertia = density * (DMat3::from_diagonal(DVec3::splat(trace)) - second);
    Ok(MassProps { mass: density * volume, centre: reference + from_reference, inertia })
}

impl MeshData {
    /// The first position that lies at the same place, for each position.
    pub(crate) fn welded(&self) -> Vec<u32> {
        let mut known = HashMap::new();
        let key = |p: DVec3| (p + DVec3::ZERO).to_array().map(f64::to_bits);
        let number = |(i, p): (usize, &DVec3)| *known.entry(key(*p)).or_insert(i as u32);
        self.positions.iter().enumerate().map(number).collect()
    }

    fn check_closed(&self) -> Result<(), ShapeError> {
        let weld = self.welded();
        let mut uses: HashMap<(u32, u32), usize> = HashMap::new();
        let edges = |t: &[u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let same = |(a, b): (u32, u32)| (weld[a as usize], weld[b as usize]);
        for e in self.triangles.iter().flat_map(edges) {
            *uses.entry(same(e)).or_default() += 1;
        }
        for (triangle, t) in self.triangles.iter().enumerate() {
            for (from, to) in edges(t) {
                let (a, b) = same((from, to));
                let neighbours = uses.get(&(b, a)).copied().unwrap_or(0);
                if neighbours != 1 || uses[&(a, b)] != 1 {
                    return Err(ShapeError::Open { triangle, from, to, neighbours });
                }
            }
        }
        Ok(())
    }
}
