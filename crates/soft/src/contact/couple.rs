//! What contacts do to each other through the bodies that they touch.

use asperity_friction::ContactFrame;
use glamx::{DMat3, DVec3};
use rayon::prelude::*;

use crate::SoftBody;

/// One degree-of-freedom block at a contact: point velocity = linear + angular × arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// A vertex, or a rigid body after all vertices.
    pub(super) block: usize,
    pub(super) weight: f64,
    pub(super) arm: DVec3,
}

/// The velocities of all rows for impulses in all rows, H A⁻¹ Hᵀ, row by row: `rows` for each
/// contact, along the axes (normal, t, b) of its frame. Each of `bodies` is given with its first
/// vertex.
pub(super) fn couple(
    touched: &[[Option<Touch>; 5]],
    frames: &[ContactFrame],
    rows: usize,
    vertices: usize,
    bodies: &[(usize, &SoftBody)],
) -> Vec<f64> {
    let responses: Vec<Response> =
        bodies.iter().map(|(first, body)| Response::new(touched, *first, body)).collect();
    let mut owner = vec![usize::MAX; vertices];
    for (k, (first, body)) in bodies.iter().enumerate() {
        owner[*first..*first + body.positions.len()].fill(k);
    }
    let size = rows * touched.len();
    let mut values = vec![0.0; size * size];
    let axes = |frame: &ContactFrame| DMat3::from_cols(frame.normal, frame.t, frame.b);
    let fill = |(c, out): (usize, &mut [f64])| {
        let turn = axes(&frames[c]).transpose();
        for (d, other) in touched.iter().enumerate() {
            let mut sum = DMat3::ZERO;
            for a in touched[c].iter().flatten().filter(|t| t.block < vertices) {
                let Some(response) = responses.get(owner[a.block]) else { continue };
                for b in other.iter().flatten().filter(|t| t.block < vertices) {
                    if owner[b.block] == owner[a.block] {
                        sum += *response.block(a.block, b.block) * (a.weight * b.weight);
                    }
                }
            }
            if sum == DMat3::ZERO {
                continue;
            }
            let local = turn * sum * axes(&frames[d]);
            for i in 0..rows {
                for j in 0..rows {
                    out[i * size + rows * d + j] = local.col(j)[i];
                }
            }
        }
    };
    if size > 0 {
        values.par_chunks_mut(rows * size).enumerate().for_each(fill);
    }
    values
}

/// What impulses on the touched vertices of a body do to them.
struct Response {
    first: usize,
    /// Place of each vertex among those touched.
    place: Vec<u32>,
    count: usize,
    blocks: Vec<DMat3>,
}

impl Response {
    fn new(touched: &[[Option<Touch>; 5]], first: usize, body: &SoftBody) -> Response {
        let range = first..first + body.positions.len();
        let mut list: Vec<u32> = touched
            .iter()
            .flatten()
            .flatten()
            .filter(|t| range.contains(&t.block))
            .map(|t| (t.block - first) as u32)
            .collect();
        list.sort_unstable();
        list.dedup();
        let mut place = vec![0; body.positions.len()];
        for (k, v) in (0..).zip(&list) {
            place[*v as usize] = k;
        }
        Response { first, place, count: list.len(), blocks: body.response(&list) }
    }

    fn block(&self, a: usize, b: usize) -> &DMat3 {
        let [a, b] = [a, b].map(|v| self.place[v - self.first] as usize);
        &self.blocks[a * self.count + b]
    }
}
