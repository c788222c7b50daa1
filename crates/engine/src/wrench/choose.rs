//! Which bodies touch by wrench, and what is refused.

use asperity_friction::pairing::{Extent, Memory};

use super::options::{ContactKind, SpinRule, WrenchOptions};
use crate::world::{Method, World, WorldError};
use asperity_geometry::shape::Shape;
use asperity_geometry::volume::ClosedShape;

impl World {
    /// How bodies of two materials touch from now on, or with `None` all that were not told
    /// otherwise. Refused where a body encloses no volume, and where the friction of a pair does not
    /// go with it; then nothing changes.
    pub fn set_contact(
        &mut self,
        between: Option<(usize, usize)>,
        kind: ContactKind,
    ) -> Result<(), WorldError> {
        let n = self.pairing.surfaces().len();
        if let Some((a, b)) = between.filter(|(a, b)| *a.max(b) >= n) {
            return Err(WorldError::Bad(format!("there is no material number {}", a.max(b))));
        }
        if kind != ContactKind::Points && self.settings.method == Method::Pgs {
            return Err(WorldError::Bad(
                "contact = \"wrench\" is not for the solver \"pgs\"; expected method = \"prox\""
                    .to_owned(),
            ));
        }
        let mut kinds = self.contact_kinds.clone();
        kinds.set(between, kind);
        for a in 0..n {
            for b in a..n {
                if kinds.of(a, b) != ContactKind::Points {
                    self.check_wrench(a, b, kinds.of(a, b))?;
                }
            }
        }
        let mut shapes = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            if kinds.any(n, body.surface())
                && !self.collision.knows_volume(k)
                && let Some(shape) = body.shape()
            {
                shapes.push((k, closed(&body.name, shape)?, body.surface()));
            }
        }
        for (k, shape, surface) in shapes {
            self.collision.add_volume(k, shape, surface);
        }
        let by_volume = |k: usize| match kinds.of(k / n, k % n) {
            ContactKind::Points => None,
            ContactKind::Wrench(options) => Some(options.segment.unwrap_or(f64::INFINITY)),
        };
        let table = (0..n * n).map(by_volume).collect();
        self.collision.touch_by_volume(n, table);
        self.contact_kinds = kinds;
        Ok(())
    }

    /// How bodies of two materials touch.
    pub fn contact_kind(&self, a: usize, b: usize) -> ContactKind {
        self.contact_kinds.of(a, b)
    }

    /// The closed shape of a new body, where one is needed.
    pub(crate) fn closed_if_needed(
        &self,
        name: &str,
        shape: &Shape,
        surface: usize,
    ) -> Result<Option<ClosedShape>, WorldError> {
        let n = self.pairing.surfaces().len();
        if !self.contact_kinds.any(n, surface) {
            return Ok(None);
        }
        closed(name, shape).map(Some)
    }

    /// Whether the friction of two materials goes with wrench contacts.
    fn check_wrench(&self, a: usize, b: usize, kind: ContactKind) -> Result<(), WorldError> {
        // Pairs without friction are refused elsewhere, once bodies need them.
        let Ok(pair) = self.pairing.pair(a, b) else { return Ok(()) };
        let name = |k: usize| &self.pairing.surfaces()[k].name;
        let bad = |what: &str| {
            let message = format!("materials \"{}\" and \"{}\": {what}", name(a), name(b));
            Err(WorldError::Bad(message))
        };
        if pair.extent != Extent::Point || pair.memory != Memory::None {
            return bad(
                "contact = \"wrench\" has an extent of its own and no memory; expected extent = \
                 \"point\" and memory = \"none\"",
            );
        }
        let coupled =
            matches!(kind, ContactKind::Wrench(WrenchOptions { spin: SpinRule::Contensou, .. }));
        if coupled && !pair.section.has_limit_surface() {
            return bad(
                "this section has no limit surface for spin = \"contensou\"; expected the section \
                 \"coulomb\", or spin = \"corners\"",
            );
        }
        Ok(())
    }
}

fn closed(name: &str, shape: &Shape) -> Result<ClosedShape, WorldError> {
    ClosedShape::new(shape).map_err(|source| WorldError::Volume { body: name.to_owned(), source })
}
