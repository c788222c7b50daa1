//! The power of friction over a patch, with its first and second derivatives.

use std::sync::Arc;

use glamx::{DMat3, DVec2, DVec3};

use super::LimitSurface;
use crate::extent::rings::{ring, ring_stiffness};

/// The parts of a patch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Terms {
    pub(super) cells: Arc<[Cell]>,
    pub(super) rings: Arc<[Ring]>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) place: DVec2,
    pub(super) share: f64,
    pub(super) spin_radius: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ring {
    pub(super) radius: f64,
    pub(super) share: f64,
}

impl LimitSurface {
    /// H: for a cell share·√(‖Eᵀ(v + ω ρ⊥)‖² + (μ̄ s ω)²).
    pub(super) fn value(&self, d: DVec3) -> f64 {
        self.gradient(d).dot(d)
    }

    /// ∇H: the support point.
    pub(super) fn gradient(&self, d: DVec3) -> DVec3 {
        let (slip, spin) = (DVec2::new(d.x, d.y), d.z / self.unit);
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        let turned = self.section.transpose();
        for cell in self.terms.cells.iter() {
            let lever = cell.place.perp();
            let a = turned * (slip + lever * spin);
            let b = self.mean * cell.spin_radius * spin;
            let length = (a.length_squared() + b * b).sqrt();
            let scale = if length > 0.0 { cell.share / length } else { 0.0 };
            let f = self.section * a * scale;
            force += f;
            torque += lever.dot(f) + self.mean * cell.spin_radius * b * scale;
        }
        if !self.terms.rings.is_empty() {
            let speed = slip.length();
            let (mut along, mut about) = (0.0, 0.0);
            for r in self.terms.rings.iter() {
                let h = ring(speed, spin.abs() * r.radius);
                along += h.x * r.share;
                about += h.y * r.share * r.radius;
            }
            if speed > 0.0 {
                force += slip * (self.mean * along / speed);
            }
            torque += self.mean * about * spin.signum();
        }
        force.extend(torque / self.unit)
    }

    /// ∇²H, positive semi-definite with d in its null space.
    pub(super) fn hessian(&self, d: DVec3) -> DMat3 {
        let (slip, spin) = (DVec2::new(d.x, d.y), d.z / self.unit);
        let turned = self.section.transpose();
        let mut sum = DMat3::ZERO;
        for cell in self.terms.cells.iter() {
            let lever = turned * cell.place.perp();
            let own = self.mean * cell.spin_radius;
            let u = (turned * slip + lever * spin).extend(own * spin);
            let length = u.length();
            if !(length > 0.0) {
                continue;
            }
            // Columns of B: how (v_x, v_y, ω) move u.
            let b = DMat3::from_cols(
                turned.x_axis.extend(0.0),
                turned.y_axis.extend(0.0),
                lever.extend(own),
            );
            let across = u / length;
            let t = b.transpose() * across;
            sum += (b.transpose() * b - outer(t, t)) * (cell.share / length);
        }
        if !self.terms.rings.is_empty() {
            sum += self.ring_hessian(slip, spin);
        }
        // Torques are in units of their own.
        let s = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.0 / self.unit));
        s * sum * s
    }

    /// H(v, q) of a ring is symmetric in both, and ΔH = ⟨1/‖u‖⟩ in the plane of either. The rest
    /// follows from H being homogeneous: its matrix is h_qq (−q/v, 1)(−q/v, 1)ᵀ, or
    /// h_vv (1, −v/q)(1, −v/q)ᵀ, whichever does not cancel.
    fn ring_hessian(&self, slip: DVec2, spin: f64) -> DMat3 {
        let speed = slip.length();
        let along = if speed > 0.0 { slip / speed } else { DVec2::X };
        let (mut sideways, mut by_spin, mut by_slip) = (0.0, 0.0, 0.0);
        for r in self.terms.rings.iter() {
            let rim = spin.abs() * r.radius;
            let (h, inverse) = (ring(speed, rim), ring_stiffness(speed, rim));
            // F/v and T/q; both are half the other's inverse where they vanish.
            let over = |own: f64, part: f64, other: f64| {
                if own > 1e-8 * other { part / own } else { 0.5 / other }
            };
            let (slope, turn) = (over(speed, h.x, rim), over(rim, h.y, speed));
            sideways += r.share * slope;
            if rim < speed {
                by_spin += r.share * r.radius * r.radius * (inverse - turn).max(0.0);
            } else {
                by_slip += r.share * (inverse - slope).max(0.0);
            }
        }
        let across = along.perp().extend(0.0);
        let mut sum = outer(across, across) * sideways;
        if by_spin > 0.0 {
            let way = (along * (-spin / speed)).extend(1.0);
            sum += outer(way, way) * by_spin;
        }
        if by_slip > 0.0 {
            let way = along.extend(-speed / spin);
            sum += outer(way, way) * by_slip;
        }
        sum * self.mean
    }
}

pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
