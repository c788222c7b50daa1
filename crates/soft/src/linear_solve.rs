//! The linear solve of a step: its options, methods and report.

use glamx::DVec3;

use crate::cholesky::Cholesky;
use crate::gradients::{Gradients, Held};
use crate::system::BlockMatrix;

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
    pub(crate) gradients: Gradients,
    r: Vec<DVec3>,
    pub(crate) cholesky: Option<Cholesky>,
}

impl Linear {
    pub(crate) fn new(n: usize) -> Linear {
        Linear { gradients: Gradients::new(n), r: vec![DVec3::ZERO; n], cholesky: None }
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
        self.solve_held(
            a,
            Held { whole: pinned, partly: &[], links: &[], scale: b, like_last: false, gain: 0.0 },
            b,
            x,
            options,
        )
    }

    /// As [`Linear::solve`], with vertices of which only a part is free. Their x must have the
    /// right held part.
    pub(crate) fn solve_held(
        &mut self,
        a: &BlockMatrix,
        held: Held,
        b: &[DVec3],
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        let pinned = held.whole;
        if options.method == Method::Cholesky && held.partly.is_empty() {
            let direct = self.cholesky.get_or_insert_with(|| Cholesky::new(a));
            if direct.factor(a, pinned) && direct.solve(a, pinned, b, x) {
                let residual = self.residual(a, pinned, b, x);
                self.gradients.product.copy_from_slice(&self.r);
                self.gradients.reached = true;
                return LinearReport { iterations: 0, residual };
            }
            // A matrix that cannot be factored is left to the gradients.
        }
        self.gradients.solve(a, held, b, x, options)
    }

    /// |A x − b| / |b|, pinned vertices left out.
    fn residual(&mut self, a: &BlockMatrix, pinned: &[bool], b: &[DVec3], x: &[DVec3]) -> f64 {
        a.multiply(x, &mut self.r);
        let (mut error, mut scale) = (0.0, 0.0);
        for i in (0..a.rows()).filter(|i| !pinned[*i]) {
            error += (self.r[i] - b[i]).length_squared();
            scale += b[i].length_squared();
        }
        if error == 0.0 { 0.0 } else { (error / scale).sqrt() }
    }
}
