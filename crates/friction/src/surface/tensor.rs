//! The friction tensor that a surface has in its own axes.

use glamx::{DMat2, DVec2, DVec4};

use super::TextureMap;
use crate::FrictionError;
use crate::set::{Tensor, symmetric_eigen};

/// The friction tensor of a surface in its own axes: one tensor, or one for each sense of slip,
/// and a texture that modulates the entries (Pabst 2009, Eqs. 3, 5 and 6).
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceTensor {
    positive: DMat2,
    negative: Option<DMat2>,
    map: Option<TextureMap>,
    plain: Tensor,
}

impl SurfaceTensor {
    /// Isotropic: Q = μ I.
    pub fn isotropic(mu: f64) -> Result<SurfaceTensor, FrictionError> {
        SurfaceTensor::full(DMat2::from_diagonal(DVec2::splat(mu)))
    }

    /// Orthotropic: μ₁ along the surface's tangent, μ₂ along its bitangent.
    pub fn orthotropic(mu_1: f64, mu_2: f64) -> Result<SurfaceTensor, FrictionError> {
        SurfaceTensor::full(DMat2::from_diagonal(DVec2::new(mu_1, mu_2)))
    }

    /// Any tensor whose symmetric part is positive semi-definite.
    pub fn full(q: DMat2) -> Result<SurfaceTensor, FrictionError> {
        Ok(SurfaceTensor { positive: q, negative: None, map: None, plain: Tensor::linear(q)? })
    }

    /// Different tensors for the positive and the negative sense along each axis (Eq. 6).
    pub fn asymmetric(positive: DMat2, negative: DMat2) -> Result<SurfaceTensor, FrictionError> {
        let plain = Tensor::asymmetric(positive, negative)?;
        Ok(SurfaceTensor { positive, negative: Some(negative), map: None, plain })
    }

    /// Modulated by a texture (Eq. 5). Every texel must dissipate; between texels the tensor is a
    /// convex combination of theirs, and so is its mean along a path.
    pub fn with_map(self, map: TextureMap) -> Result<SurfaceTensor, FrictionError> {
        let (width, _) = map.dimensions();
        for (i, texel) in map.texels().iter().enumerate() {
            let channels = DVec4::from_array(texel.map(f64::from));
            self.modulated(channels).check(&format!(
                "friction tensor at texel ({}, {})",
                i % width,
                i / width
            ))?;
        }
        Ok(SurfaceTensor { map: Some(map), ..self })
    }

    /// The texture that modulates it.
    pub fn map(&self) -> Option<&TextureMap> {
        self.map.as_ref()
    }

    /// The tensor at a point, averaged along the path slid over it (metres, surface axes).
    pub fn along(&self, uv: DVec2, path: DVec2) -> Tensor {
        match &self.map {
            None => self.plain.clone(),
            Some(map) => self.modulated(map.mean_along(uv, path)),
        }
    }

    fn modulated(&self, c: DVec4) -> Tensor {
        // Channels r g b a multiply Q11 Q12 Q21 Q22; the columns of a matrix come first here.
        let scale = |q: DMat2| {
            DMat2::from_cols(q.x_axis * DVec2::new(c.x, c.z), q.y_axis * DVec2::new(c.y, c.w))
        };
        match self.negative {
            None => Tensor::piecewise([], |_| scale(self.positive)),
            Some(negative) => Tensor::quadrants(scale(self.positive), scale(negative)),
        }
    }

    /// The matrix, where it is the same everywhere and in every direction.
    #[inline]
    pub(crate) fn plain_matrix(&self) -> Option<DMat2> {
        match self {
            SurfaceTensor { positive, negative: None, map: None, .. } => Some(*positive),
            _ => None,
        }
    }

    /// Whether every sector's matrix is symmetric and positive semi-definite, at every texel;
    /// between texels it then is too.
    pub(crate) fn has_square_root(&self) -> bool {
        let fits = |tensor: &Tensor| {
            tensor.sectors().iter().all(|s| {
                let skew = s.matrix.x_axis.y - s.matrix.y_axis.x;
                let (least, most, _) = symmetric_eigen(s.matrix);
                skew.abs() <= 1e-12 * most.abs() && least >= -1e-12 * most.abs()
            })
        };
        let Some(map) = &self.map else { return fits(&self.plain) };
        let channels = |texel: &[f32; 4]| DVec4::from_array(texel.map(f64::from));
        map.texels().iter().all(|texel| fits(&self.modulated(channels(texel))))
    }
}
