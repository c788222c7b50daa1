//! Bodies of scenes: the same for every engine.

use asperity::Shape;
use asperity::glamx::{DMat3, DPose3, DQuat, DVec3};

/// Coefficient of friction of every pair.
pub(crate) const FRICTION: f64 = 0.5;
/// kg/m³.
pub(crate) const DENSITY: f64 = 1000.0;
/// m/s².
pub(crate) const GRAVITY: f64 = 9.81;

/// What a body looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// All that is below the body's origin.
    Ground,
    /// Half the edges.
    Box(DVec3),
    /// By its radius.
    Sphere(f64),
    /// Along Y.
    Capsule { half_height: f64, radius: f64 },
    /// Along Y.
    Cylinder { half_height: f64, radius: f64 },
    /// Along Y, its base below.
    Cone { half_height: f64, radius: f64 },
    /// Around points.
    Hull(&'static [DVec3]),
}

/// A body of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) form: Form,
    pub(crate) fixed: bool,
    pub(crate) pose: DPose3,
    /// 1/kg; zero where it is fixed.
    pub(crate) inverse_mass: f64,
    /// 1/(kg m²), body axes.
    pub(crate) inverse_inertia: DMat3,
    /// Centre of mass, body axes.
    pub(crate) centre: DVec3,
}

impl Form {
    /// As Asperity has it.
    pub(crate) fn shape(self) -> Shape {
        match self {
            Form::Ground => Shape::HalfSpace { normal: DVec3::Y },
            Form::Box(half_extents) => Shape::Box { half_extents },
            Form::Sphere(radius) => Shape::Sphere { radius },
            Form::Capsule { half_height, radius } => Shape::Capsule { half_height, radius },
            Form::Cylinder { half_height, radius } => Shape::Cylinder { half_height, radius },
            Form::Cone { half_height, radius } => Shape::Cone { half_height, radius },
            Form::Hull(points) => Shape::ConvexHull { points: points.to_vec() },
        }
    }
}

impl Item {
    /// A body that moves.
    pub(crate) fn new(form: Form, pose: DPose3) -> Result<Item, String> {
        let m = form.shape().mass_properties(DENSITY).map_err(|e| e.to_string())?;
        let (inverse_mass, inverse_inertia) = (1.0 / m.mass, m.inertia.inverse());
        Ok(Item { form, fixed: false, pose, inverse_mass, inverse_inertia, centre: m.centre })
    }

    /// A body that stays where it is.
    pub(crate) fn fixed(form: Form, at: DVec3) -> Item {
        Item {
            form,
            fixed: true,
            pose: DPose3::from_parts(at, DQuat::IDENTITY),
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
            centre: DVec3::ZERO,
        }
    }
}

/// A small generator (Knuth's MMIX constants): the same scene on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Between −1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Any of them, all as likely.
    pub(crate) fn rotation(&mut self) -> DQuat {
        loop {
            let [x, y, z, w] = [self.next(), self.next(), self.next(), self.next()];
            let length2 = x * x + y * y + z * z + w * w;
            if (1e-4..=1.0).contains(&length2) {
                return DQuat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }
}
