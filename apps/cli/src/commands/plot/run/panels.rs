//! Which charts a run is shown in.

use super::data::{Body, Data, Soft};
use asperity_chart::axes::{Axis, Chart, Series, Ticks};
use asperity_chart::lines;
use asperity_chart::{Point, short};
use asperity_scene::run::Judgement;

/// Points of a line at most; more could not be told apart.
const MOST_POINTS: usize = 1200;

/// Energies, contacts and what the solver did.
pub(super) fn world(data: &Data) -> Vec<Chart> {
    let world = &data.recording.world;
    let over_time = |column: &[f64]| data.over_time(column.iter().copied());
    let contacts = data.over_time(world.contacts.iter().map(|n| *n as f64));
    let series = |name: &str, points: Vec<Point>| Series { name: name.to_owned(), points };
    let kinetic = over_time(&world.kinetic);
    let potential = lines::from_start(&over_time(&world.potential));
    let total = kinetic.iter().zip(&potential).map(|(k, p)| [k[0], k[1] + p[1]]).collect();
    let mut residual = vec![series("residual", lines::logarithm(&over_time(&world.residual)))];
    if let (Some(first), Some(last)) = (kinetic.first(), kinetic.last()) {
        let level = data.report.tolerance.log10();
        residual.push(series("tolerance", vec![[first[0], level], [last[0], level]]));
    }
    vec![
        chart(
            "Energy; potential from its start",
            ["energy", "J"],
            vec![series("kinetic", kinetic), series("potential", potential), series("sum", total)],
        ),
        whole_ticks(chart("Contact points", ["contacts", ""], vec![series("contacts", contacts)])),
        chart("Residual of the contact solver", ["log₁₀ residual", ""], residual),
        chart(
            "Deepest penetration",
            ["penetration", "m"],
            vec![series("penetration", over_time(&world.penetration))],
        ),
    ]
}

/// Each probe with what was expected of it.
pub(super) fn probes(data: &Data) -> Vec<Chart> {
    let one = |probe: &asperity_scene::record::Channel| {
        let points = data.probe(&probe.head());
        let expected = data.report.expectations.iter().filter(|e| e.probe == probe.name);
        let marks = expected.filter_map(|e| mark(e, &points)).collect::<Vec<_>>();
        let mut series = vec![Series { name: "measured".to_owned(), points }];
        series.extend(marks);
        chart(&probe.name, [&probe.name, &probe.unit], series)
    };
    data.report.probes.iter().map(one).collect()
}

/// Displacement and velocity of each body.
pub(super) fn bodies(bodies: &[&Body]) -> Vec<Chart> {
    bodies.iter().flat_map(|body| motion(body)).collect()
}

/// Motion of the centre, size, stretch and energy of each soft body.
pub(super) fn softs(softs: &[&Soft]) -> Vec<Chart> {
    let mut charts = Vec::new();
    for soft in softs {
        let (name, time) = (&soft.body.name, &soft.body.time);
        charts.extend(motion(&soft.body));
        charts.push(chart(
            &format!("{name}: sides of the box around it"),
            ["extent", "m"],
            lines_of(time, &soft.extent, ["x", "y", "z"]),
        ));
        charts.push(chart(
            &format!("{name}: length of edges over that at the start"),
            ["stretch", ""],
            lines_of(time, &soft.stretch, ["all", "most stretched"]),
        ));
        charts.push(chart(
            &format!("{name}: energy"),
            ["energy", "J"],
            lines_of(time, &soft.energy, ["kinetic", "elastic"]),
        ));
        let speed = |v: &[f64; 3]| [v.iter().map(|x| x * x).sum::<f64>().sqrt()];
        let speeds: Vec<[f64; 1]> = soft.body.velocity.iter().map(speed).collect();
        charts.push(chart(
            &format!("{name}: speed of the centre"),
            ["speed", "m/s"],
            lines_of(time, &speeds, ["speed"]),
        ));
    }
    charts
}

fn motion(body: &Body) -> [Chart; 2] {
    let start = body.position.first().copied().unwrap_or_default().map(short).join(", ");
    let axes = ["x", "y", "z"];
    [
        chart(
            &format!("{}: displacement from ({start}) m", body.name),
            ["displacement", "m"],
            lines_of(&body.time, &body.displacement(), axes),
        ),
        chart(
            &format!("{}: velocity", body.name),
            ["velocity", "m/s"],
            lines_of(&body.time, &body.velocity, axes),
        ),
    ]
}

/// The parts of vectors over time.
fn lines_of<const N: usize>(time: &[f64], values: &[[f64; N]], names: [&str; N]) -> Vec<Series> {
    let line = |(k, name): (usize, &str)| Series {
        name: name.to_owned(),
        points: time.iter().zip(values).map(|(t, v)| [*t, v[k]]).collect(),
    };
    names.into_iter().enumerate().map(line).collect()
}

fn chart(title: &str, [label, unit]: [&str; 2], mut series: Vec<Series>) -> Chart {
    for line in &mut series {
        line.points = lines::thin(&line.points, MOST_POINTS);
    }
    let (label, unit) = lines::scale(&lines::shorten(label, 28), unit, &mut series);
    Chart {
        title: lines::shorten(title, 72),
        x: Axis { label: "time".to_owned(), unit: "s".to_owned(), step: None },
        y: Axis { label, unit, step: None },
        equal_aspect: false,
        legend: series.len() > 1,
        series,
    }
}

/// Counts have no halves.
fn whole_ticks(mut chart: Chart) -> Chart {
    let values = chart.series.iter().flat_map(|s| &s.points).map(|p| p[1]);
    let most = values.fold(1.0, f64::max);
    chart.y.step = Some(Ticks::about(9.0, [0.0, most]).step.max(1.0));
    chart
}

/// An expectation as lines: a bar with ends at its time, or its bounds all along.
fn mark(expected: &Judgement, points: &[Point]) -> Option<Series> {
    let (first, last) = (points.first()?[0], points.last()?[0]);
    let bounds = bounds_in_sight(expected, points);
    let bar = match expected.when.as_str() {
        "time" => expected.time,
        "final" => Some(last),
        _ => None,
    };
    let interrupt = [f64::NAN; 2];
    let half = 0.018 * (last - first);
    let mut line = Vec::new();
    for bound in bounds.iter().flatten() {
        let about = |t: f64| [(t - half).max(first), (t + half).min(last)];
        let [left, right] = bar.map_or([first, last], about);
        line.extend([[left, *bound], [right, *bound], interrupt]);
    }
    if let (Some(time), [Some(low), Some(high)]) = (bar, bounds) {
        line.extend([[time, low], [time, high]]);
    }
    let what = match (expected.when.as_str(), expected.time) {
        ("time", Some(time)) => format!("at {} s", short(time)),
        ("final", _) => "at the end".to_owned(),
        (other, _) => other.to_owned(),
    };
    let hidden = if line.is_empty() { ", out of sight" } else { "" };
    Some(Series { name: format!("{what}: {}{hidden}", expected.outcome), points: line })
}

/// The bounds of an expectation. One that is met, and so far from all values that the picture
/// would show nothing else, is left out.
fn bounds_in_sight(expected: &Judgement, points: &[Point]) -> [Option<f64>; 2] {
    let values = points.iter().map(|p| p[1]).filter(|v| v.is_finite());
    let [low, high] =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)]);
    let in_sight = |bound: f64| {
        let away = (low - bound).max(bound - high);
        let near = high <= low || away <= 20.0 * (high - low);
        bound.is_finite() && (near || expected.is_missed())
    };
    [expected.low, expected.high].map(|bound| Some(bound).filter(|b| in_sight(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(when: &str, time: Option<f64>, low: f64, high: f64) -> Judgement {
        Judgement {
            probe: "slide".to_owned(),
            when: when.to_owned(),
            time,
            low,
            high,
            outcome: "met".to_owned(),
            observed: None,
            source: None,
            line: 1,
        }
    }

    #[test]
    fn bounds_far_away_are_left_out() {
        let points = [[0.0, 0.0], [1.0, 1.0]];
        assert_eq!(bounds_in_sight(&expected("max", None, -1e9, 1.5), &points), [None, Some(1.5)]);
        let near = bounds_in_sight(&expected("time", Some(1.0), 0.9, 1.1), &points);
        assert_eq!(near, [Some(0.9), Some(1.1)]);
    }

    #[test]
    fn an_expectation_at_a_time_is_a_bar_there() {
        let points = [[0.0, 0.0], [2.0, 1.0]];
        let bar = mark(&expected("time", Some(1.0), 0.4, 0.6), &points).unwrap();
        assert_eq!(bar.name, "at 1 s: met");
        assert!(bar.points.contains(&[1.0, 0.4]) && bar.points.contains(&[1.0, 0.6]));
    }
}
