//! Where two bodies touch, as far as an extent looks at it.

use std::sync::Arc;

use glamx::DVec3;

use super::{Bed, Contour, EllipsePatch, Outline, Pressed, Rolling, Spread};

/// What a law is asked for.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "one lives while its law is made")]
pub enum Footprint<'a> {
    /// A contact point.
    Point,
    /// A vertex of a cloth or a soft solid, which carries no torque.
    Vertex,
    /// A whole contact area, or the line or point that is left of one.
    Area(ContactArea<'a>),
    /// The patch of a volume that two bodies share.
    Ellipse {
        /// The patch.
        patch: EllipsePatch,
        /// How it moves on over both surfaces.
        rolling: Rolling,
    },
}

/// A whole contact area.
#[derive(Debug, Clone, Copy)]
pub struct ContactArea<'a> {
    /// Its edge.
    pub contour: Contour<'a>,
    /// Centre of the load of the last step, or of the area where there was none, world axes.
    pub centre: DVec3,
    /// Angular velocity of B against A about the normal when the step begins, rad/s.
    pub spin: f64,
    /// What the last step gave for it ([`Answer::limit`](crate::pairing::Answer::limit)).
    pub last: Option<&'a PatchLimit>,
}

/// What the limit surface of an area is made of; the next step uses it again while the outline stays
/// the same.
#[derive(Debug, Clone)]
pub struct PatchLimit {
    /// The area's shape.
    pub outline: Outline,
    /// Its limit surface where the load lies on it evenly.
    pub spread: Spread,
    /// Where it does not.
    pub pressed: Option<Pressed>,
    /// Its cells, where a memory asks for them.
    pub bed: Option<Arc<Bed>>,
}

impl PatchLimit {
    /// r: torque of pure spin per unit load and coefficient, metres.
    pub fn spin_radius(&self) -> f64 {
        self.pressed.as_ref().map_or(&self.spread, |p| &p.spread).spin_radius()
    }

    /// u: mean squared distance from the centre of the load, m².
    pub fn gyration2(&self) -> f64 {
        self.pressed.as_ref().map_or_else(|| self.outline.gyration2(), |p| p.gyration2)
    }
}
