//! The paper's own pipeline on every scene: four-sided boxes (Eq. 9) and projected Gauss–Seidel (section 4.4).

use std::path::{Path, PathBuf};

use asperity::settings::Method;
use asperity_scene::Outcome;

use crate::host::{self, stem};
use crate::scenes::{paths, whole};
use crate::{Check, Host, VerifyError};

/// Scenes that miss something with it, and why; all others meet all that they expect.
const LOST: [(&str, &str); 3] = [("bunnies", BOX), ("sawtooth_turned", BOX), ("window_study", BOX)];

/// Boxes alone, with the default solver, miss something too.
const BOX: &str = "the box";
/// Boxes alone miss nothing.
const SOLVER: &str = "the solver";
const NOTHING: &str = "meets all";

/// What each scene loses by boxes and projected Gauss–Seidel, and by which of the two.
pub(crate) fn lost(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    let pgs = Method::named("pgs").ok_or_else(|| VerifyError::new("there is no solver \"pgs\""))?;
    let check = |path: &PathBuf| {
        let (name, text) = (stem(path), boxed(&host::text(host, path)?));
        let missed = missed(host, path, &text, Some(pgs))?;
        let found = if missed.is_empty() {
            NOTHING
        } else if self::missed(host, path, &text, None)?.is_empty() {
            SOLVER
        } else {
            BOX
        };
        let expected = LOST.iter().find(|(lost, _)| *lost == name).map_or(NOTHING, |(_, why)| why);
        let what = match missed.as_slice() {
            [] => name,
            missed => format!("{name}: not {}", missed.join(", ")),
        };
        Ok(Check::fact(&what, expected, found))
    };
    paths(host, folder)?.iter().map(check).collect()
}

/// The probes whose expectations a scene misses, with another solver than its own.
fn missed(
    host: &dyn Host,
    path: &Path,
    text: &str,
    method: Option<Method>,
) -> Result<Vec<String>, VerifyError> {
    let mut scene = host::scene_of(host, path, text)?;
    if let Some(method) = method {
        scene.world.settings.method = method;
    }
    let run = whole(host, &stem(path), &mut scene)?;
    let all = scene.expectations.iter().zip(&run.verdicts);
    let out = all.filter(|(_, verdict)| verdict.outcome == Outcome::Missed);
    Ok(out.map(|(expectation, _)| expectation.name.clone()).collect())
}

/// A scene in which every ploughing section has boxes; one that has them keeps how they are aligned.
fn boxed(text: &str) -> String {
    const MODEL: &str = "model = \"ploughing\"";
    let mut parts = text.split(MODEL);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (section, rest) = part.split_at(part.find('}').unwrap_or(part.len()));
        out += MODEL;
        if section.contains("limit = \"box\"") {
            out += section;
        } else {
            out += ", limit = \"box\"";
            // Directions are those of polygons.
            let keys = section.split(',').filter(|key| !key.trim().starts_with("directions"));
            out += keys.collect::<Vec<_>>().join(",").trim_end();
            out += " ";
        }
        out += rest;
    }
    out
}
