use glamx::{DMat3, DVec3};

use crate::cholesky::Cholesky;
use crate::coarse::Coarse;
use crate::system::{BlockMatrix, CHUNK};

/// How the linear systems of steps are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearOptions {
    /// Which method.
    pub method: Method,
    /// Conjugate gradients stop when the residual has fallen to this part of the right-hand
    /// side, both measured in the norm of the preconditioner.
    pub tolerance: f64,
    /// Most iterations of conjugate gradients.
    pub max_iterations: usize,
}

/// A method for linear systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Conjugate gradients, preconditioned with the inverse diagonal blocks and a coarse
    /// correction over groups of vertices.
    #[default]
    Gradients,
    /// Sparse Cholesky factors; the order of elimination is found once.
    Cholesky,
}

impl Default for LinearOptions {
    fn default() -> LinearOptions {
        LinearOptions { method: Method::default(), tolerance: 1e-6, max_iterations: 2000 }
    }
}

/// How a linear system was solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinearReport {
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// The residual reached, relative to the right-hand side.
    pub residual: f64,
}

/// Vectors and factors that are kept between solves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Linear {
    inverse: Vec<DMat3>,
    r: Vec<DVec3>,
    z: Vec<DVec3>,
    p: Vec<DVec3>,
    ap: Vec<DVec3>,
    cholesky: Option<Cholesky>,
    coarse: Option<Coarse>,
}

impl Linear {
    pub(crate) fn new(n: usize) -> Linear {
        let zero = vec![DVec3::ZERO; n];
        Linear {
            inverse: vec![DMat3::ZERO; n],
            r: zero.clone(),
            z: zero.clone(),
            p: zero.clone(),
            ap: zero,
            cholesky: None,
            coarse: None,
        }
    }

    /// Solves A x = b for the vertices that are not pinned, from the x given; that of pinned
    /// vertices stays.
    pub(crate) fn solve(
        &mut self,
        a: &BlockMatrix,
        pinned: &[bool],
        b: &[DVec3],
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        if options.method == Method::Cholesky {
            let direct = self.cholesky.get_or_insert_with(|| Cholesky::new(a));
            if direct.solve(a, pinned, b, x) {
                let residual = self.residual(a, pinned, b, x);
                return LinearReport { iterations: 0, residual };
            }
            // A matrix that cannot be factored is left to the gradients.
        }
        self.gradients(a, pinned, b, x, options)
    }

    /// |A x − b| / |b|, pinned vertices left out.
    fn residual(&mut self, a: &BlockMatrix, pinned: &[bool], b: &[DVec3], x: &[DVec3]) -> f64 {
        a.multiply(x, &mut self.r);
        let (mut error, mut scale) = (0.0, 0.0);
        for i in (0..a.rows()).filter(|i| !pinned[*i]) {
            error += (self.r[i] - b[i]).length_squared();
            scale += b[i].length_squared();
        }
        ratio(error, scale)
    }

    fn gradients(
        &mut self,
        a: &BlockMatrix,
        pinned: &[bool],
        b: &[DVec3],
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        let n = a.rows();
        for i in 0..n {
            self.inverse[i] = if pinned[i] { DMat3::ZERO } else { inverse(a.diagonal(i)) };
        }
        let coarse = self.coarse.get_or_insert_with(|| Coarse::new(a));
        coarse.factor(a, pinned);
        // The preconditioner is zero on pinned vertices, so that they never move.
        for i in 0..n {
            self.z[i] = self.inverse[i] * b[i];
        }
        coarse.correct(pinned, b, &mut self.z);
        let scale = dot(b, &self.z);
        a.multiply(x, &mut self.r);
        for i in 0..n {
            self.r[i] = if pinned[i] { DVec3::ZERO } else { b[i] - self.r[i] };
            self.z[i] = self.inverse[i] * self.r[i];
        }
        coarse.correct(pinned, &self.r, &mut self.z);
        let mut rz = dot(&self.r, &self.z);
        let aim = options.tolerance * options.tolerance * scale.max(rz * f64::EPSILON);
        let mut report = LinearReport { iterations: 0, residual: ratio(rz, scale) };
        self.p.copy_from_slice(&self.z);
        while rz > aim && report.iterations < options.max_iterations {
            a.multiply(&self.p, &mut self.ap);
            for i in 0..n {
                if pinned[i] {
                    self.ap[i] = DVec3::ZERO;
                }
            }
            let curvature = dot(&self.p, &self.ap);
            if !(curvature > 0.0) {
                break;
            }
            let step = rz / curvature;
            for i in 0..n {
                x[i] += self.p[i] * step;
                self.r[i] -= self.ap[i] * step;
                self.z[i] = self.inverse[i] * self.r[i];
            }
            coarse.correct(pinned, &self.r, &mut self.z);
            let next = dot(&self.r, &self.z);
            let turn = next / rz;
            rz = next;
            for i in 0..n {
                self.p[i] = self.z[i] + self.p[i] * turn;
            }
            report.iterations += 1;
        }
        report.residual = ratio(rz, scale);
        report
    }
}

fn ratio(rz: f64, scale: f64) -> f64 {
    if rz == 0.0 { 0.0 } else { (rz / scale).sqrt() }
}

/// Sums by chunks of fixed size: the same bits for any number of threads.
fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let part = |(p, q): (&[DVec3], &[DVec3])| p.iter().zip(q).map(|(x, y)| x.dot(*y)).sum::<f64>();
    a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(part).sum()
}

/// The inverse of a positive definite block; a small one where it is not.
fn inverse(block: &DMat3) -> DMat3 {
    let m = block.inverse();
    if m.is_finite() {
        return m;
    }
    let trace = block.x_axis.x + block.y_axis.y + block.z_axis.z;
    if trace > 0.0 { DMat3::from_diagonal(DVec3::splat(3.0 / trace)) } else { DMat3::ZERO }
}
