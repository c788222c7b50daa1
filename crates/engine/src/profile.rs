//! Numbers that follow time.

/// A number as a function of time (seconds).
#[derive(Debug, Clone, PartialEq)]
pub enum Profile {
    /// Always the same.
    Constant(f64),
    /// mean + amplitude · cos(2π · frequency · t).
    Cosine {
        /// Mean value.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Hertz.
        frequency: f64,
    },
    /// mean + amplitude · sin(2π · frequency · t).
    Sine {
        /// Mean value.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Hertz.
        frequency: f64,
    },
    /// (time, value) sorted by time; straight lines between, constant outside.
    Table(Vec<[f64; 2]>),
}

impl Profile {
    /// The value at a time.
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Profile::Constant(value) => *value,
            Profile::Cosine { mean, amplitude, frequency } => {
                mean + amplitude * (std::f64::consts::TAU * frequency * time).cos()
            }
            Profile::Sine { mean, amplitude, frequency } => {
                mean + amplitude * (std::f64::consts::TAU * frequency * time).sin()
            }
            Profile::Table(rows) => {
                let after = rows.partition_point(|row| row[0] <= time);
                match (after.checked_sub(1).map(|i| rows[i]), rows.get(after)) {
                    (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]),
                    (Some(a), None) => a[1],
                    (None, Some(b)) => b[1],
                    (None, None) => 0.0,
                }
            }
        }
    }
}
