//! Random numbers as the suite draws them.

use glamx::{DQuat, DVec2, DVec3};

pub use crate::random::Rng;

impl Rng {
    /// The generator of one case of a labelled test, so that a failing case can be run alone.
    pub fn for_case(label: &str, case: usize) -> Rng {
        let hash = label.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Rng::new(hash.wrapping_add((case as u64).wrapping_mul(0xd134_2543_de82_ef95)))
    }

    /// A unit vector: mostly uniform on the sphere, one in ten along an axis.
    pub fn unit_vector(&mut self, dim: usize) -> Vec<f64> {
        if self.chance(0.1) {
            let (axis, sign) = (self.index(dim), self.sign());
            return (0..dim).map(|i| if i == axis { sign } else { 0.0 }).collect();
        }
        loop {
            let v: Vec<f64> = (0..dim).map(|_| self.gaussian()).collect();
            let length = super::norm(&v);
            if length > 1e-3 {
                return super::scaled(&v, 1.0 / length);
            }
        }
    }

    /// [`Rng::unit_vector`] in the plane.
    pub fn unit_vector2(&mut self) -> DVec2 {
        DVec2::from_slice(&self.unit_vector(2))
    }

    /// [`Rng::unit_vector`] in space.
    pub fn unit_vector3(&mut self) -> DVec3 {
        DVec3::from_slice(&self.unit_vector(3))
    }

    /// A rotation, uniform over all.
    pub fn rotation(&mut self) -> DQuat {
        let q = [(); 4].map(|()| self.gaussian());
        DQuat::from_array(q).normalize()
    }
}
