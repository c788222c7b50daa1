//! From manifolds to contacts with a friction law each.

use asperity_friction::pairing::{Extent, Pair};
use asperity_friction::section::{Area, Sampling, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::SurfacePoint;
use asperity_friction::{ContactFrame, ContactState};
use glamx::DVec3;

use crate::ask::{Asked, Eyes, Seen};
use crate::contact::{Contact, ContactKey, Remembered};
use crate::dynamics::rigid::Middle;
use crate::patch_block::{PatchBlock, Touch};
use crate::sample::Patches;
use crate::world::{Body, Settings, World};
use asperity_geometry::collision::Point;
use asperity_geometry::collision::surface::surface_point;

impl World {
    /// Fills `self.contacts` from the manifolds found half-way through the step.
    pub(crate) fn find_contacts(&mut self, middle: &[Middle]) {
        let without_friction = self.without_friction(middle);
        let free = without_friction.as_deref().unwrap_or(middle);
        let mut contacts = std::mem::take(&mut self.contacts);
        let mut patches = std::mem::take(&mut self.patches);
        // The patches of the last step are what is remembered of them.
        let last_blocks = std::mem::take(&mut self.blocks);
        let mut blocks = Vec::new();
        contacts.clear();
        patches.batch.clear();
        // Contacts whose law waits for the sample of a patch: contact, patch, section and state.
        let mut waiting: Vec<(usize, usize, &dyn Section, ContactState)> = Vec::new();
        // Whole patches with friction of their own: manifold, pair, what its contacts carried, one
        // past its last contact, and the sample to wait for.
        let mut spinning: Vec<(usize, &Pair, Carried, usize, Option<usize>)> = Vec::new();
        let mut cursor = 0;
        for (number, manifold) in self.collision.manifolds().iter().enumerate() {
            let [a, b] = manifold.bodies;
            if middle[a].inverse_mass == 0.0 && middle[b].inverse_mass == 0.0 {
                continue;
            }
            let (body_a, body_b) = (&self.bodies[a], &self.bodies[b]);
            // Pairs without a section are refused when the second body is added.
            let Ok(pair) = self.pairing.pair(body_a.surface(), body_b.surface()) else { continue };
            let frame = ContactFrame::from_normal(manifold.normal);
            let restitution = body_a.desc.restitution.max(body_b.desc.restitution);
            let section = pair.section.as_ref();
            let mut whole = None;
            let spins = pair.extent == Extent::Spin;
            let mut carried = Carried::default();
            for point in &manifold.points {
                let key =
                    ContactKey { bodies: manifold.bodies, parts: manifold.parts, id: point.id };
                let last = self.cache.get(&ContactKey { id: point.was, ..key }, &mut cursor);
                let at = 0.5 * (point.on_a + point.on_b);
                let approach =
                    velocity_of(body_b, &middle[b], at) - velocity_of(body_a, &middle[a], at);
                let normal_speed = approach.dot(frame.normal);
                let coming = free[b].velocity(at) - free[a].velocity(at);
                if !spins
                    && last.is_none_or(|last| last.load == 0.0)
                    && self.is_out_of_reach(point.gap, coming.dot(frame.normal))
                {
                    continue;
                }
                let target = normal_target(&self.settings, point.gap, normal_speed, restitution);
                let state = ContactState {
                    frame,
                    surfaces: [
                        self.surface_at(
                            a,
                            &middle[a],
                            point.parts[0],
                            point.on_a,
                            frame.normal,
                            section,
                        ),
                        self.surface_at(
                            b,
                            &middle[b],
                            point.parts[1],
                            point.on_b,
                            -frame.normal,
                            section,
                        ),
                    ],
                    slip: approach,
                    free_slip: coming,
                    last_load: last.map(|c| c.load),
                    dt: self.settings.dt,
                };
                if spins {
                    carried.add(at, last.as_ref(), &state, point);
                }
                let set = match section.sampling() {
                    None => section.law(&state).set,
                    Some((sampling, directions)) => {
                        let ask = |patches: &mut Patches| {
                            let asked = self.asked(number, point, sampling, middle, &frame);
                            let rotation = section.rotation(&state);
                            self.eyes().ask(&asked, &state, rotation, directions, patches)
                        };
                        let patch = match sampling.area {
                            Area::Point => ask(&mut patches),
                            Area::Whole => *whole.get_or_insert_with(|| ask(&mut patches)),
                        };
                        waiting.push((contacts.len(), patch, section, state));
                        Set::Free(2)
                    }
                };
                contacts.push(Contact {
                    bodies: manifold.bodies,
                    point: at,
                    frame,
                    gap: point.gap,
                    impulse: last.map_or(DVec3::ZERO, |c| c.impulse),
                    spin_impulse: last.map_or(0.0, |c| c.spin_impulse),
                    load: 0.0,
                    slip: DVec3::ZERO,
                    set,
                    patch: None,
                    key,
                    normal_target: target,
                    next: (DVec3::ZERO, 0.0),
                    wrench: None,
                });
            }
            if spins && let (Some(state), Some(point)) = (carried.state, carried.point) {
                let sample = section.sampling().map(|(sampling, directions)| {
                    let sampling = Sampling { area: Area::Whole, ..sampling };
                    let asked = self.asked(number, point, sampling, middle, &frame);
                    let rotation = section.rotation(&state);
                    *whole.get_or_insert_with(|| {
                        self.eyes().ask(&asked, &state, rotation, directions, &mut patches)
                    })
                });
                spinning.push((number, pair, carried, contacts.len(), sample));
            }
        }
        let (count, mut error) = (patches.batch.jobs.len(), None);
        if count > 0 {
            error = patches.sample().err();
            for (contact, patch, section, state) in waiting {
                let sample = patches.samples.get(&patches.batch, patch);
                contacts[contact].set = section.sampled_law(&state, &sample).set;
            }
        }
        for (number, pair, carried, end, sample) in spinning {
            let sample = sample.map(|k| patches.samples.get(&patches.batch, k));
            let law = |state: &ContactState| match &sample {
                None => pair.section.law(state).set,
                Some(sample) => pair.section.sampled_law(state, sample).set,
            };
            if let Some(block) =
                self.patch_block(number, pair, &carried, end, &last_blocks, middle, law)
            {
                for contact in &mut contacts[block.contacts.clone()] {
                    contact.patch = Some(blocks.len());
                }
                blocks.push(block);
            }
        }
        (self.contacts, self.blocks, self.patches) = (contacts, blocks, patches);
        (self.report.patches, self.report.sampler_error) = (count, error);
        self.find_wrenches(middle);
    }

    /// The friction block of a manifold whose contacts are the last before `end`.
    #[allow(clippy::too_many_arguments)]
    fn patch_block(
        &self,
        number: usize,
        pair: &Pair,
        carried: &Carried,
        end: usize,
        last: &[PatchBlock],
        middle: &[Middle],
        law: impl FnOnce(&ContactState) -> Set,
    ) -> Option<PatchBlock> {
        let manifold = &self.collision.manifolds()[number];
        let [a, b] = manifold.bodies;
        let (state, point) = (carried.state?, carried.point?);
        let poses = [a, b].map(|k| Some(&middle[k].pose));
        let same = |p: &&PatchBlock| p.bodies == manifold.bodies && p.parts == manifold.parts;
        let from = last.partition_point(|p| p.bodies < manifold.bodies);
        let here = last[from..].iter().take_while(|p| p.bodies == manifold.bodies);
        let angular = [a, b].map(|k| {
            let still = middle[k].inverse_mass == 0.0;
            if still { middle[k].angular } else { self.bodies[k].angular_velocity }
        });
        let mut touch = Touch {
            manifold,
            pair,
            patch: &self.collision.patch_between(number, poses),
            contacts: end - manifold.points.len()..end,
            load: carried.load,
            warm: carried.warm,
            state,
            last: here.clone().find(same),
            turn: 0.5 * self.settings.dt * (angular[0] + angular[1]),
        };
        let velocity = |k: usize, at: DVec3| velocity_of(&self.bodies[k], &middle[k], at);
        let spin = manifold.normal.dot(angular[1] - angular[0]);
        if pair.section.needs_surfaces() {
            // What the surfaces are at the centre of the load holds for the whole patch.
            let (at, n) = (touch.centre(), state.frame.normal);
            touch.state.surfaces = [(a, 0, n), (b, 1, -n)].map(|(k, side, n)| {
                self.surface_at(k, &middle[k], point.parts[side], at, n, pair.section.as_ref())
            });
        }
        PatchBlock::new(&touch, law, |at| velocity(b, at) - velocity(a, at), spin)
    }

    /// The patch of a point of a manifold.
    fn asked(
        &self,
        number: usize,
        point: &Point,
        sampling: Sampling,
        middle: &[Middle],
        frame: &ContactFrame,
    ) -> Asked {
        let manifold = &self.collision.manifolds()[number];
        let at = 0.5 * (point.on_a + point.on_b);
        let outline = match sampling.area {
            Area::Point => Vec::new(),
            Area::Whole => {
                let poses = manifold.bodies.map(|k| Some(&middle[k].pose));
                let patch = self.collision.patch_between(number, poses);
                patch.outline.iter().map(|p| frame.to_plane(*p - at)).collect()
            }
        };
        let seen = |side: usize| Seen::Body(manifold.bodies[side], manifold.parts[side]);
        Asked { sides: [seen(0), seen(1)], at, gap: point.gap, sampling, outline }
    }

    /// What bodies look like at contacts.
    pub(crate) fn eyes(&self) -> Eyes<'_> {
        Eyes { collision: &self.collision, bodies: &self.bodies }
    }

    /// Whether bodies need not be kept from meeting in a rough step: they are apart, and as they
    /// move they stay so. Who is pushed there by others all the same is stopped a step later.
    fn is_out_of_reach(&self, gap: f64, speed: f64) -> bool {
        let far = 0.25 * self.settings.margin;
        self.settings.is_rough() && gap > far && gap + self.settings.dt * speed > far
    }

    /// One body's surface at a contact, in world axes.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn surface_at(
        &self,
        body: usize,
        middle: &Middle,
        part: u32,
        point: DVec3,
        outward: DVec3,
        section: &dyn Section,
    ) -> SurfacePoint<'_> {
        let body = &self.bodies[body];
        let surface = &self.pairing.surfaces()[body.surface()];
        let (Some(shape), true) = (body.shape(), section.needs_surfaces()) else {
            return surface.at(DVec3::X, DVec3::Y, glamx::DVec2::ZERO);
        };
        let rotation = middle.pose.rotation;
        let local = middle.pose.inverse_transform_point(point);
        let frame = surface_point(shape, part, local, rotation.inverse() * outward);
        let mut at = surface.at(rotation * frame.tangent, rotation * frame.bitangent, frame.uv);
        if let Some(own) = body.structure().at(local, &frame) {
            at.structure = rotation * own;
        }
        at
    }
}

/// What the contacts of a manifold carried in the last step.
#[derive(Default)]
struct Carried<'a> {
    /// Σ load, Σ load × place.
    load: (f64, DVec3),
    /// Σ impulse, Σ spin impulse.
    warm: (DVec3, f64),
    /// Of some contact.
    state: Option<ContactState<'a>>,
    point: Option<&'a Point>,
}

impl<'a> Carried<'a> {
    fn add(
        &mut self,
        at: DVec3,
        last: Option<&Remembered>,
        state: &ContactState<'a>,
        point: &'a Point,
    ) {
        if let Some(last) = last {
            self.load.0 += last.load;
            self.load.1 += at * last.load;
            self.warm.0 += last.impulse;
            self.warm.1 += last.spin_impulse;
        }
        (self.state, self.point) = (Some(*state), Some(point));
    }
}

/// The least normal velocity at the end of the step, m/s: not nearer than touching then; a bounce
/// where it hits. A contact that opened in the first half may close as far in the second, else the
/// step's mean velocity would let the normal force do work. What rounding leaves of either is
/// nothing: else the corners of a face at rest would each want another speed, which a rigid body
/// cannot have.
pub(crate) fn normal_target(settings: &Settings, gap: f64, speed: f64, restitution: f64) -> f64 {
    let h = settings.dt;
    let room = if gap > settings.slop { gap } else { 0.0 };
    // What opens may come back as fast, if it does so without a change of place; in a rough step,
    // where many contacts open a little in turn, that keeps a heap in motion.
    let opening = if speed > QUIET && !settings.is_rough() { speed } else { 0.0 };
    let target = (-2.0 * room / h).min(-opening);
    if restitution > 0.0 && speed < -settings.restitution_speed && gap + 0.5 * h * speed < 0.0 {
        return target.max(-restitution * speed);
    }
    target
}

/// Speeds below this are rounding, m/s.
pub(crate) const QUIET: f64 = 1e-7;

/// Velocity of a point at the beginning of the step, about the centre half-way.
pub(crate) fn velocity_of(body: &Body, middle: &Middle, point: DVec3) -> DVec3 {
    if middle.inverse_mass == 0.0 {
        // Prescribed motion: the velocity of this very step.
        return middle.linear + middle.angular.cross(point - middle.centre);
    }
    body.linear_velocity + body.angular_velocity.cross(point - middle.centre)
}
