//! Elastic states, forces and the matrix M + hD + h²K of a body.

use glamx::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::body::Elements;
use crate::cloth::{BendingPatchState, MembraneTangent};
use crate::matrix_origin::MatrixOrigin;
use crate::step::Scratch;
use crate::system::{ALONE, BlockMatrix, CHUNK};
use crate::{LinearReport, SoftBody};

/// Which blocks of which elements make up each block of the matrix, in a fixed order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gather {
    lists: [List; ELEMENT_KINDS.len()],
    /// The stiffness of patches, which never changes: a multiple of 1 for each block.
    constant: Vec<f64>,
}

/// The entries of one kind of element, and where those of each block begin.
#[derive(Debug, Clone, Default)]
struct List {
    start: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    element: u32,
    i: u8,
    j: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    Membrane,
    Hinge,
    Patch,
    Tet,
}

const ELEMENT_KINDS: [ElementKind; 4] =
    [ElementKind::Membrane, ElementKind::Hinge, ElementKind::Patch, ElementKind::Tet];

/// The matrix is mass·M + elastic·K + viscous·D.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    pub(crate) mass: f64,
    pub(crate) elastic: f64,
    pub(crate) viscous: f64,
}

impl List {
    /// The entries of a block.
    #[inline(always)]
    fn of(&self, block: usize) -> &[Entry] {
        &self.entries[self.start[block] as usize..self.start[block + 1] as usize]
    }
}

impl Scratch {
    pub(crate) fn new(elements: &Elements, matrix: &BlockMatrix) -> Scratch {
        let n = matrix.rows();
        let mut blocks: Vec<[Vec<Entry>; ELEMENT_KINDS.len()]> =
            vec![Default::default(); matrix.blocks()];
        let mut add = |kind: ElementKind, element: usize, vertices: &[u32]| {
            for (i, a) in vertices.iter().enumerate() {
                for (j, b) in vertices.iter().enumerate() {
                    let at = matrix.find(*a as usize, *b as usize);
                    if let Some(at) = at.filter(|_| a <= b) {
                        let entry = Entry { element: element as u32, i: i as u8, j: j as u8 };
                        blocks[at][kind as usize].push(entry);
                    }
                }
            }
        };
        for (k, m) in elements.membranes.iter().enumerate() {
            add(ElementKind::Membrane, k, &m.vertices);
        }
        for (k, m) in elements.hinges.iter().enumerate() {
            add(ElementKind::Hinge, k, &m.vertices);
        }
        for (k, m) in elements.patches.iter().enumerate() {
            add(ElementKind::Patch, k, m.members());
        }
        for (k, m) in elements.tets.iter().enumerate() {
            add(ElementKind::Tet, k, &m.vertices);
        }
        let stiffness = |e: &Entry| {
            elements.patches[e.element as usize].stiffness((e.i as usize, e.j as usize))
        };
        let constant = blocks
            .iter()
            .map(|b| b[ElementKind::Patch as usize].iter().map(stiffness).sum())
            .collect();
        let still = elements.weave.is_none_or(|w| w.damping == 0.0);
        let mut gather = Gather { lists: Default::default(), constant };
        for kind in ELEMENT_KINDS {
            let list = &mut gather.lists[kind as usize];
            list.start.push(0);
            for block in &blocks {
                if !(still && kind == ElementKind::Patch) {
                    list.entries.extend_from_slice(&block[kind as usize]);
                }
                list.start.push(list.entries.len() as u32);
            }
        }
        let zero = vec![DVec3::ZERO; n];
        Scratch {
            gather,
            old: zero.clone(),
            moved: zero.clone(),
            force: zero.clone(),
            change: zero,
            tangents: Vec::new(),
            matrix_origin: MatrixOrigin::default(),
        }
    }
}

impl SoftBody {
    /// The matrix of the last step, M + h D + h² K, or of an earlier one at which the body had the
    /// same shape up to the tolerance. Rows of pinned vertices are as of others.
    pub fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// Solves A x = b with the matrix of the last step for the vertices that are not pinned,
    /// from the x given; x of pinned vertices stays.
    pub fn solve(&mut self, b: &[DVec3], x: &mut [DVec3]) -> LinearReport {
        self.linear.solve(&self.matrix, &self.pinned, b, x, &self.options.linear)
    }

    /// Elastic forces at the present positions, N, with the viscous ones of the present
    /// velocities.
    pub fn forces(&mut self) -> Vec<DVec3> {
        self.scratch.moved.copy_from_slice(&self.positions);
        self.update_states();
        self.add_forces(true, DVec3::ZERO, &[]);
        self.scratch.force.clone()
    }

    /// Strain, stress and tangents of all elements at `scratch.moved`.
    pub(crate) fn update_states(&mut self) {
        let x = self.scratch.moved.as_slice();
        let e = &mut self.elements;
        if let Some(weave) = e.weave {
            pairs(&mut e.membrane_states, &e.membranes, |state, m| *state = m.state(x, &weave));
            pairs(&mut e.hinge_states, &e.hinges, |state, h| *state = h.state(x));
            pairs(&mut e.patch_states, &e.patches, |state, p| p.update(x, state));
        }
        if let Some(material) = e.material {
            pairs(&mut e.tet_states, &e.tets, |state, t| *state = t.state(x, &material, true));
        }
    }

    /// Takes the rates of deformation from the shape half-way between the present positions and
    /// `scratch.moved`, where the states are. A body that turns goes along chords: at the end of its way
    /// it seems to shrink as it turns, and viscosity would blow it up; half-way it does not.
    pub(crate) fn let_viscosity_see_half_way(&mut self) {
        let (e, x) = (&mut self.elements, &self.positions);
        for (state, tet) in e.tet_states.iter_mut().zip(&e.tets) {
            state.gradient = (state.gradient + tet.derivative(x)) * 0.5;
        }
        for (state, membrane) in e.membrane_states.iter_mut().zip(&e.membranes) {
            let [p, q] = membrane.derivatives(x);
            state.between = [(state.columns[0] + p) * 0.5, (state.columns[1] + q) * 0.5];
        }
    }

    /// Forces of the states into `scratch.force`, with weight and external forces; and viscous
    /// ones, if asked for, of the present velocities.
    pub(crate) fn add_forces(&mut self, viscous: bool, gravity: DVec3, external: &[DVec3]) {
        let e = &self.elements;
        let force = &mut self.scratch.force;
        for (i, f) in force.iter_mut().enumerate() {
            *f = gravity * self.masses[i] + external.get(i).copied().unwrap_or_default();
        }
        let v = viscous.then_some(self.velocities.as_slice());
        for_each_force(e, v, |vertex, f| force[vertex as usize] += f);
    }

    /// Power of the viscous forces at the states of the last assembly, W: never positive.
    pub(crate) fn viscous_power(&self) -> f64 {
        let mut power = 0.0;
        let v = &self.velocities;
        for_each_force(&self.elements, Some(v), |i, f| power += f.dot(v[i as usize]));
        for_each_force(&self.elements, None, |i, f| power -= f.dot(v[i as usize]));
        power
    }

    /// mass·M + elastic·K + viscous·D into the matrix, unless it is there already. Blocks are
    /// independent; each adds up its elements in a fixed order.
    pub(crate) fn assemble(&mut self, weights: Weights) {
        let part = self.options.linear.tolerance.min(KEPT);
        let keep = self.options.keep_matrix;
        if keep && self.scratch.matrix_origin.holds(weights, &self.scratch.moved, part) {
            return;
        }
        let e = &self.elements;
        self.scratch.matrix_origin.begin(weights, &self.scratch.moved, e);
        let Scratch { gather, tangents, .. } = &mut self.scratch;
        let factors = (weights.elastic, weights.viscous);
        if let Some(weave) = &e.weave {
            tangents.clear();
            tangents.extend(
                e.membranes
                    .iter()
                    .zip(&e.membrane_states)
                    .map(|(m, state)| m.tangent(state, state.tensile, factors, weave)),
            );
        }
        let (gather, tangents, masses) = (&*gather, tangents.as_slice(), self.masses.as_slice());
        self.matrix.fill(|row, first, diagonal, blocks| {
            let mass = weights.mass * masses[row];
            let row = Row { e, gather, tangents, weights, mass, first, diagonal, blocks };
            Arch::new().dispatch(row);
        });
    }
}

/// How much a body may have changed its shape at most since its matrix was assembled. The tolerance
/// of linear solves where that is less: an old matrix is then as good as the solves.
const KEPT: f64 = 1e-4;

/// A row of blocks, from the diagonal on, for the vectors that the processor has. Bits do not
/// depend on them.
struct Row<'a> {
    e: &'a Elements,
    gather: &'a Gather,
    tangents: &'a [MembraneTangent],
    weights: Weights,
    mass: f64,
    first: usize,
    diagonal: usize,
    blocks: &'a mut [DMat3],
}

impl WithSimd for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Row { e, gather, tangents, weights, mass, first, diagonal, blocks } = self;
        let [membranes, hinges, patches, tets] = &gather.lists;
        let factors = (weights.elastic, weights.viscous);
        let damping = weights.viscous * e.weave.map_or(0.0, |w| w.damping);
        let others = !(hinges.entries.is_empty() && tets.entries.is_empty());
        for (slot, out) in blocks.iter_mut().enumerate().skip(diagonal) {
            let at = first + slot;
            let mut sum = viscosity(&e.patch_states, patches.of(at), damping);
            for entry in membranes.of(at) {
                let (k, pair) = (entry.element as usize, (entry.i as usize, entry.j as usize));
                sum += tangents[k].block(&e.membranes[k], &e.membrane_states[k], pair);
            }
            if others {
                for entry in hinges.of(at) {
                    sum += block(e, ElementKind::Hinge, *entry, factors);
                }
                for entry in tets.of(at) {
                    sum += block(e, ElementKind::Tet, *entry, factors);
                }
            }
            let along = weights.elastic * gather.constant[at];
            let along = if slot == diagonal { along + mass } else { along };
            sum.x_axis.x += along;
            sum.y_axis.y += along;
            sum.z_axis.z += along;
            *out = sum;
        }
    }
}

/// Sum of the viscosity blocks of patches, times `damping`. Each is a multiple of n nᵀ.
#[inline(always)]
fn viscosity(states: &[BendingPatchState], entries: &[Entry], damping: f64) -> DMat3 {
    let mut sum = [0.0; 6];
    for entry in entries {
        let state = &states[entry.element as usize];
        let rate = state.rate((entry.i as usize, entry.j as usize));
        for (total, part) in sum.iter_mut().zip(&state.square) {
            *total += rate * part;
        }
    }
    let [xx, yy, xy, zx, yz, zz] = sum.map(|x| x * damping);
    DMat3::from_cols_array(&[xx, xy, zx, xy, yy, yz, zx, yz, zz])
}

/// Works on each of one list with its partner in the other.
fn pairs<A: Send, B: Sync>(list: &mut [A], other: &[B], work: impl Fn(&mut A, &B) + Sync) {
    if list.len() <= ALONE {
        list.iter_mut().zip(other).for_each(|(a, b)| work(a, b));
    } else {
        let both = list.par_iter_mut().zip(other).with_min_len(CHUNK / 8);
        both.for_each(|(a, b)| work(a, b));
    }
}

/// Inlined with a constant kind.
#[inline(always)]
fn block(e: &Elements, kind: ElementKind, entry: Entry, factors: (f64, f64)) -> DMat3 {
    let k = entry.element as usize;
    let (i, j) = (entry.i as usize, entry.j as usize);
    match (kind, &e.weave, &e.material) {
        (ElementKind::Hinge, Some(weave), _) => {
            let g = &e.hinge_states[k].gradients;
            let c = e.hinges[k].stiffness * (factors.0 + factors.1 * weave.damping);
            let left = g[i] * c;
            DMat3::from_cols(left * g[j].x, left * g[j].y, left * g[j].z)
        }
        (ElementKind::Tet, _, Some(material)) => {
            e.tets[k].block(&e.tet_states[k], factors, material, (i, j))
        }
        _ => DMat3::ZERO,
    }
}

fn for_each_force(e: &Elements, v: Option<&[DVec3]>, mut add: impl FnMut(u32, DVec3)) {
    if let Some(weave) = &e.weave {
        for (m, state) in e.membranes.iter().zip(&e.membrane_states) {
            for (i, f) in m.vertices.into_iter().zip(m.forces(state, v, weave)) {
                add(i, f);
            }
        }
        for (h, state) in e.hinges.iter().zip(&e.hinge_states) {
            for (i, f) in h.vertices.into_iter().zip(h.forces(state, v, weave.damping)) {
                add(i, f);
            }
        }
        for (p, state) in e.patches.iter().zip(&e.patch_states) {
            let forces = p.forces(state, v, weave.damping);
            for (i, f) in p.members().iter().zip(forces) {
                add(*i, f);
            }
        }
    }
    if let Some(material) = &e.material {
        for (t, state) in e.tets.iter().zip(&e.tet_states) {
            for (i, f) in t.vertices.into_iter().zip(t.forces(state, v, material)) {
                add(i, f);
            }
        }
    }
}
