//! Integrals over an overlap from its surface.

use glamx::{DMat3, DPose3, DVec2, DVec3};

use super::Overlap;

/// Sums about an origin: what lies in the cones from it over pieces of surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub(super) origin: DVec3,
    /// ∫ 1 dV, ∫ x dV and ∫ x xᵀ dV, x from the origin.
    pub(super) volume: f64,
    first: DVec3,
    second: DMat3,
    /// ∫ n dA and ∫ x × n dA over the surface of A and of B.
    area: [DVec3; 2],
    torque: [DVec3; 2],
    /// ∫ dA over everything.
    pub(super) surface: f64,
}

impl Moments {
    pub(super) fn about(origin: DVec3) -> Moments {
        Moments {
            origin,
            volume: 0.0,
            first: DVec3::ZERO,
            second: DMat3::ZERO,
            area: [DVec3::ZERO; 2],
            torque: [DVec3::ZERO; 2],
            surface: 0.0,
        }
    }

    /// Adds a triangle of the surface of A (side 0) or B (side 1), so many times.
    pub(super) fn add(&mut self, side: usize, corners: [DVec3; 3], weight: f64) {
        let [a, b, c] = corners.map(|p| p - self.origin);
        let area = (b - a).cross(c - a) * (0.5 * weight);
        let sum = a + b + c;
        let cone = a.dot(b.cross(c)) * (weight / 6.0);
        self.volume += cone;
        self.first += sum * (0.25 * cone);
        let squares = outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum);
        self.second += squares * (cone / 20.0);
        self.area[side] += area;
        self.torque[side] += sum.cross(area) / 3.0;
        self.surface += area.length();
    }

    /// Adds the column between a triangle and the plane through the origin across a unit normal.
    pub(super) fn add_column(&mut self, side: usize, corners: [DVec3; 3], weight: f64, n: DVec3) {
        let [a, b, c] = corners.map(|p| p - self.origin);
        let [p, q, r] = [a, b, c].map(|x| x - n * n.dot(x));
        for [w, x, y, z] in [[p, q, r, c], [p, q, c, b], [p, b, c, a]] {
            let volume = (x - w).cross(y - w).dot(z - w) * (weight / 6.0);
            let sum = w + x + y + z;
            self.volume += volume;
            self.first += sum * (0.25 * volume);
            let squares = outer(w, w) + outer(x, x) + outer(y, y) + outer(z, z);
            self.second += (squares + outer(sum, sum)) * (volume / 20.0);
        }
        let area = (b - a).cross(c - a) * (0.5 * weight);
        self.area[side] += area;
        self.torque[side] += (a + b + c).cross(area) / 3.0;
        self.surface += area.length();
    }

    /// The surface of the other body from that of this one, as the whole is closed. Its cones are
    /// empty: the origin lies in its plane.
    pub(super) fn close(&mut self, side: usize) {
        self.area[1 - side] = -self.area[side];
        self.torque[1 - side] = -self.torque[side];
    }

    /// Adds what another origin's sums hold.
    pub(super) fn merge(&mut self, other: &Moments) {
        let d = other.origin - self.origin;
        self.volume += other.volume;
        self.first += other.first + d * other.volume;
        let mixed = outer(d, other.first);
        self.second += other.second + mixed + mixed.transpose() + outer(d, d) * other.volume;
        for side in 0..2 {
            self.area[side] += other.area[side];
            self.torque[side] += other.torque[side] + d.cross(other.area[side]);
        }
        self.surface += other.surface;
    }

    /// As an overlap whose surface is not closed, placed in the world: its gradient is the mean of what
    /// the faces of A and those of B say.
    pub(super) fn segment(&self, world: &DPose3) -> Overlap {
        let both = |[a, b]: [DVec3; 2]| 0.5 * (b - a);
        let (area, torque) = (both(self.area), both(self.torque));
        Moments { area: [-area, area], torque: [-torque, torque], ..*self }.overlap(world)
    }

    /// As an overlap, placed in the world.
    pub(super) fn overlap(&self, world: &DPose3) -> Overlap {
        let mean = self.first / self.volume;
        let second = self.second - outer(mean, mean) * self.volume;
        let turn = DMat3::from_quat(world.rotation);
        let second = turn * second * turn.transpose();
        Overlap {
            volume: self.volume,
            centroid: world.transform_point(self.origin + mean),
            second_moment: (second + second.transpose()) * 0.5,
            gradient_linear: turn * self.area[1],
            gradient_angular: turn * (self.torque[1] - mean.cross(self.area[1])),
            surface: self.surface,
            reach: [0.0; super::REACHES],
            outline: [DVec2::ZERO; super::REACHES],
            sides: Default::default(),
        }
    }
}

pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
