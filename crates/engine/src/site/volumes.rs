//! Volumes that two bodies share, each touched by one wrench (Bouchard 2015).

use asperity_friction::extent::{EllipsePatch, Extent, Rolling, Target, WrenchOptions};
use asperity_friction::pairing::Pair;
use asperity_friction::surface::patch::Area;
use asperity_friction::{ContactFrame, ContactState};
use asperity_geometry::collision::Shared;
use asperity_geometry::volume::Overlap;
use glamx::{DVec2, DVec3};

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
        let frame = ContactFrame::from_normal(overlap.normal(options.normal));
        let patch = overlap.patch(frame.normal, options.patch);
        let at = overlap.centroid;
        let last = self.last_wrench(shared, of_pair);
        let section = pair.section.as_ref();
        let needs = section.needs();
        let thick = if needs.surfaces { thickness(overlap, frame.normal) } else { 0.0 };
        let reach = patch.half.max_element() + thick;
        let outward = [frame.normal, -frame.normal];
        let part = |side: usize| self.collision.part_at(bodies[side], at, outward[side], reach);
        let parts = if needs.surfaces { [0, 1].map(part) } else { [0; 2] };
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
        let gradient = overlap.gradient_linear.length();
        let area = gradient.max(1e-3 * overlap.volume.powf(2.0 / 3.0));
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
        let thickness = self.thickness(bodies);
        let place = VolumeSite {
            shared: *shared,
            patch,
            rolling: rolling(&frame, shared, moves, overlap.volume / area, halfway),
            gap,
            slop: self.settings.slop_of(thickness),
            normal_target: if options.compliance > 0.0 {
                -gap / left // a spring, which also pushes
            } else {
                let speed = state.slip.dot(frame.normal);
                let restitution = self.restitution(bodies);
                let acceleration = halfway.acceleration(bodies, at).dot(frame.normal);
                let near =
                    Approach { gap, speed, acceleration, gone, left, restitution, thickness };
                normal_target(&self.settings, &near)
            },
            turn: -overlap.gradient_angular / area,
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

    /// Velocity of the centroid of a volume that was not there in the last step: from where it will be
    /// in a moment.
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

/// Twice the distance from the centroid to the further surface, in standard deviations along the normal: of
/// a ball's cap, √18 · 4/3. That of a plate is √12.
const TWICE_FURTHEST: f64 = 5.66;
