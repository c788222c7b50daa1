//! Planar sections as patches use them: turned into other axes, and as one coefficient.

use glamx::DVec2;

use crate::set::{BoxSet, Disk, Ellipse, MAX_DIM, Polygon, Rotation, Set};

/// A planar set in axes turned by `turn`: in which the direction `turn` points along the first axis.
pub(crate) fn turned(set: Set, turn: Rotation) -> Option<Set> {
    let seen = |r: Rotation| Rotation::from_direction(turn.to_axes(r.axis()));
    Some(match set {
        Set::Disk(_) => set,
        Set::Ellipse(s) => Ellipse::new(s.mu().x, s.mu().y, seen(s.rotation())?).ok()?.into(),
        Set::Box(s) => BoxSet::new(s.first(), s.second(), seen(s.rotation())?).into(),
        Set::Polygon(s) => {
            let corners: Vec<DVec2> = s.corners().iter().map(|c| turn.to_axes(*c)).collect();
            Polygon::from_points(&corners).ok()?.into()
        }
        _ => return None,
    })
}

/// A coefficient for a section: along the slip, or on the mean of four directions. Of a set with
/// torques, without spin or rolling.
pub(crate) fn coefficient(section: &Set, slip: DVec2) -> f64 {
    let towards = |d: DVec2| {
        let mut direction = [0.0; MAX_DIM];
        (direction[0], direction[1]) = (d.x, d.y);
        section.support(&direction[..section.dim()], 1.0)
    };
    let along = slip.normalize_or_zero();
    if along != DVec2::ZERO {
        return towards(-along);
    }
    let all = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
    all.into_iter().map(towards).sum::<f64>() / 4.0
}

/// Whether a section lets anything slide without friction all round.
pub(crate) fn is_slippery(section: &Set) -> bool {
    match section {
        Set::Disk(s) => s == &Disk::frictionless(),
        _ => !(coefficient(section, DVec2::ZERO) > 0.0),
    }
}
