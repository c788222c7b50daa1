//! Cells in groups, so that loops over them use whatever vectors the machine has. The
//! groups, and the order of sums, are the same everywhere, and so are the bits.

use glamx::{DVec2, DVec3};

/// Cells in a group.
pub(crate) const LANES: usize = 32;

/// Numbers of a group, one per cell.
pub(crate) type Lanes = [f64; LANES];

/// Cells of a patch; the last group is filled up with cells that carry nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Cells {
    pub(crate) chunks: Vec<Chunk>,
}

/// Places from the centre of pressure, and shares of the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chunk {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) share: Lanes,
}

impl Cells {
    pub(crate) fn new(cells: impl Iterator<Item = (DVec2, f64)>) -> Cells {
        let mut chunks: Vec<Chunk> = Vec::new();
        for (i, (at, share)) in cells.enumerate() {
            if i % LANES == 0 {
                chunks.push(Chunk { x: [0.0; LANES], y: [0.0; LANES], share: [0.0; LANES] });
            }
            if let Some(chunk) = chunks.last_mut() {
                let l = i % LANES;
                (chunk.x[l], chunk.y[l], chunk.share[l]) = (at.x, at.y, share);
            }
        }
        Cells { chunks }
    }
}

/// Sums over the cells of a force and its torque.
pub(crate) struct Sums {
    pub(crate) fx: Lanes,
    pub(crate) fy: Lanes,
    pub(crate) torque: Lanes,
}

impl Sums {
    pub(crate) const ZERO: Sums = Sums { fx: [0.0; LANES], fy: [0.0; LANES], torque: [0.0; LANES] };

    /// The opposing wrench: minus the sums, in a fixed order.
    #[inline(always)]
    pub(crate) fn opposing(&self) -> DVec3 {
        -DVec3::new(total(&self.fx), total(&self.fy), total(&self.torque))
    }
}

#[inline(always)]
fn total(lanes: &Lanes) -> f64 {
    let mut lanes = *lanes;
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            lanes[l] += lanes[l + width];
        }
        width /= 2;
    }
    lanes[0]
}
