//! A point contact in one piece of memory.

use glamx::DVec3;

use crate::problem::{Bodies, InverseMass, RowEntry};
use crate::units::Unit;

/// The three rows of a point contact between two blocks, or one and what stands still: what most
/// units are. All that a sweep reads of it lies together.
#[derive(Debug, Clone)]
pub(super) struct PointContact {
    /// The first of its rows.
    pub(super) first_row: usize,
    /// Blocks of A and B; one past the last where nothing moves.
    pub(super) blocks: [usize; 2],
    /// Impulse on B of each row; on A it is the opposite.
    pub(super) directions: [DVec3; 3],
    /// Torque arms × directions of A and B.
    torques: [[DVec3; 3]; 2],
    /// 1/kg.
    masses: [f64; 2],
    /// Change of the angular velocities by each row.
    turns: [[DVec3; 3]; 2],
}

/// Linear and angular velocity.
pub(crate) type Twist = (DVec3, DVec3);

impl PointContact {
    /// The unit's rows, where they are those of a point contact.
    pub(super) fn gather(unit: &Unit, bodies: &Bodies, response: &[Twist]) -> Option<PointContact> {
        let row = unit.row(0);
        if unit.dim() != 3 || unit.row(2) != row + 2 {
            return None;
        }
        let starts = &bodies.row_start[row..row + 4];
        let count = starts[1] - starts[0];
        let (first, end) = (starts[0], starts[3]);
        if count == 0 || count > 2 || starts.windows(2).any(|s| s[1] - s[0] != count) {
            return None;
        }
        let entries = &bodies.entries[first..end];
        let nothing = bodies.inverse_masses.len();
        let mut point = PointContact {
            first_row: row,
            blocks: [nothing, entries[count - 1].dof_block],
            directions: [DVec3::ZERO; 3],
            torques: [[DVec3::ZERO; 3]; 2],
            masses: [0.0; 2],
            turns: [[DVec3::ZERO; 3]; 2],
        };
        if count == 2 {
            point.blocks[0] = entries[0].dof_block;
        }
        for (k, (row, response)) in
            entries.chunks_exact(count).zip(response[first..end].chunks_exact(count)).enumerate()
        {
            let RowEntry { dof_block, linear, angular } = row[count - 1];
            point.directions[k] = linear;
            (point.torques[1][k], point.turns[1][k]) = (angular, response[count - 1].1);
            let mut alike = dof_block == point.blocks[1];
            if count == 2 {
                alike &= row[0].dof_block == point.blocks[0] && row[0].linear == -linear;
                (point.torques[0][k], point.turns[0][k]) = (row[0].angular, response[0].1);
            }
            if !alike {
                return None;
            }
        }
        if point.blocks[0] == point.blocks[1] {
            return None;
        }
        point.masses = point.blocks.map(|block| match bodies.inverse_masses.get(block) {
            Some(InverseMass::Body { mass, .. } | InverseMass::Point(mass)) => *mass,
            None => 0.0,
        });
        Some(point)
    }

    /// From the centres of A and B to where all rows act; `None` where they do not act at one point.
    pub(super) fn arms(&self) -> Option<[DVec3; 2]> {
        let arm = |side: usize, sign| arm(&self.directions, &self.torques[side], sign);
        Some([arm(0, -1.0)?, arm(1, 1.0)?])
    }

    /// Relative velocity along one row.
    #[inline]
    pub(super) fn velocity(&self, k: usize, change: &[Twist]) -> f64 {
        let [a, b] = self.blocks.map(|block| change[block]);
        self.along(k, &a, &b)
    }

    /// Relative velocity along its rows.
    #[inline]
    pub(super) fn velocities(&self, change: &[Twist]) -> [f64; 3] {
        let [a, b] = self.blocks.map(|block| change[block]);
        [self.along(0, &a, &b), self.along(1, &a, &b), self.along(2, &a, &b)]
    }

    #[inline]
    pub(super) fn along(&self, k: usize, a: &Twist, b: &Twist) -> f64 {
        let d = self.directions[k];
        self.torques[0][k].dot(a.1) - d.dot(a.0) + d.dot(b.0) + self.torques[1][k].dot(b.1)
    }

    /// Tells both blocks that the rows' impulses grew by this much.
    #[inline]
    pub(super) fn add(&self, delta: [f64; 3], change: &mut [Twist]) {
        let mut twists = self.blocks.map(|block| change[block]);
        self.push(delta, &mut twists);
        for (block, twist) in self.blocks.into_iter().zip(twists) {
            change[block] = twist;
        }
    }

    /// The same for the twists of A and B.
    #[inline]
    pub(super) fn push(&self, delta: [f64; 3], [a, b]: &mut [Twist; 2]) {
        for (k, delta) in delta.into_iter().enumerate() {
            a.0 -= self.directions[k] * self.masses[0] * delta;
            a.1 += self.turns[0][k] * delta;
            b.0 += self.directions[k] * self.masses[1] * delta;
            b.1 += self.turns[1][k] * delta;
        }
    }
}

/// The arm from a centre to the point at which torques of `sign` times these orthonormal directions are
/// `sign` arm × direction; `None` where they are not those of one point.
pub(super) fn arm(directions: &[DVec3; 3], torques: &[DVec3; 3], sign: f64) -> Option<DVec3> {
    let with = || directions.iter().copied().zip(torques.iter().copied());
    // Of orthonormal directions d, the sum of d × (a × d) is 2 a.
    let arm: DVec3 = with().map(|(d, torque)| 0.5 * sign * d.cross(torque)).sum();
    let off = |(d, torque): (DVec3, DVec3)| (sign * arm.cross(d) - torque).abs().max_element();
    let farthest = with().map(off).fold(0.0, f64::max);
    (farthest <= AT_ONE_POINT * arm.abs().max_element()).then_some(arm)
}

/// How far torques may be from those of one point, as a part of its distance: what rounding leaves.
pub(super) const AT_ONE_POINT: f64 = 1e-13;
