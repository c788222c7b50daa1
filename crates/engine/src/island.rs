//! Groups of bodies that act on each other in a step. Each is a contact problem of its own.

mod restraint;
mod solution;
mod squeeze;

use std::ops::Range;
use std::time::Duration;

use asperity_soft::contact::SoftRows;
use asperity_solve::{AutoSolver, ContactProblem, ProxSolver, Scale, SolveOptions, Solver};
use glamx::DVec3;

use crate::dynamics::joint_rows::MAX_ROWS;
use crate::dynamics::midpoint::Midpoint;
use crate::dynamics::way::Jacobian;
use crate::settings::{FEW_CONTACTS, Method, Settings};

/// The islands of a step and the memory to solve them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Islands {
    /// The first `count` are in use.
    pub(crate) pool: Vec<Island>,
    pub(crate) count: usize,
    parent: Vec<usize>,
    /// Island of each body; only where it is pushed.
    pub(crate) of_body: Vec<usize>,
    /// Number of each pushed body among the degree-of-freedom blocks of its island.
    pub(crate) dof_block: Vec<usize>,
    /// What was found before contacts were added to the step, in the order of first bodies.
    solved: Vec<Solved>,
    /// The first of these contacts.
    added: usize,
}

/// What was found of an island before contacts were added to the step.
#[derive(Debug, Clone)]
struct Solved {
    /// Its first body.
    first: usize,
    r: Vec<f64>,
    keep: Vec<f64>,
    residual: f64,
    iterations: usize,
    converged: bool,
    roughly: bool,
}

/// One island: what belongs to it, its problem and its solvers.
#[derive(Debug, Clone)]
pub(crate) struct Island {
    pub(crate) bodies: Vec<usize>,
    pub(crate) contacts: Vec<usize>,
    pub(crate) joints: Vec<usize>,
    /// Rows of each of its joints in the velocity problem.
    pub(crate) joint_rows: Vec<usize>,
    /// What each of these rows measures.
    pub(crate) jacobians: Vec<Jacobian>,
    /// Patches with one friction block each.
    pub(crate) patches: Vec<PatchRows>,
    /// Mouse springs.
    pub(crate) springs: Vec<usize>,
    /// Soft bodies, and their contacts, where these are solved for with the others.
    pub(crate) softs: Vec<usize>,
    pub(crate) soft_contacts: Vec<usize>,
    pub(crate) soft_rows: Option<SoftRows>,
    /// Impulse on B of each soft contact, world, N s.
    pub(crate) soft_impulses: Vec<DVec3>,
    /// Why they have no rows.
    pub(crate) soft_error: Option<String>,
    pub(crate) problem: ContactProblem,
    pub(crate) r: Vec<f64>,
    /// What the next step begins with.
    pub(crate) keep: Vec<f64>,
    /// Change of each body's velocities by r, and by how its spin then turns.
    pub(crate) change: Vec<(DVec3, DVec3)>,
    /// What the latter is of it, rad/s; empty where it is left out.
    pub(crate) gyration: Vec<DVec3>,
    /// What its joints hold.
    pub(crate) hold: Hold,
    pub(crate) correction: Vec<(DVec3, DVec3)>,
    /// For the velocity problem.
    solver: Box<dyn Solver>,
    /// For overlaps.
    pub(crate) positions: AutoSolver,
    /// For where bodies would go without friction.
    pub(crate) sweeps: ProxSolver,
    /// Whether joints or overlaps are to be looked at still when the step ends.
    pub(crate) open: bool,
    /// How often displacements were found for its joints.
    pub(crate) rounds: usize,
    pub(crate) assembling: Duration,
    pub(crate) solving: Duration,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
    /// Whether it was solved for roughly, since it got contacts and may get more.
    roughly: bool,
}

/// What joints hold at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Positions, by the mean of the step.
    Positions,
    /// Velocities, by rows half-way: that takes energy.
    Velocities,
}

/// Where a patch is in the velocity problem.
#[derive(Debug, Clone)]
pub(crate) struct PatchRows {
    /// Its number in the world.
    pub(crate) block: usize,
    /// The normal rows that load it.
    pub(crate) normals: Range<usize>,
    /// First of its own rows.
    pub(crate) first: usize,
}

impl Default for Island {
    fn default() -> Island {
        let mut sweeps = ProxSolver::default();
        sweeps.in_series = true;
        Island {
            bodies: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            joint_rows: Vec::new(),
            jacobians: Vec::new(),
            patches: Vec::new(),
            springs: Vec::new(),
            softs: Vec::new(),
            soft_contacts: Vec::new(),
            soft_rows: None,
            soft_impulses: Vec::new(),
            soft_error: None,
            problem: ContactProblem::over_blocks(""),
            r: Vec::new(),
            keep: Vec::new(),
            change: Vec::new(),
            gyration: Vec::new(),
            hold: Hold::Positions,
            correction: Vec::new(),
            solver: Method::default().solver(),
            positions: AutoSolver::default(),
            sweeps,
            open: false,
            rounds: 0,
            assembling: Duration::ZERO,
            solving: Duration::ZERO,
            residual: 0.0,
            iterations: 0,
            converged: true,
            roughly: false,
        }
    }
}

impl Islands {
    /// Those in use.
    pub(crate) fn list(&self) -> &[Island] {
        &self.pool[..self.count]
    }

    /// Whether a body was last in an island of many contacts.
    pub(crate) fn is_large(&self, body: usize) -> bool {
        let island = self.of_body.get(body).and_then(|k| self.list().get(*k));
        island.is_some_and(|island| island.contacts.len() > FEW_CONTACTS)
    }

    /// Keeps what was found, for islands that get none of the contacts from the number `added` on.
    pub(crate) fn set_aside(&mut self, added: usize) {
        let Islands { pool, count, solved, .. } = self;
        self.added = added;
        solved.clear();
        solved.extend(pool[..*count].iter_mut().filter_map(Island::take_found));
    }

    /// Whether any was solved for roughly.
    pub(crate) fn any_rough(&self) -> bool {
        self.list().iter().any(|island| island.roughly)
    }

    /// Forgets what was found before: all islands are solved for.
    pub(crate) fn solve_all(&mut self) {
        self.solved.clear();
    }

    /// All are to be looked at for joint errors and overlaps.
    pub(crate) fn open_all(&mut self) {
        for island in &mut self.pool[..self.count] {
            (island.open, island.rounds) = (true, 0);
        }
    }

    /// Adds the changes of velocities that the islands found.
    pub(crate) fn add_changes(&self, middle: &mut [Midpoint]) {
        for island in self.list() {
            for (&k, (linear, angular)) in island.bodies.iter().zip(&island.change) {
                middle[k].linear += *linear;
                middle[k].angular += *angular;
            }
        }
    }

    /// Groups the bodies that `pushed` names by the links between them. The last `softs` of them are
    /// soft bodies.
    pub(crate) fn group(
        &mut self,
        bodies: usize,
        softs: usize,
        pushed: impl Fn(usize) -> bool,
        links: impl Iterator<Item = (usize, usize)>,
    ) {
        self.parent.clear();
        self.parent.extend(0..bodies);
        for (a, b) in links {
            if pushed(a) && pushed(b) {
                let (a, b) = (self.root(a), self.root(b));
                // The smaller number is the root, whatever the order of the links.
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high] = low;
            }
        }
        self.count = 0;
        self.of_body.clear();
        self.of_body.resize(bodies, usize::MAX);
        self.dof_block.clear();
        self.dof_block.resize(bodies, usize::MAX);
        for body in (0..bodies).filter(|b| pushed(*b)) {
            let root = self.root(body);
            if root == body {
                if self.pool.len() == self.count {
                    self.pool.push(Island::default());
                }
                self.pool[self.count].clear();
                self.of_body[body] = self.count;
                self.count += 1;
            }
            let island = self.of_body[root];
            self.of_body[body] = island;
            match body.checked_sub(bodies - softs) {
                Some(soft) => self.pool[island].softs.push(soft),
                None => {
                    self.dof_block[body] = self.pool[island].bodies.len();
                    self.pool[island].bodies.push(body);
                }
            }
        }
    }

    fn root(&mut self, mut body: usize) -> usize {
        while self.parent[body] != body {
            self.parent[body] = self.parent[self.parent[body]];
            body = self.parent[body];
        }
        body
    }

    /// The island of two bodies, one of which may not be pushed.
    pub(crate) fn of_pair(&mut self, a: usize, b: usize) -> Option<&mut Island> {
        let island = if self.of_body[a] == usize::MAX { self.of_body[b] } else { self.of_body[a] };
        if island == usize::MAX { None } else { Some(&mut self.pool[island]) }
    }
}

impl Island {
    /// What it found, unless others act on it as well.
    fn take_found(&mut self) -> Option<Solved> {
        let &first = self.bodies.first().filter(|_| self.softs.is_empty())?;
        let (r, keep) = (std::mem::take(&mut self.r), std::mem::take(&mut self.keep));
        let Island { residual, iterations, converged, roughly, .. } = *self;
        Some(Solved { first, r, keep, residual, iterations, converged, roughly })
    }

    /// Goes on with what was found before contacts were added to the step, unless it got one of them or was solved
    /// for roughly.
    fn find_again(&mut self, solved: &[Solved], added: usize) -> bool {
        let gets = self.contacts.last().is_some_and(|k| *k >= added);
        // Joints follow what was found.
        let alone = !gets && self.softs.is_empty() && self.joints.is_empty();
        let Some(first) = self.bodies.first().filter(|_| alone) else {
            return false;
        };
        let Ok(k) = solved.binary_search_by_key(first, |s| s.first) else { return false };
        let before = &solved[k];
        if before.roughly || before.r.len() != self.r.len() {
            return false;
        }
        self.r.clone_from(&before.r);
        self.keep.clone_from(&before.keep);
        (self.residual, self.iterations) = (before.residual, before.iterations);
        self.converged = before.converged;
        true
    }

    /// Solves the velocity problem by the method of the settings; `again` after contacts were added, to know what
    /// is missing still.
    pub(crate) fn solve(&mut self, settings: &Settings, in_motion: bool, again: bool) {
        if self.solver.name() != settings.method.name() {
            self.solver = settings.method.solver();
        }
        if let Some(directions) = settings.directions {
            self.solver.set_directions(directions);
        }
        self.solver.expect_series(settings.is_rough());
        self.solver.expect_rest(!in_motion);
        let contacts = self.contacts.len() + self.soft_contacts.len();
        let mut options = settings.effort(contacts, in_motion, again);
        let goal = settings.goal(!self.soft_contacts.is_empty());
        if goal > settings.solver.tolerance {
            options.tolerance = goal;
        }
        let dear = in_motion && options.max_iterations > ROUGH_SWEEPS;
        self.roughly = again && dear && self.softs.is_empty();
        if self.roughly {
            options.max_iterations = ROUGH_SWEEPS;
        }
        let scale = Scale::of(&self.problem);
        if let Some(scale) = &scale {
            self.problem.rescale(scale, &mut self.r);
        }
        self.residual = f64::INFINITY;
        let stages = settings.stages(&options, contacts, in_motion);
        for (k, (tolerance, max_iterations)) in stages.enumerate() {
            if self.residual > tolerance {
                let options = SolveOptions { max_iterations, ..options };
                let Island { solver, problem, r, .. } = self;
                let report = match k {
                    0 => solver.solve(problem, r, &options),
                    _ => solver.resume(problem, r, &options),
                };
                self.residual = report.residual;
                self.iterations += report.iterations;
            }
        }
        if self.residual > goal {
            self.start_anew(&options);
        }
        self.converged = self.residual <= goal;
        if let Some(scale) = &scale {
            self.problem.rescale(&scale.inverse(), &mut self.r);
        }
    }

    /// The impulses that the solve gave soft contacts.
    pub(crate) fn find_soft_impulses(&mut self) {
        self.soft_impulses.clear();
        if let Some(rows) = &self.soft_rows {
            self.soft_impulses.extend(rows.to_world(&self.r));
        }
    }

    /// Keeps the impulses of joints among those of all rows.
    pub(crate) fn keep_joints(&self, impulses: &[f64], memory: &mut [[f64; MAX_ROWS]]) {
        let mut row = 0;
        for (&k, &count) in self.joints.iter().zip(&self.joint_rows) {
            memory[k][..count].copy_from_slice(&impulses[row..row + count]);
            row += count;
        }
    }

    /// The first row after those of joints and springs.
    pub(crate) fn first_contact_row(&self) -> usize {
        self.joint_rows.iter().sum::<usize>() + 3 * self.springs.len()
    }

    fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.joints.clear();
        self.springs.clear();
        self.softs.clear();
        self.soft_contacts.clear();
        (self.soft_rows, self.soft_error) = (None, None);
        self.soft_impulses.clear();
        (self.residual, self.iterations, self.converged) = (0.0, 0, true);
        (self.roughly, self.hold) = (false, Hold::Positions);
        (self.open, self.rounds) = (false, 0);
    }
}

/// Sweeps over islands that may get more contacts.
const ROUGH_SWEEPS: usize = 30;
