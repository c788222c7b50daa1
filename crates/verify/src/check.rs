//! What a check found.

use serde::Serialize;

/// The checks of a group.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// What they are about.
    pub name: &'static str,
    /// One line each.
    pub checks: Vec<Check>,
}

/// One line of the table.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// What is measured.
    pub what: String,
    /// What theory says.
    pub expected: String,
    /// What Asperity does.
    pub found: String,
    /// How far they may be apart.
    pub allowed: String,
    /// Whether they are.
    pub holds: bool,
}

impl Check {
    /// `found` within `allowed` of `expected`, absolutely.
    pub fn near(what: &str, expected: f64, found: f64, allowed: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: format!("{expected:.6} {unit}"),
            found: format!("{found:.6} {unit}"),
            allowed: format!("+-{allowed:.2e}"),
            holds: (found - expected).abs() <= allowed,
        }
    }

    /// `found` within a fraction of `expected`.
    pub fn relative(what: &str, expected: f64, found: f64, part: f64, unit: &str) -> Check {
        let allowed = format!("{:.3} %", 100.0 * part);
        Check { allowed, ..Check::near(what, expected, found, part * expected.abs(), unit) }
    }

    /// `found` below `limit`.
    pub fn below(what: &str, limit: f64, found: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: "0".to_owned(),
            found: format!("{found:.3e} {unit}"),
            allowed: format!("< {limit:.1e}"),
            holds: found.abs() < limit,
        }
    }

    /// `found` above `limit`.
    pub fn above(what: &str, limit: f64, found: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: "more".to_owned(),
            found: format!("{found:.3e} {unit}"),
            allowed: format!("> {limit:.1e}"),
            holds: found > limit,
        }
    }

    /// `found` farther from `other` than `least`: a control, which must not give what theory says
    /// of the case that it is the control of.
    pub fn apart(what: &str, other: f64, found: f64, least: f64, unit: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: format!("not {other:.6} {unit}"),
            found: format!("{found:.6} {unit}"),
            allowed: format!("> {least:.2e} apart"),
            holds: (found - other).abs() > least,
        }
    }

    /// Something that happens or not.
    pub fn fact(what: &str, expected: &str, found: &str) -> Check {
        Check {
            what: what.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            allowed: String::new(),
            holds: expected == found,
        }
    }

    /// A number that nothing is wanted of.
    pub(crate) fn told(what: &str, found: String) -> Check {
        Check {
            what: what.to_owned(),
            expected: "-".to_owned(),
            found,
            allowed: TOLD.to_owned(),
            holds: true,
        }
    }

    /// Whether it is told but not judged.
    pub fn is_told(&self) -> bool {
        self.allowed == TOLD
    }
}

const TOLD: &str = "told";
