//! Volumes that two bodies share, each touched by one wrench (Bouchard 2015).

use asperity_friction::extent::{
    Algorithm, EllipsePatch, Extent, NormalRule, Rolling, Target, WrenchOptions,
};
use asperity_friction::pairing::Pair;
use asperity_friction::surface::patch::Area;
use asperity_friction::{ContactFrame, ContactState};
use asperity_geometry::collision::Shared;
use asperity_geometry::volume::{Overlap, Side};
use glamx::{DVec2, DVec3};

use super::points::STAYS;
use super::{Approach, Halfway, Place, Site, Spot, normal_target};
use crate::dynamics::midpoint::advance;
use crate::memory::WrenchMemory;
use crate::world::World;

/// A volume that two bodies share, as friction sees it.
pub(crate) struct VolumeSite {
    pub(crate) shared: Shared,
    pub(crate) patch: EllipsePatch,
    /// How the patch moves on over both surfaces.
    pub(crate) rolling: Rolling,
    /// Displacement along the normal that leads to the target overlap, metres.
    pub(crate) gap: f64,
    pub(crate) slop: f64,
    pub(crate) normal_target: f64,
    /// Velocity along the plane that is no slip, m/s: of what stays in its place see [`Halfway::slip_of_turns`], of
    /// what rolls [`World::curving`].
    pub(crate) slip_target: DVec3,
    /// Turning that opens the gap as a unit displacement does, 1/m.
    pub(crate) turn: DVec3,
    /// m/N.
    pub(crate) compliance: f64,
    /// Parts of both shapes there, and how thick a slab holds both surfaces, metres.
    pub(crate) parts: [u32; 2],
    pub(crate) thick: f64,
    /// What the last step left.
    pub(crate) last: Option<WrenchMemory>,
}

impl VolumeSite {
    /// The patch in the contact plane about its middle, where the whole area is sampled.
    pub(crate) fn outline(&self, area: Area, frame: &ContactFrame) -> Vec<DVec2> {
        match area {
            Area::Point => Vec::new(),
            Area::Whole => self.patch.corners(frame),
        }
    }
}

impl WrenchMemory {
    /// Whether it sticks, and stays where it was on both bodies.
    fn stays(&self, bodies: [usize; 2], at: DVec3, thickness: f64, halfway: Halfway) -> bool {
        let went = [0, 1].map(|side: usize| {
            let pose = &halfway.middle[bodies[side]].pose;
            pose.inverse_transform_point(at).distance(self.local[side])
        });
        self.sticks && went[0].max(went[1]) < STAYS * thickness
    }
}

impl World {
    /// Visits the volumes that bodies share, pair by pair.
    pub(crate) fn each_volume_site<'a>(
        &'a self,
        halfway: Halfway,
        visit: &mut dyn FnMut(&mut Site<'a>),
    ) {
        for of_pair in self.collision.shared_volumes().chunk_by(|a, b| a.bodies == b.bodies) {
            let Some(pair) = self.pushed_pair(of_pair[0].bodies, halfway) else { continue };
            let Extent::Wrench(options) = &pair.extent else { continue };
            let joined = if options.joined { joined(of_pair) } else { None };
            let volumes = joined.as_ref().map_or(of_pair, std::slice::from_ref);
            for shared in volumes {
                visit(&mut self.volume_site((pair, options), shared, volumes, halfway));
            }
        }
    }

    fn volume_site<'a>(
        &'a self,
        (pair, options): (&'a Pair, &WrenchOptions),
        shared: &Shared,
        of_pair: &[Shared],
        halfway: Halfway,
    ) -> Site<'a> {
        let (bodies, overlap) = (shared.bodies, &shared.overlap);
        let at = overlap.centroid;
        let closing = halfway.closing(bodies, at);
        let last = self.last_wrench(shared, of_pair);
        let gone = closing * self.settings.dt;
        let side = entered(overlap, options, gone, last.map(|w| w.normal));
        let normal = side.map_or_else(|| overlap.normal(options.normal), |side| side.normal);
        let frame = ContactFrame::from_normal(normal);
        let patch = overlap.patch(frame.normal, options.patch);
        let section = pair.section.as_ref();
        let looks = section.needs().surfaces;
        let thick = if looks { thickness(overlap, frame.normal) } else { 0.0 };
        let reach = patch.half.max_element() + thick;
        let outward = [frame.normal, -frame.normal];
        let part = |side: usize| self.collision.part_at(bodies[side], at, outward[side], reach);
        let parts = if looks { [0, 1].map(part) } else { [0; 2] };
        let surfaces = [0, 1].map(|side| {
            let (body, part, outward) = (bodies[side], parts[side], outward[side]);
            self.surface_at(halfway, &Spot { body, part, point: at, outward }, section)
        });
        let state = ContactState {
            slip: halfway.slip(bodies, at),
            free_slip: halfway.free_slip(bodies, at),
            last_load: last.map(|w| w.load),
            area: patch.area(),
            ..ContactState::new(frame, surfaces, self.settings.dt)
        };
        // Where the gradient vanishes the cross-section of a cube of the same volume does instead.
        let (area, moment) = match side {
            Some(side) => (side.area, side.moment),
            None => (overlap.gradient_linear.length(), -overlap.gradient_angular),
        };
        let area = area.max(1e-3 * overlap.volume.powf(2.0 / 3.0));
        let gap = match options.target {
            Target::Depth(depth) => depth - overlap.volume / area,
            Target::Volume(volume) => (volume - overlap.volume) / area,
        };
        let moves = match last {
            Some(last) => Some((at - last.centre) / self.settings.dt),
            None if options.joined => None,
            None => self.centroid_velocity(shared, halfway),
        };
        let (gone, left) = halfway.gone_and_left(bodies);
        let printed = options.algorithm == Algorithm::Printed;
        let moves = moves.filter(|_| !printed);
        let rolling = rolling(&frame, shared, moves, overlap.volume / area, halfway);
        let thickness = self.thickness(bodies);
        let stays = last.filter(|last| last.stays(bodies, at, thickness, halfway));
        let rolls = stays.is_none() && !options.joined && rolling.velocity != DVec2::ZERO;
        let curving =
            if rolls { self.curving(shared, closing, left, halfway) } else { DVec3::ZERO };
        let slop = self.settings.slop_of(thickness);
        let little = Some(slop / self.settings.dt);
        let slip_target = match stays {
            Some(last) => halfway.slip_of_turns(bodies, (at, frame.normal), last.slip, little),
            None => curving.reject_from_normalized(frame.normal),
        };
        let place = VolumeSite {
            shared: *shared,
            patch,
            rolling,
            gap,
            slop,
            normal_target: if options.compliance > 0.0 {
                -gap / left // a spring, which also pushes
            } else {
                let speed = state.slip.dot(frame.normal);
                let restitution = self.restitution(bodies);
                let acceleration = halfway.acceleration(bodies, at).dot(frame.normal);
                let near =
                    Approach { gap, speed, acceleration, gone, left, restitution, thickness };
                normal_target(&self.settings, &near) + curving.dot(frame.normal)
            },
            slip_target,
            turn: moment / area,
            compliance: options.compliance,
            parts,
            thick,
            last,
        };
        Site { pair, state, place: Place::Volume(Box::new(place)) }
    }

    /// What was remembered of a volume: of those of its pair the one that was nearest, if no other
    /// volume of the pair is nearer to where that was. Volumes have no lasting number: one that comes
    /// or goes renumbers the others.
    fn last_wrench(&self, shared: &Shared, of_pair: &[Shared]) -> Option<WrenchMemory> {
        let known = self.memory.wrenches(shared.bodies);
        let far = |w: &WrenchMemory, s: &Shared| w.centre.distance_squared(s.overlap.centroid);
        let last = known.min_by(|a, b| far(a, shared).total_cmp(&far(b, shared)))?;
        let own = far(last, shared);
        let taken = of_pair.iter().any(|s| s.number != shared.number && far(last, s) < own);
        (!taken).then_some(*last)
    }

    /// The velocity that the bodies have against each other when the step ends, at the place of each where
    /// they touch now, if one rolls on the other.
    ///
    /// What rolls stands still where it touches, and that place moves on: where it touched half a step ago
    /// it was coming, where it touches now it goes by the same speed at the end. Held at rest there it would lose this
    /// motion in each step; a coin on its edge would lie down within a few turns. For the place p and the
    /// middles c_A, c_B of the bodies it is −h/2 [ω_B × (ṗ − ċ_B) − ω_A × (ṗ − ċ_A)]; never more than they
    /// come with, so that nothing is thrown.
    fn curving(&self, shared: &Shared, closing: DVec3, left: f64, halfway: Halfway) -> DVec3 {
        let Some(moves) = self.centroid_velocity(shared, halfway) else { return DVec3::ZERO };
        let [a, b] = shared.bodies.map(|k| {
            let m = &halfway.middle[k];
            m.begin_angular.cross(moves - m.begin_linear)
        });
        let leaving = (a - b) * left;
        let square = closing.length_squared();
        if square > 0.0 {
            closing * -(leaving.dot(-closing) / square).clamp(0.0, 1.0)
        } else {
            DVec3::ZERO
        }
    }

    /// Velocity of the centroid of a volume: from where it will be in a moment.
    fn centroid_velocity(&self, shared: &Shared, halfway: Halfway) -> Option<DVec3> {
        let moment = 0.1 * self.settings.dt;
        let poses = shared.bodies.map(|k| {
            let (centre, m) = (self.bodies[k].centre, &halfway.middle[k]);
            advance(&m.pose, centre, m.begin_linear, m.begin_angular, moment)
        });
        let then = self.collision.share_then(shared, poses)?;
        Some((then.centroid - shared.overlap.centroid) / moment)
    }
}

/// The plane that bodies came in by, where their edges meet. The overlap that is left to them is their skin.
fn entered(
    overlap: &Overlap,
    options: &WrenchOptions,
    gone: DVec3,
    last: Option<DVec3>,
) -> Option<Side> {
    if options.normal != NormalRule::Entered {
        return None;
    }
    let skin = |side: &Side| match options.target {
        Target::Depth(depth) => SKIN * depth,
        Target::Volume(volume) => SKIN * volume / side.area,
    };
    overlap.entered(gone, skin, last)
}

/// How a patch whose middle moves like this rolls over both surfaces: the slower of both, if they go
/// the same way.
fn rolling(
    frame: &ContactFrame,
    shared: &Shared,
    moves: Option<DVec3>,
    depth: f64,
    halfway: Halfway,
) -> Rolling {
    let Some(moves) = moves else { return Rolling::default() };
    let at = shared.overlap.centroid;
    let over = shared.bodies.map(|k| frame.to_plane(moves - halfway.middle[k].begin_velocity(at)));
    let [slow, fast] = if over[0].length() < over[1].length() { over } else { [over[1], over[0]] };
    if slow.dot(fast) > 0.0 { Rolling { velocity: slow, depth } } else { Rolling::default() }
}

/// All volumes of a pair as one.
fn joined(shared: &[Shared]) -> Option<Shared> {
    let parts: Vec<Overlap> = shared.iter().map(|s| s.overlap).collect();
    Some(Shared { overlap: Overlap::joined(&parts)?, ..shared[0] })
}

/// How thick a slab about the middle of an overlap holds the surfaces of both bodies, metres.
fn thickness(overlap: &Overlap, normal: DVec3) -> f64 {
    let along = normal.dot(overlap.second_moment * normal) / overlap.volume;
    TWICE_FURTHEST * along.max(0.0).sqrt()
}

/// How deep bodies may be in each other and count as touching, in units of the overlap that is left to them:
/// where they rest they may be a little deeper than that.
const SKIN: f64 = 2.0;

/// Twice the distance from the centroid to the further surface, in standard deviations along the normal: of
/// a ball's cap, √18 · 4/3. That of a plate is √12.
const TWICE_FURTHEST: f64 = 5.66;
