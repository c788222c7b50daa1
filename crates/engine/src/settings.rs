//! What a world is told once: its step, its solver, its tolerances.

use asperity_solve::{SOLVERS, SolveOptions, Solver, SolverEntry};
use glamx::DVec3;

/// How a world is stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// m/s².
    pub gravity: DVec3,
    /// Seconds.
    pub dt: f64,
    /// When the contact solver stops.
    pub solver: SolveOptions,
    /// Whether islands stop after as many sweeps as they can be given in little time
    /// ([`Settings::effort`]), whatever they have reached: a step then has a bounded cost. Small ones are solved
    /// for to the tolerance either way.
    pub bounded: bool,
    /// Which contact solver.
    pub method: Method,
    /// Directions of friction, for a solver that puts facets in the place of round sets; without it as many as that
    /// takes by itself.
    pub directions: Option<usize>,
    /// Where bodies are when friction is asked for its law.
    pub cones: Cones,
    /// Approach speed above which restitution acts, m/s; without it [`Settings::rebound_speed`].
    pub restitution_speed: Option<f64>,
    /// Penetration that is left alone, metres; without it [`Settings::slop_of`] bodies.
    pub slop: Option<f64>,
    /// Distance below which contacts are found even at rest, metres; without it [`Settings::margin_of`] bodies.
    pub margin: Option<f64>,
    /// Whether bodies at rest are left alone until something touches them.
    pub sleep: bool,
}

/// Where bodies are when friction is asked for its law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cones {
    /// Half-way through the step, with the slip that it begins with: of second order where motion is smooth.
    #[default]
    HalfWay,
    /// Where the step ends, with the slip it ends with, found by solving again until laws no longer change: fully
    /// implicit, as Algorithm 2 of Erleben et al. 2020 has it. Of first order; for cones that depend on the slip, and
    /// where bodies turn much in a step. Contacts that remember, and those of soft bodies, keep the laws they have.
    End,
}

/// Which contact solver: one of [`SOLVERS`].
#[derive(Clone, Copy)]
pub struct Method(&'static SolverEntry);

impl Method {
    /// The solver of this name, if there is one.
    pub fn named(name: &str) -> Option<Method> {
        SOLVERS.iter().find(|entry| entry.name == name).map(Method)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A fresh solver.
    pub fn solver(self) -> Box<dyn Solver> {
        (self.0.make)()
    }
}

impl Default for Method {
    /// The first of the list, which chooses by the problem.
    fn default() -> Method {
        Method(&SOLVERS[0])
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        self.name() == other.name()
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Settings {
    /// When the solver stops on an island of so many contacts, in motion or all but at rest: then nothing else
    /// costs much, and with small errors it comes to rest the sooner. `again` says that it was solved for in this
    /// step before some contacts were added.
    pub fn effort(&self, contacts: usize, in_motion: bool, again: bool) -> SolveOptions {
        let mut options = self.solver;
        if !in_motion {
            options.tolerance = options.tolerance.min(TOLERANCE_AT_REST);
        }
        if !self.bounded {
            return options;
        }
        let most = options.max_iterations;
        options.max_iterations = most.min((WORK / contacts.max(1)).max(LEAST_SWEEPS));
        if contacts > FEW_CONTACTS {
            let part = FEW_CONTACTS as f64 / contacts as f64;
            let least = if in_motion { SWEEPS_IN_MOTION } else { SWEEPS_AT_REST };
            let sweeps = ((most as f64 * part.powi(3)) as usize).max(least);
            let sweeps = options.max_iterations.min(sweeps);
            options.max_iterations = if again { sweeps.div_ceil(AGAIN) } else { sweeps };
        }
        options
    }

    /// The residual that is asked of an island: with contacts of soft bodies less, unless told. These are all
    /// coupled with each other, press on each other at more places than it takes, and each further digit takes as
    /// long as all before.
    pub fn goal(&self, with_soft: bool) -> f64 {
        let least = if with_soft && self.bounded { TOLERANCE_OF_SOFT } else { 0.0 };
        self.solver.tolerance.max(least)
    }

    /// In how many iterations an island is solved for, and above which residual each part of them is done. A large
    /// one that is all but at rest gets a few in any case, so that it comes to rest, and the others where it is not
    /// as good as that yet.
    pub(crate) fn stages(
        &self,
        options: &SolveOptions,
        contacts: usize,
        in_motion: bool,
    ) -> impl Iterator<Item = (f64, usize)> + use<> {
        let all = options.max_iterations;
        let rests = self.bounded && contacts > FEW_CONTACTS && !in_motion;
        let few = (WORK_WHERE_IT_RESTS / contacts.max(1)).max(SWEEPS_WHERE_IT_RESTS);
        let few = if rests { all.min(few) } else { all };
        let goal = options.tolerance.max(TOLERANCE_AT_REST);
        [(0.0, few), (goal, all - few)].into_iter().filter(|stage| stage.1 > 0)
    }

    /// Approach speed above which restitution acts, m/s: what gravity gives a body in a step, unless told.
    pub fn rebound_speed(&self) -> f64 {
        self.restitution_speed.unwrap_or_else(|| self.gravity.length() * self.dt)
    }

    /// Penetration of bodies of some thickness (metres) that is left alone, metres: a millionth of it, unless
    /// told.
    pub fn slop_of(&self, thickness: f64) -> f64 {
        self.slop.unwrap_or(SLOP * thickness)
    }

    /// Distance below which contacts of bodies of some thickness (metres) are found even at rest, metres: a
    /// fiftieth of it, unless told.
    pub fn margin_of(&self, thickness: f64) -> f64 {
        self.margin.unwrap_or(MARGIN * thickness)
    }

    /// Whether so little is asked of the solver that a few sweeps will do.
    pub(crate) fn is_rough(&self) -> bool {
        self.solver.tolerance > ROUGH
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            gravity: DVec3::new(0.0, -9.81, 0.0),
            dt: 0.01,
            solver: SolveOptions { tolerance: 1e-9, max_iterations: 2000, time_limit: None },
            bounded: true,
            method: Method::default(),
            directions: None,
            cones: Cones::default(),
            restitution_speed: None,
            slop: None,
            margin: None,
            sleep: true,
        }
    }
}

/// Contacts of an island up to which it is solved for to the tolerance.
pub(crate) const FEW_CONTACTS: usize = 100;

/// The largest residual of what is all but at rest.
const TOLERANCE_AT_REST: f64 = 1e-6;

/// The residual of islands with contacts of soft bodies.
const TOLERANCE_OF_SOFT: f64 = 1e-6;

/// Of a body's thickness.
const SLOP: f64 = 1e-6;
const MARGIN: f64 = 0.02;

/// Contacts that are solved for one after the other, at most: what Newton's method does not get, more sweeps hardly
/// do. And sweeps that any but the largest islands get.
const WORK: usize = 40_000;
const LEAST_SWEEPS: usize = 100;

/// Sweeps over the largest islands.
const SWEEPS_IN_MOTION: usize = 20;
const SWEEPS_AT_REST: usize = 30;
const SWEEPS_WHERE_IT_RESTS: usize = 10;

/// The same in contacts, where that is more.
const WORK_WHERE_IT_RESTS: usize = 4_000;

/// The part of the sweeps, one in so many, that an island gets where it was solved for before.
const AGAIN: usize = 3;

/// Residuals above this are rough.
pub(crate) const ROUGH: f64 = 1e-4;
