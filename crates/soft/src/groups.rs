//! Groups of vertices for the coarse correction.

use glamx::DVec3;

use crate::system::BlockMatrix;

/// Groups of neighbouring vertices, with weights that fall off smoothly from one group to the next.
/// The weights of a vertex add up to one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Groups {
    /// Groups of each vertex.
    shares: Vec<[(u32, f64); SHARES]>,
    /// Vertices of each group, and where those of each begin.
    members: Vec<(u32, f64)>,
    start: Vec<u32>,
}

/// Groups that a vertex belongs to at most.
const SHARES: usize = 6;
/// Times that weights are averaged over neighbours.
const SWEEPS: usize = 4;
const NONE: u32 = u32::MAX;

impl Groups {
    /// Groups of about `size` vertices that are near each other in the pattern of `a`.
    pub(crate) fn new(a: &BlockMatrix, size: usize) -> Groups {
        let (group, count) = cut(a, size);
        let mut shares: Vec<_> = group
            .iter()
            .map(|g| {
                let mut list = [(NONE, 0.0); SHARES];
                list[0] = (*g, 1.0);
                list
            })
            .collect();
        for _ in 0..SWEEPS {
            shares = (0..group.len()).map(|i| average(a, i, &shares)).collect();
        }
        let mut of: Vec<Vec<(u32, f64)>> = vec![Vec::new(); count];
        for (i, list) in shares.iter().enumerate() {
            for (g, weight) in list.iter().filter(|(g, _)| *g != NONE) {
                of[*g as usize].push((i as u32, *weight));
            }
        }
        let mut groups = Groups { shares, members: Vec::new(), start: vec![0] };
        for list in of {
            groups.members.extend(list);
            groups.start.push(groups.members.len() as u32);
        }
        groups
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Groups of a vertex, with weights.
    #[inline]
    pub(crate) fn of(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let list = self.shares[vertex].iter().take_while(|(g, _)| *g != NONE);
        list.map(|(g, weight)| (*g as usize, *weight))
    }

    /// Vertices of a group, with weights.
    pub(crate) fn members(&self, group: usize) -> &[(u32, f64)] {
        &self.members[self.start[group] as usize..self.start[group + 1] as usize]
    }

    /// Weighted sum over a group.
    pub(crate) fn sum(&self, group: usize, r: &[DVec3]) -> DVec3 {
        self.members(group).iter().map(|(i, weight)| r[*i as usize] * *weight).sum()
    }
}

/// The group of each vertex, and how many groups there are.
fn cut(a: &BlockMatrix, size: usize) -> (Vec<u32>, usize) {
    let n = a.rows();
    let mut group = vec![NONE; n];
    let mut count = 0;
    let mut queue = Vec::with_capacity(size);
    for seed in 0..n {
        if group[seed] != NONE {
            continue;
        }
        queue.clear();
        queue.push(seed);
        group[seed] = count;
        let mut next = 0;
        while next < queue.len() && queue.len() < size {
            for (j, _) in a.row(queue[next]) {
                if group[j] == NONE && queue.len() < size {
                    group[j] = count;
                    queue.push(j);
                }
            }
            next += 1;
        }
        // A few that are left over join a neighbour.
        let beside = queue.iter().flat_map(|i| a.row(*i)).map(|(j, _)| group[j]);
        let joined = beside.into_iter().find(|g| *g != count && *g != NONE);
        match joined {
            Some(other) if queue.len() < size / 4 => {
                for i in &queue {
                    group[*i] = other;
                }
            }
            _ => count += 1,
        }
    }
    (group, count as usize)
}

/// The mean weights of a vertex and its neighbours; the largest ones.
fn average(a: &BlockMatrix, i: usize, of: &[[(u32, f64); SHARES]]) -> [(u32, f64); SHARES] {
    let mut sums: Vec<(u32, f64)> = Vec::new();
    for (g, weight) in a.row(i).flat_map(|(j, _)| of[j]).filter(|(g, _)| *g != NONE) {
        match sums.iter_mut().find(|(h, _)| *h == g) {
            Some((_, sum)) => *sum += weight,
            None => sums.push((g, weight)),
        }
    }
    sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sums.truncate(SHARES);
    let total: f64 = sums.iter().map(|(_, w)| w).sum();
    let mut list = [(NONE, 0.0); SHARES];
    for (out, (g, w)) in list.iter_mut().zip(sums) {
        *out = (g, w / total);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_vertex_add_up_to_one_and_members_mirror_them() {
        let chain: Vec<[u32; 2]> = (0..99).map(|i| [i, i + 1]).collect();
        let a = BlockMatrix::new(100, &mut chain.iter().map(<[u32; 2]>::as_slice));
        let groups = Groups::new(&a, 10);
        assert!((8..=12).contains(&groups.count()), "{}", groups.count());
        for i in 0..100 {
            let total: f64 = groups.of(i).map(|(_, w)| w).sum();
            assert!((total - 1.0).abs() < 1e-14);
            for (g, w) in groups.of(i) {
                assert!(groups.members(g).contains(&(i as u32, w)));
            }
        }
        let ones = vec![DVec3::ONE; 100];
        let all: DVec3 = (0..groups.count()).map(|g| groups.sum(g, &ones)).sum();
        assert!((all - DVec3::splat(100.0)).length() < 1e-11);
    }
}
