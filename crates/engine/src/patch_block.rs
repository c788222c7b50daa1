//! One friction block for a whole patch: sliding, spin and bristles (`extent = "spin"`).

use std::ops::Range;

use asperity_friction::extent::{LimitMap, disc_set, line_set, polygon_set};
use asperity_friction::memory::{Parameters, Reduced, StepLaw};
use asperity_friction::pairing::{Memory, Pair};
use asperity_friction::set::{Disk, Ellipse, LimitSurface, Rotation, Set};
use asperity_friction::{ContactFrame, ContactState, FrictionError};
use glamx::{DQuat, DVec2, DVec3};

use crate::collide::{Manifold, Patch};
use crate::contact::Contact;
use crate::island::PatchRows;

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
    /// For a coefficient of one.
    surface: LimitSurface,
}

/// Bristles over one step.
#[derive(Debug, Clone)]
pub(crate) struct Bristles {
    pub(crate) reduced: Reduced,
    pub(crate) law: StepLaw,
}

/// The patch about its centroid, in the axes of the block's frame.
#[derive(Debug, Clone, PartialEq)]
enum Outline {
    Disc(f64),
    Polygon(Vec<DVec2>),
    /// Length. Only with bristles, as a point.
    Line(f64),
    /// Without torque.
    Point,
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

/// Rings of a disc.
const RINGS: usize = 16;
/// Pieces of a polygon along a side.
const BLOCKS: usize = 6;
/// Pieces of a line.
const PIECES: usize = 9;
/// Lines shorter than this are points, metres.
const SHORTEST: f64 = 1e-6;
/// Patches whose corners differ by less than this part of their size are the same.
const SAME: f64 = 1e-9;

impl PatchBlock {
    /// The block of a manifold; `slip` is the velocity of B against A at a place when the step
    /// begins, and `spin` that about the normal. `None` without friction, or where bodies touch at a
    /// line or a point and nothing is remembered: such contacts keep friction of their own.
    pub(crate) fn new(
        touch: &Touch,
        slip: impl Fn(DVec3) -> DVec3,
        spin: f64,
    ) -> Option<PatchBlock> {
        let remembers = touch.pair.memory != Memory::None;
        let found = Outline::of(touch.patch, &touch.state.frame);
        let thin = || Outline::thin(touch.patch, &touch.state.frame);
        let (frame, outline) = if remembers { found.or_else(thin) } else { found }?;
        let spin = if outline == Outline::Point { 0.0 } else { spin };
        let known = touch.last.filter(|last| last.outline.is_same(&outline));
        let surface = match known {
            Some(last) => last.surface.clone(),
            None => outline.surface().ok()?,
        };
        let (load, moment) = touch.load;
        let centre = if load > 0.0 { moment / load } else { touch.patch.centroid };
        let slip = frame.to_plane(slip(centre));
        // ‖v_S‖: what the coefficient depends on is sliding and spin together.
        let speed = slip.length().hypot(surface.drilling() * spin);
        let state = ContactState {
            slip: frame.t * speed,
            last_load: (load > 0.0).then_some(load),
            frame,
            ..touch.state
        };
        let Set::Disk(disk) = touch.pair.section.law(&state).set else { return None };
        let mu = disk.radius();
        if !(mu > 0.0) {
            return None;
        }
        let mut block = PatchBlock {
            bodies: touch.manifold.bodies,
            parts: touch.manifold.parts,
            contacts: touch.contacts.clone(),
            frame,
            centre,
            set: Set::Free(3),
            impulse: DVec3::ZERO,
            spin_impulse: 0.0,
            bend: DVec3::ZERO,
            twist: 0.0,
            warm: touch.warm,
            load_impulse: load * state.dt,
            bristles: None,
            outline,
            surface,
        };
        match &touch.pair.memory {
            Memory::None => {
                let section = Ellipse::new(mu, mu, Rotation::IDENTITY).ok()?;
                block.set = block.surface.with_section(section).ok()?.into();
            }
            Memory::Bristles(parameters) => {
                let parameters = Parameters { coulomb: mu, stiction: mu, ..*parameters };
                block.bend(&parameters, touch, slip.extend(spin), state.dt).ok()?;
            }
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
        let (map, radius) = (LimitMap::Ellipsoid, self.surface.drilling());
        let gyration2 = self.outline.gyration2();
        let mut reduced = Reduced::with_radius(*parameters, map, radius, gyration2)?;
        if let Some(last) = touch.last {
            let bend = self.frame.to_plane(DQuat::from_scaled_axis(touch.turn) * last.bend);
            reduced.set_deflection(bend.extend(last.twist));
        }
        let law = reduced.step_law(&self.surface, twist, dt)?;
        self.set = match self.outline {
            Outline::Point => Disk::new(parameters.coulomb)?.into(),
            _ => law.set.clone(),
        };
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

impl Outline {
    /// The patch, and the frame in whose axes it is.
    fn of(patch: &Patch, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        if let Some((_, radius)) = patch.disc {
            return Some((*frame, Outline::Disc(radius)));
        }
        let n = patch.outline.len();
        if n < 3 || !(patch.area > 0.0) {
            return None;
        }
        let side = |i: usize| patch.outline[(i + 1) % n] - patch.outline[i];
        let longer = |best: usize, i: usize| {
            if side(i).length_squared() > side(best).length_squared() { i } else { best }
        };
        let first = (1..n).fold(0, longer);
        let along = side(first);
        let t = (along - frame.normal * along.dot(frame.normal)).try_normalize()?;
        let frame = ContactFrame { normal: frame.normal, t, b: frame.normal.cross(t) };
        let corner = |i: usize| frame.to_plane(patch.outline[(first + i) % n] - patch.centroid);
        Some((frame, Outline::Polygon((0..n).map(corner).collect())))
    }

    /// A line or a point, and the frame in whose axes it is.
    fn thin(patch: &Patch, frame: &ContactFrame) -> Option<(ContactFrame, Outline)> {
        let first = *patch.outline.first()?;
        let farther = |best: DVec3, p: &DVec3| {
            let side = *p - first;
            if side.length_squared() > best.length_squared() { side } else { best }
        };
        let along = patch.outline.iter().fold(DVec3::ZERO, farther);
        let flat = along - frame.normal * along.dot(frame.normal);
        if flat.length() < SHORTEST {
            return Some((*frame, Outline::Point));
        }
        let t = flat.normalize();
        let frame = ContactFrame { normal: frame.normal, t, b: frame.normal.cross(t) };
        Some((frame, Outline::Line(flat.length())))
    }

    fn is_same(&self, other: &Outline) -> bool {
        match (self, other) {
            (Outline::Disc(a), Outline::Disc(b)) | (Outline::Line(a), Outline::Line(b)) => {
                (a - b).abs() <= SAME * a
            }
            (Outline::Point, Outline::Point) => true,
            (Outline::Polygon(a), Outline::Polygon(b)) => {
                let size = a.iter().fold(0.0, |m: f64, p| m.max(p.length()));
                let near = |(p, q): (&DVec2, &DVec2)| (*p - *q).length() <= SAME * size;
                a.len() == b.len() && a.iter().zip(b).all(near)
            }
            _ => false,
        }
    }

    fn surface(&self) -> Result<LimitSurface, FrictionError> {
        let round = Ellipse::new(1.0, 1.0, Rotation::IDENTITY)?;
        match self {
            Outline::Disc(radius) => disc_set(*radius, None, 1.0, RINGS),
            Outline::Polygon(corners) => polygon_set(corners, round, BLOCKS),
            Outline::Line(length) => line_set(*length, round, PIECES),
            // Of any size: a point does not spin.
            Outline::Point => disc_set(1.0, None, 1.0, 1),
        }
    }

    /// Mean squared radius (Eq. 27), m².
    fn gyration2(&self) -> f64 {
        match self {
            Outline::Disc(radius) => 0.5 * radius * radius,
            Outline::Line(length) => length * length / 12.0,
            Outline::Point => 0.0,
            Outline::Polygon(corners) => {
                let next = corners.iter().cycle().skip(1);
                let (mut area, mut square) = (0.0, 0.0);
                for (p, q) in corners.iter().zip(next) {
                    let twice = p.perp_dot(*q);
                    area += twice / 2.0;
                    square += twice * (p.length_squared() + p.dot(*q) + q.length_squared()) / 12.0;
                }
                square / area
            }
        }
    }
}
