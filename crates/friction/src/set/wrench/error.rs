//! How far a wrench is from a solution.

use glamx::Vec3Swizzles;

use super::{Screw, Wrench};

impl Wrench {
    /// The fixed-point error of Algorithm 1 alone, which is smooth where no bound is reached or left: what a
    /// wrench is beyond the one that acts while all others stand still. As forces.
    pub fn miss(&self, w: &[f64], r: &[f64], u: &[f64]) -> [f64; 6] {
        let radius = self.radius();
        let scale = [1.0, 1.0, 1.0, radius, radius, radius];
        let mut free = [0.0; 6];
        for i in 0..6 {
            free[i] = u[i] - (0..6).map(|j| w[6 * i + j] * r[j]).sum::<f64>();
        }
        let acts = self.solve(w, &free);
        std::array::from_fn(|k| (r[k] - acts[k]) / scale[k])
    }

    /// Errors of a wrench `r` at the twist `u` = W r + …, as forces (torques in units of the patch's
    /// radius); `w` is the block's own part of W, and `rho` one over its largest eigenvalue.
    ///
    /// The fixed-point error of Algorithm 1, row by row, and to that, by their size, the violations:
    /// Signorini's law at the centre of pressure, friction and centre of pressure beyond their bounds,
    /// spin torque beyond its own, and friction that pushes.
    pub fn error(&self, w: &[f64], rho: f64, r: &[f64], u: &[f64]) -> [f64; 6] {
        let mut e = self.miss(w, r, u);

        let (wrench, twist) = (Screw::from_rows(r), Screw::from_rows(u));
        let [pull, friction, cop, spin] = self.violations(r);
        let load = wrench.linear.x;
        let (signorini, pushes) = if load > 0.0 {
            let at = wrench.cop();
            let velocity = twist.velocity_at(at);
            let power =
                velocity.yz().dot(wrench.linear.yz()) + twist.angular.x * wrench.spin_about(at);
            let approach = if velocity.x < 0.0 {
                (velocity.x + self.descent(at)).min(0.0)
            } else {
                velocity.x
            };
            (load - (load - rho * approach).max(0.0), power.max(0.0) * rho / load)
        } else {
            (pull, 0.0)
        };
        for (k, violation) in [(0, signorini), (1, friction), (2, pushes), (3, spin), (4, cop)] {
            e[k] = e[k].hypot(violation);
        }
        e
    }
}
