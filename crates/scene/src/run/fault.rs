//! What makes a run not to be trusted, and how badly.

use serde::{Deserialize, Serialize};

use super::Run;
use crate::Scene;
use crate::record::{DeepestOverlap, DeepestSoftOverlap, EnergyRise, LargestStretch, WidestGape};

/// Something that makes a run not to be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// About what: one of those that scenes may allow, or "solver", "pairs", "lost_time" or "soft".
    pub about: String,
    /// Whether it is so large that what the run shows is wrong.
    pub gross: bool,
    /// Whether the scene allows it.
    pub allowed: bool,
    /// What was found, in words.
    pub message: String,
}

/// What a scene may allow, and what that is.
pub(crate) const ALLOWABLE: [&str; 5] = ["energy", "overlap", "stretch", "joints", "stopped"];

/// Energy from nowhere, as a part of its scale: worth a warning, and gross.
const ENERGY: [f64; 2] = [1e-6, 1e-2];
/// Energy that joints took, as a part of the same scale: worth a warning. What moves by them is slower, not wild.
const JOINTS: f64 = 1e-2;
/// Overlap as a part of the thinner body.
const OVERLAP: [f64; 2] = [0.02, 0.1];
/// Overlap of a soft body's surface as a part of the distance it keeps. At one surfaces touch that should not, as
/// where a cloth was laid right on a table; beyond it they are through each other.
const SOFT_OVERLAP: [f64; 2] = [0.5, 1.1];
/// Length of an edge over that at the start.
const STRETCH: [f64; 2] = [1.5, 2.0];
/// Gape of a joint as a part of the smaller body.
const GAPE: [f64; 2] = [0.02, 0.1];

impl Fault {
    /// What was wrong in a run of a scene, the gross first.
    pub fn of(scene: &Scene, run: &Run) -> Vec<Fault> {
        let sound = &run.summary.soundness;
        let mut found = Vec::new();
        let mut add = |about: &str, gross: bool, message: String| {
            let allowed = scene.allow.iter().any(|allowed| allowed == about);
            found.push(Fault { about: about.to_owned(), gross, allowed, message });
        };
        let mut judge = |about: &str, value: f64, [least, most]: [f64; 2], message: String| {
            // A value that is no number is as bad as can be.
            if !(value < least) {
                add(about, !(value < most), message);
            }
        };
        judge("energy", sound.energy.part(), ENERGY, sound.energy.to_string());
        let taken = sound.energy.joints_part();
        let message = format!(
            "joints took {} of the largest energy from what moves by them: with smaller steps they take less",
            percent(taken)
        );
        judge("energy", taken, [JOINTS, f64::INFINITY], message);
        let held_back = run.summary.soft_held_back;
        if held_back > 0.0 {
            let part = held_back / sound.energy.reference();
            judge(
                "energy",
                part,
                ENERGY,
                format!(
                    "steps of soft bodies were made shorter, since they would have brought {} of the largest energy from nowhere",
                    percent(part)
                ),
            );
        }
        if let Some(overlap) = &sound.overlap {
            judge("overlap", overlap.part(), OVERLAP, overlap.to_string());
        }
        if let Some(overlap) = &sound.soft_overlap {
            judge("overlap", overlap.part(), SOFT_OVERLAP, overlap.to_string());
        }
        if let Some(stretch) = &sound.stretch {
            judge("stretch", stretch.stretch, STRETCH, stretch.to_string());
        }
        if let Some(gape) = &sound.gape {
            judge("joints", gape.part(), GAPE, gape.to_string());
        }
        for frozen in &run.summary.frozen {
            add("stopped", true, frozen.to_string());
        }
        if let Some((step, error)) = &run.summary.soft_error {
            add("soft", true, format!("soft bodies stood still in step {step}: {error}"));
        }
        if sound.unsupported > 0 {
            let message = format!(
                "{} near each other whose contacts cannot be computed: they pass through each other",
                count(sound.unsupported as u64, "pair")
            );
            add("pairs", false, message);
        }
        if sound.cut_short > 0 {
            let message = format!(
                "{} a body lost part of a step, since it would have been within another: with smaller steps it is followed",
                if sound.cut_short == 1 {
                    "once".to_owned()
                } else {
                    format!("{} times", sound.cut_short)
                }
            );
            add("lost_time", false, message);
        }
        if run.summary.unconverged > 0 {
            let message = format!(
                "{} stopped short of the residual {:.0e}; worst {:.1e} in step {}",
                count(run.summary.unconverged, "step"),
                scene.world.settings.solver.tolerance,
                run.summary.worst_residual,
                run.summary.worst_step
            );
            add("solver", false, message);
        }
        found.sort_by_key(|fault| !fault.gross);
        found
    }

    /// Whether it makes a run fail: where it is gross, or in a strict run, and the scene does not allow it.
    pub fn fails(&self, strict: bool) -> bool {
        !self.allowed && (self.gross || strict)
    }
}

fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

impl std::fmt::Display for EnergyRise {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (part, largest) = (percent(self.part()), percent(self.largest / self.reference()));
        write!(f, "energy rose by {part} of its largest value without work from outside")?;
        if self.sum > 0.0 {
            write!(f, ", most of it, {largest}, in step {}", self.step)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for DeepestOverlap {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [a, b] = &self.bodies;
        let (depth, thickness) = (length(self.depth), length(self.thickness));
        write!(
            f,
            "overlap of {depth} between \"{a}\" and \"{b}\", the thinner {thickness} thick, "
        )?;
        match self.step {
            0 => write!(f, "at the start"),
            step => write!(f, "in step {step}"),
        }
    }
}

impl std::fmt::Display for DeepestSoftOverlap {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let DeepestSoftOverlap { bodies: [soft, other], depth, thickness, step } = self;
        let other = if soft == other { "itself".to_owned() } else { format!("\"{other}\"") };
        let how = if self.part() > 1.0 { "goes through" } else { "comes too near" };
        let (depth, thickness) = (length(*depth), length(*thickness));
        write!(
            f,
            "\"{soft}\" {how} {other}: {depth} within the {thickness} that surfaces keep, in step {step}"
        )
    }
}

impl std::fmt::Display for LargestStretch {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let LargestStretch { body, stretch, step } = self;
        write!(
            f,
            "an edge of \"{body}\" {stretch:.3} times as long as at the start, in step {step}"
        )
    }
}

impl std::fmt::Display for WidestGape {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let WidestGape { joint, step, .. } = self;
        let (gape, size) = (length(self.gape), length(self.size));
        write!(
            f,
            "joint \"{joint}\" open by {gape}, its smaller body {size} in size, in step {step}"
        )
    }
}

/// A length in a unit that suits it.
pub(crate) fn length(metres: f64) -> String {
    let (factor, unit) = match metres.abs() {
        m if m >= 1.0 => (1.0, "m"),
        m if m >= 1e-3 => (1e3, "mm"),
        m if m >= 1e-6 => (1e6, "µm"),
        _ => (1e9, "nm"),
    };
    format!("{} {unit}", figure(metres * factor))
}

/// A part in per cent.
fn percent(part: f64) -> String {
    format!("{} %", figure(100.0 * part))
}

/// Two digits or more.
fn figure(value: f64) -> String {
    if !(value == 0.0 || (1e-2..1e4).contains(&value.abs())) {
        return format!("{value:.1e}");
    }
    let digits = usize::from(value != 0.0 && value.abs() < 10.0);
    let digits = if value != 0.0 && value.abs() < 0.1 { 3 } else { digits };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_parts_are_told_in_words() {
        for (metres, words) in
            [(0.014, "14 mm"), (1.5, "1.5 m"), (2.5e-5, "25 µm"), (3.2e-8, "32 nm"), (0.0, "0 nm")]
        {
            assert_eq!(length(metres), words);
        }
        assert_eq!(percent(0.031), "3.1 %");
        assert_eq!(percent(4.2e-7), "4.2e-5 %");
        let bodies = ["d3".to_owned(), "d4".to_owned()];
        let overlap = DeepestOverlap { bodies, depth: 0.014, thickness: 0.012, step: 212 };
        assert_eq!(
            overlap.to_string(),
            "overlap of 14 mm between \"d3\" and \"d4\", the thinner 12 mm thick, in step 212"
        );
    }

    #[test]
    fn overlaps_of_soft_surfaces_are_told_in_words() {
        let of = |other: &str, depth: f64| DeepestSoftOverlap {
            bodies: ["cloth".to_owned(), other.to_owned()],
            depth,
            thickness: 0.003,
            step: 12,
        };
        assert_eq!(
            of("ball", 0.0042).to_string(),
            "\"cloth\" goes through \"ball\": 4.2 mm within the 3.0 mm that surfaces keep, in step 12"
        );
        assert_eq!(
            of("cloth", 0.0021).to_string(),
            "\"cloth\" comes too near itself: 2.1 mm within the 3.0 mm that surfaces keep, in step 12"
        );
    }

    #[test]
    fn energy_is_judged_by_motion_height_and_weight() {
        let rise = EnergyRise {
            sum: 0.3,
            kinetic: 5.0,
            potential: Some([-2.0, 2.0]),
            weight: 1.0,
            ..EnergyRise::default()
        };
        assert!((rise.part() - 0.03).abs() < 1e-15);
        assert_eq!(EnergyRise::default().part(), 0.0);
        let from_nothing = EnergyRise { sum: 1.0, ..EnergyRise::default() };
        assert_eq!(from_nothing.part(), f64::INFINITY);
    }
}
