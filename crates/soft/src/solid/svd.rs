//! Singular values and eigenvectors of small matrices.

use glamx::{DMat3, DVec3};

/// F = U diag(σ) Vᵀ with U and V rotations: the last σ is negative where F mirrors.
pub(super) struct Svd {
    pub(super) u: DMat3,
    pub(super) sigma: DVec3,
    pub(super) v: DMat3,
}

impl Svd {
    /// V from Jacobi rotations of FᵀF, then U from F V.
    pub(super) fn new(f: DMat3) -> Svd {
        let (values, mut v) = symmetric_eigen(f.transpose() * f);
        // Largest first.
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
        v = DMat3::from_cols(v.col(order[0]), v.col(order[1]), v.col(order[2]));
        if v.determinant() < 0.0 {
            v.z_axis = -v.z_axis;
        }
        let fv = f * v;
        let s1 = fv.x_axis.length();
        if !(s1 > 0.0) {
            return Svd { u: v, sigma: DVec3::ZERO, v };
        }
        let u1 = fv.x_axis / s1;
        let rest = fv.y_axis - u1 * u1.dot(fv.y_axis);
        let s2 = rest.length();
        let u2 = if s2 > 1e-14 * s1 { rest / s2 } else { u1.any_orthonormal_vector() };
        let u3 = u1.cross(u2);
        let sigma = DVec3::new(s1, u2.dot(fv.y_axis), u3.dot(fv.z_axis));
        Svd { u: DMat3::from_cols(u1, u2, u3), sigma, v }
    }
}

/// Eigenvalues and vectors (columns) of a symmetric matrix, by Jacobi's method.
pub(crate) fn symmetric_eigen(mut a: DMat3) -> ([f64; 3], DMat3) {
    let mut v = DMat3::IDENTITY;
    for _ in 0..12 {
        let off = a.y_axis.x.abs() + a.z_axis.x.abs() + a.z_axis.y.abs();
        let on = a.x_axis.x.abs() + a.y_axis.y.abs() + a.z_axis.z.abs();
        if !(off > 1e-17 * on) {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let apq = a.col(q)[p];
            if apq == 0.0 {
                continue;
            }
            let tau = (a.col(q)[q] - a.col(p)[p]) / (2.0 * apq);
            let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
            let c = 1.0 / (1.0 + t * t).sqrt();
            let s = t * c;
            // J has c at (p,p), (q,q), s at (p,q), −s at (q,p): A ← Jᵀ A J, V ← V J.
            a.col_mut(p)[p] -= t * apq;
            a.col_mut(q)[q] += t * apq;
            let r = 3 - p - q;
            let [arp, arq] = [a.col(p)[r], a.col(q)[r]];
            let mut set = |i: usize, j: usize, to: f64| {
                a.col_mut(i)[j] = to;
                a.col_mut(j)[i] = to;
            };
            set(p, q, 0.0);
            set(p, r, c * arp - s * arq);
            set(q, r, s * arp + c * arq);
            let [vp, vq] = [v.col(p), v.col(q)];
            *v.col_mut(p) = c * vp - s * vq;
            *v.col_mut(q) = s * vp + c * vq;
        }
    }
    ([a.x_axis.x, a.y_axis.y, a.z_axis.z], v)
}
