//! The scenes: the same bodies for every engine.

use asperity::glamx::{DPose3, DQuat, DVec3};

use crate::item::{Form, Item, Random};

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

/// A scene: its bodies, and whether they fall before they are measured.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) items: Vec<Item>,
    pub(super) falls: bool,
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

fn cube(at: DVec3) -> Result<Item, String> {
    Item::new(Form::Box(DVec3::splat(0.5 * EDGE)), DPose3::from_parts(at, DQuat::IDENTITY))
}

/// A fixed box with these half edges.
fn wall(at: DVec3, half: DVec3) -> Item {
    Item::fixed(Form::Box(half), at)
}

fn floor() -> Item {
    wall(DVec3::NEG_Y, DVec3::new(10.0, 1.0, 10.0))
}

fn stack() -> Result<Scene, String> {
    let mut items = vec![floor()];
    for k in 0..10 {
        items.push(cube(DVec3::Y * (EDGE * (f64::from(k) + 0.5)))?);
    }
    Ok(Scene { name: "stack of 10", items, falls: false })
}

fn pyramid() -> Result<Scene, String> {
    let rows = 20_u32;
    let pitch = EDGE + GAP;
    let mut items = vec![floor()];
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
    let mut items = vec![floor()];
    for side in [-1.0, 1.0] {
        let off = side * (half + thick);
        let long = half + 2.0 * thick;
        items.push(wall(DVec3::new(off, height, 0.0), DVec3::new(thick, height, long)));
        items.push(wall(DVec3::new(0.0, height, off), DVec3::new(long, height, thick)));
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
        items.push(Item::new(form, DPose3::from_parts(at, random.rotation()))?);
    }
    Ok(Scene { name: "bin of 1,000", items, falls: true })
}
