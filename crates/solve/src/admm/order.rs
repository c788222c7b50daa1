//! The order in which bodies are eliminated.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// When each of so many bodies is eliminated, by approximate least degree; `pairs` share a row.
pub(super) fn order(bodies: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut columns = vec![0_u32; bodies + 1];
    let mut sorted: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (*a.max(b), *a.min(b))).collect();
    sorted.sort_unstable();
    for (column, _) in &sorted {
        columns[*column as usize + 1] += 1;
    }
    for k in 0..bodies {
        columns[k + 1] += columns[k];
    }
    let rows: Vec<u32> = sorted.iter().map(|(_, row)| *row).collect();
    let upper = SymbolicSparseColMatRef::new_checked(bodies, bodies, &columns, None, &rows);
    let (mut order, mut place) = (vec![0_u32; bodies], vec![0_u32; bodies]);
    let mut memory = MemBuffer::new(amd::order_scratch::<u32>(bodies, rows.len()));
    let stack = MemStack::new(&mut memory);
    let done = amd::order(&mut order, &mut place, upper, amd::Control::default(), stack);
    if done.is_err() {
        return (0..bodies as u32).collect();
    }
    place
}
