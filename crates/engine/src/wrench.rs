//! Bodies that touch by one wrench for each volume they share (`contact = "wrench"`; Bouchard 2015).

mod choose;
mod options;
mod surface;

use asperity_friction::extent::{Rolling, Screw, SpinLaw, Wrench};
use asperity_friction::section::Section;
use asperity_friction::set::{Ellipse, Rotation, Set};
use asperity_friction::{ContactFrame, ContactState, FrictionError};
use glamx::DVec3;

use crate::ask::{Asked, Seen};
use crate::contact::{Contact, ContactKey};
use crate::dynamics::rigid::{Middle, advance};
use crate::laws::{QUIET, velocity_of};
use crate::sample::Patches;
use crate::world::World;
use asperity_geometry::collision::Shared;
use asperity_geometry::volume::{EllipsePatch, Overlap};

pub(crate) use options::ContactKinds;
pub use options::{ContactKind, SpinRule, Target, WrenchOptions};

/// What a contact by wrench has beyond one at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrenchContact {
    /// The overlap's centroid, about which the six rows are; world.
    pub centre: DVec3,
    /// The patch about it.
    pub patch: EllipsePatch,
    /// m³.
    pub volume: f64,
    /// Torque impulse on B about the centre, N m s, world axes.
    pub torque_impulse: DVec3,
    /// Compliance, m/N.
    pub compliance: f64,
    /// Turning of B about the centre that opens the gap as a unit displacement along the normal does,
    /// 1/m.
    pub(crate) turn: DVec3,
    /// Torque about the centre that the next step begins with.
    pub(crate) next_torque: DVec3,
}

/// What the next step begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RememberedWrench {
    key: ContactKey,
    impulse: DVec3,
    torque: DVec3,
    load: f64,
    centre: DVec3,
}

impl World {
    /// Adds a contact for each volume that two bodies share.
    pub(crate) fn find_wrenches(&mut self, middle: &[Middle]) {
        let (mut contacts, mut patches) =
            (std::mem::take(&mut self.contacts), std::mem::take(&mut self.patches));
        patches.batch.clear();
        let mut touching = Vec::new();
        for of_pair in self.collision.shared_volumes().chunk_by(|a, b| a.bodies == b.bodies) {
            let [a, b] = of_pair[0].bodies.map(|k| self.bodies[k].surface());
            let ContactKind::Wrench(options) = self.contact_kind(a, b) else { continue };
            if options.joined
                && let Some(overlap) = join(of_pair)
            {
                let shared = Shared { overlap, ..of_pair[0] };
                touching.extend(self.touching(&shared, &[shared], options, middle, &mut patches));
                continue;
            }
            for shared in of_pair {
                touching.extend(self.touching(shared, of_pair, options, middle, &mut patches));
            }
        }
        let (count, mut error) = (patches.batch.jobs.len(), None);
        if count > 0 {
            error = patches.sample().err();
        }
        contacts.extend(touching.iter().filter_map(|t| {
            let law = match t.sample.map(|k| patches.samples.get(&patches.batch, k)) {
                None => t.section.law(&t.state),
                Some(sample) => t.section.sampled_law(&t.state, &sample),
            };
            self.wrench_contact(t, law.set, middle)
        }));
        (self.contacts, self.patches) = (contacts, patches);
        self.report.patches += count;
        self.report.sampler_error = self.report.sampler_error.take().or(error);
    }

    /// What friction sees of a volume; asks for the sample of its patch where the section wants one.
    fn touching<'a>(
        &'a self,
        shared: &Shared,
        of_pair: &[Shared],
        options: WrenchOptions,
        middle: &[Middle],
        patches: &mut Patches,
    ) -> Option<Touching<'a>> {
        let [a, b] = shared.bodies;
        if middle[a].inverse_mass == 0.0 && middle[b].inverse_mass == 0.0 {
            return None;
        }
        let (body_a, body_b) = (&self.bodies[a], &self.bodies[b]);
        let pair = self.pairing.pair(body_a.surface(), body_b.surface()).ok()?;
        let overlap = &shared.overlap;
        let frame = ContactFrame::from_normal(overlap.normal(options.normal));
        let patch = overlap.patch(frame.normal, options.patch);
        let at = overlap.centroid;
        let last = self.last_wrench(shared, of_pair);
        let section = pair.section.as_ref();
        let (parts, thick) = surface::parts(self, shared, &frame, &patch, section);
        let state = ContactState {
            frame,
            surfaces: [
                self.surface_at(a, &middle[a], parts[0], at, frame.normal, section),
                self.surface_at(b, &middle[b], parts[1], at, -frame.normal, section),
            ],
            slip: velocity_of(body_b, &middle[b], at) - velocity_of(body_a, &middle[a], at),
            free_slip: middle[b].velocity(at) - middle[a].velocity(at),
            last_load: last.map(|w| w.load),
            dt: self.settings.dt,
        };
        let sample = section.sampling().map(|(sampling, directions)| {
            let outline = surface::outline(sampling.area, &frame, &patch);
            let sides = [Seen::Body(a, parts[0]), Seen::Body(b, parts[1])];
            let asked = Asked { sides, at, gap: -thick, sampling, outline };
            self.eyes().ask(&asked, &state, section.rotation(&state), directions, patches)
        });
        Some(Touching { shared: *shared, options, patch, section, state, sample, last })
    }

    /// A contact whose section is this set.
    fn wrench_contact(
        &self,
        touching: &Touching,
        section: Set,
        middle: &[Middle],
    ) -> Option<Contact> {
        let Touching { shared, options, patch, state, last, .. } = touching;
        let ([a, b], overlap, frame) = (shared.bodies, &shared.overlap, state.frame);
        let (body_a, body_b) = (&self.bodies[a], &self.bodies[b]);
        let (at, h, slip) = (overlap.centroid, self.settings.dt, state.slip);
        let key = ContactKey { bodies: shared.bodies, parts: [0; 2], id: shared.number };
        let mut set = wrench_set(options, patch, &frame, section).ok()?;

        // Where the gradient vanishes the cross-section of a cube of the same volume does instead.
        let gradient = overlap.gradient_linear.length();
        let area = gradient.max(1e-3 * overlap.volume.powf(2.0 / 3.0));
        let gap = match options.target {
            Target::Depth(depth) => depth - overlap.volume / area,
            Target::Volume(volume) => (volume - overlap.volume) / area,
        };
        let moves = match last {
            Some(last) => Some((at - last.centre) / h),
            None if options.joined => None,
            None => self.moves(shared, middle),
        };
        if let Some(moves) = moves {
            let over = [a, b].map(|k| moves - velocity_of(&self.bodies[k], &middle[k], at));
            let over = over.map(|v| frame.to_plane(v));
            // The slower of both, if they go the same way.
            let [slow, fast] =
                if over[0].length() < over[1].length() { over } else { [over[1], over[0]] };
            if slow.dot(fast) > 0.0 {
                set.rolling = Rolling { velocity: slow, depth: overlap.volume / area };
            }
        }
        let normal_speed = slip.dot(frame.normal);
        let restitution = body_a.desc.restitution.max(body_b.desc.restitution);
        let target = if options.compliance > 0.0 {
            -2.0 * gap / h // a spring, which also pushes
        } else {
            let room = if gap > self.settings.slop { gap } else { 0.0 };
            let opening = if normal_speed > QUIET { normal_speed } else { 0.0 };
            let target = (-2.0 * room / h).min(-opening);
            let hits = normal_speed < -self.settings.restitution_speed && room == 0.0;
            if restitution > 0.0 && hits { -restitution * normal_speed } else { target }
        };
        Some(Contact {
            bodies: shared.bodies,
            point: at,
            frame,
            gap,
            impulse: last.map_or(DVec3::ZERO, |w| w.impulse),
            spin_impulse: 0.0,
            load: 0.0,
            slip: DVec3::ZERO,
            set: set.into(),
            patch: None,
            key,
            normal_target: target,
            next: (DVec3::ZERO, 0.0),
            wrench: Some(Box::new(WrenchContact {
                centre: at,
                patch: *patch,
                volume: overlap.volume,
                torque_impulse: last.map_or(DVec3::ZERO, |w| w.torque),
                compliance: options.compliance,
                turn: -overlap.gradient_angular / area,
                next_torque: DVec3::ZERO,
            })),
        })
    }

    /// What was remembered of a volume: of those of its pair the one that was nearest, if no other
    /// volume of the pair is nearer to where that was. Volumes have no lasting number: one that comes
    /// or goes renumbers the others.
    fn last_wrench(&self, shared: &Shared, of_pair: &[Shared]) -> Option<RememberedWrench> {
        let first = self.wrenches.partition_point(|w| w.key.bodies < shared.bodies);
        let known = self.wrenches[first..].iter().take_while(|w| w.key.bodies == shared.bodies);
        let far = |w: &RememberedWrench, s: &Shared| w.centre.distance_squared(s.overlap.centroid);
        let last = known.min_by(|a, b| far(a, shared).total_cmp(&far(b, shared)))?;
        let own = far(last, shared);
        let taken = of_pair.iter().any(|s| s.number != shared.number && far(last, s) < own);
        (!taken).then_some(*last)
    }

    /// Velocity of the centroid of a volume that was not there in the last step: from where it will be
    /// in a moment.
    fn moves(&self, shared: &Shared, middle: &[Middle]) -> Option<DVec3> {
        let moment = 0.1 * self.settings.dt;
        let poses = shared.bodies.map(|k| {
            let (body, m) = (&self.bodies[k], &middle[k]);
            let still = m.inverse_mass == 0.0;
            let linear = if still { m.linear } else { body.linear_velocity };
            let angular = if still { m.angular } else { body.angular_velocity };
            advance(&m.pose, body.centre, linear, angular, moment)
        });
        let then = self.collision.share_then(shared, poses)?;
        Some((then.centroid - shared.overlap.centroid) / moment)
    }

    /// Remembers the wrenches of a step for the next.
    pub(crate) fn remember_wrenches(&mut self) {
        self.wrenches.clear();
        let remembered = self.contacts.iter().filter_map(|c| {
            let WrenchContact { next_torque: torque, centre, .. } = **c.wrench.as_ref()?;
            Some(RememberedWrench { key: c.key, impulse: c.next.0, torque, load: c.load, centre })
        });
        self.wrenches.extend(remembered);
    }
}

/// A volume that two bodies share, as friction sees it.
struct Touching<'a> {
    shared: Shared,
    options: WrenchOptions,
    patch: EllipsePatch,
    section: &'a dyn Section,
    state: ContactState<'a>,
    /// Number of the sample of its patch, if it waits for one.
    sample: Option<usize>,
    last: Option<RememberedWrench>,
}

/// All volumes of a pair as one.
fn join(shared: &[Shared]) -> Option<Overlap> {
    let parts: Vec<Overlap> = shared.iter().map(|s| s.overlap).collect();
    Overlap::joined(&parts)
}

/// The set of a patch with this section.
fn wrench_set(
    options: &WrenchOptions,
    patch: &EllipsePatch,
    frame: &ContactFrame,
    section: Set,
) -> Result<Wrench, FrictionError> {
    let axis = Rotation::from_direction(frame.to_plane(patch.u)).unwrap_or(Rotation::IDENTITY);
    let ellipse = Ellipse::new(patch.half.x, patch.half.y, axis)?;
    let wrench = Wrench::new(ellipse, section)?;
    let mut wrench = match options.spin {
        SpinRule::Corners => wrench,
        SpinRule::Contensou => wrench.contensou()?,
        SpinRule::Uniform => wrench.uniform(),
        SpinRule::None => wrench.with_spin(SpinLaw::None),
    };
    (wrench.metric, wrench.rim, wrench.slip) = (options.metric, options.rim, options.slip);
    Ok(wrench)
}

impl Contact {
    /// Notes what a solve gave a wrench contact, in its six rows, and what the next step begins with.
    pub(crate) fn carry_wrench(&mut self, r: &[f64], keep: &[f64], h: f64) {
        let Some(wrench) = &mut self.wrench else { return };
        let frame = &self.frame;
        let world = |v: DVec3| frame.normal * v.x + frame.t * v.y + frame.b * v.z;
        let (carried, kept) = (Screw::from_rows(r), Screw::from_rows(keep));
        self.load = carried.linear.x / h;
        (self.impulse, wrench.torque_impulse) = (world(carried.linear), world(carried.angular));
        (self.next.0, wrench.next_torque) = (world(kept.linear), world(kept.angular));
        self.point = wrench.centre;
        self.spin_impulse = 0.0;
        if carried.linear.x > 0.0 {
            let cop = carried.cop();
            self.point += frame.to_world(cop);
            self.spin_impulse = carried.spin_about(cop);
        }
    }
}
