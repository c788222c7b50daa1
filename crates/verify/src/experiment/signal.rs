//! Numbers that change with time.

use serde::Deserialize;

/// A number over time: a constant, or lines between points, and a sine on top.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Signal {
    /// The same at all times.
    Constant(f64),
    /// (time, value) in order of time; two points at one time are a jump.
    Points(Vec<[f64; 2]>),
    /// Points with a sine added.
    Waves(Waves),
}

/// Lines between points, and a sine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// (time, value) in order of time.
    pub points: Vec<[f64; 2]>,
    /// How far the sine goes.
    pub amplitude: f64,
    /// Its cycles per second.
    pub frequency: f64,
    /// When it begins, seconds.
    #[serde(default)]
    pub from: f64,
}

impl Default for Signal {
    fn default() -> Signal {
        Signal::Constant(0.0)
    }
}

impl Signal {
    /// The value at a time.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(value) => *value,
            Signal::Points(points) => line(points, t),
            Signal::Waves(w) => {
                let phase = std::f64::consts::TAU * w.frequency * t;
                let wave = if t >= w.from { w.amplitude * phase.sin() } else { 0.0 };
                line(&w.points, t) + wave
            }
        }
    }

    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<String> {
        let (points, others): (&[[f64; 2]], &[f64]) = match self {
            Signal::Constant(value) => (&[], &[*value]),
            Signal::Points(points) => (points, &[]),
            Signal::Waves(w) => (&w.points, &[w.amplitude, w.frequency, w.from]),
        };
        if !others.iter().chain(points.iter().flatten()).all(|x| x.is_finite()) {
            return Some("has a number that is not finite".to_owned());
        }
        if !matches!(self, Signal::Constant(_)) && points.is_empty() {
            return Some("has no points; expected at least one [time, value]".to_owned());
        }
        let ordered = points.windows(2).all(|w| w[0][0] <= w[1][0]);
        (!ordered).then(|| "has points out of order; expected growing times".to_owned())
    }
}

/// Lines between points, constant before the first and after the last.
fn line(points: &[[f64; 2]], t: f64) -> f64 {
    let k = points.partition_point(|p| p[0] <= t);
    match (k.checked_sub(1).and_then(|k| points.get(k)), points.get(k)) {
        (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * ((t - t0) / (t1 - t0)),
        (Some([_, v]), None) | (None, Some([_, v])) => *v,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_jumps() {
        let s = Signal::Points(vec![[1.0, 0.0], [2.0, 4.0], [3.0, 4.0], [3.0, 1.0]]);
        let found = [0.0, 1.5, 2.5, 2.999_999, 3.0, 9.0].map(|t| s.at(t));
        assert_eq!(found, [0.0, 2.0, 4.0, 4.0, 1.0, 1.0]);
        assert!(s.fault().is_none());
        assert!(Signal::Points(vec![[2.0, 0.0], [1.0, 0.0]]).fault().is_some());
        assert!(Signal::Points(vec![]).fault().is_some());
        assert!(Signal::Constant(f64::NAN).fault().is_some());
    }
}
