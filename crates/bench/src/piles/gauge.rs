//! What is looked at from outside, alike for every engine: overlaps, energy and speeds.

use asperity::geometry::collision::{Collision, Mobility};
use asperity::glamx::{DMat3, DPose3, DVec3};

use crate::engine::Engine;
use crate::item::{GRAVITY, Item};

/// Most bodies must be faster than this for a pile to move, m/s.
pub(super) const MOVES: f64 = 0.1;
/// Bodies that are closer touch, metres.
const NEAR: f64 = 1e-4;

/// A search for contacts that keeps nothing from step to step, and the masses of the bodies.
pub(super) struct Gauge<'a> {
    items: &'a [Item],
    inertias: Vec<DMat3>,
    collision: Collision,
}

/// How bodies move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speeds {
    /// Share of bodies that are faster than [`MOVES`].
    pub(super) moving: f64,
    /// m/s.
    pub(super) fastest: f64,
}

impl<'a> Gauge<'a> {
    pub(super) fn new(items: &'a [Item]) -> Result<Gauge<'a>, String> {
        let mut collision = Collision::new();
        for (k, item) in items.iter().enumerate() {
            let mobility = if item.fixed { Mobility::Fixed } else { Mobility::Free };
            collision.add(k, &item.form.shape(), mobility, 0).map_err(|e| e.to_string())?;
        }
        let inertia = |item: &Item| {
            if item.fixed { DMat3::ZERO } else { item.inverse_inertia.inverse() }
        };
        Ok(Gauge { items, inertias: items.iter().map(inertia).collect(), collision })
    }

    /// The deepest overlap at these poses, of the thinner body's smallest side.
    pub(super) fn overlap(&mut self, poses: &[DPose3]) -> f64 {
        self.collision.update_kept(poses, |_| 0.0, |_| NEAR, |_| 0.0);
        let part = |manifold: &asperity::geometry::collision::Manifold| {
            let [a, b] = manifold.bodies;
            let depth = manifold.points.iter().map(|p| -p.gap).fold(0.0, f64::max);
            depth / self.collision.thickness(a).min(self.collision.thickness(b))
        };
        self.collision.manifolds().iter().map(part).fold(0.0, f64::max)
    }

    /// Kinetic and potential energy of all bodies, J.
    pub(super) fn energy(&self, engine: &dyn Engine, poses: &[DPose3]) -> f64 {
        let mut energy = 0.0;
        for (k, [linear, angular]) in engine.velocities().into_iter().enumerate() {
            let item = &self.items[k];
            if item.fixed {
                continue;
            }
            let spin = poses[k].rotation.inverse() * angular;
            let height = poses[k].transform_point(item.centre).y;
            let mass = 1.0 / item.inverse_mass;
            energy += mass * (0.5 * linear.length_squared() + GRAVITY * height)
                + 0.5 * spin.dot(self.inertias[k] * spin);
        }
        energy
    }

    /// How far bodies went from one set of poses to another, metres, on the mean.
    pub(super) fn distance(&self, from: &[DPose3], to: &[DPose3]) -> f64 {
        let ends = from.iter().zip(to).zip(self.items).filter(|(_, item)| !item.fixed);
        let far = |((a, b), item): ((&DPose3, &DPose3), &Item)| {
            (b.transform_point(item.centre) - a.transform_point(item.centre)).length()
        };
        let (sum, count) = ends.map(far).fold((0.0, 0.0), |(s, n), d| (s + d, n + 1.0));
        sum / f64::max(count, 1.0)
    }
}

/// How the bodies of an engine move.
pub(super) fn speeds(engine: &dyn Engine, items: &[Item]) -> Speeds {
    let (mut moving, mut fastest, mut count) = (0.0, 0.0_f64, 0.0_f64);
    let all: Vec<[DVec3; 2]> = engine.velocities();
    for ([linear, _], _) in all.iter().zip(items).filter(|(_, item)| !item.fixed) {
        let speed = linear.length();
        moving += f64::from(u8::from(speed > MOVES));
        (fastest, count) = (fastest.max(speed), count + 1.0);
    }
    Speeds { moving: moving / count.max(1.0), fastest }
}
