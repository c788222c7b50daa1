use std::f64::consts::TAU;

use glamx::{DQuat, DVec2, DVec3};

/// A small seeded generator of random numbers (xoshiro256++, seeded by splitmix64), the same on
/// every machine.
#[derive(Debug, Clone)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        let mut s = seed;
        let state = std::array::from_fn(|_| {
            s = s.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (s ^ (s >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Rng { state }
    }

    /// The generator of one case of a labelled test, so that a failing case can be run alone.
    pub fn for_case(label: &str, case: usize) -> Rng {
        let hash = label.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Rng::new(hash.wrapping_add((case as u64).wrapping_mul(0xd134_2543_de82_ef95)))
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [`low`, `high`).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the logarithm, between two numbers above zero.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    /// A whole number below `count`.
    pub fn index(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// +1 or −1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// Standard normal (Box and Muller).
    pub fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (TAU * self.unit()).cos()
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
