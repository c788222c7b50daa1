//! What each contact answers by itself: impulses r with r − R u = a and its law, and how they change with a.

use asperity_friction::set::Set;

use crate::local::{self, Local, MAX_LOCAL};
use crate::problem::ContactProblem;
use crate::units::{Unit, torque_scale};

/// The rows of a unit.
pub(super) type Vector = [f64; MAX_LOCAL];

/// One unit, the steps R of all rows, and the impulses that load it where they are not its own.
#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) problem: &'a ContactProblem,
    pub(super) unit: &'a Unit,
    pub(super) steps: &'a [f64],
    pub(super) loads: &'a [f64],
}

impl Answer<'_> {
    /// The impulses for `a`; `last` are those of the last time.
    ///
    /// With W = R⁻¹ the normal row knows nothing of the friction rows: its impulse is max(0, a_n),
    /// which is then the load, and friction is what is nearest to a_t in the set at that load.
    #[inline]
    pub(super) fn impulses(&self, a: &Vector, last: &Vector) -> Vector {
        let unit = self.unit;
        let set = unit.block.map(|k| &self.problem.blocks[k].law.set);
        let mut r = [0.0; MAX_LOCAL];
        match (unit.normal, set) {
            (_, None) => r[0] = a[0].max(0.0),
            (Some(_), Some(Set::Disk(disk))) => {
                let load = a[0].max(0.0);
                let (most, length) = (disk.radius() * load, a[1].hypot(a[2]));
                let part = if length > most { most / length } else { 1.0 };
                (r[0], r[1], r[2]) = (load, a[1] * part, a[2] * part);
            }
            (None, Some(Set::Free(_))) if !unit.alone => r = *a,
            _ => return self.solved(a, last),
        }
        r
    }

    /// The same by the solution of a contact whose own W is R⁻¹.
    fn solved(&self, a: &Vector, last: &Vector) -> Vector {
        let (unit, dim) = (self.unit, self.unit.dim());
        let (mut w, mut inverse) = ([0.0; MAX_LOCAL * MAX_LOCAL], [0.0; MAX_LOCAL * MAX_LOCAL]);
        let (mut q, mut r) = ([0.0; MAX_LOCAL], *last);
        for k in 0..dim {
            let step = self.steps[unit.row(k)];
            w[k * dim + k] = 1.0 / step;
            inverse[k * dim + k] = step;
            q[k] = -a[k] / step;
        }
        let block = unit.block.map(|k| &self.problem.blocks[k]);
        let piece = Local {
            w: &w[..dim * dim],
            inverse: &inverse[..dim * dim],
            q: &q[..dim],
            has_normal: unit.normal.is_some(),
            load: block.map_or(0.0, |b| b.load(self.loads)),
            set: block.map(|b| &b.law.set),
            rheology: block.and_then(|b| b.law.rheology.as_deref()),
            alone: unit.alone,
            radius: unit.radius,
            rough: false,
        };
        local::solve(&piece, &mut r[..dim]);
        r.map(|r| if r.is_finite() { r } else { 0.0 })
    }

    /// D = ∂r/∂a, row by row; `r` are the impulses for `a`.
    pub(super) fn slope(&self, a: &Vector, r: &Vector, slope: &mut [f64]) {
        let (unit, dim) = (self.unit, self.unit.dim());
        slope.fill(0.0);
        let set = unit.block.map(|k| &self.problem.blocks[k].law.set);
        match (unit.normal, set) {
            (_, None) => slope[0] = f64::from(a[0] > 0.0),
            (Some(_), Some(Set::Disk(disk))) => {
                if a[0] > 0.0 {
                    slope_of_disk(disk.radius(), a, slope);
                }
            }
            (None, Some(Set::Free(_))) if !unit.alone => {
                (0..dim).for_each(|k| slope[k * dim + k] = 1.0);
            }
            _ => self.differences(a, r, slope),
        }
    }

    /// D by differences, for sets that bring a solution but no derivative of it.
    fn differences(&self, a: &Vector, r: &Vector, slope: &mut [f64]) {
        let (unit, dim) = (self.unit, self.unit.dim());
        let scale: Vector = std::array::from_fn(|k| torque_scale(unit, k));
        let size = (0..dim).map(|k| a[k].abs() / scale[k]).fold(0.0, f64::max);
        for j in 0..dim {
            let by = DIFFERENCE * size * scale[j];
            if !(by > 0.0) {
                continue;
            }
            let mut near = *a;
            near[j] += by;
            let moved = self.impulses(&near, r);
            for k in 0..dim {
                slope[k * dim + j] = (moved[k] - r[k]) / by;
            }
        }
    }
}

/// D of a pressed contact with a disc.
fn slope_of_disk(mu: f64, a: &Vector, slope: &mut [f64]) {
    slope[0] = 1.0;
    let (most, length) = (mu * a[0], a[1].hypot(a[2]));
    if length <= most {
        (slope[4], slope[8]) = (1.0, 1.0);
        return;
    }
    let (along, part) = ([a[1] / length, a[2] / length], most / length);
    for i in 0..2 {
        slope[3 * (1 + i)] = mu * along[i];
        for j in 0..2 {
            let one = f64::from(i == j);
            slope[3 * (1 + i) + 1 + j] = part * (one - along[i] * along[j]);
        }
    }
}

/// Relative size of differences.
const DIFFERENCE: f64 = 1e-6;
