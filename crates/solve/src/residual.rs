//! The one residual that every solver reports.

use asperity_friction::set::cone::onto_round_cone;
use asperity_friction::set::{AxisBox, MAX_DIM, Set, Wrench};

use crate::delassus::BodyBuffers;
use crate::local::MAX_LOCAL;
use crate::problem::ContactProblem;
use crate::rheology::Loaded;
use crate::units::{Unit, Units, torque_scale};

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
    /// Where a law has a rheology, with f = r_f + N D u_f and ξ = u_f + (C/N) f + b in place of r_f
    /// and u_f, and ρ = 1/(1/ρ + c/N), c the largest number on the diagonal of C.
    General,
}

/// The residual of impulses `r`.
pub fn residual(problem: &ContactProblem, r: &[f64]) -> Residual {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    let mut buffers = BodyBuffers::default();
    buffers.prepare(problem);
    let mut units = Units::default();
    units.prepare(problem, &buffers);
    let form = form_of(problem, &mut units);
    let value = evaluate(problem, &units, form, r, &u);
    Residual { value, form }
}

/// How far impulses are from a solution, whatever is measured in what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithoutUnits {
    /// The residual.
    pub value: f64,
    /// The same error over the velocities alone. Where contacts contradict each other, impulses grow
    /// without end: the residual falls with them, and this does not.
    pub of_motion: f64,
}

/// The residual of impulses `r` without units: the Coulomb form with impulses in units of a typical
/// mass, the (geometric) mean of 1/W_nn over normal rows, to a power of two. A unit of velocity would
/// cancel. The general form compares impulses with ρ u, and is taken as it is.
pub fn residual_without_units(problem: &ContactProblem, r: &[f64]) -> WithoutUnits {
    let mut u = vec![0.0; problem.rows()];
    problem.velocities(r, &mut u);
    let mut buffers = BodyBuffers::default();
    buffers.prepare(problem);
    let mut units = Units::default();
    units.prepare(problem, &buffers);
    let form = form_of(problem, &mut units);
    let unit = if form == Form::Coulomb { typical_mass(&units) } else { 1.0 };
    let r: Vec<f64> = r.iter().map(|r| r / unit).collect();
    let sums = sums_of(problem, &units, form, &r, &u);
    let of_motion = Sums { r: 0.0, ..sums }.relative();
    WithoutUnits { value: sums.relative(), of_motion }
}

/// What normal rows weigh on the (geometric) mean, as a power of two.
fn typical_mass(units: &Units) -> f64 {
    let diagonal = |unit: &Unit| unit.normal.map(|_| units.local[unit.local]);
    let powers = units.list.iter().filter_map(diagonal).filter(|w| *w > 0.0).map(|w| -w.log2());
    let (sum, count) = powers.fold((0.0, 0.0), |(sum, count), power| (sum + power, count + 1.0));
    if count > 0.0 { f64::exp2((sum / count).round()) } else { 1.0 }
}

/// Which form applies; prepares the units for it.
pub(crate) fn form_of(problem: &ContactProblem, units: &mut Units) -> Form {
    if is_coulomb(problem, units) {
        return Form::Coulomb;
    }
    units.measure();
    Form::General
}

/// Whether every piece is a contact with a disc or the like, for which the classical form is.
pub(crate) fn is_coulomb(problem: &ContactProblem, units: &Units) -> bool {
    units.list.iter().all(|unit| match unit.block {
        None => true,
        Some(k) => {
            unit.normal.is_some()
                && match &problem.blocks[k].law.set {
                    Set::Disk(_) => true,
                    Set::Interval(s) => s.min() == -s.max(),
                    _ => false,
                }
        }
    })
}

/// The residual, with everything prepared. Does not allocate.
pub(crate) fn evaluate(
    problem: &ContactProblem,
    units: &Units,
    form: Form,
    r: &[f64],
    u: &[f64],
) -> f64 {
    sums_of(problem, units, form, r, u).relative()
}

fn sums_of(problem: &ContactProblem, units: &Units, form: Form, r: &[f64], u: &[f64]) -> Sums {
    let state = State { problem, r, u };
    match form {
        Form::Coulomb => sum(units, |unit, sums| state.coulomb_error(unit, sums)),
        Form::General => sum(units, |unit, sums| state.natural_error(units, unit, sums)),
    }
}

/// The natural map of one unit in the general form, row by row; `units` are measured.
pub(crate) fn unit_error(
    problem: &ContactProblem,
    units: &Units,
    unit: &Unit,
    [r, u]: [&[f64]; 2],
) -> [f64; MAX_LOCAL] {
    if let Some(Set::Wrench(set)) = unit.block.map(|k| &problem.blocks[k].law.set) {
        // Its bounds, which the residual looks at beside, have kinks and are kept where this is zero.
        let w = &units.local[unit.local..unit.local + unit.dim() * unit.dim()];
        let mut errors = [0.0; MAX_LOCAL];
        let rows = unit.rows.clone();
        errors[..6].copy_from_slice(&set.miss(w, &r[rows.clone()], &u[rows]));
        return errors;
    }
    let mut errors = Errors { values: [0.0; MAX_LOCAL], count: 0 };
    State { problem, r, u }.natural_error(units, unit, &mut errors);
    errors.values
}

/// The same of a problem whose sets are replaced by boxes, one for each block; the general form.
pub(crate) fn evaluate_boxed(
    problem: &ContactProblem,
    units: &Units,
    boxes: &[AxisBox],
    r: &[f64],
    u: &[f64],
) -> f64 {
    let state = State { problem, r, u };
    sum(units, |unit, sums| {
        state.general_error(unit, sums, |load, f, slip, e| {
            let Some(k) = unit.block else { return };
            let scaled = boxes[k].in_torque_units(unit.radius);
            scaled.natural_map(load, f, slip, e);
        });
    })
    .relative()
}

/// The errors of all units, and the sizes of r, q and u.
fn sum(units: &Units, error: impl Fn(&Unit, &mut Sums)) -> Sums {
    let mut sums = Sums::default();
    for unit in &units.list {
        error(unit, &mut sums);
    }
    sums
}

/// Impulses and velocities of a problem.
struct State<'a> {
    problem: &'a ContactProblem,
    r: &'a [f64],
    u: &'a [f64],
}

impl State<'_> {
    fn natural_error(&self, units: &Units, unit: &Unit, sums: &mut impl Gather) {
        let w = &units.local[unit.local..unit.local + unit.dim() * unit.dim()];
        let block = unit.block.map(|k| &self.problem.blocks[k].law.set);
        if let Some(Set::Wrench(set)) = block {
            return self.wrench_error(unit, w, set, sums);
        }
        self.general_error(unit, sums, |load, f, slip, e| {
            let Some(set) = block else { return };
            let scaled = set.in_torque_units(unit.radius);
            scaled.as_ref().unwrap_or(set).natural_map(load, f, slip, e);
        });
    }

    fn coulomb_error(&self, unit: &Unit, sums: &mut impl Gather) {
        let (r, u, q) = (self.r, self.u, &self.problem.q);
        let Some(n) = unit.normal else { return };
        let rows = unit.rows.clone();
        let mu = match unit.block.map(|k| &self.problem.blocks[k].law.set) {
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
        let (pn, scale) = onto_round_cone(mu, normal, length2.sqrt());
        sums.add(r[n] - pn, q[n], r[n], u[n]);
        for (t, i) in tangent.iter().zip(rows) {
            sums.add(r[i] - t * scale, q[i], r[i], u[i]);
        }
    }

    fn wrench_error(&self, unit: &Unit, w: &[f64], set: &Wrench, sums: &mut impl Gather) {
        let (rho, rows) = (unit.rho, unit.rows.clone());
        let e = set.error(w, rho, &self.r[rows.clone()], &self.u[rows.clone()]);
        for (k, i) in rows.enumerate() {
            let scale = torque_scale(unit, k);
            let (q, r, u) = (self.problem.q[i], self.r[i], self.u[i]);
            sums.add(e[k], rho * q * scale, r / scale, rho * u * scale);
        }
    }

    /// The general form; `natural_map` gives the error of a friction block from its load, its
    /// friction, its slip times ρ.
    fn general_error(
        &self,
        unit: &Unit,
        sums: &mut impl Gather,
        natural_map: impl Fn(f64, &[f64], &[f64], &mut [f64]),
    ) {
        let (r, u, q, rho) = (self.r, self.u, &self.problem.q, unit.rho);
        if let Some(n) = unit.normal {
            sums.add(r[n] - (r[n] - rho * u[n]).max(0.0), rho * q[n], r[n], rho * u[n]);
        }
        let Some(block) = unit.block.map(|k| &self.problem.blocks[k]) else { return };
        let (load, dim) = (block.load(r), block.rows.len());
        let (mut f, mut slip, mut e) = ([0.0; MAX_DIM], [0.0; MAX_DIM], [0.0; MAX_DIM]);
        f[..dim].copy_from_slice(&r[block.rows.clone()]);
        slip[..dim].copy_from_slice(&u[block.rows.clone()]);
        let first = usize::from(unit.normal.is_some());
        let scale: [f64; MAX_DIM] = std::array::from_fn(|j| torque_scale(unit, first + j));
        let mut rho = rho;
        if let (Some(rheology), true) = (&block.law.rheology, load > 0.0) {
            let law = Loaded::new(rheology, dim, load);
            let inside = law.inside(&f[..dim], &slip[..dim]);
            f[..dim].copy_from_slice(&inside.0.to_array()[..dim]);
            slip[..dim].copy_from_slice(&inside.1.to_array()[..dim]);
            rho = law.rho(rho, &scale[..dim]);
        }
        for j in 0..dim {
            f[j] /= scale[j];
            slip[j] *= rho * scale[j];
        }
        if block.stands_alone() && !(load > 0.0) {
            e = f; // nothing is carried
        } else {
            natural_map(load, &f[..dim], &slip[..dim], &mut e[..dim]);
        }
        for (j, i) in block.rows.clone().enumerate() {
            sums.add(e[j], rho * q[i] * scale[j], r[i] / scale[j], slip[j]);
        }
    }
}

/// What takes the error of each row in turn, and the sizes of q, r and u there.
trait Gather {
    fn add(&mut self, error: f64, q: f64, r: f64, u: f64);
}

/// The errors of one unit.
struct Errors {
    values: [f64; MAX_LOCAL],
    count: usize,
}

impl Gather for Errors {
    fn add(&mut self, error: f64, _: f64, _: f64, _: f64) {
        self.values[self.count] = error;
        self.count += 1;
    }
}

/// Sums of squares.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    error: f64,
    q: f64,
    r: f64,
    u: f64,
}

impl Sums {
    /// The classical error of a point contact with a disc of radius `mu`.
    #[inline(always)]
    pub(crate) fn add_disc(&mut self, mu: f64, r: &[f64; 3], u: &[f64; 3], q: &[f64; 3]) {
        let normal = r[0] - (u[0] + mu * (u[1] * u[1] + u[2] * u[2]).sqrt());
        let tangent = [r[1] - u[1], r[2] - u[2]];
        let length = (tangent[0] * tangent[0] + tangent[1] * tangent[1]).sqrt();
        let (pn, scale) = onto_round_cone(mu, normal, length);
        self.add(r[0] - pn, q[0], r[0], u[0]);
        self.add(r[1] - tangent[0] * scale, q[1], r[1], u[1]);
        self.add(r[2] - tangent[1] * scale, q[2], r[2], u[2]);
    }

    /// Both together.
    pub(crate) fn plus(self, other: Sums) -> Sums {
        let Sums { error, q, r, u } = other;
        Sums { error: self.error + error, q: self.q + q, r: self.r + r, u: self.u + u }
    }

    /// The error over the size of r, q and u.
    pub(crate) fn relative(&self) -> f64 {
        let scale = self.q.max(self.r).max(self.u).sqrt();
        let value = if self.error == 0.0 { 0.0 } else { self.error.sqrt() / scale };
        // An overflow must never look like a small error.
        if value.is_nan() || scale.is_infinite() { f64::INFINITY } else { value }
    }
}

impl Gather for Sums {
    #[inline(always)]
    fn add(&mut self, error: f64, q: f64, r: f64, u: f64) {
        self.error += error * error;
        self.q += q * q;
        self.r += r * r;
        self.u += u * u;
    }
}
