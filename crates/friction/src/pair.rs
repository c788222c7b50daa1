//! The friction of a pair of materials: section × extent × memory → law.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use crate::FrictionError;
use crate::extent::planar::coefficient;
use crate::extent::spin::{AreaRules, area_law};
use crate::extent::{ContactArea, Extent, Footprint, PatchLimit, PressureRule};
use crate::law::{ContactFrame, ContactState, Law};
use crate::memory::{Carried, LoadedCells, Memory, Moment, Past};
use crate::pairing::Origin;
use crate::section::Section;
use crate::set::{Disk, Set};

/// The friction of a pair and where it came from.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The friction model: the planar limit curve.
    pub section: Arc<dyn Section>,
    /// Whether the contact carries torque.
    pub extent: Extent,
    /// Whether the contact remembers.
    pub memory: Option<Arc<dyn Memory>>,
    /// What chose the section.
    pub origin: Origin,
}

/// The law of a contact, and what the next step wants back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// In the rows (t, b), (t, b, spin) or all six of the frame.
    pub law: Law,
    /// The contact's own frame; of an area the one with t along its longest side.
    pub frame: ContactFrame,
    /// Of an area: for [`ContactArea::last`] of the next step.
    pub limit: Option<PatchLimit>,
    /// Where the pair remembers: for [`Pair::remember`] once the step is solved, with the law without
    /// memory.
    pub moment: Option<Box<(Moment, Law)>>,
}

impl Pair {
    /// A section at points without memory.
    pub fn new(section: Arc<dyn Section>, origin: Origin) -> Pair {
        Pair { section, extent: Extent::Point, memory: None, origin }
    }

    /// The law of a contact over a footprint. `past` is what [`Pair::remember`] gave after the last
    /// step, turned with the bodies since.
    ///
    /// A point or a vertex always has one. An area has none where the extent is not "spin", without
    /// friction, and where it is but a line or a point and nothing is remembered; an ellipse has none
    /// where the extent is not a wrench. Such contacts keep the friction of their points.
    #[inline]
    pub fn law(
        &self,
        contact: &ContactState,
        footprint: &Footprint,
        past: Option<&Past>,
    ) -> Option<Answer> {
        match (footprint, &self.extent) {
            (Footprint::Point, _) => Some(self.point_law(contact, self.section.law(contact), past)),
            (Footprint::Vertex, _) => {
                let law = self.section.law(contact);
                let set = if law.set.dim() == 2 { law.set } else { planar(&law.set) };
                Some(self.point_law(contact, Law { set, ..law }, past))
            }
            (Footprint::Area(area), Extent::Spin) => self.area_law(contact, area, past, None),
            (Footprint::Area(area), Extent::Pressed(rule)) => {
                self.area_law(contact, area, past, Some(*rule))
            }
            (Footprint::Ellipse { patch, rolling }, Extent::Wrench(options)) => {
                let law = self.section.law(contact);
                let mut wrench = options.wrench(patch, &contact.frame, law.set).ok()?;
                wrench.rolling = *rolling;
                let law = Law { set: wrench.into(), ..law };
                Some(Answer { law, frame: contact.frame, limit: None, moment: None })
            }
            _ => None,
        }
    }

    /// The law of a contact that ended a step with the twist `end`, made again about that, where its
    /// memory asks for it; `without` is the law without memory. Moment and law without are then those of the new law.
    pub fn refine(
        &self,
        without: &mut Law,
        moment: &mut Moment,
        past: Option<&Past>,
        end: DVec3,
    ) -> Option<Law> {
        let memory = self.memory.as_ref()?;
        let followed = moment.found.is_none() && self.follow_speed(without, moment, end);
        if !followed && !memory.is_far(moment, past, end) {
            return None;
        }
        *moment = Moment { found: Some(end), ..moment.clone() }.of_law(without);
        memory.law(without.clone(), moment, past)
    }

    /// Lets the section be as strong as with the mean speed of the step, the first time that it is known where that
    /// ends: with the speed at the beginning, friction that falls with speed would lag by half a step. Once, for at
    /// large steps it need not settle. Whether that makes a difference.
    fn follow_speed(&self, without: &mut Law, moment: &mut Moment, end: DVec3) -> bool {
        let mean = 0.5 * (moment.twist + end);
        let ratio = |of: &dyn Fn(DVec3) -> f64| {
            let [begin, now] = [moment.twist, mean].map(|twist| self.section.strength(of(twist)));
            if begin > 0.0 && now > 0.0 { now / begin } else { 1.0 }
        };
        let arm = moment.spin_radius;
        let whole = ratio(&|twist| (twist * DVec3::new(1.0, 1.0, arm)).length());
        let differs = |ratio: f64| (ratio - 1.0).abs() > FOLLOWS;
        let cells = moment.cells.as_ref().map(|loaded| {
            let speed = |at: DVec2, twist: DVec3| (twist.truncate() + at.perp() * twist.z).length();
            let of = |(at, _): &(DVec2, f64)| ratio(&|twist| speed(*at, twist));
            loaded.bed.places().iter().take(loaded.friction.len()).map(of).collect::<Vec<f64>>()
        });
        let any = cells.iter().flatten().copied().any(differs);
        if !any && !differs(whole) {
            return false;
        }
        let Ok(scaled) = without.clone().scaled(whole) else { return false };
        *without = scaled;
        moment.coefficient *= whole;
        if let (Some(loaded), Some(cells)) = (&mut moment.cells, cells) {
            let own = Arc::make_mut(loaded);
            own.friction.iter_mut().zip(cells).for_each(|(friction, ratio)| *friction *= ratio);
        }
        true
    }

    /// What the contact remembers after a step; moment and past are those of its law.
    pub fn remember(
        &self,
        moment: &Moment,
        past: Option<&Past>,
        carried: &Carried,
    ) -> Option<Past> {
        self.memory.as_ref()?.remember(moment, past, carried)
    }

    /// Energy stored in what a contact remembers, per unit load, metres; the moment is that of its law.
    pub fn stored(&self, moment: &Moment, past: Option<&Past>) -> f64 {
        self.memory.as_ref().zip(past).map_or(0.0, |(memory, past)| memory.stored(moment, past))
    }

    /// With the memory of the extent "point"; others remember elsewhere.
    #[inline]
    fn point_law(&self, contact: &ContactState, law: Law, past: Option<&Past>) -> Answer {
        let frame = contact.frame;
        let Some(memory) = self.memory.as_ref().filter(|_| self.extent == Extent::Point) else {
            return Answer { law, frame, limit: None, moment: None };
        };
        let slip = contact.plane_slip();
        let moment = Moment {
            frame,
            twist: slip.extend(0.0),
            found: None,
            steady: DVec3::ZERO,
            spin_radius: 1.0,
            gyration2: 0.0,
            coefficient: coefficient(&law.set, slip),
            last_load: contact.last_load,
            dt: contact.dt,
            cells: None,
        }
        .of_law(&law);
        match memory.law(law.clone(), &moment, past) {
            Some(with) => {
                let moment = Some(Box::new((moment, law)));
                Answer { law: with, frame, limit: None, moment }
            }
            None => Answer { law, frame, limit: None, moment: None },
        }
    }

    fn area_law(
        &self,
        contact: &ContactState,
        area: &ContactArea,
        past: Option<&Past>,
        rule: Option<PressureRule>,
    ) -> Option<Answer> {
        let rules = AreaRules {
            thin: self.memory.is_some(),
            pressure: rule,
            cells: self.memory.as_ref().and_then(|memory| memory.cells()),
        };
        let found = area_law(self.section.as_ref(), contact, area, &rules)?;
        let (frame, limit, friction) = (found.frame, found.limit, found.friction);
        let Some(memory) = &self.memory else {
            return Some(Answer { law: found.law, frame, limit: Some(limit), moment: None });
        };
        let moment = Moment {
            frame,
            twist: found.slip.extend(found.spin),
            found: None,
            steady: DVec3::ZERO,
            spin_radius: limit.spin_radius(),
            gyration2: limit.gyration2(),
            coefficient: coefficient(&found.section, found.slip),
            last_load: contact.last_load,
            dt: contact.dt,
            cells: limit.bed.clone().map(|bed| Arc::new(LoadedCells { bed, friction })),
        }
        .of_law(&found.law);
        let law = memory.law(found.law.clone(), &moment, past)?;
        let moment = Some(Box::new((moment, found.law)));
        Some(Answer { law, frame, limit: Some(limit), moment })
    }
}

/// Changes of strength below this part are none.
const FOLLOWS: f64 = 1e-4;

/// A set without its torques.
fn planar(set: &Set) -> Set {
    // Sets without two rows are refused when a scene is loaded.
    set.without_torque().unwrap_or(Set::Disk(Disk::frictionless()))
}

/// Whether a section, an extent and a memory go together; an error that says what does.
pub fn check_patch(
    section: &dyn Section,
    extent: &Extent,
    memory: Option<&dyn Memory>,
) -> Result<(), FrictionError> {
    match (memory, extent) {
        (Some(_), Extent::Wrench(_)) => {
            return Err(FrictionError::Shape(
                "contact = \"wrench\" has an extent of its own and no memory; expected extent = \
                 \"point\" and memory = \"none\""
                    .to_owned(),
            ));
        }
        _ => extent.check(section)?,
    }
    memory.map_or(Ok(()), |memory| memory.check(extent, section))
}
