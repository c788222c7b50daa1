//! A world of Rapier, with default integration parameters.

use asperity::glamx::{DPose3, DVec3};

use super::rapier::geometry::{ContactManifold, ContactPair, SharedShape};
use super::rapier::math::Pose;
use super::rapier::prelude::{
    ColliderBuilder, FrictionModel, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
};
use super::{number, rotation, vector, wide, wide_rotation, wide_vector};
use crate::engine::Engine;
use crate::item::{DENSITY, FRICTION, Form, GRAVITY, Item};
use crate::peer::Options;
use crate::snapshot::{Motion, PeerContact, Snapshot};

/// A world of Rapier.
pub(crate) struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// The bodies of a scene.
    pub(crate) fn new(items: &[Item], dt: f64, options: Options) -> Result<Rapier, String> {
        let gravity = vector(DVec3::NEG_Y * GRAVITY);
        let mut world = PhysicsWorld { gravity, ..PhysicsWorld::default() };
        world.integration_parameters.dt = number(dt);
        if options.per_point {
            world.integration_parameters.friction_model = FrictionModel::Coulomb;
        }
        let mut bodies = Vec::new();
        for (k, item) in items.iter().enumerate() {
            let body =
                if item.fixed { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
            let (at, turn) = (vector(item.pose.translation), rotation(item.pose.rotation));
            let body = body.pose(Pose::from_parts(at, turn));
            let body = body.can_sleep(options.sleep).user_data(k as u128);
            let collider = ColliderBuilder::new(shape(item.form)?)
                .density(number(DENSITY))
                .friction(number(FRICTION));
            bodies.push(world.insert(body, collider).0);
        }
        let rapier = Rapier { world, bodies };
        rapier.check_masses(items)?;
        Ok(rapier)
    }

    /// Both engines compute masses from shapes; they must agree.
    fn check_masses(&self, items: &[Item]) -> Result<(), String> {
        for (k, item) in items.iter().enumerate().filter(|(_, item)| !item.fixed) {
            let mut body = self.world.bodies[self.bodies[k]].clone();
            body.recompute_mass_properties_from_colliders(&self.world.colliders);
            let mass = wide(body.mass());
            if (mass * item.inverse_mass - 1.0).abs() > 1e-5 {
                return Err(format!("body {k} weighs {mass} kg in Rapier, not as in Asperity"));
            }
        }
        Ok(())
    }

    fn sub_steps(&self) -> f64 {
        self.world.integration_parameters.num_solver_iterations as f64
    }

    fn touches(&self, manifold: &ContactManifold, out: &mut Vec<PeerContact>) {
        let data = &manifold.data;
        let (Some(a), Some(b)) = (data.rigid_body1, data.rigid_body2) else { return };
        let normal = wide_vector(data.normal);
        let dt = wide(self.world.integration_parameters.dt);
        let first = out.len();
        let mut twist = 0.0;
        for solved in &data.solver_contacts {
            let point = &manifold.points[solved.contact_indices()[0] as usize].data;
            let (on_a, on_b) = data.solver_contact_world_points(solved, &self.world.bodies);
            let gap = (wide_vector(on_b) - wide_vector(on_a)).dot(normal);
            let friction = -wide_vector(point.warmstart_tangent_world);
            // Impulses of the last sub-step, as if all had been like it.
            let impulse = normal * wide(point.warmstart_impulse) + friction;
            twist = wide(point.warmstart_twist_impulse) * self.sub_steps();
            out.push(PeerContact {
                bodies: [a, b].map(|h| self.world.bodies[h].user_data as usize),
                arms: [wide_vector(point.solver_dp1), wide_vector(point.solver_dp2)],
                normal,
                impulse: impulse * self.sub_steps(),
                slack: gap.max(0.0) * self.sub_steps() / dt,
            });
        }
        if self.world.integration_parameters.friction_model == FrictionModel::Simplified {
            spread(&mut out[first..], twist);
        }
    }
}

fn shape(form: Form) -> Result<SharedShape, String> {
    Ok(match form {
        Form::Ground => SharedShape::halfspace(vector(DVec3::Y)),
        Form::Box(half) => SharedShape::cuboid(number(half.x), number(half.y), number(half.z)),
        Form::Sphere(radius) => SharedShape::ball(number(radius)),
        Form::Capsule { half_height, radius } => {
            SharedShape::capsule_y(number(half_height), number(radius))
        }
        Form::Cylinder { half_height, radius } => {
            SharedShape::cylinder(number(half_height), number(radius))
        }
        Form::Cone { half_height, radius } => {
            SharedShape::cone(number(half_height), number(radius))
        }
        Form::Hull(points) => {
            let points: Vec<_> = points.iter().map(|p| vector(*p)).collect();
            SharedShape::convex_hull(&points).ok_or("Rapier makes no hull of these points")?
        }
    })
}

/// A manifold has one friction force at the mean of its points, which each of them reports, and
/// one torque about the normal. Gives the points forces with the same resultant, in proportion to
/// their loads: f_i = w_i (F + τ n × (x_i − x̄)), w the share of the load and x̄ its centre. Where
/// one point carries nearly all there is no lever for a torque: it is left out.
fn spread(touches: &mut [PeerContact], twist: f64) {
    let Some(first) = touches.first() else { return };
    let normal = first.normal;
    let force = first.impulse - normal * first.impulse.dot(normal);
    let loads: Vec<f64> = touches.iter().map(|t| t.impulse.dot(normal)).collect();
    let total: f64 = loads.iter().sum();
    if total <= 0.0 {
        for touch in touches {
            touch.impulse = DVec3::ZERO;
        }
        return;
    }
    let count = touches.len() as f64;
    let arms = || touches.iter().map(|t| t.arms[0]);
    let mean = arms().sum::<DVec3>() / count;
    let centre = arms().zip(&loads).map(|(x, load)| x * *load).sum::<DVec3>() / total;
    let lever2 = |x: DVec3, from: DVec3| normal.cross(x - from).length_squared();
    let even = arms().map(|x| lever2(x, mean)).sum::<f64>() / count;
    let loaded = arms().zip(&loads).map(|(x, load)| lever2(x, centre) * load).sum::<f64>() / total;
    let torque = twist - normal.dot((centre - mean).cross(force));
    let turn = if loaded > LEAST_LEVER * even.max(1e-6) { torque / loaded } else { 0.0 };
    for (touch, load) in touches.iter_mut().zip(&loads) {
        let around = normal.cross(touch.arms[0] - centre) * turn;
        touch.impulse = normal * *load + (force + around) * (load / total);
    }
}

/// Least lever of the loads for a torque, squared, in units of that of the points.
const LEAST_LEVER: f64 = 1e-3;

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn observed_step(&mut self) -> Snapshot {
        let velocity =
            |world: &PhysicsWorld, h: &RigidBodyHandle| wide_vector(world.bodies[*h].linvel());
        let before: Vec<DVec3> = self.bodies.iter().map(|h| velocity(&self.world, h)).collect();
        self.world.step();
        let motion = |(h, before): (&RigidBodyHandle, DVec3)| {
            let body = &self.world.bodies[*h];
            Motion {
                rotation: wide_rotation(*body.rotation()),
                before,
                linear: wide_vector(body.linvel()),
                angular: wide_vector(body.angvel()),
            }
        };
        let bodies = self.bodies.iter().zip(before).map(motion).collect();
        let mut contacts = Vec::new();
        for pair in self.world.narrow_phase.contact_pairs() {
            for manifold in pair.solver_manifolds() {
                self.touches(manifold, &mut contacts);
            }
        }
        Snapshot { bodies, contacts, dt: wide(self.world.integration_parameters.dt) }
    }

    fn poses(&self) -> Vec<DPose3> {
        let pose = |h: &RigidBodyHandle| {
            let body = &self.world.bodies[*h];
            let at = wide_vector(body.position().translation);
            DPose3::from_parts(at, wide_rotation(*body.rotation()))
        };
        self.bodies.iter().map(pose).collect()
    }

    fn velocities(&self) -> Vec<[DVec3; 2]> {
        let velocity = |h: &RigidBodyHandle| {
            let body = &self.world.bodies[*h];
            [wide_vector(body.linvel()), wide_vector(body.angvel())]
        };
        self.bodies.iter().map(velocity).collect()
    }

    fn touches(&self) -> usize {
        let manifolds =
            self.world.narrow_phase.contact_pairs().flat_map(ContactPair::solver_manifolds);
        let loads = manifolds.flat_map(|manifold| {
            let load = |index: usize| manifold.points[index].data.warmstart_impulse;
            let solved = manifold.data.solver_contacts.iter();
            solved.map(move |s| load(s.contact_indices()[0] as usize))
        });
        loads.filter(|load| *load > 0.0).count()
    }

    fn asleep(&self) -> Option<usize> {
        let sleeps = |h: &&RigidBodyHandle| self.world.bodies[**h].is_sleeping();
        Some(self.bodies.iter().filter(sleeps).count())
    }

    fn sweeps(&self) -> usize {
        let parameters = &self.world.integration_parameters;
        let passes = parameters.num_internal_pgs_iterations
            + parameters.num_internal_stabilization_iterations;
        parameters.num_solver_iterations * passes
    }
}
