//! The properties of a memory over random histories.

use std::sync::Arc;

use glamx::{DMat3, DVec2, DVec3};

use super::Rng;
use crate::extent::{Bed, Outline, disc_set};
use crate::law::{ContactFrame, Law, Rheology};
use crate::memory::{Bent, Carried, LoadedCells, Memory, Moment, Past};
use crate::set::{Disk, Ellipse, Rotation};

/// Rounding errors allowed, relative to the largest of what is compared.
const TOLERANCE: f64 = 1e-9;
/// The same between two views of one contact. How far steady friction is from the slip is known to the root
/// of rounding only, and damping goes by it.
const SAME: f64 = 1e-6;
/// Steps of a history.
const STEPS: usize = 40;

/// Checks a memory over `cases` random histories, at points and on discs, under constant loads.
///
/// From the beginning on, friction has never given back more than was put in: what is stored plus
/// what is dissipated is zero or more. A new contact does not push. Exchanging A and B, or turning the
/// whole contact, does the same to law and past. Without load everything is forgotten. Whatever a
/// step carried, what is remembered is finite.
///
/// # Panics
///
/// On the first property that fails.
pub fn check_memory(label: &str, cases: usize, memory: &dyn Memory) {
    for number in 0..cases {
        let mut rng = Rng::for_case(label, number);
        let history = History::new(memory, &mut rng);
        if let Err(why) = history.run(&mut rng) {
            panic!("{label}, case {number}, {}: {why}; {history:?}", memory.name());
        }
    }
}

/// From a vector to where it is seen.
type Map<'a> = &'a dyn Fn(DVec3) -> DVec3;

/// A contact that is moved about.
#[derive(Debug)]
struct History<'a> {
    memory: &'a dyn Memory,
    /// The law without memory.
    without: Law,
    start: Moment,
    load: f64,
}

impl<'a> History<'a> {
    fn new(memory: &'a dyn Memory, rng: &mut Rng) -> History<'a> {
        let coefficient = rng.log_uniform(0.05, 2.0);
        let mut start = Moment {
            frame: ContactFrame::from_normal(rng.unit_vector3()),
            twist: DVec3::ZERO,
            found: None,
            steady: DVec3::ZERO,
            spin_radius: 1.0,
            gyration2: 0.0,
            coefficient,
            last_load: None,
            dt: 0.0,
            cells: None,
        };
        let disc = if rng.chance(if memory.cells().is_some() { 0.8 } else { 0.3 }) {
            // Not much larger or smaller than one: the solve below has no sense of units.
            let radius = rng.log_uniform(0.5, 3.0);
            (start.spin_radius, start.gyration2) = (2.0 / 3.0 * radius, 0.5 * radius * radius);
            // No two cells rub alike.
            let loaded = |bed: Arc<Bed>| {
                let friction = (0..bed.places().len()).map(|_| coefficient * rng.uniform(0.8, 1.2));
                Arc::new(LoadedCells { friction: friction.collect(), bed })
            };
            let cells = memory.cells();
            let bed = cells.and_then(|cells| Bed::new(&Outline::Disc(radius), None, cells, None));
            start.cells = bed.map(loaded);
            let section = Ellipse::new(coefficient, coefficient, Rotation::IDENTITY);
            disc_set(radius, None, 1.0, 8).and_then(|unit| unit.with_section(section?)).ok()
        } else {
            None
        };
        let without = disc.map_or_else(
            || Law::from(Disk::new(coefficient).unwrap_or_else(|_| Disk::frictionless())),
            Law::from,
        );
        History { memory, without, start, load: rng.log_uniform(1e-3, 1e3) }
    }

    fn run(&self, rng: &mut Rng) -> Result<(), String> {
        let (mut past, mut twist) = (None, DVec3::ZERO);
        let (mut given, mut moved) = (0.0, 0.0);
        for step in 0..STEPS {
            let dt = rng.log_uniform(1e-4, 1e-1);
            let last_load = (step > 0).then_some(self.load);
            let moment =
                Moment { twist, last_load, dt, ..self.start.clone() }.of_law(&self.without);
            let law = self.law(&moment, past.as_ref())?;
            if past.is_none() && bias(&law) != DVec3::ZERO {
                return Err(format!("a new contact does not push? {law:?}"));
            }
            if rng.chance(0.5) {
                twist = self.motion(rng);
            }
            let wrench = solved(&law, twist, self.load);
            let drag = law.rheology.as_ref().map_or(DVec3::ZERO, |r| r.drag * twist * self.load);
            let work = (drag - wrench).dot(twist) * dt;
            (given, moved) = (given + work, moved + work.abs());
            if !(given >= -TOLERANCE * moved) {
                return Err(format!(
                    "gives back no more than it got? {given:e} after {step} steps"
                ));
            }
            let carried = Carried { wrench, load: self.load, twist };
            self.check_symmetry(&moment, past.as_ref(), &carried, rng)?;
            self.check_oblivion(&moment, past.as_ref(), &carried)?;
            self.check_finite(&moment, past.as_ref(), &carried, rng)?;
            past = self.memory.remember(&moment, past.as_ref(), &carried);
        }
        Ok(())
    }

    /// Slips over eight decades, and none; no spin at a point.
    fn motion(&self, rng: &mut Rng) -> DVec3 {
        if rng.chance(0.2) {
            return DVec3::ZERO;
        }
        let way = rng.unit_vector3() * rng.log_uniform(1e-7, 10.0);
        if self.without.set.dim() == 3 { way } else { way.truncate().extend(0.0) }
    }

    fn law(&self, moment: &Moment, past: Option<&Past>) -> Result<Law, String> {
        let law = self.memory.law(self.without.clone(), moment, past);
        law.ok_or_else(|| "has a law where there is friction?".to_owned())
    }

    /// The same contact seen with A and B exchanged, and turned.
    fn check_symmetry(
        &self,
        moment: &Moment,
        past: Option<&Past>,
        carried: &Carried,
        rng: &mut Rng,
    ) -> Result<(), String> {
        let (here, turn) = (moment.frame, rng.rotation());
        let exchange = |v: DVec3| -v;
        let rotate = |v: DVec3| turn * v;
        let seen: [(&str, ContactFrame, Map); 2] = [
            ("exchanged", ContactFrame::from_normal(-here.normal), &exchange),
            ("turned", ContactFrame::from_normal((turn * here.normal).normalize()), &rotate),
        ];
        for (how, frame, world) in seen {
            let rows = |v: DVec3| frame.to_plane(world(here.to_world(v.truncate()))).extend(v.z);
            // Places of cells turn; they stay where they are when A and B are exchanged.
            let place = |v: DVec3| if how == "turned" { world(v) } else { v };
            let cells = moment.cells.as_ref().map(|loaded| {
                let bed = loaded.bed.seen(|v| frame.to_plane(place(here.to_world(v))));
                Arc::new(LoadedCells { bed: Arc::new(bed), ..LoadedCells::clone(loaded) })
            });
            let there = Moment { frame, twist: rows(moment.twist), cells, ..moment.clone() };
            let there = there.of_law(&self.without);
            let bent = |b: &Bent| Bent { place: place(b.place), by: world(b.by) };
            let past_there = past.map(|p| Past {
                vector: world(p.vector),
                numbers: p.numbers,
                bristles: p.bristles.as_ref().map(|all| all.iter().map(bent).collect()),
            });
            let [law, other] = [(moment, past), (&there, past_there.as_ref())]
                .map(|(moment, past)| self.law(moment, past));
            let (law, other) = (law?, other?);
            let probe = rows(carried.wrench + carried.twist + DVec3::ONE);
            let back = rows_back(&rows, probe);
            let (a, b) = (response(&law, back), response(&other, probe));
            for (a, b) in a.into_iter().map(rows).zip(b) {
                if !(a.distance(b) <= SAME * a.length().max(b.length())) {
                    return Err(format!("the law {how} is the same? {a} {b}"));
                }
            }
            let carried_there =
                Carried { wrench: rows(carried.wrench), twist: rows(carried.twist), ..*carried };
            let next = self.memory.remember(moment, past, carried);
            let other = self.memory.remember(&there, past_there.as_ref(), &carried_there);
            let (next, other) = (next.unwrap_or_default(), other.unwrap_or_default());
            let (v, w) = (world(next.vector), other.vector);
            let size = v.length().max(past.map_or(0.0, |p| p.vector.length()));
            let by = |past: &Past, k: usize| {
                past.bristles.as_ref().and_then(|all| all.get(k)).map_or(DVec3::ZERO, |b| b.by)
            };
            let cells = 0..moment.cells.as_ref().map_or(0, |loaded| loaded.friction.len());
            let both = |k| by(&next, k).length().max(past.map_or(0.0, |past| by(past, k).length()));
            let size = cells.clone().map(both).fold(size, f64::max);
            let off = |k: usize| world(by(&next, k)).distance(by(&other, k));
            let far = cells.map(off).fold(0.0, f64::max);
            if !(far <= SAME * size) {
                return Err(format!("the bristles {how} are the same? {far:e} of {size:e}"));
            }
            let near = |a: f64, b: f64| (a - b).abs() <= SAME * a.abs().max(b.abs()).max(size);
            let numbers = next.numbers.iter().zip(other.numbers);
            if !(v.distance(w) <= SAME * size) || !numbers.into_iter().all(|(a, b)| near(*a, b)) {
                return Err(format!("the past {how} is the same? {next:?} {other:?}"));
            }
        }
        Ok(())
    }

    fn check_oblivion(
        &self,
        moment: &Moment,
        past: Option<&Past>,
        carried: &Carried,
    ) -> Result<(), String> {
        let nothing = Carried { load: 0.0, ..*carried };
        let left = self.memory.remember(moment, past, &nothing);
        if self.law(moment, left.as_ref())? == self.law(moment, None)? {
            return Ok(());
        }
        Err(format!("without load everything is forgotten? {left:?}"))
    }

    fn check_finite(
        &self,
        moment: &Moment,
        past: Option<&Past>,
        carried: &Carried,
        rng: &mut Rng,
    ) -> Result<(), String> {
        let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e12, -1e12, 0.0];
        let mut any = || odd[rng.index(odd.len())];
        let strange = [
            Carried { wrench: DVec3::new(any(), any(), 0.0), ..*carried },
            Carried { load: any(), ..*carried },
            Carried { twist: DVec3::splat(any()), ..*carried },
        ];
        for carried in strange {
            let next = self.memory.remember(moment, past, &carried);
            let rheology = self.law(moment, next.as_ref())?.rheology;
            let kept = next.unwrap_or_default();
            let bristles = kept.bristles.as_deref().unwrap_or_default();
            let whole = bristles.iter().all(|b| b.by.is_finite() && b.place.is_finite());
            let law = whole
                && rheology.as_ref().is_none_or(|r| r.bias.is_finite() && r.compliance.is_finite());
            if !(kept.vector.is_finite() && kept.numbers.iter().all(|n| n.is_finite()) && law) {
                return Err(format!("stays finite? {kept:?} after {carried:?}"));
            }
        }
        Ok(())
    }
}

/// Bias, compliance and drag times a probe, and the traction for it.
fn response(law: &Law, probe: DVec3) -> [DVec3; 4] {
    let none = Rheology { bias: DVec3::ZERO, compliance: DMat3::ZERO, drag: DMat3::ZERO };
    let r = law.rheology.as_ref().map_or(none, |r| **r);
    [r.bias, r.compliance * probe, r.drag * probe, traction(law, probe, 1.0)]
}

/// What `rows` takes to `there`: it is orthogonal and leaves spin alone.
fn rows_back(rows: Map, there: DVec3) -> DVec3 {
    let [x, y] = [DVec3::X, DVec3::Y].map(|axis| rows(axis).dot(there));
    DVec2::new(x, y).extend(there.z)
}

fn bias(law: &Law) -> DVec3 {
    law.rheology.as_ref().map_or(DVec3::ZERO, |r| r.bias)
}

fn traction(law: &Law, slip: DVec3, load: f64) -> DVec3 {
    let (dim, mut force) = (law.set.dim(), [0.0; 3]);
    law.set.traction(&slip.to_array()[..dim], load, &mut force[..dim]);
    DVec3::from_array(force)
}

/// The friction within the set for a slip u: −(u + (C/N) f + b) is normal to N·S at f. By projected
/// gradients; with isotropic compliance the first one is exact.
fn solved(law: &Law, slip: DVec3, load: f64) -> DVec3 {
    let dim = law.set.dim();
    let rows = DVec3::new(1.0, 1.0, if dim == 3 { 1.0 } else { 0.0 });
    let none = DMat3::ZERO;
    let give = law.rheology.as_ref().map_or(none, |r| r.compliance * (1.0 / load));
    let most =
        [give.x_axis.x, give.y_axis.y, give.z_axis.z * rows.z].into_iter().fold(0.0, f64::max);
    let push = slip + bias(law);
    if !(most > 0.0) {
        return traction(law, push, load);
    }
    let mut force = DVec3::ZERO;
    for _ in 0..2000 {
        let trial = (force - (push + give * force) / most) * rows;
        let mut next = trial.to_array();
        law.set.project(&mut next[..dim], load);
        let next = DVec3::from_array(next);
        let step = next.distance(force);
        force = next;
        if !(step > 1e-16 * force.length()) {
            break;
        }
    }
    force
}
