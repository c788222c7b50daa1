use glamx::{DMat3, DVec3};

use crate::system::BlockMatrix;

/// A coarse correction for conjugate gradients: groups of neighbouring vertices move as wholes.
/// What is smooth over the body is found at once instead of vertex by vertex.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coarse {
    /// Group of each vertex.
    group: Vec<u32>,
    count: usize,
    /// Lower Cholesky factor, row by row, 3 count × 3 count.
    factor: Vec<f64>,
    x: Vec<f64>,
    usable: bool,
}

/// Bodies with fewer vertices are small enough without groups.
const FEWEST: usize = 150;
/// Groups at most, roughly.
const MOST: usize = 160;

impl Coarse {
    /// Groups of vertices that are near each other in the pattern of `a`.
    pub(crate) fn new(a: &BlockMatrix) -> Coarse {
        let n = a.rows();
        if n < FEWEST {
            return Coarse::default();
        }
        let size = (n / MOST).max(24);
        let mut group = vec![u32::MAX; n];
        let mut count = 0;
        let mut queue = Vec::with_capacity(size);
        for seed in 0..n {
            if group[seed] != u32::MAX {
                continue;
            }
            queue.clear();
            queue.push(seed);
            group[seed] = count;
            let mut next = 0;
            while next < queue.len() && queue.len() < size {
                for (j, _) in a.row(queue[next]) {
                    if group[j] == u32::MAX && queue.len() < size {
                        group[j] = count;
                        queue.push(j);
                    }
                }
                next += 1;
            }
            // A few that are left over join a neighbour.
            let beside = queue.iter().flat_map(|i| a.row(*i)).map(|(j, _)| group[j]);
            let joined = beside.into_iter().find(|g| *g != count && *g != u32::MAX);
            match joined {
                Some(other) if queue.len() < size / 4 => {
                    for i in &queue {
                        group[*i] = other;
                    }
                }
                _ => count += 1,
            }
        }
        let rows = 3 * count as usize;
        Coarse {
            group,
            count: count as usize,
            factor: vec![0.0; rows * rows],
            x: vec![0.0; rows],
            usable: false,
        }
    }

    /// Sums the matrix over groups and factors the result.
    pub(crate) fn factor(&mut self, a: &BlockMatrix, pinned: &[bool]) {
        let rows = 3 * self.count;
        self.usable = false;
        if rows == 0 {
            return;
        }
        self.factor.fill(0.0);
        for i in (0..a.rows()).filter(|i| !pinned[*i]) {
            let g = self.group[i] as usize;
            for (j, block) in a.row(i).filter(|(j, _)| !pinned[*j]) {
                let h = self.group[j] as usize;
                if h <= g {
                    self.add(3 * g, 3 * h, block);
                }
            }
        }
        self.usable = cholesky(&mut self.factor, rows);
    }

    fn add(&mut self, row: usize, column: usize, block: &DMat3) {
        let rows = 3 * self.count;
        for c in 0..3 {
            let v = block.col(c);
            for r in 0..3 {
                self.factor[(row + r) * rows + column + c] += v[r];
            }
        }
    }

    /// z += Z (Zᵀ A Z)⁻¹ Zᵀ r.
    pub(crate) fn correct(&mut self, pinned: &[bool], r: &[DVec3], z: &mut [DVec3]) {
        if !self.usable {
            return;
        }
        let rows = 3 * self.count;
        self.x.fill(0.0);
        for (i, v) in r.iter().enumerate().filter(|(i, _)| !pinned[*i]) {
            let g = 3 * self.group[i] as usize;
            for k in 0..3 {
                self.x[g + k] += v[k];
            }
        }
        let (l, x) = (&self.factor, &mut self.x);
        for i in 0..rows {
            let (done, rest) = x.split_at_mut(i);
            let row = &l[i * rows..i * rows + i];
            let sum: f64 = row.iter().zip(&*done).map(|(a, b)| a * b).sum();
            rest[0] = (rest[0] - sum) / l[i * rows + i];
        }
        for i in (0..rows).rev() {
            let value = x[i] / l[i * rows + i];
            x[i] = value;
            let row = &l[i * rows..i * rows + i];
            for (out, a) in x[..i].iter_mut().zip(row) {
                *out -= a * value;
            }
        }
        for (i, v) in z.iter_mut().enumerate().filter(|(i, _)| !pinned[*i]) {
            let g = 3 * self.group[i] as usize;
            *v += DVec3::new(x[g], x[g + 1], x[g + 2]);
        }
    }
}

/// The lower factor in place; false if the matrix is not positive definite. Groups without a free
/// vertex have rows of zeros and get ones on the diagonal.
fn cholesky(a: &mut [f64], n: usize) -> bool {
    for i in 0..n {
        let (above, here) = a.split_at_mut(i * n);
        let row = &mut here[..n];
        if row[i] == 0.0 {
            row[i] = 1.0;
        }
        for j in 0..i {
            let other = &above[j * n..=j * n + j];
            let sum: f64 = row[..j].iter().zip(other).map(|(x, y)| x * y).sum();
            row[j] = (row[j] - sum) / other[j];
        }
        let rest = row[i] - row[..i].iter().map(|x| x * x).sum::<f64>();
        if !(rest > 0.0) {
            return false;
        }
        row[i] = rest.sqrt();
    }
    true
}
