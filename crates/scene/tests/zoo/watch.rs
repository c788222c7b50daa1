//! A scene stepped to its end, with all that its claims are about.

use std::path::PathBuf;
use std::time::Instant;

use asperity::World;
use asperity::body::BodyKind;
use asperity::geometry::collision::{Collision, Mobility};
use asperity::glamx::{DPose3, DVec3};
use asperity_scene::{self as scene, Assets, Scene};
use toml::{Table, Value};

/// Overlap that moving bodies may have, of the thinner one's smallest side.
pub(crate) const MOVING: f64 = 0.02;
/// Overlap that bodies at rest may have, of the thinner one's smallest side.
pub(crate) const RESTING: f64 = 1e-3;
/// Bodies that are slower rest, m/s.
pub(crate) const SLOW: f64 = 1e-3;
/// By how much energy may rise above any earlier one, of the largest one in the run.
pub(crate) const RISE: f64 = 1e-6;

/// The files beside a scene.
struct Folder(PathBuf);

impl Assets for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(name)).map_err(|e| e.to_string())
    }
}

/// The folder with the scenes, or nothing and a message.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let root = std::env::var_os("ASPERITY_DATA").map_or_else(beside, PathBuf::from);
    let zoo = root.join("zoo");
    if zoo.is_dir() {
        return Some(zoo);
    }
    eprintln!("skipped: {} is not there (ASPERITY_DATA names the data folder)", zoo.display());
    None
}

/// A scene's text and the scene, or why it was refused.
pub(crate) fn open(name: &str) -> Option<(String, Result<Scene, String>)> {
    let path = folder()?.join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let assets = Folder(path.parent().unwrap().to_owned());
    let scene = scene::load(&text, name, &assets).map_err(|e| e.to_string());
    Some((text, scene))
}

/// A body at the end of a step.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) pose: DPose3,
    pub(crate) velocity: DVec3,
    pub(crate) spin: DVec3,
}

impl State {
    /// How far the body's own y axis points up, from -1 to 1.
    pub(crate) fn upright(&self) -> f64 {
        (self.pose.rotation * DVec3::Y).y
    }

    pub(crate) fn is_finite(&self) -> bool {
        let p = self.pose;
        p.translation.is_finite()
            && p.rotation.is_finite()
            && self.velocity.is_finite()
            && self.spin.is_finite()
    }
}

/// The end of a step; the first one is the start.
pub(crate) struct Moment {
    pub(crate) time: f64,
    pub(crate) bodies: Vec<State>,
    /// Vertices of soft bodies.
    pub(crate) softs: Vec<Vec<DVec3>>,
    pub(crate) energy: f64,
    /// Largest overlap, of the thinner body's smallest side, and whose.
    pub(crate) overlap: (f64, String),
    /// Speed of the fastest body or vertex, m/s.
    pub(crate) fastest: f64,
    /// Pairs closer than a tenth of a millimetre.
    pub(crate) touching: Vec<[usize; 2]>,
}

/// What was seen of a scene.
pub(crate) struct Seen {
    pub(crate) name: String,
    pub(crate) names: Vec<String>,
    pub(crate) moments: Vec<Moment>,
    /// Triangles of soft bodies.
    pub(crate) triangles: Vec<Vec<[u32; 3]>>,
    /// Whether motors, drives, keyframes or moving pins do work.
    pub(crate) driven: bool,
    /// Milliseconds: mean of a step.
    pub(crate) step_ms: f64,
    /// Steps that missed the tolerance.
    pub(crate) unconverged: usize,
    /// Bodies that were stopped.
    pub(crate) frozen: Vec<String>,
}

/// Steps a scene of the zoo, for `seconds` where it would go on longer.
pub(crate) fn watch(name: &str, seconds: f64) -> Option<Seen> {
    watch_with(name, seconds, |_| {})
}

/// The same with a world that was changed before.
pub(crate) fn watch_with(name: &str, seconds: f64, change: impl Fn(&mut World)) -> Option<Seen> {
    let (text, scene) = open(name)?;
    let mut scene = scene.unwrap_or_else(|e| panic!("{name}: {e}"));
    change(&mut scene.world);
    Some(run(name, &text, scene, seconds))
}

/// Steps a scene and looks at it after every step.
pub(crate) fn run(name: &str, text: &str, mut scene: Scene, seconds: f64) -> Seen {
    let facts: Table = text.parse().expect("a TOML file");
    let world = &mut scene.world;
    let mut gauge = Gauge::new(world, &facts);
    let steps = (scene.duration.min(seconds) / world.settings.dt).round() as usize;
    let mut seen = Seen {
        name: name.to_owned(),
        names: world.bodies().iter().map(|b| b.name.clone()).collect(),
        moments: vec![gauge.look(world)],
        triangles: world.softs().iter().map(|s| s.body.triangles.clone()).collect(),
        driven: is_driven(&facts),
        step_ms: 0.0,
        unconverged: 0,
        frozen: Vec::new(),
    };
    gauge.forgive_start();
    let mut spent = 0.0;
    for _ in 0..steps {
        let start = Instant::now();
        world.step();
        spent += start.elapsed().as_secs_f64();
        seen.unconverged += usize::from(world.report().unconverged > 0);
        seen.moments.push(gauge.look(world));
    }
    seen.frozen =
        world.bodies().iter().filter(|b| b.frozen.is_some()).map(|b| b.name.clone()).collect();
    seen.step_ms = 1e3 * spent / steps.max(1) as f64;
    eprintln!("{}", seen.figures());
    seen
}

/// Entries of an array of tables.
fn entries<'a>(facts: &'a Table, key: &str) -> impl Iterator<Item = &'a Value> {
    facts.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn is_driven(facts: &Table) -> bool {
    let pins = |b: &Value| b.get("cloth").is_some_and(|c| c.get("pins").is_some());
    entries(facts, "drive").next().is_some()
        || entries(facts, "joint").any(|j| j.get("motor").is_some())
        || entries(facts, "body").any(|b| {
            let kind = b.get("kind").and_then(Value::as_str);
            b.get("keyframes").is_some() || kind == Some("kinematic") || pins(b)
        })
}

/// Measures a world by a search for contacts of its own.
struct Gauge {
    collision: Collision,
    /// Overlaps of the start, by pair.
    start: Vec<([usize; 2], f64)>,
    deep: Vec<([usize; 2], f64)>,
}

impl Gauge {
    fn new(world: &World, facts: &Table) -> Gauge {
        let mut collision = Collision::new();
        let group = |name: &str| {
            let of = |b: &&Value| b.get("name").and_then(Value::as_str) == Some(name);
            let body = entries(facts, "body").find(of);
            body.and_then(|b| b.get("group")).and_then(Value::as_integer).unwrap_or(0) as u32
        };
        for (k, body) in world.bodies().iter().enumerate() {
            if let Some(shape) = body.shape() {
                let mobility = match body.kind {
                    BodyKind::Dynamic => Mobility::Free,
                    BodyKind::Kinematic | BodyKind::Fixed => Mobility::Fixed,
                };
                collision.add(k, shape, mobility, group(&body.name)).expect("a shape");
            }
        }
        for joint in entries(facts, "joint") {
            let end = |key| joint.get(key).and_then(Value::as_str).and_then(|n| world.find(n));
            if let (Some(a), Some(b)) = (end("a"), end("b")) {
                collision.exclude(a.0, b.0);
            }
        }
        Gauge { collision, start: Vec::new(), deep: Vec::new() }
    }

    /// Overlaps of the start are not the fault of steps.
    fn forgive_start(&mut self) {
        self.start = self.deep.clone();
    }

    fn look(&mut self, world: &World) -> Moment {
        let bodies = world.bodies();
        let poses: Vec<DPose3> = bodies.iter().map(|b| b.pose).collect();
        // Nothing is kept from the step before.
        self.collision.update_kept(&poses, |_| 0.0, |_| 1e-4, |_| 0.0);
        self.deep.clear();
        let mut overlap = (0.0, String::new());
        let mut touching = Vec::new();
        for manifold in self.collision.manifolds() {
            let [a, b] = manifold.bodies;
            if [a, b].iter().all(|k| bodies[*k].kind != BodyKind::Dynamic) {
                continue;
            }
            touching.push([a, b]);
            let depth = manifold.points.iter().map(|p| -p.gap).fold(0.0, f64::max);
            self.deep.push(([a, b], depth));
            let started = self.start.iter().find(|(pair, _)| *pair == [a, b]).map_or(0.0, |s| s.1);
            let thin = self.collision.thickness(a).min(self.collision.thickness(b));
            let part = (depth - started).max(0.0) / thin;
            if part > overlap.0 {
                overlap = (part, format!("{} and {}", bodies[a].name, bodies[b].name));
            }
        }
        let moving = bodies.iter().filter(|b| b.kind == BodyKind::Dynamic);
        let speeds = moving.map(|b| b.linear_velocity.length());
        let vertices = world.softs().iter().flat_map(|s| &s.body.velocities).map(|v| v.length());
        Moment {
            time: world.time(),
            bodies: bodies
                .iter()
                .map(|b| State {
                    pose: b.pose,
                    velocity: b.linear_velocity,
                    spin: b.angular_velocity,
                })
                .collect(),
            softs: world.softs().iter().map(|s| s.body.positions.clone()).collect(),
            energy: world.energy().total(),
            overlap,
            fastest: speeds.chain(vertices).fold(0.0, f64::max),
            touching,
        }
    }
}

impl Seen {
    /// The number of a body.
    pub(crate) fn index(&self, body: &str) -> usize {
        self.names.iter().position(|n| n == body).unwrap_or_else(|| panic!("no body {body}"))
    }

    /// A body at every moment.
    pub(crate) fn path(&self, body: &str) -> impl Iterator<Item = &State> {
        let k = self.index(body);
        self.moments.iter().map(move |m| &m.bodies[k])
    }

    /// A body at the start.
    pub(crate) fn first(&self, body: &str) -> State {
        self.moments[0].bodies[self.index(body)]
    }

    /// A body at the end.
    pub(crate) fn last(&self, body: &str) -> State {
        self.end().bodies[self.index(body)]
    }

    /// The end of the run.
    pub(crate) fn end(&self) -> &Moment {
        self.moments.last().unwrap()
    }

    /// Deepest overlap of the run, beyond what the scene begins with.
    pub(crate) fn deepest(&self) -> (f64, &str, f64) {
        let steps = self.moments.iter().skip(1);
        let worst = steps.max_by(|a, b| a.overlap.0.total_cmp(&b.overlap.0)).unwrap();
        (worst.overlap.0, &worst.overlap.1, worst.time)
    }

    /// Deepest overlap in the last tenth of the run while nothing moves; nothing where it moves.
    pub(crate) fn deepest_at_rest(&self) -> Option<f64> {
        let last = self.moments.iter().skip(self.moments.len() * 9 / 10);
        last.filter(|m| m.fastest < SLOW).map(|m| m.overlap.0).max_by(f64::total_cmp)
    }

    /// Largest rise of energy above any earlier one, of the largest energy above the lowest; and when. Where bodies
    /// begin within each other, the steps that move them apart do not count.
    pub(crate) fn rise(&self) -> (f64, f64) {
        let energies = || self.moments.iter().map(|m| m.energy);
        let (low, high) =
            (energies().fold(f64::MAX, f64::min), energies().fold(f64::MIN, f64::max));
        let moved_apart = if self.moments[0].overlap.0 > MOVING { 5 } else { 0 };
        let (mut lowest, mut worst) = (f64::MAX, (0.0, 0.0));
        for moment in self.moments.iter().skip(moved_apart) {
            lowest = moment.energy.min(lowest);
            if moment.energy - lowest > worst.0 {
                worst = (moment.energy - lowest, moment.time);
            }
        }
        (worst.0 / (high - low).max(f64::MIN_POSITIVE), worst.1)
    }

    fn figures(&self) -> String {
        let (overlap, whose, when) = self.deepest();
        let (rise, at) = self.rise();
        let rest =
            self.deepest_at_rest().map_or("moves".to_owned(), |r| format!("{:.4} %", 100.0 * r));
        format!(
            "{}: overlap {:.3} % ({whose}, {when:.3} s), at rest {rest}; energy rise {rise:.1e} at {at:.3} s{}; \
             fastest at the end {:.1e} m/s; unconverged {} of {}; stopped {}; {:.2} ms a step",
            self.name,
            100.0 * overlap,
            if self.driven { " (driven)" } else { "" },
            self.end().fastest,
            self.unconverged,
            self.moments.len() - 1,
            self.frozen.len(),
            self.step_ms,
        )
    }

    /// Every number is finite and no body was stopped.
    pub(crate) fn check_finite(&self) {
        let bad = self.moments.iter().find(|m| !m.bodies.iter().all(State::is_finite));
        assert!(bad.is_none(), "{}: not finite at {} s", self.name, bad.unwrap().time);
        assert!(self.frozen.is_empty(), "{}: stopped {:?}", self.name, self.frozen);
    }

    /// Bodies overlap by no more than they may.
    pub(crate) fn check_overlap(&self) {
        self.check_finite();
        let (worst, whose, when) = self.deepest();
        assert!(
            worst <= MOVING,
            "{}: {whose} overlap by {:.2} % at {when:.3} s",
            self.name,
            100.0 * worst
        );
        if let Some(rest) = self.deepest_at_rest() {
            assert!(rest <= RESTING, "{}: {:.3} % at rest", self.name, 100.0 * rest);
        }
    }

    /// Energy does not rise where nothing does work.
    pub(crate) fn check_energy(&self) {
        assert!(!self.driven, "{}: something does work", self.name);
        let (rise, when) = self.rise();
        assert!(rise <= RISE, "{}: energy rises by {rise:.2e} at {when:.3} s", self.name);
    }

    /// All but one in a hundred steps reach the tolerance, as those of islands of up to 100 contacts must.
    pub(crate) fn check_solved(&self) {
        let steps = self.moments.len() - 1;
        let missed = self.unconverged;
        assert!(100 * missed <= steps, "{}: {missed} of {steps} steps are not solved", self.name);
    }

    /// Everything rests at the end.
    pub(crate) fn check_rest(&self) {
        let fastest = self.end().fastest;
        assert!(fastest < SLOW, "{}: {fastest:.2e} m/s at the end", self.name);
    }
}

/// A test of what was seen of a scene: `claim!(name: SEEN, check)`.
macro_rules! claim {
    ($(#[$attribute:meta])* $test:ident: $seen:ident, $check:expr) => {
        #[test]
        $(#[$attribute])*
        fn $test() {
            if let Some(seen) = &*$seen {
                ($check)(seen);
            }
        }
    };
}
pub(crate) use claim;

/// What is seen of a scene once, for several claims.
pub(crate) type Once = std::sync::LazyLock<Option<Seen>>;
