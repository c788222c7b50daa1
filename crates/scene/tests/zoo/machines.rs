//! A ragdoll, a buggy, a chain of events, a conveyor, and meshes: as their titles say.

use asperity::glamx::DVec3;

use crate::watch::{Once, Seen, State, claim, watch};

static RAGDOLL: Once = Once::new(|| watch("ragdoll", f64::MAX));
static VEHICLE: Once = Once::new(|| watch("vehicle", f64::MAX));
static RUBE: Once = Once::new(|| watch("rube", f64::MAX));
static CONVEYOR: Once = Once::new(|| watch("conveyor", f64::MAX));
static SLOPE: Once = Once::new(|| watch("mesh_slide", f64::MAX));
static TORI: Once = Once::new(|| watch("mesh_mesh_points", f64::MAX));

const GRAVITY: f64 = 9.81;

/// Joints of the ragdoll: two bodies and where they meet at the start.
const LIMBS: [(&str, &str, [f64; 3]); 7] = [
    ("torso", "head", [-0.8, 2.02, 0.0]),
    ("torso", "thigh_l", [-0.8, 1.47, 0.1]),
    ("torso", "thigh_r", [-0.8, 1.47, -0.1]),
    ("thigh_l", "shin_l", [-0.8, 1.06, 0.1]),
    ("thigh_r", "shin_r", [-0.8, 1.06, -0.1]),
    ("torso", "arm_l", [-0.8, 1.95, 0.22]),
    ("torso", "arm_r", [-0.8, 1.95, -0.22]),
];

/// Limbs stay in their joints, to a millimetre.
fn check_limbs(seen: &Seen) {
    seen.check_finite();
    let mut worst = (0.0, "");
    for (a, b, at) in LIMBS {
        let at = DVec3::from_array(at);
        let local = |s: State| s.pose.rotation.inverse() * (at - s.pose.translation);
        let [on_a, on_b] = [local(seen.first(a)), local(seen.first(b))];
        for (a, b2) in seen.path(a).zip(seen.path(b)) {
            let place = |s: &State, p: DVec3| s.pose.translation + s.pose.rotation * p;
            let gap = place(a, on_a).distance(place(b2, on_b));
            worst = if gap > worst.0 { (gap, b) } else { worst };
        }
    }
    eprintln!("ragdoll: joints open by {:.2e} m ({})", worst.0, worst.1);
    assert!(worst.0 < 1e-3, "{} is off by {:.2e} m", worst.1, worst.0);
}

/// Knees bend one way only, by at most 120°, to a degree.
fn check_knees(seen: &Seen) {
    for (thigh, shin) in [("thigh_l", "shin_l"), ("thigh_r", "shin_r")] {
        for (a, b) in seen.path(thigh).zip(seen.path(shin)) {
            let turn = a.pose.rotation.inverse() * b.pose.rotation;
            let along = turn * DVec3::Y;
            let angle = (-along.x).atan2(along.y).to_degrees();
            assert!((-121.0..1.0).contains(&angle), "{shin} is bent by {angle:.2}°");
        }
    }
}

/// It ends lower than it began, above the ground, and slow.
fn check_falls(seen: &Seen) {
    let torso = seen.last("torso").pose.translation;
    assert!(torso.y < 1.2 && torso.y > 0.05, "torso at {torso}");
    assert!(seen.end().fastest < 1.0, "{} m/s at the end", seen.end().fastest);
}

/// The buggy goes forwards at the speed of its wheels' rims, 12 rad/s times 0.15 m, on its wheels.
fn check_drives(seen: &Seen) {
    seen.check_finite();
    let (first, last) = (seen.first("chassis"), seen.last("chassis"));
    let way = last.pose.translation - first.pose.translation;
    let speed = last.velocity.dot(last.pose.rotation * DVec3::X);
    eprintln!("vehicle: {speed:.4} m/s, way {way}");
    assert!((speed / 1.8 - 1.0).abs() < 0.05, "{speed:.3} m/s forwards");
    assert!(way.x > 1.0 && way.length() < 9.0, "it went by {way}");
    assert!(way.y.abs() < 0.01 && last.upright() > 0.999, "it sank by {:.4} m", -way.y);
}

/// The ball pushes both doors open, rolls off the ramp at 2 m/s, lands on the plank before its pivot and pushes the
/// cube off. (The file wants the cube to fly higher than half a metre; a ball that leaves the ramp's end, 0.7 m
/// before the pivot and 0.6 m above the plank, at that speed comes down 0.7 m further, next to the pivot.)
fn check_pushes(seen: &Seen) {
    seen.check_finite();
    let off_ramp = seen.path("ball").find(|s| s.pose.translation.x > -0.675).unwrap();
    let speed = off_ramp.velocity.length();
    assert!((1.8..2.4).contains(&speed), "the ball leaves the ramp at {speed:.3} m/s");
    let lands = seen.path("ball").find(|s| s.pose.translation.y < 0.35).unwrap();
    assert!(lands.pose.translation.x.abs() < 0.2, "it lands at {}", lands.pose.translation);
    let way = seen.last("cube").pose.translation.x - seen.first("cube").pose.translation.x;
    assert!(way > 0.5, "the cube goes {way:.3} m");
}

/// The parcel is dragged by μ g until it has the belt's speed: at the end it is behind by v²/(2 μ g).
fn check_carries(seen: &Seen) {
    seen.check_finite();
    let (mu, belt) = (0.6, 0.5);
    let early = seen.path("parcel").nth(8).unwrap().velocity.x;
    assert!((early - mu * GRAVITY * 0.04).abs() < 0.005, "{early:.4} m/s after 0.04 s");
    let (first, last) = (seen.first("parcel"), seen.last("parcel"));
    let way = last.pose.translation.x - first.pose.translation.x;
    let expected = 3.0 * belt - belt * belt / (2.0 * mu * GRAVITY);
    eprintln!("conveyor: {:.5} m/s, way {way:.5} m, expected {expected:.5} m", last.velocity.x);
    assert!((last.velocity.x - belt).abs() < 1e-3, "{:.5} m/s", last.velocity.x);
    assert!((way - expected).abs() < 3e-3, "{way:.5} m, expected {expected:.5} m");
}

/// Tori go down the slope of 20°, and not faster than without friction.
fn check_slides(seen: &Seen) {
    seen.check_finite();
    let down = DVec3::new(20_f64.to_radians().cos(), -20_f64.to_radians().sin(), 0.0);
    let free = 0.5 * GRAVITY * 20_f64.to_radians().sin() * seen.end().time.powi(2);
    for name in ["flat", "upright"] {
        let way = seen.last(name).pose.translation - seen.first(name).pose.translation;
        eprintln!("mesh_slide: {name} goes {:.3} m down, free {free:.3} m", way.dot(down));
        assert!((0.3..free).contains(&way.dot(down)), "{name} went {way}");
    }
    // Upright it rolls: g sin 20°/(1 + I/(m R²)), I of a torus about its axis m (c² + 3/4 a²).
    let [ring, tube] = [0.15_f64, 0.06];
    let gyration = (ring * ring + 0.75 * tube * tube) / (ring + tube).powi(2);
    let early = seen.moments.iter().position(|m| m.time > 0.6).unwrap();
    let state = seen.path("upright").nth(early).unwrap();
    let speed = state.velocity.dot(down);
    let roll = GRAVITY * 20_f64.to_radians().sin() / (1.0 + gyration) * seen.moments[early].time;
    eprintln!("mesh_slide: the wheel rolls at {speed:.4} m/s, expected about {roll:.4} m/s");
    assert!((speed / roll - 1.0).abs() < 0.2, "{speed:.3} m/s, expected {roll:.3} m/s");
}

/// Tori end on the ground, near each other.
fn check_tori(seen: &Seen) {
    seen.check_finite();
    for name in ["one", "two", "three"] {
        let p = seen.last(name).pose.translation;
        assert!(p.y > 0.05 && p.y < 0.6 && p.length() < 1.5, "{name} is at {p}");
    }
    assert!(seen.end().fastest < 1.0, "{} m/s at the end", seen.end().fastest);
}

claim!(data_ragdoll_does_not_overlap: RAGDOLL, Seen::check_overlap);
claim!(data_ragdoll_never_gains_energy: RAGDOLL, Seen::check_energy);
claim!(data_ragdoll_keeps_its_limbs: RAGDOLL, check_limbs);
claim!(data_ragdoll_bends_its_knees_one_way: RAGDOLL, check_knees);
claim!(data_ragdoll_falls_down_the_stairs: RAGDOLL, check_falls);

claim!(data_buggy_does_not_overlap: VEHICLE, Seen::check_overlap);
claim!(data_buggy_is_solved: VEHICLE, Seen::check_solved);
claim!(data_buggy_drives_at_the_speed_of_its_rims: VEHICLE, check_drives);

claim!(data_chain_of_events_does_not_overlap: RUBE, Seen::check_overlap);
claim!(data_chain_of_events_never_gains_energy: RUBE, Seen::check_energy);
claim!(data_ball_pushes_the_cube: RUBE, check_pushes);

claim!(data_parcel_does_not_overlap: CONVEYOR, Seen::check_overlap);
claim!(data_parcel_is_carried: CONVEYOR, check_carries);

claim!(data_tori_on_a_slope_do_not_overlap: SLOPE, Seen::check_overlap);
claim!(data_tori_on_a_slope_never_gain_energy: SLOPE, Seen::check_energy);
claim!(data_tori_go_down_a_slope: SLOPE, check_slides);

claim!(data_tori_on_each_other_do_not_overlap: TORI, Seen::check_overlap);
claim!(data_tori_on_each_other_never_gain_energy: TORI, Seen::check_energy);
claim!(data_tori_land: TORI, check_tori);
