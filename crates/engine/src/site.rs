//! Where rigid bodies touch, as friction sees it: points, whole areas and shared volumes.

mod points;
mod volumes;

use asperity_friction::ContactState;
use asperity_friction::pairing::Pair;
use asperity_friction::section::Section;
use asperity_friction::surface::SurfacePoint;
use asperity_geometry::collision::surface::surface_point;
use glamx::{DQuat, DVec2, DVec3};

pub(crate) use points::{AreaSite, PointSite};
pub(crate) use volumes::VolumeSite;

use crate::dynamics::midpoint::Midpoint;
use crate::settings::Settings;
use crate::world::World;

/// A place where two rigid bodies touch.
pub(crate) struct Site<'a> {
    pub(crate) pair: &'a Pair,
    /// What friction sees there, but for the sample of a patch.
    pub(crate) state: ContactState<'a>,
    pub(crate) place: Place<'a>,
}

/// What kind of place.
pub(crate) enum Place<'a> {
    Point(PointSite<'a>),
    /// All of a manifold's points, after them.
    Area(AreaSite<'a>),
    Volume(Box<VolumeSite>),
}

/// All bodies half-way through a step.
#[derive(Clone, Copy)]
pub(crate) struct Halfway<'m> {
    /// With their velocities at the end if nothing touches.
    pub(crate) middle: &'m [Midpoint],
    /// With their velocities at the end without friction, where a section asks for that.
    pub(crate) free: &'m [Midpoint],
    /// With the velocities that the step was found to end with, where laws are made about that.
    pub(crate) found: Option<&'m [Midpoint]>,
}

impl Halfway<'_> {
    /// Velocity of B against A at a point when the step begins; or when it ends, where that was found.
    pub(crate) fn slip(&self, [a, b]: [usize; 2], at: DVec3) -> DVec3 {
        if let Some(found) = self.found {
            return found[b].velocity(at) - found[a].velocity(at);
        }
        self.middle[b].begin_velocity(at) - self.middle[a].begin_velocity(at)
    }

    /// Velocity of B against A at a point when the step begins, whatever was found since.
    pub(crate) fn closing(&self, [a, b]: [usize; 2], at: DVec3) -> DVec3 {
        self.middle[b].begin_velocity(at) - self.middle[a].begin_velocity(at)
    }

    /// The same when it ends, if there were no friction.
    pub(crate) fn free_slip(&self, [a, b]: [usize; 2], at: DVec3) -> DVec3 {
        self.free[b].velocity(at) - self.free[a].velocity(at)
    }

    /// How the velocity of B against A at a point changes in the step if nothing touches, m/s².
    pub(crate) fn acceleration(&self, [a, b]: [usize; 2], at: DVec3) -> DVec3 {
        let [a, b] = [&self.middle[a], &self.middle[b]];
        let gained = |m: &Midpoint| m.velocity(at) - m.begin_velocity(at);
        (gained(b) - gained(a)) / (b.gone + b.left)
    }

    /// Seconds of the step that are gone for two bodies, and those that are left.
    pub(crate) fn gone_and_left(&self, [a, b]: [usize; 2]) -> (f64, f64) {
        let [a, b] = [&self.middle[a], &self.middle[b]];
        (a.gone.min(b.gone), a.left.max(b.left))
    }

    /// How much each body's motion at a point turns when the step begins: |ω × v| of what goes round an axis, wherever
    /// that is, m/s².
    fn turning(&self, bodies: [usize; 2], at: DVec3) -> [f64; 2] {
        bodies.map(|k| {
            let m = &self.middle[k];
            let own = m.begin_angular.cross(m.begin_angular.cross(at - m.centre)).length();
            own.max(m.begin_angular.cross(m.begin_velocity(at)).length())
        })
    }

    /// The slip half-way of what has none when the step ends. `last` is that with which the last step ended, as seen
    /// half-way through that: what it grew by since is how both bodies turn, and half of it is still to come. Without,
    /// what sticks would leave its place along the tangent of what turns, farther in every step, and friction would
    /// do work.
    ///
    /// By turns of the bodies alone, or by `little`, m/s: else a ground that sets out would not take along what lies
    /// on it. Without `little`, as where a contact remembers and creeps, both must turn.
    pub(crate) fn slip_of_turns(
        &self,
        bodies: [usize; 2],
        (at, normal): (DVec3, DVec3),
        last: DVec3,
        little: Option<f64>,
    ) -> DVec3 {
        let grown = (self.slip(bodies, at) - last).reject_from_normalized(normal);
        let (gone, left) = self.gone_and_left(bodies);
        let [a, b] = self.turning(bodies, at);
        let turning = if little.is_some() { a + b } else { 2.0 * a.min(b) };
        let turns = 2.0 * (gone + left) * turning + little.unwrap_or(0.0);
        let speed = |k: usize| self.middle[k].begin_velocity(at).length();
        if little.is_none() && last.length() > TOGETHER * speed(bodies[0]).min(speed(bodies[1])) {
            return DVec3::ZERO;
        }
        if grown.length() > turns {
            return DVec3::ZERO;
        }
        grown * (-gone * gone / (left * (gone + left)))
    }

    /// The same where friction at points must do no work: what sticks ends the step with the slip that takes it back
    /// as far as it went in the first part; a little less, so that it comes to rest.
    pub(crate) fn slip_back(
        &self,
        bodies: [usize; 2],
        (at, normal): (DVec3, DVec3),
        little: f64,
    ) -> DVec3 {
        let went = self.slip(bodies, at).reject_from_normalized(normal);
        let (gone, left) = self.gone_and_left(bodies);
        let [a, b] = bodies.map(|k| {
            let m = &self.middle[k];
            m.begin_angular.cross(m.begin_angular.cross(at - m.centre))
        });
        let turns = 2.0 * (gone + left) * (b - a).length() + little;
        if went.length() <= turns { went * (-GOES_BACK * gone / left) } else { DVec3::ZERO }
    }

    /// How far both bodies turn in a step on the mean.
    pub(crate) fn turn(&self, [a, b]: [usize; 2], dt: f64) -> DVec3 {
        0.5 * dt * (self.middle[a].begin_angular + self.middle[b].begin_angular)
    }

    /// Whether nothing pushes either body.
    fn stand_still(&self, bodies: [usize; 2]) -> bool {
        bodies.iter().all(|k| self.middle[*k].inverse_mass == 0.0)
    }
}

/// Slip, of the speed with which two bodies go round together, up to which what gives between them stays in its place.
const TOGETHER: f64 = 0.05;

/// The part of its way that what sticks goes back.
const GOES_BACK: f64 = 0.98;

/// How two bodies come near each other at a contact.
pub(crate) struct Approach {
    /// Metres.
    pub(crate) gap: f64,
    /// At which it grows when the step begins, m/s.
    pub(crate) speed: f64,
    /// How that changes if nothing touches, m/s².
    pub(crate) acceleration: f64,
    /// Seconds of the step that are gone, and those that are left.
    pub(crate) gone: f64,
    pub(crate) left: f64,
    pub(crate) restitution: f64,
    /// Smallest side of the thinner body, metres.
    pub(crate) thickness: f64,
}

/// Where to look at a body's surface.
struct Spot {
    body: usize,
    part: u32,
    point: DVec3,
    outward: DVec3,
}

impl World {
    /// Visits every place where rigid bodies touch: manifold by manifold, then volume by volume.
    pub(crate) fn each_site<'a>(&'a self, halfway: Halfway, visit: &mut dyn FnMut(&mut Site<'a>)) {
        self.each_point_site(halfway, 0, visit);
        self.each_volume_site(halfway, visit);
    }

    /// The friction of two bodies, unless nothing pushes either. Pairs without a section are refused
    /// when the second body is added.
    fn pushed_pair(&self, bodies: [usize; 2], halfway: Halfway) -> Option<&Pair> {
        if halfway.stand_still(bodies) {
            return None;
        }
        let [a, b] = bodies.map(|k| self.bodies[k].surface());
        self.pairing.pair(a, b).ok()
    }

    /// The smallest side of the thinner of two bodies, metres.
    pub(crate) fn thickness(&self, [a, b]: [usize; 2]) -> f64 {
        self.collision.thickness(a).min(self.collision.thickness(b))
    }

    /// The larger restitution of two bodies.
    fn restitution(&self, bodies: [usize; 2]) -> f64 {
        let [a, b] = bodies.map(|k| self.bodies[k].desc.restitution);
        a.max(b)
    }

    /// One body's surface at a contact, in world axes.
    fn surface_at(&self, halfway: Halfway, spot: &Spot, section: &dyn Section) -> SurfacePoint<'_> {
        let body = &self.bodies[spot.body];
        let surface = &self.pairing.surfaces()[body.surface()];
        let wanted = section.needs().surfaces || surface.pressure.is_some();
        let (Some(shape), true) = (body.shape(), wanted) else {
            return surface.at(DVec3::X, DVec3::Y, DVec2::ZERO);
        };
        let pose = &halfway.middle[spot.body].pose;
        let rotation = pose.rotation;
        let local = pose.inverse_transform_point(spot.point);
        let frame = surface_point(shape, spot.part, local, rotation.inverse() * spot.outward);
        let mut at = surface.at(rotation * frame.tangent, rotation * frame.bitangent, frame.uv);
        // When the body is there, or what is left of the step later.
        let left = halfway.found.map_or(0.0, |found| found[spot.body].left);
        let time = self.time() + halfway.middle[spot.body].gone + left;
        if let Some(own) = body.structure().at(local, time, &frame) {
            at.structure = rotation * own;
        }
        if let Some(found) = halfway.found {
            let turn = DQuat::from_scaled_axis(found[spot.body].angular * left);
            at.tangent = turn * at.tangent;
            at.bitangent = turn * at.bitangent;
            at.structure = turn * at.structure;
        }
        at
    }
}

/// The least normal velocity at the end of the step, m/s: not nearer than touching then; a bounce
/// where it hits. A contact that opened in the first half may close as far in the second, else the
/// step's mean velocity would let the normal force do work. What rounding leaves of either is
/// nothing: else the corners of a face at rest would each want another speed, which a rigid body
/// cannot have.
pub(crate) fn normal_target(settings: &Settings, near: &Approach) -> f64 {
    let Approach { gap, speed, gone, left, restitution, thickness, .. } = *near;
    let room = if gap > settings.slop_of(thickness) { gap } else { 0.0 };
    // What opens may come back as fast, if it does so without a change of place.
    let opens = speed * settings.dt > QUIET * thickness;
    let opening = if opens { speed * gone / left } else { 0.0 };
    let target = (-room / left).min(-opening);
    if restitution > 0.0 && speed < -settings.rebound_speed() && gap + left * speed < 0.0 {
        return target.max(rebound(near));
    }
    target
}

/// The velocity at the end of a step in which a contact bounces, m/s; none where it would be within reach again by then.
///
/// It hits with v² = u² − 2 a g₀, where g₀ is the gap when the step begins, u < 0 its speed and a how that changes. What it
/// has at the end of the step, u₁²/2 − a g₁ at g₁ = g + (h − τ) u₁, is then e² v²/2: however the step falls, it bounces
/// to e² of the height.
fn rebound(near: &Approach) -> f64 {
    let Approach { gap, speed, acceleration, gone, left, restitution, .. } = *near;
    let begin = (gap - gone * speed).max(0.0);
    let hits = (speed * speed - 2.0 * acceleration * begin).max(0.0);
    let along = acceleration * left;
    let square = along * along + restitution * restitution * hits + 2.0 * acceleration * gap;
    if square > 0.0 { along + square.sqrt() } else { f64::NEG_INFINITY }
}

/// What opens by less than this part of a body's thickness in a step does so by rounding.
const QUIET: f64 = 1e-8;
