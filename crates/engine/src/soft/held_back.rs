//! Energy that a step would give soft bodies from nowhere: the step is made shorter until it does not.

use asperity_soft::contact::{NO_SURFACE, SoftContact};
use glamx::DVec3;

use super::{SoftBodies, SoftContacts};

impl SoftBodies {
    /// Sees to it that soft bodies end a step of `h` seconds with no more energy than they began it
    /// with, where nothing that moves can have given it to them: velocities, and ways from where they
    /// were, become as much smaller as it takes. Shorter ways along the same lines meet nothing new.
    /// What touches nothing but itself keeps its momentum. Returns the part that is taken, and
    /// how much energy the whole step would have brought, joules.
    ///
    /// Impacts and the removal of overlaps move vertices as if each were alone; the cloth between them
    /// is stretched by it. So does the velocity filter, in most of its steps: cloth with it would
    /// hardly move any more, so that it is left alone. The general solver's steps are left alone, too:
    /// momentum that soft and rigid bodies share must stay theirs.
    pub(super) fn hold_back(&mut self, h: f64, gravity: DVec3) -> (f64, f64) {
        if self.kind != SoftContacts::Implicit {
            return (0.0, 0.0);
        }
        let energy = |positions: &[DVec3], velocities: &[DVec3]| -> (f64, f64) {
            let (mut motion, mut rest) = (0.0, 0.0);
            for soft in &self.list {
                let (body, range) = (&soft.body, soft.range());
                let (x, v) = (&positions[range.clone()], &velocities[range]);
                for ((m, x), v) in body.masses.iter().zip(x).zip(v) {
                    motion += 0.5 * m * v.length_squared();
                    rest -= m * gravity.dot(*x);
                }
                rest += body.energy_at(x);
            }
            (motion, rest)
        };
        let mut start = self.positions.clone();
        for soft in &self.list {
            start[soft.range()].copy_from_slice(&soft.body.positions);
        }
        let (motion, rest) = energy(&start, &self.begin);
        let limit = motion + rest;
        let gained = |(motion, rest): (f64, f64)| motion + rest - limit;
        let rise = gained(energy(&self.positions, &self.velocities));
        if !(rise > UNSEEN * (motion + rest.abs())) || self.is_driven() {
            return (0.0, 0.0);
        }
        let drift = if self.is_anchored() { DVec3::ZERO } else { self.mean_velocity() };
        let soft = self.list.iter().map(|s| s.body.positions.len()).sum();
        let (ends, velocities) = (self.positions.clone(), self.velocities.clone());
        let (mut x, mut v) = (ends.clone(), velocities.clone());
        let mut shorten = |part: f64| {
            for i in 0..soft {
                x[i] = (start[i] + drift * h).lerp(ends[i], part);
                v[i] = drift.lerp(velocities[i], part);
            }
            let allowed = !(gained(energy(&x, &v)) > 0.0);
            (allowed, x.clone(), v.clone())
        };
        let (mut less, mut more) = (0.0, 1.0);
        let (_, mut positions, mut speeds) = shorten(less);
        for _ in 0..HALVINGS {
            let part = f64::midpoint(less, more);
            let (allowed, x, v) = shorten(part);
            if allowed {
                (less, positions, speeds) = (part, x, v);
            } else {
                more = part;
            }
        }
        (self.positions, self.velocities) = (positions, speeds);
        (1.0 - less, rise)
    }

    /// Whether something that moves may do work on soft bodies: pins, or rigid bodies that touch them.
    fn is_driven(&self) -> bool {
        let moves = |v: &DVec3| *v != DVec3::ZERO;
        let pins = self.list.iter().any(|soft| {
            let body = &soft.body;
            body.velocities.iter().zip(&body.pinned).any(|(v, pinned)| *pinned && moves(v))
        });
        let Some(stage) = &self.stage else { return pins };
        let contacts = stage.contacts();
        let soft: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        pins || contacts.list.iter().any(|c| {
            let surface = contacts.surfaces.get(c.surface as usize);
            let at_corner = |v: usize| v >= soft && moves(&self.begin[v]);
            surface.is_some_and(|s| moves(&s.velocity)) || c.parts().any(|(v, _)| at_corner(v))
        })
    }

    /// Whether something holds or touches soft bodies that is not soft.
    fn is_anchored(&self) -> bool {
        let pinned = self.list.iter().any(|soft| soft.body.pinned.iter().any(|p| *p));
        let Some(stage) = &self.stage else { return pinned };
        let soft: usize = self.list.iter().map(|s| s.body.positions.len()).sum();
        let rigid = |c: &SoftContact| c.surface != NO_SURFACE || c.parts().any(|(v, _)| v >= soft);
        pinned || stage.contacts().list.iter().any(rigid)
    }

    fn mean_velocity(&self) -> DVec3 {
        let (mut mass, mut momentum) = (0.0, DVec3::ZERO);
        for soft in &self.list {
            for (m, v) in soft.body.masses.iter().zip(&self.velocities[soft.range()]) {
                mass += m;
                momentum += *v * *m;
            }
        }
        momentum / mass
    }
}

/// Gains that rounding makes, as part of the energy.
const UNSEEN: f64 = 1e-13;

/// How often the part of a step that is allowed is halved in.
const HALVINGS: usize = 24;
