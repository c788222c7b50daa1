//! The one residual that every solver reports.

use asperity_friction::set::{MAX_DIM, Set};
use glamx::DVec2;

use crate::delassus::BodyBuffers;
use crate::problem::{ContactProblem, FrictionBlock, Load};
use crate::units::{Unit, Units, in_radius_units, torque_scale};
use crate::wrench_block;

/// How far (r, u = W r + q) is from a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// Relative error.
    pub value: f64,
    /// Which form it has.
    pub form: Form,
}

/// Which form a residual has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The classical one, for problems whose sets are all disks (or intervals [−μ, μ]) loaded by
    /// one normal row: ‖r − P_K(r − (u + μ‖u_t‖ n))‖ / max(‖q‖, ‖r‖, ‖u‖), K the Coulomb cone.
    Coulomb,
    /// The natural map of each row and block with ρ = 1/λ_max(W_ii) and torques in units of the
    /// patch radius: r_n − max(0, r_n − ρ u_n); r_f − P(r_f − ρ u_f); for tensors
    /// T(P(y + ρ u_f)) − T(y); of a wrench the fixed-point error of Algorithm 1 and how far
    /// it is from Signorini's law, its bounds and dissipation; divided by max(‖r‖, ‖ρq‖, ‖ρu‖).
    General,
}

/// The residual of impulses `r`.
pub fn residual(problem: &ContactProblem, r: &[f64]) -> Residual {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    let mut buffers = BodyBuffers::default();
    buffers.prepare(problem);
    let mut units = Units::default();
    units.prepare(problem, &problem.blocks, &buffers);
    let form = form_of(&problem.blocks, &mut units);
    let value = evaluate(&problem.q, &problem.blocks, &units, form, r, &u);
    Residual { value, form }
}

/// Which form applies; prepares the units for it.
pub(crate) fn form_of(blocks: &[FrictionBlock], units: &mut Units) -> Form {
    if is_coulomb(blocks, units) {
        return Form::Coulomb;
    }
    units.measure();
    Form::General
}

/// Whether every piece is a contact with a disc or the like, for which the classical form is.
pub(crate) fn is_coulomb(blocks: &[FrictionBlock], units: &Units) -> bool {
    units.list.iter().all(|unit| match unit.block {
        None => true,
        Some(k) => {
            unit.normal.is_some()
                && match &blocks[k].set {
                    Set::Disk(_) => true,
                    Set::Interval(s) => s.min() == -s.max(),
                    _ => false,
                }
        }
    })
}

/// The residual, with everything prepared. Does not allocate.
pub(crate) fn evaluate(
    q: &[f64],
    blocks: &[FrictionBlock],
    units: &Units,
    form: Form,
    r: &[f64],
    u: &[f64],
) -> f64 {
    let mut sums = Sums::default();
    for unit in &units.list {
        match form {
            Form::Coulomb => coulomb_error(unit, blocks, q, r, u, &mut sums),
            Form::General => {
                let w = &units.local[unit.local..unit.local + unit.dim() * unit.dim()];
                general_error(unit, w, blocks, q, r, u, &mut sums);
            }
        }
    }
    let scale = sums.q.max(sums.r).max(sums.u).sqrt();
    let value = if sums.error == 0.0 { 0.0 } else { sums.error.sqrt() / scale };
    // An overflow must never look like a small error.
    if value.is_nan() { f64::INFINITY } else { value }
}

/// Sums of squares.
#[derive(Default)]
struct Sums {
    error: f64,
    q: f64,
    r: f64,
    u: f64,
}

impl Sums {
    fn add(&mut self, error: f64, q: f64, r: f64, u: f64) {
        self.error += error * error;
        self.q += q * q;
        self.r += r * r;
        self.u += u * u;
    }
}

fn coulomb_error(
    unit: &Unit,
    blocks: &[FrictionBlock],
    q: &[f64],
    r: &[f64],
    u: &[f64],
    sums: &mut Sums,
) {
    let Some(n) = unit.normal else { return };
    let rows = unit.rows.clone();
    let mu = match unit.block.map(|k| &blocks[k].set) {
        Some(Set::Disk(s)) => s.radius(),
        Some(Set::Interval(s)) => s.max(),
        _ => 0.0,
    };
    let slip2: f64 = u[rows.clone()].iter().map(|x| x * x).sum();
    let normal = r[n] - (u[n] + mu * slip2.sqrt());
    let mut tangent = [0.0; 2];
    let mut length2 = 0.0;
    for (t, i) in tangent.iter_mut().zip(rows.clone()) {
        *t = r[i] - u[i];
        length2 += *t * *t;
    }
    let length = length2.sqrt();
    // Projection onto the cone ‖t‖ ≤ μ n.
    let (pn, scale) = if length <= mu * normal {
        (normal, 1.0)
    } else if mu * length <= -normal {
        (0.0, 0.0)
    } else {
        let pn = (normal + mu * length) / (1.0 + mu * mu);
        (pn, mu * pn / length)
    };
    sums.add(r[n] - pn, q[n], r[n], u[n]);
    for (t, i) in tangent.iter().zip(rows) {
        sums.add(r[i] - t * scale, q[i], r[i], u[i]);
    }
}

fn general_error(
    unit: &Unit,
    w: &[f64],
    blocks: &[FrictionBlock],
    q: &[f64],
    r: &[f64],
    u: &[f64],
    sums: &mut Sums,
) {
    let rho = unit.rho;
    if let Some(Set::Wrench(set)) = unit.block.map(|k| &blocks[k].set) {
        let e = wrench_block::error(set, w, rho, &r[unit.rows.clone()], &u[unit.rows.clone()]);
        for (k, i) in unit.rows.clone().enumerate() {
            let scale = torque_scale(unit, k);
            sums.add(e[k], rho * q[i] * scale, r[i] / scale, rho * u[i] * scale);
        }
        return;
    }
    if let Some(n) = unit.normal {
        sums.add(r[n] - (r[n] - rho * u[n]).max(0.0), rho * q[n], r[n], rho * u[n]);
    }
    let Some(k) = unit.block else { return };
    let block = &blocks[k];
    let load = load(block, r);
    let dim = block.rows.len();
    let (mut rf, mut uf, mut e) = ([0.0; MAX_DIM], [0.0; MAX_DIM], [0.0; MAX_DIM]);
    let first = usize::from(unit.normal.is_some());
    for (j, i) in block.rows.clone().enumerate() {
        let scale = torque_scale(unit, first + j);
        rf[j] = r[i] / scale;
        uf[j] = rho * u[i] * scale;
    }
    let scaled = in_radius_units(&block.set, unit.radius);
    natural_map(scaled.as_ref().unwrap_or(&block.set), load, &rf[..dim], &uf[..dim], &mut e);
    for (j, i) in block.rows.clone().enumerate() {
        let scale = torque_scale(unit, first + j);
        sums.add(e[j], rho * q[i] * scale, rf[j], uf[j]);
    }
}

/// Error of a friction block: impulse `r`, velocity times ρ `u`.
pub(crate) fn natural_map(set: &Set, load: f64, r: &[f64], u: &[f64], e: &mut [f64]) {
    if let Set::Tensor(tensor) = set {
        let (rf, uf) = (DVec2::new(r[0], r[1]), DVec2::new(u[0], u[1]));
        let y = tensor.pull_back_near(rf, uf, load);
        let moved = y + uf;
        let length = moved.length();
        let moved = if length > load { moved * (load / length) } else { moved };
        // −T(y) is the impulse, unless it is outside the range of T.
        let error = tensor.map(moved) + rf;
        e[0] = error.x;
        e[1] = error.y;
        return;
    }
    let dim = r.len();
    for i in 0..dim {
        e[i] = r[i] - u[i];
    }
    set.project(&mut e[..dim], load);
    for i in 0..dim {
        e[i] = r[i] - e[i];
    }
}

/// The load of a block.
#[inline]
pub(crate) fn load(block: &FrictionBlock, r: &[f64]) -> f64 {
    match &block.load {
        Load::Constant(load) => *load,
        Load::Normals(rows) => r[rows.clone()].iter().sum::<f64>().max(0.0),
    }
}
