//! Which section a pair of materials uses, where it came from, and what is refused.

use std::sync::Arc;

use asperity_friction::FrictionError;
use asperity_friction::pairing::{Combine, Fallback, Origin, Pairing};
use asperity_friction::section::{Composition, Coulomb, FrictionTensors, Matchstick, Section};
use asperity_friction::set::Set;
use asperity_friction::surface::Surface;
use asperity_friction::{ContactFrame, ContactState};
use glamx::{DVec2, DVec3};

type Entry = (usize, usize, Arc<dyn Section>);

fn surface(name: &str, mu: f64) -> Surface {
    Surface::new(name).with_mu(mu).unwrap()
}

fn wood_ice_felt() -> Vec<Surface> {
    vec![surface("wood", 0.5), surface("ice", 0.1), Surface::new("felt")]
}

fn coulomb(mu: f64) -> Arc<dyn Section> {
    Arc::new(Coulomb::new(mu).unwrap())
}

/// The coefficient of a section that gives disks.
fn mu_of(section: &dyn Section) -> f64 {
    let plain = Surface::new("plain");
    let surfaces = [plain.at(DVec3::X, DVec3::Y, DVec2::ZERO); 2];
    let frame = ContactFrame::from_normal(DVec3::Z);
    let contact = ContactState { slip: DVec3::X, ..ContactState::new(frame, surfaces, 0.01) };
    match section.law(&contact).set {
        Set::Disk(disk) => disk.radius(),
        other => panic!("{other:?}"),
    }
}

fn message<T: std::fmt::Debug>(result: Result<T, FrictionError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn combine_rules_do_what_their_names_say() {
    let rules = [
        (Combine::Sum, 1.0, "sum"),
        (Combine::Product, 0.1875, "product"),
        (Combine::Minimum, 0.25, "min"),
        (Combine::Maximum, 0.75, "max"),
        (Combine::Average, 0.5, "average"),
    ];
    for (rule, expected, name) in rules {
        assert_eq!(rule.apply(0.25, 0.75), expected, "{rule}");
        assert_eq!(rule.apply(0.75, 0.25), expected, "{rule} must not know the order");
        assert_eq!(rule.to_string(), name);
    }
}

#[test]
fn an_entry_serves_both_orders_and_the_rest_falls_back() {
    let entries: Vec<Entry> = vec![(1, 0, coulomb(0.03))];
    let fallback = Fallback::Combine(Combine::Average);
    let pairing = Pairing::new(wood_ice_felt(), entries, &fallback).unwrap();
    for (a, b) in [(0, 1), (1, 0)] {
        let pair = pairing.pair(a, b).unwrap();
        assert_eq!(pair.origin, Origin::Entry);
        assert_eq!(mu_of(&*pair.section), 0.03);
    }
    let own = pairing.pair(0, 0).unwrap();
    assert_eq!(own.origin, Origin::Combined(Combine::Average, 0.5));
    assert_eq!(mu_of(&*own.section), 0.5);
    assert_eq!(pairing.surfaces().len(), 3);
}

#[test]
fn materials_combine_by_the_rule_and_say_so() {
    let surfaces = vec![surface("a", 0.25), surface("b", 0.75)];
    let pairing = Pairing::new(surfaces, vec![], &Fallback::Combine(Combine::Product)).unwrap();
    let pair = pairing.pair(0, 1).unwrap();
    assert_eq!(mu_of(&*pair.section), 0.1875);
    assert_eq!(pair.origin.to_string(), "product of the materials' own: mu = 0.1875");
    assert_eq!(Origin::Entry.to_string(), "pair entry");
    assert_eq!(Origin::Default.to_string(), "default pair");
}

#[test]
fn a_default_section_serves_every_pair_without_entry() {
    let section: Arc<dyn Section> = Arc::new(Matchstick::new(0.4, 0.1, 0.9).unwrap());
    let entries: Vec<Entry> = vec![(2, 2, coulomb(0.2))];
    let pairing = Pairing::new(wood_ice_felt(), entries, &Fallback::Section(section)).unwrap();
    let pair = pairing.pair(0, 2).unwrap();
    assert_eq!((pair.section.name(), pair.origin), ("matchstick", Origin::Default));
    let pair = pairing.pair(2, 2).unwrap();
    assert_eq!((pair.section.name(), pair.origin), ("coulomb", Origin::Entry));
}

/// A material without a coefficient only matters once it is asked to pair without an entry.
#[test]
fn a_pair_without_coefficient_says_which_material_lacks_it() {
    let entries: Vec<Entry> = vec![(0, 2, coulomb(0.7))];
    let fallback = Fallback::Combine(Combine::Minimum);
    let pairing = Pairing::new(wood_ice_felt(), entries, &fallback).unwrap();
    assert!(pairing.pair(2, 0).is_ok());
    assert_eq!(
        message(pairing.pair(1, 2)),
        "materials \"ice\" and \"felt\" have no pair entry, and \"felt\" has no `mu` to combine"
    );
    assert!(message(pairing.pair(2, 1)).ends_with("\"felt\" has no `mu` to combine"));
}

#[test]
fn a_default_section_that_refuses_a_pair_says_so_when_the_pair_meets() {
    let tensors: Arc<dyn Section> = Arc::new(FrictionTensors::new(Composition::default()).unwrap());
    let pairing = Pairing::new(wood_ice_felt(), vec![], &Fallback::Section(tensors)).unwrap();
    assert!(pairing.pair(0, 1).is_ok());
    assert!(message(pairing.pair(0, 2)).contains("\"felt\" has no friction tensor"));
}

#[test]
fn wrong_entries_are_refused_with_names() {
    let fallback = Fallback::Combine(Combine::Sum);
    let new = |entries: Vec<Entry>| Pairing::new(wood_ice_felt(), entries, &fallback);
    assert_eq!(
        message(new(vec![(0, 1, coulomb(0.1)), (1, 0, coulomb(0.2))])),
        "two entries for the pair \"ice\" and \"wood\"; expected one"
    );
    assert_eq!(message(new(vec![(0, 3, coulomb(0.1))])), "a pair names surface 3, but there are 3");
    let tensors: Arc<dyn Section> = Arc::new(FrictionTensors::new(Composition::default()).unwrap());
    assert!(message(new(vec![(1, 2, tensors)])).contains("\"felt\" has no friction tensor"));
    let twins = vec![surface("wood", 0.1), surface("wood", 0.2)];
    assert_eq!(message(Pairing::new(twins, vec![], &fallback)), "two materials are named \"wood\"");
    assert_eq!(message(new(vec![]).unwrap().pair(0, 7)), "there is no surface 7");
}

#[test]
fn a_coefficient_out_of_range_names_its_material() {
    assert_eq!(
        message(Surface::new("wood").with_mu(-1.0)),
        "friction coefficient of \"wood\" is -1; expected a finite number, zero or more"
    );
}
