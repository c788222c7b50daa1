//! A table on four legs (Erleben et al. 2020, section 6: solvers pick one of many force distributions): what every
//! solver must find alike, and what is open.
//!
//! A rigid table at rest balances three equations with four loads: d added to one diagonal and taken from the other
//! leaves all three as they were. What two neighbours carry together is unique, and so is the motion of a table that
//! slides without turning: all legs have the same friction per load c, so that of all is c times the weight, and its
//! torque Σ rᵢ × c Nᵢ needs no more of the loads than their moment. Springs of equal stiffness under the legs make
//! loads unique: a linear function of the place, cut off at zero.

use asperity::friction::set::{Disk, Ellipse, Rotation, Set};
use asperity::glamx::{DMat3, DVec2, DVec3};
use asperity::solve::{
    Bodies, ContactProblem, FrictionBlock, InverseMass, Operator, RowEntry, SOLVERS, SolveOptions,
    Status,
};

use super::{Coefficients, acceleration};
use crate::{Check, VerifyError};

/// Mass, kg; principal moments, kg m²; half the distances of the legs along x and z, and the height of the centre of
/// mass above their feet, metres; length of a step, seconds.
const MASS: f64 = 20.0;
const INERTIA: DVec3 = DVec3::new(1.5, 2.5, 2.0);
const HALF: [f64; 2] = [0.5, 0.3];
const HEIGHT: f64 = 0.5;
const STEP: f64 = 0.005;
const GRAVITY: f64 = 9.81;

/// Legs around the table; every other one is on the same diagonal.
const LEGS: [[f64; 2]; 4] = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]];

/// Isotropic friction of the table at rest and at its limit.
const MU: f64 = 0.5;
/// How near to its limit: the tangent of the slope over μ.
const NEAR_LIMIT: f64 = 0.999;

/// Where the weight is, as parts of the half distances: all legs can carry it linearly; and one diagonal alone.
const WEIGHTS: [[f64; 2]; 2] = [[0.3, 0.2], [0.6, 0.6]];

/// Compliance of a leg as a part of what a push there moves the table by: small against W, large against rounding.
const GIVE: f64 = 1e-4;

/// A table under a pull, m/s², with the same set under all legs.
struct Table {
    /// Feet from the centre of mass, metres.
    arms: [DVec3; 4],
    problem: ContactProblem,
}

impl Table {
    /// The weight lies at these parts of the half distances from the middle; normals are along y.
    fn new(weight: [f64; 2], pull: DVec3, set: &Set) -> Table {
        let foot = |leg: [f64; 2]| {
            DVec3::new(HALF[0] * (leg[0] - weight[0]), -HEIGHT, HALF[1] * (leg[1] - weight[1]))
        };
        let arms = LEGS.map(foot);
        let inertia = DMat3::from_diagonal(INERTIA.recip());
        let mut bodies = Bodies {
            inverse_masses: vec![InverseMass::Body { mass: 1.0 / MASS, inertia }],
            ..Bodies::default()
        };
        let (mut q, mut blocks) = (Vec::new(), Vec::new());
        for arm in arms {
            let normal = q.len();
            for linear in [DVec3::Y, DVec3::X, DVec3::Z] {
                bodies.push_row([RowEntry { dof_block: 0, linear, angular: arm.cross(linear) }]);
                q.push(linear.dot(pull) * STEP);
            }
            blocks.push(FrictionBlock::contact(normal, normal + 1..normal + 3, set.clone()));
        }
        let operator = Operator::Bodies(bodies);
        let name = "table".to_owned();
        Table {
            arms,
            problem: ContactProblem { name, operator, q, compliance: Vec::new(), blocks },
        }
    }

    /// The same with legs that give.
    fn giving(mut self) -> Table {
        let row = |i: usize| if i.is_multiple_of(3) { GIVE / MASS } else { 0.0 };
        self.problem.compliance = (0..self.problem.rows()).map(row).collect();
        self
    }

    /// Load and friction of each leg, newtons, if the solver finds them; and the largest velocity of a row, m/s.
    fn solve(&self, solver: &str) -> Option<([f64; 4], [DVec2; 4], f64)> {
        let mut solver = (SOLVERS.iter().find(|entry| entry.name == solver)?.make)();
        let mut r = vec![0.0; self.problem.rows()];
        let options = SolveOptions { tolerance: 1e-11, max_iterations: 50_000, time_limit: None };
        let report = solver.solve(&self.problem, &mut r, &options);
        if report.status != Status::Converged && !(report.residual < SOLVED) {
            return None;
        }
        let mut u = vec![0.0; r.len()];
        self.problem.velocities(&r, &mut u);
        let fastest = u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let leg = |k: usize| 3 * k;
        let loads = [0, 1, 2, 3].map(|k| r[leg(k)] / STEP);
        let friction = [0, 1, 2, 3].map(|k| DVec2::new(r[leg(k) + 1], r[leg(k) + 2]) / STEP);
        Some((loads, friction, fastest))
    }
}

/// Residuals above do not count as solved, unless the solver has what it asked for, as with polygons.
const SOLVED: f64 = 1e-9;

/// What solvers do not get, and why.
const KNOWN: [(&str, &str, &str); 13] = [
    ("pgs", GIVES, "does not reach 1e-9"),
    ("pgs", LIMIT, BOXES),
    ("pgs", SLIDES, BOXES),
    ("prox_local", GIVES, "does not reach 1e-9"),
    ("prox_global", GIVES, "does not reach 1e-9"),
    ("prox_global", LIMIT, "does not reach 1e-9"),
    ("prox_block", GIVES, "does not reach 1e-9"),
    ("prox_block", LIMIT, "does not reach 1e-9"),
    ("prox_block", SLIDES, "wrong where contacts slide"),
    ("ncp_printed", SLIDES, "one equation short where contacts slide"),
    ("resting", GIVES, "for bodies at rest"),
    ("resting", LIMIT, "for bodies at rest"),
    ("resting", SLIDES, "for bodies at rest"),
];

/// A law of its own: what it finds says nothing of the cone.
const BOXES: &str = "boxes in the place of the cone";

/// The four tables.
const REST: &str = "at rest";
const GIVES: &str = "on legs that give";
const LIMIT: &str = "at its limit";
const SLIDES: &str = "that slides";

/// All lines.
pub(super) fn table() -> Result<Vec<Check>, VerifyError> {
    type Of = fn(&str) -> Result<Option<Found>, VerifyError>;
    let tables: [(&str, Of); 4] =
        [(REST, at_rest), (GIVES, springs), (LIMIT, at_limit), (SLIDES, sliding)];
    let mut checks = Vec::new();
    let mut diagonals = Vec::new();
    for solver in SOLVERS.iter().map(|entry| entry.name) {
        for (name, of) in tables {
            let what = format!("{solver}: table {name}");
            let why = KNOWN.iter().find(|(s, t, _)| (*s, *t) == (solver, name)).map(|k| k.2);
            let found = if why == Some(BOXES) { None } else { of(solver)? };
            checks.push(match (found, why) {
                (Some(found), _) => {
                    diagonals.extend(found.diagonal);
                    found.check(&what)
                }
                (None, Some(why)) => Check::told(&what, why.to_owned()),
                (None, None) => Check::fact(&what, "solved", "not solved"),
            });
        }
    }
    let (low, high) = diagonals
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| (low.min(*d), high.max(*d)));
    let open = if high - low > 0.1 { "yes" } else { "no" };
    let what = format!("solvers choose other diagonals: {low:.3} to {high:.3} of the weight");
    checks.push(Check::fact(&what, "yes", open));
    Ok(checks)
}

/// What was found of a table.
struct Found {
    /// More of what it is, for the line.
    about: String,
    off: f64,
    within: f64,
    /// Whether what else must be so is.
    holds: bool,
    /// What a solver chose for the diagonal, part of the weight.
    diagonal: Option<f64>,
}

impl Found {
    fn check(&self, what: &str) -> Check {
        let what = format!("{what}{}", self.about);
        let check = Check::below(&what, self.within, self.off, "of the weight");
        Check { holds: check.holds && self.holds, ..check }
    }
}

/// What two neighbours carry, and that no leg pulls.
fn at_rest(solver: &str) -> Result<Option<Found>, VerifyError> {
    let set = Set::from(Disk::new(MU)?);
    let weight = MASS * GRAVITY;
    let (mut worst, mut chosen, mut pulls) = (0.0_f64, [0.0; 2], false);
    for (weights, chosen) in WEIGHTS.iter().zip(&mut chosen) {
        let table = Table::new(*weights, DVec3::Y * -GRAVITY, &set);
        let Some((loads, _, fastest)) = table.solve(solver) else {
            return Ok(None);
        };
        // Right, back, left and front: legs k and k + 1.
        let [x, z] = weights;
        for (k, part) in [1.0 + x, 1.0 - z, 1.0 - x, 1.0 + z].into_iter().enumerate() {
            let pair = loads[k] + loads[(k + 1) % 4];
            worst = worst.max((pair / weight - 0.5 * part).abs());
        }
        worst = worst.max(fastest / (GRAVITY * STEP));
        pulls |= loads.iter().any(|load| *load < -1e-9 * weight);
        *chosen = diagonal(loads) / weight;
    }
    let [a, b] = chosen;
    let about = format!(", neighbours; diagonals {a:+.3} and {b:+.3}");
    Ok(Some(Found { about, off: worst, within: 1e-6, holds: !pulls, diagonal: Some(a) }))
}

/// What one diagonal carries beyond the other.
fn diagonal(loads: [f64; 4]) -> f64 {
    loads[0] - loads[1] + loads[2] - loads[3]
}

/// Legs of equal springs: all loads follow.
fn springs(solver: &str) -> Result<Option<Found>, VerifyError> {
    let set = Set::from(Disk::new(MU)?);
    let weight = MASS * GRAVITY;
    let mut worst = 0.0_f64;
    for [x, z] in WEIGHTS {
        let table = Table::new([x, z], DVec3::Y * -GRAVITY, &set).giving();
        let Some((loads, ..)) = table.solve(solver) else {
            return Ok(None);
        };
        // Linear, or on three legs where the fourth would pull.
        let linear = LEGS.map(|leg| 0.25 * (1.0 + leg[0] * x + leg[1] * z));
        let lift = LEGS.map(|leg| leg[0] * leg[1]);
        let missing = linear.into_iter().fold(0.0, f64::min);
        for k in 0..4 {
            let expected = linear[k] - lift[k] * missing;
            worst = worst.max((loads[k] / weight - expected).abs());
        }
    }
    // The table sinks in the step by what its legs give: that part of the weight is not carried.
    let about = ", every load".to_owned();
    Ok(Some(Found { about, off: worst, within: 3.0 * GIVE, holds: true, diagonal: None }))
}

/// On a slope a thousandth below its limit every leg is at its own: Σ μNᵢ is a thousandth above Σ |fᵢ|, whatever the
/// diagonal.
fn at_limit(solver: &str) -> Result<Option<Found>, VerifyError> {
    let set = Set::from(Disk::new(MU)?);
    let tangent = MU * NEAR_LIMIT;
    let load = MASS * GRAVITY / tangent.hypot(1.0);
    let pull = DVec3::new(tangent, -1.0, 0.0) * (load / MASS);
    let Some((loads, friction, fastest)) = Table::new([0.0; 2], pull, &set).solve(solver) else {
        return Ok(None);
    };
    // What is left to each limit, and what a leg holds aside.
    let left = |k: usize| MU * loads[k] + friction[k].x;
    let within = (0..4).all(|k| friction[k].length() <= MU * loads[k] + 1e-6 * load);
    let most = (0..4).map(left).fold(0.0, f64::max);
    let spare = (1.0 - NEAR_LIMIT) * MU * load;
    // Neighbours up and down the slope: friction tips it by height times tangent.
    let tip = HEIGHT * tangent / HALF[0];
    let pairs = [loads[0] + loads[1], loads[2] + loads[3]];
    let off = (pairs[0] / load - 0.5 * (1.0 + tip))
        .abs()
        .max((pairs[1] / load - 0.5 * (1.0 - tip)).abs());
    let about = format!(", what any leg has left: {:.2e}", most / load);
    let off = off.max(fastest / (GRAVITY * STEP));
    let holds = within && most <= spare + 1e-6 * load;
    Ok(Some(Found { about, off, within: 1e-6, holds, diagonal: None }))
}

/// Sliding on an oblique grain: every leg has the same friction per load, and the table does not turn.
fn sliding(solver: &str) -> Result<Option<Found>, VerifyError> {
    let k = Coefficients { mu: 0.4, mu_t: 0.2, mu_b: 0.6 };
    let grain = DVec3::new(1.0, 0.0, 1.0).normalize();
    let rotation = Rotation::from_angle(DVec2::new(grain.x, grain.z).to_angle());
    let set = Set::from(Ellipse::new(k.mu_t, k.mu_b, rotation)?);
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let pull = DVec3::new(sin, -cos, 0.0) * GRAVITY;
    let expected = acceleration(k, DVec3::Y, [grain; 2], pull);
    let share = (expected - DVec3::new(pull.x, 0.0, 0.0)) / -pull.y;
    let share = DVec2::new(share.x, share.z);
    let table = Table::new([0.0; 2], pull, &set);
    let Some((loads, friction, _)) = table.solve(solver) else {
        return Ok(None);
    };
    let load = MASS * -pull.y;
    let each = (0..4).map(|k| (friction[k] - share * loads[k]).length() / load);
    let torque: DVec3 = (0..4)
        .map(|k| table.arms[k].cross(DVec3::new(friction[k].x, loads[k], friction[k].y)))
        .sum();
    let worst = each.fold(torque.length() / (load * HEIGHT), f64::max);
    // A polygon of K corners leads aside by up to half of 2π/K.
    let allowed = if solver == "lcp" { std::f64::consts::PI / 16.0 } else { 1e-6 };
    let about = ", friction of every leg and no torque".to_owned();
    Ok(Some(Found { about, off: worst, within: allowed, holds: true, diagonal: None }))
}
