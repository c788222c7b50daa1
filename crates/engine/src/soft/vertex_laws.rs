//! Friction laws of contacts of soft bodies, which are vertices with two friction rows.

use asperity_friction::extent::{Extent, Footprint};
use asperity_friction::pairing::{Pair, Pairing};
use asperity_friction::section::Sampled;
use asperity_friction::set::Disk;
use asperity_friction::surface::Surface;
use asperity_friction::surface::patch::{Area, Sampling};
use asperity_friction::{ContactFrame, ContactState, Law};
use asperity_geometry::collision::Collision;
use asperity_geometry::structure::StructureField;
use asperity_soft::contact::{ContactGeometry, FeatureKey, FrictionLaws, NO_SURFACE};
use glamx::{DVec2, DVec3};

use super::grain::Grains;
use super::obstacle::{RigidMotion, Solid};
use super::{Soft, SoftContacts};
use crate::body::Body;
use crate::memory::SoftMemory;
use crate::report::StepReport;
use crate::sampling::{BodySurfaces, PatchRequest, PatchSamples, Seen};
use crate::world::{World, WorldError};

/// What friction laws need beside the contacts.
pub(super) struct Surroundings<'a> {
    pub(super) bodies: &'a [Body],
    pub(super) moving: &'a [RigidMotion],
    pub(super) pairing: &'a Pairing,
    pub(super) collision: &'a Collision,
    pub(super) samples: &'a mut PatchSamples,
    pub(super) report: &'a mut StepReport,
    /// What contacts carried in the last step.
    pub(super) memory: &'a SoftMemory,
    /// What vertices on obstacles gain in the step without contacts, m/s, where their velocities do
    /// not have it yet.
    pub(super) fall: DVec3,
    /// When the step begins, seconds.
    pub(super) time: f64,
}

/// What friction laws need of the soft bodies.
#[derive(Clone, Copy)]
pub(super) struct VertexSurfaces<'a> {
    /// Materials of vertices.
    pub(super) materials: &'a [usize],
    /// Areas of vertices, m²; none where no section asks for them.
    pub(super) areas: &'a [f64],
    /// The grain of those soft bodies that have a field.
    pub(super) grains: &'a Grains,
    /// Bodies of obstacles.
    pub(super) obstacle_bodies: &'a [usize],
    /// The shapes of all bodies.
    pub(super) solids: &'a [Option<Solid>],
    /// Whether any of them may have friction.
    pub(super) resist: bool,
}

/// The friction of contacts by the materials of what touches.
pub(super) struct VertexLaws<'a, 'b> {
    around: &'b mut Surroundings<'a>,
    of: VertexSurfaces<'b>,
}

/// A contact whose law waits for the sample of its patch, where it has one.
struct Candidate<'a> {
    pair: &'a Pair,
    state: ContactState<'a>,
    patch: Option<usize>,
}

impl Candidate<'_> {
    fn law(&self, samples: &PatchSamples) -> Option<Law> {
        let sample = self.patch.map(|patch| samples.get(patch));
        let state = ContactState { sample, ..self.state };
        Some(self.pair.law(&state, &Footprint::Vertex, None)?.law)
    }
}

impl<'a, 'b> VertexLaws<'a, 'b> {
    pub(super) fn new(
        around: &'b mut Surroundings<'a>,
        of: VertexSurfaces<'b>,
    ) -> VertexLaws<'a, 'b> {
        VertexLaws { around, of }
    }

    /// Pair, state and patch of a contact; `None` for pairs without a section, which are refused
    /// when a body is added.
    fn candidate(&mut self, g: &ContactGeometry) -> Option<Candidate<'a>> {
        let vertex = |list: &[u32]| list.first().map_or(0, |v| self.of.materials[*v as usize]);
        let a = match g.obstacle {
            Some(k) => self.around.bodies[self.of.obstacle_bodies[k]].surface(),
            None => vertex(g.contact.side_a().0),
        };
        let materials = [a, vertex(g.contact.side_b().0)];
        let pairing = self.around.pairing;
        let pair = pairing.pair(materials[0], materials[1]).ok()?;
        let at = |side: usize| {
            let axes = g.axes[side];
            pairing.surfaces()[materials[side]].at(axes.tangent, axes.bitangent, axes.uv)
        };
        let mut on = [at(0), at(1)];
        let own = [
            self.grain(g).or_else(|| self.grain_of(g.contact.side_a(), g.frame.normal)),
            self.grain_of(g.contact.side_b(), g.frame.normal),
        ];
        for (at, own) in on.iter_mut().zip(own) {
            at.structure = own.unwrap_or(at.structure);
        }
        let state = ContactState {
            slip: g.slip,
            free_slip: g.free_slip + g.obstacle.map_or(DVec3::ZERO, |_| self.around.fall),
            area: self.area(g).unwrap_or(0.0),
            last_load: self.last_load(g),
            ..ContactState::new(g.frame, on, g.dt)
        };
        let patch = self.request(g, materials, &state, pair);
        Some(Candidate { pair, state, patch })
    }

    /// Asks for the patch of a contact: a window as wide as the section wants, or a square as large
    /// as the surface that the contact stands for.
    fn request(
        &mut self,
        g: &ContactGeometry,
        materials: [usize; 2],
        state: &ContactState,
        pair: &Pair,
    ) -> Option<usize> {
        let section = pair.section.sampled()?;
        let (sampling, _) = section.sampling();
        let whole = sampling.area == Area::Whole && state.area > 0.0;
        let width = if whole { state.area.sqrt() } else { sampling.width };
        let Surroundings { bodies, moving, collision, samples, .. } = &mut *self.around;
        let (a, at) = match g.surface {
            Some(s) => {
                let body = self.of.obstacle_bodies[s.obstacle as usize];
                let pose = moving[body].pose;
                (Seen::Moved { body, pose, point: s.point }, s.point)
            }
            None => (Seen::Sheet(materials[0]), DVec3::ZERO),
        };
        let request = PatchRequest {
            sides: [a, Seen::Sheet(materials[1])],
            at,
            // A sheet follows what is round or has steps.
            gap: width,
            sampling: Sampling { width, ..sampling },
            outline: Vec::new(),
        };
        let surfaces = BodySurfaces { collision, bodies };
        Some(surfaces.request(&request, state, section, samples))
    }

    /// The grain that the obstacle of a contact has of its own, world.
    fn grain(&self, g: &ContactGeometry) -> Option<DVec3> {
        let s = g.surface?;
        let body = self.of.obstacle_bodies[s.obstacle as usize];
        let field = self.around.bodies[body].structure();
        if matches!(field, StructureField::None) {
            return None;
        }
        let pose = &self.around.moving[body].pose;
        let (point, back) = (pose.inverse_transform_point(s.point), pose.rotation.inverse());
        let frame = self.of.solids[body].as_ref()?.surface(point, back * g.frame.normal);
        Some(pose.rotation * field.at(point, self.around.time, &frame)?)
    }

    /// The grain that soft bodies have of their own at a point between vertices, world.
    fn grain_of(&self, (vertices, weights): (&[u32], &[f64]), normal: DVec3) -> Option<DVec3> {
        let mut sum: Option<DVec3> = None;
        for (v, weight) in vertices.iter().zip(weights) {
            let Some(grain) = self.of.grains.at(*v as usize, normal) else { continue };
            let part = grain.normalize_or_zero() * weight.abs();
            let sum = sum.get_or_insert(DVec3::ZERO);
            *sum += if sum.dot(part) < 0.0 { -part } else { part };
        }
        sum
    }

    /// The area that a contact stands for: that of the side with less.
    fn area(&self, g: &ContactGeometry) -> Option<f64> {
        let of = |(vertices, weights): (&[u32], &[f64])| {
            let area = |(v, w): (&u32, &f64)| {
                self.of.areas.get(*v as usize).map_or(0.0, |area| area * w.abs())
            };
            vertices.iter().zip(weights).map(area).sum::<f64>()
        };
        let (a, b) = (of(g.contact.side_a()), of(g.contact.side_b()));
        // Corners of rigid bodies and obstacles have no area.
        let least = [a, b].into_iter().filter(|area| *area > 0.0).fold(f64::INFINITY, f64::min);
        least.is_finite().then_some(least)
    }

    /// The normal force of the last step, newtons.
    fn last_load(&self, g: &ContactGeometry) -> Option<f64> {
        let memory = self.around.memory;
        if memory.is_empty() {
            return None;
        }
        memory.get(&key_by_body(g.key, self.of.obstacle_bodies)).map(|point| point.load)
    }
}

impl FrictionLaws for VertexLaws<'_, '_> {
    fn any(&self) -> bool {
        self.of.resist
    }

    fn laws(&mut self, contacts: &[ContactGeometry], out: &mut Vec<Law>) {
        self.around.samples.clear();
        let candidates: Vec<_> = contacts.iter().map(|g| self.candidate(g)).collect();
        let Surroundings { samples, report, .. } = &mut *self.around;
        if !samples.batch.jobs.is_empty() {
            report.patches += samples.batch.jobs.len();
            let error = samples.sample().err();
            report.sampler_error = report.sampler_error.take().or(error);
        }
        let law = |candidate: Option<Candidate>| candidate.and_then(|c| c.law(samples));
        out.extend(
            candidates
                .into_iter()
                .map(|candidate| law(candidate).unwrap_or_else(|| Disk::frictionless().into())),
        );
        samples.clear();
    }
}

/// The key of a contact with its obstacle's body in the place of the obstacle, whose number may
/// change.
pub(super) fn key_by_body(key: FeatureKey, obstacle_bodies: &[usize]) -> FeatureKey {
    let body = |k: u32| obstacle_bodies.get(k as usize).map_or(NO_SURFACE, |body| *body as u32);
    FeatureKey { obstacle: key.obstacle.map(body), ..key }
}

/// The area of each vertex of soft bodies, m²: a third of its triangles. Nothing where no section
/// asks for it.
pub(super) fn find_areas(pairing: &Pairing, list: &[Soft], areas: &mut Vec<f64>) {
    areas.clear();
    let asks = |pair: &Pair| {
        let whole = |s: &dyn Sampled| s.sampling().0.area == Area::Whole;
        pair.section.needs().area || pair.section.sampled().is_some_and(whole)
    };
    if !pairing.pairs().any(asks) {
        return;
    }
    for Soft { body, first, .. } in list {
        areas.resize(first + body.positions.len(), 0.0);
        for t in &body.triangles {
            let [a, b, c] = t.map(|v| body.positions[v as usize]);
            let share = (b - a).cross(c - a).length() / 6.0;
            for v in t {
                areas[first + *v as usize] += share;
            }
        }
    }
}

/// Whether the law of a soft body's material on any other depends on the load of the last step.
pub(super) fn any_needs_load(pairing: &Pairing, list: &[Soft]) -> bool {
    any_pair(pairing, list, |pair, _| pair.section.needs().load)
}

/// Whether a soft body's material on any other may have friction.
pub(super) fn any_resists(pairing: &Pairing, list: &[Soft]) -> bool {
    any_pair(pairing, list, |pair, [a, b]| !pair.section.never_resists(a, b))
}

/// Whether something is so of a soft body's material on any other.
fn any_pair(
    pairing: &Pairing,
    list: &[Soft],
    is_so: impl Fn(&Pair, [&Surface; 2]) -> bool,
) -> bool {
    let mut own: Vec<usize> = list.iter().map(|soft| soft.surface).collect();
    own.sort_unstable();
    own.dedup();
    let surfaces = pairing.surfaces();
    let mut pairs = (0..surfaces.len()).flat_map(|a| own.iter().map(move |b| (a, *b)));
    pairs.any(|(a, b)| {
        pairing.pair(a, b).is_ok_and(|pair| is_so(pair, [a, b].map(|k| &surfaces[k])))
    })
}

/// A contact of two materials that slips along both.
fn probe(pairing: &Pairing, materials: [usize; 2]) -> ContactState<'_> {
    let on = materials.map(|k| pairing.surfaces()[k].at(DVec3::X, DVec3::Z, DVec2::ZERO));
    ContactState {
        slip: DVec3::X,
        free_slip: DVec3::X,
        ..ContactState::new(ContactFrame::from_normal(DVec3::Y), on, 0.01)
    }
}

impl World {
    /// Whether a soft body of material `b` may touch material `a`. A contact of a soft body is a
    /// vertex with two friction rows that keeps nothing but its impulse.
    pub(crate) fn check_soft_pair(&self, a: usize, b: usize) -> Result<(), WorldError> {
        let pair = self.pairing.pair(a, b)?;
        let refuse = |what: &str| {
            let [a, b] = [a, b].map(|k| &self.pairing.surfaces()[k].name);
            Err(WorldError::Bad(format!("materials \"{a}\" and \"{b}\": {what}")))
        };
        if pair.memory.is_some() {
            return refuse(
                "their contacts remember, but nothing keeps what vertices of cloth and soft solids \
                 remember, whichever way their contacts are solved; give this pair an entry with \
                 memory = \"none\"",
            );
        }
        if [a, b].iter().any(|k| self.pairing.surfaces()[*k].wear > 0.0) {
            return refuse(
                "one of them wears, but cloth and soft solids neither wear nor wear others; give one \
                 of the bodies a material without \"wear\"",
            );
        }
        if matches!(pair.extent, Extent::Wrench(_)) {
            return refuse(
                "they touch by one wrench, but cloth and soft solids touch at vertices, which have \
                 no torque; give this pair an entry with contact = \"points\"",
            );
        }
        let law = pair.section.law(&probe(&self.pairing, [a, b]));
        if law.set.without_torque().is_none() {
            return refuse(&format!(
                "the section \"{}\" gives a set \"{}\" that has no cut at zero torque, but vertices \
                 of cloth and soft solids carry no torque; expected a set with two rows along the \
                 surface",
                pair.section.name(),
                law.set.name()
            ));
        }
        if law.rheology.is_some() && self.softs.asked != SoftContacts::Solver {
            return refuse(&format!(
                "the section \"{}\" gives a law with a bias, a compliance or a drag, which contacts \
                 of cloth and soft solids take only as rows of the solver; set soft_contact = \
                 \"solver\"",
                pair.section.name()
            ));
        }
        Ok(())
    }
}
