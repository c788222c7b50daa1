//! Speed over resolution (Tables II, V and VI).

use std::sync::Arc;

use asperity::friction::extent::{LimitMap, Pressure, Shape, Table};
use asperity::friction::memory::{Distributed, Parameters, Reduced};

use super::accuracy::SIZES;
use super::{Line, duration, line, rate};
use crate::error::CliError;
use asperity_chart::axes::{Axis, Chart, Series};

/// One of the tables.
pub(super) struct Sweep {
    pub(super) file: &'static str,
    name: &'static str,
    /// What is varied.
    over: &'static str,
    /// What is measured, its unit, and the authors' figures (an Intel i7-1185G7).
    rows: Vec<Row>,
    sizes: Vec<usize>,
}

struct Row {
    what: &'static str,
    unit: &'static str,
    found: Vec<f64>,
    authors: Vec<f64>,
}

/// Measures all three.
pub(super) fn sweeps(seconds: f64, p: Parameters) -> Result<Vec<Sweep>, CliError> {
    let grid = |n: usize| -> Result<Arc<Pressure>, CliError> {
        Ok(Arc::new(Shape::Square.pressure(n, 0.02)?))
    };
    let mut sizes = SIZES.to_vec();
    sizes.push(101);
    let mut found = Vec::new();
    for n in &sizes {
        let mut model = Distributed::new(p, grid(*n)?)?;
        found.push(rate(seconds, |twist| model.explicit_step(twist, 1.0, 1e-5)));
    }
    let authors = vec![1.6e5, 3.9e4, 2.8e4, 1.7e4, 1.1e4, 7.7e3, 5.7e3, 4.5e3, 4.3e2];
    let steps = Row { what: "distributed", unit: "steps/s", found, authors };
    let two = Sweep { file: "table2", name: "Table II", over: "N", rows: vec![steps], sizes };
    let (mut before, mut running) = (Vec::new(), Vec::new());
    for n in SIZES {
        let pressure = grid(n)?;
        before.push(duration(seconds, || Table::new(&pressure, 20))? * 1e3);
        let map = LimitMap::rounded(Table::new(&pressure, 20)?);
        let mut model = Reduced::new(p, &pressure, map)?;
        running.push(rate(seconds, |twist| model.explicit_step(twist, 1.0, 1e-5)));
    }
    let authors = vec![24.0, 54.0, 100.0, 180.0, 260.0, 370.0, 490.0, 630.0];
    let ahead = Row { what: "pre-computation", unit: "ms", found: before, authors };
    let authors = vec![8.7e5, 8.5e5, 7.7e5, 8.6e5, 8.7e5, 8.6e5, 8.6e5, 8.6e5];
    let steps = Row { what: "reduced", unit: "steps/s", found: running, authors };
    let rows = vec![ahead, steps];
    let five = Sweep { file: "table5", name: "Table V", over: "N", rows, sizes: SIZES.to_vec() };
    let pressure = grid(21)?;
    let time = |n: usize| Ok(duration(seconds, || Table::new(&pressure, n))? * 1e3);
    let found = SIZES.into_iter().map(time).collect::<Result<_, CliError>>()?;
    let authors = vec![22.0, 58.0, 110.0, 190.0, 290.0, 390.0, 530.0, 700.0];
    let rows = vec![Row { what: "pre-computation", unit: "ms", found, authors }];
    let six = Sweep { file: "table6", name: "Table VI", over: "N_ls", rows, sizes: SIZES.to_vec() };
    Ok(vec![two, five, six])
}

impl Sweep {
    /// As lines of a table.
    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for row in &self.rows {
            for (k, n) in self.sizes.iter().enumerate() {
                let what = format!("{}: {}, {} = {n}", self.name, row.what, self.over);
                lines.push(line(&what, row.found[k], row.unit, None, Some(row.authors[k])));
            }
        }
        lines
    }

    pub(super) fn csv(&self) -> String {
        let mut text = self.over.to_lowercase();
        for row in &self.rows {
            let unit = row.unit.replace('/', "_per_");
            let what = row.what.replace('-', "_");
            text += &format!(",{what}_{unit},authors_{what}_{unit}");
        }
        text += "\n";
        for (k, n) in self.sizes.iter().enumerate() {
            text += &n.to_string();
            for row in &self.rows {
                text += &format!(",{:.4e},{:.4e}", row.found[k], row.authors[k]);
            }
            text += "\n";
        }
        text
    }

    /// Powers of ten over the resolution.
    pub(super) fn charts(&self) -> Vec<Chart> {
        let chart = |row: &Row| {
            let series = [("ours", &row.found), ("authors", &row.authors)].map(|(name, values)| {
                let points = self.sizes.iter().zip(values);
                Series {
                    name: name.to_owned(),
                    points: points.map(|(n, v)| [*n as f64, v.log10()]).collect(),
                }
            });
            Chart {
                title: format!("{}: {}", self.name, row.what),
                x: Axis { label: self.over.to_owned(), ..Axis::default() },
                y: Axis {
                    label: "log10 of".to_owned(),
                    unit: row.unit.to_owned(),
                    step: Some(1.0),
                },
                equal_aspect: false,
                legend: true,
                series: series.to_vec(),
            }
        };
        self.rows.iter().map(chart).collect()
    }
}
