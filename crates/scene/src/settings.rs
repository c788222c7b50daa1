//! `world`: how a scene is stepped.

use glamx::{DQuat, DVec3};

use super::patch::{self, ContactKind};
use super::reader::Fields;
use super::spec::Range;
use asperity::settings::Cones;
use asperity::soft::SoftContacts;
use asperity::world::{Method, Settings};

/// What `world` says.
#[derive(Debug)]
pub(crate) struct WorldTable {
    pub(crate) settings: Settings,
    /// Seconds.
    pub(crate) duration: f64,
    /// Unit vector against gravity, by name.
    pub(crate) up: DVec3,
    /// How bodies touch, and where in the text that is.
    pub(crate) contact: Option<(ContactKind, usize)>,
    /// Where in the text the solver's method is.
    pub(crate) method_at: Option<usize>,
    /// How soft bodies touch rigid ones.
    pub(crate) soft: SoftContacts,
}

/// Axes that may point up.
pub(crate) const UPS: [(&str, DVec3); 3] = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];

/// Where bodies are when friction is asked for its law.
pub(crate) const CONES: [(&str, Cones); 2] = [("half_way", Cones::HalfWay), ("end", Cones::End)];

/// How soft bodies touch.
pub(crate) const SOFT_CONTACTS: [(&str, SoftContacts); 5] = [
    ("auto", SoftContacts::Auto),
    ("implicit", SoftContacts::Implicit),
    ("filter", SoftContacts::Filter),
    ("filter_as_printed", SoftContacts::FilterAsPrinted),
    ("solver", SoftContacts::Solver),
];

/// Residuals up to which a scene that asks for one is given as many sweeps as it takes.
const ASKED_FOR: f64 = 1e-4;

/// How long a scene runs unless it says so, seconds.
const DURATION: f64 = 5.0;
/// Steps at most; more is taken for a mistake.
const MOST_STEPS: f64 = 1e9;

/// Reads `world`.
pub(crate) fn read(scene: &Fields) -> WorldTable {
    let mut settings = Settings::default();
    let Some(world) = scene.table_called("world", "[world]") else {
        return WorldTable {
            settings,
            duration: DURATION,
            up: DVec3::Y,
            contact: None,
            method_at: None,
            soft: SoftContacts::default(),
        };
    };
    let up = world.pick("up", &UPS).unwrap_or(DVec3::Y);
    settings.gravity = gravity(&world, up).unwrap_or(-9.81 * up);
    let set = |place: &mut f64, key: &str| {
        if let Some(value) = world.number(key) {
            *place = value;
        }
    };
    set(&mut settings.dt, "dt");
    settings.margin = world.number("margin");
    settings.slop = world.number("slop");
    settings.restitution_speed = world.number("restitution_speed");
    settings.sleep = world.flag("sleep").unwrap_or(true);
    let mut duration = DURATION;
    set(&mut duration, "duration");
    if duration / settings.dt > MOST_STEPS {
        let message = format!(
            "{duration} s in steps of {:e} s would take {:e} steps; expected at most {MOST_STEPS:e}: check `dt` and `duration`",
            settings.dt,
            (duration / settings.dt).ceil()
        );
        world.complain("dt", message);
    }
    let contact = patch::contact(&world).map(|kind| (kind, world.place("contact")));
    let mut method_at = None;
    if let Some(solver) = world.table("solver") {
        method_at = solver.has("method").then(|| solver.place("method"));
        if let Some(method) = solver.choice("method").and_then(Method::named) {
            settings.method = method;
        }
        if let Some(tolerance) = solver.number("tolerance") {
            settings.solver.tolerance = tolerance;
            settings.bounded = tolerance > ASKED_FOR;
        }
        if let Some(most) = solver.whole("max_iterations") {
            (settings.solver.max_iterations, settings.bounded) = (most, false);
        }
        if let Some(directions) = solver.whole("directions") {
            settings.directions = Some(directions);
            if !settings.method.solver().set_directions(directions) {
                let method = settings.method.name();
                let message = format!(
                    "directions are those of the solver \"lcp\"; \"{method}\" takes round sets as they are"
                );
                solver.complain("directions", message);
            }
        }
    }
    settings.cones = world.pick("cones", &CONES).unwrap_or_default();
    let soft = world.pick("soft_contact", &SOFT_CONTACTS).unwrap_or_default();
    WorldTable { settings, duration, up, contact, method_at, soft }
}

fn gravity(world: &Fields, up: DVec3) -> Option<DVec3> {
    let node = world.node("gravity")?;
    if node.is_number() {
        node.number(Range::Any).map(|g| -g * up)
    } else if node.is_list() {
        node.numbers(Range::Any).map(DVec3::from_array)
    } else {
        node.expected("a number (m/s², downwards) or an array of 3 numbers")
    }
}

impl WorldTable {
    /// The turn that makes a thing built upright along y stand along the up axis.
    pub(crate) fn upright(&self) -> DQuat {
        if self.up == DVec3::X {
            DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_2)
        } else if self.up == DVec3::Z {
            DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
        } else {
            DQuat::IDENTITY
        }
    }
}
