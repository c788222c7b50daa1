//! Contact points, and the areas that they belong to: from manifolds.

use asperity_friction::pairing::Pair;
use asperity_friction::{ContactFrame, ContactState};
use asperity_geometry::collision::{Manifold, Patch, Point};
use glamx::DVec3;

use super::{Approach, Halfway, Place, Site, Spot, normal_target};
use crate::contact::ContactKey;
use crate::memory::{PatchMemory, PointMemory};
use crate::world::World;

/// A contact point.
pub(crate) struct PointSite<'a> {
    /// Its manifold, and the number of that.
    pub(crate) manifold: &'a Manifold,
    pub(crate) number: usize,
    pub(crate) point: &'a Point,
    pub(crate) key: ContactKey,
    /// Half-way between both surfaces, world.
    pub(crate) at: DVec3,
    /// What the last step left.
    pub(crate) last: Option<PointMemory>,
    pub(crate) slop: f64,
    pub(crate) normal_target: f64,
    pub(crate) slip_target: DVec3,
}

/// The area of a manifold.
pub(crate) struct AreaSite<'a> {
    pub(crate) manifold: &'a Manifold,
    pub(crate) number: usize,
    /// Its last point.
    pub(crate) point: &'a Point,
    pub(crate) patch: Patch,
    /// Centre of the load of the last step; that of the patch where there was none, and where friction
    /// goes by the area.
    pub(crate) centre: DVec3,
    /// Angular velocity about the normal when the step begins, rad/s.
    pub(crate) spin: f64,
    /// Σ impulse and Σ spin impulse that its points begin with.
    pub(crate) start: (DVec3, f64),
    pub(crate) slip_target: DVec3,
}

/// What the points of a manifold carried in the last step.
#[derive(Default)]
struct Sums {
    load: f64,
    moment: DVec3,
    impulse: DVec3,
    spin_impulse: f64,
}

/// What the points of a manifold have in common.
struct Common<'a> {
    manifold: &'a Manifold,
    number: usize,
    pair: &'a Pair,
    frame: ContactFrame,
    restitution: f64,
    thickness: f64,
    /// Of each point, m².
    area: f64,
    /// Whether friction is that of the whole area.
    by_area: bool,
    /// Whether all of its points that carried anything stick, or give.
    sticks: bool,
}

impl Common<'_> {
    /// The gap of a point, with those that are all but level with it, metres. A face or an edge that rounding has
    /// tilted would else be carried by one of its ends, and which one that is decides nothing but takes long to find.
    fn level(&self, point: &Point) -> f64 {
        let gaps = self.manifold.points.iter().map(|p| p.gap);
        let near = gaps.filter(|gap| (gap - point.gap).abs() <= LEVEL * self.thickness);
        near.fold(point.gap, f64::max)
    }
}

impl World {
    /// Visits the contact points manifold by manifold, from one of them on, and after them the area of each
    /// manifold whose pair has an extent over it.
    pub(crate) fn each_point_site<'a>(
        &'a self,
        halfway: Halfway,
        first: usize,
        visit: &mut dyn FnMut(&mut Site<'a>),
    ) {
        let (mut cursor, mut lasts) = (0, Vec::new());
        for (number, manifold) in self.collision.manifolds().iter().enumerate().skip(first) {
            let Some(pair) = self.pushed_pair(manifold.bodies, halfway) else { continue };
            // Lines and points have a law of their own only where they remember.
            let wide = manifold.points.len() > 2 || pair.memory.is_some();
            let spins = pair.extent.is_spin() && wide;
            let patch = (spins || pair.section.needs().area).then(|| {
                let poses = manifold.bodies.map(|k| Some(&halfway.middle[k].pose));
                self.collision.patch_between(number, poses)
            });
            let share = patch.as_ref().map_or(0.0, |p| p.area / manifold.points.len() as f64);
            let thickness = self.thickness(manifold.bodies);
            lasts.clear();
            lasts.extend(manifold.points.iter().map(|point| {
                let key = ContactKey { id: point.was, ..key_of(manifold, point) };
                self.memory.point(&key, &mut cursor)
            }));
            let common = Common {
                manifold,
                number,
                pair,
                frame: ContactFrame::from_normal(manifold.normal),
                restitution: self.restitution(manifold.bodies),
                thickness,
                area: share,
                by_area: spins && share > 0.0,
                sticks: sticks(manifold, &lasts, thickness, pair.memory.is_some()),
            };
            let mut sums = Sums::default();
            for (point, last) in manifold.points.iter().zip(&lasts) {
                let carried = self.visit_point(&common, point, halfway, *last, visit);
                if let (true, Some((at, last))) = (spins, carried) {
                    sums.add(at, &last);
                }
            }
            if let (true, Some(patch), Some(point)) = (spins, patch, manifold.points.last()) {
                visit(&mut self.area_site(&common, patch, point, &sums, halfway));
            }
        }
    }

    /// Visits a contact point. Returns where it is and what the last step left, where it did.
    fn visit_point<'a>(
        &'a self,
        common: &Common<'a>,
        point: &'a Point,
        halfway: Halfway,
        last: Option<PointMemory>,
        visit: &mut dyn FnMut(&mut Site<'a>),
    ) -> Option<(DVec3, PointMemory)> {
        let Common { manifold, number, pair, frame, restitution, thickness, area, by_area, sticks } =
            *common;
        let bodies = manifold.bodies;
        let key = key_of(manifold, point);
        let at = 0.5 * (point.on_a + point.on_b);
        let (slip, free_slip) = (halfway.slip(bodies, at), halfway.free_slip(bodies, at));
        let section = pair.section.as_ref();
        let surface_of = |side: usize, point_on: DVec3, outward: DVec3| {
            let (body, part) = (bodies[side], point.parts[side]);
            self.surface_at(halfway, &Spot { body, part, point: point_on, outward }, section)
        };
        let surfaces =
            [surface_of(0, point.on_a, frame.normal), surface_of(1, point.on_b, -frame.normal)];
        let last_load = last.map(|c| c.load);
        let (sample, dt) = (None, self.settings.dt);
        let state = ContactState { frame, surfaces, sample, slip, free_slip, last_load, area, dt };
        let (gone, left) = halfway.gone_and_left(bodies);
        let (gap, speed) = (common.level(point), slip.dot(frame.normal));
        let acceleration = halfway.acceleration(bodies, at).dot(frame.normal);
        let near = Approach { gap, speed, acceleration, gone, left, restitution, thickness };
        let normal_target = normal_target(&self.settings, &near);
        let slop = self.settings.slop_of(thickness);
        let of_turns = |last: PointMemory| match little(pair, slop, dt) {
            Some(little) if !by_area => halfway.slip_back(bodies, (at, frame.normal), little),
            little => halfway.slip_of_turns(bodies, (at, frame.normal), last.slip, little),
        };
        let slip_target = last.filter(|_| sticks).map_or(DVec3::ZERO, of_turns);
        let place =
            PointSite { manifold, number, point, key, at, last, slop, normal_target, slip_target };
        visit(&mut Site { pair, state, place: Place::Point(place) });
        last.map(|last| (at, last))
    }

    fn area_site<'a>(
        &'a self,
        common: &Common<'a>,
        patch: Patch,
        point: &'a Point,
        sums: &Sums,
        halfway: Halfway,
    ) -> Site<'a> {
        let Common { manifold, number, pair, frame, sticks, thickness, .. } = *common;
        let bodies = manifold.bodies;
        let section = pair.section.as_ref();
        // What goes by the area is spread over it evenly, wherever the load is.
        let even = section.needs().even;
        let last = self.memory.patch(bodies, manifold.parts);
        // Where other points stand for the same area than in the last step, it is the area that remembers.
        let lost = last.filter(|last| last.load > 0.0 && sums.load < KNOWN * last.load);
        let (load, centre) = match lost {
            Some(last) => {
                let on = |k: usize| halfway.middle[bodies[k]].pose.transform_point(last.centre[k]);
                (last.load, 0.5 * (on(0) + on(1)))
            }
            None if sums.load > 0.0 => (sums.load, sums.moment / sums.load),
            None => (0.0, patch.centroid),
        };
        let centre = if even { patch.centroid } else { centre };
        // What the surfaces are at the centre of the load holds for the whole patch.
        let surfaces = [(0, frame.normal), (1, -frame.normal)].map(|(side, outward)| {
            let (body, part) = (bodies[side], point.parts[side]);
            self.surface_at(halfway, &Spot { body, part, point: centre, outward }, section)
        });
        let state = ContactState {
            slip: halfway.slip(bodies, centre),
            free_slip: halfway.free_slip(bodies, centre),
            last_load: (load > 0.0).then_some(load),
            area: patch.area,
            ..ContactState::new(frame, surfaces, self.settings.dt)
        };
        let [a, b] = bodies.map(|k| halfway.middle[k].begin_angular);
        let spin = manifold.normal.dot(b - a);
        let start = (sums.impulse, sums.spin_impulse);
        let little = little(pair, self.settings.slop_of(thickness), self.settings.dt);
        let of_turns = |last: &PatchMemory| {
            halfway.slip_of_turns(bodies, (centre, frame.normal), last.slip, little)
        };
        let slip_target = last.filter(|_| sticks).map_or(DVec3::ZERO, of_turns);
        let place = AreaSite { manifold, number, point, patch, centre, spin, start, slip_target };
        Site { pair, state, place: Place::Area(place) }
    }
}

/// Slip that may be left to rounding and is taken for that of turns, m/s. What remembers creeps as slowly.
fn little(pair: &Pair, slop: f64, dt: f64) -> Option<f64> {
    pair.memory.is_none().then_some(slop / dt)
}

fn key_of(manifold: &Manifold, point: &Point) -> ContactKey {
    ContactKey { bodies: manifold.bodies, parts: manifold.parts, id: point.id }
}

/// Whether all points that carried anything stick, or give, and stay where they were: what rolls touches elsewhere in
/// every step. Were only some to go back, they would contradict the others.
fn sticks(manifold: &Manifold, lasts: &[Option<PointMemory>], thickness: f64, gives: bool) -> bool {
    let stays = |point: &Point, last: &PointMemory| {
        let went = [0, 1].map(|k| last.local[k].distance(point.local[k]));
        (last.sticks || gives) && went[0].max(went[1]) < STAYS * thickness
    };
    let known = manifold.points.iter().zip(lasts).filter_map(|(p, last)| Some((p, last.as_ref()?)));
    let mut loaded = known.filter(|(_, last)| last.load > 0.0).peekable();
    loaded.peek().is_some() && loaded.all(|(p, last)| stays(p, last))
}

/// How far a contact that stays in its place may go on either body, in units of the thinner one's smallest side.
pub(super) const STAYS: f64 = 1e-3;

impl Sums {
    fn add(&mut self, at: DVec3, last: &PointMemory) {
        self.load += last.load;
        self.moment += at * last.load;
        self.impulse += last.impulse;
        self.spin_impulse += last.spin_impulse;
    }
}

/// Points that carried less than this part of a patch's load do not know where it was.
const KNOWN: f64 = 0.999;

/// Gaps that differ by less are the same, in units of the thinner body's smallest side.
const LEVEL: f64 = 1e-7;
