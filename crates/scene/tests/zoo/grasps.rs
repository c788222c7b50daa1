//! A firm grasp of a bar, off its centre, holds; bristles give by what their stiffness says.

use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets};

use crate::watch::{Once, Seen, claim, open, run, watch, watch_with};

static RIGID: Once = Once::new(|| watch("gripper_nomem12", f64::MAX));
static ELASTIC: Once = Once::new(|| watch("gripper_mu12", f64::MAX));
static LUGRE: Once = Once::new(|| watch("gripper_mu12lugre", f64::MAX));
static WEAKER: Once = Once::new(|| watch("gripper", f64::MAX));
static WEAKER_UNDAMPED: Once =
    Once::new(|| changed("gripper", &[("sigma0 = 2e4", "sigma0 = 2e4, sigma1 = 0")]));
static WEAKER_RIGID: Once = Once::new(|| changed("gripper_nomem12", &[("mu = 1.2", "mu = 0.8")]));
static WEAKER_LIFTED_SLOWLY: Once = Once::new(|| changed("gripper", &[(LIFT, SLOW_LIFT)]));
/// At a quarter of its step: at 5 ms it is 3 to 10 % less, by when the fingers close within a step.
static FINE_LUGRE: Once =
    Once::new(|| watch_with("gripper_mu12lugre", f64::MAX, |w| w.settings.dt *= 0.25));
static FIRM_LUGRE: Once = Once::new(|| {
    changed("gripper_mu12lugre", &[("mu = 1.2", "mu = 12"), ("dt = 0.005", "dt = 0.00125")])
});
static FIRMEST_LUGRE: Once =
    Once::new(|| changed("gripper_mu12lugre", &[("mu = 1.2", "mu = 120")]));

/// The palm sets out with 0.13 m/s, which its motor reaches with up to 4.7 m/s².
const LIFT: &str = "[2.5, 0.2], [4, 0.2]";
/// With a hundredth of that.
const SLOW_LIFT: &str = "[2.5, 0.002], [4, 0.002]";

/// A scene of the zoo with words replaced, stepped to its end.
fn changed(name: &str, words: &[(&str, &str)]) -> Option<Seen> {
    let (mut text, _) = open(name)?;
    for (from, to) in words {
        assert!(text.contains(from), "{name}: {from}");
        text = text.replace(from, to);
    }
    let scene = scene::load(&text, name, &NoAssets).unwrap_or_else(|e| panic!("{name}: {e}"));
    Some(run(name, &text, scene, f64::MAX))
}

/// Force of a finger, N.
const SQUEEZE: f64 = 30.0;
/// Mass of the bar, kg, and how far its middle is from the fingers, metres.
const BAR: f64 = 7800.0 * 0.04 * 0.2 * 0.03;
const LEVER: f64 = 0.03;

/// Turn of the bar about the axis of the fingers by bristles of a stiffness (1/m), degrees:
/// τ/(2 σ₀ N ⟨ρ²⟩), with the weight's torque τ and the mean square distance of the pads' area from its middle.
fn give(stiffness: f64) -> f64 {
    let torque = BAR * 9.81 * LEVER;
    let square = (0.04_f64.powi(2) + 0.03_f64.powi(2)) / 12.0;
    (torque / (2.0 * stiffness * SQUEEZE * square)).to_degrees()
}

/// Turn of the bar by LuGre's bristles with σ₀ = 1e5 1/m and σ₁ = 800 s/m all over both pads, degrees:
/// the textbook's ż = v − σ₀|v|z/μ in every cell, under the bar, the palm with its motor and the stand.
/// They creep from the start, at x = −(μ/σ₀) ln(1 − f/μ) for one bristle that is loaded slowly, and further
/// while the palm speeds up: this is more than their stiffness alone lets them give.
fn lugre_turn(mu: f64) -> f64 {
    const CELLS: [usize; 2] = [16, 12];
    let (sigma0, sigma1, h) = (1e5, 800.0, 1e-5);
    let (palm, inertia) = (0.7, BAR * (0.2_f64.powi(2) + 0.03_f64.powi(2)) / 12.0);
    let share = 2.0 * SQUEEZE / (CELLS[0] * CELLS[1]) as f64;
    let mut bent = vec![[0.0_f64; 2]; CELLS[0] * CELLS[1]];
    // Height and speed of the palm and of the bar; turn, positive where the heavy end hangs.
    let (mut x, mut v) = (-palm * 9.81 / 20000.0, 0.0_f64);
    let [mut y, mut w, mut turn, mut spin] = [0.0_f64; 4];
    for step in 0..300_000 {
        let lifted = (f64::from(step) * h).clamp(0.0, 1.5) * 0.2 / 1.5;
        let motor = 20000.0 * (lifted - x) - 400.0 * v;
        let (mut force, mut torque) = (0.0, 0.0);
        for (k, z) in bent.iter_mut().enumerate() {
            let cell = [k % CELLS[0], k / CELLS[0]];
            let place =
                |i: usize, side: f64| ((cell[i] as f64 + 0.5) / CELLS[i] as f64 - 0.5) * side;
            let (arm, above) = (place(0, 0.04) - LEVER, place(1, 0.03));
            let slip = [spin * above, w - spin * arm - v];
            let wear = sigma0 * slip[0].hypot(slip[1]) / mu;
            let [along, up] = [0, 1].map(|i| {
                let rate = slip[i] - wear * z[i];
                let pull = -share * (sigma0 * z[i] + sigma1 * rate);
                z[i] += h * rate;
                pull
            });
            force += up;
            torque += along * above - up * arm;
        }
        let (mut held, mut turned) = (0.0, 0.0);
        for end in [-0.1, 0.1] {
            let (gap, speed) = (y - turn * end, w - spin * end);
            let push = if gap < 0.0 { (-1e7 * gap - 3e3 * speed).max(0.0) } else { 0.0 };
            (held, turned) = (held + push, turned - push * end);
        }
        v += h * ((motor - force) / palm - 9.81);
        w += h * ((force + held) / BAR - 9.81);
        spin += h * (torque + turned) / inertia;
        (x, y, turn) = (x + h * v, y + h * w, turn + h * spin);
    }
    turn.to_degrees()
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
    check_turn_within(seen, expected, 0.05);
}

fn check_turn_within(seen: &Seen, expected: f64, part: f64) {
    let turns = turns(seen);
    let end = *turns.last().unwrap();
    eprintln!("{}: turns by {end:.4}°, expected {expected:.4}°", seen.name);
    assert!((end / expected - 1.0).abs() < part, "{}: {end:.4}°, not {expected:.4}°", seen.name);
    check_stays(seen);
}

/// Damping holds what slips for a moment only: until they slide, bristles take up to σ₁ z_max N = σ₁ μN/σ₀ of impulse,
/// 0.96 N s with σ₁ = 800 s/m, where the palm asks 0.19 N s too much of the pads in the 28 ms in which it speeds up.
fn check_damped(seen: &Seen) {
    check_turn_within(seen, give(2e4), 0.15);
    check_held(seen);
}

/// A weaker grasp slips while it is lifted, undamped bristles or none, and holds when the palm no longer speeds up. The
/// weight's torque is 0.276 N m for each pad, and 0.41 N m while the palm speeds up with 4.7 m/s²; a pad holds
/// μN⟨ρ⟩ = 0.32 N m at most. By how much it slips, nobody can say: the four loads of a rigid pad are not unique,
/// and a change of the bar's speed by 1e-15 m/s before it is lifted makes 14° of 7.
fn check_slips(seen: &Seen) {
    let Some(rigid) = &*WEAKER_RIGID else { return };
    for seen in [seen, rigid] {
        let turn = *turns(seen).last().unwrap();
        assert!((1.0..30.0).contains(&turn), "{}: {turn:.4}°", seen.name);
        check_stays(seen);
        check_held(seen);
    }
}

/// The bar is lifted by 0.2 m, less two centimetres at most: it is held off its centre, which sinks as it turns.
fn check_held(seen: &Seen) {
    let rise = seen.last("bar").pose.translation.z - seen.first("bar").pose.translation.z;
    assert!(rise > 0.18, "{}: lifted by {rise:.4} m", seen.name);
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
// Three bristles for a whole pad lag behind those all over it near the limit: its edges creep first.
claim!(data_lugre_grasp_creeps_as_bristles_do: FINE_LUGRE, |s| check_turn_within(s, lugre_turn(1.2), 0.2));
claim!(data_firm_lugre_grasp_creeps_as_bristles_do: FIRM_LUGRE, |s| check_turn(s, lugre_turn(12.0)));
claim!(data_firmest_lugre_grasp_gives_by_its_stiffness: FIRMEST_LUGRE, |s| check_turn(s, give(1e5)));
claim!(data_lugre_grasp_stays: LUGRE, check_stays);

claim!(data_weaker_grasp_does_not_overlap: WEAKER, Seen::check_overlap);
claim!(data_weaker_grasp_slips_as_without_bristles: WEAKER_UNDAMPED, check_slips);
claim!(data_weaker_grasp_is_held_by_its_damping: WEAKER, check_damped);
claim!(data_weaker_grasp_gives_by_its_stiffness_when_lifted_slowly: WEAKER_LIFTED_SLOWLY,
    |s| check_turn(s, give(2e4)));
claim!(data_weaker_grasp_stays: WEAKER, check_stays);

#[test]
fn gives_are_a_tenth_of_a_degree() {
    assert!((give(2e4) - 0.126).abs() < 5e-4 && (give(1e5) - 0.0253).abs() < 5e-5);
}
