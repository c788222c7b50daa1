//! One friction block for a whole patch: sliding, spin and bristles (`extent = "spin"`).

mod outline;
mod works;

use std::ops::Range;

use asperity_friction::extent::LimitMap;
use asperity_friction::memory::{Parameters, Reduced, StepLaw};
use asperity_friction::pairing::{Memory, Pair};
use asperity_friction::set::{Rotation, Set};
use asperity_friction::{ContactFrame, ContactState, FrictionError};
use glamx::{DQuat, DVec2, DVec3};

use crate::contact::Contact;
use crate::island::PatchRows;
use asperity_geometry::collision::{Manifold, Patch};
use outline::Outline;
use works::{Works, coefficient, is_slippery, turned};

/// Friction of the patch of one manifold: rows (t, b, spin) about the centre of its load, a limit
/// surface, and bristles where the pair remembers. With bristles also a line has one, and a point,
/// with rows (t, b). Its load is that of its contacts, which have no
/// friction of their own.
#[derive(Debug, Clone)]
pub struct PatchBlock {
    /// Numbers of the two bodies, A then B.
    pub bodies: [usize; 2],
    /// Parts of their shapes.
    pub parts: [u32; 2],
    /// Its contacts among those of the step.
    pub contacts: Range<usize>,
    /// Normal from A to B; t along the patch's longest side.
    pub frame: ContactFrame,
    /// Centre of the load of the last step; that of the patch when it is new. World axes.
    pub centre: DVec3,
    /// Admissible wrenches per unit load, in the frame.
    pub set: Set,
    /// Friction impulse on B, N s, world axes.
    pub impulse: DVec3,
    /// Torque impulse on B about the normal, at the centre, N m s.
    pub spin_impulse: f64,
    /// Bending of the bristles: two lengths in the contact plane, metres, world axes.
    pub bend: DVec3,
    /// The same about the normal: r² times an angle, m².
    pub twist: f64,
    /// Where the solve begins, as the two impulses.
    pub(crate) warm: (DVec3, f64),
    /// Σ of the normal impulses of the last step, N s.
    pub(crate) load_impulse: f64,
    pub(crate) bristles: Option<Bristles>,
    outline: Outline,
    works: Works,
}

/// Bristles over one step.
#[derive(Debug, Clone)]
pub(crate) struct Bristles {
    pub(crate) reduced: Reduced,
    pub(crate) law: StepLaw,
}

/// A manifold whose pair carries spin, as far as the block needs it.
pub(crate) struct Touch<'a> {
    pub(crate) manifold: &'a Manifold,
    pub(crate) pair: &'a Pair,
    pub(crate) patch: &'a Patch,
    pub(crate) contacts: Range<usize>,
    /// Σ load of the last step (N), and Σ load × place.
    pub(crate) load: (f64, DVec3),
    /// Σ of the contacts' impulses and spin impulses of the last step.
    pub(crate) warm: (DVec3, f64),
    /// Of some contact of the manifold.
    pub(crate) state: ContactState<'a>,
    /// The block of the last step.
    pub(crate) last: Option<&'a PatchBlock>,
    /// How far the two bodies turned since, on the mean.
    pub(crate) turn: DVec3,
}

impl Touch<'_> {
    /// Centre of the load of the last step; that of the patch where there was none.
    pub(crate) fn centre(&self) -> DVec3 {
        let (load, moment) = self.load;
        if load > 0.0 { moment / load } else { self.patch.centroid }
    }
}

impl PatchBlock {
    /// The block of a manifold; `law` is the planar section for a state of the contact, `slip` the
    /// velocity of B against A at a place when the step begins, and `spin` that about the normal.
    /// `None` without friction, or where bodies touch at a line or a point and nothing is remembered:
    /// such contacts keep friction of their own.
    pub(crate) fn new(
        touch: &Touch,
        law: impl FnOnce(&ContactState) -> Set,
        slip: impl Fn(DVec3) -> DVec3,
        spin: f64,
    ) -> Option<PatchBlock> {
        let remembers = touch.pair.memory != Memory::None;
        let found = Outline::of(touch.patch, &touch.state.frame);
        let thin = || Outline::thin(touch.patch, &touch.state.frame);
        let (frame, outline) = if remembers { found.or_else(thin) } else { found }?;
        let spin = if outline == Outline::Point { 0.0 } else { spin };
        let known = touch.last.filter(|last| last.outline.is_same(&outline));
        let (load, _) = touch.load;
        let centre = touch.centre();
        let slip = frame.to_plane(slip(centre));
        let isotropic = touch.pair.section.has_limit_surface();
        let last = known.map(|k| &k.works);
        let mut works = if isotropic { Works::isotropic(&outline, last) } else { last.cloned() };
        // ‖v_S‖: what the coefficient depends on is sliding and spin together.
        let radius = works.as_ref().map_or_else(|| outline.gyration2().sqrt(), Works::spin_radius);
        let speed = slip.length().hypot(radius * spin);
        let along = if slip == DVec2::ZERO { DVec2::X } else { slip.normalize() };
        let contact = touch.state.frame;
        let state = ContactState {
            slip: frame.to_world(along * speed),
            last_load: (load > 0.0).then_some(load),
            ..touch.state
        };
        // From the axes of the contact to those of the block.
        let turn = Rotation::from_direction(contact.to_plane(frame.t))?;
        let section = turned(law(&state), turn)?;
        if is_slippery(&section) {
            return None;
        }
        if !isotropic {
            works = Works::new(&outline, &section, last);
        }
        let works = works?;
        let set = works.set(&outline, &section)?;
        let mut block = PatchBlock {
            bodies: touch.manifold.bodies,
            parts: touch.manifold.parts,
            contacts: touch.contacts.clone(),
            frame,
            centre,
            set,
            impulse: DVec3::ZERO,
            spin_impulse: 0.0,
            bend: DVec3::ZERO,
            twist: 0.0,
            warm: touch.warm,
            load_impulse: load * state.dt,
            bristles: None,
            outline,
            works,
        };
        if let Memory::Bristles(parameters) = &touch.pair.memory {
            let mu = coefficient(&section, slip);
            let parameters = Parameters { coulomb: mu, stiction: mu, ..*parameters };
            block.bend(&parameters, touch, slip.extend(spin), state.dt).ok()?;
        }
        Some(block)
    }

    /// The law of bristles that are bent as the last step left them, turned with the bodies.
    fn bend(
        &mut self,
        parameters: &Parameters,
        touch: &Touch,
        twist: DVec3,
        dt: f64,
    ) -> Result<(), FrictionError> {
        let (map, radius) = (LimitMap::Ellipsoid, self.works.spin_radius());
        let gyration2 = self.outline.gyration2();
        let mut reduced = Reduced::with_radius(*parameters, map, radius, gyration2)?;
        if let Some(last) = touch.last {
            let bend = self.frame.to_plane(DQuat::from_scaled_axis(touch.turn) * last.bend);
            reduced.set_deflection(bend.extend(last.twist));
        }
        let law = reduced.step_law_in(self.set.clone(), twist, dt);
        self.bristles = Some(Bristles { reduced, law });
        Ok(())
    }

    /// Compliance of the rows in a solve over impulses, once their load is known, and behind them of
    /// the rows of viscous drag.
    pub(crate) fn compliances(&self, load_impulse: f64) -> Option<impl Iterator<Item = f64>> {
        let (law, dim) = (&self.bristles.as_ref()?.law, self.set.dim());
        let diagonal = |m: &glamx::DMat3| [m.x_axis.x, m.y_axis.y, m.z_axis.z];
        let give = |c: f64| if load_impulse > 0.0 { c / load_impulse } else { 0.0 };
        // Without load, drag is next to nothing.
        let drag = |d: f64| 1.0 / (d * load_impulse).max(1e-12);
        let gives = diagonal(&law.compliance).map(give).into_iter().take(dim);
        Some(gives.chain(diagonal(&law.drag).map(drag).into_iter().take(dim)))
    }

    /// Whether there are rows of viscous drag.
    pub(crate) fn drags(&self) -> bool {
        self.bristles.as_ref().is_some_and(|b| b.law.drag.x_axis.x > 0.0)
    }

    /// Velocities with which bent bristles push.
    pub(crate) fn bias(&self) -> DVec3 {
        self.bristles.as_ref().map_or(DVec3::ZERO, |b| b.law.bias)
    }

    /// Rows as (direction, whether it is a rotation).
    pub(crate) fn rows(&self) -> impl Iterator<Item = (DVec3, bool)> {
        let all = [(self.frame.t, false), (self.frame.b, false), (self.frame.normal, true)];
        all.into_iter().take(self.set.dim())
    }

    /// Notes what a solve gave, bends the bristles, and gives each contact a share by its load.
    /// `keep` are the impulses that the next step begins with.
    pub(crate) fn carry(
        &mut self,
        at: &PatchRows,
        r: &[f64],
        keep: &[f64],
        contacts: &mut [Contact],
        dt: f64,
    ) {
        let normals = &r[at.normals.clone()];
        let load: f64 = normals.iter().sum();
        let dim = self.set.dim();
        let rows = |r: &[f64], first: usize| {
            DVec3::new(r[first], r[first + 1], if dim == 3 { r[first + 2] } else { 0.0 })
        };
        let wrench = rows(r, at.first);
        let drag = if self.drags() { rows(r, at.first + dim) } else { DVec3::ZERO };
        let all = wrench + drag;
        (self.impulse, self.spin_impulse) = (self.frame.to_world(all.truncate()), all.z);
        if let Some(Bristles { reduced, law }) = &mut self.bristles {
            reduced.advance(law, wrench / dt, load / dt);
            let z = reduced.deflection();
            (self.bend, self.twist) = (self.frame.to_world(z.truncate()), z.z);
        }
        let keep = rows(keep, at.first);
        let next = self.frame.to_world(keep.truncate());
        for (contact, normal) in contacts[self.contacts.clone()].iter_mut().zip(normals) {
            let share = if load > 0.0 { normal / load } else { 0.0 };
            contact.impulse += self.impulse * share;
            contact.spin_impulse = self.spin_impulse * share;
            contact.next.0 += next * share;
            contact.next.1 = keep.z * share;
        }
    }
}
