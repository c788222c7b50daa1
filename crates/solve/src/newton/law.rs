//! The law of one contact as Newton's method sees it: a projection and its derivative.

use asperity_friction::set::Set;
use glamx::{DMat2, DVec2, DVec3};

use super::corners::Corners;
use crate::local::MAX_LOCAL;
use crate::problem::ContactProblem;
use crate::residual::load;
use crate::units::Unit;

/// The impulses of a unit for its velocities, and how they fall with them.
#[derive(Debug, Clone)]
pub(crate) struct Law {
    pub(crate) r: [f64; MAX_LOCAL],
    /// The same where the set is a unit disc.
    pub(crate) unit_r: [f64; MAX_LOCAL],
    /// D = −∂r/∂u.
    pub(crate) slope: [[f64; MAX_LOCAL]; MAX_LOCAL],
    /// φ.
    pub(crate) potential: f64,
    /// Whether the slope is the same wherever the unit is in this state.
    pub(crate) state: State,
}

/// What a unit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// No impulse.
    Open,
    /// Every velocity meets the full compliance.
    Holds,
    /// Something between.
    Slips,
}

/// The law of a unit: impulses for velocities û (without the unit's own compliance), about the
/// proximal point, with the compliance `eps`.
pub(crate) fn law(
    problem: &ContactProblem,
    unit: &Unit,
    eps: f64,
    u: &[f64; MAX_LOCAL],
    centre: &[f64],
) -> Law {
    let dim = unit.dim();
    let first = usize::from(unit.normal.is_some());
    let mut out = Law {
        r: [0.0; MAX_LOCAL],
        unit_r: [0.0; MAX_LOCAL],
        slope: [[0.0; MAX_LOCAL]; MAX_LOCAL],
        potential: 0.0,
        state: State::Slips,
    };
    let block = unit.block.map(|k| &problem.blocks[k]);
    // Where the set is a unit disc: rows, and the compliance.
    let map = block.and_then(|b| disc_map(&b.set));
    let mu = match block.map(|b| &b.set) {
        Some(Set::Interval(s)) => s.max(),
        _ => 1.0,
    };
    let mut v = *u;
    if let Some(e) = map {
        [v[first], v[first + 1]] = (e.transpose() * DVec2::new(u[first], u[first + 1])).to_array();
    }
    if !(eps > 0.0) {
        return out;
    }
    let (mut z, mut steep) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
    for k in 0..dim {
        let row = unit.row(k);
        steep[k] = 1.0 / (eps + problem.give(row));
        z[k] = (eps * centre[row] - v[k]) * steep[k];
    }
    let mut p = [0.0; MAX_LOCAL];
    let mut d = [[0.0; MAX_LOCAL]; MAX_LOCAL];
    let interval = |bound: f64, z: f64| (z.clamp(-bound, bound), f64::from(z.abs() <= bound));
    match (first, block) {
        (_, None) => {
            (p[0], d[0][0]) = if z[0] > 0.0 { (z[0], 1.0) } else { (0.0, 0.0) };
        }
        (_, Some(b)) if matches!(b.set, Set::Free(_)) => {
            p = z;
            for k in 0..dim {
                d[k][k] = 1.0;
            }
        }
        (1, Some(b)) => match Corners::of(&b.set) {
            Some(corners) => corners.project(&z, &mut p, &mut d),
            None => cone(dim, mu, &z, &mut p, &mut d),
        },
        (_, Some(b)) if map.is_none() => {
            (p[0], d[0][0]) = interval(mu * load(b, centre), z[0]);
        }
        (_, Some(b)) => {
            let (load, length) = (load(b, centre), z[0].hypot(z[1]));
            let shrink = if length > load { load / length } else { 1.0 };
            for i in 0..2 {
                p[i] = shrink * z[i];
                d[i][i] = shrink;
                for j in 0..2 {
                    if length > load {
                        d[i][j] -= shrink * z[i] * z[j] / (length * length);
                    }
                }
            }
        }
    }
    let diagonal = |value: f64| {
        (0..dim).all(|i| (0..dim).all(|j| d[i][j] == if i == j { value } else { 0.0 }))
    };
    if diagonal(0.0) {
        out.state = State::Open;
    } else if diagonal(1.0) {
        out.state = State::Holds;
    }
    for (k, row) in d.iter_mut().enumerate().take(dim) {
        out.potential += 0.5 * (z[k] * z[k] - (z[k] - p[k]) * (z[k] - p[k])) / steep[k];
        for j in 0..dim {
            row[j] *= steep[j];
        }
    }
    out.unit_r = p;
    out.r = p;
    out.slope = d;
    if let Some(e) = map {
        // Back to the rows as they are: r_t = E g, D = E D E^T.
        let rows = [first, first + 1];
        let columns = [e.x_axis, e.y_axis];
        let mut full = [[0.0; MAX_LOCAL]; MAX_LOCAL];
        for (k, row) in full.iter_mut().enumerate() {
            row[k] = 1.0;
        }
        for (i, &row) in rows.iter().enumerate() {
            for (j, &column) in rows.iter().enumerate() {
                full[row][column] = columns[j][i];
            }
        }
        out.r = [0.0; MAX_LOCAL];
        out.slope = [[0.0; MAX_LOCAL]; MAX_LOCAL];
        let mut half = [[0.0; MAX_LOCAL]; MAX_LOCAL];
        for i in 0..dim {
            for j in 0..dim {
                out.r[i] += full[i][j] * p[j];
                for k in 0..dim {
                    half[i][j] += full[i][k] * d[k][j];
                }
            }
        }
        for i in 0..dim {
            for j in 0..dim {
                for k in 0..dim {
                    out.slope[i][j] += half[i][k] * full[j][k];
                }
            }
        }
    }
    out
}

/// The impulses alone, about the impulses `r`. A contact that holds is taken to slip no more;
/// the others as fast as `slip` says.
pub(crate) fn project(
    problem: &ContactProblem,
    unit: &Unit,
    eps: f64,
    u: &[f64; MAX_LOCAL],
    slip: &[f64; MAX_LOCAL],
    r: &[f64],
) -> [f64; MAX_LOCAL] {
    let mut out = [0.0; MAX_LOCAL];
    if !(eps > 0.0) {
        return out;
    }
    let dim = unit.dim();
    let first = usize::from(unit.normal.is_some());
    for k in 0..dim {
        let row = unit.row(k);
        // Compliance of the row is in u already.
        out[k] = r[row] - u[k] / (eps + problem.give(row));
    }
    let Some(block) = unit.block.map(|k| &problem.blocks[k]) else {
        out[0] = out[0].max(0.0);
        return out;
    };
    let mu = match &block.set {
        Set::Free(_) => return out,
        Set::Interval(s) => s.max(),
        _ => 1.0,
    };
    if let Some(corners) = Corners::of(&block.set) {
        if !corners.hold(DVec3::new(out[0], out[1], out[2])) {
            let shift = block.set.support(&[-slip[1], -slip[2]], 1.0);
            out[0] -= shift / (eps + problem.give(unit.row(0)));
        }
        let (z, mut slope) = (out, [[0.0; MAX_LOCAL]; MAX_LOCAL]);
        out = [0.0; MAX_LOCAL];
        corners.project(&z, &mut out, &mut slope);
        return out;
    }
    let map = disc_map(&block.set);
    let along = |e: DMat2, u: &[f64]| e.transpose() * DVec2::new(u[first], u[first + 1]);
    if let Some(e) = map {
        let give = eps + problem.give(unit.row(first));
        let g = if e.determinant() > 0.0 {
            let row = unit.row(first);
            e.inverse() * DVec2::new(r[row], r[row + 1]) - along(e, u) / give
        } else {
            DVec2::ZERO
        };
        [out[first], out[first + 1]] = g.to_array();
    }
    if first == 1 {
        let length = out[1..dim].iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > mu * out[0] {
            let shift = match map {
                Some(e) => along(e, slip).length(),
                None => mu * slip[1].abs(),
            };
            out[0] -= shift / (eps + problem.give(unit.row(0)));
        }
        if length > mu * out[0] {
            if mu * length <= -out[0] {
                return [0.0; MAX_LOCAL];
            }
            out[0] = (out[0] + mu * length) / (1.0 + mu * mu);
            let along = mu * out[0] / length;
            for t in &mut out[1..dim] {
                *t *= along;
            }
        }
    } else {
        let most = mu * load(block, r);
        let length = out[..dim].iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > most {
            for t in &mut out[..dim] {
                *t *= most / length;
            }
        }
    }
    if let Some(e) = map {
        [out[first], out[first + 1]] = (e * DVec2::new(out[first], out[first + 1])).to_array();
    }
    out
}

/// Projection onto the cone ‖t‖ ≤ μ n of one or two dimensions over its axis, and its derivative.
fn cone(
    dim: usize,
    mu: f64,
    z: &[f64; MAX_LOCAL],
    p: &mut [f64; MAX_LOCAL],
    d: &mut [[f64; MAX_LOCAL]; MAX_LOCAL],
) {
    let length = z[1..dim].iter().map(|x| x * x).sum::<f64>().sqrt();
    if length <= mu * z[0] {
        p[..dim].copy_from_slice(&z[..dim]);
        for k in 0..dim {
            d[k][k] = 1.0;
        }
        return;
    }
    if mu * length <= -z[0] {
        return;
    }
    let part = 1.0 / (1.0 + mu * mu);
    p[0] = part * (z[0] + mu * length);
    d[0][0] = part;
    let along = mu * p[0] / length;
    for i in 1..dim {
        let t = z[i] / length;
        p[i] = along * z[i];
        d[0][i] = part * mu * t;
        d[i][0] = part * mu * t;
        for j in 1..dim {
            let tt = t * z[j] / length;
            let across = f64::from(u8::from(i == j)) - tt;
            d[i][j] = along * across + part * mu * mu * tt;
        }
    }
}

/// The matrix E that makes a planar set of the unit disc.
pub(crate) fn disc_map(set: &Set) -> Option<DMat2> {
    match set {
        Set::Disk(s) => Some(DMat2::from_diagonal(DVec2::splat(s.radius()))),
        Set::Ellipse(s) => {
            let (mu, axis) = (s.mu(), s.rotation().to_frame(DVec2::X));
            Some(DMat2::from_cols(axis * mu.x, axis.perp() * mu.y))
        }
        _ => None,
    }
}
