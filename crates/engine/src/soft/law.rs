//! Friction laws of contacts of soft bodies.

use asperity_friction::pairing::{Memory, Pairing};
use asperity_friction::section::{Area, Sampling, Section};
use asperity_friction::set::{Disk, Set};
use asperity_friction::{ContactFrame, ContactState};
use asperity_soft::contact::{ContactGeometry, FrictionLaws};
use glamx::{DVec2, DVec3};

use super::Soft;
use super::obstacle::{Moving, Solid};
use crate::ask::{Asked, Eyes, Seen};
use crate::sample::Patches;
use crate::world::{Body, StepReport, World, WorldError};
use crate::wrench::ContactKind;
use asperity_geometry::collision::Collision;
use asperity_geometry::structure::StructureField;

/// What friction laws need beside the contacts.
pub(super) struct Around<'a> {
    pub(super) bodies: &'a [Body],
    pub(super) moving: &'a [Moving],
    pub(super) pairing: &'a Pairing,
    pub(super) collision: &'a Collision,
    pub(super) patches: &'a mut Patches,
    pub(super) report: &'a mut StepReport,
    /// What vertices on obstacles gain in the step without contacts, m/s, where their velocities do
    /// not have it yet.
    pub(super) fall: DVec3,
}

/// The friction of contacts by the materials of what touches.
pub(super) struct Laws<'a, 'b> {
    around: &'b mut Around<'a>,
    /// Materials of vertices.
    surfaces: &'b [usize],
    /// Areas of vertices; none where no section asks for them.
    shares: &'b [f64],
    /// Bodies of obstacles, and the shapes of all bodies.
    touched: &'b [usize],
    solids: &'b [Option<Solid>],
    /// Sets given since they were last settled.
    given: usize,
    /// Those among them that wait for the sample of a patch: set, patch, section and state.
    waiting: Vec<(usize, usize, &'a dyn Section, ContactState<'a>)>,
}

impl<'a, 'b> Laws<'a, 'b> {
    pub(super) fn new(
        around: &'b mut Around<'a>,
        surfaces: &'b [usize],
        shares: &'b [f64],
        touched: &'b [usize],
        solids: &'b [Option<Solid>],
    ) -> Laws<'a, 'b> {
        around.patches.batch.clear();
        Laws { around, surfaces, shares, touched, solids, given: 0, waiting: Vec::new() }
    }

    /// Asks for the patch of a contact: a window as wide as the section wants, or a square as large
    /// as the surface that the contact stands for.
    fn ask(
        &mut self,
        g: &ContactGeometry,
        materials: [usize; 2],
        state: &ContactState,
        section: &dyn Section,
    ) -> Option<usize> {
        let (sampling, directions) = section.sampling()?;
        let own = || self.share(g).filter(|_| sampling.area == Area::Whole);
        let width = own().map_or(sampling.width, f64::sqrt);
        let Around { bodies, moving, collision, patches, .. } = &mut *self.around;
        let (a, at) = match g.surface {
            Some(s) => {
                let body = self.touched[s.obstacle as usize];
                let pose = moving[body].pose;
                (Seen::Moved { body, pose, point: s.point }, s.point)
            }
            None => (Seen::Sheet(materials[0]), DVec3::ZERO),
        };
        let asked = Asked {
            sides: [a, Seen::Sheet(materials[1])],
            at,
            // A sheet follows what is round or has steps.
            gap: width,
            sampling: Sampling { width, ..sampling },
            outline: Vec::new(),
        };
        let eyes = Eyes { collision, bodies };
        Some(eyes.ask(&asked, state, section.rotation(state), directions, patches))
    }

    /// The grain that the obstacle of a contact has of its own, world.
    fn grain(&self, g: &ContactGeometry) -> Option<DVec3> {
        let s = g.surface?;
        let body = self.touched[s.obstacle as usize];
        let field = self.around.bodies[body].structure();
        if matches!(field, StructureField::None) {
            return None;
        }
        let pose = &self.around.moving[body].pose;
        let (point, back) = (pose.inverse_transform_point(s.point), pose.rotation.inverse());
        let frame = self.solids[body].as_ref()?.surface(point, back * g.frame.normal);
        Some(pose.rotation * field.at(point, &frame)?)
    }

    /// The area that a contact stands for: that of the side with less.
    fn share(&self, g: &ContactGeometry) -> Option<f64> {
        let of = |(vertices, weights): (&[u32], &[f64])| {
            let area = |(v, w): (&u32, &f64)| {
                self.shares.get(*v as usize).map_or(0.0, |share| share * w.abs())
            };
            vertices.iter().zip(weights).map(area).sum::<f64>()
        };
        let (a, b) = (of(g.contact.side_a()), of(g.contact.side_b()));
        // Corners of rigid bodies and obstacles have no area.
        let least = [a, b].into_iter().filter(|area| *area > 0.0).fold(f64::INFINITY, f64::min);
        least.is_finite().then_some(least)
    }
}

impl FrictionLaws for Laws<'_, '_> {
    fn set(&mut self, g: &ContactGeometry) -> Set {
        let number = self.given;
        self.given += 1;
        let vertex = |list: &[u32]| list.first().map_or(0, |v| self.surfaces[*v as usize]);
        let a = match g.obstacle {
            Some(k) => self.around.bodies[self.touched[k]].surface(),
            None => vertex(g.contact.side_a().0),
        };
        let materials = [a, vertex(g.contact.side_b().0)];
        let pairing = self.around.pairing;
        let Ok(pair) = pairing.pair(materials[0], materials[1]) else {
            // Pairs without a section are refused when a body is added.
            return Set::from(Disk::frictionless());
        };
        let at = |side: usize| {
            let axes = g.axes[side];
            pairing.surfaces()[materials[side]].at(axes.tangent, axes.bitangent, axes.uv)
        };
        let mut on = [at(0), at(1)];
        if let Some(grain) = self.grain(g) {
            on[0].structure = grain;
        }
        let state = ContactState {
            frame: g.frame,
            surfaces: on,
            slip: g.slip,
            free_slip: g.free_slip + g.obstacle.map_or(DVec3::ZERO, |_| self.around.fall),
            last_load: None,
            dt: g.dt,
        };
        let section = pair.section.as_ref();
        match self.ask(g, materials, &state, section) {
            None => planar(section.law(&state).set),
            Some(patch) => {
                self.waiting.push((number, patch, section, state));
                Set::Free(2)
            }
        }
    }

    fn settle(&mut self, sets: &mut [Set]) {
        self.given = 0;
        if self.waiting.is_empty() {
            return;
        }
        let Around { patches, report, .. } = &mut *self.around;
        report.patches += patches.batch.jobs.len();
        let error = patches.sample().err();
        report.sampler_error = report.sampler_error.take().or(error);
        for (number, patch, section, state) in self.waiting.drain(..) {
            let sample = patches.samples.get(&patches.batch, patch);
            sets[number] = planar(section.sampled_law(&state, &sample).set);
        }
        patches.batch.clear();
    }
}

/// A vertex carries no torque.
fn planar(set: Set) -> Set {
    if set.dim() == 2 {
        return set;
    }
    // Sets without two rows are refused when a body is added.
    set.without_torque().unwrap_or(Set::Disk(Disk::frictionless()))
}

/// The area of each vertex of soft bodies, m²: a third of its triangles. Nothing where no section
/// asks for it.
pub(super) fn find_shares(pairing: &Pairing, list: &[Soft], shares: &mut Vec<f64>) {
    shares.clear();
    let whole = |s: &dyn Section| s.sampling().is_some_and(|(s, _)| s.area == Area::Whole);
    if !pairing.pairs().any(|pair| whole(pair.section.as_ref())) {
        return;
    }
    for Soft { body, first, .. } in list {
        shares.resize(first + body.positions.len(), 0.0);
        for t in &body.triangles {
            let [a, b, c] = t.map(|v| body.positions[v as usize]);
            let share = (b - a).cross(c - a).length() / 6.0;
            for v in t {
                shares[first + *v as usize] += share;
            }
        }
    }
}

impl World {
    /// Whether a soft body of material `b` may touch material `a`. A contact of a soft body is a
    /// vertex with two friction rows that remembers nothing.
    pub(crate) fn check_soft_pair(&self, a: usize, b: usize) -> Result<(), WorldError> {
        let pair = self.pairing.pair(a, b)?;
        let surfaces = [a, b].map(|k| &self.pairing.surfaces()[k]);
        let refuse = |what: &str| {
            let [a, b] = surfaces.map(|s| &s.name);
            Err(WorldError::Bad(format!("materials \"{a}\" and \"{b}\": {what}")))
        };
        if pair.memory != Memory::None {
            return refuse(
                "their contacts remember, but bristles belong to a whole patch, and cloth and soft \
                 solids touch at vertices; give this pair an entry with memory = \"none\"",
            );
        }
        if self.contact_kind(a, b) != ContactKind::Points {
            return refuse(
                "they touch by one wrench, but cloth and soft solids touch at vertices, which have \
                 no torque; give this pair an entry with contact = \"points\"",
            );
        }
        let state = ContactState {
            frame: ContactFrame::from_normal(DVec3::Y),
            surfaces: surfaces.map(|s| s.at(DVec3::X, DVec3::Z, DVec2::ZERO)),
            slip: DVec3::X,
            free_slip: DVec3::X,
            last_load: None,
            dt: 0.01,
        };
        let set = pair.section.law(&state).set;
        if set.without_torque().is_none() {
            return refuse(&format!(
                "the section \"{}\" gives a set \"{}\" that has no cut at zero torque, but vertices \
                 of cloth and soft solids carry no torque; expected a set with two rows along the \
                 surface",
                pair.section.name(),
                set.name()
            ));
        }
        Ok(())
    }
}
