//! From the places where bodies touch to contacts with a law each.

use std::collections::HashMap;

use asperity_friction::extent::{ContactArea, Contour, Footprint};
use asperity_friction::memory::{Moment, Past};
use asperity_friction::pairing::{Answer, Pair};
use asperity_friction::set::{Kind, MAX_DIM};
use asperity_friction::surface::patch::Sample;
use asperity_friction::{ContactState, Law};
use glamx::{DQuat, DVec3};

use crate::contact::{Contact, ContactKey, PatchBlock, Remembered, WrenchContact};
use crate::dynamics::midpoint::Midpoint;
use crate::settings::Cones;
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
        let free = frictionless.as_deref().unwrap_or(middle);
        let halfway = Halfway { middle, free, found: None };
        let lists = self.take_lists();
        self.add_sites(lists, halfway, |world, visit| world.each_site(halfway, visit));
    }

    /// The same for the manifolds from one on, which were found later: adds to the contacts.
    pub(crate) fn add_laws(&mut self, middle: &[Midpoint], first: usize) {
        let halfway = Halfway { middle, free: middle, found: None };
        let (contacts, blocks) = (&mut self.contacts, &mut self.blocks);
        let lists =
            ContactLists { contacts: std::mem::take(contacts), blocks: std::mem::take(blocks) };
        self.add_sites(lists, halfway, |w, visit| w.each_point_site(halfway, first, visit));
    }

    /// Makes laws again about where the step was found to end (Erleben et al. 2020, Algorithm 2, line 8), if they are
    /// to be of there. Whether any is another: then all is to be solved again.
    pub(crate) fn follow_cones(&mut self, middle: &[Midpoint]) -> bool {
        if self.settings.cones == Cones::HalfWay || self.contacts.is_empty() {
            return false;
        }
        let mut end = middle.to_vec();
        self.islands.add_changes(&mut end);
        self.begin_with_found();
        let halfway = Halfway { middle, free: middle, found: Some(&end) };
        let mut old = ContactLists {
            contacts: std::mem::take(&mut self.contacts),
            blocks: std::mem::take(&mut self.blocks),
        };
        let kept = ContactLists::default();
        self.add_sites(kept, halfway, |world, visit| world.each_site(halfway, visit));
        let any = old.take_laws(&self.contacts, &self.blocks, self.settings.solver.tolerance);
        (self.contacts, self.blocks) = (old.contacts, old.blocks);
        if any {
            self.islands.solve_all();
        }
        any
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
        let AreaSite { manifold, patch, centre, spin, start, slip_target, .. } = area;
        let bodies = manifold.bodies;
        let last = self.memory.patch(bodies, manifold.parts);
        let past =
            last.and_then(|l| l.past.as_ref()).map(|past| self.turned(past, bodies, halfway));
        let contour = Contour {
            corners: &patch.outline,
            disc: patch.disc.map(|(_, radius)| radius),
            area: patch.area,
            centroid: patch.centroid,
            pieces: &patch.pieces,
        };
        let footprint = Footprint::Area(ContactArea {
            contour,
            centre: *centre,
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
            slip_target: *slip_target,
            remembered: remembered(moment, past),
        });
    }

    /// What a contact point remembers, turned with the bodies.
    fn point_past(&self, pair: &Pair, key: &ContactKey, halfway: Halfway) -> Option<Past> {
        pair.memory.as_ref()?;
        self.memory.past(key).map(|past| self.turned(past, key.bodies, halfway))
    }

    fn turned(&self, past: &Past, bodies: [usize; 2], halfway: Halfway) -> Past {
        past.turned(DQuat::from_scaled_axis(halfway.turn(bodies, self.settings.dt)))
    }
}

impl ContactLists {
    /// Takes the laws of the same contacts and patches from other lists, where they differ by more than a part of their
    /// size; whether any does. What remembers keeps its own.
    fn take_laws(&mut self, contacts: &[Contact], blocks: &[PatchBlock], part: f64) -> bool {
        let by_key: HashMap<ContactKey, &Law> = contacts.iter().map(|c| (c.key, &c.law)).collect();
        let mut any = false;
        let mut take = |law: &mut Law, new: Option<&Law>| {
            if let Some(new) = new.filter(|new| differ(law, new, part)) {
                *law = new.clone();
                any = true;
            }
        };
        for contact in self.contacts.iter_mut().filter(|c| c.remembered.is_none()) {
            take(&mut contact.law, by_key.get(&contact.key).copied());
        }
        for block in self.blocks.iter_mut().filter(|b| b.remembered.is_none()) {
            let same = |new: &&PatchBlock| (new.bodies, new.parts) == (block.bodies, block.parts);
            let new = blocks.iter().find(same).filter(|new| new.frame == block.frame);
            take(&mut block.law, new.map(|new| &new.law));
        }
        any
    }
}

/// Whether two laws of one contact differ by more than a part of their size. Those of another kind do not count.
fn differ(old: &Law, new: &Law, part: f64) -> bool {
    let dim = old.set.dim();
    if dim != new.set.dim() || old.set.kind() == Kind::LocalSolve || dim < 2 {
        return false;
    }
    let (mut apart, mut size) = (0.0_f64, 0.0_f64);
    for k in 0..8 {
        let (sin, cos) = (std::f64::consts::FRAC_PI_4 * f64::from(k)).sin_cos();
        let mut direction = [0.0; MAX_DIM];
        (direction[0], direction[1]) = (cos, sin);
        let [a, b] = [old, new].map(|law| law.set.support(&direction[..dim], 1.0));
        (apart, size) = (apart.max((a - b).abs()), size.max(a.abs()).max(b.abs()));
    }
    apart > part * size || (old.load != new.load)
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
            slip_target: self.slip_target,
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
            slip_target: self.slip_target,
            remembered: None,
        }
    }
}
