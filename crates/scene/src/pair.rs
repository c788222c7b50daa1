//! `pair.<name>`: the friction of pairs of materials.

use std::sync::Arc;

use asperity_friction::extent::Extent;
use asperity_friction::pairing::{Combine, Fallback, Pairing};
use asperity_friction::section::{Coulomb, SECTIONS, Section};
use asperity_friction::set::Disk;
use asperity_friction::surface::Surface;
use asperity_friction::{ContactState, FrictionError, Law};

use super::body::Draft;
use super::format::model::SECTION;
use super::format::{way, words};
use super::grade;
use super::material::Materials;
use super::model;
use super::patch::{self, ContactKind, SomeMemory};
use super::reader::{Fields, Read};
use super::settings::WorldTable;
use super::spec::{Form, Way, names};
use super::suggest::hint;
use super::support;
use asperity::body::BodyKind;

/// Rules of `combine`.
const COMBINE: [(&str, Combine); 5] = [
    ("sum", Combine::Sum),
    ("product", Combine::Product),
    ("min", Combine::Minimum),
    ("max", Combine::Maximum),
    ("average", Combine::Average),
];

/// What says the friction of a pair.
pub(crate) static RULES: [Way<Read<Fallback>>; 2] = [
    way("section", Form::Model(&SECTION), "The friction model.", |fields| {
        let section = model::read(fields, "section", &SECTION)?.make(SECTIONS)?;
        Some(Fallback::Section(section))
    }),
    way(
        "combine",
        words(&names(&COMBINE)),
        "Coulomb friction with the materials' own `mu` combined.",
        |fields| fields.pick("combine", &COMBINE).map(Fallback::Combine),
    ),
];

/// What `pair` says.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// Numbers of two materials, their section and where it stands.
    entries: Vec<(usize, usize, Arc<dyn Section>)>,
    fallback: Fallback,
    /// Extent and memory of each entry, and of the rest.
    patches: Vec<(Extent, SomeMemory)>,
    default_patch: (Extent, SomeMemory),
    /// How bodies of a pair (`None`: of the default) touch, and where in the text that is.
    contacts: Vec<ChosenContact>,
    /// Whether some entry could not be read; then nothing more is said about missing ones.
    broken: bool,
}

/// How bodies of two materials (`None`: of all) touch, and where in the text that is.
pub(crate) type ChosenContact = (Option<(usize, usize)>, ContactKind, usize);

/// Reads all pairs.
pub(crate) fn read(scene: &Fields, materials: &Materials) -> Pairs {
    let mut pairs = Pairs {
        entries: Vec::new(),
        fallback: Fallback::Section(Arc::new(NoEntry)),
        patches: Vec::new(),
        default_patch: (Extent::Point, None),
        contacts: Vec::new(),
        broken: false,
    };
    for (name, fields) in scene.named("pair") {
        let rule = rule(&fields);
        let between = if name == "default" { None } else { between(&fields, materials) };
        if let Some(kind) = patch::contact(&fields) {
            let numbers = between.map(|[a, b]| (a, b));
            if name == "default" || numbers.is_some() {
                pairs.contacts.push((numbers, kind, fields.place("contact")));
            }
        }
        match (rule, between) {
            (Some((rule, patch)), None) if name == "default" => {
                if fields.has("between") {
                    let message = "[pair.default] is for all pairs without an entry; remove \"between\", or give the pair another name";
                    fields.complain("between", message);
                }
                (pairs.fallback, pairs.default_patch) = (rule, patch);
            }
            (Some((rule, patch)), Some([a, b])) => {
                if pairs.add(&fields, materials, rule, a, b) {
                    pairs.patches.push(patch);
                }
            }
            _ => pairs.broken = true,
        }
    }
    pairs
}

impl Pairs {
    /// How bodies touch: the world first, then the default pair, then the others.
    pub(crate) fn contacts(&self, table: &WorldTable) -> Vec<ChosenContact> {
        let mut contacts: Vec<_> =
            table.contact.iter().map(|(kind, at)| (None, *kind, *at)).collect();
        let (others, default): (Vec<_>, Vec<_>) =
            self.contacts.iter().copied().partition(|(between, ..)| between.is_some());
        contacts.extend(default);
        contacts.extend(others);
        contacts
    }

    /// Adds an entry, if it is sound.
    fn add(
        &mut self,
        fields: &Fields,
        materials: &Materials,
        rule: Fallback,
        a: usize,
        b: usize,
    ) -> bool {
        let (sa, sb) = (&materials.list[a].surface, &materials.list[b].surface);
        if self.entries.iter().any(|(c, d, _)| (*c, *d) == (a, b) || (*c, *d) == (b, a)) {
            let message = format!(
                "{}: the pair \"{}\" and \"{}\" has an entry already; remove one of them",
                fields.label, sa.name, sb.name
            );
            fields.complain("between", message);
            return false;
        }
        let section = match rule {
            Fallback::Section(section) => Ok(section),
            Fallback::Combine(rule) => combined(rule, sa, sb),
        };
        let checked = section.and_then(|s| s.check(sa, sb).map(|()| s));
        match checked {
            Ok(section) => {
                self.entries.push((a, b, section));
                true
            }
            Err(e) => {
                self.broken = true;
                fields.complain("between", format!("{}: {e}", fields.label));
                false
            }
        }
    }

    /// The pairing of a scene; every pair of bodies that could touch must have a section.
    pub(crate) fn build(
        self,
        scene: &Fields,
        materials: &Materials,
        bodies: &[Draft],
        table: &WorldTable,
    ) -> Option<Pairing> {
        let contacts = self.contacts(table);
        let wrench = |a: usize, b: usize| {
            let told = |(between, ..): &&ChosenContact| {
                between.is_none_or(|pair| pair == (a, b) || pair == (b, a))
            };
            contacts.iter().rev().find(told).and_then(|(_, kind, _)| *kind)
        };
        let surfaces = materials.list.iter().map(|m| m.surface.clone()).collect();
        let numbers: Vec<_> = self.entries.iter().map(|(a, b, _)| (*a, *b)).collect();
        let made = Pairing::new(surfaces, self.entries, &self.fallback).and_then(|mut pairing| {
            let (extent, memory) = self.default_patch;
            pairing.set_patch(None, extent, memory.as_ref())?;
            for (between, (extent, memory)) in numbers.into_iter().zip(self.patches) {
                pairing.set_patch(Some(between), extent, memory.as_ref())?;
            }
            Ok(pairing)
        });
        let pairing = match made {
            Ok(pairing) => pairing,
            Err(e) => {
                return scene.refuse("pair", e.to_string());
            }
        };
        if self.broken {
            return Some(pairing);
        }
        let advice = match self.fallback {
            Fallback::Combine(_) => "; give it one, or add a pair entry",
            Fallback::Section(_) => "",
        };
        let groups = Touching::new(materials.list.len(), bodies);
        for a in 0..materials.list.len() {
            for b in a..materials.list.len() {
                let Some([i, j]) = groups.could_touch(a, b) else { continue };
                let e = match pairing.pair(a, b) {
                    Ok(pair) => {
                        let surfaces = [a, b].map(|k| &materials.list[k].surface);
                        support::check_map(scene.log, scene.place("pair"), pair, surfaces);
                        support::tell(scene.log, table, pair, wrench(a, b), surfaces);
                        support::tell_memory(scene.log, scene.place("pair"), pair, surfaces);
                        continue;
                    }
                    Err(e) => e,
                };
                let (first, second) = (&bodies[i], &bodies[j]);
                let message = format!(
                    "bodies \"{}\" and \"{}\" could touch: {e}{advice}",
                    first.desc.name, second.desc.name
                );
                scene.log.add(first.at.max(second.at), message);
            }
        }
        Some(pairing)
    }
}

/// Stands for the pairs of which a scene says nothing: no two surfaces pass its check.
#[derive(Debug)]
struct NoEntry;

impl Section for NoEntry {
    fn name(&self) -> &'static str {
        "none"
    }

    fn law(&self, _: &ContactState) -> Law {
        Law::from(Disk::frictionless())
    }

    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        Err(FrictionError::Shape(format!(
            "materials \"{}\" and \"{}\" have no pair entry and there is no pair.default; \
             add pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }} or an entry with between = [\"{}\", \"{}\"]",
            a.name, b.name, a.name, b.name
        )))
    }
}

/// For each material, which of its bodies could touch others.
struct Touching {
    /// First body that moves, and the first two bodies.
    materials: Vec<Members>,
}

#[derive(Clone, Default)]
struct Members {
    moving: Option<usize>,
    any: Option<usize>,
    other: Option<usize>,
}

impl Touching {
    fn new(count: usize, bodies: &[Draft]) -> Touching {
        let mut materials = vec![Members::default(); count];
        for (i, body) in bodies.iter().enumerate().filter(|(_, b)| b.desc.shape.is_some()) {
            let Some(m) = materials.get_mut(body.desc.surface) else { continue };
            if m.any.is_none() {
                m.any = Some(i);
            } else if m.other.is_none() {
                m.other = Some(i);
            }
            if body.desc.kind == BodyKind::Dynamic && m.moving.is_none() {
                m.moving = Some(i);
            }
        }
        Touching { materials }
    }

    /// Two bodies of these materials of which one moves.
    fn could_touch(&self, a: usize, b: usize) -> Option<[usize; 2]> {
        let (ma, mb) = (&self.materials[a], &self.materials[b]);
        let partner = |m: &Members, of: usize| if m.any == Some(of) { m.other } else { m.any };
        let with =
            |moving: Option<usize>, m: &Members| moving.and_then(|i| Some([i, partner(m, i)?]));
        with(ma.moving, mb).or_else(|| with(mb.moving, ma))
    }
}

/// Coulomb friction with the coefficients of both materials combined.
fn combined(rule: Combine, a: &Surface, b: &Surface) -> Result<Arc<dyn Section>, FrictionError> {
    let mu = |s: &Surface| {
        s.mu.ok_or_else(|| {
            FrictionError::Shape(format!(
                "material \"{}\" has no `mu` to combine; give it one",
                s.name
            ))
        })
    };
    Ok(Arc::new(Coulomb::new(rule.apply(mu(a)?, mu(b)?))?))
}

/// Numbers of the two materials of an entry.
fn between(fields: &Fields, materials: &Materials) -> Option<[usize; 2]> {
    if !fields.has("between") {
        let message =
            format!("{} has no \"between\"; expected two names of materials", fields.label);
        return fields.refuse("between", message);
    }
    let names = fields.list("between");
    let [a, b] = names.as_slice() else {
        return fields.node("between")?.expected("two names of materials");
    };
    let number = |node: &super::node::Node| {
        let name = node.text()?;
        materials.find(name).or_else(|| {
            let hint = hint(name, materials.names());
            node.refuse(format!("{}: there is no material \"{name}\"{hint}", fields.label))
        })
    };
    let (a, b) = (number(a), number(b));
    Some([a?, b?])
}

/// The section or the rule of an entry, its extent and its memory.
fn rule(fields: &Fields) -> Option<(Fallback, (Extent, SomeMemory))> {
    let patch = patch::read(fields);
    let rule = grade::read(fields, fields.way(&RULES)?(fields)?)?;
    let (extent, memory) = patch?;
    patch::fits(fields, &rule, extent, &memory).then_some((rule, (extent, memory)))
}
