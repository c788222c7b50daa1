//! The files of an experiment: a table and plots.

use std::path::{Path, PathBuf};

use asperity::glamx::DVec3;

use super::model::Kind;
use super::simulate::{Motion, Row};
use super::spec::Spec;
use crate::draw::axes::{Axis, Chart, Series};
use crate::draw::{Point, write_picture, write_whole};
use crate::error::CliError;
use crate::plot_run::sheet;

/// Points of a line at most.
const MOST_POINTS: usize = 2000;

/// Writes one table per model and the plots; returns the files.
pub(super) fn write(
    folder: &Path,
    spec: &Spec,
    results: &[(Kind, Vec<Row>)],
) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for (kind, rows) in results {
        let path = folder.join(format!("{}.csv", kind.name()));
        write_whole(&path, table(rows).as_bytes())?;
        files.push(path);
    }
    let subtitle = "friction on the moving body, about the centre of pressure";
    let pick = |name: &str, unit: &str, scale: f64, of: &dyn Fn(&Row) -> f64| {
        chart(name, unit, results, &|r| of(r) * scale)
    };
    let mut charts = vec![
        pick("f_x", "N", 1.0, &|r| r.wrench.x),
        pick("f_y", "N", 1.0, &|r| r.wrench.y),
        pick("torque", "mN m", 1e3, &|r| r.wrench.z),
        pick("normal force", "N", 1.0, &|r| r.load),
        pick("v_x", "mm/s", 1e3, &|r| r.twist.x),
        pick("v_y", "mm/s", 1e3, &|r| r.twist.y),
        pick("spin", "rad/s", 1.0, &|r| r.twist.z),
    ];
    if matches!(spec.experiment.motion, Motion::Body(_)) {
        charts.push(pick("x", "mm", 1e3, &|r| r.pose.x));
        charts.push(pick("y", "mm", 1e3, &|r| r.pose.y));
        charts.push(pick("angle", "deg", 1.0, &|r| r.pose.z.to_degrees()));
    }
    let title = if spec.title.is_empty() { "Planar friction" } else { &spec.title };
    files.extend(write_picture(&folder.join("plot"), &sheet::draw(title, subtitle, &charts))?);
    Ok(files)
}

fn chart(name: &str, unit: &str, results: &[(Kind, Vec<Row>)], of: &dyn Fn(&Row) -> f64) -> Chart {
    let line = |rows: &[Row]| -> Vec<Point> {
        let every = rows.len().div_ceil(MOST_POINTS).max(1);
        rows.iter().step_by(every).map(|r| [r.t, of(r)]).collect()
    };
    let series = results
        .iter()
        .map(|(kind, rows)| Series { name: kind.name().to_owned(), points: line(rows) })
        .collect();
    let axis = |label: &str, unit: &str| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
        step: None,
    };
    Chart {
        title: String::new(),
        x: axis("time", "s"),
        y: axis(name, unit),
        equal_aspect: false,
        legend: true,
        series,
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
