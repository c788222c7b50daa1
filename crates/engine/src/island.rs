//! Groups of bodies that act on each other in a step. Each is a contact problem of its own.

use std::ops::Range;
use std::time::Duration;

use asperity_friction::set::Set;
use asperity_soft::contact::SoftProblem;
use asperity_solve::{
    Bodies, ContactProblem, HeldSolver, NewtonSolver, Operator, PgsSolver, ProxSolver,
    SolveOptions, SolveReport, SplitSolver,
};
use glamx::DVec3;

use crate::world::{Method, Settings};

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
    pub(crate) block: Vec<usize>,
}

/// One island: what belongs to it, its problem and its solvers.
#[derive(Debug, Clone)]
pub(crate) struct Island {
    pub(crate) bodies: Vec<usize>,
    pub(crate) contacts: Vec<usize>,
    pub(crate) joints: Vec<usize>,
    /// Rows of each of its joints in the velocity problem.
    pub(crate) joint_rows: Vec<usize>,
    /// Patches with one friction block each.
    pub(crate) patches: Vec<PatchRows>,
    /// Mouse springs.
    pub(crate) springs: Vec<usize>,
    /// Soft bodies, and their contacts, where these are solved for with the others.
    pub(crate) softs: Vec<usize>,
    pub(crate) soft_contacts: Vec<usize>,
    pub(crate) soft: Option<SoftRows>,
    /// Why they have no rows.
    pub(crate) soft_error: Option<String>,
    pub(crate) problem: ContactProblem,
    pub(crate) r: Vec<f64>,
    /// What the next step begins with.
    pub(crate) keep: Vec<f64>,
    /// Change of each body's velocities by r.
    pub(crate) change: Vec<(DVec3, DVec3)>,
    pub(crate) correction: Vec<(DVec3, DVec3)>,
    pub(crate) prox: ProxSolver,
    pub(crate) held: HeldSolver,
    pub(crate) newton: NewtonSolver,
    pub(crate) pgs: PgsSolver,
    pub(crate) split: SplitSolver,
    pub(crate) assembling: Duration,
    pub(crate) solving: Duration,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
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

/// Where soft contacts are in the velocity problem, and what they carry.
#[derive(Debug, Clone)]
pub(crate) struct SoftRows {
    /// First of their rows.
    pub(crate) first: usize,
    /// What the rows are.
    pub(crate) problem: SoftProblem,
    /// Impulse on B of each contact, world.
    pub(crate) impulses: Vec<DVec3>,
}

impl Default for Island {
    fn default() -> Island {
        let mut prox = ProxSolver::default();
        prox.in_series = true;
        Island {
            bodies: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            joint_rows: Vec::new(),
            patches: Vec::new(),
            springs: Vec::new(),
            softs: Vec::new(),
            soft_contacts: Vec::new(),
            soft: None,
            soft_error: None,
            problem: ContactProblem {
                name: String::new(),
                operator: Operator::Bodies(Bodies::default()),
                q: Vec::new(),
                compliance: Vec::new(),
                blocks: Vec::new(),
            },
            r: Vec::new(),
            keep: Vec::new(),
            change: Vec::new(),
            correction: Vec::new(),
            prox,
            held: HeldSolver::default(),
            newton: NewtonSolver::default(),
            pgs: PgsSolver::default(),
            split: SplitSolver::default(),
            assembling: Duration::ZERO,
            solving: Duration::ZERO,
            residual: 0.0,
            iterations: 0,
            converged: true,
        }
    }
}

impl Islands {
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
        self.block.clear();
        self.block.resize(bodies, usize::MAX);
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
                    self.block[body] = self.pool[island].bodies.len();
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
    /// With soft bodies, splitting. Else, and where that does not get there: for bodies at rest, what
    /// held in the last step; sweeps, which are cheap and enough for most steps; where they are slow,
    /// Newton's method; and where that does not take the island or does not get there, sweeps to the
    /// end.
    pub(crate) fn solve(&mut self, settings: &Settings) {
        let Island { patches, problem, r, prox, pgs, split, newton, held, .. } = self;
        let wrenches = problem.blocks.iter().any(|b| matches!(b.set, Set::Wrench(_)));
        let options = &settings.solver;
        let mut note = |report: &SolveReport| {
            self.residual = report.residual;
            self.iterations += report.iterations;
            self.converged = report.residual <= options.tolerance;
            self.converged
        };
        let coupled = match &problem.operator {
            Operator::Bodies(bodies) => bodies.coupling.size(),
            _ => 0,
        };
        if settings.method == Method::Pgs && !wrenches && coupled <= MOST_COUPLED {
            note(pgs.solve(problem, r, options));
            return;
        }
        if coupled > 0 {
            match split.solve(problem, r, options).map(&mut note) {
                Some(true) => return,
                Some(false) if coupled > FEW_COUPLED => return,
                None if coupled > MOST_COUPLED => {
                    (self.residual, self.converged) = (f64::INFINITY, false);
                    return;
                }
                _ => {}
            }
        }
        prox.rough = settings.is_rough();
        let most = options.max_iterations;
        let corners = problem.blocks.iter().any(|b| matches!(b.set, Set::Polygon(_) | Set::Box(_)));
        let first = match (most < SWEEPS_FIRST + NEWTON_STEPS, corners) {
            // Newton's method would take more than is wanted.
            (true, _) => most,
            (_, true) => SWEEPS_FIRST_CORNERS,
            _ => SWEEPS_FIRST,
        };
        let tolerance = 0.01 * options.tolerance;
        let goal = SolveOptions { tolerance, max_iterations: NEWTON_STEPS, ..*options };
        if held
            .solve(problem, r, &SolveOptions { max_iterations: HELD_STEPS, ..goal })
            .is_some_and(&mut note)
        {
            return;
        }
        if note(prox.solve(
            problem,
            r,
            &SolveOptions { max_iterations: most.min(first), ..*options },
        )) || most <= first
        {
            return;
        }
        if newton.solve(problem, r, &goal).is_some_and(&mut note) {
            return;
        }
        // Extrapolation may go astray between a patch and the normal rows that load it: then plain
        // sweeps, which are slow but steady.
        let left = most - first;
        let extrapolated = if patches.is_empty() && !wrenches { left } else { left / 4 };
        let limited = |max_iterations| SolveOptions { max_iterations, ..*options };
        if note(prox.solve(problem, r, &limited(extrapolated))) || extrapolated == left {
            return;
        }
        prox.accelerate = false;
        note(prox.solve(problem, r, &limited(left - extrapolated)));
        prox.accelerate = true;
    }

    fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.joints.clear();
        self.springs.clear();
        self.softs.clear();
        self.soft_contacts.clear();
        (self.soft, self.soft_error) = (None, None);
        (self.residual, self.iterations, self.converged) = (0.0, 0, true);
    }
}
/// Most rows of soft contacts for methods that need all of W: half a gigabyte of it.
const MOST_COUPLED: usize = 8000;
/// Most of them for sweeps after splitting has failed.
const FEW_COUPLED: usize = 1000;
/// Steps with what holds.
const HELD_STEPS: usize = 4;
/// Sweeps before Newton's method is tried.
const SWEEPS_FIRST: usize = 8;
/// The same where sets have corners. Forces that press contacts against each other and that the
/// motion leaves open then often sit in a corner; sweeps keep them as they were in the last step,
/// and Newton's method finds others.
const SWEEPS_FIRST_CORNERS: usize = 120;
/// Steps of Newton's method at most.
const NEWTON_STEPS: usize = 60;
