//! Rows of joints and of springs from outside.

use asperity_friction::set::{Interval, Set};
use asperity_solve::{FrictionBlock, InverseMass, Operator, Row, RowAssembler, RowEntry};
use glamx::{DPose3, DVec3};

use super::Assembler;
use crate::drive::{Drive, target_at};
use crate::dynamics::joint_rows::{
    JointRow, JointRows, MAX_ROWS, Moment, Role, Spring, joint_rows,
};
use crate::dynamics::midpoint::gyration_of;
use crate::dynamics::way::{Jacobian, Way, mean_rows};
use crate::island::Island;
use crate::joint::JointDesc;
use crate::settings::FEW_CONTACTS;

impl Assembler<'_> {
    /// The rows of a joint, as they are if bodies go on as they begin; what they measure is added to `jacobians`. Returns
    /// how many.
    pub(super) fn push_joint(
        &self,
        number: usize,
        jacobians: &mut Vec<Jacobian>,
        rows: &mut RowAssembler,
    ) -> usize {
        let joint = &self.joints[number];
        let ways = self.ways(joint, None);
        let (list, mean) = mean_rows(joint, &ways, &self.moment(joint));
        push_held(&list, rows);
        for ((row, mean), start) in
            list.as_slice().iter().zip(mean).zip(self.joint_impulses[number])
        {
            let at = rows.rows();
            let (entries, own) = self.joint_row(joint, row, &mean, false);
            rows.push(entries.into_iter().flatten(), Row { start, ..own });
            jacobians.push(mean);
            if let Role::Motor(limit) = row.role {
                rows.push_block(within(at, limit));
            }
        }
        list.as_slice().len()
    }

    /// Takes the rows of joints as they are if bodies go on with the changes of velocities that the island found. How
    /// far joints would then be open at the end of the step by the rows as they were, in radii of the smaller body.
    ///
    /// Where they are `damped`, rows are those half-way, and velocities at the end are held: that takes energy, also from
    /// what swings faster than a step can show, and is there at any speed.
    pub(crate) fn follow_joints(&self, island: &mut Island, damped: bool) -> f64 {
        let mut worst = self.follow_gyration(island, damped);
        let Island { joints, problem, change, jacobians, gyration, .. } = island;
        let Operator::Bodies(operator) = &mut problem.operator else { return 0.0 };
        let mut number = 0;
        for &k in joints.iter() {
            let joint = &self.joints[k];
            let moment = self.moment(joint);
            let (list, mean) = if damped {
                let list = self.rows_of(joint, moment.gone);
                (list, jacobians_of(&list, self.centres(joint)))
            } else {
                mean_rows(joint, &self.ways(joint, Some(change)), &moment)
            };
            let radius = self.smaller_radius(joint);
            for (row, mean) in list.as_slice().iter().zip(mean) {
                if row.role == Role::Hold {
                    let opens = self.shift(joint, &mean, change) - self.h * row.target;
                    worst = worst.max(if row.angular { opens.abs() } else { opens.abs() / radius });
                }
                let (entries, mut own) = self.joint_row(joint, row, &mean, damped);
                let turns = entries.iter().flatten().map(|e| e.angular.dot(gyration[e.dof_block]));
                own.q += turns.sum::<f64>();
                let span = operator.row_start[number]..operator.row_start[number + 1];
                for (old, new) in
                    operator.entries[span].iter_mut().zip(entries.into_iter().flatten())
                {
                    *old = new;
                }
                (problem.q[number], problem.compliance[number]) = (own.q, own.compliance);
                jacobians[number] = mean;
                number += 1;
            }
        }
        worst
    }

    /// Takes what gyroscopic torques do to spins with the mean of those that the island found: what they do with spins
    /// that nothing touched is work; and, unless `damped`, leaves no torque of the stiffness of joints. By how much more or less bodies then turn in the step.
    fn follow_gyration(&self, island: &mut Island, damped: bool) -> f64 {
        // Where rows do not follow until they hold, what is found may be far from this.
        let follows = !damped && island.contacts.len() <= FEW_CONTACTS;
        let Island { bodies, problem, change, correction, gyration, .. } = island;
        let Operator::Bodies(operator) = &mut problem.operator else { return 0.0 };
        gyration.resize(bodies.len(), DVec3::ZERO);
        correction.clear();
        let (mut worst, mut any) = (0.0_f64, false);
        for ((k, change), gyration) in bodies.iter().zip(change).zip(gyration) {
            let (by_impulses, m) = (change.1 - *gyration, &self.middle[*k]);
            let mut new = DVec3::ZERO;
            if follows {
                new += gyration_of(&self.bodies[*k], m, by_impulses, self.h);
            }
            if let Some(taut) = m.taut.as_ref() {
                let inertia = if damped { m.inverse_inertia } else { taut.inverse_inertia };
                let mass = InverseMass::Body { mass: m.inverse_mass, inertia };
                operator.inverse_masses[correction.len()] = mass;
                if !damped {
                    new += taut.follow(&self.bodies[*k], m, m.angular + change.1);
                }
            }
            let more = new - *gyration;
            (worst, any) = (worst.max(m.left * more.length()), any || more != DVec3::ZERO);
            (change.1, *gyration) = (by_impulses + new, new);
            correction.push((DVec3::ZERO, more));
        }
        let spans = operator.row_start.windows(2).map(|span| &operator.entries[span[0]..span[1]]);
        for (q, entries) in problem.q.iter_mut().zip(spans).filter(|_| any) {
            let more = |k: usize| correction.get(k).map_or(DVec3::ZERO, |c| c.1);
            *q += entries.iter().map(|e| e.angular.dot(more(e.dof_block))).sum::<f64>();
        }
        worst
    }

    /// The errors of a joint's rows, without its motor.
    pub(super) fn push_joint_error(&self, joint: &JointDesc, rows: &mut RowAssembler) {
        let list = self.rows_of(joint, self.h);
        push_held(&list, rows);
        let centres = self.centres(joint);
        for row in list.as_slice().iter().filter(|row| !matches!(row.role, Role::Motor(_))) {
            let entries = self.entries(joint, &Jacobian::of(row, centres));
            let own = Row { q: row.error, ..Row::default() };
            rows.push(entries.into_iter().flatten(), own);
        }
    }

    /// The velocities that a joint holds, where bodies are at the end of the step.
    pub(super) fn push_joint_velocity(
        &self,
        joint: &JointDesc,
        jacobians: &mut Vec<Jacobian>,
        rows: &mut RowAssembler,
    ) -> usize {
        let list = self.rows_of(joint, self.h);
        push_held(&list, rows);
        let centres = self.centres(joint);
        let held = list.as_slice().iter().filter(|row| row.role == Role::Hold);
        for row in held {
            let jacobian = Jacobian::of(row, centres);
            let own = Row { q: self.free(joint, &jacobian) - row.target, ..Row::default() };
            rows.push(self.entries(joint, &jacobian).into_iter().flatten(), own);
            jacobians.push(jacobian);
        }
        list.held()
    }

    pub(super) fn push_spring(&self, drive: &Drive, rows: &mut RowAssembler) {
        let Drive::Spring { body, point, target, stiffness, damping, max_force } = drive else {
            return;
        };
        if !(stiffness + damping > 0.0) {
            return;
        }
        let h = self.h;
        let m = &self.middle[body.0];
        let (begin, at) =
            (self.bodies[body.0].pose.transform_point(*point), m.pose.transform_point(*point));
        let (from, to) = (target_at(target, self.time), target_at(target, self.time + h));
        for linear in [DVec3::X, DVec3::Y, DVec3::Z] {
            let row = rows.rows();
            let arm = (at - m.centre).cross(linear);
            let jacobian = Jacobian { linear, angular: [arm; 2] };
            let entry = self.entry(1, body.0, &jacobian);
            let goes = linear.dot(to - from);
            let spring = Spring { stiffness: *stiffness, damping: *damping, goes };
            let begins = jacobian.measure(1, m.begin_linear, m.begin_angular);
            let error = linear.dot(begin - from);
            let give = [m.gone, m.left, self.response([None, Some(body.0)], &jacobian)];
            let own = spring_row(&spring, error, begins, give);
            let q = jacobian.measure(1, m.linear, m.angular) - own.0;
            rows.push(entry, Row { q, compliance: own.1, ..Row::default() });
            rows.push_block(within(row, max_force * h));
        }
    }

    /// What a joint's row acts on, and what it wants.
    ///
    /// What holds wants positions at the end of the step to be what they should, limits that none is passed; rows
    /// that are found `half_way` hold velocities.
    fn joint_row(
        &self,
        joint: &JointDesc,
        row: &JointRow,
        mean: &Jacobian,
        half_way: bool,
    ) -> ([Option<RowEntry>; 2], Row) {
        let (h, m) = (self.h, &self.middle[joint.b.0]);
        let entries = self.entries(joint, mean);
        let begins = self.begins(joint, mean);
        let error = if half_way { row.error - m.gone * begins } else { row.error };
        let (target, compliance) = match (row.role, &row.spring) {
            (Role::Hold, _) if half_way => (row.target, 0.0),
            (Role::Hold, _) => ((h * row.target - m.gone * begins) / m.left, 0.0),
            // Not beyond the limit at the end of the step.
            (Role::Limit, _) => (-(error + m.gone * begins).max(0.0) / m.left, 0.0),
            (Role::Motor(_), None) => (row.target, 0.0),
            (Role::Motor(_), Some(spring)) => spring_row(
                spring,
                error,
                begins,
                [m.gone, m.left, self.response(bodies_of(joint), mean)],
            ),
        };
        (entries, Row { q: self.free(joint, mean) - target, compliance, ..Row::default() })
    }

    /// How far the bodies of a joint move along a row in the step.
    fn shift(&self, joint: &JointDesc, mean: &Jacobian, change: &[(DVec3, DVec3)]) -> f64 {
        let m = &self.middle[joint.b.0];
        let mut end = self.free(joint, mean);
        for (side, body) in bodies_of(joint).into_iter().enumerate() {
            if let Some(body) = body.filter(|k| self.middle[*k].inverse_mass > 0.0) {
                let (linear, angular) = change[self.dof_block[body]];
                end += mean.measure(side, linear, angular);
            }
        }
        m.gone * self.begins(joint, mean) + m.left * end
    }

    /// What a row measures at the end of the step without impulses.
    fn free(&self, joint: &JointDesc, jacobian: &Jacobian) -> f64 {
        Self::measured(joint, |side, k| {
            jacobian.measure(side, self.middle[k].linear, self.middle[k].angular)
        })
    }

    /// What it measures of the velocities at the beginning of the step.
    fn begins(&self, joint: &JointDesc, jacobian: &Jacobian) -> f64 {
        Self::measured(joint, |side, k| {
            jacobian.measure(side, self.middle[k].begin_linear, self.middle[k].begin_angular)
        })
    }

    fn measured(joint: &JointDesc, of: impl Fn(usize, usize) -> f64) -> f64 {
        let sides = bodies_of(joint).into_iter().enumerate();
        sides.filter_map(|(side, body)| Some(of(side, body?))).sum()
    }

    /// The ways of the bodies of a joint with these changes of velocities, or as they begin.
    fn ways(&self, joint: &JointDesc, change: Option<&[(DVec3, DVec3)]>) -> [Way; 2] {
        bodies_of(joint).map(|body| {
            let Some(k) = body else { return Way::WORLD };
            let m = &self.middle[k];
            let (linear, angular) = match change {
                Some(change) if m.inverse_mass > 0.0 => {
                    let change = change[self.dof_block[k]];
                    (m.linear + change.0, m.angular + change.1)
                }
                Some(_) => (m.linear, m.angular),
                None => (m.begin_linear, m.begin_angular),
            };
            Way::new(&self.bodies[k], m, linear, angular)
        })
    }

    fn entries(&self, joint: &JointDesc, jacobian: &Jacobian) -> [Option<RowEntry>; 2] {
        let [a, b] = bodies_of(joint);
        [a.and_then(|k| self.entry(0, k, jacobian)), b.and_then(|k| self.entry(1, k, jacobian))]
    }

    fn entry(&self, side: usize, body: usize, jacobian: &Jacobian) -> Option<RowEntry> {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        (self.middle[body].inverse_mass > 0.0).then(|| RowEntry {
            dof_block: self.dof_block[body],
            linear: sign * jacobian.linear,
            angular: sign * jacobian.angular[side],
        })
    }

    /// What a unit impulse along a row changes of what it measures, if its bodies were free; 1/kg.
    fn response(&self, bodies: [Option<usize>; 2], jacobian: &Jacobian) -> f64 {
        let of = |(side, body): (usize, Option<usize>)| {
            let m = &self.middle[body?];
            let turn = jacobian.angular[side];
            Some(
                m.inverse_mass * jacobian.linear.length_squared()
                    + turn.dot(m.inverse_inertia * turn),
            )
        };
        bodies.into_iter().enumerate().filter_map(of).sum()
    }

    fn centres(&self, joint: &JointDesc) -> [DVec3; 2] {
        bodies_of(joint).map(|k| k.map_or(DVec3::ZERO, |k| self.middle[k].centre))
    }

    fn smaller_radius(&self, joint: &JointDesc) -> f64 {
        let sized = |k: &usize| self.middle[*k].inverse_mass > 0.0 && self.bodies[*k].radius > 0.0;
        let radii = bodies_of(joint).into_iter().flatten().filter(sized);
        radii.map(|k| self.bodies[k].radius).fold(f64::INFINITY, f64::min)
    }

    fn moment(&self, joint: &JointDesc) -> Moment {
        Moment { begin: self.time, gone: self.middle[joint.b.0].gone, h: self.h }
    }

    /// The rows of a joint where its bodies are, `gone` seconds after the step began.
    fn rows_of(&self, joint: &JointDesc, gone: f64) -> JointRows {
        let a = joint.a.map_or(DPose3::IDENTITY, |a| self.middle[a.0].pose);
        let moment = Moment { begin: self.time, gone, h: self.h };
        joint_rows(joint, &a, &self.middle[joint.b.0].pose, &moment)
    }
}

/// Velocity that a spring's row strives for at the end of the step, and its compliance.
///
/// The impulse is h (k (x*_θ − x_θ) − d u_θ) with what is after a part θ of the step: half of it where the step is
/// short against the spring's own time, which keeps its energy, and all of it where the step is longer, which is
/// stable at any stiffness and does not ring. `error` is x − x* and `begins` u where the step begins; `times` are
/// those before and after contacts are found, and 1/kg of the bodies along the row.
fn spring_row(
    spring: &Spring,
    error: f64,
    begins: f64,
    [gone, left, response]: [f64; 3],
) -> (f64, f64) {
    let Spring { stiffness, damping, goes } = *spring;
    let h = gone + left;
    let short = h * (h * stiffness + damping) * response;
    let square = short * short;
    let part = if square.is_finite() { 0.5 + 0.5 * square / (1.0 + square) } else { 1.0 };
    let give = part * (left * stiffness + damping);
    let pull = stiffness * (part * (goes - gone * begins) - error);
    ((pull - damping * (1.0 - part) * begins) / give, 1.0 / (h * give))
}

/// What rows measure where bodies with these centres are.
fn jacobians_of(rows: &JointRows, centres: [DVec3; 2]) -> [Jacobian; MAX_ROWS] {
    let mut jacobians = [Jacobian::default(); MAX_ROWS];
    for (jacobian, row) in jacobians.iter_mut().zip(rows.as_slice()) {
        *jacobian = Jacobian::of(row, centres);
    }
    jacobians
}

/// The block of the rows that hold, which come first.
fn push_held(list: &JointRows, rows: &mut RowAssembler) {
    let (first, held) = (rows.rows(), list.held());
    if held > 0 {
        rows.push_block(FrictionBlock::held(first..first + held));
    }
}

/// A row that pushes both ways up to an impulse; without a bound as strongly as it must.
fn within(row: usize, limit: f64) -> FrictionBlock {
    let set = Interval::symmetric(limit).map_or(Set::Free(1), Set::from);
    FrictionBlock::constant(row..row + 1, 1.0, set)
}

fn bodies_of(joint: &JointDesc) -> [Option<usize>; 2] {
    [joint.a.map(|a| a.0), Some(joint.b.0)]
}
