//! Colours of bodies: the same on every run, easy to tell apart, easy on the eye.

use asperity::body::BodyKind;
use asperity_gpu::picture::linear;
use asperity_scene::Scene;

/// For what moves.
const LIVELY: [[u8; 3]; 8] = [
    [204, 102, 62],
    [66, 122, 166],
    [226, 172, 74],
    [98, 150, 112],
    [150, 98, 140],
    [92, 166, 172],
    [206, 126, 128],
    [118, 124, 148],
];

/// For what stands still, by material.
const CALM: [[u8; 3]; 4] = [[206, 202, 194], [190, 198, 206], [206, 194, 180], [196, 204, 192]];

/// What a half-space looks like.
pub(super) const GROUND: [u8; 3] = [208, 210, 209];

/// The colour of every body, linear. Materials decide where what moves has several of them, the
/// order of the bodies where it has one.
pub(super) fn of_bodies(scene: &Scene) -> Vec<[f32; 3]> {
    let bodies = scene.world.bodies();
    let moving = || bodies.iter().filter(|b| b.kind != BodyKind::Fixed);
    let mut materials: Vec<usize> = moving().map(asperity::world::Body::surface).collect();
    materials.sort_unstable();
    materials.dedup();
    let mut count = vec![0_usize; scene.world.pairing().surfaces().len()];
    let mut number = 0;
    let colour = |body: &asperity::world::Body| {
        let material = body.surface();
        if body.kind == BodyKind::Fixed {
            return linear(CALM[material % CALM.len()]);
        }
        if materials.len() == 1 {
            number += 1;
            return linear(LIVELY[(number - 1) % LIVELY.len()]);
        }
        let place = materials.iter().position(|m| *m == material).unwrap_or(0);
        // Bodies of one material are slightly lighter or darker than each other.
        count[material] += 1;
        let shade = [1.0, 0.86, 1.12, 0.93, 1.06][(count[material] - 1) % 5];
        linear(LIVELY[place % LIVELY.len()]).map(|c| (c * shade).min(1.0))
    };
    bodies.iter().map(colour).collect()
}

/// The colour that a material names, linear.
pub(super) fn of_finish(colour: [f64; 3]) -> [f32; 3] {
    linear(colour.map(|c| (255.0 * c).round() as u8))
}

/// The colour of a soft body by its number, linear.
pub(super) fn of_soft(number: usize) -> [f32; 3] {
    linear(LIVELY[number % LIVELY.len()])
}

/// Towards the pale ground, by a share.
pub(super) fn paler(colour: [f32; 3], share: f32) -> [f32; 3] {
    let pale = linear([232, 233, 232]);
    [0, 1, 2].map(|k| colour[k] + (pale[k] - colour[k]) * share)
}
