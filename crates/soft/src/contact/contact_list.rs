//! The contacts of a step.

use std::collections::HashSet;
use std::ops::Range;

use glamx::{DVec2, DVec3};

/// One contact: up to four vertices, and how the relative velocity of B to A follows from theirs.
///
/// | kind | A | B |
/// |---|---|---|
/// | vertex on face | `vertices[0..3]` | `vertices[3]` |
/// | edge on edge | `vertices[0..2]` | `vertices[2..4]` |
/// | vertex on obstacle | the obstacle | `vertices[0]` |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftContact {
    /// The vertices; the first `count` count.
    pub vertices: [u32; 4],
    /// Relative velocity of B to A = Σ wᵢ vᵢ, less the obstacle's velocity where A is one.
    /// Weights of A sum to −1, those of B to 1.
    pub weights: [f64; 4],
    /// The first `split` vertices are A's.
    pub split: u8,
    /// How many vertices there are.
    pub count: u8,
    /// Unit normal from A to B.
    pub normal: DVec3,
    /// Distance less thickness, metres; negative where the two overlap.
    pub gap: f64,
    /// From A's point of contact to B's, metres.
    pub offset: DVec3,
    /// Which entry of [`Contacts::surfaces`] is A; [`NO_SURFACE`] where A is made of vertices.
    pub surface: u32,
}

/// [`SoftContact::surface`] of a contact between meshes.
pub const NO_SURFACE: u32 = u32::MAX;

impl SoftContact {
    /// Vertices and weights of A, which are negative.
    pub fn side_a(&self) -> (&[u32], &[f64]) {
        let end = usize::from(self.split);
        (&self.vertices[..end], &self.weights[..end])
    }

    /// Vertices and weights of B.
    pub fn side_b(&self) -> (&[u32], &[f64]) {
        let range = usize::from(self.split)..usize::from(self.count);
        (&self.vertices[range.clone()], &self.weights[range])
    }

    /// Whether B has a vertex in the range.
    pub(super) fn is_on_b(&self, range: &Range<usize>) -> bool {
        self.side_b().0.iter().any(|v| range.contains(&(*v as usize)))
    }

    /// Vertices and weights of both.
    #[inline]
    pub fn parts(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let (vertices, weights) = (self.vertices, self.weights);
        (0..usize::from(self.count)).map(move |i| (vertices[i] as usize, weights[i]))
    }

    /// Σ wᵢ xᵢ of a quantity that vertices have. Where an obstacle is A, its own is missing.
    #[inline]
    pub fn combine(&self, of: &[DVec3]) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (i, w) in self.parts() {
            sum += of[i] * w;
        }
        sum
    }

    /// Σ wᵢ² /mᵢ, 1/kg: how an impulse changes the relative velocity, in every direction alike.
    ///
    /// Zero where next to nothing of the contact can move, as at the end of an edge that a pin holds. What is left
    /// would have to be as many times faster than the pin as its weight is smaller, and an edge that a pin draws over
    /// another, right at the pin, would be torn out.
    #[inline]
    pub fn inverse_mass(&self, inverse_masses: &[f64]) -> f64 {
        let (mut sum, mut share) = (0.0, 0.0);
        for (i, w) in self.parts().filter(|(i, _)| inverse_masses[*i] > 0.0) {
            sum += w * w * inverse_masses[i];
            share += w.abs();
        }
        if share < LEAST_SHARE { 0.0 } else { sum }
    }
}

/// Sum of the weights of vertices that can move below which a contact cannot.
const LEAST_SHARE: f64 = 0.1;

/// What a contact is between, over steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FeatureKey {
    /// Its vertices.
    pub vertices: [u32; 4],
    /// How many of them are A's.
    pub split: u8,
    /// The obstacle that is A; in the memory of a world, its body.
    pub obstacle: Option<u32>,
}

/// A point of an obstacle that something touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceContact {
    /// Which obstacle, in the order given.
    pub obstacle: u32,
    /// The point, world.
    pub point: DVec3,
    /// Its velocity, m/s.
    pub velocity: DVec3,
    /// The surface's axes and texture coordinates there.
    pub axes: SurfaceAxes,
}

/// A surface's axes at a point, world, and its texture coordinates in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceAxes {
    /// Direction of growing u, unit length.
    pub tangent: DVec3,
    /// Direction of growing v, unit length.
    pub bitangent: DVec3,
    /// Texture coordinates, metres.
    pub uv: DVec2,
}

/// The contacts of a step. Keeps its memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contacts {
    /// The contacts, in an order that only the topology decides.
    pub list: Vec<SoftContact>,
    /// The points of obstacles that they name.
    pub surfaces: Vec<SurfaceContact>,
    /// Primitives left out because a coordinate or velocity of theirs is not finite.
    pub left_out: usize,
}

impl Contacts {
    /// Forgets all contacts.
    pub fn clear(&mut self) {
        self.list.clear();
        self.surfaces.clear();
        self.left_out = 0;
    }

    /// Leaves out those after the `first` ones that are between the same vertices as one of these.
    pub(super) fn leave_out_known(&mut self, first: usize) {
        let of = |c: &SoftContact| (c.vertices, c.split);
        let several = self.list[..first].iter().filter(|c| c.count > 1);
        let known: HashSet<([u32; 4], u8)> = several.map(of).collect();
        if known.is_empty() {
            return;
        }
        let mut place = 0;
        self.list.retain(|c| {
            place += 1;
            place <= first || !known.contains(&of(c))
        });
    }

    /// What a contact is between.
    pub fn key(&self, contact: &SoftContact) -> FeatureKey {
        let obstacle = self.surfaces.get(contact.surface as usize).map(|s| s.obstacle);
        FeatureKey { vertices: contact.vertices, split: contact.split, obstacle }
    }

    /// Velocity of the obstacle at a contact; zero where A is made of vertices.
    #[inline]
    pub fn surface_velocity(&self, contact: &SoftContact) -> DVec3 {
        match self.surfaces.get(contact.surface as usize) {
            Some(s) => s.velocity,
            None => DVec3::ZERO,
        }
    }

    /// Velocity of B relative to A, m/s.
    #[inline]
    pub fn slip(&self, contact: &SoftContact, velocities: &[DVec3]) -> DVec3 {
        contact.combine(velocities) - self.surface_velocity(contact)
    }
}
