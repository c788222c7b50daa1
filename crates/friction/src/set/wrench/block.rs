//! The 6×6 block of a contact, in its parts and moved to other points (Eqs. 2 and 3).

use glamx::{DMat3, DVec2, DVec3};

use super::Screw;

/// The twist that a wrench causes: velocity = `linear` f + `coupling` τ, spin = couplingᵀ f +
/// `angular` τ. Symmetric and positive semi-definite, as J M⁻¹ Jᵀ is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    pub(super) linear: DMat3,
    pub(super) coupling: DMat3,
    pub(super) angular: DMat3,
}

/// What remains for the force once torque rows are eliminated.
pub(super) struct Eliminated {
    /// The velocity that a force causes.
    pub(super) block: DMat3,
    /// The velocity without a force.
    pub(super) velocity: DVec3,
    /// Torque without a force, and by a force.
    torque: DVec3,
    by_force: DMat3,
}

impl Block {
    /// From 36 numbers, row by row.
    pub fn from_rows(w: &[f64]) -> Block {
        let part = |row: usize, column: usize| {
            let column_of = |j: usize| {
                let entry = |i: usize| w[6 * (row + i) + column + j];
                DVec3::new(entry(0), entry(1), entry(2))
            };
            DMat3::from_cols(column_of(0), column_of(1), column_of(2))
        };
        Block { linear: part(0, 0), coupling: part(0, 3), angular: part(3, 3) }
    }

    /// The block of the same contact about another point of the plane: Ad S Adᵀ (Eq. 3).
    #[must_use]
    pub fn moved(&self, point: DVec2) -> Block {
        let p = cross_matrix(DVec3::new(0.0, point.x, point.y));
        let arm = self.coupling * p;
        Block {
            linear: self.linear + arm + arm.transpose() + p.transpose() * self.angular * p,
            coupling: self.coupling - p * self.angular,
            angular: self.angular,
        }
    }

    /// The twist that a wrench causes.
    pub fn apply(&self, wrench: &Screw) -> Screw {
        Screw {
            linear: self.linear * wrench.linear + self.coupling * wrench.angular,
            angular: self.coupling.transpose() * wrench.linear + self.angular * wrench.angular,
        }
    }

    /// Eliminates the torques that hold rotation: all three, or the two of rolling while the spin
    /// torque is `spin` per unit load.
    pub(super) fn eliminate(&self, free: &Screw, spin: Option<f64>) -> Eliminated {
        let (mut coupling, mut angular, mut rotation) = (self.coupling, self.angular, free.angular);
        let (mut linear, mut roll) = (self.linear, self.coupling.transpose());
        let mut given = DMat3::ZERO;
        if let Some(spin) = spin {
            // τ_n = spin · f_n: its effect on each row joins that of the normal force.
            linear.x_axis += coupling.x_axis * spin;
            roll.x_axis += angular.x_axis * spin;
            given.x_axis.x = spin;
            // The spin row itself is not held.
            coupling.x_axis = DVec3::ZERO;
            angular.x_axis = DVec3::X;
            (angular.y_axis.x, angular.z_axis.x, rotation.x) = (0.0, 0.0, 0.0);
            (roll.x_axis.x, roll.y_axis.x, roll.z_axis.x) = (0.0, 0.0, 0.0);
        }
        let inverse = inverse(&angular);
        let torque = -(inverse * rotation);
        let by_force = -(inverse * roll);
        Eliminated {
            block: linear + coupling * by_force,
            velocity: free.linear + coupling * torque,
            torque,
            by_force: by_force + given,
        }
    }
}

impl Block {
    /// Eliminates the torque that holds spin, or gives it as `spin` per unit load; rolling is free.
    pub(super) fn eliminate_spin(&self, free: &Screw, spin: Option<f64>) -> Eliminated {
        let (by_spin, give) = (self.coupling.x_axis, self.angular.x_axis.x);
        // τ_n = start + per · f.
        let (start, per) = match spin {
            Some(spin) => (0.0, DVec3::X * spin),
            None if give > 0.0 => (-free.angular.x / give, -by_spin / give),
            None => (0.0, DVec3::ZERO),
        };
        let row = |v: DVec3, x: DVec3| DMat3::from_cols(v * x.x, v * x.y, v * x.z);
        Eliminated {
            block: self.linear + row(by_spin, per),
            velocity: free.linear + by_spin * start,
            torque: DVec3::X * start,
            by_force: row(DVec3::X, per),
        }
    }
}

impl Eliminated {
    /// The wrench about the middle of a force at `at`, with the torques that go with it.
    pub(super) fn wrench(&self, force: DVec3, at: DVec2) -> Screw {
        let torque = self.torque + self.by_force * force;
        Screw { linear: force, angular: torque + DVec3::new(0.0, at.x, at.y).cross(force) }
    }
}

fn cross_matrix(p: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, p.z, -p.y),
        DVec3::new(-p.z, 0.0, p.x),
        DVec3::new(p.y, -p.x, 0.0),
    )
}

/// The inverse of a 3×3 matrix by elimination; directions in which nothing moves (a body that
/// cannot turn) are left out.
pub(super) fn inverse(m: &DMat3) -> DMat3 {
    let mut a = m.transpose().to_cols_array_2d(); // rows
    let mut out = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for k in 0..3 {
        let original = m.col(k)[k];
        let pivot = a[k][k];
        if !(pivot > 1e-14 * original) {
            // Nothing moves this row: it stays zero, in and out.
            for i in 0..3 {
                (a[i][k], a[k][i]) = (0.0, 0.0);
                (out[i][k], out[k][i]) = (0.0, 0.0);
            }
            continue;
        }
        for j in 0..3 {
            a[k][j] /= pivot;
            out[k][j] /= pivot;
        }
        for i in (0..3).filter(|i| *i != k) {
            let factor = a[i][k];
            for j in 0..3 {
                a[i][j] -= factor * a[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    DMat3::from_cols_array_2d(&out).transpose()
}
