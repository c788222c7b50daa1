//! How bodies touch, and the options of wrench contacts.

use asperity_friction::extent::{Metric, Rim, Slip};

use asperity_geometry::volume::{NormalRule, PatchShape};

/// How two bodies touch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum ContactKind {
    /// At points, each with a load and friction of its own.
    #[default]
    Points,
    /// By one wrench for each volume they share.
    Wrench(WrenchOptions),
}

/// The options of wrench contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrenchOptions {
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
    /// Eqs. 11–13.
    #[default]
    Corners,
    /// Sliding and spin coupled by the limit surface of the patch.
    Contensou,
    /// What uniform pressure carries, fading to nothing as the centre of pressure reaches the boundary;
    /// not coupled with sliding.
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

/// How bodies of each two materials touch.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactKinds {
    default: ContactKind,
    /// Pairs that were told otherwise, the lower number first.
    pairs: Vec<((usize, usize), ContactKind)>,
}

impl ContactKinds {
    pub(super) fn set(&mut self, between: Option<(usize, usize)>, kind: ContactKind) {
        let Some((a, b)) = between else {
            self.default = kind;
            return;
        };
        let pair = (a.min(b), a.max(b));
        self.pairs.retain(|(p, _)| *p != pair);
        self.pairs.push((pair, kind));
    }

    pub(super) fn of(&self, a: usize, b: usize) -> ContactKind {
        let pair = (a.min(b), a.max(b));
        self.pairs.iter().find(|(p, _)| *p == pair).map_or(self.default, |(_, kind)| *kind)
    }

    pub(super) fn any(&self, n: usize, a: usize) -> bool {
        (0..n).any(|b| self.of(a, b) != ContactKind::Points)
    }
}
