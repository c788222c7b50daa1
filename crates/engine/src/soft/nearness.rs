//! What may touch soft bodies in a step, and how contacts act for that.

use asperity_soft::contact::Aabb;
use glamx::DVec3;

use super::{Soft, SoftContacts};
use crate::body::Body;
use crate::world::World;

impl World {
    /// Which rigid bodies may touch soft ones in this step, where the two are solved for together; nothing
    /// at all where they are not.
    ///
    /// Soft bodies go the whole step with the velocities that it ends with (backward Euler), and what they
    /// touch must do the same: half a step with its velocity of before would take a body that falls on a
    /// soft one by h v/2 into it.
    pub(crate) fn go_with_soft(&self) -> Vec<bool> {
        if self.softs.list.is_empty() || self.softs.kind != SoftContacts::Solver {
            return Vec::new();
        }
        self.near_soft(&self.reaches_of_soft())
    }

    /// Chooses how contacts of soft bodies act in this step, where that is left to the world: by where bodies are.
    pub(crate) fn choose_soft_way(&mut self) {
        if self.softs.asked != SoftContacts::Auto || self.softs.list.is_empty() {
            return;
        }
        let reaches = self.reaches_of_soft();
        let list = &self.softs.list;
        let meet = |a: usize, b: usize| {
            list[a].can_touch(list[b].group) && reaches[a].overlaps(&reaches[b])
        };
        let together = list.iter().any(|s| !s.body.is_cloth())
            || (0..list.len()).any(|b| (0..b).any(|a| meet(a, b)))
            || self.near_soft(&reaches).contains(&true);
        self.softs.kind = if together { SoftContacts::Solver } else { SoftContacts::Implicit };
    }

    /// A box around all that each soft body may touch in this step.
    fn reaches_of_soft(&self) -> Vec<Aabb> {
        let (h, gravity) = (self.settings.dt, self.settings.gravity);
        let margin = 2.0 * self.softs.list.iter().fold(0.0, |m: f64, s| m.max(s.thickness));
        self.softs.list.iter().map(|s| s.reach(h, gravity).grown(margin)).collect()
    }

    /// Which rigid bodies that can be pushed are near these.
    fn near_soft(&self, soft: &[Aabb]) -> Vec<bool> {
        let (h, gravity) = (self.settings.dt, self.settings.gravity);
        let near = |body: &Body| {
            let reach = body.reach(h, gravity);
            let touches = |s: &Soft| s.can_touch(body.desc.group);
            let mut all = self.softs.list.iter().zip(soft);
            body.is_pushed() && all.any(|(s, b)| touches(s) && b.overlaps(&reach))
        };
        self.bodies.iter().map(near).collect()
    }
}

impl Soft {
    /// A box around its ways within a step of `h` seconds.
    fn reach(&self, h: f64, gravity: DVec3) -> Aabb {
        let fastest = self.body.velocities.iter().fold(0.0, |m: f64, v| m.max(v.length_squared()));
        let way = h * (fastest.sqrt() + h * gravity.length());
        Aabb::around(self.body.positions.iter().copied()).grown(way)
    }
}

impl Body {
    /// A box around its ways within a step of `h` seconds.
    fn reach(&self, h: f64, gravity: DVec3) -> Aabb {
        let pull = gravity * self.desc.gravity_scale + self.force / self.mass;
        let way = h * (self.linear_velocity.length() + h * pull.length());
        Aabb::around([self.centre_of_mass()]).grown(self.radius + way)
    }
}
