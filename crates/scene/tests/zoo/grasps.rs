//! A firm grasp of a bar, off its centre, holds; bristles give by what their stiffness says.

use asperity::glamx::DVec3;

use crate::watch::{Once, Seen, claim, watch};

static RIGID: Once = Once::new(|| watch("gripper_nomem12", f64::MAX));
static ELASTIC: Once = Once::new(|| watch("gripper_mu12", f64::MAX));
static LUGRE: Once = Once::new(|| watch("gripper_mu12lugre", f64::MAX));
static WEAKER: Once = Once::new(|| watch("gripper", f64::MAX));

/// Force of a finger, N.
const SQUEEZE: f64 = 30.0;

/// Turn of the bar about the axis of the fingers by bristles of a stiffness (1/m), degrees:
/// τ/(2 σ₀ N ⟨ρ²⟩), with the weight's torque τ and the mean square distance of the pads' area from its middle.
fn give(stiffness: f64) -> f64 {
    let mass = 7800.0 * 0.04 * 0.2 * 0.03;
    let torque = mass * 9.81 * 0.03;
    let square = (0.04_f64.powi(2) + 0.03_f64.powi(2)) / 12.0;
    (torque / (2.0 * stiffness * SQUEEZE * square)).to_degrees()
}

/// Turn of the bar at every moment, degrees, positive where its heavy end hangs.
fn turns(seen: &Seen) -> Vec<f64> {
    let along = |s: &crate::watch::State| s.pose.rotation * DVec3::Y;
    seen.path("bar").map(|s| (-along(s).z).atan2(along(s).y).to_degrees()).collect()
}

/// The bar is lifted by 0.2 m, less the give of the bristles and of the palm's motor.
fn check_lifted(seen: &Seen) {
    seen.check_finite();
    let rise = seen.last("bar").pose.translation.z - seen.first("bar").pose.translation.z;
    // The motor's spring carries 2.57 kg: 1.3 mm.
    assert!((0.197..0.2005).contains(&rise), "{}: lifted by {rise:.4} m", seen.name);
}

/// The bar turns by what is expected, degrees, within 5 %, and stays.
fn check_turn(seen: &Seen, expected: f64) {
    let turns = turns(seen);
    let end = *turns.last().unwrap();
    eprintln!("{}: turns by {end:.4}°, expected {expected:.4}°", seen.name);
    assert!((end / expected - 1.0).abs() < 0.05, "{}: {end:.4}°, not {expected:.4}°", seen.name);
    check_stays(seen);
}

/// The bar does not turn further while the gripper rests.
fn check_stays(seen: &Seen) {
    let turns = turns(seen);
    let then = turns[turns.len() * 7 / 8];
    let more = (turns.last().unwrap() - then).abs();
    assert!(more < 1e-4, "{}: turns by {more:.1e}° in the last half second", seen.name);
}

/// The bar turns by less than a hundredth of a degree.
fn check_still(seen: &Seen) {
    let most = turns(seen).into_iter().fold(0.0, |m: f64, t| m.max(t.abs()));
    eprintln!("{}: turns by at most {most:.5}°", seen.name);
    assert!(most < 0.01, "{}: turns by {most:.4}°", seen.name);
}

claim!(data_rigid_grasp_does_not_overlap: RIGID, Seen::check_overlap);
claim!(data_rigid_grasp_lifts: RIGID, check_lifted);
claim!(data_rigid_grasp_does_not_turn: RIGID, check_still);

claim!(data_elastic_grasp_does_not_overlap: ELASTIC, Seen::check_overlap);
claim!(data_elastic_grasp_lifts: ELASTIC, check_lifted);
claim!(data_elastic_grasp_gives_by_its_stiffness: ELASTIC, |s| check_turn(s, give(2e4)));
claim!(data_elastic_grasp_stays: ELASTIC, check_stays);

claim!(data_lugre_grasp_does_not_overlap: LUGRE, Seen::check_overlap);
claim!(data_lugre_grasp_lifts: LUGRE, check_lifted);
claim!(data_lugre_grasp_gives_by_its_stiffness: LUGRE, |s| check_turn(s, give(1e5)));
claim!(data_lugre_grasp_stays: LUGRE, check_stays);

claim!(data_weaker_grasp_does_not_overlap: WEAKER, Seen::check_overlap);
claim!(data_weaker_grasp_lifts: WEAKER, check_lifted);
claim!(data_weaker_grasp_gives_by_its_stiffness: WEAKER, |s| check_turn(s, give(2e4)));
claim!(data_weaker_grasp_stays: WEAKER, check_stays);

#[test]
fn gives_are_a_tenth_of_a_degree() {
    assert!((give(2e4) - 0.126).abs() < 5e-4 && (give(1e5) - 0.0253).abs() < 5e-5);
}
