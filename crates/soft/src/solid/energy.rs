//! Isotropic elastic energies and their derivatives.

use glamx::{DMat3, DVec3};

use super::svd::{Svd, symmetric_eigen};

/// An isotropic energy per volume, a function of the principal stretches σ. The last stretch is
/// negative in an inverted element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elastic {
    /// μ Σ(σ − 1)² + λ/2 (Σσ − 3)²: linear elasticity in a frame that turns with the element.
    Corotational,
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018): μ'/2 (I − 3) + λ'/2 (J − α)² − μ'/2 ln(I + 1),
    /// with I = Σσ², J = σ₁σ₂σ₃, μ' = 4μ/3, λ' = λ + 5μ/6 and α = 1 + 3μ'/(4λ').
    #[default]
    NeoHookean,
}

/// An energy in terms of the stretches: value, gradient and what its Hessian is made of.
struct Spectrum {
    energy: f64,
    gradient: DVec3,
    /// ∂²ψ/∂σᵢ∂σⱼ.
    stretch: DMat3,
    /// (ψᵢ − ψⱼ)/(σᵢ − σⱼ) for the pairs (1,2), (2,0), (0,1).
    flip: [f64; 3],
    /// (ψᵢ + ψⱼ)/(σᵢ + σⱼ) for the same pairs.
    twist: [f64; 3],
}

impl Elastic {
    /// Energy per volume, J/m³. `lame` is μ and λ. Zero for F = 1.
    pub fn energy(self, f: DMat3, lame: [f64; 2]) -> f64 {
        self.spectrum(Svd::new(f).sigma, lame).energy
    }

    /// First Piola–Kirchhoff stress ∂ψ/∂F and the Hessian ∂²ψ/∂F² as 9 × 9 by columns of F, Pa.
    /// With `project` its negative eigenvalues are set to zero.
    pub fn stress_and_hessian(
        self,
        f: DMat3,
        lame: [f64; 2],
        project: bool,
    ) -> (DMat3, [[f64; 9]; 9]) {
        self.at(&Svd::new(f), lame, project)
    }

    /// Stress and its derivatives from stretches that are known.
    pub(super) fn at(
        self,
        &Svd { u, sigma, v }: &Svd,
        lame: [f64; 2],
        project: bool,
    ) -> (DMat3, [[f64; 9]; 9]) {
        let s = self.spectrum(sigma, lame);
        let stress = u * DMat3::from_diagonal(s.gradient) * v.transpose();
        let keep = |x: f64| if project { x.max(0.0) } else { x };
        let mut h = [[0.0; 9]; 9];
        // ∂σᵢ/∂F = uᵢ vᵢᵀ.
        let axis = [0, 1, 2].map(|i| outer(u.col(i), v.col(i)));
        let (values, modes) = if project {
            let (values, modes) = symmetric_eigen(s.stretch);
            (values.map(|x| x.max(0.0)), modes)
        } else {
            ([0.0; 3], DMat3::IDENTITY)
        };
        if project {
            for k in 0..3 {
                let m = modes.col(k);
                let mode = combine([m.x, m.y, m.z], &axis);
                add(&mut h, values[k], &mode, &mode);
            }
        } else {
            for i in 0..3 {
                for j in 0..3 {
                    add(&mut h, s.stretch.col(j)[i], &axis[i], &axis[j]);
                }
            }
        }
        for (k, (i, j)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
            let (a, b) = (outer(u.col(i), v.col(j)), outer(u.col(j), v.col(i)));
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let flip: [f64; 9] = std::array::from_fn(|m| half * (a[m] + b[m]));
            let twist: [f64; 9] = std::array::from_fn(|m| half * (a[m] - b[m]));
            add(&mut h, keep(s.flip[k]), &flip, &flip);
            add(&mut h, keep(s.twist[k]), &twist, &twist);
        }
        (stress, h)
    }

    fn spectrum(self, s: DVec3, [mu, lambda]: [f64; 2]) -> Spectrum {
        match self {
            Elastic::Corotational => {
                let d = s - DVec3::ONE;
                let trace = d.element_sum();
                let gradient = 2.0 * mu * d + DVec3::splat(lambda * trace);
                let stretch = DMat3::from_diagonal(DVec3::splat(2.0 * mu))
                    + DMat3::from_cols_array(&[lambda; 9]);
                let twist = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
                    let sum = s[i] + s[j];
                    // A turn that costs nothing at all is left out.
                    if sum.abs() > 1e-12 { (gradient[i] + gradient[j]) / sum } else { 0.0 }
                });
                let energy = mu * d.length_squared() + 0.5 * lambda * trace * trace;
                Spectrum { energy, gradient, stretch, flip: [2.0 * mu; 3], twist }
            }
            Elastic::NeoHookean => {
                let (m, l) = (4.0 * mu / 3.0, lambda + 5.0 * mu / 6.0);
                let alpha = 1.0 + 0.75 * m / l;
                let i = s.length_squared();
                let j = s.x * s.y * s.z;
                let over = l * (j - alpha);
                let grow = DVec3::new(s.y * s.z, s.z * s.x, s.x * s.y);
                let shear = m * (1.0 - 1.0 / (i + 1.0));
                let bend = 2.0 * m / ((i + 1.0) * (i + 1.0));
                let mut stretch = DMat3::from_diagonal(DVec3::splat(shear))
                    + outer3(s, s) * bend
                    + outer3(grow, grow) * l;
                for (k, (a, b)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
                    stretch.col_mut(a)[b] += over * s[k];
                    stretch.col_mut(b)[a] += over * s[k];
                }
                let at_rest = 0.5 * l * (1.0 - alpha) * (1.0 - alpha) - 0.5 * m * 4.0_f64.ln();
                Spectrum {
                    energy: 0.5 * m * (i - 3.0) + 0.5 * over * (j - alpha)
                        - 0.5 * m * (i + 1.0).ln()
                        - at_rest,
                    gradient: shear * s + over * grow,
                    stretch,
                    flip: [0, 1, 2].map(|k| shear - over * s[k]),
                    twist: [0, 1, 2].map(|k| shear + over * s[k]),
                }
            }
        }
    }
}

fn outer(a: DVec3, b: DVec3) -> [f64; 9] {
    outer3(a, b).to_cols_array()
}

fn outer3(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn combine(weights: [f64; 3], parts: &[[f64; 9]; 3]) -> [f64; 9] {
    std::array::from_fn(|m| (0..3).map(|k| weights[k] * parts[k][m]).sum())
}

fn add(h: &mut [[f64; 9]; 9], factor: f64, a: &[f64; 9], b: &[f64; 9]) {
    if factor == 0.0 {
        return;
    }
    for (row, x) in h.iter_mut().zip(a) {
        let w = factor * x;
        for (cell, y) in row.iter_mut().zip(b) {
            *cell += w * y;
        }
    }
}
