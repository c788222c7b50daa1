//! Where a body was when its matrix was assembled, and whether that still serves.

use glamx::DVec3;

use crate::assembly::Weights;
use crate::body::Elements;

/// Whether a matrix is still that of a body: a body that only moves as a whole, or hardly, keeps
/// it. Forces are never kept, so that an old matrix changes how a step gets there, not where to.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatrixOrigin {
    weights: Option<Weights>,
    /// Where the vertices were, and the shortest edge.
    at: Vec<DVec3>,
    shortest: f64,
}

impl MatrixOrigin {
    /// Whether no vertex has moved against another by more than `part` of the shortest edge since
    /// the matrix was assembled, with the same weights.
    pub(crate) fn holds(&self, weights: Weights, x: &[DVec3], part: f64) -> bool {
        let (Some(from), Some(to)) = (self.at.first(), x.first()) else { return false };
        let (shift, most) = (*to - *from, (0.5 * part * self.shortest).powi(2));
        let stays = |(x, at): (&DVec3, &DVec3)| (*x - *at - shift).length_squared() <= most;
        self.weights == Some(weights) && x.iter().zip(&self.at).all(stays)
    }

    /// The matrix is that of these places.
    pub(crate) fn begin(&mut self, weights: Weights, x: &[DVec3], elements: &Elements) {
        self.weights = Some(weights);
        self.at.clear();
        self.at.extend_from_slice(x);
        let mut shortest = f64::INFINITY;
        let mut look_at = |vertices: &[u32]| {
            for (k, a) in vertices.iter().enumerate() {
                for b in &vertices[k + 1..] {
                    shortest = x[*a as usize].distance_squared(x[*b as usize]).min(shortest);
                }
            }
        };
        elements.membranes.iter().for_each(|m| look_at(&m.vertices));
        elements.tets.iter().for_each(|t| look_at(&t.vertices));
        self.shortest = shortest.sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::cloth_rectangle;
    use crate::{Fabric, SoftBody};
    use glamx::DVec2;

    #[test]
    fn a_matrix_is_kept_while_a_body_moves_as_a_whole() {
        let mesh = cloth_rectangle(DVec2::new(0.4, 0.3), [4, 3]).unwrap();
        let body = SoftBody::cloth(&mesh, &Fabric::cotton()).unwrap();
        let (weights, x) = (Weights { mass: 1.0, elastic: 1e-4, viscous: 1e-2 }, &body.positions);
        let mut origin = MatrixOrigin::default();
        assert!(!origin.holds(weights, x, 1e-4));
        origin.begin(weights, x, &body.elements);
        assert!(origin.holds(weights, x, 1e-4));
        assert!(!origin.holds(Weights { elastic: 2e-4, ..weights }, x, 1e-4));
        let mut moved: Vec<DVec3> = x.iter().map(|p| *p + DVec3::new(3.0, -1.0, 0.2)).collect();
        assert!(origin.holds(weights, &moved, 1e-4));
        // Two vertices may each use up half of what is allowed.
        assert!(origin.shortest > 0.03 && origin.shortest <= 0.1);
        moved[7].y += 0.49e-4 * origin.shortest;
        assert!(origin.holds(weights, &moved, 1e-4));
        moved[7].y += 0.02e-4 * origin.shortest;
        assert!(!origin.holds(weights, &moved, 1e-4));
        moved[7].y = f64::NAN;
        assert!(!origin.holds(weights, &moved, 1e-4));
    }
}
