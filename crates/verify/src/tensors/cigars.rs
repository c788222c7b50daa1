//! Soft balls on lanes of growing anisotropy: how long they become, and along what (Pabst 2009, Fig. 7).

use asperity::deform::SoftBody;
use asperity::glamx::{DMat3, DSymmetricEigen3, DVec3};
use asperity_scene::Scene;

use crate::Check;

/// The balls, by growing anisotropy. Each rolls on a body called `lane_` and its name.
const BALLS: [&str; 3] = ["same", "some", "much"];

/// Length over width in the plane of the lane, by principal axes, and the direction of the longer one. Anisotropy
/// makes both grow; where friction is the same all ways the ball stays round.
pub(super) fn cigars(scene: &Scene) -> Vec<Check> {
    let shapes = BALLS.map(|ball| shape(scene, ball));
    let list = |of: fn(&Shape) -> f64| shapes.each_ref().map(|s| format!("{:.3}", of(s))).join(" ");
    let grow =
        |of: fn(&Shape) -> f64| of(&shapes[0]) < of(&shapes[1]) && of(&shapes[1]) < of(&shapes[2]);
    let round = shapes[0].elongation < ROUND;
    let long = shapes[2].elongation > LONG;
    vec![
        Check {
            what: "spheres: length over width in the plane of the lane, by growing anisotropy"
                .to_owned(),
            expected: "grows (Fig. 7)".to_owned(),
            found: list(|s| s.elongation),
            allowed: format!("< {ROUND} where isotropic, > {LONG} at the end"),
            holds: round && long && grow(|s| s.elongation),
        },
        Check {
            what: "spheres: longest axis over the next, in space".to_owned(),
            expected: "grows: cigars, not discs".to_owned(),
            found: list(|s| s.slenderness),
            allowed: String::new(),
            holds: grow(|s| s.slenderness),
        },
        Check {
            what: "spheres: degrees off the line of fall".to_owned(),
            expected: "grows (Fig. 7)".to_owned(),
            found: list(|s| s.heading),
            allowed: "< 0.5 where isotropic".to_owned(),
            holds: shapes[0].heading < 0.5 && grow(|s| s.heading),
        },
    ]
}

/// Length over width of a ball that counts as round, and of one that counts as long.
const ROUND: f64 = 1.05;
const LONG: f64 = 1.25;

struct Shape {
    /// Length over width within the lane's plane.
    elongation: f64,
    /// The longest over the second longest axis in space.
    slenderness: f64,
    /// Angle between the way of the centre of mass and the line of fall, degrees.
    heading: f64,
}

fn shape(scene: &Scene, ball: &str) -> Shape {
    let nothing = Shape { elongation: f64::NAN, slenderness: f64::NAN, heading: f64::NAN };
    let lane = scene.world.bodies().iter().find(|b| b.name == format!("lane_{ball}"));
    let soft = scene.world.softs().iter().find(|s| s.name == ball);
    let (Some(lane), Some(soft)) = (lane, soft) else { return nothing };
    let (down, across) = (lane.pose.rotation * DVec3::X, lane.pose.rotation * DVec3::Z);
    let (centre, moment) = moments(&soft.body);
    let way = centre - soft.start;
    let entry = |a: DVec3, b: DVec3| a.dot(moment * b);
    let (xx, xz, zz) = (entry(down, down), entry(down, across), entry(across, across));
    let (mean, half) = (0.5 * (xx + zz), (0.25 * (xx - zz).powi(2) + xz * xz).sqrt());
    let mut axes = DSymmetricEigen3::new(moment).eigenvalues.to_array();
    axes.sort_by(f64::total_cmp);
    Shape {
        elongation: ((mean + half) / (mean - half)).sqrt(),
        slenderness: (axes[2] / axes[1]).sqrt(),
        heading: way.dot(across).abs().atan2(way.dot(down)).to_degrees(),
    }
}

/// The centre of mass, and the second moment of mass about it, per mass.
fn moments(body: &SoftBody) -> (DVec3, DMat3) {
    let vertices = || body.positions.iter().zip(&body.masses);
    let mass: f64 = body.masses.iter().sum();
    let centre = vertices().map(|(x, m)| *x * *m).sum::<DVec3>() / mass;
    let mut moment = DMat3::ZERO;
    for (x, m) in vertices() {
        let (d, part) = (*x - centre, m / mass);
        moment += DMat3::from_cols(d * (d.x * part), d * (d.y * part), d * (d.z * part));
    }
    (centre, moment)
}
