//! The friction models one can plot, from the command line to a set.

use std::str::FromStr;

use asperity::friction::FrictionError;
use asperity::friction::section::{
    Composition, Coulomb, FrictionTensors, Matchstick, Section, Weakening,
};
use asperity::friction::set::{BoxSet, Ellipse, Interval, Polygon, Rotation, Set};
use asperity::friction::surface::Surface;
use clap::{Args, Subcommand, ValueEnum};

use super::contact::{SLIDING, contact_set, finite, grained, surface_tensor};
use crate::error::CliError;
use asperity_chart::exact;

/// A friction model and its numbers. Coefficients are per unit of load, angles in degrees.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Model {
    /// Isotropic friction
    Coulomb {
        /// Coefficient while sliding
        #[arg(long, allow_hyphen_values = true)]
        mu: f64,
        /// Coefficient at rest, if larger
        #[arg(long, allow_hyphen_values = true)]
        static_mu: Option<f64>,
    },
    /// The matchstick cone (Erleben 2020) of two grains
    Matchstick {
        /// Coefficient with crossed grains
        #[arg(long, allow_hyphen_values = true)]
        mu: f64,
        /// Coefficient along parallel grains
        #[arg(long, allow_hyphen_values = true)]
        mu_t: f64,
        /// Coefficient across parallel grains
        #[arg(long, allow_hyphen_values = true)]
        mu_b: f64,
        /// Torque per unit load with parallel and with crossed grains, metres
        #[arg(long, allow_hyphen_values = true, value_name = "PARALLEL,CROSSED")]
        drilling: Option<Numbers>,
        #[command(flatten)]
        angles: Angles,
    },
    /// Friction tensors of two surfaces (Pabst 2009)
    Tensor(TensorArgs),
    /// Two coefficients along turned axes
    Ellipse {
        /// Coefficient along the first axis
        #[arg(long, allow_hyphen_values = true)]
        mu_1: f64,
        /// Coefficient along the second axis
        #[arg(long, allow_hyphen_values = true)]
        mu_2: f64,
        /// Angle of the first axis
        #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
        angle: f64,
    },
    /// Four bounds along turned axes
    Box {
        /// Lower bound along the first axis, zero or less
        #[arg(long, allow_hyphen_values = true)]
        t_min: f64,
        /// Upper bound along the first axis, zero or more
        #[arg(long, allow_hyphen_values = true)]
        t_max: f64,
        /// Lower bound along the second axis, zero or less
        #[arg(long, allow_hyphen_values = true)]
        b_min: f64,
        /// Upper bound along the second axis, zero or more
        #[arg(long, allow_hyphen_values = true)]
        b_max: f64,
        /// Angle of the first axis
        #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
        angle: f64,
    },
    /// The convex hull of points, which must hold the origin
    Polygon {
        /// Points as one text, "x,y x,y x,y", or the option given once per point
        #[arg(long, required = true, allow_hyphen_values = true, value_name = "X,Y ...")]
        points: Vec<String>,
    },
}

/// Two friction tensors and how they combine.
#[derive(Debug, Clone, Args)]
pub(crate) struct TensorArgs {
    /// Tensor of surface A: Q11,Q12,Q21,Q22, or its diagonal, or one number
    #[arg(long, allow_hyphen_values = true)]
    a: Numbers,
    /// Tensor of A for slip in the negative sense along its axes
    #[arg(long, allow_hyphen_values = true)]
    a_negative: Option<Numbers>,
    /// Tensor of surface B
    #[arg(long, allow_hyphen_values = true)]
    b: Numbers,
    /// Tensor of B for slip in the negative sense along its axes
    #[arg(long, allow_hyphen_values = true)]
    b_negative: Option<Numbers>,
    /// How the two make one
    #[arg(long, value_enum, default_value_t = Rule::Additive)]
    composition: Rule,
    /// Factor of the sum in additive composition [default: 0.5]
    #[arg(long, allow_hyphen_values = true)]
    kappa: Option<f64>,
    #[command(flatten)]
    angles: Angles,
}

/// How far the two surfaces are turned about the normal.
#[derive(Debug, Clone, Args)]
pub(crate) struct Angles {
    /// Angle of surface A
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    angle_a: f64,
    /// Angle of surface B
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    angle_b: f64,
}

/// How two tensors make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// Their sum times kappa
    Additive,
    /// Their symmetrised product
    Multiplicative,
    /// The one that dissipates less, by direction
    Minimum,
}

/// Numbers with commas between.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numbers(Vec<f64>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers, String> {
        let number = |part: &str| {
            let part = part.trim();
            part.parse().map_err(|_| format!("\"{part}\" is not a number"))
        };
        text.split(',').map(number).collect::<Result<_, _>>().map(Numbers)
    }
}

/// What there is to draw.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The model.
    pub(crate) title: String,
    /// Its numbers, in lines.
    pub(crate) details: Vec<String>,
    /// The set of a contact that slides.
    pub(crate) sliding: Set,
    /// The set of a contact at rest, where it is another.
    pub(crate) resting: Option<Set>,
    /// Angles of the grain of A and of B, degrees.
    pub(crate) grains: Option<[f64; 2]>,
}

impl Model {
    /// The sets of the model, or what the library has against its numbers.
    pub(crate) fn subject(&self) -> Result<Subject, CliError> {
        match self {
            Model::Coulomb { mu, static_mu } => {
                let title = "Coulomb friction";
                let (section, details) = match static_mu {
                    None => (Coulomb::new(*mu)?, format!("μ = {}", exact(*mu))),
                    Some(at_rest) => {
                        let weakening = Weakening::Threshold(0.5 * SLIDING);
                        let section = Coulomb::with_static(*at_rest, *mu, weakening)?;
                        (
                            section,
                            format!("μ = {} sliding, {} at rest", exact(*mu), exact(*at_rest)),
                        )
                    }
                };
                let bare = [Surface::new("A"), Surface::new("B")];
                let subject = of_section(title, vec![details], &section, &bare, [0.0; 2])?;
                Ok(Subject { grains: None, ..subject })
            }
            Model::Matchstick { mu, mu_t, mu_b, drilling, angles } => {
                let mut section = Matchstick::new(*mu, *mu_t, *mu_b)?;
                let [crossed, along, across] = [*mu, *mu_t, *mu_b].map(exact);
                let mut details = vec![format!(
                    "μ = {along} along and {across} across parallel grains, {crossed} for crossed grains"
                )];
                if let Some(lengths) = drilling {
                    let [parallel, crossed] = exactly("drilling", "PARALLEL,CROSSED", lengths)?;
                    section = section.with_drilling(parallel, crossed)?;
                    let [parallel, crossed] = [parallel, crossed].map(exact);
                    let drilling = "drilling torque per unit load";
                    details.push(format!("{drilling} {parallel} m parallel, {crossed} m crossed"));
                }
                let grained = [grained("A"), grained("B")];
                of_section("Matchstick cone", details, &section, &grained, angles.pair())
            }
            Model::Tensor(args) => args.subject(),
            Model::Ellipse { mu_1, mu_2, angle } => {
                let set = Ellipse::new(*mu_1, *mu_2, rotation(*angle)?)?;
                let [first, second, angle] = [*mu_1, *mu_2, *angle].map(exact);
                let details = format!("μ = {first} and {second}, first axis at {angle}°");
                Ok(Subject::plain("Elliptic cone", details, set.into()))
            }
            Model::Box { t_min, t_max, b_min, b_max, angle } => {
                let (first, second) =
                    (Interval::new(*t_min, *t_max)?, Interval::new(*b_min, *b_max)?);
                let set = BoxSet::new(first, second, rotation(*angle)?);
                let [t0, t1, b0, b1] = [*t_min, *t_max, *b_min, *b_max].map(exact);
                let angle = exact(*angle);
                let details =
                    format!("{t0} to {t1} along, {b0} to {b1} across, first axis at {angle}°");
                Ok(Subject::plain("Box of four bounds", details, set.into()))
            }
            Model::Polygon { points } => {
                let mut parsed = Vec::new();
                for text in points.iter().flat_map(|p| p.split([' ', ';'])) {
                    if !text.trim().is_empty() {
                        let point =
                            text.parse().map_err(|e| input(&format!("polygon point: {e}")))?;
                        parsed.push(exactly("polygon point", "X,Y", &point)?.into());
                    }
                }
                let set = Polygon::from_points(&parsed)?;
                let corner = |c: &[f64; 2]| format!("({}, {})", exact(c[0]), exact(c[1]));
                let corners: Vec<_> = set.corners().iter().map(|c| corner(&c.to_array())).collect();
                let details = match corners.len() {
                    n @ 7.. => format!("{n} corners"),
                    _ => format!("corners {}", corners.join(", ")),
                };
                Ok(Subject::plain("Convex polygon", details, set.into()))
            }
        }
    }
}

impl TensorArgs {
    fn subject(&self) -> Result<Subject, CliError> {
        let (composition, rule) = match (self.composition, self.kappa) {
            (Rule::Additive, kappa) => {
                let kappa = kappa.unwrap_or(0.5);
                (Composition::Additive { kappa }, format!("additive, κ = {kappa}"))
            }
            (_, Some(_)) => {
                return Err(input("kappa belongs to additive composition; leave it out"));
            }
            (Rule::Multiplicative, None) => {
                (Composition::Multiplicative, "multiplicative".to_owned())
            }
            (Rule::Minimum, None) => (Composition::Minimum, "minimum".to_owned()),
        };
        let section = FrictionTensors::new(composition)?;
        let surface = |name: &str, positive: &Numbers, negative: Option<&Numbers>| {
            let [q, q_negative] = [Some(positive), negative].map(|n| n.map(|n| entries(name, n)));
            let (q, q_negative) = (q.transpose()?.unwrap_or_default(), q_negative.transpose()?);
            let tensor = surface_tensor(q, q_negative)
                .map_err(|e| input(&format!("surface {name}: {e}")))?;
            let other =
                q_negative.map_or(String::new(), |q| format!(" and, backwards, {}", rows(q)));
            let details = format!("{name} = {}{other}", rows(q));
            Ok::<_, CliError>((Surface::new(name).with_tensor(tensor), details))
        };
        let (a, details_a) = surface("A", &self.a, self.a_negative.as_ref())?;
        let (b, details_b) = surface("B", &self.b, self.b_negative.as_ref())?;
        let title = format!("Friction tensors, {rule}");
        of_section(&title, vec![details_a, details_b], &section, &[a, b], self.angles.pair())
    }
}

impl Subject {
    fn plain(title: &str, details: String, sliding: Set) -> Subject {
        let details = vec![details];
        Subject { title: title.to_owned(), details, sliding, resting: None, grains: None }
    }
}

impl Angles {
    fn pair(&self) -> [f64; 2] {
        [self.angle_a, self.angle_b]
    }
}

fn of_section(
    title: &str,
    details: Vec<String>,
    section: &dyn Section,
    surfaces: &[Surface; 2],
    degrees: [f64; 2],
) -> Result<Subject, CliError> {
    let surfaces = surfaces.each_ref();
    let sliding = contact_set(section, surfaces, degrees, SLIDING)?;
    let resting = Some(contact_set(section, surfaces, degrees, 0.0)?).filter(|set| *set != sliding);
    Ok(Subject { title: title.to_owned(), details, sliding, resting, grains: Some(degrees) })
}

fn rotation(degrees: f64) -> Result<Rotation, FrictionError> {
    Ok(Rotation::from_angle(finite("angle", degrees)?.to_radians()))
}

/// Just as many numbers as were asked for.
fn exactly<const N: usize>(what: &str, form: &str, found: &Numbers) -> Result<[f64; N], CliError> {
    found
        .0
        .as_slice()
        .try_into()
        .map_err(|_| input(&format!("{what} has {} numbers; expected {N}: {form}", found.0.len())))
}

/// Q11, Q12, Q21, Q22 from four, two or one numbers.
fn entries(name: &str, numbers: &Numbers) -> Result<[f64; 4], CliError> {
    match numbers.0[..] {
        [q] => Ok([q, 0.0, 0.0, q]),
        [q11, q22] => Ok([q11, 0.0, 0.0, q22]),
        [q11, q12, q21, q22] => Ok([q11, q12, q21, q22]),
        _ => Err(input(&format!(
            "tensor of surface {name} has {} numbers; expected Q11,Q12,Q21,Q22, or two for a diagonal, or one",
            numbers.0.len()
        ))),
    }
}

fn rows(q: [f64; 4]) -> String {
    let [q11, q12, q21, q22] = q.map(exact);
    if q[1] == 0.0 && q[2] == 0.0 {
        format!("diag({q11}, {q22})")
    } else {
        format!("[{q11}, {q12}; {q21}, {q22}]")
    }
}

fn input(message: &str) -> CliError {
    CliError::Input(message.to_owned())
}
