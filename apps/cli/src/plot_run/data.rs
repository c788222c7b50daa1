//! A recorded run, read back.

use std::collections::HashMap;
use std::path::Path;

use super::softs::{self, Soft};
use crate::error::CliError;
use crate::run::output::SOFTS;
use crate::run::report::Report;

/// A recorded run.
#[derive(Debug)]
pub(super) struct Data {
    /// What the run came to.
    pub(super) report: Report,
    /// One row per frame.
    pub(super) world: Table,
    /// One row per frame.
    pub(super) probes: Table,
    bodies: Vec<Body>,
    softs: Vec<Soft>,
}

/// One body over time.
#[derive(Debug, Default, Clone)]
pub(super) struct Body {
    /// Its name.
    pub(super) name: String,
    /// Seconds.
    pub(super) time: Vec<f64>,
    /// Metres.
    pub(super) position: Vec<[f64; 3]>,
    /// m/s.
    pub(super) velocity: Vec<[f64; 3]>,
}

/// Columns of numbers by their heads.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<(String, Vec<f64>)>,
}

impl Data {
    /// Reads what `asperity run --out` wrote.
    pub(super) fn read(folder: &Path) -> Result<Data, CliError> {
        let path = folder.join("run.json");
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => CliError::Input(format!(
                "{}: there is no run.json; expected a folder that `asperity run SCENE --out DIR` wrote",
                folder.display()
            )),
            _ => CliError::at(&path)(error),
        })?;
        let report = serde_json::from_str(&text)
            .map_err(|e| CliError::Input(format!("{}: {e}", path.display())))?;
        Ok(Data {
            report,
            world: Table::read(&folder.join("world.csv"))?,
            probes: Table::read(&folder.join("probes.csv"))?,
            bodies: read_bodies(&folder.join("bodies.csv"))?,
            softs: softs::read(&folder.join(SOFTS))?,
        })
    }

    /// What the run was of.
    pub(super) fn title(&self) -> String {
        self.report.title.clone().unwrap_or_else(|| self.report.scene.clone())
    }

    /// How it was run.
    pub(super) fn subtitle(&self) -> String {
        let Report { scene, steps, dt, state_hash, .. } = &self.report;
        format!("{scene}: {steps} steps of {dt} s, state {state_hash}")
    }

    /// The rigid and the soft bodies of some names, in their order.
    pub(super) fn named(&self, names: &[String]) -> Result<(Vec<&Body>, Vec<&Soft>), CliError> {
        let (mut bodies, mut softs) = (Vec::new(), Vec::new());
        for name in names {
            let body = self.bodies.iter().find(|b| b.name == *name);
            let soft = self.softs.iter().find(|s| s.body.name == *name);
            if body.is_none() && soft.is_none() {
                return Err(self.unknown(name));
            }
            bodies.extend(body);
            softs.extend(soft);
        }
        Ok((bodies, softs))
    }

    fn unknown(&self, name: &str) -> CliError {
        let most = 20;
        let all = self.bodies.iter().chain(self.softs.iter().map(|s| &s.body));
        let names: Vec<&str> = all.clone().map(|b| b.name.as_str()).take(most).collect();
        let more = if all.count() > most { ", ..." } else { "" };
        let names = names.join(", ");
        CliError::Input(format!("there is no body \"{name}\"; expected one of {names}{more}"))
    }

    /// The rigid and the soft bodies that come farthest from their start, so many of each, in the
    /// order of the scene.
    pub(super) fn liveliest(&self, count: usize) -> (Vec<&Body>, Vec<&Soft>) {
        let softs: Vec<&Body> = self.softs.iter().map(|s| &s.body).collect();
        let bodies: Vec<&Body> = self.bodies.iter().collect();
        let chosen = |from: &[&Body]| {
            let mut order: Vec<usize> = (0..from.len()).collect();
            let reach: Vec<f64> = from.iter().map(|b| b.reach()).collect();
            order.sort_by(|&i, &j| reach[j].total_cmp(&reach[i]));
            order.truncate(count);
            order.retain(|&i| reach[i] > 0.0);
            order.sort_unstable();
            order
        };
        (
            chosen(&bodies).into_iter().map(|i| &self.bodies[i]).collect(),
            chosen(&softs).into_iter().map(|i| &self.softs[i]).collect(),
        )
    }
}

impl Body {
    /// Where it is from its start, metres.
    pub(super) fn displacement(&self) -> Vec<[f64; 3]> {
        let Some(start) = self.position.first() else { return Vec::new() };
        self.position.iter().map(|p| [0, 1, 2].map(|k| p[k] - start[k])).collect()
    }

    /// Greatest distance from its start, metres.
    fn reach(&self) -> f64 {
        let length = |d: &[f64; 3]| d.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.displacement().iter().map(length).fold(0.0, f64::max)
    }
}

impl Table {
    fn read(path: &Path) -> Result<Table, CliError> {
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        rows(path, |heads, row| {
            if columns.is_empty() {
                columns = heads.iter().map(|head| (head.to_owned(), Vec::new())).collect();
            }
            for (column, field) in columns.iter_mut().zip(row) {
                column.1.push(number(field)?);
            }
            Ok(())
        })?;
        Ok(Table { columns })
    }

    /// A column by its head; empty where there is none.
    pub(super) fn column(&self, head: &str) -> &[f64] {
        self.columns.iter().find(|(name, _)| name == head).map_or(&[], |(_, values)| values)
    }

    /// Time and a column.
    pub(super) fn over_time(&self, head: &str) -> Vec<[f64; 2]> {
        let time = self.column("time [s]").iter();
        time.zip(self.column(head)).map(|(t, v)| [*t, *v]).collect()
    }
}

const HEADS: [&str; 8] =
    ["body", "time [s]", "x [m]", "y [m]", "z [m]", "vx [m/s]", "vy [m/s]", "vz [m/s]"];

fn read_bodies(path: &Path) -> Result<Vec<Body>, CliError> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut wanted = None;
    rows(path, |heads, row| {
        let places = match wanted {
            Some(places) => places,
            None => *wanted.insert(places(heads, HEADS)?),
        };
        let field = |k: usize| row.get(places[k]).unwrap_or("");
        let name = field(0);
        let index = match known.get(name) {
            Some(index) => *index,
            None => {
                bodies.push(Body { name: name.to_owned(), ..Body::default() });
                known.insert(name.to_owned(), bodies.len() - 1);
                bodies.len() - 1
            }
        };
        let at = |k: usize| number(field(k));
        bodies[index].time.push(at(1)?);
        bodies[index].position.push([at(2)?, at(3)?, at(4)?]);
        bodies[index].velocity.push([at(5)?, at(6)?, at(7)?]);
        Ok(())
    })?;
    Ok(bodies)
}

/// Where the columns of some heads are.
pub(super) fn places<const N: usize>(
    heads: &csv::StringRecord,
    names: [&str; N],
) -> Result<[usize; N], String> {
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(names) {
        let found = heads.iter().position(|head| head == name);
        *place = found.ok_or_else(|| format!("there is no column \"{name}\""))?;
    }
    Ok(places)
}

/// Every row of a CSV file with its heads. What is wrong is told with its line.
pub(crate) fn rows(
    path: &Path,
    mut each: impl FnMut(&csv::StringRecord, &csv::StringRecord) -> Result<(), String>,
) -> Result<(), CliError> {
    let wrong = |what: String| CliError::Input(format!("{}: {what}", path.display()));
    let mut reader = csv::Reader::from_path(path).map_err(|e| wrong(e.to_string()))?;
    let heads = reader.headers().map_err(|e| wrong(e.to_string()))?.clone();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|e| wrong(e.to_string()))? {
        let line = row.position().map_or(0, csv::Position::line);
        each(&heads, &row).map_err(|what| wrong(format!("line {line}: {what}")))?;
    }
    Ok(())
}

/// A number of a field.
pub(crate) fn number(field: &str) -> Result<f64, String> {
    field.parse().map_err(|_| format!("\"{field}\" is not a number"))
}
