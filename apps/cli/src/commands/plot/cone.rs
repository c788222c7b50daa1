//! `asperity plot cone`: the limit curve of a friction model, and how slip maps to force.

pub(crate) mod contact;
mod model;
mod picture;
mod section;

use std::io::Write;
use std::path::{Path, PathBuf};

use asperity::friction::set::{Kind, Set};
use serde::Serialize;

use crate::error::CliError;
use crate::output::write_picture;
use asperity_chart::Point;
use asperity_chart::limit::{Limit, Spread, Traction};
use model::{Model, Subject};

/// Options of `asperity plot cone`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    model: Model,
    /// Number of slip directions shown
    #[arg(long, global = true, default_value_t = 16, value_parser = clap::value_parser!(u16).range(0..=360))]
    slips: u16,
    /// Print curve points, slips and tractions as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Picture to write: .svg, .png, or a name without extension for both
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Points of a limit curve in a picture.
const SAMPLES: usize = 360;

/// Draws or prints what was asked for.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if args.output.is_none() && !args.json {
        let message = "nothing to do; give a picture to write with -o FILE, or --json";
        return Err(CliError::Input(message.to_owned()));
    }
    let cone = Cone::new(args.model.subject()?, usize::from(args.slips))?;
    let mut lines = Vec::new();
    if let Some(path) = &args.output {
        let written = write_picture(path, &picture::draw(&cone))?;
        lines.extend(written.iter().map(|file| format!("wrote {}", file.display())));
    }
    if args.json {
        // The files are no part of the data.
        lines = vec![cone.json()?];
    }
    let mut out = std::io::stdout().lock();
    lines
        .iter()
        .try_for_each(|line| writeln!(out, "{line}"))
        .map_err(CliError::at(Path::new("standard output")))
}

/// A model's curves and tractions.
#[derive(Debug)]
struct Cone {
    subject: Subject,
    limit: Limit,
    resting: Option<Limit>,
    tractions: Vec<Traction>,
    spread: Spread,
}

/// What `--json` prints. Forces are per unit load, on B; slip is that of B over A.
#[derive(Debug, Serialize)]
struct Report<'a> {
    model: &'a str,
    numbers: &'a [String],
    /// The shape in one word.
    set: &'static str,
    /// Whether friction dissipates the most it can.
    associated: bool,
    /// Pieces of the limit curve, broken where the traction jumps.
    curve: &'a [Vec<Point>],
    closed: bool,
    /// The limit curve at rest, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve_at_rest: Option<&'a [Vec<Point>]>,
    /// Largest torque about the normal per unit load, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    drilling: Option<f64>,
    spread: Spread,
    tractions: &'a [Traction],
}

impl Cone {
    fn new(subject: Subject, slips: usize) -> Result<Cone, CliError> {
        let limit = Limit::new(&subject.sliding, SAMPLES)?;
        let resting = subject.resting.as_ref().map(|set| Limit::new(set, SAMPLES)).transpose()?;
        let (tractions, spread) = (limit.tractions(slips), limit.spread());
        Ok(Cone { subject, limit, resting, tractions, spread })
    }

    /// Whether the traction is the force of largest dissipation.
    fn is_associated(&self) -> bool {
        self.subject.sliding.kind() == Kind::Convex
    }

    /// Largest torque about the normal per unit load, metres.
    fn drilling(&self) -> Option<f64> {
        match &self.subject.sliding {
            Set::Ellipsoid(shape) => Some(shape.drilling()),
            Set::LimitSurface(shape) => Some(shape.drilling()),
            Set::LimitPolytope(shape) => Some(shape.drilling()),
            _ => None,
        }
    }

    fn json(&self) -> Result<String, CliError> {
        let report = Report {
            model: &self.subject.title,
            numbers: &self.subject.details,
            set: self.subject.sliding.name(),
            associated: self.is_associated(),
            curve: &self.limit.branches,
            closed: self.limit.closed,
            curve_at_rest: self.resting.as_ref().map(|l| l.branches.as_slice()),
            drilling: self.drilling(),
            spread: self.spread,
            tractions: &self.tractions,
        };
        serde_json::to_string(&report).map_err(|error| CliError::Input(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity::friction::section::SECTIONS;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parsed(line: &str) -> Result<Args, clap::Error> {
        let words = line.split_whitespace().map(|w| w.replace('_', " "));
        Command::try_parse_from(std::iter::once("cone".to_owned()).chain(words)).map(|c| c.args)
    }

    fn cone(line: &str) -> Result<Cone, CliError> {
        let args = parsed(line).map_err(|e| CliError::Input(e.to_string()))?;
        Cone::new(args.model.subject()?, 16)
    }

    #[test]
    fn bad_numbers_give_the_library_s_message() {
        let cases = [
            ("coulomb --mu NaN", "invalid value 'NaN' for '--mu <MU>': expected a number, zero"),
            ("coulomb --mu -0.5", "invalid value '-0.5' for '--mu <MU>': expected a number, zero"),
            ("coulomb --mu 0.5 --static-mu 0.4", "below the kinetic one"),
            (
                "matchstick --mu 0.1 --mu-t inf --mu-b 0.2",
                "'inf' for '--mu-t <MU_T>': expected a number",
            ),
            ("matchstick --mu 0.1 --mu-t 0.1 --mu-b 0.2 --drilling 0.1", "expected an array of 2"),
            (
                "matchstick --mu 0.1 --mu-t 0.1 --mu-b 0.2 --angle-b NaN",
                "angle of surface B is NaN",
            ),
            ("tensor --a -0.2,0.5 --b 0.1", "not dissipative"),
            ("tensor --a 1,2,3 --b 0.1", "has 3 numbers"),
            (
                "tensor --a 1 --b 1 --composition minimum --kappa 0.5",
                "\"kappa\" in tensor is for the composition",
            ),
            ("tensor --a 0.3,0.1,0,0.3 --b 1 --composition multiplicative", "not symmetric"),
            ("tensor --a 0.3 --b 1 --kappa -1", "'-1' for '--kappa <KAPPA>'"),
            ("tensor --a 0.3", "material \"B\" has no friction tensor"),
            ("tresca --strength 1 --area NaN", "area is NaN"),
            ("ellipse --mu-1 0.5 --mu-2 -1", "coefficient along the second axis is -1"),
            ("ellipse --mu-1 0.5 --mu-2 1 --angle NaN", "angle is NaN"),
            ("box --t-min 0.1 --t-max 0.5 --b-min -1 --b-max 1", "does not hold zero"),
            ("polygon --points 1,0_0,1_1,1", "does not hold the origin"),
            ("polygon --points 1,0,3_0,1", "expected 2: X,Y"),
            ("polygon --points 1,zero", "\"zero\" is not a number"),
        ];
        for (line, expected) in cases {
            let message = cone(line).unwrap_err().to_string();
            assert!(message.contains(expected), "{line}: {message}");
        }
        assert!(parsed("coulomb --mu many").is_err());
        assert!(run(&parsed("coulomb --mu 0.5").unwrap()).is_err(), "nothing to do");
    }

    #[test]
    fn every_section_of_the_registry_can_be_drawn() {
        let command = <Command as clap::CommandFactory>::command();
        command.clone().debug_assert();
        for model in SECTIONS {
            let about = command.find_subcommand(model.name).and_then(|own| own.get_about());
            assert_eq!(about.unwrap().to_string(), model.doc);
            let needed = model.keys.iter().filter(|key| key.is_required());
            let options: Vec<String> =
                needed.map(|key| format!("--{} 0.3", key.name.replace('_', "-"))).collect();
            let line = format!("{} {} --a 0.2 --b 0.4", model.name, options.join(" "));
            let cone = cone(&line).unwrap();
            assert_eq!(cone.subject.title, model.name);
        }
    }

    #[test]
    fn a_load_that_is_always_the_same_is_said() {
        let cone = cone("tresca --strength 500 --area 0.2").unwrap();
        assert!(cone.subject.details.iter().any(|line| line.contains("100 N")), "{cone:?}");
    }

    #[test]
    fn options_may_follow_the_model() {
        let args = parsed("polygon --points 1,0_-1,1_-1,-1 --slips 8 --json -o a.svg").unwrap();
        assert_eq!((args.slips, args.json, args.output), (8, true, Some("a.svg".into())));
        let repeated = cone("polygon --points 1,0 --points -1,1 --points -1,-1").unwrap();
        assert_eq!(repeated.limit.branches[0].len(), 3);
    }

    #[test]
    fn rest_is_drawn_where_it_differs() {
        assert!(cone("coulomb --mu 0.5").unwrap().resting.is_none());
        let weakening = cone("coulomb --mu 0.5 --static-mu 0.7").unwrap();
        assert!((weakening.limit.reach() - 0.5).abs() < 1e-12);
        assert!((weakening.resting.unwrap().reach() - 0.7).abs() < 1e-12);
    }

    #[test]
    fn the_matchstick_cone_lies_between_the_grains() {
        let cone =
            cone("matchstick --mu 0.35 --mu-t 0.2 --mu-b 0.5 --angle-b 60 --drilling 0.01,0.04");
        let cone = cone.unwrap();
        // d = 1/3: 0.3 along 30°, 0.4 across.
        let Traction { force, .. } = cone.limit.traction(30.0_f64.to_radians());
        assert!((force[0].hypot(force[1]) - 0.3).abs() < 1e-12);
        assert!((force[1] / force[0] - 30.0_f64.to_radians().tan()).abs() < 1e-12);
        assert!((cone.spread.largest - 0.4).abs() < 1e-6);
        assert!((cone.drilling().unwrap() - 0.03).abs() < 1e-12);
    }

    #[test]
    fn b_feels_the_slip_the_other_way_round() {
        // B alone brings friction: 0.1 along +tangent, 0.4 along −tangent. It slides over A
        // along x, so A slides over it along −x.
        let line = "tensor --a 0 --b 0.1,0.2 --b-negative 0.4,0.2 --kappa 1 --angle-b";
        let along_x = |angle: &str| cone(&format!("{line} {angle}")).unwrap().limit.traction(0.0);
        assert!((along_x("0").force[0] + 0.4).abs() < 1e-12);
        assert!((along_x("180").force[0] + 0.1).abs() < 1e-12);
    }

    #[test]
    fn json_holds_curve_and_tractions() {
        let text = cone("tensor --a 0.2,0.5 --b 0.2,0.5").unwrap().json().unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["set"], "tensor");
        assert_eq!(value["associated"], false);
        assert_eq!(value["tractions"].as_array().unwrap().len(), 16);
        assert_eq!(value["tractions"][0]["force"][0], -0.2);
        assert!(value["curve"][0].as_array().unwrap().len() >= SAMPLES);
    }
}
