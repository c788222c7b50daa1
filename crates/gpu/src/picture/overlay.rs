//! Lines and facets over a picture.

/// How something over the picture goes with what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Hidden by what is in front of it.
    Within,
    /// Faint where it is hidden.
    Through,
    /// Never hidden.
    Over,
}

/// A straight line with round ends; a dot where both ends are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Its ends.
    pub ends: [[f32; 3]; 2],
    /// Pixels.
    pub width: f32,
    /// Red, green, blue and opacity.
    pub colour: [f32; 4],
    /// How it goes with the rest.
    pub depth: Depth,
}

/// A triangle over the picture, seen from both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Its corners.
    pub corners: [FacetCorner; 3],
    /// How it goes with the rest.
    pub depth: Depth,
    /// Whether the sun treats it as a thing: an opaque one throws a shadow, and lies in those of
    /// others. Marks over the picture do neither.
    pub in_sun: bool,
}

/// A corner of a [`Facet`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetCorner {
    /// Where it is.
    pub position: [f32; 3],
    /// Out of the surface; zero is for what no light changes.
    pub normal: [f32; 3],
    /// Red, green, blue and opacity. What is opaque hides what is behind it.
    pub colour: [f32; 4],
}

impl Facet {
    /// Whether nothing is seen through it.
    pub(crate) fn is_opaque(&self) -> bool {
        self.corners.iter().all(|corner| corner.colour[3] >= 1.0)
    }

    /// Whether it throws a shadow.
    pub(crate) fn casts_shadow(&self) -> bool {
        self.in_sun && self.is_opaque()
    }
}
