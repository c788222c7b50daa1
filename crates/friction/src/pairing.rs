//! Which section, extent and memory a pair of materials uses, and how coefficients combine.

use std::fmt;
use std::sync::Arc;

pub use crate::pair::{Answer, Pair, check_patch};

use crate::FrictionError;
use crate::extent::Extent;
use crate::memory::Memory;
use crate::section::{Coulomb, Section};
use crate::surface::Surface;

/// How the coefficients of two surfaces make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// μ_A + μ_B.
    Sum,
    /// μ_A μ_B.
    Product,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// (μ_A + μ_B)/2.
    Average,
}

impl Combine {
    /// The combined coefficient.
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Combine::Sum => a + b,
            Combine::Product => a * b,
            Combine::Minimum => a.min(b),
            Combine::Maximum => a.max(b),
            Combine::Average => 0.5 * (a + b),
        }
    }
}

/// The surfaces of a scene, numbered, and the section of every pair of them.
#[derive(Debug)]
pub struct Pairing {
    surfaces: Vec<Surface>,
    /// Row-major over the numbers of both surfaces; symmetric.
    table: Vec<Result<Pair, FrictionError>>,
}

/// What chose the section of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// An entry for just these two materials.
    Entry,
    /// The default section.
    Default,
    /// Coulomb friction with this coefficient, combined from the materials' own by this rule.
    Combined(Combine, f64),
}

/// What a pair without an entry of its own uses.
#[derive(Debug, Clone)]
pub enum Fallback {
    /// One section for all.
    Section(Arc<dyn Section>),
    /// Coulomb friction with the materials' own coefficients combined.
    Combine(Combine),
}

impl Pairing {
    /// Surfaces, entries by surface numbers (in either order), and what the rest uses.
    pub fn new(
        surfaces: Vec<Surface>,
        entries: Vec<(usize, usize, Arc<dyn Section>)>,
        fallback: &Fallback,
    ) -> Result<Pairing, FrictionError> {
        let n = surfaces.len();
        for (i, surface) in surfaces.iter().enumerate() {
            if surfaces[..i].iter().any(|other| other.name == surface.name) {
                return Err(FrictionError::Shape(format!(
                    "two materials are named \"{}\"",
                    surface.name
                )));
            }
        }
        let mut table: Vec<_> =
            (0..n * n).map(|k| by_fallback(fallback, &surfaces[k / n], &surfaces[k % n])).collect();
        let mut seen = Vec::new();
        for (a, b, section) in entries {
            if a.max(b) >= n {
                return Err(FrictionError::Shape(format!(
                    "a pair names surface {}, but there are {n}",
                    a.max(b)
                )));
            }
            let (sa, sb) = (&surfaces[a], &surfaces[b]);
            if seen.contains(&(a.min(b), a.max(b))) {
                return Err(FrictionError::Shape(format!(
                    "two entries for the pair \"{}\" and \"{}\"; expected one",
                    sa.name, sb.name
                )));
            }
            seen.push((a.min(b), a.max(b)));
            section.check(sa, sb)?;
            let pair = Pair::new(section, Origin::Entry);
            table[a * n + b] = Ok(pair.clone());
            table[b * n + a] = Ok(pair);
        }
        Ok(Pairing { surfaces, table })
    }

    /// Gives the pair of two surfaces, or with `None` all pairs without an entry, an extent and a
    /// memory. Pairs without a section are left alone. Where they do not go together, nothing
    /// changes.
    pub fn set_patch(
        &mut self,
        between: Option<(usize, usize)>,
        extent: Extent,
        memory: Option<&Arc<dyn Memory>>,
    ) -> Result<(), FrictionError> {
        let n = self.surfaces.len();
        let mut chosen = Vec::new();
        if let Some((a, b)) = between {
            if a.max(b) >= n {
                return Err(FrictionError::Shape(format!("there is no surface {}", a.max(b))));
            }
            chosen.extend([a * n + b, b * n + a]);
        } else {
            let entry = |k: &usize| matches!(&self.table[*k], Ok(p) if p.origin == Origin::Entry);
            chosen.extend((0..n * n).filter(|k| !entry(k)));
        }
        for pair in chosen.iter().filter_map(|k| self.table[*k].as_ref().ok()) {
            check_patch(pair.section.as_ref(), &extent, memory.map(Arc::as_ref))?;
        }
        for k in chosen {
            if let Ok(pair) = &mut self.table[k] {
                (pair.extent, pair.memory) = (extent, memory.cloned());
            }
        }
        Ok(())
    }

    /// The surfaces in order of their numbers.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// All pairs that have a section; each is there twice.
    pub fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.table.iter().flatten()
    }

    /// The section of two surfaces, or why they have none.
    pub fn pair(&self, a: usize, b: usize) -> Result<&Pair, FrictionError> {
        let n = self.surfaces.len();
        if a.max(b) >= n {
            return Err(FrictionError::Shape(format!("there is no surface {}", a.max(b))));
        }
        self.table[a * n + b].as_ref().map_err(Clone::clone)
    }
}

fn by_fallback(fallback: &Fallback, a: &Surface, b: &Surface) -> Result<Pair, FrictionError> {
    match fallback {
        Fallback::Section(section) => {
            section.check(a, b)?;
            Ok(Pair::new(section.clone(), Origin::Default))
        }
        Fallback::Combine(rule) => match (a.mu, b.mu) {
            (Some(mu_a), Some(mu_b)) => {
                let mu = rule.apply(mu_a, mu_b);
                Ok(Pair::new(Arc::new(Coulomb::new(mu)?), Origin::Combined(*rule, mu)))
            }
            _ => Err(FrictionError::Shape(format!(
                "materials \"{}\" and \"{}\" have no pair entry, and \"{}\" has no `mu` to combine",
                a.name,
                b.name,
                if a.mu.is_none() { &a.name } else { &b.name }
            ))),
        },
    }
}

impl fmt::Display for Combine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Combine::Sum => "sum",
            Combine::Product => "product",
            Combine::Minimum => "min",
            Combine::Maximum => "max",
            Combine::Average => "average",
        })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Origin::Entry => f.write_str("pair entry"),
            Origin::Default => f.write_str("default pair"),
            Origin::Combined(rule, mu) => write!(f, "{rule} of the materials' own: mu = {mu}"),
        }
    }
}
