//! Stretch and shear of a triangle of woven cloth.

use glamx::{DMat3, DVec2, DVec3};

use crate::Fabric;

/// A linear triangle with orthotropic stiffness.
///
/// With F = [p q] the derivatives of position along warp and weft, Green's strain is
/// e = ((p·p − 1)/2, (q·q − 1)/2, p·q) and the energy is ½ area eᵀ C e.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Membrane {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Gradients of the three shape functions in the flat cloth, 1/m.
    pub gradients: [DVec2; 3],
    /// Area in the flat cloth, m².
    pub area: f64,
}

/// Stiffness of a cloth in its plane, N/m: the entries of C.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weave {
    /// C₁₁ (warp), C₂₂ (weft), C₁₂, C₃₃ (shear).
    pub stiffness: [f64; 4],
    /// Green's strain along warp and weft from which `stiffening` is added.
    pub limit: f64,
    /// What is added to C₁₁ and C₂₂ beyond the limit, N/m.
    pub stiffening: [f64; 2],
    /// Viscosity over stiffness, s.
    pub damping: f64,
}

/// What a triangle's forces and stiffness follow from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MembraneState {
    /// p and q, the derivatives of position along warp and weft.
    pub columns: [DVec3; 2],
    /// The same of the shape that viscosity goes by.
    pub between: [DVec3; 2],
    /// Second Piola–Kirchhoff stress (11, 22, 12), N/m.
    pub stress: [f64; 3],
    /// The stress without its compressive part, [`Membrane::tensile`].
    pub tensile: [f64; 3],
    /// Tangent C₁₁, C₂₂, C₁₂, C₃₃, N/m.
    pub tangent: [f64; 4],
}

impl Weave {
    /// Plane stress: C₁₁ = E₁/(1 − ν²), C₁₂ = ν √(E₁E₂)/(1 − ν²).
    pub fn new(fabric: &Fabric) -> Weave {
        let [e1, e2] = fabric.stretch;
        let d = 1.0 - fabric.poisson * fabric.poisson;
        let stretch = 1.0 + fabric.strain_limit.unwrap_or(f64::INFINITY);
        Weave {
            stiffness: [e1 / d, e2 / d, fabric.poisson * (e1 * e2).sqrt() / d, fabric.shear],
            limit: (stretch * stretch - 1.0) / 2.0,
            stiffening: [e1, e2].map(|e| (Fabric::LIMIT_STIFFENING - 1.0) * e / d),
            damping: fabric.damping,
        }
    }
}

impl Membrane {
    /// From the flat positions of the vertices; nothing if they span no area. Triangles that lie
    /// mirrored in the flat cloth are as good as others.
    pub fn new(vertices: [u32; 3], flat: [DVec2; 3]) -> Option<Membrane> {
        let [a, b, c] = flat;
        let (ab, ac) = (b - a, c - a);
        let twice = ab.perp_dot(ac);
        let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
        if !(twice.abs() > 1e-12 * longest) {
            return None;
        }
        // Rows of the inverse of [ab ac].
        let gb = DVec2::new(ac.y, -ac.x) / twice;
        let gc = DVec2::new(-ab.y, ab.x) / twice;
        Some(Membrane { vertices, gradients: [-gb - gc, gb, gc], area: twice.abs() / 2.0 })
    }

    /// Strain, stress and tangent at the given positions.
    pub fn state(&self, x: &[DVec3], weave: &Weave) -> MembraneState {
        let [p, q] = self.derivatives(x);
        let strain = [(p.dot(p) - 1.0) / 2.0, (q.dot(q) - 1.0) / 2.0, p.dot(q)];
        let [c11, c22, c12, c33] = weave.stiffness;
        let mut stress =
            [c11 * strain[0] + c12 * strain[1], c12 * strain[0] + c22 * strain[1], c33 * strain[2]];
        let mut tangent = weave.stiffness;
        for k in 0..2 {
            if strain[k] > weave.limit {
                stress[k] += weave.stiffening[k] * (strain[k] - weave.limit);
                tangent[k] += weave.stiffening[k];
            }
        }
        MembraneState {
            columns: [p, q],
            between: [p, q],
            stress,
            tensile: Membrane::tensile(stress),
            tangent,
        }
    }

    /// Energy, J.
    pub fn energy(&self, x: &[DVec3], weave: &Weave) -> f64 {
        let [p, q] = self.derivatives(x);
        let e = [(p.dot(p) - 1.0) / 2.0, (q.dot(q) - 1.0) / 2.0, p.dot(q)];
        let [c11, c22, c12, c33] = weave.stiffness;
        let mut twice = c11 * e[0] * e[0] + c22 * e[1] * e[1] + 2.0 * c12 * e[0] * e[1];
        twice += c33 * e[2] * e[2];
        for k in 0..2 {
            let over = (e[k] - weave.limit).max(0.0);
            if over > 0.0 {
                twice += weave.stiffening[k] * over * over;
            }
        }
        0.5 * self.area * twice
    }

    /// Forces on the three vertices, N: elastic, and viscous where velocities are given.
    pub fn forces(&self, state: &MembraneState, v: Option<&[DVec3]>, weave: &Weave) -> [DVec3; 3] {
        let [p, q] = state.columns;
        let s = state.stress;
        let pull = |[p, q]: [DVec3; 2], s: [f64; 3]| {
            let along = |g: DVec2| p * (s[0] * g.x + s[2] * g.y) + q * (s[2] * g.x + s[1] * g.y);
            self.gradients.map(|g| along(g) * -self.area)
        };
        let mut forces = pull([p, q], s);
        if let Some(v) = v {
            let [dp, dq] = self.derivatives(v);
            let [p, q] = state.between;
            let rate = [p.dot(dp), q.dot(dq), p.dot(dq) + q.dot(dp)];
            let [c11, c22, c12, c33] = weave.stiffness;
            let viscous = [
                weave.damping * (c11 * rate[0] + c12 * rate[1]),
                weave.damping * (c12 * rate[0] + c22 * rate[1]),
                weave.damping * c33 * rate[2],
            ];
            for (force, more) in forces.iter_mut().zip(pull(state.between, viscous)) {
                *force += more;
            }
        }
        forces
    }

    /// The stress that enters the stiffness: without its compressive part, so that the stiffness
    /// is positive semi-definite.
    pub fn tensile(stress: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = stress;
        let (mean, half) = (f64::midpoint(a, b), (a - b) / 2.0);
        let radius = (half * half + c * c).sqrt();
        let (high, low) = (mean + radius, mean - radius);
        if low >= 0.0 {
            stress
        } else if high <= 0.0 {
            [0.0; 3]
        } else {
            // high times the projection on its eigenvector: (S − low) high / (high − low).
            let f = high / (2.0 * radius);
            [(a - low) * f, (b - low) * f, c * f]
        }
    }

    /// Block (i, j) of `elastic`·K + `viscous`·D, where K is the stiffness and D the viscosity.
    ///
    /// `stress` is that of the geometric part: the state's own for the exact Hessian, or its
    /// [`Membrane::tensile`] part.
    #[inline]
    pub fn block(
        &self,
        state: &MembraneState,
        stress: [f64; 3],
        (elastic, viscous): (f64, f64),
        weave: &Weave,
        (i, j): (usize, usize),
    ) -> DMat3 {
        self.tangent(state, stress, (elastic, viscous), weave).block(self, state, (i, j))
    }

    /// What all blocks of the triangle have in common.
    pub(crate) fn tangent(
        &self,
        state: &MembraneState,
        stress: [f64; 3],
        (elastic, viscous): (f64, f64),
        weave: &Weave,
    ) -> MembraneTangent {
        let (elastic, viscous) = (elastic * self.area, viscous * weave.damping * self.area);
        let own = |k: usize| elastic * state.tangent[k] + viscous * weave.stiffness[k];
        MembraneTangent { c: [0, 1, 2, 3].map(own), stress: stress.map(|s| s * elastic) }
    }

    pub(crate) fn derivatives(&self, x: &[DVec3]) -> [DVec3; 2] {
        // Differences from one vertex: a shift of the whole cloth changes no bit of the strain
        // beyond what it changes in the differences.
        let [a, b, c] = self.vertices.map(|i| x[i as usize]);
        let (ab, ac) = (b - a, c - a);
        let [_, gb, gc] = self.gradients;
        [ab * gb.x + ac * gc.x, ab * gb.y + ac * gc.y]
    }
}

/// Stiffness and viscosity of a triangle, times its area and the step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct MembraneTangent {
    c: [f64; 4],
    stress: [f64; 3],
}

impl MembraneTangent {
    /// Block (i, j).
    #[inline(always)]
    pub(crate) fn block(
        &self,
        membrane: &Membrane,
        state: &MembraneState,
        (i, j): (usize, usize),
    ) -> DMat3 {
        let (a, b) = (membrane.gradients[i], membrane.gradients[j]);
        let [c11, c22, c12, c33] = self.c;
        let [s1, s2, s3] = self.stress;
        let (xx, xy, yx, yy) = (a.x * b.x, a.x * b.y, a.y * b.x, a.y * b.y);
        let pp = c11 * xx + c33 * yy;
        let pq = c12 * xy + c33 * yx;
        let qp = c12 * yx + c33 * xy;
        let qq = c22 * yy + c33 * xx;
        let g = s1 * xx + s2 * yy + s3 * (xy + yx);
        let [p, q] = state.columns;
        // Columns of (p pᵀ pp + p qᵀ pq + q pᵀ qp + q qᵀ qq).
        let (left_p, left_q) = (p * pp + q * qp, p * pq + q * qq);
        let mut m = DMat3::from_cols(
            left_p * p.x + left_q * q.x,
            left_p * p.y + left_q * q.y,
            left_p * p.z + left_q * q.z,
        );
        m.x_axis.x += g;
        m.y_axis.y += g;
        m.z_axis.z += g;
        m
    }
}
