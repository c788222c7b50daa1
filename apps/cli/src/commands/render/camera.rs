//! From where a picture is seen.

use asperity::body::BodyKind;
use asperity::glamx::{DPose3, DQuat, DVec3, Vec3};
use asperity_gpu::picture::{Camera, Light, Shot};
use asperity_scene::Scene;

use super::film::Film;
use super::options::CameraWords;
use crate::error::CliError;

/// Where the camera stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Viewpoint {
    pub(super) eye: DVec3,
    pub(super) at: DVec3,
    pub(super) up: DVec3,
    /// From bottom to top, degrees.
    pub(super) fov: f64,
    /// Towards the sun; over the left shoulder where it is not said.
    pub(super) sun: Option<DVec3>,
}

/// Angle from bottom to top, degrees.
const FOV: f64 = 35.0;
/// Share of the picture's half that is filled.
const FILLED: f64 = 0.84;
/// How far the camera is raised above what it sees, and turned against the main motion, degrees.
const RAISED: f64 = 25.0;
const TURNED: f64 = 26.0;
/// Fixed bodies are shown whole unless the picture becomes larger by more than this.
const WIDER: f64 = 2.0;
/// Frames that are looked at.
const LOOKS: usize = 60;

impl Viewpoint {
    /// What the words say, else the scene's own view, else what shows everything that moves.
    pub(super) fn choose(
        scene: &Scene,
        film: &Film,
        words: &CameraWords,
        aspect: f64,
    ) -> Result<Viewpoint, CliError> {
        let fov = words.fov.or(scene.view.fov).unwrap_or(FOV);
        let subject = Subject::new(scene, film)?;
        let fitted = subject.fit(scene.up, fov, aspect);
        let at = words.at.or(scene.view.at);
        let eye = words.eye.or(scene.view.eye);
        let back = fitted.eye - fitted.at;
        let (eye, at) = match (eye, at) {
            (None, None) => (fitted.eye, fitted.at),
            (None, Some(at)) => (at + back, at),
            (Some(eye), at) => (eye, at.unwrap_or(fitted.at)),
        };
        if eye.distance(at) < 1e-9 * (1.0 + eye.length()) {
            return Err(CliError::Input("the camera stands where it looks".to_owned()));
        }
        let sun = words.sun.or(scene.view.sun);
        Ok(Viewpoint { eye, at, up: scene.up, fov, sun })
    }

    /// Half of what is seen from bottom to top, metres at the place it looks at.
    pub(super) fn half_height(&self) -> f64 {
        self.eye.distance(self.at) * (0.5 * self.fov).to_radians().tan()
    }

    /// A point as pictures have it: about the place the camera looks at, so that small numbers
    /// do.
    pub(super) fn near(&self, point: DVec3) -> Vec3 {
        (point - self.at).as_vec3()
    }

    /// An empty picture.
    pub(super) fn shot(&self, size: [u32; 2]) -> Shot {
        let distance = self.eye.distance(self.at) as f32;
        let to_eye = (self.eye - self.at).as_vec3();
        let up = self.up.as_vec3();
        let right = up.cross(to_eye).normalize_or(up.any_orthonormal_vector());
        let level = right.cross(up);
        let reach = 2.6 * self.half_height() as f32;
        let behind = -0.62 * right + 1.0 * up + 0.42 * level;
        Shot {
            camera: Camera {
                eye: to_eye,
                at: Vec3::ZERO,
                up,
                fov: (self.fov as f32).to_radians(),
                near: 0.02 * distance,
                far: 80.0 * distance,
            },
            light: Light {
                to_sun: self.sun.map_or(behind, DVec3::as_vec3),
                up,
                reach,
                ..Light::default()
            },
            ..Shot::new(size)
        }
    }
}

/// As `--camera` takes it.
impl std::fmt::Display for Viewpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let digits = (2.0 - self.half_height().log10().floor()).clamp(0.0, 9.0) as usize;
        let three = |v: DVec3| {
            v.to_array()
                .map(|x| {
                    let text = format!("{x:.digits$}");
                    let short = if text.contains('.') {
                        text.trim_end_matches('0').trim_end_matches('.')
                    } else {
                        &text
                    };
                    if short == "-0" { "0".to_owned() } else { short.to_owned() }
                })
                .join(",")
        };
        write!(f, "eye={} at={} fov={}", three(self.eye), three(self.at), self.fov)?;
        self.sun.map_or(Ok(()), |sun| write!(f, " sun={},{},{}", sun.x, sun.y, sun.z))
    }
}

/// What a picture should show.
#[derive(Debug)]
struct Subject {
    points: Vec<DVec3>,
    /// Where to it moves most, if anywhere.
    motion: DVec3,
}

impl Subject {
    fn new(scene: &Scene, film: &Film) -> Result<Subject, CliError> {
        let bodies = scene.world.bodies();
        let corners: Vec<Option<[DVec3; 8]>> =
            bodies.iter().map(corners).collect::<Result<_, _>>()?;
        let looks: Vec<usize> = spread(film.len(), LOOKS);
        let (mut points, mut motion) = (Vec::new(), DVec3::ZERO);
        for (k, body) in bodies.iter().enumerate() {
            let Some(corners) = &corners[k] else { continue };
            if body.kind == BodyKind::Fixed {
                continue;
            }
            for look in &looks {
                let pose = film.frame(*look)[k];
                points.extend(
                    corners.map(|c| pose.transform_point(c)).iter().filter(|p| p.is_finite()),
                );
            }
            let path = film.frame(film.len() - 1)[k].translation - film.frame(0)[k].translation;
            if path.is_finite() && path.length() > motion.length() {
                motion = path;
            }
        }
        for look in &looks {
            for soft in film.soft_frame(*look) {
                let finite = soft.iter().filter(|p| p.iter().all(|x| x.is_finite()));
                points.extend(finite.map(|p| DVec3::from(p.map(f64::from))));
            }
        }
        for joint in scene.world.joints().iter().filter(|j| j.a.is_none()) {
            points.push(joint.frame_a.translation);
        }
        let fixed = bodies.iter().zip(&corners).filter(|(b, _)| b.kind == BodyKind::Fixed);
        for (body, corners) in fixed {
            let Some(corners) = corners else { continue };
            let mut with = points.clone();
            with.extend(corners.map(|c| body.pose.transform_point(c)));
            if points.is_empty() || extent(&with) <= WIDER * extent(&points) {
                points = with;
            }
        }
        if points.is_empty() {
            points = corners_of(DVec3::splat(-0.5), DVec3::splat(0.5)).to_vec();
        }
        Ok(Subject { points, motion })
    }

    /// The nearest camera that sees all points.
    fn fit(&self, up: DVec3, fov: f64, aspect: f64) -> Viewpoint {
        let level = |v: DVec3| v - up * up.dot(v);
        let along = level(self.motion);
        let main = if along.length() > 0.2 * extent(&self.points) {
            along.normalize()
        } else {
            let guide = if up.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
            level(guide).normalize()
        };
        let right = DQuat::from_axis_angle(up, TURNED.to_radians()) * main;
        let (sin, cos) = RAISED.to_radians().sin_cos();
        let back = right.cross(up) * cos + up * sin;
        let above = back.cross(right);
        // A point is seen from e = (ex, ey, ez) in these axes if |x − ex| ≤ (ez − z) tan, and so
        // for y: two lower bounds of ez, and the middle of what is left for ex and ey.
        let tan_y = FILLED * (0.5 * fov).to_radians().tan();
        let tangents = [tan_y * aspect, tan_y];
        let middle = self.points.iter().sum::<DVec3>() / self.points.len() as f64;
        let mut eye = DVec3::ZERO;
        let mut nearest = f64::NEG_INFINITY;
        let mut depths = [f64::INFINITY, f64::NEG_INFINITY];
        let bounds = [(right, tangents[0]), (above, tangents[1])].map(|(axis, tan)| {
            let mut bound = [f64::INFINITY, f64::NEG_INFINITY];
            for p in &self.points {
                let (x, z) = (axis.dot(*p - middle), back.dot(*p - middle));
                bound = [bound[0].min(x - tan * z), bound[1].max(x + tan * z)];
                depths = [depths[0].min(z), depths[1].max(z)];
            }
            nearest = nearest.max((bound[1] - bound[0]) / (2.0 * tan));
            bound
        });
        let size = extent(&self.points).max(1e-3);
        let ez = nearest.max(depths[1] + 0.5 * size);
        for (axis, [low, high]) in [right, above].into_iter().zip(bounds) {
            eye += axis * (0.5 * (low + high));
        }
        // Where there is room to spare, what is seen goes to the middle of it.
        for _ in 0..8 {
            for axis in [right, above] {
                let seen = self.points.iter().map(|p| {
                    let away = *p - middle - eye;
                    axis.dot(away) / (ez - back.dot(*p - middle))
                });
                let (low, high) =
                    seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                eye += axis * (0.5 * (low + high) * (ez - 0.5 * (depths[0] + depths[1])));
            }
        }
        let at = middle + eye + back * (0.5 * (depths[0] + depths[1]));
        Viewpoint { eye: middle + eye + back * ez, at, up, fov, sun: None }
    }
}

/// Some numbers from 0 to `count` − 1, the first and the last among them.
fn spread(count: usize, most: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let mut all: Vec<usize> =
        (0..most.min(count)).map(|k| k * last / (most.min(count) - 1).max(1)).collect();
    all.dedup();
    all
}

/// The corners of a body's bounds, body axes; nothing for what has no shape or no end.
fn corners(body: &asperity::world::Body) -> Result<Option<[DVec3; 8]>, CliError> {
    let Some(shape) = body.shape().filter(|s| s.name() != "half-space") else { return Ok(None) };
    let built =
        shape.build().map_err(|e| CliError::Input(format!("body \"{}\": {e}", body.name)))?;
    let bounds = built.compute_local_aabb();
    Ok(Some(corners_of(bounds.mins, bounds.maxs)))
}

fn corners_of(low: DVec3, high: DVec3) -> [DVec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
        let pick = |bit: usize, k: usize| if i >> bit & 1 == 1 { high[k] } else { low[k] };
        DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2))
    })
}

/// Length of the diagonal around points.
fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
    if points.is_empty() { 0.0 } else { low.distance(high) }
}

/// A pose as a matrix of small numbers.
pub(super) fn matrix(viewpoint: &Viewpoint, pose: &DPose3) -> asperity::glamx::Mat4 {
    asperity::glamx::Mat4::from_rotation_translation(
        pose.rotation.as_quat(),
        viewpoint.near(pose.translation),
    )
}

#[cfg(test)]
mod tests {
    use asperity_scene::{NoAssets, load};

    use super::*;
    use crate::progress::simulate;
    use asperity_scene::run::Plan;

    fn filmed(text: &str) -> (Scene, Film) {
        let mut scene = load(text, "test.toml", &NoAssets).unwrap();
        let plan = Plan::new(&scene, None, 1).unwrap();
        let run = simulate(&mut scene, &plan);
        (scene, Film::from_recording(run.recording))
    }

    fn scene_with(up: &str, gravity: &str, at: &str, velocity: &str) -> String {
        format!(
            "version = 1\nworld = {{ up = \"{up}\", gravity = {gravity}, dt = 0.01, duration = 0.6 }}\n\
             pair.default = {{ section = {{ model = \"coulomb\", mu = 0.3 }} }}\n\
             body = [ {{ name = \"a\", shape = {{ box = [0.3, 0.2, 0.1] }}, at = {at}, velocity = {velocity} }},\n\
             {{ name = \"b\", shape = {{ sphere = 0.1 }}, at = [1, 1, 1] }} ]\n"
        )
    }

    #[test]
    fn the_camera_frames_all_that_moves_and_its_path() {
        for (up, gravity, at, velocity) in [
            ("y", "9.81", "[0, 0, 0]", "[3, 2, 0]"),
            ("z", "9.81", "[5, 0, 2]", "[0, -4, 0]"),
            ("x", "0", "[0, 100, 0]", "[0, 0, 0]"),
            ("y", "0", "[0, 0, 0]", "[0, 9, 0]"),
        ] {
            let (scene, film) = filmed(&scene_with(up, gravity, at, velocity));
            for aspect in [16.0 / 9.0, 1.0, 0.4] {
                let words = CameraWords::default();
                let view = Viewpoint::choose(&scene, &film, &words, aspect).unwrap();
                let shot = view.shot([(100.0 * aspect) as u32, 100]);
                let clip = shot.camera.clip_from_world(aspect as f32);
                let mut widest: f32 = 0.0;
                for frame in 0..film.len() {
                    for pose in film.frame(frame) {
                        let p = clip.project_point3(view.near(pose.translation));
                        let farthest = p.x.abs().max(p.y.abs());
                        assert!(farthest < 1.0 && p.z > 0.0 && p.z < 1.0, "{up} {p}");
                        widest = widest.max(farthest);
                    }
                }
                assert!(widest > 0.5, "{up}: the picture is empty but for {widest}");
            }
        }
    }

    #[test]
    fn main_motion_goes_to_the_right() {
        for velocity in ["[3, 0, 0]", "[-3, 0, 0]", "[0, 0, 3]", "[1, 0, -2]"] {
            let (scene, film) = filmed(&scene_with("y", "0", "[0, 0, 0]", velocity));
            let view = Viewpoint::choose(&scene, &film, &CameraWords::default(), 1.5).unwrap();
            let clip = view.shot([150, 100]).camera.clip_from_world(1.5);
            let x =
                |frame: usize| clip.project_point3(view.near(film.frame(frame)[0].translation)).x;
            assert!(x(film.len() - 1) > x(0), "{velocity}");
        }
    }

    #[test]
    fn a_camera_says_how_to_repeat_it() {
        let (scene, film) = filmed(&scene_with("y", "9.81", "[0, 0, 0]", "[3, 2, 0]"));
        let words = super::super::options::camera_words("eye=3,1,-2.5 at=0,0.25,0").unwrap();
        let view = Viewpoint::choose(&scene, &film, &words, 1.5).unwrap();
        assert_eq!(view.to_string(), "eye=3,1,-2.5 at=0,0.25,0 fov=35");
        let lit = Viewpoint { sun: Some(DVec3::new(0.0, 1.0, -0.5)), ..view };
        assert_eq!(lit.to_string(), "eye=3,1,-2.5 at=0,0.25,0 fov=35 sun=0,1,-0.5");
        assert_eq!(lit.shot([16, 16]).light.to_sun.to_array(), [0.0, 1.0, -0.5]);
    }

    #[test]
    fn moments_between_frames_are_interpolated() {
        let (_, film) = filmed(&scene_with("y", "0", "[0, 0, 0]", "[3, 0, 0]"));
        for time in [0.0, 0.1, 0.123, 0.5999, 0.6] {
            let moment = film.moment(time);
            assert!((moment.poses[0].translation.x - 3.0 * time).abs() < 1e-9, "{time}");
        }
        assert_eq!(film.end(), 0.6);
    }
}
