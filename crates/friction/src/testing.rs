//! The conformance suite that every set, section and memory runs, in a few lines each.
//!
//! - [`check_set`]: what must hold for any set, over random sets, loads and forces;
//! - [`check_section`]: what must hold for any section, over random contacts;
//! - [`check_extent`]: what must hold for any section that carries spin, over random areas;
//! - [`check_memory`]: what must hold for any memory, over random histories.
//!
//! All of them panic on the first failure. The message names the property, the case, the set and
//! the numbers. Case `k` of a label always draws the same numbers.
//!
//! ```
//! use asperity_friction::set::Disk;
//! use asperity_friction::testing::check_set;
//!
//! check_set("disk", 1000, |rng| Disk::new(rng.log_uniform(1e-3, 10.0)).unwrap().into());
//! ```

mod extent;
mod memory;
mod properties;
mod rng;
mod section;

pub use extent::check_extent;
pub use memory::check_memory;
pub use rng::Rng;
pub use section::{check_section, random_contact};

use crate::set::Set;
use properties::Case;

/// Checks `cases` random sets: loads over twelve decades and sometimes zero, forces at 1e-12 to
/// 1e12 times the size of the set, from its middle and from its boundary.
///
/// For every set: `project` lands in the set and is idempotent; zero load allows no force; all
/// answers scale with the load, for powers of two to the last bit; `support` bounds the set;
/// `traction` is in the set and dissipates. For a convex set also: `project` gives the nearest
/// force and never pulls two forces apart; `traction` dissipates most.
///
/// Not for [`Set::Free`], which has no size.
///
/// # Panics
///
/// On the first property that fails.
pub fn check_set(label: &str, cases: usize, mut make: impl FnMut(&mut Rng) -> Set) {
    for number in 0..cases {
        let mut rng = Rng::for_case(label, number);
        let set = make(&mut rng);
        let load = if rng.chance(0.05) { 0.0 } else { rng.log_uniform(1e-6, 1e6) };
        Case::new(label, number, &set, load).check(&mut rng);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// a + b·s.
fn add(a: &[f64], b: &[f64], s: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b * s).collect()
}

fn scaled(a: &[f64], s: f64) -> Vec<f64> {
    a.iter().map(|a| a * s).collect()
}
