//! The sweeps as files: tables and figures.

use std::path::{Path, PathBuf};

use super::accuracy::{Accuracy, Curve, Spread};
use super::sweep::Sweep;
use crate::error::CliError;
use crate::output::{write_picture, write_whole};
use asperity_chart::axes::{Axis, Chart, Series};
use asperity_chart::sheet;
use asperity_chart::{Anchor, FAINT, GREY, INK, PALETTE, Paint, Svg, Text, short};

/// Writes all; returns the files.
pub(super) fn write(
    folder: &Path,
    accuracy: &Accuracy,
    sweeps: &[Sweep],
) -> Result<Vec<PathBuf>, CliError> {
    std::fs::create_dir_all(folder).map_err(CliError::at(folder))?;
    let mut files = Vec::new();
    let mut text = |name: &str, text: &str| -> Result<(), CliError> {
        let path = folder.join(name);
        write_whole(&path, text.as_bytes())?;
        files.push(path);
        Ok(())
    };
    for sweep in sweeps {
        text(&format!("{}.csv", sweep.file), &sweep.csv())?;
    }
    for figure in [9, 36, 37] {
        text(&format!("fig{figure}.csv"), &curves_csv(&of(accuracy, figure)))?;
    }
    text("fig22.csv", &spreads_csv(&accuracy.spreads))?;
    for figure in [9, 36, 37] {
        let picture = curves_picture(figure, &of(accuracy, figure));
        files.extend(write_picture(&folder.join(format!("fig{figure}")), &picture)?);
    }
    files.extend(write_picture(&folder.join("fig22"), &boxes(&accuracy.spreads))?);
    let charts: Vec<Chart> = sweeps.iter().flat_map(Sweep::charts).collect();
    let title = "Tables II, V and VI: speed over resolution";
    let subtitle = "twists that change in every step; one core; the authors' figures as printed";
    files.extend(write_picture(&folder.join("tables"), &sheet::draw(title, subtitle, &charts))?);
    Ok(files)
}

fn of(accuracy: &Accuracy, figure: usize) -> Vec<&Curve> {
    accuracy.curves.iter().filter(|c| c.figure == figure).collect()
}

fn curves_csv(curves: &[&Curve]) -> String {
    let mut text = "surface,parameters,n,force_rmse,torque_rmse\n".to_owned();
    for c in curves {
        for (n, [force, torque]) in &c.points {
            text += &format!("{},{},{n},{force},{torque}\n", c.shape, c.parameters);
        }
    }
    text
}

fn spreads_csv(spreads: &[Spread]) -> String {
    let mut text = "surface,model,of,low,q1,median,q3,high\n".to_owned();
    for s in spreads {
        for (of, marks) in ["force", "torque"].into_iter().zip(s.marks) {
            let numbers = marks.map(|m| m.to_string()).join(",");
            text += &format!("{},{},{of},{numbers}\n", s.shape, s.model.name());
        }
    }
    text
}

fn curves_picture(figure: usize, curves: &[&Curve]) -> Svg {
    let (title, x) = match figure {
        9 => ("Fig. 9: the distributed model over the number of cells", "N"),
        36 => ("Fig. 36: the reduced model over the number of cells", "N"),
        _ => ("Fig. 37: the reduced model over the resolution of its limit surface", "N_ls"),
    };
    let truth =
        if figure == 37 { "N_ls = 100" } else { "the distributed model with 101 x 101 cells" };
    let subtitle = format!("root mean square error over the motion of Fig. 5; truth: {truth}");
    let charts = ["force", "torque"].into_iter().enumerate().map(|(k, of)| Chart {
        title: String::new(),
        x: Axis { label: x.to_owned(), unit: String::new(), step: Some(4.0) },
        y: Axis { label: format!("error of the {of}"), unit: "% of max".to_owned(), step: None },
        equal_aspect: false,
        legend: true,
        series: curves
            .iter()
            .map(|c| Series {
                name: format!("{}, {}", c.shape, c.parameters),
                points: c.points.iter().map(|(n, e)| [*n as f64, 100.0 * e[k]]).collect(),
            })
            .collect(),
    });
    sheet::draw(title, &subtitle, &charts.collect::<Vec<_>>())
}

/// Width of a panel, height of a row, and the left edge of the boxes.
const PANEL: f64 = 420.0;
const ROW: f64 = 22.0;
const LEFT: f64 = 190.0;

/// Fig. 22: a box from the first to the third quartile, a line at the median, whiskers to 1.5 times
/// the box beyond it.
fn boxes(spreads: &[Spread]) -> Svg {
    let height = 110.0 + ROW * spreads.len() as f64 + 30.0;
    let mut svg = Svg::new(LEFT + 2.0 * (PANEL + 40.0), height);
    svg.text(
        [20.0, 34.0],
        "Fig. 22: errors against the distributed model",
        &Text::new(19.0, INK).bold(),
    );
    let subtitle = "over the motion of Fig. 5; box: quartiles and median, whiskers: 1.5 times its width beyond it";
    svg.text([20.0, 56.0], subtitle, &Text::new(12.5, GREY));
    for (k, of) in ["force", "torque"].into_iter().enumerate() {
        let most = spreads.iter().fold(0.0, |m: f64, s| m.max(s.marks[k][4]));
        let left = LEFT + k as f64 * (PANEL + 40.0);
        let x = |value: f64| left + PANEL * value / most;
        let (top, bottom) = (90.0, 100.0 + ROW * spreads.len() as f64);
        let step = tick(100.0 * most);
        let mut value = 0.0;
        while value <= 100.0 * most {
            let at = x(value / 100.0);
            svg.line([at, top], [at, bottom], &Paint::stroke(FAINT, 1.0));
            let style = Text::new(11.0, INK).anchor(Anchor::Middle);
            svg.text([at, bottom + 16.0], &short(value), &style);
            value += step;
        }
        let label = Text::new(12.0, INK).anchor(Anchor::Middle);
        svg.text([left + 0.5 * PANEL, 82.0], &format!("error of the {of}, % of max"), &label);
        for (i, s) in spreads.iter().enumerate() {
            let y = top + 16.0 + ROW * i as f64;
            let colour = PALETTE[i % 2];
            let [low, q1, median, q3, high] = s.marks[k].map(x);
            svg.line([low, y], [high, y], &Paint::stroke(colour, 1.2));
            for end in [low, high] {
                svg.line([end, y - 4.0], [end, y + 4.0], &Paint::stroke(colour, 1.2));
            }
            svg.rect([q1, y - 6.0], [q3 - q1, 12.0], &Paint::fill(colour));
            svg.line([median, y - 6.0], [median, y + 6.0], &Paint::stroke("#ffffff", 2.0));
            if k == 0 {
                let name = format!("{}, {}", s.shape, s.model.name());
                svg.text([LEFT - 12.0, y + 4.0], &name, &Text::new(12.0, INK).anchor(Anchor::End));
            }
        }
    }
    svg
}

/// A round distance of about five ticks.
fn tick(range: f64) -> f64 {
    let power = 10.0_f64.powf((range / 5.0).log10().floor());
    let over = range / 5.0 / power;
    power
        * if over < 2.0 {
            2.0
        } else if over < 5.0 {
            5.0
        } else {
            10.0
        }
}
