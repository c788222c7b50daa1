//! Bending by patches: a triangle and the vertices around it.

use glamx::{DMat3, DVec2, DVec3};

use super::neighbours::{Unfold, neighbours};
use crate::SurfaceMesh;
use crate::own_unit::own_unit;
use crate::solid::symmetric_eigen;

/// Most vertices of a patch.
pub const PATCH_VERTICES: usize = 8;

/// A triangle and vertices around it that resist bending.
///
/// Six points fix a quadratic, so the second derivatives of position along warp and weft follow
/// from the triangle and the three vertices beyond its edges. In a sheet that hardly stretches,
/// their lengths are the curvatures (κ₁₁, κ₂₂, κ₁₂), and the energy is
/// ½ area (B₁ κ₁₁² + B₂ κ₂₂² + 2 √(B₁B₂) κ₁₂²): a quadratic function of the positions, whose
/// stiffness never changes (as Bergou and others, 2006, have it for the mean curvature). It is
/// exact for every quadratic on every mesh, and converges where all vertices look alike, as in
/// [`cloth_rectangle`](crate::mesh::cloth_rectangle). On other meshes it is too soft, because a
/// sheet in balance need not be a quadratic there: by up to 40 % with diagonals that alternate.
/// A triangle at a border takes vertices from further inside. Curvatures that the vertices do not
/// tell (across a strip of one cell) cost nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BendingPatch {
    /// The triangle's vertices, then others. Only the first `count` are used.
    pub vertices: [u32; PATCH_VERTICES],
    /// How many vertices there are.
    pub count: usize,
    /// Energy ½ unit Σ |c|² with `c = Σ rows[i][k] x[i]` for each k, 1/m².
    pub rows: [DVec3; PATCH_VERTICES],
    /// Of the stiffness, N m³: a power of two, so that roots are rounded alike in all units of scenes.
    pub unit: f64,
}

/// How a patch is bent now, and what its viscosity follows from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BendingPatchState {
    /// c of the three rows.
    pub bend: [DVec3; 3],
    /// The triangle's unit normal; zero where it has no area.
    pub normal: DVec3,
    /// The rate of n·c is `n·Σ rates[i][k] v[i]`.
    pub rates: [DVec3; PATCH_VERTICES],
    /// n nᵀ times the patch's unit: xx, yy, xy, zx, yz, zz.
    pub square: [f64; 6],
}

impl BendingPatchState {
    /// What block (i, j) of the viscosity is times n nᵀ, without the time constant of damping.
    #[inline(always)]
    pub(crate) fn rate(&self, (i, j): (usize, usize)) -> f64 {
        self.rates[i % PATCH_VERTICES].dot(self.rates[j % PATCH_VERTICES])
    }
}

/// Curvatures that are this much harder to tell than the others are not told at all: the points
/// lie almost on a conic, which fixes no quadratic.
const FAINTEST: f64 = 1e-6;

impl BendingPatch {
    /// From a triangle and its place in the flat cloth, and from vertices around it (five at most)
    /// with theirs, in the same piece of cloth; nothing if it has no area or nothing resists.
    pub fn new(
        triangle: [u32; 3],
        corners: [DVec2; 3],
        around: &[(u32, DVec2)],
        bending: [f64; 2],
    ) -> Option<BendingPatch> {
        let [a, b, c] = corners;
        let twice = (b - a).perp_dot(c - a);
        if !(twice.abs() > 0.0 && bending[0].max(bending[1]) > 0.0) {
            return None;
        }
        // Points in units of the triangle's size, about its first corner.
        let unit = twice.abs().sqrt();
        let square = |p: DVec2| {
            let q = (p - a) / unit;
            DVec3::new(0.5 * q.x * q.x, 0.5 * q.y * q.y, q.x * q.y)
        };
        let mut patch = BendingPatch {
            vertices: [triangle[0]; PATCH_VERTICES],
            count: 3,
            rows: [DVec3::ZERO; PATCH_VERTICES],
            unit: own_unit(twice.abs() * bending[0].max(bending[1])),
        };
        patch.vertices[..3].copy_from_slice(&triangle);
        // How far each other vertex lies from the triangle's plane: d = Σ weight x = g·h, with h
        // the second derivatives. Least squares: h = (Gᵀ G)⁻¹ Gᵀ d.
        let mut weights = [[0.0; PATCH_VERTICES]; PATCH_VERTICES];
        let mut g = [DVec3::ZERO; PATCH_VERTICES];
        let mut gram = DMat3::ZERO;
        for &(other, p) in around.iter().take(PATCH_VERTICES - 3) {
            let lambda = [
                (b - p).perp_dot(c - p) / twice,
                (c - p).perp_dot(a - p) / twice,
                (a - p).perp_dot(b - p) / twice,
            ];
            let k = patch.count;
            patch.vertices[k] = other;
            weights[k][k] = 1.0;
            g[k] = square(p);
            for j in 0..3 {
                weights[k][j] = -lambda[j];
                g[k] -= square(corners[j]) * lambda[j];
            }
            gram += DMat3::from_cols(g[k] * g[k].x, g[k] * g[k].y, g[k] * g[k].z);
            patch.count += 1;
        }
        let (values, modes) = symmetric_eigen(gram);
        let largest = values.into_iter().fold(0.0, f64::max);
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let mut inverse = DMat3::ZERO;
        for k in (0..3).filter(|k| values[*k] > FAINTEST * largest) {
            let (m, s) = (modes.col(k), 1.0 / values[k]);
            inverse += DMat3::from_cols(m * (m.x * s), m * (m.y * s), m * (m.z * s));
        }
        // Rows are scaled so that the energy is ½ unit Σ |c|².
        let twist = 2.0 * (bending[0] * bending[1]).sqrt();
        let stiffness = [bending[0], bending[1], twist].map(|x| 0.5 * twice.abs() * x / patch.unit);
        let stiffness = DVec3::from_array(stiffness.map(f64::sqrt));
        for k in 3..patch.count {
            let h = inverse * g[k] / (unit * unit);
            for i in 0..PATCH_VERTICES {
                patch.rows[i] += stiffness * h * weights[k][i];
            }
        }
        Some(patch)
    }

    /// The vertices in use.
    pub fn members(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    /// Bending and its rates at the given positions.
    pub fn state(&self, x: &[DVec3]) -> BendingPatchState {
        let mut state = BendingPatchState::default();
        self.update(x, &mut state);
        state
    }

    /// Brings the state to the given positions.
    pub(crate) fn update(&self, x: &[DVec3], state: &mut BendingPatchState) {
        state.bend = self.bend(x);
        state.rates = self.rows;
        let [a, b, c] = [0, 1, 2].map(|i| x[self.vertices[i] as usize]);
        let normal = (b - a).cross(c - a);
        let twice = normal.length();
        if !(twice > f64::MIN_POSITIVE) {
            (state.normal, state.square) = (DVec3::ZERO, [0.0; 6]);
            return;
        }
        let per = 1.0 / twice;
        let n = normal * per;
        state.normal = n;
        state.square = [n.x * n.x, n.y * n.y, n.x * n.y, n.z * n.x, n.y * n.z, n.z * n.z];
        state.square = state.square.map(|x| x * self.unit);
        let m = n * per;
        let across = |e: DVec3| m.cross(e);
        let gradients = [across(c - b), across(a - c), across(b - a)];
        for (rate, g) in state.rates.iter_mut().zip(gradients) {
            *rate -= DVec3::from_array(state.bend.map(|c| g.dot(c)));
        }
    }

    /// Energy, J.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        0.5 * self.unit * self.bend(x).iter().map(|c| c.length_squared()).sum::<f64>()
    }

    /// Forces on the vertices in use, N; viscous ones (time constant `damping`) where velocities
    /// are given.
    pub fn forces(
        &self,
        state: &BendingPatchState,
        v: Option<&[DVec3]>,
        damping: f64,
    ) -> [DVec3; PATCH_VERTICES] {
        let mut forces = [DVec3::ZERO; PATCH_VERTICES];
        let [a, b, c] = state.bend.map(|c| c * self.unit);
        for (force, row) in forces.iter_mut().zip(&self.rows).take(self.count) {
            *force -= a * row.x + b * row.y + c * row.z;
        }
        if let Some(v) = v {
            let base = v[self.vertices[0] as usize];
            let rate: DVec3 = (0..self.count)
                .map(|i| state.rates[i] * state.normal.dot(v[self.vertices[i] as usize] - base))
                .sum();
            for (force, own) in forces.iter_mut().zip(&state.rates).take(self.count) {
                *force -= state.normal * (self.unit * damping * rate.dot(*own));
            }
        }
        forces
    }

    /// Block (i, j) of the stiffness, N/m: so many times 1.
    pub fn stiffness(&self, (i, j): (usize, usize)) -> f64 {
        self.unit * self.rows[i].dot(self.rows[j])
    }

    #[inline]
    fn bend(&self, x: &[DVec3]) -> [DVec3; 3] {
        let base = x[self.vertices[0] as usize];
        let mut bend = [DVec3::ZERO; 3];
        for i in 1..self.count {
            let d = x[self.vertices[i] as usize] - base;
            for k in 0..3 {
                bend[k] += d * self.rows[i][k];
            }
        }
        bend
    }
}

/// The patches of a cloth, and the edges of more than two triangles, which do not resist bending.
///
/// Over a seam the neighbours are laid flat beside the triangle: sewn cloth is flat at rest there
/// too.
pub fn bending_patches(
    mesh: &SurfaceMesh,
    bending: [f64; 2],
) -> (Vec<BendingPatch>, Vec<[u32; 2]>) {
    let (beside, branching) = neighbours(mesh);
    let make = |k: usize| {
        let mut near = vec![(k, Unfold::NONE)];
        let mut around: Vec<(u32, DVec2)> = Vec::with_capacity(PATCH_VERTICES);
        let full = beside[k].iter().all(Option::is_some);
        let mut next = 0;
        // Triangle by triangle outward; a triangle with all neighbours needs nobody else.
        while next < near.len() && (next == 0 || !full) {
            let (from, laid) = near[next];
            for (corner, side) in beside[from].iter().enumerate() {
                let Some(side) = side else { continue };
                let laid = laid.over(mesh, (from, corner), side);
                if near.iter().all(|(triangle, _)| *triangle != side.triangle) {
                    near.push((side.triangle, laid));
                }
                let new = !mesh.triangles[k].contains(&side.opposite)
                    && around.iter().all(|(vertex, _)| *vertex != side.opposite);
                if new && around.len() < PATCH_VERTICES - 3 {
                    let flat = mesh.flat(side.triangle)[(side.corner + 2) % 3];
                    around.push((side.opposite, laid.place(flat)));
                }
            }
            next += 1;
            if around.len() == PATCH_VERTICES - 3 {
                break;
            }
        }
        BendingPatch::new(mesh.triangles[k], mesh.flat(k), &around, bending)
    };
    ((0..mesh.triangles.len()).filter_map(make).collect(), branching)
}
