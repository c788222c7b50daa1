//! The properties of one set at one load.

use std::fmt;

use super::{Rng, add, dot, norm, scaled};
use crate::set::{Kind, Set};

/// Rounding errors allowed, relative to the size of the set (and of the force, where it is
/// larger: a force is only known to its last digit).
const TOLERANCE: f64 = 1e-13;

/// One set at one load.
pub(super) struct Case<'a> {
    label: &'a str,
    number: usize,
    set: &'a Set,
    load: f64,
    /// Largest extent along an axis, a force.
    pub(super) size: f64,
    tolerance: f64,
}

impl<'a> Case<'a> {
    pub(super) fn new(label: &'a str, number: usize, set: &'a Set, load: f64) -> Case<'a> {
        let mut case = Case { label, number, set, load, size: 0.0, tolerance: TOLERANCE };
        for axis in 0..set.dim() {
            for sign in [1.0, -1.0] {
                let mut d = vec![0.0; set.dim()];
                d[axis] = sign;
                case.size = case.size.max(set.support(&d, load));
            }
        }
        case.tolerance *= radial_condition(set);
        case
    }

    /// Checks every property that this kind of set must have.
    pub(super) fn check(&self, rng: &mut Rng) {
        let force = self.force(rng);
        let nearest = self.project(&force);
        self.projection_lands_in_the_set(&nearest, rng);
        self.projection_is_idempotent(&force, &nearest);
        self.support_bounds_the_set(rng);
        self.traction_is_in_the_set_and_dissipates(rng);
        self.everything_scales_with_the_load(&force, rng);
        self.zero_load_allows_no_force(&force, rng);
        if self.set.kind() == Kind::Convex {
            self.projection_gives_the_nearest_force(&force, &nearest, rng);
            self.projection_is_non_expansive(&force, &nearest, rng);
            self.traction_dissipates_most(rng);
        }
    }

    fn projection_lands_in_the_set(&self, nearest: &[f64], rng: &mut Rng) {
        let d = rng.unit_vector(self.dim());
        let (reach, bound) = (dot(nearest, &d), self.set.support(&d, self.load));
        if !(reach <= bound + self.tolerance * self.size) {
            self.fail(
                "projection lands in the set",
                format_args!("{nearest:?} reaches {reach:e} along {d:?}, support {bound:e}"),
            );
        }
        if !self.set.contains(nearest, self.load, self.tolerance * self.size) {
            self.fail("the set contains a projection", format_args!("{nearest:?}"));
        }
    }

    fn projection_is_idempotent(&self, force: &[f64], nearest: &[f64]) {
        let again = self.project(nearest);
        let moved = norm(&add(&again, nearest, -1.0));
        if !(moved <= self.tolerance * self.size) {
            self.fail(
                "projection is idempotent",
                format_args!("{force:?} to {nearest:?} to {again:?}, moved by {moved:e}"),
            );
        }
    }

    /// The variational inequality (x − P)·(z − P) ≤ 0, for a random z of the set and, by the
    /// support function, for all of them at once.
    fn projection_gives_the_nearest_force(&self, force: &[f64], nearest: &[f64], rng: &mut Rng) {
        let outward = add(force, nearest, -1.0);
        let tolerance = self.tolerance * self.size * (norm(force) + self.size);
        let z = self.member(rng);
        let inner = dot(&outward, &add(&z, nearest, -1.0));
        let gap = self.set.support(&outward, self.load) - dot(&outward, nearest);
        if !(inner <= tolerance && gap <= tolerance) {
            self.fail(
                "projection gives the nearest force",
                format_args!(
                    "{force:?} to {nearest:?}; nearer towards {z:?} by {inner:e}, \
                     towards the support point by {gap:e}, allowed {tolerance:e}"
                ),
            );
        }
    }

    fn projection_is_non_expansive(&self, force: &[f64], nearest: &[f64], rng: &mut Rng) {
        let other = if rng.chance(0.5) {
            self.force(rng)
        } else {
            let step = rng.log_uniform(1e-12, 1.0) * (norm(force) + self.size);
            add(force, &rng.unit_vector(self.dim()), step)
        };
        let other_nearest = self.project(&other);
        let before = norm(&add(force, &other, -1.0));
        let after = norm(&add(nearest, &other_nearest, -1.0));
        // A force moved by its last digit may move its projection by as much.
        let rounding = 4.0 * f64::EPSILON * (norm(force) + norm(&other));
        if !(after <= before + rounding + self.tolerance * self.size) {
            self.fail(
                "projection is non-expansive",
                format_args!(
                    "{force:?} and {other:?} are {before:e} apart, \
                     their projections {nearest:?} and {other_nearest:?} {after:e}"
                ),
            );
        }
    }

    fn support_bounds_the_set(&self, rng: &mut Rng) {
        let (d, z) = (self.slip(rng), self.member(rng));
        let (reach, bound) = (dot(&d, &z), self.set.support(&d, self.load));
        if !(reach <= bound + self.tolerance * self.size * norm(&d)) {
            self.fail(
                "support bounds the set",
                format_args!("{z:?} reaches {reach:e} along {d:?}, support {bound:e}"),
            );
        }
    }

    fn traction_is_in_the_set_and_dissipates(&self, rng: &mut Rng) {
        let slip = self.slip(rng);
        let force = self.traction(&slip);
        if !self.set.contains(&force, self.load, self.tolerance * self.size) {
            self.fail("traction is in the set", format_args!("{force:?} for slip {slip:?}"));
        }
        let power = dot(&force, &slip);
        if !(power <= TOLERANCE * self.size * norm(&slip)) {
            self.fail(
                "traction dissipates",
                format_args!("{force:?} for slip {slip:?} has power {power:e}"),
            );
        }
        let at_rest = self.traction(&vec![0.0; self.dim()]);
        if at_rest.iter().any(|f| *f != 0.0) {
            self.fail("no slip gives no traction", format_args!("{at_rest:?}"));
        }
    }

    fn traction_dissipates_most(&self, rng: &mut Rng) {
        let d = self.slip(rng);
        let (power, most) =
            (dot(&self.traction(&scaled(&d, -1.0)), &d), self.set.support(&d, self.load));
        if !((power - most).abs() <= self.tolerance * self.size * norm(&d)) {
            self.fail(
                "traction attains the support",
                format_args!("power {power:e} for slip against {d:?}, support {most:e}"),
            );
        }
    }

    fn everything_scales_with_the_load(&self, force: &[f64], rng: &mut Rng) {
        let factor = f64::exp2((rng.index(41) as f64) - 20.0);
        let slip = self.slip(rng);
        let mut far = scaled(force, factor);
        self.set.project(&mut far, self.load * factor);
        let same_project = far == scaled(&self.project(force), factor);
        let mut heavy = vec![0.0; self.dim()];
        self.set.traction(&scaled(&slip, factor), self.load * factor, &mut heavy);
        let same_traction = heavy == scaled(&self.traction(&slip), factor);
        let support = self.set.support(&slip, self.load);
        let same_support = self.set.support(&slip, self.load * factor) == support * factor
            && self.set.support(&scaled(&slip, factor), self.load) == support * factor;
        if !(same_project && same_traction && same_support) {
            self.fail(
                "everything scales with the load",
                format_args!(
                    "factor {factor}, force {force:?}, slip {slip:?}: exact for projection \
                     {same_project}, traction {same_traction}, support {same_support}"
                ),
            );
        }
    }

    fn zero_load_allows_no_force(&self, force: &[f64], rng: &mut Rng) {
        let slip = self.slip(rng);
        for load in [0.0, -self.load] {
            let mut projected = force.to_vec();
            self.set.project(&mut projected, load);
            let mut traction = vec![1.0; self.dim()];
            self.set.traction(&slip, load, &mut traction);
            let support = self.set.support(&slip, load);
            let all = projected.iter().chain(&traction).chain([&support]);
            if all.into_iter().any(|f| *f != 0.0) {
                self.fail(
                    "zero load allows no force",
                    format_args!(
                        "load {load}: {force:?} projects to {projected:?}, slip {slip:?} has \
                         traction {traction:?} and support {support:e}"
                    ),
                );
            }
        }
    }

    fn dim(&self) -> usize {
        self.set.dim()
    }

    fn project(&self, force: &[f64]) -> Vec<f64> {
        let mut nearest = force.to_vec();
        self.set.project(&mut nearest, self.load);
        nearest
    }

    fn traction(&self, slip: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; self.dim()];
        self.set.traction(slip, self.load, &mut force);
        force
    }

    /// A force far from or near to the set: from its middle, its inside or its boundary.
    fn force(&self, rng: &mut Rng) -> Vec<f64> {
        let size = if self.size > 0.0 { self.size } else { 1.0 };
        let from = match rng.index(4) {
            0 | 1 => vec![0.0; self.dim()],
            2 => self.traction(&rng.unit_vector(self.dim())),
            _ => self.member(rng),
        };
        add(&from, &rng.unit_vector(self.dim()), size * rng.log_uniform(1e-12, 1e12))
    }

    /// A force of the set: on its boundary, on the way to the middle, or (convex sets) anywhere.
    fn member(&self, rng: &mut Rng) -> Vec<f64> {
        let mut z = self.traction(&self.slip(rng));
        if self.set.kind() == Kind::Convex && rng.chance(0.5) {
            let other = self.traction(&self.slip(rng));
            let share = rng.unit();
            z = add(&scaled(&z, 1.0 - share), &other, share);
        }
        if rng.chance(0.5) { scaled(&z, rng.unit()) } else { z }
    }

    fn slip(&self, rng: &mut Rng) -> Vec<f64> {
        scaled(&rng.unit_vector(self.dim()), rng.log_uniform(1e-6, 1e6))
    }

    fn fail(&self, property: &str, numbers: fmt::Arguments) -> ! {
        let Case { label, number, set, load, size, .. } = self;
        panic!(
            "{label}, case {number}: {property}? {numbers}; load {load:e}, size {size:e}, {set:?}"
        );
    }
}

/// How much a radial projection magnifies rounding. Scaling a force back along itself onto a thin
/// set moves it by the condition number of the tensor times what it moved across; the nearest
/// force of a convex set never moves further.
fn radial_condition(set: &Set) -> f64 {
    let Set::Tensor(tensor) = set else { return 1.0 };
    let condition = tensor.sectors().into_iter().map(|s| {
        let (x, y) = (s.matrix.x_axis, s.matrix.y_axis);
        let size2 = x.length_squared() + y.length_squared();
        let det = x.perp_dot(y).abs();
        // A singular tensor acts on its range only.
        if det > 1e-13 * size2 { size2 / det } else { 1.0 }
    });
    condition.fold(1.0, f64::max)
}
