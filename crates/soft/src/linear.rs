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

/// What a linear solve leaves alone, and what it adds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held<'a> {
    /// Vertices whose values stay.
    pub(crate) whole: &'a [bool],
    /// Vertices of which a part stays. None of them is in `whole`.
    pub(crate) partly: &'a [Partly],
    /// The right-hand side that residuals are relative to: without what `drag` adds.
    pub(crate) scale: &'a [DVec3],
    /// Whether the coarse correction of the last solve is good enough: the matrix is the same,
    /// and about the same vertices are held.
    pub(crate) like_last: bool,
}

/// A vertex that is free along some directions only, with a block of its own in the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Partly {
    pub(crate) vertex: usize,
    /// Projects on the free directions.
    pub(crate) free: DMat3,
    /// Added to the diagonal block. Symmetric, positive semi-definite.
    pub(crate) drag: DMat3,
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
        self.solve_held(
            a,
            Held { whole: pinned, partly: &[], scale: b, like_last: false },
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
            if direct.solve(a, pinned, b, x) {
                let residual = self.residual(a, pinned, b, x);
                return LinearReport { iterations: 0, residual };
            }
            // A matrix that cannot be factored is left to the gradients.
        }
        self.gradients(a, held, b, x, options)
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
        held: Held,
        b: &[DVec3],
        x: &mut [DVec3],
        options: &LinearOptions,
    ) -> LinearReport {
        let n = a.rows();
        let Held { whole: pinned, partly, scale, like_last } = held;
        for i in 0..n {
            self.inverse[i] = if pinned[i] { DMat3::ZERO } else { inverse(a.diagonal(i)) };
        }
        for p in partly {
            self.inverse[p.vertex] = p.inverse(a.diagonal(p.vertex));
        }
        let fresh = self.coarse.is_none() || !like_last;
        let coarse = self.coarse.get_or_insert_with(|| Coarse::new(a));
        if fresh {
            coarse.factor(a, pinned);
        }
        // The preconditioner is zero on what is held, so that it never moves.
        self.r.copy_from_slice(scale);
        project(partly, &mut self.r);
        for i in 0..n {
            self.z[i] = self.inverse[i] * self.r[i];
        }
        coarse.correct(pinned, &self.r, &mut self.z);
        project(partly, &mut self.z);
        let scale = dot(&self.r, &self.z);
        a.multiply(x, &mut self.r);
        add_drag(partly, x, &mut self.r);
        for i in 0..n {
            self.r[i] = if pinned[i] { DVec3::ZERO } else { b[i] - self.r[i] };
        }
        project(partly, &mut self.r);
        for i in 0..n {
            self.z[i] = self.inverse[i] * self.r[i];
        }
        coarse.correct(pinned, &self.r, &mut self.z);
        project(partly, &mut self.z);
        let mut rz = dot(&self.r, &self.z);
        let aim = options.tolerance * options.tolerance * scale.max(rz * f64::EPSILON);
        let mut report = LinearReport { iterations: 0, residual: ratio(rz, scale) };
        self.p.copy_from_slice(&self.z);
        while rz > aim && report.iterations < options.max_iterations {
            a.multiply(&self.p, &mut self.ap);
            add_drag(partly, &self.p, &mut self.ap);
            project(partly, &mut self.ap);
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
            project(partly, &mut self.z);
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

impl Partly {
    /// The inverse of a diagonal block on the free directions; zero on the others.
    fn inverse(&self, block: &DMat3) -> DMat3 {
        let size = block.x_axis.x + block.y_axis.y + block.z_axis.z;
        let own = self.free * (*block + self.drag) * self.free;
        self.free * inverse(&(own + (DMat3::IDENTITY - self.free) * size)) * self.free
    }
}

/// Takes the held part away.
fn project(partly: &[Partly], x: &mut [DVec3]) {
    for p in partly {
        x[p.vertex] = p.free * x[p.vertex];
    }
}

/// y += drag x.
fn add_drag(partly: &[Partly], x: &[DVec3], y: &mut [DVec3]) {
    for p in partly {
        y[p.vertex] += p.drag * x[p.vertex];
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
