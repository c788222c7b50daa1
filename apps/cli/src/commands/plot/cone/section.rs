//! The sections of the registry as subcommands: a model's keys are its options.

use asperity::friction::registry::{Form, Key, KeyError, Model, Range, Value, Values, find};
use asperity::friction::section::{SECTIONS, Section};
use asperity::friction::surface::Surface;
use asperity::friction::{FrictionError, LoadRule};
use asperity_chart::exact;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::contact::{SLIDING, contact_law, grained, surface_tensor};
use super::model::{Numbers, Subject};
use crate::error::CliError;

/// A section with the values of its keys, and the two surfaces it acts on.
#[derive(Debug, Clone)]
pub(crate) struct SectionArgs {
    model: &'static SectionModel,
    values: Values,
    surfaces: SurfaceArgs,
}

type SectionModel = Model<std::sync::Arc<dyn Section>>;

/// What the two surfaces are, for models that look at them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Surfaces")]
struct SurfaceArgs {
    /// Friction tensor of surface A: Q11,Q12,Q21,Q22, or its diagonal, or one number
    #[arg(long, allow_hyphen_values = true)]
    a: Option<Numbers>,
    /// Tensor of A for slip in the negative sense along its axes
    #[arg(long, allow_hyphen_values = true, requires = "a")]
    a_negative: Option<Numbers>,
    /// Friction tensor of surface B
    #[arg(long, allow_hyphen_values = true)]
    b: Option<Numbers>,
    /// Tensor of B for slip in the negative sense along its axes
    #[arg(long, allow_hyphen_values = true, requires = "b")]
    b_negative: Option<Numbers>,
    /// Angle of surface A and its grain, degrees
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    angle_a: f64,
    /// Angle of surface B and its grain, degrees
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    angle_b: f64,
    /// Area of contact, square metres
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true)]
    area: f64,
}

/// Adds a subcommand for every section.
pub(crate) fn add_subcommands(command: Command) -> Command {
    SECTIONS.iter().fold(command, |command, model| {
        let options = model.keys.iter().map(|key| {
            let option = Arg::new(key.name).long(key.name.replace('_', "-")).help(key.line());
            let form = key.form;
            match form {
                Form::Flag => option.action(ArgAction::SetTrue),
                _ => option
                    .required(key.is_required())
                    .value_name(key.name.to_uppercase())
                    .allow_hyphen_values(true)
                    .value_parser(move |text: &str| read(&form, text)),
            }
        });
        let own = SurfaceArgs::augment_args(Command::new(model.name).args(options));
        command.subcommand(own.about(model.doc))
    })
}

/// The section that was named, if one was.
pub(crate) fn of_matches(matches: &ArgMatches) -> Result<Option<SectionArgs>, clap::Error> {
    let Some((name, own)) = matches.subcommand() else { return Ok(None) };
    let Some(model) = find(SECTIONS, name) else { return Ok(None) };
    let mut values = Values::new();
    for key in model.keys {
        match key.form {
            Form::Flag => values.set(key.name, own.get_flag(key.name)),
            _ => {
                if let Some(value) = own.get_one::<Value>(key.name) {
                    values.set(key.name, value.clone());
                }
            }
        }
    }
    Ok(Some(SectionArgs { model, values, surfaces: SurfaceArgs::from_arg_matches(own)? }))
}

/// A value of a form, from text: arrays have commas between their numbers.
fn read(form: &Form, text: &str) -> Result<Value, String> {
    let numbers = || text.parse().ok().map(|Numbers(list)| list);
    let value = match form {
        Form::Number(_) => text.parse().ok().map(Value::Number),
        Form::Whole(..) => text.parse().ok().map(Value::Whole),
        Form::Word(_) => Some(Value::from(text)),
        Form::Flag => text.parse().ok().map(Value::Flag),
        Form::Vector(..) => numbers().map(Value::Vector),
        Form::Matrix => numbers().and_then(|list| match list[..] {
            [a, b, c, d] => Some(Value::Matrix([[a, b], [c, d]])),
            _ => None,
        }),
        Form::Either(forms) => forms.iter().find_map(|form| read(form, text).ok()),
        Form::Table(_) => None,
    };
    value.filter(|value| form.accepts(value)).ok_or_else(|| format!("expected {}", form.words()))
}

impl SectionArgs {
    /// The sets of the section, or what the library has against its numbers.
    pub(crate) fn subject(&self) -> Result<Subject, CliError> {
        let SectionArgs { model, values, surfaces } = self;
        if !Range::NonNegative.contains(surfaces.area) {
            let message = format!("area is {}; expected a number, zero or more", surfaces.area);
            return Err(CliError::Input(message));
        }
        let refused = |e: KeyError| CliError::Input(e.message(model.name));
        let section = model.build(values.clone()).map_err(refused)?;
        let sees = section.needs().surfaces;
        let [(a, line_a), (b, line_b)] = surfaces.both()?;
        let degrees = if sees { [surfaces.angle_a, surfaces.angle_b] } else { [0.0; 2] };
        let law = |speed| contact_law(section.as_ref(), [&a, &b], degrees, speed, surfaces.area);
        let (sliding, resting) = (law(SLIDING)?, law(0.0)?);
        let mut details = vec![model.doc.to_owned()];
        let given: Vec<String> = model.keys.iter().filter_map(|key| line(values, key)).collect();
        details.extend((!given.is_empty()).then(|| given.join(", ")));
        details.extend([line_a, line_b].into_iter().flatten());
        if let LoadRule::Constant(force) = sliding.load {
            details.push(format!("the load counts as {} N, whatever it is", exact(force)));
        }
        Ok(Subject {
            title: model.name.to_owned(),
            details,
            resting: Some(resting.set).filter(|set| *set != sliding.set),
            sliding: sliding.set,
            grains: sees.then_some(degrees),
        })
    }
}

impl SurfaceArgs {
    /// A and B, each with a line about its tensor.
    fn both(&self) -> Result<[(Surface, Option<String>); 2], CliError> {
        Ok([
            surface("A", self.a.as_ref(), self.a_negative.as_ref())?,
            surface("B", self.b.as_ref(), self.b_negative.as_ref())?,
        ])
    }
}

fn surface(
    name: &str,
    positive: Option<&Numbers>,
    negative: Option<&Numbers>,
) -> Result<(Surface, Option<String>), CliError> {
    let plain = grained(name);
    let Some(positive) = positive else { return Ok((plain, None)) };
    let positive = entries(name, positive)?;
    let negative = negative.map(|numbers| entries(name, numbers)).transpose()?;
    let refused = |e: FrictionError| CliError::Input(format!("surface {name}: {e}"));
    let tensor = surface_tensor(positive, negative).map_err(refused)?;
    let other = negative.map_or(String::new(), |q| format!(" and, backwards, {}", rows(q)));
    Ok((plain.with_tensor(tensor), Some(format!("{name} = {}{other}", rows(positive)))))
}

/// `key = value`, where it was given.
fn line(values: &Values, key: &Key) -> Option<String> {
    let numbers = |list: &[f64]| list.iter().map(|x| exact(*x)).collect::<Vec<_>>().join(", ");
    let value = match values.get(key.name)? {
        Value::Number(x) => exact(*x),
        Value::Whole(n) => n.to_string(),
        Value::Word(word) => word.clone(),
        Value::Flag(flag) => return flag.then(|| key.name.to_owned()),
        Value::Vector(list) => format!("[{}]", numbers(list)),
        Value::Matrix(rows) => format!("[{}]", numbers(rows.as_flattened())),
        Value::Table(_) => return None,
    };
    Some(format!("{} = {value} {}", key.name, key.unit).trim_end().to_owned())
}

/// Q11, Q12, Q21, Q22 from four, two or one numbers.
fn entries(name: &str, numbers: &Numbers) -> Result<[f64; 4], CliError> {
    match numbers.0[..] {
        [q] => Ok([q, 0.0, 0.0, q]),
        [q11, q22] => Ok([q11, 0.0, 0.0, q22]),
        [q11, q12, q21, q22] => Ok([q11, q12, q21, q22]),
        _ => Err(CliError::Input(format!(
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
