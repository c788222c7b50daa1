//! Lines made fit to be drawn.

use crate::axes::Series;
use crate::{Point, exact};

/// Shifts and scales all lines so that the numbers along the axis are short. Returns the label and
/// the unit that say what was done: values that hardly change are shown from their start, small
/// and large ones in parts or multiples of the unit.
pub fn scale(label: &str, unit: &str, series: &mut [Series]) -> (String, String) {
    let mut label = label.to_owned();
    let [low, high] = range(series);
    let start = series.first().and_then(|s| s.points.first()).map_or(0.0, |p| p[1]);
    if low < high && start.is_finite() && high - low < 1e-3 * low.abs().max(high.abs()) {
        label = format!("{label} − {}", exact(start));
        transform(series, |y| y - start);
    }
    let [low, high] = range(series);
    let power = match low.abs().max(high.abs()) {
        size if (1e-300..0.1).contains(&size) => (size.log10() / 3.0).floor() * 3.0,
        size if (1e5..1e300).contains(&size) => (size.log10() / 3.0).floor() * 3.0,
        _ => return (label, unit.to_owned()),
    };
    let factor = 10.0_f64.powf(-power);
    transform(series, |y| y * factor);
    (label, scaled_unit(unit, power as i32))
}

/// At most so many characters of a text.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Part or multiple of a unit: by a prefix where it takes one.
fn scaled_unit(unit: &str, power: i32) -> String {
    const PREFIXES: [&str; 14] =
        ["z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];
    let prefix = usize::try_from(power / 3 + 7).ok().and_then(|index| PREFIXES.get(index));
    match (unit, prefix) {
        ("m" | "m/s" | "J" | "N" | "rad/s", Some(prefix)) => format!("{prefix}{unit}"),
        _ => format!("10{} {unit}", superscript(power)).trim_end().to_owned(),
    }
}

fn superscript(number: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

fn transform(series: &mut [Series], change: impl Fn(f64) -> f64) {
    for point in series.iter_mut().flat_map(|line| &mut line.points) {
        point[1] = change(point[1]);
    }
}

fn range(series: &[Series]) -> [f64; 2] {
    let values = series.iter().flat_map(|line| &line.points).map(|p| p[1]);
    values
        .filter(|v| v.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
}

/// Less its first value.
pub fn from_start(points: &[Point]) -> Vec<Point> {
    let start = points.first().map_or(0.0, |p| p[1]);
    points.iter().map(|p| [p[0], p[1] - start]).collect()
}

/// Logarithms to base ten; zero, which has none, interrupts the line.
pub fn logarithm(points: &[Point]) -> Vec<Point> {
    points.iter().map(|p| [p[0], if p[1] > 0.0 { p[1].log10() } else { f64::NAN }]).collect()
}

/// At most so many points: the least and the greatest of every stretch, in order of time. Points
/// that are not finite go first in their stretch, so that a line is still interrupted there.
pub fn thin(points: &[Point], most: usize) -> Vec<Point> {
    if points.len() <= most {
        return points.to_vec();
    }
    let stretch = (3 * points.len()).div_ceil(most).max(3);
    let mut kept = Vec::new();
    for part in points.chunks(stretch) {
        kept.extend(part.iter().find(|p| !p[1].is_finite()));
        let finite = || part.iter().enumerate().filter(|(_, p)| p[1].is_finite());
        let least = finite().min_by(|a, b| a.1[1].total_cmp(&b.1[1])).map(|(i, _)| i);
        let greatest = finite().max_by(|a, b| a.1[1].total_cmp(&b.1[1])).map(|(i, _)| i);
        let mut ends: Vec<usize> = least.into_iter().chain(greatest).collect();
        ends.sort_unstable();
        ends.dedup();
        kept.extend(ends.into_iter().map(|i| part[i]));
    }
    // Lines begin and end where the data do.
    let (first, last) = (points[0], points[points.len() - 1]);
    if kept.first() != Some(&first) {
        kept.insert(0, first);
    }
    if kept.last() != Some(&last) {
        kept.push(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Vec<Series> {
        let points = values.iter().enumerate().map(|(i, v)| [i as f64, *v]).collect();
        vec![Series { name: String::new(), points }]
    }

    #[test]
    fn small_and_large_numbers_take_a_prefix() {
        let cases: [(&str, f64, &str, f64); 6] = [
            ("m", 2.6e-4, "µm", 260.0),
            ("m/s", 0.02, "mm/s", 20.0),
            ("J", -3.5e6, "MJ", -3.5),
            ("m", 5.0, "m", 5.0),
            ("deg", 4e-9, "10⁻⁹ deg", 4.0),
            ("", 4e-12, "10⁻¹²", 4.0),
        ];
        for (unit, value, expected, shown) in cases {
            let mut series = line(&[0.0, value]);
            let (_, unit) = scale("y", unit, &mut series);
            assert_eq!(unit, expected);
            assert!((series[0].points[1][1] - shown).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn what_hardly_changes_is_shown_from_its_start() {
        let mut series = line(&[5.25, 5.25 + 2e-6]);
        assert_eq!(scale("y", "m", &mut series), ("y − 5.25".to_owned(), "µm".to_owned()));
        assert!((series[0].points[1][1] - 2.0).abs() < 1e-6);
        let mut constant = line(&[5.25, 5.25]);
        assert_eq!(scale("y", "m", &mut constant), ("y".to_owned(), "m".to_owned()));
    }

    #[test]
    fn thinned_lines_keep_their_peaks_and_ends() {
        let mut points: Vec<Point> = (0..100_000).map(|i| [f64::from(i), 0.0]).collect();
        points[54_321][1] = 7.0;
        points[77][1] = -3.0;
        let kept = thin(&points, 1000);
        assert!(kept.len() <= 1002, "{}", kept.len());
        assert!(kept.contains(&[54_321.0, 7.0]) && kept.contains(&[77.0, -3.0]));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
        assert!(kept.windows(2).all(|w| w[0][0] <= w[1][0]));
        assert_eq!(thin(&points[..10], 1000), &points[..10]);
    }

    #[test]
    fn zero_has_no_logarithm() {
        let points = logarithm(&[[0.0, 0.0], [1.0, 1e-9]]);
        assert!(points[0][1].is_nan());
        assert!((points[1][1] + 9.0).abs() < 1e-12);
    }
}
