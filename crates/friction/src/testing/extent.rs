//! The properties of whole areas over random outlines.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::properties::Case;
use super::section::{random_contact, turned};
use super::{Rng, norm};
use crate::extent::{ContactArea, Contour, Extent, Footprint};
use crate::law::{ContactFrame, ContactState};
use crate::pairing::{Answer, Origin, Pair};
use crate::section::Section;
use crate::surface::Surface;

/// Rounding errors allowed, relative to the power at hand: those of a patch of some dozens of parts.
const TOLERANCE: f64 = 1e-9;

/// Checks the extent "spin" with a section at `cases` random areas between `surfaces`.
///
/// The set of each law passes the properties of [`super::check_set`]; without spin it is the section
/// itself; exchanging A and B, and turning the whole contact, leaves the power of friction for
/// opposite and turned twists; and the next step uses the parts of the area again.
///
/// # Panics
///
/// On the first property that fails.
pub fn check_extent(label: &str, cases: usize, section: &Arc<dyn Section>, surfaces: &[Surface]) {
    let pair = Pair { extent: Extent::Spin, ..Pair::new(section.clone(), Origin::Default) };
    for number in 0..cases {
        let mut rng = Rng::for_case(label, number);
        let [a, b] = [(); 2].map(|()| &surfaces[rng.index(surfaces.len())]);
        let mut contact = random_contact(&mut rng, a, b);
        if contact.free_slip == DVec3::ZERO {
            // At rest, but without friction it would go somewhere: else there is no direction.
            contact.free_slip = contact.frame.to_world(rng.unit_vector2());
        }
        let corners = random_outline(&mut rng, &contact.frame);
        let spin = rng.gaussian() * contact.slip.length() / 0.1;
        let Some(answer) = law(&pair, &contact, &corners, spin) else { continue };
        Case::new(label, number, &answer.law.set, 1.0).check(&mut rng);
        if let Err(why) = check_views(&pair, &contact, &corners, spin, &mut rng) {
            let (slip, frame) = (contact.slip, contact.frame);
            panic!(
                "{label}, case {number}: {why}; slip {slip}, spin {spin}, {frame:?}, {corners:?}"
            );
        }
    }
}

fn check_views(
    pair: &Pair,
    contact: &ContactState,
    corners: &[DVec3],
    spin: f64,
    rng: &mut Rng,
) -> Result<(), String> {
    let here = law(pair, contact, corners, spin).ok_or("has a law?")?;
    // Coefficients see sliding and spin together.
    let sliding = law(pair, contact, corners, 0.0).ok_or("has a law without spin?")?;
    let again = ContactArea {
        contour: contour(corners),
        centre: contour(corners).centroid,
        spin: 0.0,
        last: here.limit.as_ref(),
    };
    let again = pair.law(contact, &Footprint::Area(again), None).ok_or("has a law again?")?;
    if again.law.set != sliding.law.set {
        return Err("the parts of an area serve again?".to_owned());
    }
    let backwards: Vec<DVec3> = corners.iter().rev().copied().collect();
    let exchanged = law(pair, &contact.exchanged(), &backwards, spin).ok_or("has it exchanged?")?;
    let turn = rng.rotation();
    let there: Vec<DVec3> = corners.iter().map(|c| turn * *c).collect();
    let turned = law(pair, &turned(contact, turn), &there, spin).ok_or("has it turned?")?;
    let point = pair.section.law(contact).set;
    for _ in 0..4 {
        let slip = contact.frame.to_world(rng.unit_vector2());
        let spin = rng.gaussian() / 0.1;
        let power = |answer: &Answer, slip: DVec3, spin: f64| {
            let twist = answer.frame.to_plane(slip).extend(spin);
            answer.law.set.support(&(-twist).to_array(), 1.0)
        };
        let wanted = power(&here, slip, spin);
        for (how, found) in [
            ("exchanging A and B leaves its power", power(&exchanged, -slip, spin)),
            ("turning the contact leaves its power", power(&turned, turn * slip, spin)),
        ] {
            if !((found - wanted).abs() <= TOLERANCE * wanted) {
                return Err(format!("{how}? {found:e}, {wanted:e}"));
            }
        }
        let plane = -contact.frame.to_plane(slip);
        let (found, wanted) = (power(&sliding, slip, 0.0), point.support(&plane.to_array(), 1.0));
        let size = norm(&[DVec2::X, DVec2::Y].map(|d| point.support(&d.to_array(), 1.0)));
        if !((found - wanted).abs() <= TOLERANCE * (wanted + size)) {
            return Err(format!("without spin it is the section? {found:e}, {wanted:e}"));
        }
    }
    Ok(())
}

fn law(pair: &Pair, contact: &ContactState, corners: &[DVec3], spin: f64) -> Option<Answer> {
    let area = ContactArea {
        contour: contour(corners),
        centre: contour(corners).centroid,
        spin,
        last: None,
    };
    pair.law(contact, &Footprint::Area(area), None)
}

/// Corners on an ellipse somewhere, counter-clockwise about the normal; its size is 1 cm to 1 m.
fn random_outline(rng: &mut Rng, frame: &ContactFrame) -> Vec<DVec3> {
    let (first, count) = (rng.uniform(0.0, 6.3), 3 + rng.index(6));
    let half = DVec2::new(1.0, rng.log_uniform(0.2, 1.0)) * rng.log_uniform(1e-2, 1.0);
    let place = rng.unit_vector3();
    let step = std::f64::consts::TAU / count as f64;
    let mut corner = |k: usize| {
        let angle = first + step * (k as f64 + rng.uniform(-0.3, 0.3));
        place + frame.to_world(DVec2::from_angle(angle) * half)
    };
    (0..count).map(&mut corner).collect()
}

/// With the area of all but flat corners, and their mean for a centroid: outlines find their own.
fn contour(corners: &[DVec3]) -> Contour<'_> {
    let centroid = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let next = corners.iter().cycle().skip(1);
    let twice: DVec3 =
        corners.iter().zip(next).map(|(p, q)| (*p - centroid).cross(*q - centroid)).sum();
    Contour { corners, disc: None, area: 0.5 * twice.length(), centroid, pieces: &[] }
}
