//! A pile: mixed shapes above a bin, the same for every engine.

use asperity::glamx::{DMat3, DPose3, DQuat, DVec3};

use crate::item::{Form, Item, Random};

/// Distance of bodies within a layer, and of layers, at the start, metres.
const PITCH: [f64; 2] = [0.16, 0.15];
/// By how much bodies are off their places at most, metres.
const OFF: f64 = 0.009;
/// Bodies across the bin, of so many bodies.
const ACROSS: [f64; 2] = [7.0, 300.0];
/// Room between the outermost places and the walls, metres.
const ROOM: f64 = 0.04;
/// Half the thickness of a wall, metres.
const WALL: f64 = 0.05;
/// Least height of a wall, metres.
const HEIGHT: f64 = 1.0;
/// The lowest layer, metres.
const LOWEST: f64 = 0.12;

/// Corners of the hulls: a double pyramid.
static CORNERS: [DVec3; 6] = [
    DVec3::new(0.05, 0.0, 0.0),
    DVec3::new(-0.05, 0.0, 0.0),
    DVec3::new(0.0, 0.06, 0.0),
    DVec3::new(0.0, -0.06, 0.0),
    DVec3::new(0.0, 0.0, 0.05),
    DVec3::new(0.0, 0.0, -0.05),
];

const FORMS: [Form; 6] = [
    Form::Sphere(0.05),
    Form::Box(DVec3::new(0.05, 0.04, 0.06)),
    Form::Capsule { half_height: 0.03, radius: 0.035 },
    Form::Cylinder { half_height: 0.045, radius: 0.05 },
    Form::Cone { half_height: 0.05, radius: 0.05 },
    Form::Hull(&CORNERS),
];

/// So many bodies in layers above a bin whose base grows with their number to the power of 2/3. No two
/// touch at the start.
pub(crate) fn pile(bodies: usize, seed: u64) -> Result<Vec<Item>, String> {
    let [least, of] = ACROSS;
    let across = ((least * (bodies as f64 / of).cbrt()).round() as usize).max(2);
    let layers = bodies.div_ceil(across * across);
    let mut items = bin(across, layers);
    let mut random = Random(seed);
    let centre = 0.5 * (across - 1) as f64;
    for k in 0..bodies {
        let (layer, place) = (k / (across * across), k % (across * across));
        let mut grid = |i: usize| PITCH[0] * (i as f64 - centre) + OFF * random.next();
        let (x, z) = (grid(place % across), grid(place / across));
        let at = DVec3::new(x, LOWEST + PITCH[1] * layer as f64, z);
        let part = 0.5 * (random.next() + 1.0);
        let form = FORMS[((part * FORMS.len() as f64) as usize).min(FORMS.len() - 1)];
        let mut turn = random.rotation();
        while !fits(form, turn) {
            turn = random.rotation();
        }
        items.push(Item::new(form, DPose3::from_parts(at, turn))?);
    }
    Ok(items)
}

/// The ground and four walls.
fn bin(across: usize, layers: usize) -> Vec<Item> {
    let half = 0.5 * PITCH[0] * across as f64 + ROOM;
    let high = 0.5 * (LOWEST + PITCH[1] * layers as f64).max(HEIGHT);
    let mut items = vec![Item::fixed(Form::Ground, DVec3::ZERO)];
    for side in [-1.0, 1.0] {
        let off = side * (half + WALL);
        let (long, short) = (half + 2.0 * WALL, half);
        let wall = |at, edges| Item::fixed(Form::Box(edges), at);
        items.push(wall(DVec3::new(off, high, 0.0), DVec3::new(WALL, high, long)));
        items.push(wall(DVec3::new(0.0, high, off), DVec3::new(short, high, WALL)));
    }
    items
}

/// Whether a body, so turned, keeps to its place. Only boxes reach farther than that.
fn fits(form: Form, turn: DQuat) -> bool {
    let Form::Box(half) = form else { return true };
    let axes = DMat3::from_quat(turn);
    let reach =
        axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
    let most = 0.5 * PITCH[0] - OFF;
    reach.x < most && reach.z < most && reach.y < 0.5 * PITCH[1]
}
