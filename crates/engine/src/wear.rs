//! Surfaces that wear: what slip takes from the heights of each body's own copy of its relief.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use asperity_friction::surface::Relief;
use asperity_friction::surface::patch::Rub;

use crate::body::BodyId;
use crate::contact::ContactKey;
use crate::dynamics::midpoint::Midpoint;
use crate::sampling::PatchSamples;
use crate::site::{Halfway, Place, Site};
use crate::world::World;

/// The worn reliefs of bodies, by their numbers.
pub(crate) type Wear = BTreeMap<usize, Worn>;

/// The relief of a body that wears.
#[derive(Debug, Clone)]
pub(crate) struct Worn {
    /// Depth that each texel lost so far, metres; in double precision, since a step takes little.
    lost: Vec<f64>,
    /// As it is now.
    pub(crate) relief: Arc<Relief>,
}

/// A patch that was rubbed in a step.
struct Rubbed {
    bodies: [usize; 2],
    /// Number of the patch in the batch.
    job: usize,
    rub: Rub,
}

impl World {
    /// The relief of a body as it is now; `None` where its surface is smooth.
    pub fn relief(&self, body: BodyId) -> Option<&Relief> {
        let of_surface = || {
            let surface = self.bodies.get(body.0)?.surface();
            self.pairing.surfaces()[surface].relief.as_deref()
        };
        self.wear.get(&body.0).map(|worn| worn.relief.as_ref()).or_else(of_surface)
    }

    /// The volume that wear took from a body, m³: of one copy of its relief, where that repeats.
    pub fn worn_volume(&self, body: BodyId) -> f64 {
        self.wear.get(&body.0).map_or(0.0, |worn| {
            let size = worn.relief.map().size().element_product();
            worn.lost.iter().sum::<f64>() * size / worn.lost.len().max(1) as f64
        })
    }

    /// Takes from the bodies that rubbed on each other in the step what their surfaces lose. One patch after
    /// the other, so that the number of threads changes nothing.
    pub(crate) fn wear_surfaces(&mut self, middle: &[Midpoint]) {
        if self.pairing.surfaces().iter().all(|surface| surface.wear == 0.0) {
            return;
        }
        let mut samples = std::mem::take(&mut self.samples);
        samples.clear();
        let rubbed = self.rubbed(middle, &mut samples);
        let mut wear = std::mem::take(&mut self.wear);
        let mut touched = Vec::new();
        for Rubbed { bodies, job, rub } in rubbed {
            for (side, body) in bodies.into_iter().enumerate() {
                let rate = self.pairing.surfaces()[self.bodies[body].surface()].wear;
                let number = samples.batch.jobs[job].sides[side].relief;
                let (true, Some(number)) = (rate > 0.0, number) else { continue };
                let relief = &samples.batch.reliefs[number];
                let fresh = || Worn {
                    lost: vec![0.0; relief.map().slopes().len()],
                    relief: relief.clone(),
                };
                let worn = wear.entry(body).or_insert_with(fresh);
                rub.wear(&samples.batch.patch(job), side, rate, &mut worn.lost);
                touched.push(body);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for body in touched {
            let surface = self.bodies[body].surface();
            let (Some(worn), Some(first)) =
                (wear.get_mut(&body), &self.pairing.surfaces()[surface].relief)
            else {
                continue;
            };
            // What is lost is finite and as long as the map, so that this does not fail.
            if let Ok(relief) = first.worn(&worn.lost) {
                worn.relief = Arc::new(relief);
                samples.set_relief(body, worn.relief.clone());
            }
        }
        (self.wear, self.samples) = (wear, samples);
    }

    /// The patches that rubbed in a step, once more where bodies were half-way, with what they carried.
    fn rubbed(&self, middle: &[Midpoint], samples: &mut PatchSamples) -> Vec<Rubbed> {
        let loads: HashMap<ContactKey, f64> =
            self.contacts.iter().map(|contact| (contact.key, contact.load)).collect();
        let halfway = Halfway { middle, free: middle, found: None };
        let mut rubbed = Vec::new();
        let mut whole = None;
        self.each_site(halfway, &mut |site| {
            rubbed.extend(self.rub(site, middle, &loads, (&mut whole, samples)));
        });
        rubbed
    }

    /// What rubbed at a site: `None` where nothing wears, or touches by volume.
    fn rub(
        &self,
        site: &mut Site,
        middle: &[Midpoint],
        loads: &HashMap<ContactKey, f64>,
        (whole, samples): (&mut Option<(usize, usize)>, &mut PatchSamples),
    ) -> Option<Rubbed> {
        let (manifold, points, spins) = match &site.place {
            Place::Point(p) => (p.manifold, std::slice::from_ref(p.point), false),
            Place::Area(a) => (a.manifold, a.manifold.points.as_slice(), true),
            Place::Volume(_) => return None,
        };
        // The points of a patch with an extent have no friction of their own.
        let of_area = site.pair.extent.is_spin();
        let bodies = manifold.bodies;
        let wears = |body: &usize| self.pairing.surfaces()[self.bodies[*body].surface()].wear > 0.0;
        if of_area != spins || !bodies.iter().any(wears) {
            return None;
        }
        let key = |id: u64| ContactKey { bodies, parts: manifold.parts, id };
        let load: f64 = points.iter().filter_map(|p| loads.get(&key(p.id))).sum();
        if load <= 0.0 {
            return None;
        }
        site.state.last_load = Some(load);
        let job = self.request(site, whole, samples)?;
        let frame = site.state.frame;
        let at = samples.centres[job];
        let [a, b] = bodies.map(|k| &middle[k]);
        let mean = |m: &Midpoint| 0.5 * (m.begin_velocity(at) + m.velocity(at));
        let turn = 0.5 * (b.begin_angular + b.angular - a.begin_angular - a.angular);
        let dt = self.settings.dt;
        let way = frame.to_plane(mean(b) - mean(a)) * dt;
        Some(Rubbed { bodies, job, rub: Rub { load, way, turn: turn.dot(frame.normal) * dt } })
    }
}
