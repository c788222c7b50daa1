//! The power of friction over a patch, with its first and second derivatives.

use std::sync::Arc;

use glamx::{DMat3, DVec2, DVec3};

use super::LimitSurface;
use crate::extent::rings::{ring, ring_and_stiffness};

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
        let turned = self.shape.section.transpose();
        for cell in self.shape.terms.cells.iter() {
            let lever = cell.place.perp();
            let a = turned * (slip + lever * spin);
            let b = self.shape.mean * cell.spin_radius * spin;
            let length = (a.length_squared() + b * b).sqrt();
            let scale = if length > 0.0 { cell.share / length } else { 0.0 };
            let f = self.shape.section * a * scale;
            force += f;
            torque += lever.dot(f) + self.shape.mean * cell.spin_radius * b * scale;
        }
        if !self.shape.terms.rings.is_empty() {
            let speed = slip.length();
            let (mut along, mut about) = (0.0, 0.0);
            for r in self.shape.terms.rings.iter() {
                let h = ring(speed, spin.abs() * r.radius);
                along += h.x * r.share;
                about += h.y * r.share * r.radius;
            }
            if speed > 0.0 {
                force += slip * (self.shape.mean * along / speed);
            }
            torque += self.shape.mean * about * spin.signum();
        }
        force.extend(torque / self.unit)
    }

    /// ∇H and ∇²H, the latter positive semi-definite with d in its null space.
    pub(super) fn derivatives(&self, d: DVec3) -> (DVec3, DMat3) {
        if !self.shape.terms.rings.is_empty() {
            return self.ring_derivatives(d);
        }
        let (slip, spin) = (DVec2::new(d.x, d.y), d.z / self.unit);
        let turned = self.shape.section.transpose();
        let turned_slip = turned * slip;
        let plane = self.shape.section * turned;
        // Sums: of share/length, and with the lever and its square; and of the outer products.
        let (mut force, mut torque) = (DVec2::ZERO, 0.0);
        let (mut weight, mut lever_sum, mut square, mut outer_sum) =
            (0.0, DVec2::ZERO, 0.0, DMat3::ZERO);
        for cell in self.shape.terms.cells.iter() {
            let lever = turned * cell.place.perp();
            let own = self.shape.mean * cell.spin_radius;
            let (a, b) = (turned_slip + lever * spin, own * spin);
            let length = (a.length_squared() + b * b).sqrt();
            if !(length > 0.0) {
                continue;
            }
            let inverse = 1.0 / length;
            let (k, u) = (cell.share * inverse, a * inverse);
            // Bᵀu in the turned plane, and about the normal.
            let turn = lever.dot(u) + own * b * inverse;
            force += u * cell.share;
            torque += turn * cell.share;
            weight += k;
            lever_sum += lever * k;
            square += (lever.length_squared() + own * own) * k;
            let t = u.extend(turn);
            outer_sum += outer(t, t * k);
        }
        let cross = self.shape.section * lever_sum;
        let mut hessian = DMat3::from_cols(
            (plane.x_axis * weight).extend(cross.x),
            (plane.y_axis * weight).extend(cross.y),
            cross.extend(square),
        );
        let e = DMat3::from_cols(
            self.shape.section.x_axis.extend(0.0),
            self.shape.section.y_axis.extend(0.0),
            DVec3::Z,
        );
        hessian -= e * outer_sum * e.transpose();
        ((self.shape.section * force).extend(torque / self.unit), self.units(hessian))
    }

    /// A matrix of second derivatives with torques in units of their own.
    fn units(&self, hessian: DMat3) -> DMat3 {
        let s = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1.0 / self.unit));
        s * hessian * s
    }

    /// ∇H and ∇²H of rings. H(v, q) of a ring is symmetric in both, and ΔH = ⟨1/‖u‖⟩ in the plane of either. The rest
    /// follows from H being homogeneous: its matrix is h_qq (−q/v, 1)(−q/v, 1)ᵀ, or
    /// h_vv (1, −v/q)(1, −v/q)ᵀ, whichever does not cancel.
    fn ring_derivatives(&self, d: DVec3) -> (DVec3, DMat3) {
        let (slip, spin) = (DVec2::new(d.x, d.y), d.z / self.unit);
        let speed = slip.length();
        let along = if speed > 0.0 { slip / speed } else { DVec2::X };
        let (mut sideways, mut by_spin, mut by_slip) = (0.0, 0.0, 0.0);
        let (mut force, mut torque) = (0.0, 0.0);
        for r in self.shape.terms.rings.iter() {
            let rim = spin.abs() * r.radius;
            let (h, inverse) = ring_and_stiffness(speed, rim);
            force += r.share * h.x;
            torque += r.share * r.radius * h.y;
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
        let slide = if speed > 0.0 { along * (self.shape.mean * force) } else { DVec2::ZERO };
        let turn = self.shape.mean * torque * spin.signum() / self.unit;
        (slide.extend(turn), self.units(sum * self.shape.mean))
    }
}

pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
