//! Boxes around triangles, in a tree.
//!
//! Not parry's tree: sums over faces keep their bits because the order of these leaves never
//! changes, leaves hold four triangles, and each of a pair is refused in its own axes. Pairs of
//! meshes took 5 to 20 % longer with parry's.

use glamx::{DMat3, DVec3};

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aabb {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

/// Triangles in the leaves.
pub(super) const LEAF: usize = 4;

/// A binary tree of boxes. A node's first child follows it.
#[derive(Debug, Clone, Default)]
pub(super) struct Bvh {
    pub(super) nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    pub(super) order: Vec<u32>,
}

/// A box and what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    /// Its triangles in [`Bvh::order`].
    pub(super) first: u32,
    pub(super) count: u32,
    /// The second child; zero for a leaf.
    pub(super) second: u32,
}

impl Aabb {
    pub(super) const EMPTY: Aabb =
        Aabb { low: DVec3::splat(f64::INFINITY), high: DVec3::splat(f64::NEG_INFINITY) };

    pub(super) fn of(points: &[DVec3]) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for p in points {
            bounds.add(*p);
        }
        bounds
    }

    pub(super) fn add(&mut self, p: DVec3) {
        self.low = self.low.min(p);
        self.high = self.high.max(p);
    }

    pub(super) fn join(&mut self, other: &Aabb) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }

    pub(super) fn meets(&self, other: &Aabb) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    pub(super) fn holds(&self, other: &Aabb) -> bool {
        self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }

    pub(super) fn size(&self) -> DVec3 {
        self.high - self.low
    }

    /// The largest absolute coordinate.
    pub(super) fn magnitude(&self) -> f64 {
        self.low.abs().max(self.high.abs()).max_element()
    }
}

/// A turn, then a shift, of boxes; they grow by `pad`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) turn: DMat3,
    pub(super) shift: DVec3,
    pub(super) pad: f64,
    spread: DMat3,
}

impl Placement {
    pub(super) fn new(turn: DMat3, shift: DVec3, pad: f64) -> Placement {
        let spread = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        Placement { turn, shift, pad, spread }
    }

    /// The way back.
    pub(super) fn inverse(&self) -> Placement {
        let back = self.turn.transpose();
        Placement::new(back, -(back * self.shift), self.pad)
    }

    pub(super) fn point(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.shift
    }

    /// The box around a placed box.
    pub(super) fn bounds(&self, b: &Aabb) -> Aabb {
        let centre = self.turn * (0.5 * (b.low + b.high)) + self.shift;
        let half = self.spread * (0.5 * (b.high - b.low)) + DVec3::splat(self.pad);
        Aabb { low: centre - half, high: centre + half }
    }
}

impl Bvh {
    /// Halves the triangles at the median of the longest side, again and again.
    pub(super) fn new(positions: &[DVec3], triangles: &[[u32; 3]]) -> Bvh {
        let boxes: Vec<Aabb> =
            triangles.iter().map(|t| Aabb::of(&t.map(|c| positions[c as usize]))).collect();
        let mut tree = Bvh {
            nodes: Vec::with_capacity(2 * triangles.len().div_ceil(LEAF)),
            order: (0..triangles.len() as u32).collect(),
        };
        if !triangles.is_empty() {
            tree.grow(&boxes, 0, triangles.len());
        }
        tree
    }

    /// The box around everything.
    pub(super) fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |n| n.bounds)
    }

    /// The triangles below a node.
    pub(super) fn triangles(&self, node: &Node) -> &[u32] {
        &self.order[node.first as usize..(node.first + node.count) as usize]
    }

    fn grow(&mut self, boxes: &[Aabb], first: usize, count: usize) {
        let (mut bounds, mut middles) = (Aabb::EMPTY, Aabb::EMPTY);
        for t in &self.order[first..first + count] {
            let b = &boxes[*t as usize];
            bounds.join(b);
            middles.add(b.low + b.high);
        }
        let here = self.nodes.len();
        self.nodes.push(Node { bounds, first: first as u32, count: count as u32, second: 0 });
        if count <= LEAF {
            return;
        }
        let axis = middles.size().max_position();
        let key = |t: &u32| boxes[*t as usize].low[axis] + boxes[*t as usize].high[axis];
        let half = count / 2;
        self.order[first..first + count]
            .select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        self.grow(boxes, first, half);
        self.nodes[here].second = self.nodes.len() as u32;
        self.grow(boxes, first + half, count - half);
    }
}
