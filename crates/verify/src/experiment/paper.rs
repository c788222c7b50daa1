//! The experiments of Arslan Waltersson & Karayiannidis.

use asperity::friction::extent::Shape;
use asperity::glamx::{DVec2, DVec3};

use super::model::{GridPatch, Soft};
use super::signal::{Signal, Waves};
use super::simulate::{Body, Experiment, Motion};

/// The velocities of Fig. 5, at the centre of pressure.
pub fn fig5() -> [Signal; 3] {
    let c = 0.015;
    [
        Signal::Points(vec![[0.8, 0.0], [1.4, c], [1.6, c], [2.2, 0.0]]),
        Signal::Points(vec![[2.4, 0.0], [2.7, 0.4 * c], [4.3, 0.4 * c], [4.6, 0.0]]),
        Signal::Points(vec![[0.0, 0.0], [0.6, 1.0], [3.4, 1.0], [4.0, 0.0]]),
    ]
}

/// Fig. 5 with explicit steps of 1e-5 s, a row every millisecond.
pub fn fig5_fixed() -> Experiment {
    let motion = Motion::Prescribed(fig5());
    let load = Signal::Constant(1.0);
    Experiment { dt: 1e-5, duration: 5.0, hold: 0.0, every: 1e-3, load, motion }
}

/// Fig. 5 with velocities held for 10 ms.
pub fn fig5_held() -> Experiment {
    Experiment { hold: 0.01, every: 0.01, ..fig5_fixed() }
}

/// The drift tests (Figs. 6 and 23–25): a 1 kg disc under oscillating tangential or normal load.
pub fn drift(normal: bool, duration: f64) -> Experiment {
    let ramp = |to: f64| vec![[0.0, 0.0], [0.2, to]];
    let wave =
        |points, amplitude, from| Signal::Waves(Waves { points, amplitude, frequency: 3.0, from });
    let torque = vec![[2.8, 0.0], [3.0, 0.03]];
    let (applied, load) = if normal {
        let still = Signal::Constant(0.0);
        let load = wave(vec![[0.0, 9.81]], 1.0, 1.0);
        ([Signal::Points(ramp(1.0)), still, Signal::Points(ramp(0.03))], load)
    } else {
        let still = Signal::Constant(0.0);
        ([wave(ramp(1.0), 0.4, 1.0), still, wave(torque, 0.01, 3.0)], Signal::Constant(9.81))
    };
    let motion = Motion::Body(Body {
        mass: 1.0,
        inertia: 0.5 * 0.05 * 0.05,
        position: DVec2::ZERO,
        velocity: DVec3::ZERO,
        gravity: DVec2::ZERO,
        applied,
        patches: 1.0,
        grip: false,
    });
    Experiment { dt: 5e-6, duration, hold: 0.01, every: 0.01, load, motion }
}

/// The patch of the drift tests: 0.05 m wide.
pub fn drift_patch() -> GridPatch {
    GridPatch { width: 0.05, ..GridPatch::of_paper(Shape::Circle) }
}

/// In-hand stick-slip (Figs. 27–35): case 1 or 2, and normal-force profile 1 or 2.
pub fn in_hand(case: usize, profile: usize) -> Experiment {
    let (mean, swing, high, low, from) =
        if case == 1 { (3.6, 0.9, 4.0, 2.9, 0.305) } else { (1.73, 0.91, 2.0, 0.84, 0.325) };
    let load = if profile == 1 {
        let points = vec![[0.0, mean]];
        Signal::Waves(Waves { points, amplitude: swing, frequency: 2.0, from: 0.0 })
    } else {
        Signal::Points(vec![[from, high], [from, low], [0.495, low], [0.495, high]])
    };
    let mass = 0.2;
    let motion = Motion::Body(Body {
        mass,
        inertia: mass / 12.0 * (0.08 * 0.08 + 0.15 * 0.15),
        position: DVec2::new(if case == 1 { 0.025 } else { 0.002 }, 0.0),
        velocity: DVec3::ZERO,
        gravity: DVec2::new(0.0, -9.81),
        applied: Default::default(),
        patches: 2.0,
        grip: true,
    });
    Experiment { dt: 5e-6, duration: 2.0, hold: 0.01, every: 0.01, load, motion }
}

/// The soft fingertips of Fig. 33: k = 2, or k = 2 f_N.
pub fn soft_patch(follows_load: bool) -> GridPatch {
    let cell = 0.02 / 21.0;
    let (exponent, exponent_per_newton) = if follows_load { (0.0, 2.0) } else { (2.0, 0.0) };
    let soft = Soft {
        radius: 6.0 * cell,
        power: 1.0 / 3.0,
        most: 10.5 * cell,
        exponent,
        exponent_per_newton,
    };
    GridPatch { soft: Some(soft), ..GridPatch::of_paper(Shape::Circle) }
}
