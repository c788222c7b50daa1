//! A linear tetrahedron.

use glamx::{DMat3, DVec3};

use super::SolidMaterial;
use super::svd::Svd;

/// A linear tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tet {
    /// Its vertices.
    pub vertices: [u32; 4],
    /// Gradients of the four shape functions at rest, 1/m.
    pub gradients: [DVec3; 4],
    /// Volume at rest, m³.
    pub volume: f64,
}

/// What a tetrahedron's forces and stiffness follow from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetState {
    /// F, the deformation gradient.
    pub gradient: DMat3,
    /// First Piola–Kirchhoff stress, Pa.
    pub stress: DMat3,
    /// ∂P/∂F, by columns of F, Pa.
    pub hessian: [[f64; 9]; 9],
    /// W, which takes out of strains' rates how far the element is stretched; see [`Tet::forces`].
    pub(crate) easing: DMat3,
}

impl Default for TetState {
    fn default() -> TetState {
        TetState {
            gradient: DMat3::IDENTITY,
            stress: DMat3::ZERO,
            hessian: [[0.0; 9]; 9],
            easing: DMat3::IDENTITY,
        }
    }
}

impl Tet {
    /// From its vertices' rest positions; nothing if they span no volume.
    pub fn new(vertices: [u32; 4], rest: [DVec3; 4]) -> Option<Tet> {
        let [a, b, c, d] = rest;
        let m = DMat3::from_cols(b - a, c - a, d - a);
        let six = m.determinant();
        let longest = m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
        if !(six.abs() > 1e-12 * longest.powi(3)) {
            return None;
        }
        // Rows of the inverse.
        let t = m.inverse().transpose();
        let gradients = [-(t.x_axis + t.y_axis + t.z_axis), t.x_axis, t.y_axis, t.z_axis];
        Some(Tet { vertices, gradients, volume: six.abs() / 6.0 })
    }

    /// Deformation, stress and Hessian at the given positions.
    pub fn state(&self, x: &[DVec3], material: &SolidMaterial, project: bool) -> TetState {
        let gradient = self.derivative(x);
        let svd = Svd::new(gradient);
        let (stress, hessian) = material.model.at(&svd, material.lame(), project);
        let scale = DVec3::ONE / svd.sigma.abs().max(DVec3::ONE);
        let easing = svd.v * DMat3::from_diagonal(scale) * svd.v.transpose();
        TetState { gradient, stress, hessian, easing }
    }

    /// Energy, J.
    pub fn energy(&self, x: &[DVec3], material: &SolidMaterial) -> f64 {
        self.volume * material.model.energy(self.derivative(x), material.lame())
    }

    /// Forces on the four vertices, N: elastic, and viscous where velocities are given. The
    /// viscous stress follows W Ė W, with Ė the rate of Green's strain, which a turning body does
    /// not have, and W = V diag(1/max(σ, 1)) Vᵀ: where an element is stretched, this is the rate of
    /// deformation, as in a Newtonian fluid. By Ė alone the viscosity would grow with σ², elastic
    /// forces only with σ, and what a sharp edge has drawn out would take seconds to go back.
    pub fn forces(
        &self,
        state: &TetState,
        v: Option<&[DVec3]>,
        material: &SolidMaterial,
    ) -> [DVec3; 4] {
        let mut stress = state.stress;
        if let Some(v) = v {
            let (w, f) = (state.easing, state.gradient * state.easing);
            let half = f.transpose() * self.derivative(v) * w;
            let rate = (half + half.transpose()) * 0.5;
            let [mu, lambda] = material.lame();
            let trace = rate.x_axis.x + rate.y_axis.y + rate.z_axis.z;
            let viscous = rate * (2.0 * mu) + DMat3::from_diagonal(DVec3::splat(lambda * trace));
            stress += f * viscous * w * material.damping;
        }
        self.gradients.map(|g| stress * g * -self.volume)
    }

    /// Block (i, j) of `elastic`·K + `viscous`·D, where K is the stiffness and D the viscosity.
    pub fn block(
        &self,
        state: &TetState,
        (elastic, viscous): (f64, f64),
        material: &SolidMaterial,
        (i, j): (usize, usize),
    ) -> DMat3 {
        let (a, b) = (self.gradients[i], self.gradients[j]);
        let mut m = [[0.0; 3]; 3];
        for c in 0..3 {
            for d in 0..3 {
                let weight = a[c] * b[d];
                for r in 0..3 {
                    for s in 0..3 {
                        m[s][r] += weight * state.hessian[3 * c + r][3 * d + s];
                    }
                }
            }
        }
        let mut block = DMat3::from_cols_array_2d(&m) * elastic;
        let rate = viscous * material.damping;
        if rate != 0.0 {
            // ∂E/∂x_a applied to w is sym((Fᵀw) aᵀ), so D_ij = F (λ a bᵀ + μ (b aᵀ + a·b)) Fᵀ,
            // with F W, W a and W b in the places of F, a and b.
            let [mu, lambda] = material.lame();
            let f = state.gradient * state.easing;
            let (a, b) = (state.easing * a, state.easing * b);
            let inner = outer(a, b) * lambda
                + (outer(b, a) + DMat3::from_diagonal(DVec3::splat(a.dot(b)))) * mu;
            block += f * inner * f.transpose() * rate;
        }
        block * self.volume
    }

    pub(crate) fn derivative(&self, x: &[DVec3]) -> DMat3 {
        let [p, q, r, s] = self.vertices.map(|i| x[i as usize]);
        let m = DMat3::from_cols(q - p, r - p, s - p);
        let [_, b, c, d] = self.gradients;
        m * DMat3::from_cols(b, c, d).transpose()
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
