//! Andrews, Nassif, Erleben, Kry 2021, *Coupling Friction with Visual Appearance*.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::{Needs, Sampled, Section};
use crate::FrictionError;
use crate::error::{non_negative, positive};
use crate::law::{ContactState, Law};
use crate::registry::{AtKey, Fault, Form, Key, KeyError, Model, Preset, Range, Values, words};
use crate::set::{BoxSet, Disk, Interval, Polygon, Rotation, Set};
use crate::surface::Surface;
use crate::surface::patch::{
    Area, Directions, Facet, MAX_DIRECTIONS, MAX_RESOLUTION, PatchView, Sample, Sampler, Sampling,
    Side, Window,
};

/// Coefficients from the facets that both surfaces show at the contact (Eqs. 3 to 8).
///
/// A facet with slope vector s = m′ tan θ has the coefficient max(0, −s·d) 2/π on A and
/// max(0, s·d) 2/π on B, for motion of B along d. The sum over all facets, μ(d), is the support function of a sum of segments, so the
/// forces f on B with −f·d ≤ μ(d) for all d are a convex set. [`Limit`] says how it is cut to a
/// finite number of directions.
///
/// A surface without relief is smooth. Where the patch has no texel that both surfaces cover, the
/// ambient coefficient alone is left.
#[derive(Debug, Clone, PartialEq)]
pub struct Ploughing {
    ambient: f64,
    limit: Limit,
    alignment: Alignment,
    sampling: Sampling,
    directions: Arc<Directions>,
}

/// How the set of admissible forces is cut to a finite number of directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A polygon with one corner for each of this many directions of motion, even over the circle.
    ///
    /// Its corners are the forces that oppose those motions most, with the ambient disk's own:
    /// −(p_k + μ₀ d_k), p_k the sum of the facets that resist d_k. All of them are in the exact
    /// set, and for motion along d_k the polygon is exact. In between, facets lose nothing that
    /// they do not share with their neighbours, and the disk loses up to 1 − cos(π/K) (1.9 % for
    /// K = 16). Half-planes instead would leak friction across ridges to motion along them.
    Polygon(usize),
    /// Four bounds along two axes (Eq. 9), the paper's own. It holds the exact set, and more.
    Box,
}

/// Where the first direction points, and with it the sides of the window.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Alignment {
    /// Along t of the contact frame, a function of the normal alone.
    #[default]
    Frame,
    /// Along this world direction, laid into the contact plane.
    Along(DVec3),
    /// Along the grain: the mean of both surfaces' where both have one.
    Structure,
    /// Where the contact would slide without friction (section 5.5, "automatic").
    Slip,
}

/// Directions unless said otherwise.
const DIRECTIONS: usize = 16;

impl Ploughing {
    /// With the ambient coefficient μ₀ of Eq. 7; 16 directions from the contact frame's t on.
    pub fn new(ambient: f64) -> Result<Ploughing, FrictionError> {
        Ok(Ploughing {
            ambient: non_negative("ambient coefficient", ambient)?,
            limit: Limit::Polygon(DIRECTIONS),
            alignment: Alignment::default(),
            sampling: Sampling::default(),
            directions: Arc::new(Directions::new(DIRECTIONS)?),
        })
    }

    /// With another limit curve.
    pub fn with_limit(self, limit: Limit) -> Result<Ploughing, FrictionError> {
        let count = match limit {
            Limit::Polygon(count) if count < 3 => {
                return Err(FrictionError::Value {
                    what: "number of directions".to_owned(),
                    value: count as f64,
                    expected: "3 to 360",
                });
            }
            Limit::Polygon(count) => count,
            Limit::Box => 4,
        };
        if self.sampling.eight_bit && limit != Limit::Box {
            let message = "coefficients of eight bits make a box only; expected limit \"box\"";
            return Err(FrictionError::Shape(message.to_owned()));
        }
        Ok(Ploughing { limit, directions: Arc::new(Directions::new(count)?), ..self })
    }

    /// With another alignment.
    pub fn with_alignment(self, alignment: Alignment) -> Result<Ploughing, FrictionError> {
        if let Alignment::Along(direction) = alignment {
            positive("length of the direction of alignment", direction.length())?;
        }
        Ok(Ploughing { alignment, ..self })
    }

    /// With another window. Eight bits are for boxes: they hold coefficients along directions, of
    /// which no other set is made.
    pub fn with_sampling(self, sampling: Sampling) -> Result<Ploughing, FrictionError> {
        sampling.check()?;
        if sampling.eight_bit && self.limit != Limit::Box {
            let message = "coefficients of eight bits make a box only; expected limit \"box\"";
            return Err(FrictionError::Shape(message.to_owned()));
        }
        Ok(Ploughing { sampling, ..self })
    }

    /// The ambient coefficient.
    pub fn ambient(&self) -> f64 {
        self.ambient
    }

    /// The set of sampled coefficients. `sample` must have this section's directions.
    pub fn set(&self, sample: &Sample) -> Set {
        let set = match self.limit {
            Limit::Polygon(_) => self.polygon(sample).map(Set::from),
            Limit::Box => self.bounds(sample).map(Set::from),
        };
        // Coefficients are finite, so that this does not happen.
        set.unwrap_or(Set::Disk(Disk::frictionless()))
    }

    fn polygon(&self, sample: &Sample) -> Result<Polygon, FrictionError> {
        let count = sample.directions.count();
        let corner = |k: usize| {
            let (d, p) = sample.in_plane(k);
            -(p + d * self.ambient)
        };
        // No force at all is admissible too, but it can lie between two directions.
        let points: Vec<DVec2> = (0..count).map(corner).chain([DVec2::ZERO]).collect();
        Polygon::from_points(&points)
    }

    /// Eq. 9 for the impulse on B, with the misprinted signs put right: motion along +d₁ is
    /// resisted by a force along −d₁ of at most μ(d₁).
    fn bounds(&self, sample: &Sample) -> Result<BoxSet, FrictionError> {
        let [d1, d2, d3, d4] = [0, 1, 2, 3].map(|k| sample.mu(k) + self.ambient);
        Ok(BoxSet::new(Interval::new(-d1, d3)?, Interval::new(-d2, d4)?, sample.rotation))
    }
}

impl Section for Ploughing {
    fn name(&self) -> &'static str {
        "ploughing"
    }

    /// From the sample of the patch. Where nobody took one, both surfaces are taken as flat and as
    /// wide as the window.
    fn law(&self, contact: &ContactState) -> Law {
        if let Some(sample) = &contact.sample {
            return Law::from(self.set(sample));
        }
        let rotation = self.rotation(contact);
        let Sampling { width, resolution, .. } = self.sampling;
        let [a, b] = [0, 1].map(|side| {
            let point = &contact.surfaces[side];
            [Facet::flat(point.axes_in(&contact.frame), point.uv, side)]
        });
        let [of_a, of_b] = contact.surfaces.map(|point| point.surface.relief.as_deref());
        let window = Window::about_point(width, resolution, 0.0, rotation);
        let manner = self.sampling.manner(contact.last_load, contact.area);
        let patch = PatchView {
            window: Window { manner, ..window },
            corners: &[],
            sides: [Side { relief: of_a, facets: &a }, Side { relief: of_b, facets: &b }],
        };
        let mut sampler = Sampler::with_directions(self.directions.clone());
        Law::from(self.set(&sampler.sample(&patch)))
    }

    fn needs(&self) -> Needs {
        let real = self.sampling.stiffness.is_some();
        let free_slip = self.alignment == Alignment::Slip;
        Needs { free_slip, area: real, load: real, ..Needs::SURFACES }
    }

    /// Texels that touch are found by their heights, which a normal map does not have.
    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        let wears = [a, b].into_iter().find(|surface| surface.wear > 0.0);
        if let (None, Some(surface)) = (self.sampling.stiffness, wears) {
            return Err(FrictionError::Shape(format!(
                "\"{}\" wears, and wear is where texels carry load: expected a \"stiffness\"",
                surface.name
            )));
        }
        let is_flat_or_high =
            |s: &&Surface| s.relief.as_ref().is_none_or(|relief| relief.map().heights().is_some());
        let without = [a, b].into_iter().find(|surface| !is_flat_or_high(surface));
        match (self.sampling.stiffness, without) {
            (Some(_), Some(surface)) => Err(FrictionError::Shape(format!(
                "\"{}\" has normals but no heights, and real contact (\"stiffness\") is where surfaces are high; \
                 expected a texture of kind \"height\", or one that is made from heights (\"rough\", \"ridges\", \
                 \"brushed\", \"wood\") on square texels",
                surface.name
            ))),
            _ => Ok(()),
        }
    }

    fn sampled(&self) -> Option<&dyn Sampled> {
        Some(self)
    }
}

impl Sampled for Ploughing {
    fn sampling(&self) -> (Sampling, &Arc<Directions>) {
        (self.sampling, &self.directions)
    }

    fn rotation(&self, contact: &ContactState) -> Rotation {
        let axis = match self.alignment {
            Alignment::Frame => DVec2::X,
            Alignment::Along(direction) => contact.frame.to_plane(direction.normalize_or_zero()),
            Alignment::Slip => contact.frame.to_plane(contact.free_slip).normalize_or_zero(),
            Alignment::Structure => {
                let [a, b] = contact.surfaces.map(|s| s.structure_in(&contact.frame));
                if a.dot(b) < 0.0 { a - b } else { a + b }
            }
        };
        let has_direction = axis.length() > 1e-6;
        Rotation::from_direction(axis).filter(|_| has_direction).unwrap_or(Rotation::IDENTITY)
    }
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "ploughing",
    doc: "Friction from the visible roughness of both surfaces (Andrews 2021)",
    keys: &[
        Key::optional("mu", Form::Number(Range::NonNegative), "")
            .or(Preset::Number(0.0))
            .about("coefficient that is left on smooth surfaces"),
        Key::optional("width", Form::Number(Range::Positive), "m")
            .or(Preset::Number(0.02))
            .about("width of the window"),
        Key::optional("resolution", Form::Whole(1, MAX_RESOLUTION), "")
            .or(Preset::Whole(16))
            .about("texels along a side of the window"),
        Key::optional("directions", Form::Whole(3, MAX_DIRECTIONS), "")
            .about("corners of the limit \"polygon\"; default 16"),
        Key::optional("sampling", Form::Word(&words(&AREAS)), "")
            .or(Preset::Word("point"))
            .about("a window about each contact point, or the whole area"),
        Key::optional("stiffness", Form::Number(Range::Positive), "Pa/m")
            .about("texels touch where they are high, on springs of this stiffness; needs heights"),
        Key::optional("filter", Form::Flag, "")
            .or(Preset::Flag(false))
            .about("slopes are averaged over each texel of the window, as a texture filter does"),
        Key::optional("eight_bit", Form::Flag, "")
            .or(Preset::Flag(false))
            .about("coefficients in eight bits, 1 at most, as the paper keeps them; \"box\" only"),
        Key::optional("limit", Form::Word(&words(&LIMITS)), "")
            .or(Preset::Word("polygon"))
            .about("the shape of the set"),
        Key::optional(
            "align",
            Form::Either(&[Form::Word(&words(&ALIGNMENTS)), Form::Vector(3, Range::Any)]),
            "",
        )
        .or(Preset::Word("frame"))
        .about(
            "where the window and the box point: along the grain, where it would slide without \
                 friction, or a direction",
        ),
    ],
    make: |values| Ok(Arc::new(of_values(values)?)),
};

static AREAS: [(&str, Area); 2] = [("point", Area::Point), ("area", Area::Whole)];
static LIMITS: [(&str, Limit); 2] = [("polygon", Limit::Polygon(DIRECTIONS)), ("box", Limit::Box)];
static ALIGNMENTS: [(&str, Alignment); 3] =
    [("frame", Alignment::Frame), ("structure", Alignment::Structure), ("slip", Alignment::Slip)];

fn of_values(values: &Values) -> Result<Ploughing, KeyError> {
    let alignment = match values.vector("align") {
        Some(direction) => Alignment::Along(DVec3::from_array(direction)),
        None => values.choice("align", &ALIGNMENTS)?,
    };
    let mut limit = values.choice("limit", &LIMITS)?;
    if values.has("directions") {
        let Limit::Polygon(directions) = &mut limit else {
            return Err(KeyError::new("directions", Fault::Idle("limit", "polygon")));
        };
        *directions = values.whole("directions");
    }
    let sampling = Sampling {
        width: values.given("width"),
        resolution: values.whole("resolution"),
        area: values.choice("sampling", &AREAS)?,
        stiffness: values.has("stiffness").then(|| values.given("stiffness")),
        filter: values.flag("filter"),
        eight_bit: values.flag("eight_bit"),
    };
    if sampling.eight_bit && limit != Limit::Box {
        return Err(KeyError::new("eight_bit", Fault::Idle("limit", "box")));
    }
    let ploughing = Ploughing::new(values.given("mu")).at("mu")?.with_limit(limit);
    let ploughing = ploughing.at("directions")?.with_alignment(alignment).at("align")?;
    ploughing.with_sampling(sampling).at("width")
}
