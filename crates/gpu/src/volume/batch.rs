//! Pairs that fit into the adapter's memory together.

use super::pair::{Placed, ROWS, SUMS};
use super::run::RAYS;
use super::tree::Tree;
use super::{RayPair, Row};
use crate::RenderError;

/// What one run of the kernels reads.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    trees: &'a [Tree],
    /// Bytes of a buffer, at most.
    most: u64,
    /// Meshes.
    pub(super) geometry: Vec<Row>,
    /// [`ROWS`] for each pair.
    pub(super) rows: Vec<Row>,
    /// Numbers of the pairs.
    pub(super) pairs: Vec<usize>,
    /// Workgroups of all pairs.
    pub(super) groups: u32,
    /// Where each mesh begins in the geometry.
    starts: Vec<Option<u32>>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(trees: &'a [Tree], most: u64) -> Batch<'a> {
        Batch {
            trees,
            most,
            geometry: Vec::new(),
            rows: Vec::new(),
            pairs: Vec::new(),
            groups: 0,
            starts: vec![None; trees.len()],
        }
    }

    /// Takes as many pairs as there is room for, from one on, and says which is next. Pairs that are
    /// nowhere near each other are passed over.
    pub(super) fn fill(
        &mut self,
        from: usize,
        pairs: &[RayPair],
        placed: &[Option<Placed>],
    ) -> Result<usize, RenderError> {
        self.geometry.clear();
        self.rows.clear();
        self.pairs.clear();
        self.groups = 0;
        self.starts.fill(None);
        for number in from..pairs.len() {
            let Some(placed) = &placed[number] else { continue };
            let pair = &pairs[number];
            let groups = placed.rays().div_ceil(RAYS);
            if let Some(needed) = self.lacks(pair, groups) {
                if self.pairs.is_empty() {
                    return Err(RenderError::Adapter(format!(
                        "pair {number} needs {needed} bytes in one buffer and there may be {}; take smaller meshes or fewer rays, or cast rays on the CPU",
                        self.most
                    )));
                }
                return Ok(number);
            }
            let meshes = [pair.a, pair.b].map(|mesh| (self.start(mesh), self.trees[mesh].nodes));
            placed.write(self.groups, meshes, &mut self.rows);
            self.pairs.push(number);
            self.groups += groups;
        }
        Ok(pairs.len())
    }

    /// Bytes of a buffer that would be too large with one more pair.
    fn lacks(&self, pair: &RayPair, groups: u32) -> Option<u64> {
        let new = |mesh: usize| match self.starts[mesh] {
            None => self.trees[mesh].rows.len(),
            Some(_) => 0,
        };
        let other = if pair.b == pair.a { 0 } else { new(pair.b) };
        let rows = self.geometry.len() + new(pair.a) + other;
        let geometry = (rows * size_of::<Row>()) as u64;
        let records = ((self.rows.len() + ROWS) * size_of::<Row>()) as u64;
        let sums = (u64::from(self.groups) + u64::from(groups)) * (SUMS * size_of::<f32>()) as u64;
        [geometry, records, sums].into_iter().find(|bytes| *bytes > self.most)
    }

    fn start(&mut self, mesh: usize) -> u32 {
        *self.starts[mesh].get_or_insert_with(|| {
            let start = self.geometry.len() as u32;
            self.geometry.extend_from_slice(&self.trees[mesh].rows);
            start
        })
    }
}
