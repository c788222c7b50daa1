//! The law of a whole area under uniform pressure: one limit surface of sliding and spin.

use glamx::DVec2;

use super::planar::{is_slippery, turned};
use super::{ContactArea, Outline, PatchLimit, Pressed, PressureRule, Spread};
use crate::law::{ContactFrame, ContactState, Law};
use crate::section::Section;
use crate::set::{Rotation, Set};

/// What an area answers with.
pub(crate) struct AreaLaw {
    /// In the rows (t, b, spin) of the frame; of a point (t, b).
    pub(crate) law: Law,
    /// t along the longest side.
    pub(crate) frame: ContactFrame,
    /// The section in the frame.
    pub(crate) section: Set,
    /// Slip in the frame, m/s.
    pub(crate) slip: DVec2,
    /// rad/s; nothing at a point.
    pub(crate) spin: f64,
    pub(crate) limit: PatchLimit,
}

/// The law of an area. `thin` says whether lines and points have one too. `None` where they do not,
/// and without friction. `rule` is the pressure where it is not even.
///
/// What the section's coefficient depends on is sliding and spin together: ‖v_S‖ = ‖(v, r ω)‖.
pub(crate) fn area_law(
    section: &dyn Section,
    contact: &ContactState,
    area: &ContactArea,
    (thin, rule): (bool, Option<PressureRule>),
) -> Option<AreaLaw> {
    let contour = &area.contour;
    let found = Outline::of(contour, &contact.frame);
    let (frame, outline) =
        if thin { found.or_else(|| Outline::thin(contour, &contact.frame)) } else { found }?;
    let spin = if outline == Outline::Point { 0.0 } else { area.spin };
    let slip = frame.to_plane(contact.slip);
    let same = area.last.filter(|last| last.outline.is_same(&outline));
    let last = same.map(|last| &last.spread);
    // What looks at no surface is isotropic: how the load lies is known before the section is.
    let early =
        if section.needs().surfaces { last.cloned() } else { Spread::isotropic(&outline, last) };
    let radius = early.as_ref().map_or_else(|| outline.gyration2().sqrt(), Spread::spin_radius);
    let speed = slip.length().hypot(radius * spin);
    let along = if slip == DVec2::ZERO { DVec2::X } else { slip.normalize() };
    let state = ContactState {
        slip: frame.to_world(along * speed),
        last_load: contact.last_load.filter(|load| *load > 0.0),
        ..*contact
    };
    // From the axes of the contact to those of the law.
    let turn = Rotation::from_direction(contact.frame.to_plane(frame.t))?;
    let Law { set, load, rheology } = section.law(&state);
    let planar = turned(set, turn)?;
    if is_slippery(&planar) {
        return None;
    }
    let spread = Spread::new(&outline, &planar, early.as_ref())?;
    let centre = frame.to_plane(area.centre - contour.centroid);
    let pressed = rule.and_then(|rule| Pressed::new(rule, &outline, &spread, centre));
    let set = pressed.as_ref().map_or(&spread, |p| &p.spread).set(&outline, &planar)?;
    let rheology = rheology.map(|r| Box::new(r.turned(turn)));
    let law = Law { set, load, rheology };
    Some(AreaLaw {
        law,
        frame,
        section: planar,
        slip,
        spin,
        limit: PatchLimit { outline, spread, pressed },
    })
}
