//! Expectations and what became of them.

use crate::{Expectation, Outcome, Verdict, When};
use serde::{Deserialize, Serialize};

/// An expectation and its verdict.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Judgement {
    /// Name of the probe.
    pub probe: String,
    /// Which samples count, as scenes say it: "time", "always", "final", "max" or "min".
    pub when: String,
    /// At which time, seconds, where it is about one.
    pub time: Option<f64>,
    /// Least accepted value.
    pub low: f64,
    /// Greatest accepted value.
    pub high: f64,
    /// "met", "missed" or "not judged".
    pub outcome: String,
    /// Time (seconds) and value that decided; null where they are not numbers.
    pub observed: Option<[f64; 2]>,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// Line of the scene file.
    pub line: usize,
}

const MISSED: &str = "missed";

impl Judgement {
    /// An expectation with its verdict.
    pub fn new(expectation: &Expectation, verdict: &Verdict) -> Judgement {
        let outcome = match verdict.outcome {
            Outcome::Met => "met",
            Outcome::Missed => MISSED,
            Outcome::Unknown => "not judged",
        };
        let (when, time) = match expectation.when {
            When::At(time) => ("time", Some(time)),
            When::Always => ("always", None),
            When::Final => ("final", None),
            When::Max => ("max", None),
            When::Min => ("min", None),
        };
        Judgement {
            probe: expectation.name.clone(),
            when: when.to_owned(),
            time,
            low: expectation.low,
            high: expectation.high,
            outcome: outcome.to_owned(),
            observed: verdict
                .observed
                .map(|(time, value)| [time, value])
                .filter(|o| o.iter().all(|x| x.is_finite())),
            source: expectation.source.clone(),
            line: expectation.line,
        }
    }

    /// Whether it was judged and found wrong.
    pub fn is_missed(&self) -> bool {
        self.outcome == MISSED
    }

    /// What is expected, in words.
    pub fn claim(&self) -> String {
        let Judgement { probe, when, time, low, high, .. } = self;
        let subject = match (when.as_str(), time) {
            ("time", Some(time)) => format!("{probe} at {} s", figure(*time)),
            ("always", _) => format!("{probe} always"),
            ("final", _) => format!("{probe} at the end"),
            ("max", _) => format!("greatest {probe}"),
            ("min", _) => format!("least {probe}"),
            _ => probe.clone(),
        };
        let source = self.source.as_ref().map_or(String::new(), |source| format!(" ({source})"));
        format!("{subject} from {} to {}{source}", figure(*low), figure(*high))
    }
}

impl std::fmt::Display for Judgement {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let word = if self.is_missed() { "MISSED" } else { &self.outcome };
        write!(f, "{word}: {}", self.claim())?;
        match self.observed {
            Some([time, value]) => write!(f, ": {} at {} s", figure(value), figure(time)),
            None if self.is_missed() => f.write_str(": not a number"),
            None => f.write_str(": the run does not reach it"),
        }
    }
}

/// A number of six digits, by powers of ten where it is very large or small.
fn figure(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let plain = rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs());
    // Adding zero turns −0 into 0.
    if plain { format!("{}", rounded + 0.0) } else { format!("{rounded:e}") }
}
