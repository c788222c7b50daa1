//! The file that describes an experiment.

use std::path::Path;

use asperity::friction::extent::{Pressure, Shape};
use asperity::friction::memory::{Parameters, Plasticity};
use asperity::glamx::{DVec2, DVec3};
use serde::Deserialize;

use crate::error::CliError;
use asperity_verify::experiment::model::{GridPatch, ModelKind, Scheme, Soft, Source};
use asperity_verify::experiment::signal::Signal;
use asperity_verify::experiment::simulate::{Body, Experiment, Motion};

/// An experiment as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    title: String,
    duration: f64,
    #[serde(default = "default_step")]
    dt: f64,
    #[serde(default = "default_every")]
    every: f64,
    #[serde(default)]
    hold: f64,
    load: Signal,
    #[serde(default = "default_models")]
    models: Vec<ModelKind>,
    #[serde(default)]
    scheme: Scheme,
    patch: RawPatch,
    #[serde(default)]
    friction: RawFriction,
    velocity: Option<RawVelocity>,
    body: Option<RawBody>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPatch {
    #[serde(default = "default_shape")]
    shape: RawShape,
    #[serde(default = "default_cells")]
    cells: usize,
    #[serde(default = "default_width")]
    width: f64,
    #[serde(default = "default_resolution")]
    resolution: usize,
    soft: Option<Soft>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum RawShape {
    Square,
    Circle,
    Line,
    LineGradient,
    LineGradientX,
    NonConvex1,
    NonConvex2,
    Hertz { radius: f64, exponent: f64 },
    Ellipse { axes: [f64; 2] },
    Polygon { corners: Vec<[f64; 2]> },
    Mask { file: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawFriction {
    mu_c: f64,
    mu_s: f64,
    v_s: f64,
    gamma: f64,
    sigma0: f64,
    sigma1: f64,
    sigma2: f64,
    v_d: Option<f64>,
    memory: RawMemory,
    s_ba: f64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawMemory {
    Lugre,
    ElastoPlastic,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVelocity {
    #[serde(default)]
    x: Signal,
    #[serde(default)]
    y: Signal,
    #[serde(default)]
    spin: Signal,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBody {
    mass: f64,
    inertia: f64,
    #[serde(default)]
    position: [f64; 2],
    #[serde(default)]
    velocity: [f64; 3],
    #[serde(default)]
    gravity: [f64; 2],
    #[serde(default)]
    force_x: Signal,
    #[serde(default)]
    force_y: Signal,
    #[serde(default)]
    torque: Signal,
    #[serde(default = "one")]
    patches: f64,
    #[serde(default)]
    grip: bool,
}

/// An experiment that can be run.
pub(crate) struct Spec {
    pub(crate) title: String,
    pub(crate) models: Vec<ModelKind>,
    pub(crate) scheme: Scheme,
    pub(crate) patch: GridPatch,
    pub(crate) parameters: Parameters,
    pub(crate) experiment: Experiment,
}

impl Default for RawFriction {
    fn default() -> RawFriction {
        let p = Parameters::default();
        RawFriction {
            mu_c: p.coulomb,
            mu_s: p.stiction,
            v_s: p.stribeck_speed,
            gamma: p.stribeck_exponent,
            sigma0: p.stiffness,
            sigma1: p.damping,
            sigma2: p.viscosity,
            v_d: None,
            memory: RawMemory::Lugre,
            s_ba: 0.9,
        }
    }
}

fn default_step() -> f64 {
    1e-5
}

fn default_every() -> f64 {
    1e-3
}

fn default_models() -> Vec<ModelKind> {
    vec![ModelKind::Distributed, ModelKind::Reduced]
}

fn default_shape() -> RawShape {
    RawShape::Circle
}

fn default_cells() -> usize {
    21
}

fn default_width() -> f64 {
    0.02
}

fn default_resolution() -> usize {
    20
}

fn one() -> f64 {
    1.0
}

/// Reads an experiment; `duration` replaces the file's.
pub(crate) fn read(path: &Path, duration: Option<f64>) -> Result<Spec, CliError> {
    let text = std::fs::read_to_string(path).map_err(CliError::at(path))?;
    let at = |what: String| CliError::Input(format!("{}: {what}", path.display()));
    let mut raw: Raw =
        toml::from_str(&text).map_err(|e| at(e.to_string().trim_end().to_owned()))?;
    raw.duration = duration.unwrap_or(raw.duration);
    raw.build(path.parent().unwrap_or(Path::new("."))).map_err(|e| match e {
        unread @ CliError::Io { .. } => unread,
        what => at(what.to_string()),
    })
}

impl Raw {
    fn build(self, folder: &Path) -> Result<Spec, CliError> {
        let bad = |what: String| Err(CliError::Input(what));
        for (name, value, least) in [
            ("duration", self.duration, f64::MIN_POSITIVE),
            ("dt", self.dt, f64::MIN_POSITIVE),
            ("every", self.every, f64::MIN_POSITIVE),
            ("hold", self.hold, 0.0),
        ] {
            if !(value.is_finite() && value >= least) {
                return bad(format!("{name} is {value}; expected a number of seconds above zero"));
            }
        }
        let steps = self.duration / self.dt;
        if steps > MAX_STEPS {
            return bad(format!(
                "duration / dt is {steps:.0} steps; expected at most {MAX_STEPS:e}"
            ));
        }
        if self.models.is_empty() {
            return bad("models is empty; expected distributed, reduced, ellipsoid or curve".into());
        }
        let motion = match (self.velocity, self.body) {
            (Some(v), None) => Motion::Prescribed([v.x, v.y, v.spin]),
            (None, Some(body)) => Motion::Body(body.build()?),
            _ => return bad("expected either [velocity] or [body], and not both".into()),
        };
        let signals: Vec<(&str, &Signal)> = match &motion {
            Motion::Prescribed(s) => {
                ["velocity.x", "velocity.y", "velocity.spin"].into_iter().zip(s).collect()
            }
            Motion::Body(b) => ["body.force_x", "body.force_y", "body.torque"]
                .into_iter()
                .zip(&b.applied)
                .collect(),
        };
        for (name, signal) in signals.into_iter().chain([("load", &self.load)]) {
            if let Some(fault) = signal.fault() {
                return bad(format!("{name} {fault}"));
            }
        }
        let RawPatch { shape, cells, width, resolution, soft } = self.patch;
        let source = shape.build(folder, cells, width)?;
        let patch = GridPatch { source, cells, width, resolution, soft };
        let f = self.friction;
        let parameters = Parameters {
            coulomb: f.mu_c,
            stiction: f.mu_s,
            stribeck_speed: f.v_s,
            stribeck_exponent: f.gamma,
            stiffness: f.sigma0,
            damping: f.sigma1,
            damping_speed: f.v_d,
            viscosity: f.sigma2,
            plasticity: match f.memory {
                RawMemory::Lugre => Plasticity::Always,
                RawMemory::ElastoPlastic => Plasticity::Above(f.s_ba),
            },
        };
        parameters.check()?;
        let experiment = Experiment {
            dt: self.dt,
            duration: self.duration,
            hold: self.hold,
            every: self.every,
            load: self.load,
            motion,
        };
        let (models, scheme) = (self.models, self.scheme);
        Ok(Spec { title: self.title, models, scheme, patch, parameters, experiment })
    }
}

impl RawBody {
    fn build(self) -> Result<Body, CliError> {
        for (name, value) in
            [("mass", self.mass), ("inertia", self.inertia), ("patches", self.patches)]
        {
            if !(value.is_finite() && value > 0.0) {
                let what = format!("body.{name} is {value}; expected a number above zero");
                return Err(CliError::Input(what));
            }
        }
        let body = Body {
            mass: self.mass,
            inertia: self.inertia,
            position: DVec2::from_array(self.position),
            velocity: DVec3::from_array(self.velocity),
            gravity: DVec2::from_array(self.gravity),
            applied: [self.force_x, self.force_y, self.torque],
            patches: self.patches,
            grip: self.grip,
        };
        if body.position.is_finite() && body.velocity.is_finite() && body.gravity.is_finite() {
            return Ok(body);
        }
        let what = "body.position, velocity or gravity is not finite; expected finite numbers";
        Err(CliError::Input(what.to_owned()))
    }
}

impl RawShape {
    /// The shape; a mask is read from beside the file that names it.
    pub(crate) fn build(self, folder: &Path, cells: usize, width: f64) -> Result<Source, CliError> {
        Ok(Source::Shape(match self {
            RawShape::Square => Shape::Square,
            RawShape::Circle => Shape::Circle,
            RawShape::Line => Shape::Line,
            RawShape::LineGradient => Shape::LineGradient,
            RawShape::LineGradientX => Shape::LineGradientX,
            RawShape::NonConvex1 => Shape::NonConvex1,
            RawShape::NonConvex2 => Shape::NonConvex2,
            RawShape::Hertz { radius, exponent } => Shape::Hertz { radius, exponent },
            RawShape::Ellipse { axes } => Shape::Ellipse { axes },
            RawShape::Polygon { corners } => {
                Shape::Polygon { corners: corners.into_iter().map(DVec2::from_array).collect() }
            }
            RawShape::Mask { file } => {
                let inside = Path::new(&file)
                    .components()
                    .all(|c| matches!(c, std::path::Component::Normal(_)));
                if !inside {
                    return Err(CliError::Input(format!(
                        "patch.shape.mask.file is \"{file}\"; expected a path below the experiment's \
                         own folder"
                    )));
                }
                return Ok(Source::Mask(mask(&folder.join(file), cells, width)?));
            }
        }))
    }
}

/// A grey picture as pressure: the mean of the pixels in each cell.
fn mask(path: &Path, cells: usize, width: f64) -> Result<Pressure, CliError> {
    let read = image::ImageReader::open(path).map_err(CliError::at(path))?;
    let wrong = |e: String| CliError::Input(format!("{}: {e}", path.display()));
    let picture = read.decode().map_err(|e| wrong(e.to_string()))?.to_luma32f();
    let (w, h) = (picture.width() as usize, picture.height() as usize);
    if cells == 0 || cells > w || cells > h {
        return Err(wrong(format!("{w} x {h} pixels for {cells} x {cells} cells; expected more")));
    }
    let mean = |ix: usize, iy: usize| {
        let range = |i: usize, n: usize| i * n / cells..(i + 1) * n / cells;
        let (mut sum, mut count) = (0.0, 0);
        for y in range(iy, h) {
            for x in range(ix, w) {
                sum += f64::from(picture.get_pixel(x as u32, y as u32).0[0]);
                count += 1;
            }
        }
        sum / f64::from(count.max(1))
    };
    Pressure::from_cells(cells, width, mean).map_err(|e| wrong(e.to_string()))
}

/// More would not end.
const MAX_STEPS: f64 = 1e9;
