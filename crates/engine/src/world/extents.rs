//! Which bodies touch by one wrench over the volumes they share, and what is refused.

use asperity_friction::extent::{Extent, WrenchOptions};
use asperity_friction::pairing::check_patch;
use asperity_geometry::shape::Shape;
use asperity_geometry::volume::ClosedShape;

use super::{World, WorldError};

impl World {
    /// Bodies of two materials, or with `None` of any, touch by one wrench for each volume they share
    /// from now on; without options at points again, if they did so. Refused where a body encloses no
    /// volume, and where the friction of a pair does not go with it; then nothing changes.
    pub fn set_wrench(
        &mut self,
        between: Option<(usize, usize)>,
        options: Option<WrenchOptions>,
    ) -> Result<(), WorldError> {
        let n = self.pairing.surfaces().len();
        if let Some((a, b)) = between.filter(|(a, b)| *a.max(b) >= n) {
            return Err(WorldError::Bad(format!("there is no material number {}", a.max(b))));
        }
        let all = (0..n).flat_map(|a| (a..n).map(move |b| (a, b)));
        let mut chosen: Vec<_> = match between {
            Some((a, b)) => vec![(a.min(b), a.max(b))],
            None => all.collect(),
        };
        // Pairs without friction are refused elsewhere, once bodies need them.
        chosen.retain(|(a, b)| match self.pairing.pair(*a, *b) {
            Ok(pair) => options.is_some() || matches!(pair.extent, Extent::Wrench(_)),
            Err(_) => false,
        });
        let extent = options.map_or(Extent::Point, Extent::Wrench);
        for &(a, b) in &chosen {
            self.check_extent(a, b, &extent)?;
        }
        if options.is_some() {
            let mixed = |surface: usize| chosen.iter().any(|(a, b)| [*a, *b].contains(&surface));
            for (body, shape) in self.missing_volumes(mixed)? {
                self.collision.add_volume(body, shape, self.bodies[body].surface());
            }
        }
        for (a, b) in chosen {
            self.pairing.set_patch(Some((a, b)), extent, None)?;
        }
        let cut = |k: usize| match self.pairing.pair(k / n, k % n).map(|p| p.extent) {
            Ok(Extent::Wrench(options)) => Some(options.segment.unwrap_or(f64::INFINITY)),
            _ => None,
        };
        self.collision.touch_by_volume(n, (0..n * n).map(cut).collect());
        Ok(())
    }

    /// The closed shape of a new body, where one is needed.
    pub(super) fn closed_if_needed(
        &self,
        name: &str,
        shape: &Shape,
        surface: usize,
    ) -> Result<Option<ClosedShape>, WorldError> {
        let wrench = |b: usize| {
            matches!(self.pairing.pair(surface, b).map(|p| p.extent), Ok(Extent::Wrench(_)))
        };
        let needed = (0..self.pairing.surfaces().len()).any(wrench);
        needed.then(|| closed(name, shape)).transpose()
    }

    /// The closed shapes of bodies of these materials that have none yet.
    fn missing_volumes(
        &self,
        of: impl Fn(usize) -> bool,
    ) -> Result<Vec<(usize, ClosedShape)>, WorldError> {
        let mut shapes = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            if of(body.surface())
                && !self.collision.knows_volume(k)
                && let Some(shape) = body.shape()
            {
                shapes.push((k, closed(&body.name, shape)?));
            }
        }
        Ok(shapes)
    }

    /// Whether the friction of two materials goes with an extent.
    fn check_extent(&self, a: usize, b: usize, extent: &Extent) -> Result<(), WorldError> {
        let Ok(pair) = self.pairing.pair(a, b) else { return Ok(()) };
        let names = [a, b].map(|k| &self.pairing.surfaces()[k].name);
        let bad = |what: String| {
            let [a, b] = names;
            WorldError::Bad(format!("materials \"{a}\" and \"{b}\": {what}"))
        };
        if let (Extent::Wrench(_), Extent::Spin | Extent::Pressed(_)) = (extent, &pair.extent) {
            return Err(bad(
                "contact = \"wrench\" has an extent of its own and no memory; expected extent = \
                 \"point\" and memory = \"none\""
                    .to_owned(),
            ));
        }
        let wears = [a, b].iter().any(|k| self.pairing.surfaces()[*k].wear > 0.0);
        if let (Extent::Wrench(_), true) = (extent, wears) {
            let what =
                "one of them wears, which contact = \"wrench\" does not do; expected \"points\"";
            return Err(bad(what.to_owned()));
        }
        check_patch(pair.section.as_ref(), extent, pair.memory.as_deref())
            .map_err(|e| bad(e.to_string()))
    }
}

fn closed(name: &str, shape: &Shape) -> Result<ClosedShape, WorldError> {
    ClosedShape::new(shape).map_err(|source| WorldError::Volume { body: name.to_owned(), source })
}
