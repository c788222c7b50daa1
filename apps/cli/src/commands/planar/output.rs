//! The files of an experiment: a table and plots.

use std::path::{Path, PathBuf};

use asperity::glamx::DVec3;

use super::spec::Spec;
use crate::error::CliError;
use crate::output::{write_picture, write_whole};
use asperity_chart::Point;
use asperity_chart::axes::{Axis, Chart, Series};
use asperity_chart::sheet;
use asperity_verify::experiment::model::ModelKind;
use asperity_verify::experiment::simulate::{Motion, Row};

/// Points of a line at most.
const MOST_POINTS: usize = 2000;

/// Writes one table per model and the plots; returns the files.
pub(super) fn write(
    folder: &Path,
    spec: &Spec,
    results: &[(ModelKind, Vec<Row>)],
) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for (kind, rows) in results {
        let path = folder.join(format!("{}.csv", kind.name()));
        write_whole(&path, table(rows).as_bytes())?;
        files.push(path);
    }
    let subtitle = "friction on the moving body, about the centre of pressure";
    let quantity = |name, unit, of: &dyn Fn(&Row) -> f64| Quantity::of(name, unit, results, of);
    let mut shown = vec![
        [quantity("f_x", "N", &|r| r.wrench.x), quantity("f_y", "N", &|r| r.wrench.y)],
        [quantity("torque", "N m", &|r| r.wrench.z), quantity("load", "N", &|r| r.load)],
        [quantity("v_x", "m/s", &|r| r.twist.x), quantity("v_y", "m/s", &|r| r.twist.y)],
        [quantity("spin", "rad/s", &|r| r.twist.z), Quantity::default()],
    ];
    if matches!(spec.experiment.motion, Motion::Body(_)) {
        shown.push([quantity("x", "m", &|r| r.pose.x), quantity("y", "m", &|r| r.pose.y)]);
        shown.push([quantity("angle", "rad", &|r| r.pose.z), Quantity::default()]);
    }
    // Of a pair in one unit, what is nothing but rounding beside the other is left out.
    let least = |pair: &[Quantity; 2], q: &Quantity| {
        let alike = pair[0].unit == pair[1].unit;
        if alike { 1e-9 * pair[0].most.max(pair[1].most) } else { 1e-9 * q.most }
    };
    let charts: Vec<Chart> = shown
        .iter()
        .flat_map(|pair| pair.iter().filter(|q| q.most > least(pair, q)).map(Quantity::chart))
        .collect();
    let title = if spec.title.is_empty() { "Planar friction" } else { &spec.title };
    files.extend(write_picture(&folder.join("plot"), &sheet::draw(title, subtitle, &charts))?);
    Ok(files)
}

/// Something to be drawn over time.
#[derive(Default)]
struct Quantity {
    name: &'static str,
    unit: &'static str,
    most: f64,
    series: Vec<Series>,
}

impl Quantity {
    fn of(
        name: &'static str,
        unit: &'static str,
        results: &[(ModelKind, Vec<Row>)],
        of: &dyn Fn(&Row) -> f64,
    ) -> Quantity {
        let line = |rows: &[Row]| -> Vec<Point> {
            let every = rows.len().div_ceil(MOST_POINTS).max(1);
            rows.iter().step_by(every).map(|r| [r.t, of(r)]).collect()
        };
        let series: Vec<Series> = results
            .iter()
            .map(|(kind, rows)| Series { name: kind.name().to_owned(), points: line(rows) })
            .collect();
        let values = series.iter().flat_map(|s| &s.points).map(|p| p[1].abs());
        Quantity { name, unit, most: values.fold(0.0, f64::max), series }
    }

    /// In thousandths or millionths of the unit, where it is small.
    fn chart(&self) -> Chart {
        let (prefix, scale) = match self.most {
            m if m >= 0.5 => ("", 1.0),
            m if m >= 5e-4 => ("m", 1e3),
            m if m >= 5e-7 => ("µ", 1e6),
            _ => ("n", 1e9),
        };
        let scaled = |s: &Series| Series {
            name: s.name.clone(),
            points: s.points.iter().map(|p| [p[0], p[1] * scale]).collect(),
        };
        let axis = |label: &str, unit: String| Axis { label: label.to_owned(), unit, step: None };
        Chart {
            title: String::new(),
            x: axis("time", "s".to_owned()),
            y: axis(self.name, format!("{prefix}{}", self.unit)),
            equal_aspect: false,
            legend: true,
            series: self.series.iter().map(scaled).collect(),
        }
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = "t,load,vx,vy,omega,fx,fy,tau,applied_fx,applied_fy,applied_tau,x,y,theta,\
                    body_vx,body_vy,body_omega\n"
        .to_owned();
    for r in rows {
        let mut numbers = vec![r.t, r.load];
        for v in [r.twist, r.wrench, r.applied, r.pose, r.velocity] {
            numbers.extend(DVec3::to_array(&v));
        }
        let words: Vec<String> = numbers.iter().map(f64::to_string).collect();
        text += &words.join(",");
        text += "\n";
    }
    text
}
