//! What one can plot, from the command line to a set: the sections of the registry, and plain sets.

use std::str::FromStr;

use asperity::friction::FrictionError;
use asperity::friction::set::{BoxSet, Ellipse, Interval, Polygon, Rotation, Set};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use super::contact::finite;
use super::section::{SectionArgs, add_subcommands, of_matches};
use crate::error::CliError;
use asperity_chart::exact;

/// A friction model and its numbers.
#[derive(Debug, Clone)]
pub(crate) enum Model {
    /// A section by name.
    Section(SectionArgs),
    /// A set.
    Plain(PlainSet),
}

impl FromArgMatches for Model {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Model, clap::Error> {
        Ok(match of_matches(matches)? {
            Some(section) => Model::Section(section),
            None => Model::Plain(PlainSet::from_arg_matches(matches)?),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Model::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Model {
    fn augment_subcommands(command: Command) -> Command {
        PlainSet::augment_subcommands(add_subcommands(command))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Model::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        add_subcommands(Command::new("")).find_subcommand(name).is_some()
            || PlainSet::has_subcommand(name)
    }
}

/// A set and its numbers. Coefficients are per unit of load, angles in degrees.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum PlainSet {
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

/// Numbers with commas between.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numbers(pub(super) Vec<f64>);

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
            Model::Section(args) => args.subject(),
            Model::Plain(set) => set.subject(),
        }
    }
}

impl PlainSet {
    fn subject(&self) -> Result<Subject, CliError> {
        match self {
            PlainSet::Ellipse { mu_1, mu_2, angle } => {
                let set = Ellipse::new(*mu_1, *mu_2, rotation(*angle)?)?;
                let [first, second, angle] = [*mu_1, *mu_2, *angle].map(exact);
                let details = format!("μ = {first} and {second}, first axis at {angle}°");
                Ok(Subject::plain("Elliptic cone", details, set.into()))
            }
            PlainSet::Box { t_min, t_max, b_min, b_max, angle } => {
                let (first, second) =
                    (Interval::new(*t_min, *t_max)?, Interval::new(*b_min, *b_max)?);
                let set = BoxSet::new(first, second, rotation(*angle)?);
                let [t0, t1, b0, b1] = [*t_min, *t_max, *b_min, *b_max].map(exact);
                let angle = exact(*angle);
                let details =
                    format!("{t0} to {t1} along, {b0} to {b1} across, first axis at {angle}°");
                Ok(Subject::plain("Box of four bounds", details, set.into()))
            }
            PlainSet::Polygon { points } => {
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

impl Subject {
    fn plain(title: &str, details: String, sliding: Set) -> Subject {
        let details = vec![details];
        Subject { title: title.to_owned(), details, sliding, resting: None, grains: None }
    }
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

fn input(message: &str) -> CliError {
    CliError::Input(message.to_owned())
}
