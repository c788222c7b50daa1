//! How sweeps from zero converge (Bouchard et al. 2015, Figs. 15 and 16).

use std::path::Path;

use asperity::World;

use crate::error::CliError;
use crate::output::write_picture;
use asperity_chart::Svg;
use asperity_chart::axes::{Area, Axis, Chart, Series};
use asperity_verify::wrench::counts::{LIMIT, told};
use asperity_verify::wrench::points::{POINTS, spread};

/// The change of each sweep in the next step of a world, from zero: of a wrench, of its patch at
/// points, or of the engine's own points.
pub(super) fn lines(contact: &str, tolerance: f64, world: &mut World) -> Vec<Series> {
    let mut problems = world.next_problems();
    problems.sort_by_key(|(problem, _)| problem.rows());
    let Some((problem, _)) = problems.last() else { return Vec::new() };
    let mut lines = Vec::new();
    let mut add = |name: String, problem: &asperity::solve::ContactProblem, rows: bool| {
        let mut points = Vec::new();
        told(problem, tolerance, LIMIT, rows, |change| {
            let sweep = (points.len() + 1) as f64;
            // Less than rounding is none.
            points.push([sweep.log10(), change.max(1e-17).log10()]);
        });
        lines.push(Series { name, points });
    };
    if contact == "wrench" {
        add(format!("wrench, {} rows", problem.rows()), problem, false);
        if let Some(points) = spread(problem) {
            add(format!("{POINTS} points each, {} rows", points.rows()), &points, true);
        }
    } else {
        add(format!("own points, {} rows", problem.rows()), problem, true);
    }
    lines
}

/// Draws the lines of a scene.
pub(super) fn draw(folder: &Path, scene: &str, series: Vec<Series>) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(CliError::at(folder))?;
    let axis = |label: &str| Axis { label: label.to_owned(), ..Axis::default() };
    let chart = Chart {
        title: format!("{scene}: plain sweeps from zero"),
        x: axis("log10 of the number of sweeps"),
        y: axis("log10 of a sweep's change, over the size of all impulses"),
        equal_aspect: false,
        legend: true,
        series,
    };
    let size = [820.0, 420.0];
    let mut svg = Svg::new(size[0], size[1]);
    chart.draw(&mut svg, Area { corner: [0.0, 0.0], size });
    let name: String = scene.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    write_picture(&folder.join(name), &svg)?;
    Ok(())
}
