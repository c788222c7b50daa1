//! All that contacts of soft bodies do in a step, in order.

use std::time::{Duration, Instant};

use asperity_friction::Law;
use asperity_solve::residual;
use glamx::DVec3;

use super::contact_list::Contacts;
use super::detector::{Detector, Motion};
use super::filter::{FilterReport, VelocityFilter, check_laws};
use super::frames::{ContactGeometry, VertexFrames};
use super::impact_solver::{ImpactReport, ImpactSolver, Paths};
use super::impact_times::Impact;
use super::implicit_contact::{ImplicitContact, ImplicitReport};
use super::laws::FrictionLaws;
use super::obstacle::Obstacle;
use super::problem::SoftProblem;
use super::rows::Dofs;
use super::topology::{ContactError, same_length};

/// All that contacts do in one step, in order: find, laws, filter, push out, clear, move. Keeps
/// its memory.
#[derive(Debug, Clone)]
pub struct ContactStage {
    /// Finds contacts.
    pub detector: Detector,
    /// Axes along the texture coordinates.
    pub frames: VertexFrames,
    /// Contact and friction impulses.
    pub filter: VelocityFilter,
    /// Contacts with obstacles as part of the implicit step.
    pub implicit: ImplicitContact,
    /// Sees to it that nothing passes through.
    pub impacts: ImpactSolver,
    /// What is done.
    pub options: StageOptions,
    pub(super) contacts: Contacts,
    /// What is near, of a cloth and of rigid shapes, but has not been touched in this step.
    pub(super) near: Contacts,
    /// What would meet on its way, at the velocities looked at last.
    pub(super) meeting: Vec<Impact>,
    /// Velocities before the last Newton iteration.
    pub(super) before_newton: Vec<DVec3>,
    pub(super) laws: Vec<Law>,
    /// Impulse on B of each contact, world.
    pub(super) impulses: Vec<DVec3>,
    before: Vec<DVec3>,
    push: Vec<DVec3>,
}

/// What bodies gain by a step that ends with these velocities after ways at these speeds, joules, if
/// that is known: speeds first.
pub(super) type Gained<'a> = Option<&'a dyn Fn(&[DVec3], &[DVec3]) -> f64>;

/// Who gives contacts their friction, if they have any.
pub(super) type LawSource<'a> = Option<&'a mut dyn FrictionLaws>;

/// The source, where any contact may have friction.
pub(super) fn asked(source: &mut dyn FrictionLaws) -> LawSource<'_> {
    source.any().then_some(source)
}

/// What a [`ContactStage`] does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageOptions {
    /// Whether meshes touch meshes; obstacles are always touched.
    pub meshes: bool,
    /// Whether paths are checked from beginning to end, so that nothing passes through.
    pub continuous: bool,
    /// Part of an overlap that a step removes. It moves positions, not velocities.
    pub recovery: f64,
    /// Whether the filter's residual is measured.
    pub residual: bool,
}

impl Default for StageOptions {
    fn default() -> StageOptions {
        StageOptions { meshes: true, continuous: true, recovery: 0.5, residual: true }
    }
}

/// What a stage works on.
pub struct Step<'a> {
    /// Positions; moved to the end of the step.
    pub positions: &'a mut [DVec3],
    /// Velocities without contact; changed to those with contact.
    pub velocities: &'a mut [DVec3],
    /// Velocities when the step began; for laws that look at the path slid.
    pub begin_velocities: &'a [DVec3],
    /// 1/kg; zero for what is held or prescribed.
    pub inverse_masses: &'a [f64],
    /// Rigid shapes, with their velocities over the step.
    pub obstacles: &'a [&'a dyn Obstacle],
    /// Seconds.
    pub dt: f64,
}

/// What a stage did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageReport {
    /// Contacts found.
    pub contacts: usize,
    /// What the filter did.
    pub filter: FilterReport,
    /// What contacts as part of the implicit step did; `None` where the filter did it all.
    pub implicit: Option<ImplicitReport>,
    /// The filter's residual as a solution of the contact problem with lumped masses.
    pub residual: Option<f64>,
    /// Deepest overlap when the step began, metres.
    pub overlap: f64,
    /// What was done about paths that meet.
    pub impacts: ImpactReport,
    /// Primitives left out because their numbers are not finite.
    pub left_out: usize,
    /// How long it took.
    pub times: StageTimes,
}

/// Wall time of the parts of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageTimes {
    /// Elasticity, and contacts as part of it.
    pub solve: Duration,
    /// Finding contacts.
    pub find: Duration,
    /// Frames and friction laws.
    pub laws: Duration,
    /// The filter.
    pub filter: Duration,
    /// Its residual.
    pub residual: Duration,
    /// Overlaps and continuous detection.
    pub clear: Duration,
}

impl ContactStage {
    /// A stage for this detector. `frames` has one texture coordinate for each vertex.
    pub fn new(detector: Detector, frames: VertexFrames) -> ContactStage {
        ContactStage {
            detector,
            frames,
            filter: VelocityFilter::default(),
            implicit: ImplicitContact::default(),
            impacts: ImpactSolver::default(),
            options: StageOptions::default(),
            contacts: Contacts::default(),
            near: Contacts::default(),
            meeting: Vec::new(),
            before_newton: Vec::new(),
            laws: Vec::new(),
            impulses: Vec::new(),
            before: Vec::new(),
            push: Vec::new(),
        }
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// The friction laws of the last step; none at all where there was no friction.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The impulse on B of each contact in the last step, world, N s.
    pub fn impulses(&self) -> &[DVec3] {
        &self.impulses
    }

    /// One step with friction.
    pub fn step(
        &mut self,
        step: Step,
        mut source: impl FrictionLaws,
    ) -> Result<StageReport, ContactError> {
        self.run(step, asked(&mut source))
    }

    /// One step without friction.
    pub fn step_smooth(&mut self, step: Step) -> Result<StageReport, ContactError> {
        self.run(step, None)
    }

    fn run(&mut self, step: Step, source: LawSource) -> Result<StageReport, ContactError> {
        same_length("begin velocities", step.begin_velocities.len(), step.velocities.len())?;
        let mut report = StageReport::default();
        let mut clock = Clock(Instant::now());
        self.forget();
        let motion = Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
        self.detector.find_obstacles(step.obstacles, &motion, &mut self.contacts)?;
        report.times.find = clock.lap();
        self.filter_and_move(step, source, 0, (&mut report, None))?;
        Ok(report)
    }

    /// Forgets the last step.
    pub(super) fn forget(&mut self) {
        self.contacts.clear();
        self.laws.clear();
        self.impulses.clear();
    }

    /// What comes after contacts with obstacles were found, or were part of the implicit step:
    /// contacts between meshes, the filter, overlaps, impacts, positions. Where there are no contacts
    /// but the first `settled`, which need nothing more, there is no filter.
    pub(super) fn filter_and_move(
        &mut self,
        mut step: Step,
        mut source: LawSource,
        settled: usize,
        (report, gained): (&mut StageReport, Gained),
    ) -> Result<(), ContactError> {
        let mut clock = Clock(Instant::now());
        if self.options.meshes {
            let motion =
                Motion { positions: step.positions, velocities: step.velocities, dt: step.dt };
            let first = self.contacts.list.len();
            self.detector.find(&motion, &mut self.contacts)?;
            self.contacts.leave_out_known(first);
        }
        self.tell(report);
        report.times.find += clock.lap();
        self.find_laws(&step, &mut source)?;
        check_laws(&self.laws)?;
        report.times.laws += clock.lap();

        let Step { positions, velocities, inverse_masses, dt, .. } = &mut step;
        let dt = *dt;
        self.before.clear();
        self.before.extend_from_slice(velocities);
        self.impulses.resize(self.contacts.list.len(), DVec3::ZERO);
        if self.contacts.list.len() > settled {
            self.filter.acted.clone_from(&self.impulses);
            report.filter =
                self.filter.apply(&self.contacts, &self.laws, inverse_masses, velocities, dt)?;
            for (sum, more) in self.impulses.iter_mut().zip(self.filter.impulses()) {
                *sum += *more;
            }
        } else {
            self.filter.rest(settled);
        }
        report.times.filter = clock.lap();
        if self.options.residual {
            report.residual = self.residual(positions, inverse_masses, dt);
        }
        report.times.residual = clock.lap();
        self.clear_and_move(step, report, gained)
    }

    /// What was found.
    pub(super) fn tell(&self, report: &mut StageReport) {
        report.contacts = self.contacts.list.len();
        report.left_out = self.contacts.left_out;
        report.overlap = self.contacts.list.iter().fold(0.0_f64, |m, c| m.max(-c.gap));
    }

    /// The end of a step, with velocities as contacts left them: overlaps, impacts, positions.
    pub(super) fn clear_and_move(
        &mut self,
        step: Step,
        report: &mut StageReport,
        gained: Gained,
    ) -> Result<(), ContactError> {
        let mut clock = Clock(Instant::now());
        let Step { positions, velocities, inverse_masses, obstacles, dt, .. } = step;
        self.push_out(inverse_masses, dt);
        if let Some(gained) = gained {
            self.limit_push(velocities, gained);
        }
        for (p, v) in self.push.iter_mut().zip(&*velocities) {
            *p += *v;
        }
        if self.options.continuous {
            self.before.clone_from(&self.push);
            let paths = Paths { positions, velocities: &mut self.push, inverse_masses, dt };
            report.impacts = self.impacts.clear(&mut self.detector, obstacles, paths)?;
            for ((v, path), before) in velocities.iter_mut().zip(&self.push).zip(&self.before) {
                *v += *path - *before;
            }
        }
        for (x, path) in positions.iter_mut().zip(&self.push) {
            *x += *path * dt;
        }
        report.times.clear = clock.lap();
        Ok(())
    }

    /// Laws of the contacts that have none yet.
    pub(super) fn find_laws(
        &mut self,
        step: &Step,
        source: &mut LawSource,
    ) -> Result<(), ContactError> {
        let (first, count) = (self.laws.len(), self.contacts.list.len());
        let Some(source) = source.as_mut().filter(|_| first < count) else { return Ok(()) };
        if first == 0 {
            self.frames.update(step.positions)?;
        }
        let velocities = [step.begin_velocities, &*step.velocities];
        let geometry = |k: usize| self.contacts.geometry(k, &self.frames, velocities, step.dt);
        let new: Vec<ContactGeometry> = (first..count).filter_map(geometry).collect();
        self.laws.reserve(new.len());
        source.laws(&new, &mut self.laws);
        same_length("friction laws", self.laws.len(), count)
    }

    /// Residual of the filter's impulses; none where the problem has numbers that are not finite.
    fn residual(&self, positions: &[DVec3], inverse_masses: &[f64], dt: f64) -> Option<f64> {
        let dofs = Dofs {
            positions,
            velocities: &self.before,
            inverse_masses,
            rigid: &[],
            body_of_obstacle: &[],
            body_of_vertex: &[],
            dt,
        };
        let p = SoftProblem::lumped("filter", &self.contacts, &self.laws, &dofs).ok()?;
        Some(residual(&p.problem, &p.rows.from_world(self.filter.impulses())).value)
    }

    /// Shortens what takes overlaps away to what the step pays for: all of it must not end with more
    /// energy than it began with, or than it has without.
    fn limit_push(&mut self, velocities: &[DVec3], gained: &dyn Fn(&[DVec3], &[DVec3]) -> f64) {
        if self.push.iter().all(|p| *p == DVec3::ZERO) {
            return;
        }
        let mut gain = |part: f64| {
            self.before.clear();
            self.before.extend(velocities.iter().zip(&self.push).map(|(v, p)| *v + *p * part));
            gained(&self.before, velocities)
        };
        let allowed = gain(0.0).max(0.0);
        if gain(1.0) <= allowed {
            return;
        }
        let (mut less, mut more) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let part = f64::midpoint(less, more);
            if gain(part) <= allowed { less = part } else { more = part }
        }
        for p in &mut self.push {
            *p *= less;
        }
    }

    /// Velocities, for this step's motion alone, that take part of the overlaps away.
    fn push_out(&mut self, inverse_masses: &[f64], dt: f64) {
        self.push.clear();
        self.push.resize(inverse_masses.len(), DVec3::ZERO);
        let slop = SLOP * self.detector.thickness();
        for c in (0..PUSHES).flat_map(|_| &self.contacts.list) {
            let depth = -c.gap - slop;
            let w = c.inverse_mass(inverse_masses);
            if !(depth > 0.0 && w > 0.0) {
                continue;
            }
            let wanted = depth * self.options.recovery / dt;
            let missing = wanted - c.normal.dot(c.combine(&self.push));
            if missing > 0.0 {
                for (i, weight) in c.parts() {
                    self.push[i] += c.normal * (missing / w * weight * inverse_masses[i]);
                }
            }
        }
    }
}

/// How often the part of a displacement that is allowed is halved in.
const HALVINGS: usize = 10;

/// Overlaps up to this part of the thickness stay.
const SLOP: f64 = 0.01;

/// Passes over the overlaps.
const PUSHES: usize = 4;

pub(super) struct Clock(pub(super) Instant);

impl Clock {
    pub(super) fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
