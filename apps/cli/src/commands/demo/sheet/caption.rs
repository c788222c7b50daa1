//! What one sees on the comparison sheet, in words and measured numbers.

use std::f64::consts::PI;

use super::rows::Row;
use crate::error::CliError;
use asperity_chart::limit::{Limit, Traction};
use asperity_chart::{Point, short};

/// The caption, line by line. The rows are those of [`super::rows::rows`], in order.
pub(super) fn lines(rows: &[Row]) -> Result<Vec<String>, CliError> {
    let [_, cone, additive, multiplicative, minimum, fur] = rows else {
        return Err(CliError::Input(format!("a caption for 6 models, not for {}", rows.len())));
    };
    let spread = |row: &Row, degrees: f64| row.limit(degrees, 180).map(|limit| limit.spread());
    let (parallel, sum) = (spread(cone, 0.0)?, spread(additive, 0.0)?);
    let same_limit = format!(
        "Same limit, another force: with parallel grains the cone and the additive tensors both run from {} to {}, \
         but the cone turns friction by up to {}° from straight against the slip, the tensors by {}°.",
        short(parallel.smallest),
        short(parallel.largest),
        short(parallel.turned),
        short(sum.turned)
    );
    let [c, a, m] = [spread(cone, 90.0)?, spread(additive, 90.0)?, spread(multiplicative, 90.0)?]
        .map(|crossed| short(crossed.largest));
    let crossed = format!(
        "Only crossed grains (90°) make the cone, the additive and the multiplicative tensors isotropic: {c}, {a} and {m} \
         of the load. Until then the cone follows the angle, the additive tensors its cosine.",
    );
    let limit = minimum.limit(90.0, 180)?;
    let crossed_minimum = limit.spread();
    let never = format!(
        "The minimum is isotropic at no angle: at 90° it runs from {} to {}, in {} arcs, and friction jumps by {}° \
         where both surfaces dissipate alike.",
        short(crossed_minimum.smallest),
        short(crossed_minimum.largest),
        limit.branches.len(),
        short(jump(&limit).to_degrees())
    );
    let limit = fur.limit(90.0, 180)?;
    let [with, against] = [0.0, PI].map(|angle| short(length(limit.traction(angle))));
    let fur = format!(
        "Two furs laid the same way (0°) are as the additive tensors: every slip goes with one nap and against the other. \
         At 90° friction is {with} with the nap of A and {against} against it.",
    );
    Ok(vec![same_limit, crossed, never, fur])
}

/// The angle by which the force turns at once between the first branch and the next.
fn jump(limit: &Limit) -> f64 {
    let ends = limit.branches.first().and_then(|b| b.last());
    let starts = limit.branches.get(1).and_then(|b| b.first());
    let angle =
        |a: &Point, b: &Point| (a[0] * b[1] - a[1] * b[0]).abs().atan2(a[0] * b[0] + a[1] * b[1]);
    ends.zip(starts).map_or(0.0, |(a, b)| angle(a, b))
}

fn length(traction: Traction) -> f64 {
    traction.force[0].hypot(traction.force[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::demo::sheet::rows::{ACROSS, ALONG, MEAN, rows};

    fn ratio(row: &Row, degrees: f64) -> f64 {
        let spread = row.limit(degrees, 180).unwrap().spread();
        spread.largest / spread.smallest
    }

    fn points(row: &Row, degrees: f64) -> Vec<Point> {
        row.limit(degrees, 720).unwrap().branches.concat()
    }

    #[test]
    fn cone_and_additive_tensors_share_their_limit_for_parallel_grains() {
        let rows = rows().unwrap();
        let on_ellipse = |p: &Point| ((p[0] / ALONG).hypot(p[1] / ACROSS) - 1.0).abs() < 1e-9;
        for row in &rows[1..3] {
            assert!(points(row, 0.0).iter().all(on_ellipse), "{}", row.name);
        }
    }

    #[test]
    fn crossed_grains_and_no_others_are_isotropic() {
        let rows = rows().unwrap();
        for (row, value) in rows[1..4].iter().zip([MEAN, MEAN, ALONG * ACROSS]) {
            assert!((ratio(row, 90.0) - 1.0).abs() < 1e-9, "{}", row.name);
            let all = points(row, 90.0);
            assert!(all.iter().all(|p| (p[0].hypot(p[1]) - value).abs() < 1e-9), "{}", row.name);
            for degrees in (0..90).map(f64::from) {
                assert!(ratio(row, degrees) > 1.005, "{} at {degrees}", row.name);
            }
        }
        for degrees in (0..=90).map(f64::from) {
            assert!(ratio(&rows[4], degrees) > 1.9, "minimum at {degrees}");
        }
    }

    #[test]
    fn the_cone_follows_the_angle_and_the_additive_tensors_its_cosine() {
        let rows = rows().unwrap();
        for degrees in [10.0_f64, 30.0, 55.0, 80.0] {
            let half = 0.5 * (ACROSS - ALONG);
            let weights = [1.0 - degrees / 90.0, degrees.to_radians().cos()];
            for (row, weight) in rows[1..3].iter().zip(weights) {
                let spread = row.limit(degrees, 180).unwrap().spread();
                assert!((spread.smallest - (MEAN - half * weight)).abs() < 1e-5, "{}", row.name);
                assert!((spread.largest - (MEAN + half * weight)).abs() < 1e-5, "{}", row.name);
            }
        }
    }

    #[test]
    fn furs_laid_the_same_way_are_as_additive_tensors() {
        let rows = rows().unwrap();
        let [additive, fur] = [&rows[2], &rows[5]].map(|row| row.limit(0.0, 180).unwrap());
        for (a, f) in additive.tractions(37).iter().zip(fur.tractions(37)) {
            assert!((a.force[0] - f.force[0]).hypot(a.force[1] - f.force[1]) < 1e-12);
        }
    }

    #[test]
    fn the_caption_states_what_was_measured() {
        let caption = lines(&rows().unwrap()).unwrap();
        let expected: [&[&str]; 4] = [
            &["from 0.2 to 0.5", "46.4°", "25.4°"],
            &["0.35, 0.35 and 0.1 of"],
            &["from 0.2 to 0.381", "4 arcs", "46.4°"],
            &["0.275 with", "0.425 against"],
        ];
        for (line, parts) in caption.iter().zip(expected) {
            for part in parts {
                assert!(line.contains(part), "{line} lacks {part}");
            }
        }
        assert!(lines(&[]).is_err());
    }
}
