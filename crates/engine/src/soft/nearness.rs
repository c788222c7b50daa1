//! Rigid bodies that may touch soft ones in a step.

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
        let (h, gravity) = (self.settings.dt, self.settings.gravity);
        let margin = 2.0 * self.softs.list.iter().fold(0.0, |m: f64, s| m.max(s.thickness));
        let reached = |s: &Soft| s.reach(h, gravity).grown(margin);
        let soft: Vec<Aabb> = self.softs.list.iter().map(reached).collect();
        let near = |body: &Body| {
            let reach = body.reach(h, gravity);
            let touches = |s: &Soft| s.can_touch(body.desc.group);
            let mut all = self.softs.list.iter().zip(&soft);
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
