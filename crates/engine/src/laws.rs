//! From the places where bodies touch to contacts with a law each.

use asperity_friction::extent::{ContactArea, Contour, Footprint};
use asperity_friction::memory::{Moment, Past};
use asperity_friction::pairing::{Answer, Pair};
use asperity_friction::surface::patch::Sample;
use asperity_friction::{ContactState, Law};
use glamx::{DQuat, DVec3};

use crate::contact::{Contact, ContactKey, PatchBlock, Remembered, WrenchContact};
use crate::dynamics::midpoint::Midpoint;
use crate::site::{AreaSite, Halfway, Place, PointSite, Site, VolumeSite};
use crate::world::World;

/// The contacts and patches of a step while they are made.
#[derive(Default)]
pub(crate) struct ContactLists {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) blocks: Vec<PatchBlock>,
}

impl World {
    /// Gives every place where rigid bodies touch its law, once the patches are sampled that sections
    /// look at: fills `self.contacts` and `self.blocks`.
    pub(crate) fn make_laws(&mut self, middle: &[Midpoint]) {
        let frictionless = self.without_friction(middle);
        let halfway = Halfway { middle, free: frictionless.as_deref().unwrap_or(middle) };
        let lists = self.take_lists();
        self.add_sites(lists, halfway, |world, visit| world.each_site(halfway, visit));
    }

    /// The same for the manifolds from one on, which were found later: adds to the contacts.
    pub(crate) fn add_laws(&mut self, middle: &[Midpoint], first: usize) {
        let halfway = Halfway { middle, free: middle };
        let (contacts, blocks) = (&mut self.contacts, &mut self.blocks);
        let lists =
            ContactLists { contacts: std::mem::take(contacts), blocks: std::mem::take(blocks) };
        self.add_sites(lists, halfway, |w, visit| w.each_point_site(halfway, first, visit));
    }

    /// Adds the contacts of places to lists, which become those of the step.
    fn add_sites(
        &mut self,
        mut lists: ContactLists,
        halfway: Halfway,
        each: impl for<'a> Fn(&'a World, &mut dyn FnMut(&mut Site<'a>)) + Copy,
    ) {
        self.sample_sites(each);
        let mut samples = self.samples.of_sites();
        each(self, &mut |site| {
            let sample = site.pair.section.sampled().and_then(|_| samples.next());
            self.add_site(site, sample, halfway, &mut lists);
        });
        drop(samples);
        (self.contacts, self.blocks) = (lists.contacts, lists.blocks);
    }

    /// The lists of the last step, with nothing but the contacts of bodies that sleep.
    pub(crate) fn take_lists(&mut self) -> ContactLists {
        let mut lists = ContactLists {
            contacts: std::mem::take(&mut self.contacts),
            blocks: std::mem::take(&mut self.blocks),
        };
        lists.contacts.truncate(self.sleep.contacts);
        lists.blocks.truncate(self.sleep.blocks);
        lists
    }

    /// Adds the contact of a site, or the block of an area.
    pub(crate) fn add_site<'a>(
        &self,
        site: &mut Site<'a>,
        sample: Option<Sample<'a>>,
        halfway: Halfway,
        lists: &mut ContactLists,
    ) {
        site.state.sample = sample;
        let state = &site.state;
        match &site.place {
            Place::Point(point) => {
                let past = self.point_past(site.pair, &point.key, halfway);
                let answer = site.pair.law(state, &Footprint::Point, past.as_ref());
                let Some(Answer { law, moment, .. }) = answer else { return };
                lists.contacts.push(point.contact(state, law, remembered(moment, past)));
            }
            Place::Area(area) => self.add_block(site.pair, state, area, halfway, lists),
            Place::Volume(volume) => {
                let footprint = Footprint::Ellipse { patch: volume.patch, rolling: volume.rolling };
                if let Some(answer) = site.pair.law(state, &footprint, None) {
                    lists.contacts.push(volume.contact(state, answer.law));
                }
            }
        }
    }

    /// Adds the friction of an area, to which the last contacts belong.
    fn add_block(
        &self,
        pair: &Pair,
        state: &ContactState,
        area: &AreaSite,
        halfway: Halfway,
        lists: &mut ContactLists,
    ) {
        let AreaSite { manifold, patch, centre, spin, start, .. } = area;
        let bodies = manifold.bodies;
        let last = self.memory.patch(bodies, manifold.parts);
        let past = last.and_then(|l| l.past).map(|past| self.turned(past, bodies, halfway));
        let contour = Contour {
            corners: &patch.outline,
            disc: patch.disc.map(|(_, radius)| radius),
            area: patch.area,
            centroid: patch.centroid,
        };
        let footprint = Footprint::Area(ContactArea {
            contour,
            spin: *spin,
            last: last.map(|last| &last.limit),
        });
        let answer = pair.law(state, &footprint, past.as_ref());
        let Some(Answer { law, frame, limit: Some(limit), moment }) = answer else { return };
        let end = lists.contacts.len();
        let contacts = end - manifold.points.len()..end;
        for contact in &mut lists.contacts[contacts.clone()] {
            contact.patch = Some(lists.blocks.len());
        }
        lists.blocks.push(PatchBlock {
            bodies,
            parts: manifold.parts,
            contacts,
            frame,
            centre: *centre,
            law,
            impulse: start.0,
            spin_impulse: start.1,
            limit,
            remembered: remembered(moment, past),
        });
    }

    /// What a contact point remembers, turned with the bodies.
    fn point_past(&self, pair: &Pair, key: &ContactKey, halfway: Halfway) -> Option<Past> {
        pair.memory.as_ref()?;
        self.memory.past(key).map(|past| self.turned(past, key.bodies, halfway))
    }

    fn turned(&self, past: Past, bodies: [usize; 2], halfway: Halfway) -> Past {
        let turn = DQuat::from_scaled_axis(halfway.turn(bodies, self.settings.dt));
        Past { vector: turn * past.vector, ..past }
    }
}

fn remembered(moment: Option<Box<(Moment, Law)>>, past: Option<Past>) -> Option<Box<Remembered>> {
    let (moment, without) = *moment?;
    Some(Box::new(Remembered { moment, without, past, given: 0.0 }))
}

impl PointSite<'_> {
    #[inline]
    pub(crate) fn contact(
        &self,
        state: &ContactState,
        law: Law,
        remembered: Option<Box<Remembered>>,
    ) -> Contact {
        Contact {
            bodies: self.key.bodies,
            point: self.at,
            frame: state.frame,
            gap: self.point.gap,
            impulse: self.last.map_or(DVec3::ZERO, |c| c.impulse),
            spin_impulse: self.last.map_or(0.0, |c| c.spin_impulse),
            load: 0.0,
            slip: DVec3::ZERO,
            law,
            patch: None,
            key: self.key,
            wrench: None,
            local: self.point.local,
            slop: self.slop,
            normal_target: self.normal_target,
            slip_target: if remembered.is_none() { self.slip_target } else { DVec3::ZERO },
            remembered,
        }
    }
}

impl VolumeSite {
    fn contact(&self, state: &ContactState, law: Law) -> Contact {
        let (bodies, overlap) = (self.shared.bodies, &self.shared.overlap);
        Contact {
            bodies,
            point: overlap.centroid,
            frame: state.frame,
            gap: self.gap,
            impulse: self.last.map_or(DVec3::ZERO, |w| w.impulse),
            spin_impulse: 0.0,
            load: 0.0,
            slip: DVec3::ZERO,
            law,
            patch: None,
            key: ContactKey { bodies, parts: [0; 2], id: self.shared.number },
            wrench: Some(Box::new(WrenchContact {
                centre: overlap.centroid,
                patch: self.patch,
                volume: overlap.volume,
                torque_impulse: self.last.map_or(DVec3::ZERO, |w| w.torque),
                compliance: self.compliance,
                turn: self.turn,
            })),
            local: [DVec3::ZERO; 2],
            slop: self.slop,
            normal_target: self.normal_target,
            slip_target: DVec3::ZERO,
            remembered: None,
        }
    }
}
