//! What a surface looks like, and what it looks like at a point of contact.

pub mod generate;
mod normal_map;
pub mod patch;
mod relief;
mod slope;
mod tensor;
mod texture;

pub use relief::{Mask, Relief};
pub use slope::{MAX_SLOPE, SlopeMap};
pub use tensor::SurfaceTensor;
pub use texture::{MAX_PIECES, TextureMap, Wrap};

use std::sync::Arc;

use glamx::{DMat2, DVec2, DVec3};

use crate::FrictionError;
use crate::error::non_negative;
use crate::law::ContactFrame;

/// What a material brings to a contact. The pair of materials decides which of it is used.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Name of the material.
    pub name: String,
    /// Coefficient for combine rules, and the isotropic tensor of a surface that has no other.
    pub mu: Option<f64>,
    /// Direction of least resistance.
    pub structure: Structure,
    /// Friction tensor in the surface's axes (Pabst 2009).
    pub tensor: Option<SurfaceTensor>,
    /// Visible roughness (Andrews 2021); a surface without is smooth.
    pub relief: Option<Arc<Relief>>,
    /// How the load lies on it, where a pair goes by that: the red channel, zero or more.
    pub pressure: Option<Arc<TextureMap>>,
    /// Depth that is worn off for each pascal of pressure and metre of slip, 1/Pa; zero: it does not wear.
    pub wear: f64,
}

/// Where a surface's structure direction (the grain) comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Structure {
    /// The surface has no grain.
    None,
    /// The same direction everywhere, in (tangent, bitangent) coordinates.
    Constant(DVec2),
    /// Red and green channels of a texture (Erleben 2020, section 5.1).
    Texture(TextureMap),
}

impl Surface {
    /// A surface with a name and nothing else.
    pub fn new(name: impl Into<String>) -> Surface {
        Surface {
            name: name.into(),
            mu: None,
            structure: Structure::None,
            tensor: None,
            relief: None,
            pressure: None,
            wear: 0.0,
        }
    }

    /// With a coefficient of its own.
    pub fn with_mu(self, mu: f64) -> Result<Surface, FrictionError> {
        let mu = non_negative(&format!("friction coefficient of \"{}\"", self.name), mu)?;
        Ok(Surface { mu: Some(mu), ..self })
    }

    /// With a grain.
    #[must_use]
    pub fn with_structure(self, structure: Structure) -> Surface {
        Surface { structure, ..self }
    }

    /// With a friction tensor.
    #[must_use]
    pub fn with_tensor(self, tensor: SurfaceTensor) -> Surface {
        Surface { tensor: Some(tensor), ..self }
    }

    /// With visible roughness.
    #[must_use]
    pub fn with_relief(self, relief: Relief) -> Surface {
        Surface { relief: Some(Arc::new(relief)), ..self }
    }

    /// With a map of how the load lies on it.
    #[must_use]
    pub fn with_pressure(self, map: TextureMap) -> Surface {
        Surface { pressure: Some(Arc::new(map)), ..self }
    }

    /// With a rate of wear, 1/Pa.
    pub fn with_wear(self, wear: f64) -> Result<Surface, FrictionError> {
        let wear = non_negative(&format!("wear of \"{}\" in 1/Pa", self.name), wear)?;
        Ok(Surface { wear, ..self })
    }

    /// The surface at a point: axes in world coordinates, texture coordinates in metres.
    #[inline]
    pub fn at(&self, tangent: DVec3, bitangent: DVec3, uv: DVec2) -> SurfacePoint<'_> {
        let s = match &self.structure {
            Structure::None => DVec2::ZERO,
            Structure::Constant(direction) => *direction,
            Structure::Texture(map) => map.structure(uv),
        };
        let structure = tangent * s.x + bitangent * s.y;
        SurfacePoint { surface: self, tangent, bitangent, uv, structure }
    }
}

/// A surface at a point of contact, in world axes.
#[derive(Debug, Clone, Copy)]
pub struct SurfacePoint<'a> {
    /// The material's surface.
    pub surface: &'a Surface,
    /// Direction of growing u, unit length.
    pub tangent: DVec3,
    /// Direction of growing v, unit length: (outward normal) × tangent, or its opposite on a
    /// mirrored mesh.
    pub bitangent: DVec3,
    /// Texture coordinates in metres.
    pub uv: DVec2,
    /// Direction of least resistance; zero where the surface has none. Its sign does not matter,
    /// its length only as zero or not.
    pub structure: DVec3,
}

impl SurfacePoint<'_> {
    /// What the map of its pressure says at so far from here, world axes in metres; one without.
    pub fn pressure(&self, way: DVec3) -> f64 {
        let uv = self.uv + DVec2::new(self.tangent.dot(way), self.bitangent.dot(way));
        self.surface.pressure.as_ref().map_or(1.0, |map| map.sample(uv).x.max(0.0))
    }

    /// The surface's axes laid into the contact plane: orthonormal columns. Where the tangent is
    /// parallel to the normal, the bitangent decides; where that is too, the contact frame's axes.
    #[inline]
    pub fn axes_in(&self, frame: &ContactFrame) -> DMat2 {
        let (t, b) = (frame.to_plane(self.tangent), frame.to_plane(self.bitangent));
        if has_direction(t) {
            let x = t.normalize();
            let y = x.perp();
            DMat2::from_cols(x, if y.dot(b) < 0.0 { -y } else { y })
        } else if has_direction(b) {
            // Which side the first axis falls to is a convention, but the same one from both
            // sides of the contact.
            let y = b.normalize();
            let x = y.perp();
            let side = frame.to_plane(self.tangent.cross(self.bitangent));
            DMat2::from_cols(if x.dot(side) < 0.0 { -x } else { x }, y)
        } else {
            DMat2::IDENTITY
        }
    }

    /// A tensor with these values along the surface's axes, in the contact plane.
    pub(crate) fn orthotropic_in(&self, values: DVec2, frame: &ContactFrame) -> DMat2 {
        let t = frame.to_plane(self.tangent);
        if has_direction(t) {
            // The second axis is square to the first: μ₂ I + (μ₁ − μ₂) x xᵀ.
            let more = t * ((values.x - values.y) / t.length_squared());
            return DMat2::from_cols(more * t.x, more * t.y)
                + DMat2::from_diagonal(DVec2::splat(values.y));
        }
        let axes = self.axes_in(frame);
        axes * DMat2::from_diagonal(values) * axes.transpose()
    }

    /// The structure direction laid into the contact plane, unit length; zero where the surface
    /// has none or it points along the normal.
    pub fn structure_in(&self, frame: &ContactFrame) -> DVec2 {
        let s = frame.to_plane(self.structure.normalize_or_zero());
        if has_direction(s) { s.normalize() } else { DVec2::ZERO }
    }
}

/// Whether the in-plane part of a unit vector is more than rounding: within 1e-6 rad of the
/// normal it is not.
fn has_direction(v: DVec2) -> bool {
    v.length() > 1e-6
}
