//! Towers and arches.

use asperity::glamx::DVec3;
use asperity::settings::Method;
use asperity_scene::Scene;

use super::{Authors, Recording, Sample, Track, at_time, follow};
use crate::host;
use crate::matchstick::{ARCHES, TOWERS};
use crate::{Check, VerifyError};

/// Their files of towers, ours, and how far blocks are apart at most to 1 s where the ball is found outside, metres.
const SIDES: [(&str, &str, f64); 2] = [("s001", "left", 0.35), ("s100", "right", 0.75)];

/// Where their ball is when it is found: 0.05 m within a block.
const FOUND: f64 = 0.95;
/// When, seconds: it has come from x = 5 with 10 m/s.
const FOUND_AT: f64 = 0.405;

impl Authors<'_> {
    /// Towers: every block of every sample. Until the ball hits they only settle; afterwards theirs is ahead, because
    /// their ball is found when it is 0.05 m within and then touches two blocks. Ours, begun there, goes as theirs.
    pub(in crate::matchstick) fn towers(&self) -> Result<Vec<Check>, VerifyError> {
        let ours = follow(&mut self.scene(TOWERS)?, 3.5);
        let path = self.scenes.join(TOWERS);
        let text = host::text(self.host, &path)?;
        let late = follow(&mut host::scene_of(self.host, &path, &found_within(&text))?, 0.7);
        let mut checks = Vec::new();
        for (file, side, behind) in SIDES {
            let Some(theirs) = self.recording(&format!("prox_stack_{file}.csv"))? else { continue };
            let blocks = Tower { theirs: &theirs, side };
            let ball = blocks.ball(&ours, 0.4)?;
            checks.push(Check::below(&format!("{side} ball: authors, to 0.4 s"), 1e-3, ball, "m"));
            let before = blocks.off(&ours, 0.0, 0.4, 0..6)?;
            let what = format!("{side} tower: authors, to 0.4 s");
            checks.push(Check::below(&what, 5e-3, before, "m"));
            let [whole, within] = [(&ours, 0.0), (&late, FOUND_AT)]
                .map(|(track, begun)| blocks.off(track, begun, 1.0, 0..6));
            let (whole, within) = (whole?, within?);
            let what = format!("{side} tower, ball 0.05 m within: authors, to 1 s");
            checks.push(Check::below(&what, HIT, within, "m"));
            let what = format!("{side} tower, ball outside: {whole:.2} m, farther off than that");
            let far = if whole > 1.5 * HIT { "yes" } else { "no" };
            checks.push(Check::fact(&what, "yes", far));
            let what = format!("{side} tower: authors, to 1 s");
            checks.push(Check::below(&what, behind, whole, "m"));
            if side == "right" {
                let still = blocks.off(&ours, 0.0, 3.5, 0..3)?;
                let what = "right tower, the three lower blocks: authors, to 3.5 s";
                checks.push(Check::below(what, 0.015, still, "m"));
                let dragged = blocks.off(&ours, 0.0, 3.5, 3..4)?;
                let what = "right tower, the fourth block: authors, to 3.5 s";
                checks.push(Check::below(what, 0.2, dragged, "m"));
            }
            let (what, expected) = (
                format!("{side} tower: blocks above 2 m at 3.5 s, theirs, ours"),
                if side == "left" { "0, 0" } else { "2, 2" },
            );
            checks.push(Check::fact(&what, expected, &blocks.standing(&ours, 3.5)?));
        }
        Ok(checks)
    }

    /// Arches. Theirs with strong friction comes apart: 0.03 m until 0.8 s and then faster; with enough sweeps it
    /// stands. Ours comes apart in the same way with very few of theirs, and what it does then does not depend on why:
    /// at the same sinking of the crown the pillars are as far apart.
    pub(in crate::matchstick) fn arches(&self) -> Result<Vec<Check>, VerifyError> {
        let mut checks = Vec::new();
        if let Some(theirs) = self.recording("prox_arch_s010.csv")? {
            checks.extend(weak(&theirs, &follow(&mut self.scene(ARCHES)?, 1.2))?);
        }
        let Some(theirs) = self.recording("prox_arch_s001.csv")? else { return Ok(checks) };
        let by = |sweeps: Option<usize>| -> Result<Track, VerifyError> {
            let mut scene = self.scene(ARCHES)?;
            if let Some(sweeps) = sweeps {
                by_steps(&mut scene, sweeps)?;
            }
            Ok(follow(&mut scene, 1.6))
        };
        let (solved, few, many) = (by(None)?, by(Some(FEW))?, by(Some(MANY))?);
        for (until, within) in CREEP {
            let worst = strong_off(&theirs, &solved, until)?;
            let what = format!("strong arch, solved: authors creep, to {until} s");
            checks.push(Check::below(&what, within, worst, "m"));
        }
        let standing = -at_time(&many["strong.3"], 1.6).y;
        let what = format!("strong arch by {MANY} sweeps: sinking of the crown at 1.6 s");
        checks.push(Check::below(&what, 0.01, standing, "m"));
        let path = |track: &Track| -> Vec<[f64; 2]> {
            let at = |(k, (_, crown)): (usize, &(f64, DVec3))| {
                let [left, right] = ["strong.left.2", "strong.right.2"].map(|s| track[s][k].1.x);
                [-crown.y, right - left]
            };
            track["strong.3"].iter().enumerate().map(at).collect()
        };
        let ours = path(&few);
        let theirs = theirs_apart(&theirs)?;
        for sunk in [0.1, 0.2, 0.3, 0.5] {
            let [theirs, ours] = [&theirs, &ours].map(|path| apart_at(path, sunk));
            let what =
                format!("strong arch by {FEW} sweeps, crown {sunk} m down: pillars apart, authors");
            checks.push(Check::relative(&what, theirs, ours, 0.1, "m"));
        }
        Ok(checks)
    }
}

/// How far blocks are apart at most to 1 s where the ball begins as theirs does, metres.
const HIT: f64 = 0.15;

/// Until when, and how far the stones of their strong arch have crept at most, metres.
const CREEP: [(f64, f64); 2] = [(0.2, 0.012), (0.8, 0.05)];

/// Sweeps of proximal steps with which our arch comes apart, and with which it stands.
const FEW: usize = 5;
const MANY: usize = 50;

/// Solves by so many sweeps of Algorithm 2.
fn by_steps(scene: &mut Scene, sweeps: usize) -> Result<(), VerifyError> {
    let named = Method::named("prox_local");
    let settings = &mut scene.world.settings;
    settings.method = named.ok_or_else(|| VerifyError::new("there is no solver \"prox_local\""))?;
    settings.bounded = false;
    settings.solver.max_iterations = sweeps;
    settings.solver.tolerance = 1e-14;
    Ok(())
}

/// The scene of towers, begun when their balls are found.
fn found_within(text: &str) -> String {
    let fallen = 0.5 * super::GRAVITY * FOUND_AT * FOUND_AT;
    text.replace("at = [5, 6, ", &format!("at = [{FOUND}, {}, ", 6.0 - fallen)).replace(
        "velocity = [-10, 0, 0]",
        &format!("velocity = [-10, {}, 0]", -super::GRAVITY * FOUND_AT),
    )
}

/// One of their towers, and ours.
struct Tower<'a> {
    theirs: &'a Recording,
    side: &'a str,
}

impl Tower<'_> {
    /// How far blocks are off at most until a time, ours having begun late.
    fn off(
        &self,
        track: &Track,
        begun: f64,
        until: f64,
        blocks: std::ops::Range<usize>,
    ) -> Result<f64, VerifyError> {
        let mut worst = 0.0_f64;
        for k in blocks {
            let ours = &track[&format!("{}.{k}", self.side)];
            let begin = DVec3::Y * (0.5 + k as f64);
            let body = format!("body_{}", k + 1);
            let samples = self.theirs.body(&body, until)?;
            for sample in samples.filter(|s| s.time > begun) {
                let moved = sample.place - begin;
                worst = worst.max(moved.distance(at_time(ours, sample.time - begun)));
            }
        }
        Ok(worst)
    }

    fn ball(&self, track: &Track, until: f64) -> Result<f64, VerifyError> {
        let ours = &track[&format!("{}.ball", self.side)];
        let off = |s: Sample| (s.place - DVec3::new(5.0, 6.0, 0.0)).distance(at_time(ours, s.time));
        Ok(self.theirs.body("ball_0", until)?.map(off).fold(0.0, f64::max))
    }

    /// How many blocks are higher than 2 m: theirs, ours.
    fn standing(&self, track: &Track, time: f64) -> Result<String, VerifyError> {
        let (mut theirs, mut ours) = (0, 0);
        for k in 0..6 {
            let body = format!("body_{}", k + 1);
            let last = self.theirs.body(&body, time)?.last();
            theirs += usize::from(last.is_some_and(|s| s.place.y > 2.0));
            let moved = at_time(&track[&format!("{}.{k}", self.side)], time);
            ours += usize::from(0.5 + f64::from(k) + moved.y > 2.0);
        }
        Ok(format!("{theirs}, {ours}"))
    }
}

/// The crown of the arch that slides apart, as far as its run is a reference: it slides on one side only.
fn weak(theirs: &Recording, ours: &Track) -> Result<Vec<Check>, VerifyError> {
    let crown: Vec<Sample> = theirs.body("body_10", 1.2)?.collect();
    let first = crown.first().map_or(DVec3::NAN, |s| s.place);
    let check = |time: f64| {
        let near =
            |a: &&Sample, b: &&Sample| (a.time - time).abs().total_cmp(&(b.time - time).abs());
        let theirs = crown.iter().min_by(near).map_or(f64::NAN, |s| first.y - s.place.y);
        let found = -at_time(&ours["weak.3"], time).y;
        let what = format!("weak arch: sinking of the crown at {time} s, authors");
        Check::relative(&what, theirs, found, 0.15, "m")
    };
    Ok([0.6, 1.0, 1.2].map(check).into())
}

/// Their stones and ours: pillars from below, left and right in turn; the arch from the right.
fn stones() -> impl Iterator<Item = (String, String)> {
    let pillars = (0..3).flat_map(|k| {
        [(1 + 2 * k, format!("strong.left.{k}")), (2 + 2 * k, format!("strong.right.{k}"))]
    });
    let wedges = (0..7).map(|k| (7 + k, format!("strong.{}", 6 - k)));
    pillars.chain(wedges).map(|(theirs, ours)| (format!("body_{theirs}"), ours))
}

/// How far stones are off at most until a time.
fn strong_off(theirs: &Recording, ours: &Track, until: f64) -> Result<f64, VerifyError> {
    let mut worst = 0.0_f64;
    for (body, stone) in stones() {
        let mut first = None;
        for sample in theirs.body(&body, until)? {
            let moved = sample.place - *first.get_or_insert(sample.place);
            worst = worst.max(moved.distance(at_time(&ours[&stone], sample.time)));
        }
    }
    Ok(worst)
}

/// How far the crown of their strong arch has sunk, and how far the tops of the pillars have moved apart.
fn theirs_apart(theirs: &Recording) -> Result<Vec<[f64; 2]>, VerifyError> {
    let moved = |body: &str| -> Result<Vec<DVec3>, VerifyError> {
        let places: Vec<DVec3> = theirs.body(body, 2.0)?.map(|s| s.place).collect();
        Ok(places.iter().map(|p| *p - places[0]).collect())
    };
    let (crown, left, right) = (moved("body_10")?, moved("body_5")?, moved("body_6")?);
    Ok((0..crown.len()).map(|k| [-crown[k].y, right[k].x - left[k].x]).collect())
}

/// How far apart pillars are when the crown is so far down for the first time.
fn apart_at(path: &[[f64; 2]], sunk: f64) -> f64 {
    let Some(k) = path.iter().position(|[s, _]| *s >= sunk).filter(|k| *k > 0) else {
        return f64::NAN;
    };
    let ([s0, a0], [s1, a1]) = (path[k - 1], path[k]);
    a0 + (a1 - a0) * (sunk - s0) / (s1 - s0)
}
