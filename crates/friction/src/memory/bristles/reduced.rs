//! Three bristles for a whole patch.

use glamx::DVec3;

use super::elasto_plastic::plastic_part;
use super::{Parameters, Plasticity, bristle};
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::extent::{LimitMap, Pressure};

/// Three bristles for a whole patch (Eqs. 22–32): two for sliding and one for spin, coupled by a
/// limit surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    parameters: Parameters,
    map: LimitMap,
    radius: f64,
    gyration2: f64,
    z: DVec3,
}

impl Reduced {
    /// Unbent bristles on a patch: r and u (Eqs. 23 and 27) are those of the pressure.
    pub fn new(
        parameters: Parameters,
        pressure: &Pressure,
        map: LimitMap,
    ) -> Result<Reduced, FrictionError> {
        Reduced::with_radius(parameters, map, pressure.spin_radius(), pressure.gyration2())
    }

    /// The same with r, metres, and u, m², given.
    pub fn with_radius(
        parameters: Parameters,
        map: LimitMap,
        radius: f64,
        gyration2: f64,
    ) -> Result<Reduced, FrictionError> {
        parameters.check()?;
        let mut reduced = Reduced { parameters, map, radius: 1.0, gyration2: 0.0, z: DVec3::ZERO };
        reduced.resize(radius, gyration2)?;
        Ok(reduced)
    }

    /// ż (Eq. 32; Eq. 31 with its sign corrected; Eq. 25 for the ellipsoid):
    /// −(S h + β z σ₀/g(‖v_S‖)) ‖v_S‖.
    #[inline]
    pub fn rate(&self, twist: DVec3) -> DVec3 {
        rate(&self.parameters, &self.map, self.radius, self.z, twist)
    }

    /// The wrench under `load` (Eq. 26), with the bristles as they are.
    #[inline]
    pub fn wrench(&self, twist: DVec3, load: f64) -> DVec3 {
        self.wrench_of(self.z, self.rate(twist), twist) * load
    }

    #[inline]
    fn wrench_of(&self, z: DVec3, rate: DVec3, twist: DVec3) -> DVec3 {
        let p = &self.parameters;
        let damping = match p.damping_speed {
            None => p.damping,
            Some(_) => p.damping_at(scaled(twist, self.radius).length()),
        };
        let viscous = DVec3::new(twist.x, twist.y, self.gyration2 * twist.z) * p.viscosity;
        -(z * p.stiffness + rate * damping + viscous)
    }

    /// One explicit Euler step of the paper; see [`super::Distributed::explicit_step`].
    #[inline]
    pub fn explicit_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let rate = self.rate(twist);
        let wrench = self.wrench_of(self.z, rate, twist) * load;
        self.z += rate * dt;
        wrench
    }

    /// One implicit Euler step with the twist held: stable for any step, and on the limit surface
    /// in steady sliding. The wrench is that at the end of the step, with ż its mean.
    pub fn implicit_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let speed = scaled(twist, self.radius).length();
        // In S⁻¹z, which is a length in all three, it is a bristle with velocity −h‖v_S‖.
        let s = DVec3::new(1.0, 1.0, self.radius);
        let h = -self.map.lookup(self.radius, twist);
        let old = (self.z / s).to_array();
        let new = bristle::implicit_step_at(&self.parameters, &old, &h.to_array(), speed, dt);
        let new = DVec3::from_array(new) * s;
        let rate = (new - self.z) / dt;
        self.z = new;
        self.wrench_of(new, rate, twist) * load
    }

    /// Another size of the patch: r, metres, and u, m². z stays as it is, and with it the wrench.
    pub fn resize(&mut self, radius: f64, gyration2: f64) -> Result<(), FrictionError> {
        positive("spin radius r", radius)?;
        self.gyration2 = non_negative("mean squared radius u", gyration2)?;
        self.radius = radius;
        Ok(())
    }

    /// Another limit surface.
    pub fn set_map(&mut self, map: LimitMap) {
        self.map = map;
    }

    /// z: two lengths, metres, and r² times an angle, m².
    pub fn deflection(&self) -> DVec3 {
        self.z
    }

    /// Bends the bristles.
    pub fn set_deflection(&mut self, z: DVec3) {
        self.z = z;
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// r, metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// u, m².
    pub fn gyration2(&self) -> f64 {
        self.gyration2
    }
}

/// v_S = S v.
#[inline]
fn scaled(twist: DVec3, radius: f64) -> DVec3 {
    DVec3::new(twist.x, twist.y, radius * twist.z)
}

#[inline]
fn rate(p: &Parameters, map: &LimitMap, radius: f64, z: DVec3, twist: DVec3) -> DVec3 {
    let speed = scaled(twist, radius).length();
    let s = DVec3::new(1.0, 1.0, radius);
    let h = map.lookup(radius, twist);
    let g = p.friction(speed);
    let beta = match p.plasticity {
        Plasticity::Always => 1.0,
        Plasticity::Above(breakaway) => {
            // z_max = ‖S⁻¹z*‖ (Eq. 30), and ‖h‖ is not one on a limit surface.
            let bent = DVec3::new(z.x, z.y, z.z / radius);
            let way2 = h.length_squared();
            // As forces per unit load: σ₀ times.
            let bent2 = bent.length_squared() * (p.stiffness * p.stiffness);
            let most2 = g * g * way2;
            if bent2 <= breakaway * breakaway * most2 {
                0.0
            } else {
                let part =
                    if bent2 >= most2 { 1.0 } else { plastic_part(p, (bent2 / most2).sqrt(), 1.0) };
                let size2 = way2 * bent2;
                // Eq. 16, for a velocity along −h.
                let along = h.dot(bent) * p.stiffness;
                if size2 > 0.0 { part * (0.5 - 0.5 * (along / size2.sqrt())) } else { part }
            }
        }
    };
    s * h * -speed - z * (beta * p.stiffness * speed / g)
}
