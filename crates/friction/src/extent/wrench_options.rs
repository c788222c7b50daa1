//! The options of contacts by one wrench for each volume that two bodies share.

use super::{Algorithm, EllipsePatch, Extent, Metric, Rim, Slip, SpinLaw, Wrench};
use crate::FrictionError;
use crate::law::ContactFrame;
use crate::registry::{Fault, Form, Key, KeyError, Model, Preset, Range, Values, words};
use crate::set::{Ellipse, Rotation, Set};

/// The options of wrench contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrenchOptions {
    /// How the wrench of a contact is found.
    pub algorithm: Algorithm,
    /// Where the normal comes from.
    pub normal: NormalRule,
    /// How the patch follows from the overlap.
    pub patch: PatchShape,
    /// What resists spin.
    pub spin: SpinRule,
    /// How a centre of pressure outside the patch is brought to its boundary.
    pub metric: Metric,
    /// What a contact carries at the boundary of its patch.
    pub rim: Rim,
    /// Which way friction points.
    pub slip: Slip,
    /// How far bodies may sink into each other before they are moved apart.
    pub target: Target,
    /// Whether all that two bodies share is one contact, however many volumes it is.
    pub joined: bool,
    /// Angle between the planes of one overlap, radians, beyond which each plane is a contact of its
    /// own (section 6.2, future work); none leaves overlaps whole.
    pub segment: Option<f64>,
    /// Sinking per load beyond the target, m/N (section 5.7).
    pub compliance: f64,
}

/// What resists spin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SpinRule {
    /// Eqs. 11–13. Some steps have no solution: the torque jumps as the centre of pressure reaches the
    /// boundary.
    Corners,
    /// Sliding and spin coupled by the limit surface of the patch.
    Contensou,
    /// What uniform pressure carries, fading to nothing as the centre of pressure reaches the boundary;
    /// not coupled with sliding.
    #[default]
    Uniform,
    /// Nothing.
    None,
}

/// The overlap that stabilisation leaves: without one, bodies at rest would lose touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// Volume, m³ (the paper's).
    Volume(f64),
    /// Volume over projected area: the mean depth, metres.
    Depth(f64),
}

impl Default for WrenchOptions {
    fn default() -> WrenchOptions {
        WrenchOptions {
            algorithm: Algorithm::default(),
            normal: NormalRule::default(),
            patch: PatchShape::default(),
            spin: SpinRule::default(),
            metric: Metric::default(),
            rim: Rim::default(),
            slip: Slip::default(),
            target: Target::Depth(1e-4),
            joined: false,
            segment: None,
            compliance: 0.0,
        }
    }
}

/// Which direction is the contact normal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NormalRule {
    /// Where the volume falls fastest as B moves (the paper, section 4.2).
    Gradient,
    /// The gradient; but where edges of two polyhedra meet, of the planes between which the overlap lies the
    /// one that bodies came in by. (There the gradient is a mean of several planes by their areas.)
    #[default]
    Entered,
    /// Along which the overlap is thinnest, in the sense of the gradient (section 6.1.2).
    Thinnest,
    /// So much of the thinnest direction, 0 to 1, and the rest of the gradient (section 6.1.2).
    Blend(f64),
}

/// How the second moment becomes half lengths of the patch. With the variance m = M/V along an
/// axis: Appendix A has a cuboid (√3 m) or an ellipsoid (√5 m) of the same moments. For a flat
/// overlap the latter is too large by 29 % for a square and by 12 % for a disc, so it is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PatchShape {
    /// By shape: all lengths √m are stretched by one factor until the ellipse touches the edge of
    /// the overlap from inside. That factor is √3 for a rectangle (and not more than that for what
    /// may be one: below 1.92), 2 for a disc, √6 for the cap of a ball, and less than √3 for a
    /// ring or the feet of a table.
    #[default]
    Measured,
    /// Half lengths √(3 m): the ellipse in the rectangle of the same moments.
    Rectangle,
    /// Half axes √(4 m): the flat ellipse of the same moments.
    Ellipse,
    /// Half lengths to where the overlap reaches (a k-DOP of 32 directions), along the axes of the
    /// second moment: for table legs.
    Reach,
    /// The convex hull of the overlap's outline in the contact plane, of its 32 points farthest along as many
    /// directions: a polygon in place of an ellipse (section 6.2).
    Hull,
}

impl WrenchOptions {
    /// The set of a patch with this planar section, in the contact frame.
    pub fn wrench(
        &self,
        patch: &EllipsePatch,
        frame: &ContactFrame,
        section: Set,
    ) -> Result<Wrench, FrictionError> {
        let axis = Rotation::from_direction(frame.to_plane(patch.u)).unwrap_or(Rotation::IDENTITY);
        let ellipse = Ellipse::new(patch.half.x, patch.half.y, axis)?;
        let mut wrench = Wrench::new(ellipse, section)?;
        if let Some(hull) = &patch.hull {
            wrench = wrench.with_hull(&hull.map(|p| axis.to_frame(p)));
        }
        let mut wrench = match self.spin {
            SpinRule::Corners => wrench,
            SpinRule::Contensou => wrench.contensou()?,
            SpinRule::Uniform => {
                wrench.uniform_over(&Ellipse::new(patch.spread.x, patch.spread.y, axis)?)
            }
            SpinRule::None => wrench.with_spin(SpinLaw::None),
        };
        (wrench.metric, wrench.rim, wrench.slip) = (self.metric, self.rim, self.slip);
        Ok(if self.algorithm == Algorithm::Printed { wrench.printed() } else { wrench })
    }
}

/// The extent by name.
pub(super) static MODEL: Model<Extent> = Model {
    name: "wrench",
    doc: "One wrench for each volume that two bodies share (Bouchard 2015)",
    keys: &[
        Key::optional("algorithm", Form::Word(&words(&ALGORITHMS)), "")
            .or(Preset::Word("completed"))
            .about("how a contact is solved: Algorithm 1 with what it lacks, or as printed, line by line, whatever rim and slip say; the rest of the paper's way is normal = \"gradient\", spin = \"corners\", overlaps = \"joined\", patch = \"rectangle\""),
        Key::optional("normal", Form::Word(&words(&NORMALS)), "")
            .or(Preset::Word("entered"))
            .about("where the normal comes from: the gradient of the volume (the paper's); the same, but at edges of two polyhedra the plane that bodies came in by; the direction in which the overlap is thinnest; or a blend"),
        Key::optional("blend", Form::Number(Range::Unit), "")
            .about("part of the thinnest direction in a blend; default 0.5"),
        Key::optional("patch", Form::Word(&words(&PATCHES)), "")
            .or(Preset::Word("measured"))
            .about("how the patch follows from the overlap: by its area and moments, as of a rectangle or an ellipse, as far as the overlap reaches, or the hull of its outline, a polygon"),
        Key::optional("spin", Form::Word(&words(&SPINS)), "")
            .or(Preset::Word("uniform"))
            .about("what resists spin: uniform pressure, the limit surface of the patch, nothing, or the paper's corners, with which some steps have no solution"),
        Key::optional("metric", Form::Word(&words(&METRICS)), "")
            .or(Preset::Word("euclidean"))
            .about("how a centre of pressure outside the patch comes to its boundary: to the nearest point (the paper's), to where a push takes most energy, or to the point that comes down no less than the rest of the patch (Signorini's law for all of it)"),
        Key::optional("rim", Form::Word(&words(&RIMS)), "")
            .or(Preset::Word("free"))
            .about("what a contact carries whose centre of pressure is at the boundary of its patch: a force, or also a spin torque"),
        Key::optional("slip", Form::Word(&words(&SLIPS)), "")
            .or(Preset::Word("opposed"))
            .about("friction against the slip, or along the projection of the force that would hold (the paper's)"),
        Key::optional("target_volume", Form::Number(Range::Positive), "m³")
            .about("overlap that is left"),
        Key::optional("target_depth", Form::Number(Range::Positive), "m")
            .about("overlap that is left, as volume over projected area; default 1e-4"),
        Key::optional("overlaps", Form::Word(&words(&OVERLAPS)), "")
            .or(Preset::Word("each"))
            .about("one contact for each volume that two bodies share, or one for all of them (the paper's)"),
        Key::optional("segment", Form::Number(Range::Positive), "degrees")
            .about("angle between the planes of one overlap beyond which each is a contact of its own; default: overlaps are whole"),
        Key::optional("compliance", Form::Number(Range::NonNegative), "m/N")
            .or(Preset::Number(0.0))
            .about("how far bodies sink in beyond the target"),
    ],
    make: |values| Ok(Extent::Wrench(of_values(values)?)),
};

/// The rules for normals by name.
pub static NORMALS: [(&str, NormalRule); 4] = [
    ("entered", NormalRule::Entered),
    ("gradient", NormalRule::Gradient),
    ("thinnest", NormalRule::Thinnest),
    ("blend", NormalRule::Blend(0.5)),
];
/// The shapes of patches by name.
pub static PATCHES: [(&str, PatchShape); 5] = [
    ("measured", PatchShape::Measured),
    ("rectangle", PatchShape::Rectangle),
    ("ellipse", PatchShape::Ellipse),
    ("reach", PatchShape::Reach),
    ("hull", PatchShape::Hull),
];
static SPINS: [(&str, SpinRule); 4] = [
    ("corners", SpinRule::Corners),
    ("contensou", SpinRule::Contensou),
    ("uniform", SpinRule::Uniform),
    ("none", SpinRule::None),
];
static ALGORITHMS: [(&str, Algorithm); 2] =
    [("completed", Algorithm::Completed), ("printed", Algorithm::Printed)];
static METRICS: [(&str, Metric); 3] =
    [("euclidean", Metric::Euclidean), ("mass", Metric::Mass), ("signorini", Metric::Signorini)];
static RIMS: [(&str, Rim); 2] = [("free", Rim::Free), ("braked", Rim::Braked)];
static SLIPS: [(&str, Slip); 2] = [("opposed", Slip::Opposed), ("projected", Slip::Projected)];
/// Whether all overlaps of two bodies are one contact.
static OVERLAPS: [(&str, bool); 2] = [("each", false), ("joined", true)];

fn of_values(values: &Values) -> Result<WrenchOptions, KeyError> {
    let mut normal = values.choice("normal", &NORMALS)?;
    if let Some(given) = values.number("blend") {
        let NormalRule::Blend(part) = &mut normal else {
            return Err(KeyError::new("blend", Fault::Idle("normal", "blend")));
        };
        *part = given;
    }
    let target = match (values.number("target_volume"), values.number("target_depth")) {
        (Some(_), Some(_)) => {
            return Err(KeyError::new("target_depth", Fault::Both("target_volume")));
        }
        (Some(volume), None) => Target::Volume(volume),
        (None, Some(depth)) => Target::Depth(depth),
        (None, None) => WrenchOptions::default().target,
    };
    let joined = values.choice("overlaps", &OVERLAPS)?;
    if joined && values.has("segment") {
        return Err(KeyError::new("segment", Fault::Idle("overlaps", "each")));
    }
    Ok(WrenchOptions {
        algorithm: values.choice("algorithm", &ALGORITHMS)?,
        normal,
        patch: values.choice("patch", &PATCHES)?,
        spin: values.choice("spin", &SPINS)?,
        metric: values.choice("metric", &METRICS)?,
        rim: values.choice("rim", &RIMS)?,
        slip: values.choice("slip", &SLIPS)?,
        target,
        joined,
        segment: values.number("segment").map(f64::to_radians),
        compliance: values.given("compliance"),
    })
}
