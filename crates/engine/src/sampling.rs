//! Samples of the patches that sections look at: who takes them, and for which contacts.

mod plain;
mod request;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use asperity_friction::ContactFrame;
use asperity_friction::surface::patch::{
    Area, Batch, Directions, Sample, SamplePatches, Samples, Sampling,
};
use asperity_friction::surface::{Relief, Surface};
use asperity_geometry::collision::{Manifold, Point};
use glamx::DVec3;

pub use plain::PlainPatches;
pub(crate) use request::{BodySurfaces, PatchRequest, Seen};

use crate::site::{Place, Site};
use crate::world::World;

/// The patches of a step and their coefficients.
#[derive(Default)]
pub(crate) struct PatchSamples {
    pub(crate) batch: Batch,
    samples: Samples,
    /// Number of the sample of each site of the step that has one, in their order.
    of_sites: Vec<usize>,
    /// Number of each surface's relief in the batch.
    relief_of: Vec<Option<usize>>,
    /// Number of the relief of each body that has one of its own, since it wears.
    of_bodies: BTreeMap<usize, usize>,
    /// The middle of each patch's window, world axes.
    pub(crate) centres: Vec<DVec3>,
    plain: PlainPatches,
    device: Option<Box<dyn SamplePatches>>,
    /// How long all sampling took so far.
    pub(crate) spent: Duration,
}

impl PatchSamples {
    pub(crate) fn new(surfaces: &[Surface]) -> PatchSamples {
        let mut batch = Batch::default();
        let number = |surface: &Surface| {
            let relief = surface.relief.clone()?;
            batch.reliefs.push(relief);
            Some(batch.reliefs.len() - 1)
        };
        let relief_of = surfaces.iter().map(number).collect();
        let (samples, plain) = (Samples::default(), PlainPatches::default());
        PatchSamples { batch, samples, relief_of, plain, ..PatchSamples::default() }
    }

    pub(crate) fn set_device(&mut self, device: Option<Box<dyn SamplePatches>>) {
        self.device = device;
    }

    pub(crate) fn name(&self) -> String {
        self.device.as_ref().map_or_else(|| self.plain.name(), |d| d.name())
    }

    /// Number of a surface's relief.
    pub(crate) fn relief(&self, surface: usize) -> Option<usize> {
        self.relief_of.get(surface).copied().flatten()
    }

    /// Number of the relief of a body of this surface: its own, where it wears.
    pub(crate) fn relief_of_body(&self, body: usize, surface: usize) -> Option<usize> {
        self.of_bodies.get(&body).copied().or_else(|| self.relief(surface))
    }

    /// Gives a body a relief of its own.
    pub(crate) fn set_relief(&mut self, body: usize, relief: Arc<Relief>) {
        let reliefs = &mut self.batch.reliefs;
        let number = *self.of_bodies.entry(body).or_insert(reliefs.len());
        if number == reliefs.len() {
            reliefs.push(relief);
        } else {
            reliefs[number] = relief;
        }
    }

    /// Bodies have the reliefs of their surfaces again.
    pub(crate) fn forget_reliefs(&mut self) {
        self.of_bodies.clear();
        let shared = self.relief_of.iter().flatten().count();
        self.batch.reliefs.truncate(shared);
    }

    /// Number of these directions.
    pub(crate) fn directions(&mut self, directions: &Arc<Directions>) -> usize {
        let list = &mut self.batch.directions;
        list.iter().position(|d| Arc::ptr_eq(d, directions)).unwrap_or_else(|| {
            list.push(directions.clone());
            list.len() - 1
        })
    }

    /// Forgets the patches of the last batch.
    pub(crate) fn clear(&mut self) {
        self.batch.clear();
        self.centres.clear();
        self.of_sites.clear();
    }

    /// What a patch looked like, by its number in the batch.
    pub(crate) fn get(&self, number: usize) -> Sample<'_> {
        self.samples.get(&self.batch, number)
    }

    /// The samples of the step's sites that have one, in their order.
    pub(crate) fn of_sites(&self) -> impl Iterator<Item = Sample<'_>> {
        self.of_sites.iter().map(|number| self.get(*number))
    }

    /// Samples the batch. Where the device cannot, plain code does, now and from now on; the
    /// error says why.
    pub(crate) fn sample(&mut self) -> Result<(), String> {
        let started = Instant::now();
        let result = self.sample_by_someone();
        self.spent += started.elapsed();
        result
    }

    fn sample_by_someone(&mut self) -> Result<(), String> {
        let failed = match &mut self.device {
            // Devices know Eq. 8 alone; [`Manner`] says so.
            Some(_) if !self.batch.is_plain() => {
                return self.plain.sample(&self.batch, &mut self.samples);
            }
            Some(device) => device.sample(&self.batch, &mut self.samples).err(),
            None => return self.plain.sample(&self.batch, &mut self.samples),
        };
        let Some(error) = failed else { return Ok(()) };
        self.device = None;
        self.plain.sample(&self.batch, &mut self.samples)?;
        Err(error)
    }
}

impl std::fmt::Debug for PatchSamples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PatchSamples").field("sampler", &self.name()).finish_non_exhaustive()
    }
}

impl World {
    /// Samples the patches of the sites that `each` visits, where their sections look at one.
    pub(crate) fn sample_sites(
        &mut self,
        each: impl for<'a> Fn(&'a World, &mut dyn FnMut(&mut Site<'a>)),
    ) {
        let mut samples = std::mem::take(&mut self.samples);
        samples.clear();
        if self.pairing.pairs().any(|pair| pair.section.sampled().is_some()) {
            // The patch of a whole area is looked at once: manifold and number.
            let mut whole = None;
            each(self, &mut |site| {
                let number = self.request(site, &mut whole, &mut samples);
                samples.of_sites.extend(number);
            });
        }
        if !samples.batch.jobs.is_empty() {
            let error = samples.sample().err();
            self.report.sampler_error = self.report.sampler_error.take().or(error);
            self.report.patches += samples.batch.jobs.len();
        }
        self.samples = samples;
    }

    /// Asks for the patch of a site; `None` where its section looks at none.
    pub(crate) fn request(
        &self,
        site: &Site,
        whole: &mut Option<(usize, usize)>,
        samples: &mut PatchSamples,
    ) -> Option<usize> {
        let section = site.pair.section.sampled()?;
        let (sampling, _) = section.sampling();
        let frame = &site.state.frame;
        let (request, manifold) = match &site.place {
            Place::Point(p) => {
                let request = self.request_at(p.manifold, p.number, p.point, sampling, frame);
                (request, (sampling.area == Area::Whole).then_some(p.number))
            }
            Place::Area(a) => {
                let sampling = Sampling { area: Area::Whole, ..sampling };
                (self.request_at(a.manifold, a.number, a.point, sampling, frame), Some(a.number))
            }
            Place::Volume(v) => {
                let [a, b] = v.shared.bodies;
                let sides = [Seen::Body(a, v.parts[0]), Seen::Body(b, v.parts[1])];
                let outline = v.outline(sampling.area, frame);
                let at = v.shared.overlap.centroid;
                (PatchRequest { sides, at, gap: -v.thick, sampling, outline }, None)
            }
        };
        // Under different loads different texels touch.
        if let (Some(manifold), Some((known, number))) = (manifold, *whole)
            && manifold == known
            && sampling.stiffness.is_none()
        {
            return Some(number);
        }
        let surfaces = BodySurfaces { collision: &self.collision, bodies: &self.bodies };
        let number = surfaces.request(&request, &site.state, section, samples);
        *whole = manifold.map(|manifold| (manifold, number)).or(*whole);
        Some(number)
    }

    /// The patch of a point of a manifold.
    fn request_at(
        &self,
        manifold: &Manifold,
        number: usize,
        point: &Point,
        sampling: Sampling,
        frame: &ContactFrame,
    ) -> PatchRequest {
        let at = 0.5 * (point.on_a + point.on_b);
        let outline = match sampling.area {
            Area::Point => Vec::new(),
            Area::Whole => {
                let [a, b] = manifold.bodies.map(|k| self.collision.pose(k));
                let patch = self.collision.patch_between(number, [a.as_ref(), b.as_ref()]);
                patch.outline.iter().map(|p| frame.to_plane(*p - at)).collect()
            }
        };
        let seen = |side: usize| Seen::Body(manifold.bodies[side], manifold.parts[side]);
        PatchRequest { sides: [seen(0), seen(1)], at, gap: point.gap, sampling, outline }
    }
}
