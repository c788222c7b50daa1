//! A point contact as a sweep over many of them sees it.

use asperity_friction::set::Set;
use glamx::{DMat3, DVec3};

use super::point_contact::{AT_ONE_POINT, PointContact, Twist, arm};
use crate::block::FrictionBlock;
use crate::local::disc::Disc;
use crate::local::{self, Local};
use crate::problem::{Bodies, ContactProblem, InverseMass, RowEntry};
use crate::residual::Sums;
use crate::units::{Unit, Units, invert};

/// A point contact with all that a sweep reads of it, in as little memory as that takes: those of a large problem do
/// not fit into the nearest cache.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
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
}

/// A body in a sweep: the change of its velocities, and its inverse mass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) twist: Twist,
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
    #[inline(always)]
    fn velocity(&self, arm: DVec3) -> DVec3 {
        self.twist.0 + self.twist.1.cross(arm)
    }

    /// An impulse there.
    #[inline(always)]
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
        })
    }

    /// The k-th contact of a problem whose contacts have three rows each, one after the other, over the blocks that
    /// [`blocks_of`] says; its bodies are at these places. `None` where its rows do not act at one point of each body.
    pub(crate) fn of_rows(
        problem: &ContactProblem,
        bodies: &Bodies,
        k: usize,
        places: [usize; 2],
    ) -> Option<Piece> {
        let (row, set) = (3 * k, &problem.blocks[k].law.set);
        let starts = &bodies.row_start[row..row + 4];
        let entries = &bodies.entries[starts[0]..starts[3]];
        let count = entries.len() / 3;
        let mut piece = Piece {
            block: k,
            mu: if let Set::Disk(disk) = set { Some(disk.radius()) } else { None },
            first_row: row,
            places,
            directions: [0, 1, 2].map(|i| entries[(i + 1) * count - 1].linear),
            q: [0, 1, 2].map(|i| problem.q[row + i]),
            give: [0, 1, 2].map(|i| problem.give(row + i)),
            ..Piece::default()
        };
        // B is the last of each row; of one alone the other stands still.
        for (side, nth, sign) in [(0, 0, -1.0), (1, count - 1, 1.0)].into_iter().skip(2 - count) {
            let of = |i: usize| &entries[i * count + nth];
            let response = [0, 1, 2].map(|i| {
                let RowEntry { dof_block, linear, angular } = of(i);
                bodies.inverse_masses[*dof_block].apply(*linear, *angular)
            });
            for i in 0..3 {
                for j in 0..=i {
                    let w = of(i).linear.dot(response[j].0) + of(i).angular.dot(response[j].1);
                    piece.w[3 * i + j] += w;
                }
            }
            let torques = [0, 1, 2].map(|i| of(i).angular);
            piece.arms[side] = arm(&piece.directions, &torques, sign)?;
        }
        for i in 0..3 {
            piece.w[4 * i] += piece.give[i];
            for j in 0..i {
                piece.w[3 * j + i] = piece.w[3 * i + j];
            }
        }
        invert(&piece.w, 3, &mut piece.inverse);
        Some(piece)
    }

    /// The k-th row of a problem of nothing but normal rows, with blocks and places as in [`Piece::of_rows`]. Rows of
    /// friction that nothing turns to are beside it.
    pub(crate) fn of_normal(
        problem: &ContactProblem,
        bodies: &Bodies,
        k: usize,
        places: [usize; 2],
    ) -> Option<Piece> {
        let entries = &bodies.entries[bodies.row_start[k]..bodies.row_start[k + 1]];
        let normal = entries[entries.len() - 1].linear;
        let mut piece = Piece {
            block: k,
            mu: Some(0.0),
            first_row: k,
            places,
            directions: [normal, DVec3::ZERO, DVec3::ZERO],
            w: [problem.give(k), 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            q: [problem.q[k], 0.0, 0.0],
            give: [problem.give(k), 0.0, 0.0],
            ..Piece::default()
        };
        for (entry, side) in entries.iter().rev().zip([1, 0]) {
            let RowEntry { dof_block, linear, angular } = entry;
            let inverse = &bodies.inverse_masses[*dof_block];
            let response = inverse.apply(*linear, *angular);
            piece.w[0] += linear.dot(response.0) + angular.dot(response.1);
            let InverseMass::Body { mass, inertia } = inverse else { continue };
            // The part of the arm across the normal, which is all that matters.
            let arm = linear.cross(*angular) / normal.length_squared();
            let off = (arm.cross(*linear) - *angular).length_squared();
            let spin = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
            if !(off * spin
                <= AT_ONE_POINT * AT_ONE_POINT * (mass + angular.length_squared() * spin))
            {
                return None; // no force at a point
            }
            piece.arms[side] = arm;
        }
        Some(piece)
    }

    /// How many of its rows nothing can move.
    pub(crate) fn immovable(&self) -> usize {
        [0, 4, 8].into_iter().filter(|k| self.w[*k] <= 0.0).count()
    }

    /// The exact solution while the others stand still, in the place of its last `impulse`; `movers` begin with the
    /// body at `first`.
    #[inline(always)]
    pub(super) fn solve(
        &self,
        impulse: &mut [f64; 3],
        (blocks, rough): (&[FrictionBlock], bool),
        first: usize,
        movers: &mut [Mover],
    ) {
        let velocity = self.velocity(first, movers);
        let old = *impulse;
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
        let any = || self.solve_any(&blocks[self.block].law.set, rough, old, q);
        // A number that is not finite would spread through the whole problem.
        *impulse = found.unwrap_or_else(any).map(|x| if x.is_finite() { x } else { 0.0 });
        let delta: [f64; 3] = std::array::from_fn(|k| impulse[k] - old[k]);
        if delta != [0.0; 3] {
            self.push(delta, first, movers);
        }
    }

    /// Tells both bodies that its impulses grew by this much.
    #[inline(always)]
    pub(super) fn push(&self, delta: [f64; 3], first: usize, movers: &mut [Mover]) {
        let [n, t, b] = self.directions;
        let impulse = n * delta[0] + t * delta[1] + b * delta[2];
        let sides = self.places.into_iter().zip(self.arms).zip([-impulse, impulse]);
        for ((place, arm), impulse) in sides {
            if let Some(mover) = movers.get_mut(place.wrapping_sub(first)) {
                mover.push(arm, impulse);
            }
        }
    }

    /// Velocity of B against A where they touch, by impulses alone.
    #[inline(always)]
    fn velocity(&self, first: usize, movers: &[Mover]) -> DVec3 {
        let of = |place: usize| movers.get(place.wrapping_sub(first)).unwrap_or(&Mover::FIXED);
        let [a, b] = self.places.map(of);
        b.velocity(self.arms[1]) - a.velocity(self.arms[0])
    }

    /// How far its impulses are from its law, with the sizes of all that is in it.
    #[inline(always)]
    pub(crate) fn error(&self, impulse: &[f64; 3], movers: &[Mover], sums: &mut Sums) {
        let velocity = self.velocity(0, movers);
        let u = std::array::from_fn(|k| self.slip(k, velocity) + self.give[k] * impulse[k]);
        sums.add_disc(self.mu.unwrap_or(0.0), impulse, &u, &self.q);
    }

    /// The same with any set, given the velocities without its own impulses.
    fn solve_any(&self, set: &Set, rough: bool, old: [f64; 3], q: [f64; 3]) -> [f64; 3] {
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
        let mut new = old;
        local::solve(&piece, &mut new);
        new
    }

    #[inline(always)]
    fn slip(&self, k: usize, velocity: DVec3) -> f64 {
        self.directions[k].dot(velocity) + self.q[k]
    }
}

/// The blocks of the k-th contact of a problem whose contacts have so many rows each, one after the other; one past the
/// last where nothing moves. `None` where its rows are not those of a point contact.
pub(crate) fn blocks_of(bodies: &Bodies, k: usize, rows: usize) -> Option<[usize; 2]> {
    let starts = &bodies.row_start[rows * k..=rows * k + rows];
    let count = starts[1] - starts[0];
    if !(1..=2).contains(&count) || starts.windows(2).any(|s| s[1] - s[0] != count) {
        return None;
    }
    let entries = &bodies.entries[starts[0]..starts[rows]];
    let b = entries[count - 1].dof_block;
    let a = if count == 2 { entries[0].dof_block } else { bodies.inverse_masses.len() };
    let alike = |row: &[RowEntry]| {
        let opposite = count == 1 || row[0].dof_block == a && row[0].linear == -row[1].linear;
        row[count - 1].dof_block == b && opposite
    };
    (a != b && entries.chunks_exact(count).all(alike)).then_some([a, b])
}
