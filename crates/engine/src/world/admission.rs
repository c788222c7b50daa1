//! Bodies on their way into a world: what is asked of them.

use asperity_geometry::shape::{Shape, ShapeError};
use asperity_geometry::structure::StructureField;
use glamx::{DMat3, DPose3, DVec3};

use super::{World, WorldError};
use crate::body::{Body, BodyDesc, BodyId, BodyKind, mass_of};

impl World {
    /// Adds a body.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, WorldError> {
        self.check_body(&desc)?;
        let (mass, centre, inertia) = mass_of(&desc)?;
        let id = BodyId(self.bodies.len());
        let radius = match &desc.shape {
            Some(shape) => self.add_shape(id, shape, &desc, centre)?,
            None => 0.0,
        };
        let dynamic = desc.kind == BodyKind::Dynamic;
        self.bodies.push(Body {
            name: desc.name.clone(),
            kind: desc.kind,
            pose: DPose3::from_parts(desc.pose.translation, desc.pose.rotation.normalize()),
            linear_velocity: desc.linear_velocity,
            angular_velocity: desc.angular_velocity,
            mass,
            frozen: None,
            asleep: false,
            centre,
            inertia,
            inverse_inertia: if dynamic { inertia.inverse() } else { DMat3::ZERO },
            radius,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            desc,
        });
        Ok(id)
    }

    /// Whether a name is free, and a material there.
    pub(crate) fn check_name(&self, name: &str, surface: usize) -> Result<(), WorldError> {
        let bad = |what: String| Err(WorldError::Bad(format!("body \"{name}\": {what}")));
        let taken = self.bodies.iter().any(|b| b.name == name)
            || self.softs().iter().any(|s| s.name == name);
        if taken {
            return bad("there is another body of this name".to_owned());
        }
        if surface >= self.pairing.surfaces().len() {
            return bad(format!("there is no material number {surface}"));
        }
        Ok(())
    }

    fn check_body(&self, desc: &BodyDesc) -> Result<(), WorldError> {
        self.check_name(&desc.name, desc.surface)?;
        let bad = |what: String| Err(WorldError::Bad(format!("body \"{}\": {what}", desc.name)));
        let finite = desc.pose.is_finite()
            && desc.linear_velocity.is_finite()
            && desc.angular_velocity.is_finite()
            && desc.gravity_scale.is_finite();
        if !finite {
            return bad("pose, velocities and gravity scale must be finite numbers".to_owned());
        }
        if !(0.0..=1.0).contains(&desc.restitution) {
            return bad(format!("restitution {} is not between 0 and 1", desc.restitution));
        }
        for (what, value) in [("linear", desc.linear_damping), ("angular", desc.angular_damping)] {
            if !(value.is_finite() && value >= 0.0) {
                return bad(format!("{what} damping {value} is not a finite number, zero or more"));
            }
        }
        if let Err(problem) = check_grain(&desc.structure, desc.shape.as_ref()) {
            return bad(problem);
        }
        if desc.shape.is_none() {
            return Ok(());
        }
        // Every two bodies that may meet have a friction law, or the second is refused.
        for other in self.bodies.iter().filter(|b| b.shape().is_some()) {
            let still = |kind: BodyKind| kind == BodyKind::Fixed;
            if !(still(other.kind) && still(desc.kind)) {
                self.pairing.pair(desc.surface, other.surface())?;
            }
        }
        for soft in self.softs().iter().filter(|s| s.can_touch(desc.group)) {
            self.check_soft_pair(desc.surface, soft.surface)?;
        }
        Ok(())
    }

    /// Makes a shape known to the collision; returns how far it reaches from the centre of mass.
    fn add_shape(
        &mut self,
        id: BodyId,
        shape: &Shape,
        desc: &BodyDesc,
        centre: DVec3,
    ) -> Result<f64, WorldError> {
        let refused = |source: ShapeError| WorldError::Shape { body: desc.name.clone(), source };
        let built = shape.build().map_err(refused)?;
        let closed = self.closed_if_needed(&desc.name, shape, desc.surface)?;
        self.collision.add(id.0, shape, desc.kind.mobility(), desc.group).map_err(refused)?;
        if let Some(closed) = closed {
            self.collision.add_volume(id.0, closed, desc.surface);
        }
        let bounds = built.compute_local_aabb();
        let farther = |m: DVec3, corner: &DVec3| m.max((*corner - centre).abs());
        Ok([bounds.mins, bounds.maxs].iter().fold(DVec3::ZERO, farther).length())
    }
}

/// Refuses a grain that is told at other vertices than the shape has.
fn check_grain(structure: &StructureField, shape: Option<&Shape>) -> Result<(), String> {
    match (structure, shape) {
        (_, Some(Shape::Mesh(mesh))) => structure.check(mesh.positions.len()),
        (_, Some(Shape::HeightField { rows, columns, .. })) => structure.check(rows * columns),
        (StructureField::PerVertex(_), _) => {
            Err("a grain for each vertex is for meshes and height fields".to_owned())
        }
        _ => Ok(()),
    }
}
