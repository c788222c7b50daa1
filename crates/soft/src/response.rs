//! What impulses do to a body within its implicit step: v = A⁻¹ (b + p) with the factored matrix A.

use glamx::{DMat3, DVec3};

use crate::cholesky::Cholesky;
use crate::{SoftBody, Trouble};

impl SoftBody {
    /// Begins an implicit step of `h` seconds that contacts will be part of: the matrix
    /// A = M + h D + h² K is factored, and the velocities become those without contacts. There is
    /// one Newton iteration. Positions stay. A body with bad numbers is stopped, as in
    /// [`SoftBody::free_velocities`].
    pub fn begin_response(&mut self, h: f64, gravity: DVec3) {
        if self.stopped.is_some() || self.stop_if_bad(h, gravity, &[]) {
            return;
        }
        self.linearise(h, gravity, &[], 0);
        let direct = self.linear.cholesky.get_or_insert_with(|| Cholesky::new(&self.matrix));
        let factored = direct.factor(&self.matrix, &self.pinned)
            && direct.solve(&self.matrix, &self.pinned, &self.scratch.force, &mut self.velocities);
        if !factored {
            // Positive definite by construction: only an overflow gets here.
            self.stop(Trouble { vertex: 0, field: "stiffness", value: DVec3::NAN });
        }
        self.stop_if_lost();
    }

    /// The blocks of A⁻¹ for these vertices, row by row: what an impulse on the j-th does to the
    /// velocity of the i-th. Those of pinned vertices, and of a stopped body, are zero.
    pub fn response(&self, vertices: &[u32]) -> Vec<DMat3> {
        let n = vertices.len();
        let moves = |v: &u32| self.stopped.is_none() && !self.pinned[*v as usize];
        let places: Vec<usize> = (0..n).filter(|k| moves(&vertices[*k])).collect();
        let moving: Vec<u32> = places.iter().map(|k| vertices[*k]).collect();
        let direct = self.linear.cholesky.as_ref();
        let inverse = direct.map_or_else(Vec::new, |c| c.inverse_at(&moving));
        if moving.len() == n {
            return inverse;
        }
        let mut all = vec![DMat3::ZERO; n * n];
        for (block, k) in inverse.into_iter().zip(0..) {
            let (i, j) = (k / moving.len(), k % moving.len());
            all[places[i] * n + places[j]] = block;
        }
        all
    }

    /// Ends the step that [`SoftBody::begin_response`] began: `impulses` (N s, one for each vertex)
    /// change the velocities `free` that it left.
    pub fn end_response(&mut self, free: &[DVec3], impulses: &[DVec3]) {
        if self.stopped.is_some() {
            return;
        }
        let change = &mut self.scratch.change;
        change.fill(DVec3::ZERO);
        if let Some(direct) = &mut self.linear.cholesky {
            direct.solve(&self.matrix, &self.pinned, impulses, change);
        }
        for ((v, free), change) in self.velocities.iter_mut().zip(free).zip(&*change) {
            *v = *free + *change;
        }
        self.stop_if_lost();
    }
}
