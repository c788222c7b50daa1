//! The law of a whole area under uniform pressure: one limit surface of sliding and spin.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::planar::{coefficient, is_slippery, turned};
use super::{
    Bed, ContactArea, Fineness, Outline, PatchLimit, Pressed, Pressing, PressureRule, Spread,
};
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
    /// Coefficient in each cell, where there are some, at the speed with which it begins.
    pub(crate) friction: Vec<f64>,
}

/// What is asked of an area.
pub(crate) struct AreaRules {
    /// Whether lines and points have a law, too.
    pub(crate) thin: bool,
    /// The pressure where it is not even.
    pub(crate) pressure: Option<PressureRule>,
    /// The cells of a memory.
    pub(crate) cells: Option<Fineness>,
}

/// The law of an area. `None` without friction, and for lines and points where they have none.
///
/// What the section's coefficient depends on is sliding and spin together: ‖v_S‖ = ‖(v, r ω)‖.
pub(crate) fn area_law(
    section: &dyn Section,
    contact: &ContactState,
    area: &ContactArea,
    rules: &AreaRules,
) -> Option<AreaLaw> {
    let contour = &area.contour;
    let found = Outline::of(contour, &contact.frame);
    let (frame, outline) =
        if rules.thin { found.or_else(|| Outline::thin(contour, &contact.frame)) } else { found }?;
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
    let map = |place: DVec2| {
        let way = frame.to_world(place) + contour.centroid - area.centre;
        contact.surfaces.iter().map(|s| s.pressure(way)).product()
    };
    let pressing = rules.pressure.map(|rule| Pressing { rule, centre, map: &map });
    let pressing = pressing.as_ref();
    let pressed = pressing.and_then(|pressing| Pressed::new(pressing, &outline, &spread));
    let last = same.and_then(|last| last.bed.as_ref());
    let bed = rules.cells.and_then(|cells| Bed::new(&outline, pressing, cells, last));
    // Without a table there is a bristle in each.
    let bristly = bed.as_ref().filter(|_| rules.cells.is_some_and(|cells| cells.table.is_none()));
    let friction = bristly.map(|bed| in_cells(section, &state, bed, slip.extend(spin)));
    let set = pressed.as_ref().map_or(&spread, |p| &p.spread).set(&outline, &planar)?;
    let rheology = rheology.map(|r| Box::new(r.turned(turn)));
    let law = Law { set, load, rheology };
    Some(AreaLaw {
        law,
        frame,
        section: planar,
        slip,
        spin,
        limit: PatchLimit { outline, spread, pressed, bed },
        friction: friction.unwrap_or_default(),
    })
}

/// The coefficient of an isotropic section in each cell of a patch that moves with a twist.
fn in_cells(section: &dyn Section, state: &ContactState, bed: &Arc<Bed>, twist: DVec3) -> Vec<f64> {
    let of = |(at, _): &(DVec2, f64)| {
        let speed = (twist.truncate() + at.perp() * twist.z).length();
        let slip = state.frame.t * speed;
        coefficient(&section.law(&ContactState { slip, ..*state }).set, DVec2::ZERO)
    };
    bed.places().iter().map(of).collect()
}
