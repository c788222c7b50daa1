//! `expect`: what must come out of a scene.

use std::collections::BTreeMap;
use std::fmt;

use super::format::{NON_NEGATIVE, way, words};
use super::reader::{Fields, Read};
use super::spec::{Way, names};
use super::suggest::hint;

/// What a probe must show.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// Number of the probe in the scene.
    pub probe: usize,
    /// Its name.
    pub name: String,
    /// Which samples count.
    pub when: When,
    /// Least accepted value.
    pub low: f64,
    /// Greatest accepted value.
    pub high: f64,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// Line of the scene file.
    pub line: usize,
}

/// Which samples of a probe an expectation is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// At one time, seconds; straight lines between samples.
    At(f64),
    /// All of them.
    Always,
    /// The last one.
    Final,
    /// The greatest.
    Max,
    /// The least.
    Min,
}

/// Samples that have a name.
pub(crate) const WHEN: [(&str, When); 4] =
    [("always", When::Always), ("final", When::Final), ("max", When::Max), ("min", When::Min)];

/// How an expectation says when.
pub(crate) static TIMES: [Way<Read<When>>; 2] = [
    way("time", NON_NEGATIVE, "When, seconds.", |fields| fields.number("time").map(When::At)),
    way(
        "when",
        words(&names(&WHEN)),
        "Every sample, the last one, the greatest or the least.",
        |fields| fields.pick("when", &WHEN),
    ),
];

/// Whether an expectation was met.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Whether it was.
    pub outcome: Outcome,
    /// Time (seconds) and value that decided; for `always`, the worst.
    pub observed: Option<(f64, f64)>,
    /// What was expected, in words.
    pub expected: String,
}

/// How an expectation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Met,
    /// Another value.
    Missed,
    /// The samples do not reach the time, or there are none.
    Unknown,
}

impl Expectation {
    /// Judges samples (time in seconds, value), sorted by time.
    pub fn judge(&self, samples: &[(f64, f64)]) -> Verdict {
        let observed = self.observe(samples);
        let outcome = match observed {
            None => Outcome::Unknown,
            Some((_, value)) if self.excess(value) <= 0.0 => Outcome::Met,
            Some(_) => Outcome::Missed,
        };
        let what = match self.when {
            When::At(time) => format!("{} at {time} s", self.name),
            When::Always => format!("{} always", self.name),
            When::Final => format!("{} at the end", self.name),
            When::Max => format!("the greatest {}", self.name),
            When::Min => format!("the least {}", self.name),
        };
        let expected = format!("{what} between {} and {}", self.low, self.high);
        Verdict { outcome, observed, expected }
    }

    /// How far a value is outside; not a number is infinitely far.
    fn excess(&self, value: f64) -> f64 {
        if value.is_nan() { f64::INFINITY } else { (self.low - value).max(value - self.high) }
    }

    /// The sample that decides.
    fn observe(&self, samples: &[(f64, f64)]) -> Option<(f64, f64)> {
        // A sample that is not a number decides wherever it could have mattered.
        let rank =
            |value: f64, sign: f64| if value.is_nan() { f64::INFINITY } else { sign * value };
        let most = |key: &dyn Fn(f64) -> f64| {
            let first = *samples.first()?;
            let better =
                |best: (f64, f64), s: &(f64, f64)| if key(s.1) > key(best.1) { *s } else { best };
            Some(samples.iter().fold(first, better))
        };
        match self.when {
            When::Final => samples.last().copied(),
            When::Max => most(&|value| rank(value, 1.0)),
            When::Min => most(&|value| rank(value, -1.0)),
            When::Always => most(&|value| self.excess(value)),
            When::At(time) => interpolate(samples, time),
        }
    }
}

/// The value at a time. Rounding of the last sample's time does not count.
fn interpolate(samples: &[(f64, f64)], time: f64) -> Option<(f64, f64)> {
    let after = samples.partition_point(|s| s.0 < time);
    let slack = 1e-9 * (1.0 + time.abs());
    let near = |s: &&(f64, f64)| (s.0 - time).abs() <= slack;
    let before = after.checked_sub(1).and_then(|i| samples.get(i));
    let next = samples.get(after);
    if let Some(sample) = next.filter(near).or(before.filter(near)) {
        return Some(*sample);
    }
    let (a, b) = (before?, next?);
    Some((time, a.1 + (b.1 - a.1) * ((time - a.0) / (b.0 - a.0))))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = match self.outcome {
            Outcome::Met => "met",
            Outcome::Missed => "missed",
            Outcome::Unknown => "unknown",
        };
        match self.observed {
            Some((time, value)) => {
                write!(f, "{word}: {value} at {time} s; expected {}", self.expected)
            }
            None => write!(f, "{word}: no sample; expected {}", self.expected),
        }
    }
}

/// Reads `expect`. The second number is where each stands in the text.
pub(crate) fn read(
    scene: &Fields,
    probes: &BTreeMap<String, Option<usize>>,
    duration: f64,
) -> Vec<(Expectation, usize)> {
    let all = scene.tables("expect");
    all.iter().filter_map(|fields| Some((one(fields, probes, duration)?, fields.at))).collect()
}

fn one(
    fields: &Fields,
    probes: &BTreeMap<String, Option<usize>>,
    duration: f64,
) -> Option<Expectation> {
    let name = fields.text("probe");
    let probe = name.and_then(|name| {
        let found = probes.get(name).copied();
        if found.is_none() {
            let hint = if probes.is_empty() {
                "; add a probe of this name".to_owned()
            } else {
                hint(name, probes.keys().map(String::as_str))
            };
            fields
                .complain("probe", format!("{}: there is no probe \"{name}\"{hint}", fields.label));
        }
        found.flatten()
    });
    let range = range(fields);
    let when = fields.way(&TIMES)?(fields)?;
    if let When::At(time) = when
        && time > duration * (1.0 + 1e-9)
    {
        let message = format!(
            "{} is about {time} s, but the scene ends at {duration} s; raise \"duration\" in [world]",
            fields.label
        );
        fields.complain("time", message);
    }
    let [low, high] = range?;
    let source = fields.text("source").map(str::to_owned);
    Some(Expectation { probe: probe?, name: name?.to_owned(), when, low, high, source, line: 0 })
}

fn range(fields: &Fields) -> Option<[f64; 2]> {
    let keys = ["between", "near", "within"].map(|key| fields.has(key));
    match keys {
        [true, false, false] => {
            let [low, high] = fields.pair("between")?.to_array();
            if low > high {
                let message = format!(
                    "\"between\" in {} is [{low}, {high}]; expected the least first",
                    fields.label
                );
                return fields.refuse("between", message);
            }
            Some([low, high])
        }
        [false, true, true] => {
            let (near, within) = (fields.number("near"), fields.number("within"));
            let (near, within) = (near?, within?);
            Some([near - within, near + within])
        }
        _ => {
            let message =
                format!("{} needs either between = [low, high], or near and within", fields.label);
            fields.log.add(fields.at, message);
            None
        }
    }
}
