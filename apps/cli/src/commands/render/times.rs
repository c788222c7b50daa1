//! Which times are drawn, and how large.

use super::film::Film;
use super::output::FileKind;
use super::{Args, CliError};

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    /// Seconds. Those of a strobe are all in one picture.
    pub(super) times: Vec<f64>,
    /// Of each picture.
    pub(super) size: [u32; 2],
    /// Whether every time has a picture of its own on one sheet.
    pub(super) is_sheet: bool,
}

/// Pictures of a sheet where no times are given.
const SHEET: usize = 6;
/// More pictures than this are taken for a mistake.
const MOST: f64 = 100_000.0;

impl Plan {
    pub(super) fn new(args: &Args, kind: FileKind, film: &Film) -> Result<Plan, CliError> {
        let wrong = |what: &str| Err(CliError::Input(what.to_owned()));
        let end = film.end();
        if let Some(late) = args.times.iter().find(|t| **t > end + 1e-9 * (1.0 + end)) {
            return wrong(&format!("there is no picture at {late} s: the run ends at {end} s"));
        }
        let is_film = matches!(kind, FileKind::Gif | FileKind::Mp4);
        if is_film && (args.sheet || args.strobe.is_some()) {
            return wrong("--sheet and --strobe are for a .png");
        }
        if args.sheet && args.strobe.is_some() {
            return wrong("--sheet and --strobe cannot be combined");
        }
        let least = args.times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = args.times.iter().copied().fold(0.0, f64::max);
        let (first, last) = if args.times.is_empty() { (0.0, end) } else { (least, most) };
        let first = if args.times.len() == 1 { 0.0 } else { first };
        let even = |count: usize| -> Vec<f64> {
            let share = |k: usize| k as f64 / (count - 1).max(1) as f64;
            (0..count).map(|k| first + (last - first) * share(k)).collect()
        };
        let times = if is_film {
            let count = ((last - first) / args.speed * f64::from(args.fps)).floor() + 1.0;
            if count > MOST {
                return wrong(&format!("a film of {count} pictures; expected at most {MOST}"));
            }
            let at = |k: usize| first + k as f64 * args.speed / f64::from(args.fps);
            (0..count as usize).map(at).collect()
        } else if let Some(count) = args.strobe {
            even(usize::from(count))
        } else if args.times.is_empty() {
            if args.sheet { even(SHEET) } else { vec![end] }
        } else {
            args.times.clone()
        };
        let is_sheet = !is_film && args.strobe.is_none() && (args.sheet || times.len() > 1);
        let default = if is_sheet { [640, 360] } else { [1280, 720] };
        let mut size = args.size.unwrap_or(default);
        if kind == FileKind::Mp4 {
            // Video formats store colours for two by two pixels.
            size = size.map(|side| side & !1);
        }
        Ok(Plan { times, size, is_sheet })
    }
}
