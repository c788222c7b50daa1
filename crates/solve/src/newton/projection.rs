//! The law of one contact as Newton's method sees it: a projection and its derivative.

use asperity_friction::set::Set;
use asperity_friction::set::cone::{OnCone, onto_round_cone, project_onto_round_cone};
use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::patch::Patch;
use crate::block::FrictionBlock;
use crate::local::MAX_LOCAL;
use crate::problem::ContactProblem;
use crate::unit_balls::read;
use crate::units::Unit;

/// The rows of a unit.
pub(crate) type Vector = [f64; MAX_LOCAL];
/// How they change with each other.
pub(crate) type Matrix = [[f64; MAX_LOCAL]; MAX_LOCAL];

/// The impulses of a unit for its velocities, and how they fall with them.
#[derive(Debug, Clone)]
pub(crate) struct Projected {
    pub(crate) r: Vector,
    /// The same where the set is a unit ball.
    pub(crate) unit_r: Vector,
    /// D = −∂r/∂u.
    pub(crate) slope: Matrix,
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

/// The impulses of a unit for velocities û (without the unit's own compliance), about the proximal
/// point, with the compliance `eps`.
pub(crate) fn projected(
    problem: &ContactProblem,
    unit: &Unit,
    eps: f64,
    u: &Vector,
    centre: &[f64],
) -> Projected {
    let (r, unit_r, slope) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL], [[0.0; MAX_LOCAL]; MAX_LOCAL]);
    let mut out = Projected { r, unit_r, slope, potential: 0.0, state: State::Slips };
    if !(eps > 0.0) {
        return out;
    }
    if let (Some(normal), Some(Set::Disk(disk))) =
        (unit.normal, unit.block.map(|k| &problem.blocks[k].law.set))
    {
        let rows = [normal, unit.rows.start, unit.rows.start + 1];
        let steep = rows.map(|row| 1.0 / (eps + problem.give(row)));
        let (mu, centre) = (disk.radius(), DVec3::from(rows.map(|row| eps * centre[row])));
        out.be_disc(mu, steep, centre - DVec3::new(u[0], mu * u[1], mu * u[2]));
        return out;
    }
    if let Some(patch) = Patch::of(problem, unit) {
        patch.projected(eps, u, centre, &mut out);
        return out;
    }
    let dim = unit.dim();
    let first = usize::from(unit.normal.is_some());
    let block = unit.block.map(|k| &problem.blocks[k]);
    // Where the set is a unit ball: rows, and the compliance.
    let map = block.and_then(|b| round_map(&b.law.set));
    let mut v = *u;
    if let Some(e) = map {
        write(&mut v[first..dim], e.transpose() * read(&u[first..dim]));
    }
    let (mut z, mut steep) = ([0.0; MAX_LOCAL], [0.0; MAX_LOCAL]);
    for k in 0..dim {
        let row = unit.row(k);
        steep[k] = 1.0 / (eps + problem.give(row));
        z[k] = (eps * centre[row] - v[k]) * steep[k];
    }
    let (p, mut d) = nearest(block, first == 1, dim, &z, centre);
    out.state = state_of(&d, dim);
    for (k, row) in d.iter_mut().enumerate().take(dim) {
        out.potential += 0.5 * (z[k] * z[k] - (z[k] - p[k]) * (z[k] - p[k])) / steep[k];
        for j in 0..dim {
            row[j] *= steep[j];
        }
    }
    (out.unit_r, out.r, out.slope) = (p, p, d);
    if let Some(e) = map {
        out.leave_ball(first, dim, e);
    }
    out
}

impl Projected {
    /// What it is for a point contact with a disc of radius `mu`, where rows are as `steep` and the proximal point is
    /// `above` what the velocities of the unit disc call for.
    fn be_disc(&mut self, mu: f64, steep: [f64; 3], above: DVec3) {
        let z = above * DVec3::from(steep);
        let OnCone { point, slope } = project_onto_round_cone(1.0, z);
        self.state = if slope == DMat3::ZERO {
            State::Open
        } else if slope == DMat3::IDENTITY {
            State::Holds
        } else {
            State::Slips
        };
        let scale = [1.0, mu, mu];
        for k in 0..3 {
            self.potential +=
                0.5 * (z[k] * z[k] - (z[k] - point[k]) * (z[k] - point[k])) / steep[k];
            self.unit_r[k] = point[k];
            self.r[k] = scale[k] * point[k];
            for j in 0..3 {
                self.slope[k][j] = slope.col(j)[k] * steep[j] * scale[j] * scale[k];
            }
        }
    }

    /// Back to the rows as they are: r_t = E g, D = E D Eᵀ.
    fn leave_ball(&mut self, first: usize, dim: usize, e: DMat3) {
        let turn = |rows: &mut [f64]| write(rows, e * read(rows));
        turn(&mut self.r[first..dim]);
        for row in self.slope.iter_mut().take(dim) {
            turn(&mut row[first..dim]);
        }
        for k in 0..dim {
            let mut column = [0.0; 3];
            let column = &mut column[..dim - first];
            for (c, row) in column.iter_mut().zip(&self.slope[first..dim]) {
                *c = row[k];
            }
            turn(column);
            for (c, row) in column.iter().zip(&mut self.slope[first..dim]) {
                row[k] = *c;
            }
        }
    }
}

/// The nearest impulses to `z`, where discs, ellipses and ellipsoids are unit balls, and their derivative.
fn nearest(
    block: Option<&FrictionBlock>,
    with_normal: bool,
    dim: usize,
    z: &Vector,
    centre: &[f64],
) -> (Vector, Matrix) {
    let (mut p, mut d) = ([0.0; MAX_LOCAL], [[0.0; MAX_LOCAL]; MAX_LOCAL]);
    let Some(block) = block else {
        (p[0], d[0][0]) = if z[0] > 0.0 { (z[0], 1.0) } else { (0.0, 0.0) };
        return (p, d);
    };
    let set = &block.law.set;
    if let Set::Free(_) = set {
        p = *z;
        for (k, row) in d.iter_mut().enumerate().take(dim) {
            row[k] = 1.0;
        }
    } else if with_normal && dim > 3 {
        onto_ball_cone(dim, z, &mut p, &mut d);
    } else if with_normal {
        let at = DVec3::new(z[0], z[1], z[2]);
        let OnCone { point, slope } = match set.corners() {
            Some(corners) => corners.project(at),
            None => project_onto_round_cone(half_width(set), at),
        };
        for i in 0..dim.min(3) {
            p[i] = point[i];
            for j in 0..dim.min(3) {
                d[i][j] = slope.col(j)[i];
            }
        }
    } else if set.dim() == 1 {
        let bound = half_width(set) * block.load(centre);
        (p[0], d[0][0]) = (z[0].clamp(-bound, bound), f64::from(z[0].abs() <= bound));
    } else {
        let load = block.load(centre);
        let length = if dim == 2 { z[0].hypot(z[1]) } else { read(z).length() };
        let shrink = if length > load { load / length } else { 1.0 };
        for i in 0..dim {
            p[i] = shrink * z[i];
            d[i][i] = shrink;
            for j in 0..dim {
                if length > load {
                    d[i][j] -= shrink * z[i] * z[j] / (length * length);
                }
            }
        }
    }
    (p, d)
}

/// Projection onto the cone over the unit ball of three rows (t, b, spin), and its derivative; as
/// [`project_onto_round_cone`] for two.
fn onto_ball_cone(dim: usize, z: &Vector, p: &mut Vector, d: &mut Matrix) {
    let friction = read(&z[1..dim]);
    let length = friction.length();
    let (normal, along) = onto_round_cone(1.0, z[0], length);
    if z[0] >= 0.0 && length <= z[0] {
        *p = *z;
        for (k, row) in d.iter_mut().enumerate().take(dim) {
            row[k] = 1.0;
        }
        return;
    }
    if normal == 0.0 && along == 0.0 {
        return;
    }
    let t = friction / length;
    p[0] = normal;
    d[0][0] = 0.5;
    for i in 0..dim - 1 {
        p[1 + i] = along * friction[i];
        (d[0][1 + i], d[1 + i][0]) = (0.5 * t[i], 0.5 * t[i]);
        for j in 0..dim - 1 {
            let across = f64::from(i == j) - t[i] * t[j];
            d[1 + i][1 + j] = along * across + 0.5 * t[i] * t[j];
        }
    }
}

/// The matrix that makes the set of the unit ball, where a contact is solved so.
pub(crate) fn round_map(set: &Set) -> Option<DMat3> {
    if matches!(set, Set::Interval(_)) { None } else { set.ball_map() }
}

/// What the map makes the friction `r` of; `None` where it has no inverse.
pub(crate) fn unmapped(e: &DMat3, r: &[f64]) -> Option<DVec3> {
    if r.len() == 2 {
        let flat = DMat2::from_cols(e.x_axis.truncate(), e.y_axis.truncate());
        let inverse = (flat.determinant() > 0.0).then(|| flat.inverse());
        inverse.map(|inverse| (inverse * DVec2::new(r[0], r[1])).extend(0.0))
    } else {
        (e.determinant() > 0.0).then(|| e.inverse() * read(r))
    }
}

/// Writes up to three rows.
pub(crate) fn write(rows: &mut [f64], v: DVec3) {
    let dim = rows.len().min(3);
    rows[..dim].copy_from_slice(&v.to_array()[..dim]);
}

/// Bound of an interval; one for what is a unit ball.
fn half_width(set: &Set) -> f64 {
    match set {
        Set::Interval(s) => s.max(),
        _ => 1.0,
    }
}

fn state_of(d: &Matrix, dim: usize) -> State {
    let diagonal = |value: f64| {
        (0..dim).all(|i| (0..dim).all(|j| d[i][j] == if i == j { value } else { 0.0 }))
    };
    match (diagonal(0.0), diagonal(1.0)) {
        (true, _) => State::Open,
        (_, true) => State::Holds,
        _ => State::Slips,
    }
}

/// The impulses alone, about the impulses `r`. A contact that holds is taken to slip no more;
/// the others as fast as `slip` says.
pub(crate) fn project(
    problem: &ContactProblem,
    unit: &Unit,
    eps: f64,
    [u, slip]: [&Vector; 2],
    r: &[f64],
) -> Vector {
    let mut out = [0.0; MAX_LOCAL];
    if !(eps > 0.0) {
        return out;
    }
    if let Some(patch) = Patch::of(problem, unit) {
        write(&mut out[..3], patch.project(eps, u, r));
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
    let set = &block.law.set;
    if let Set::Free(_) = set {
        return out;
    }
    let normal_give = eps + problem.give(unit.row(0));
    if let Some(corners) = set.corners() {
        let at = |out: &Vector| DVec3::new(out[0], out[1], out[2]);
        if !corners.hold(at(&out)) {
            out[0] -= set.support(&[-slip[1], -slip[2]], 1.0) / normal_give;
        }
        let nearest = corners.project(at(&out)).point;
        out[..3].copy_from_slice(&nearest.to_array());
        return out;
    }
    let (mu, map) = (half_width(set), round_map(set));
    let along = |e: DMat3, u: &[f64]| e.transpose() * read(&u[first..dim]);
    if let Some(e) = map {
        let row = unit.row(first);
        let give = eps + problem.give(row);
        let g = unmapped(&e, &r[row..row + dim - first]);
        let moved = g.map_or(DVec3::ZERO, |g| g - along(e, u) / give);
        write(&mut out[first..dim], moved);
    }
    let length = out[first..dim].iter().map(|x| x * x).sum::<f64>().sqrt();
    let shrink = if first == 1 {
        if length > mu * out[0] {
            let shift = map.map_or(mu * slip[1].abs(), |e| along(e, slip).length());
            out[0] -= shift / normal_give;
        }
        let (normal, shrink) = onto_round_cone(mu, out[0], length);
        out[0] = normal;
        shrink
    } else {
        let most = mu * block.load(r);
        if length > most { most / length } else { 1.0 }
    };
    out[first..dim].iter_mut().for_each(|t| *t *= shrink);
    if let Some(e) = map {
        let friction = e * read(&out[first..dim]);
        write(&mut out[first..dim], friction);
    }
    out
}
