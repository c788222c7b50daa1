//! A tree of boxes that is built once and refitted as its items move.

use glamx::DVec3;
use rayon::prelude::*;

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

impl Aabb {
    /// Holds nothing and overlaps nothing.
    pub const EMPTY: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around points.
    #[inline]
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |b, p| Aabb { min: b.min.min(p), max: b.max.max(p) })
    }

    /// Grown by a margin on every side.
    #[inline]
    #[must_use]
    pub fn grown(self, margin: f64) -> Aabb {
        Aabb { min: self.min - margin, max: self.max + margin }
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn merged(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the two share a point.
    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        let (a, b) = (self, other);
        a.min.x <= b.max.x
            && b.min.x <= a.max.x
            && a.min.y <= b.max.y
            && b.min.y <= a.max.y
            && a.min.z <= b.max.z
            && b.min.z <= a.max.z
    }

    /// Sum of the three sides; zero for an empty box.
    #[inline]
    fn extent(&self) -> f64 {
        let d = self.max - self.min;
        (d.x + d.y + d.z).max(0.0)
    }
}

/// A binary tree over numbered boxes. The same boxes make the same tree.
#[derive(Debug, Clone, Default)]
pub struct Bvh {
    /// Depth first: the left child of node i is i + 1.
    nodes: Vec<Node>,
    /// Items in the order of the leaves, and their boxes.
    items: Vec<u32>,
    boxes: Vec<Aabb>,
    /// Which of them are to be tested; none means all.
    active: Vec<bool>,
    /// Sum of the boxes' sizes when the tree was built.
    built: f64,
    /// For each item what it is akin to: pairs of the same kin are not visited. None given, or
    /// [`Bvh::NO_KIN`], means no kin.
    kin: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    /// Right child; for a leaf, its first item.
    next: u32,
    /// Items of a leaf; zero for an inner node.
    count: u32,
    /// Whether anything below is to be tested.
    active: bool,
    /// The kin that all below are of.
    kin: u32,
}

/// Most items of a leaf.
const LEAF: usize = 2;

/// Pieces that a search is cut into, at least. A fixed number, so that threads have no say.
const PIECES: usize = 64;

/// Items below which other threads are not worth waking.
const SMALL: usize = 2048;

/// How much longer the boxes of inner nodes may become, in sum, before the tree is built anew.
const STRETCH: f64 = 1.5;

impl Bvh {
    /// An item that is akin to none.
    pub const NO_KIN: u32 = u32::MAX;

    /// A tree over no boxes yet, which leaves out pairs of items of the same kin.
    pub fn of_kin(kin: Vec<u32>) -> Bvh {
        Bvh { kin, ..Bvh::default() }
    }

    /// A tree over these boxes.
    pub fn build(boxes: &[Aabb]) -> Bvh {
        let mut tree = Bvh::default();
        tree.rebuild(boxes);
        tree
    }

    fn rebuild(&mut self, boxes: &[Aabb]) {
        self.items.clear();
        self.items.extend(0..boxes.len() as u32);
        self.nodes.clear();
        let middle = |b: &Aabb| {
            let m = b.min + b.max;
            if m.is_finite() { m } else { DVec3::ZERO }
        };
        let centres: Vec<DVec3> = boxes.iter().map(middle).collect();
        if !boxes.is_empty() {
            let mut items = std::mem::take(&mut self.items);
            split(&mut self.nodes, &mut items, 0, &centres);
            self.items = items;
        }
        self.find_kin();
        self.fit(boxes);
        self.built = self.size();
    }

    fn find_kin(&mut self) {
        let of = |i: &u32| self.kin.get(*i as usize).copied().unwrap_or(Bvh::NO_KIN);
        for i in (0..self.nodes.len()).rev() {
            let Node { next, count, .. } = self.nodes[i];
            self.nodes[i].kin = if count == 0 {
                common([self.nodes[i + 1].kin, self.nodes[next as usize].kin].into_iter())
            } else {
                common(self.items[next as usize..(next + count) as usize].iter().map(of))
            };
        }
    }

    /// Follows boxes that moved; builds anew where the tree has become loose, and for another
    /// number of boxes.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        let mut anew = boxes.len() != self.items.len();
        if !anew {
            self.fit(boxes);
            let size = self.size();
            anew = size > STRETCH * self.built && size.is_finite();
        }
        if anew {
            self.rebuild(boxes);
        }
    }

    /// Tells which items are to be tested: pairs of two others are not visited. None given means
    /// all, which is also how it is after refitting.
    pub fn mark(&mut self, active: Option<&[bool]>) {
        self.active.clear();
        if let Some(list) = active {
            self.active.extend(self.items.iter().map(|i| list[*i as usize]));
        }
        for i in (0..self.nodes.len()).rev() {
            let Node { next, count, .. } = self.nodes[i];
            self.nodes[i].active = if count == 0 {
                self.nodes[i + 1].active || self.nodes[next as usize].active
            } else {
                let items = next as usize..(next + count) as usize;
                self.active.is_empty() || self.active[items].iter().any(|a| *a)
            };
        }
    }

    fn fit(&mut self, boxes: &[Aabb]) {
        self.active.clear();
        self.boxes.clear();
        self.boxes.extend(self.items.iter().map(|i| boxes[*i as usize]));
        for i in (0..self.nodes.len()).rev() {
            let Node { next, count, .. } = self.nodes[i];
            self.nodes[i].active = true;
            self.nodes[i].bounds = if count == 0 {
                self.nodes[i + 1].bounds.merged(self.nodes[next as usize].bounds)
            } else {
                let leaf = next as usize..(next + count) as usize;
                self.boxes[leaf].iter().fold(Aabb::EMPTY, |a, b| a.merged(*b))
            };
        }
    }

    fn size(&self) -> f64 {
        self.nodes.iter().map(|n| n.bounds.extent()).sum()
    }

    /// Calls `visit` once for every two items whose boxes overlap, on all threads, with a list to
    /// add to. The lists come back in `found`, in an order that the tree alone decides.
    pub fn self_overlaps<T: Send>(
        &self,
        found: &mut Vec<Found<T>>,
        visit: impl Fn(u32, u32, &mut Vec<T>) + Sync,
    ) {
        let mut pieces: Vec<(u32, u32)> = Vec::with_capacity(4 * PIECES);
        if !self.nodes.is_empty() {
            pieces.push((0, 0));
        }
        let mut next = 0;
        while next < pieces.len() && pieces.len() - next < PIECES {
            let (a, b) = pieces[next];
            next += 1;
            if !self.open(a, b, &mut pieces) {
                // Leaves stay a piece; nothing behind them is opened any further.
                next -= 1;
                break;
            }
        }
        let pieces = &pieces[next..];
        found.resize_with(found.len().max(pieces.len()), Found::default);
        for f in &mut *found {
            f.items.clear();
        }
        let search = |(out, (a, b)): (&mut Found<T>, &(u32, u32))| {
            self.search(*a, *b, &mut out.items, &visit);
        };
        if self.items.len() < SMALL {
            found.iter_mut().zip(pieces).for_each(search);
        } else {
            found.par_iter_mut().zip(pieces).for_each(search);
        }
    }

    /// Adds the pairs of overlapping nodes below a pair; false if both are leaves.
    fn open(&self, a: u32, b: u32, out: &mut Vec<(u32, u32)>) -> bool {
        let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let mut add = |a: u32, b: u32| {
            if self.worth(a, b) {
                out.push((a, b));
            }
        };
        if x.count > 0 && y.count > 0 {
            return false;
        }
        if a == b {
            add(a + 1, a + 1);
            add(a + 1, x.next);
            add(x.next, x.next);
        } else if x.count == 0 && (y.count > 0 || x.bounds.extent() >= y.bounds.extent()) {
            add(a + 1, b);
            add(x.next, b);
        } else {
            add(a, b + 1);
            add(a, y.next);
        }
        true
    }

    /// Whether anything below two nodes may have to be visited.
    #[inline]
    fn worth(&self, a: u32, b: u32) -> bool {
        let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let akin = x.kin == y.kin && x.kin != Bvh::NO_KIN;
        !akin && (x.active || y.active) && (a == b || x.bounds.overlaps(&y.bounds))
    }

    /// Whether two items, by their order in the leaves, are of the same kin.
    fn akin(&self, i: usize, j: usize) -> bool {
        let of = |k: usize| self.kin.get(self.items[k] as usize).copied();
        of(i).is_some_and(|kin| kin != Bvh::NO_KIN && of(j) == Some(kin))
    }

    fn search<T>(&self, a: u32, b: u32, out: &mut Vec<T>, visit: &impl Fn(u32, u32, &mut Vec<T>)) {
        let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        if !self.worth(a, b) {
            return;
        }
        if x.count > 0 && y.count > 0 {
            for i in x.next as usize..(x.next + x.count) as usize {
                let first = if a == b { i + 1 } else { y.next as usize };
                for j in first..(y.next + y.count) as usize {
                    if !self.active.is_empty() && !self.active[i] && !self.active[j] {
                        continue;
                    }
                    if !self.kin.is_empty() && self.akin(i, j) {
                        continue;
                    }
                    if self.boxes[i].overlaps(&self.boxes[j]) {
                        visit(self.items[i], self.items[j], out);
                    }
                }
            }
        } else if a == b {
            self.search(a + 1, a + 1, out, visit);
            self.search(a + 1, x.next, out, visit);
            self.search(x.next, x.next, out, visit);
        } else if x.count == 0 && (y.count > 0 || x.bounds.extent() >= y.bounds.extent()) {
            self.search(a + 1, b, out, visit);
            self.search(x.next, b, out, visit);
        } else {
            self.search(a, b + 1, out, visit);
            self.search(a, y.next, out, visit);
        }
    }
}

/// What all have in common, or none.
fn common(mut kin: impl Iterator<Item = u32>) -> u32 {
    let first = kin.next().unwrap_or(Bvh::NO_KIN);
    if kin.all(|k| k == first) { first } else { Bvh::NO_KIN }
}

/// What one piece of a search found.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// In order.
    pub items: Vec<T>,
}

impl<T> Default for Found<T> {
    fn default() -> Found<T> {
        Found { items: Vec::new() }
    }
}

/// Makes the nodes of `items`, which start at `first` of all items: halves along the longest side
/// of their centres.
fn split(nodes: &mut Vec<Node>, items: &mut [u32], first: usize, centres: &[DVec3]) {
    let me = nodes.len();
    nodes.push(Node {
        bounds: Aabb::EMPTY,
        next: first as u32,
        count: items.len() as u32,
        active: true,
        kin: Bvh::NO_KIN,
    });
    if items.len() <= LEAF {
        return;
    }
    let b = Aabb::around(items.iter().map(|i| centres[*i as usize]));
    let size = b.max - b.min;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let middle = items.len() / 2;
    let key = |i: &u32| centres[*i as usize][axis];
    items.select_nth_unstable_by(middle, |i, j| key(i).total_cmp(&key(j)).then(i.cmp(j)));
    let (left, right) = items.split_at_mut(middle);
    left.sort_unstable();
    right.sort_unstable();
    split(nodes, left, first, centres);
    nodes[me].next = nodes.len() as u32;
    nodes[me].count = 0;
    split(nodes, right, first + middle, centres);
}
