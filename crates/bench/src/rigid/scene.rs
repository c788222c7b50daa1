//! The scenes: the same bodies for every engine.

use asperity::Shape;
use asperity::glamx::{DMat3, DPose3, DQuat, DVec3};

/// Coefficient of friction of every pair.
pub(super) const FRICTION: f64 = 0.5;
/// kg/m³.
pub(super) const DENSITY: f64 = 1000.0;
/// m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// Edge of every box that moves, metres.
const EDGE: f64 = 0.2;
/// Radius and half the axis of every capsule, metres.
const CAPSULE: [f64; 2] = [0.08, 0.08];
/// Space between the boxes of a row of the pyramid, metres: more than any engine looks ahead.
const GAP: f64 = 0.025;

/// Which scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Which {
    /// Ten boxes on top of each other.
    Stack,
    /// 210 boxes in 20 rows.
    Pyramid,
    /// 1,000 boxes and capsules in a bin.
    Bin,
}

/// What a body looks like.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// Half the edges.
    Box(DVec3),
    /// Along Y.
    Capsule { half_height: f64, radius: f64 },
}

/// A body of a scene.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) form: Form,
    pub(super) fixed: bool,
    pub(super) pose: DPose3,
    /// 1/kg; zero where it is fixed.
    pub(super) inverse_mass: f64,
    /// 1/(kg m²), body axes.
    pub(super) inverse_inertia: DMat3,
}

/// A scene: its bodies, and whether they fall before they are measured.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) items: Vec<Item>,
    pub(super) falls: bool,
}

impl Form {
    /// As Asperity has it.
    pub(super) fn shape(self) -> Shape {
        match self {
            Form::Box(half_extents) => Shape::Box { half_extents },
            Form::Capsule { half_height, radius } => Shape::Capsule { half_height, radius },
        }
    }
}

impl Which {
    pub(super) fn build(self) -> Result<Scene, String> {
        match self {
            Which::Stack => stack(),
            Which::Pyramid => pyramid(),
            Which::Bin => bin(),
        }
    }
}

fn item(form: Form, fixed: bool, pose: DPose3) -> Result<Item, String> {
    let (mut inverse_mass, mut inverse_inertia) = (0.0, DMat3::ZERO);
    if !fixed {
        let m = form.shape().mass_properties(DENSITY).map_err(|e| e.to_string())?;
        (inverse_mass, inverse_inertia) = (1.0 / m.mass, m.inertia.inverse());
    }
    Ok(Item { form, fixed, pose, inverse_mass, inverse_inertia })
}

fn cube(at: DVec3) -> Result<Item, String> {
    item(Form::Box(DVec3::splat(0.5 * EDGE)), false, pose(at))
}

/// A fixed box with these half edges.
fn wall(at: DVec3, half: DVec3) -> Result<Item, String> {
    item(Form::Box(half), true, pose(at))
}

fn pose(at: DVec3) -> DPose3 {
    DPose3::from_parts(at, DQuat::IDENTITY)
}

fn floor() -> Result<Item, String> {
    wall(DVec3::NEG_Y, DVec3::new(10.0, 1.0, 10.0))
}

fn stack() -> Result<Scene, String> {
    let mut items = vec![floor()?];
    for k in 0..10 {
        items.push(cube(DVec3::Y * (EDGE * (f64::from(k) + 0.5)))?);
    }
    Ok(Scene { name: "stack of 10", items, falls: false })
}

fn pyramid() -> Result<Scene, String> {
    let rows = 20_u32;
    let pitch = EDGE + GAP;
    let mut items = vec![floor()?];
    for row in 0..rows {
        let count = rows - row;
        let left = -0.5 * pitch * f64::from(count - 1);
        for k in 0..count {
            let x = left + pitch * f64::from(k);
            items.push(cube(DVec3::new(x, EDGE * (f64::from(row) + 0.5), 0.0))?);
        }
    }
    Ok(Scene { name: "pyramid of 210", items, falls: false })
}

/// Layers of boxes and capsules in turn, each turned at random, above a bin.
fn bin() -> Result<Scene, String> {
    let (half, thick, height) = (1.3, 0.5, 3.0);
    let mut items = vec![floor()?];
    for side in [-1.0, 1.0] {
        let off = side * (half + thick);
        let long = half + 2.0 * thick;
        items.push(wall(DVec3::new(off, height, 0.0), DVec3::new(thick, height, long))?);
        items.push(wall(DVec3::new(0.0, height, off), DVec3::new(long, height, thick))?);
    }
    let (across, pitch, lift) = (9_u32, 0.28, 0.32);
    let mut random = Random(7);
    for k in 0..1000 {
        let (layer, place) = (k / (across * across), k % (across * across));
        let grid = |i: u32| pitch * (f64::from(i) - 0.5 * f64::from(across - 1));
        let (x, z) = (grid(place % across), grid(place / across));
        let at = DVec3::new(x, 0.3 + lift * f64::from(layer), z);
        let [radius, half_height] = CAPSULE;
        let form = if k % 2 == 0 {
            Form::Box(DVec3::splat(0.5 * EDGE))
        } else {
            Form::Capsule { half_height, radius }
        };
        items.push(item(form, false, DPose3::from_parts(at, random.rotation()))?);
    }
    Ok(Scene { name: "bin of 1,000", items, falls: true })
}

/// A small generator (Knuth's MMIX constants): the same scene on every machine.
struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn rotation(&mut self) -> DQuat {
        loop {
            let [x, y, z, w] = [self.next(), self.next(), self.next(), self.next()];
            let length2 = x * x + y * y + z * z + w * w;
            if (1e-4..=1.0).contains(&length2) {
                return DQuat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }
}
