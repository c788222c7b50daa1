//! A point contact as a sweep over many of them sees it.

use asperity_friction::set::Set;
use glamx::{DMat3, DVec3};

use super::point_contact::{PointContact, Twist};
use crate::block::FrictionBlock;
use crate::local::disc::Disc;
use crate::local::{self, Local};
use crate::problem::{ContactProblem, InverseMass};
use crate::units::{Unit, Units};

/// A point contact with all that a sweep reads of it, in as little memory as that takes: those of a large problem do
/// not fit into the nearest cache.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Number of its friction block.
    block: usize,
    /// Its coefficient, where its set is a disc.
    mu: Option<f64>,
    pub(super) first_row: usize,
    /// Places of the bodies A and B.
    pub(super) places: [usize; 2],
    /// Impulse on B of each row; on A it is the opposite.
    directions: [DVec3; 3],
    /// From the centres of A and B to where it acts.
    arms: [DVec3; 2],
    w: [f64; 9],
    inverse: [f64; 9],
    q: [f64; 3],
    give: [f64; 3],
    pub(super) impulse: [f64; 3],
}

/// A body in a sweep: the change of its velocities, and its inverse mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) twist: Twist,
    /// 1/kg.
    mass: f64,
    /// 1/(kg m²), world axes.
    inertia: DMat3,
}

impl Mover {
    /// What stands still.
    const FIXED: Mover =
        Mover { twist: (DVec3::ZERO, DVec3::ZERO), mass: 0.0, inertia: DMat3::ZERO };

    pub(super) fn new(inverse: &InverseMass) -> Mover {
        match inverse {
            InverseMass::Body { mass, inertia } => {
                Mover { mass: *mass, inertia: *inertia, ..Mover::FIXED }
            }
            InverseMass::Point(mass) => Mover { mass: *mass, ..Mover::FIXED },
        }
    }

    /// The velocity of a point at `arm` from its centre.
    #[inline]
    fn velocity(&self, arm: DVec3) -> DVec3 {
        self.twist.0 + self.twist.1.cross(arm)
    }

    /// An impulse there.
    #[inline]
    fn push(&mut self, arm: DVec3, impulse: DVec3) {
        self.twist.0 += impulse * self.mass;
        self.twist.1 += self.inertia * arm.cross(impulse);
    }
}

impl Piece {
    /// A point contact of this unit, with blocks in the place of places; `None` where it has no friction, or where its
    /// rows do not act at one point of each body.
    pub(super) fn of(
        point: &PointContact,
        unit: &Unit,
        units: &Units,
        problem: &ContactProblem,
    ) -> Option<Piece> {
        let block = unit.normal.and(unit.block)?;
        let row = |k: usize| point.first_row + k;
        let block_of = |w: &[f64]| std::array::from_fn(|k| w[unit.local + k]);
        let mu = match &problem.blocks[block].law.set {
            Set::Disk(disk) => Some(disk.radius()),
            _ => None,
        };
        Some(Piece {
            block,
            mu,
            first_row: point.first_row,
            places: point.blocks,
            directions: point.directions,
            arms: point.arms()?,
            w: block_of(&units.local),
            inverse: block_of(&units.inverse),
            q: [0, 1, 2].map(|k| problem.q[row(k)]),
            give: [0, 1, 2].map(|k| problem.give(row(k))),
            impulse: [0.0; 3],
        })
    }

    /// The exact solution while the others stand still; `movers` begin with the body at `first`.
    #[inline]
    pub(super) fn solve(
        &mut self,
        blocks: &[FrictionBlock],
        rough: bool,
        first: usize,
        movers: &mut [Mover],
    ) {
        let at = self.places.map(|place| place.wrapping_sub(first));
        let [a, b] = at.map(|k| movers.get(k).unwrap_or(&Mover::FIXED));
        let velocity = b.velocity(self.arms[1]) - a.velocity(self.arms[0]);
        let old = self.impulse;
        let normal = self.directions[0].dot(velocity) + self.q[0];
        if old == [0.0; 3] && normal >= 0.0 {
            return; // open, and stays so
        }
        let u = [normal, self.slip(1, velocity), self.slip(2, velocity)];
        let q: [f64; 3] = std::array::from_fn(|i| {
            let w = &self.w[3 * i..3 * i + 3];
            u[i] + self.give[i] * old[i] - w[0] * old[0] - w[1] * old[1] - w[2] * old[2]
        });
        let found = self
            .mu
            .and_then(|mu| Disc { w: &self.w, inverse: &self.inverse, mu, rough }.solve(q, old));
        let new = found.unwrap_or_else(|| self.solve_any(&blocks[self.block].law.set, rough, q));
        // A number that is not finite would spread through the whole problem.
        self.impulse = new.map(|x| if x.is_finite() { x } else { 0.0 });
        let delta: [f64; 3] = std::array::from_fn(|k| self.impulse[k] - old[k]);
        if delta != [0.0; 3] {
            let [n, t, b] = self.directions;
            let impulse = n * delta[0] + t * delta[1] + b * delta[2];
            for ((k, arm), impulse) in at.into_iter().zip(self.arms).zip([-impulse, impulse]) {
                if let Some(mover) = movers.get_mut(k) {
                    mover.push(arm, impulse);
                }
            }
        }
    }

    /// The same with any set, given the velocities without its own impulses.
    fn solve_any(&self, set: &Set, rough: bool, q: [f64; 3]) -> [f64; 3] {
        let piece = Local {
            w: &self.w,
            inverse: &self.inverse,
            q: &q,
            has_normal: true,
            load: 0.0,
            set: Some(set),
            rheology: None,
            alone: false,
            radius: 1.0,
            rough,
        };
        let mut new = self.impulse;
        local::solve(&piece, &mut new);
        new
    }

    #[inline]
    fn slip(&self, k: usize, velocity: DVec3) -> f64 {
        self.directions[k].dot(velocity) + self.q[k]
    }
}
