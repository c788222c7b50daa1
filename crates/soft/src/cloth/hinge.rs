//! Bending by hinges: two triangles with a common edge.

use glamx::DVec3;

use super::neighbours::{edges, pair};
use crate::SurfaceMesh;

/// Two triangles with a common edge that resist folding: a discrete shell (Grinspun, Hirani,
/// Desbrun, Schröder 2003).
///
/// The energy is ½ k (θ − θ₀)² with θ the angle between the triangles' normals and
/// k = B l²/(A₁ + A₂); B is the bending stiffness (N·m), l the edge's rest length and A the rest
/// areas. On a regular grid this is ½ B κ² per area for a sheet bent to curvature κ along the
/// grid and kept from bending across. How stiff it is otherwise depends on the mesh, as in every
/// model of hinges; [`BendingPatch`](super::BendingPatch) does not have that fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// The edge's two vertices, then the opposite one of each triangle.
    pub vertices: [u32; 4],
    /// k, N·m.
    pub stiffness: f64,
    /// θ₀.
    pub rest: f64,
}

/// Angle of a hinge and its gradient.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HingeState {
    /// θ − θ₀.
    pub angle: f64,
    /// ∂θ/∂x of the four vertices, 1/m; zero where a triangle is flat.
    pub gradients: [DVec3; 4],
}

impl Hinge {
    /// Angle and gradient at the given positions. A triangle without area has no angle: the
    /// hinge then is at rest.
    pub fn state(&self, x: &[DVec3]) -> HingeState {
        let [a, b, c, d] = self.vertices.map(|i| x[i as usize]);
        let (e, ac, ad) = (b - a, c - a, d - a);
        let (n1, n2) = (e.cross(ac), ad.cross(e));
        let (l2, n1n1, n2n2) = (e.length_squared(), n1.length_squared(), n2.length_squared());
        let small = 1e-20 * l2 * l2;
        if !(n1n1 > small && n2n2 > small && n1n1.is_finite() && n2n2.is_finite()) {
            return HingeState::default();
        }
        let l = l2.sqrt();
        let angle = (n1.cross(n2).dot(e) / l).atan2(n1.dot(n2));
        let (g1, g2) = (n1 * (-l / n1n1), n2 * (-l / n2n2));
        let (s1, s2) = (ac.dot(e) / l2, ad.dot(e) / l2);
        let gb = -(g1 * s1 + g2 * s2);
        HingeState { angle: angle - self.rest, gradients: [-(g1 + g2) - gb, gb, g1, g2] }
    }

    /// Energy, J.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let angle = self.state(x).angle;
        0.5 * self.stiffness * angle * angle
    }

    /// Forces on the four vertices, N; viscous ones (time constant `damping`) where velocities
    /// are given.
    pub fn forces(&self, state: &HingeState, v: Option<&[DVec3]>, damping: f64) -> [DVec3; 4] {
        let mut moment = state.angle;
        if let Some(v) = v {
            // Relative to the first vertex: a common velocity has no rate at all.
            let base = v[self.vertices[0] as usize];
            let rate: f64 =
                (1..4).map(|k| state.gradients[k].dot(v[self.vertices[k] as usize] - base)).sum();
            moment += damping * rate;
        }
        state.gradients.map(|g| g * (-self.stiffness * moment))
    }
}

/// The hinges of a cloth, in the order of their edges; and the edges of more than two triangles,
/// which cannot bend in one way and so have no stiffness.
///
/// `bending` is B along warp and weft; a hinge that bends along direction n of the flat cloth has
/// B_warp n_u² + B_weft n_v². Triangles without area in the flat cloth count for nothing. Hinges
/// are flat at rest, over seams too: cloth is sewn from flat pieces.
pub fn hinges(mesh: &SurfaceMesh, bending: [f64; 2]) -> (Vec<Hinge>, Vec<[u32; 2]>) {
    let mut list = Vec::new();
    let mut branching = Vec::new();
    for (edge, sides) in edges(mesh) {
        if sides.len() > 2 {
            branching.push(edge);
        }
        let Some((left, right)) = pair(&sides) else { continue };
        // At a seam the two sides may lie differently in the flat cloth: B l² is their mean.
        let [from_left, from_right] = [left, right].map(|side| {
            let flat = mesh.flat(side.triangle);
            let along = flat[(side.corner + 1) % 3] - flat[side.corner];
            bending[0] * along.y * along.y + bending[1] * along.x * along.x
        });
        let stiffness = f64::midpoint(from_left, from_right) / (left.area + right.area);
        let [i, j] = edge;
        list.push(Hinge { vertices: [i, j, left.opposite, right.opposite], stiffness, rest: 0.0 });
    }
    (list, branching)
}
