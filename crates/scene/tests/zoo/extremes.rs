//! Bodies that are large, heavy, tiny or fast: what is at rest stays, walls hold, energy does not grow.

use std::sync::mpsc;
use std::time::Duration;

use crate::watch::{Once, Seen, State, claim, open, watch};

static CONFLICT: Once = Once::new(|| watch("extremes/joint_conflict", f64::MAX));
static BULLET: Once = Once::new(|| watch("extremes/bullet_wall", f64::MAX));
static FAST: Once = Once::new(|| watch("extremes/speed1e15", f64::MAX));

/// How far a body at rest may go, of its size.
const STILL: f64 = 1e-3;

/// Bodies of a size stay where they are and as they are, for as long as the scene says.
fn check_still(name: &str, size: f64) {
    let Some(seen) = watch(name, f64::MAX) else { return };
    seen.check_finite();
    for (k, body) in seen.names.iter().enumerate().skip(1) {
        let first = seen.moments[0].bodies[k];
        let way = |m: &crate::watch::Moment| {
            let pose = m.bodies[k].pose;
            let turn = pose.rotation.angle_between(first.pose.rotation);
            ((pose.translation - first.pose.translation).length() / size).max(turn)
        };
        let most = seen.moments.iter().map(way).fold(0.0, f64::max);
        eprintln!("{name}: {body} moves by {most:.2e} of its size");
        assert!(most < STILL, "{name}: {body} moves by {most:.2e} of its size");
    }
    seen.check_overlap();
}

#[test]
fn data_cube_of_100_m_stays() {
    check_still("extremes/big100", 100.0);
}

#[test]
fn data_two_cubes_of_200_m_stay() {
    check_still("extremes/bigstack200", 200.0);
}

#[test]
fn data_cube_of_1000_m_stays() {
    check_still("extremes/size_1000", 1000.0);
}

#[test]
fn data_cube_of_10_micrometres_stays() {
    check_still("extremes/size_1e-5", 1e-5);
}

#[test]
fn data_cube_of_a_million_tonnes_stays() {
    check_still("extremes/mass_1e9", 1.0);
}

#[test]
fn data_thousand_tonnes_on_a_kilogram_stay() {
    check_still("extremes/mass_ratio_1e6", 1.0);
}

/// Under boundless friction the base of a moving cube sticks: the cube rocks about its front edge, by less than
/// v²·3/16/g of height, and falls back to where it was.
fn check_rocks(name: &str) {
    let Some(seen) = watch(name, f64::MAX) else { return };
    seen.check_overlap();
    seen.check_energy();
    let highest = seen.path("b").map(|s| s.pose.translation.y - 0.5).fold(0.0, f64::max);
    let last = seen.last("b");
    eprintln!("{name}: rises by {highest:.4} m, ends at {}", last.pose.translation);
    assert!(highest < 3.0 / 16.0 / 9.81 * 1.05, "{name}: rises by {highest:.4} m");
    assert!(last.pose.translation.x.abs() < 0.01, "{name}: ends at {}", last.pose.translation);
    assert!(last.upright() > 0.9999, "{name}: leans");
    seen.check_rest();
}

#[test]
fn data_friction_of_1e7_stops_a_cube() {
    check_rocks("extremes/mu_1e7");
}

#[test]
fn data_friction_of_1e9_stops_a_cube() {
    check_rocks("extremes/mu_1e9");
}

/// The cube ends on its side of the wall and never was beyond its face.
fn check_wall(seen: &Seen) {
    seen.check_finite();
    let farthest = seen.path("b").map(|s| s.pose.translation.x).fold(f64::MIN, f64::max);
    eprintln!("bullet_wall: farthest {farthest:.6} m");
    // Face of the wall at -5 mm, half the cube 50 mm; 2 % of the wall is 0.2 mm.
    assert!(farthest < -0.055 + 0.0002, "it was at {farthest:.4} m");
}

/// Distances that contradict each other: the bodies stay between both, about where they were, and come down.
fn check_conflict(seen: &Seen) {
    seen.check_finite();
    for (k, (a, b)) in seen.path("a").zip(seen.path("b")).enumerate() {
        let [a, b] = [a.pose.translation, b.pose.translation];
        let (apart, middle) = (a.distance(b), 0.5 * (a.x + b.x));
        let time = seen.moments[k].time;
        assert!((0.99..3.01).contains(&apart), "{apart:.3} m apart at {time:.2} s");
        assert!((middle - 1.0).abs() < 0.05, "the middle is at {middle:.3} m at {time:.2} s");
        assert!(a.y > 0.48 && b.y > 0.48, "below the ground at {time:.2} s: {a} {b}");
    }
    assert!(seen.last("a").pose.translation.y < 1.0, "it does not come down");
}

/// What goes at 1e15 m/s leaves what numbers can tell in the first step: it is stopped, by name.
fn check_fast(seen: &Seen) {
    assert_eq!(seen.frozen.len(), 1, "{:?}", seen.frozen);
    assert!(seen.path("b").all(State::is_finite));
}

/// A thousand cubes in one place are refused: half a million pairs would touch.
#[test]
fn data_cubes_in_one_place_are_refused() {
    let Some((_, scene)) = open("extremes/coincident1000") else { return };
    let message = scene.map(|_| ()).expect_err("it is refused");
    assert!(message.contains("one place"), "{message}");
}

claim!(data_bullet_does_not_pass_a_wall: BULLET, check_wall);
claim!(data_bullet_does_not_overlap_a_wall: BULLET, Seen::check_overlap);
claim!(data_bullet_never_gains_energy: BULLET, Seen::check_energy);
claim!(data_joints_in_conflict_stay_between: CONFLICT, check_conflict);
claim!(data_joints_in_conflict_never_gain_energy: CONFLICT, Seen::check_energy);
claim!(data_cube_at_1e15_is_stopped: FAST, check_fast);

/// What `what` answers, or a failure after some seconds.
fn within<T: Send + 'static>(seconds: u64, what: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(what()));
    receiver.recv_timeout(Duration::from_secs(seconds)).expect("an answer in time")
}

#[test]
fn data_mesh_of_1e29_m_is_refused_or_stays_finite() {
    let Some((_, scene)) = open("extremes/mesh_huge") else { return };
    match scene {
        Err(message) => eprintln!("extremes/mesh_huge: {message}"),
        Ok(_) => watch("extremes/mesh_huge", f64::MAX).unwrap().check_finite(),
    }
}

#[test]
fn data_mesh_file_with_absurd_counts_is_refused() {
    let refused = within(20, || open("inputs/msh_hang2").map(|(_, scene)| scene.err()));
    if let Some(refused) = refused {
        eprintln!("inputs/msh_hang2: {}", refused.expect("it is refused"));
    }
}
