//! What is drawn over pictures to explain them.

mod arrow;
mod contacts;
mod structure;

use asperity::body::BodyKind;
use asperity::glamx::DVec3;
use asperity_gpu::picture::{Shot, linear};
use asperity_scene::Scene;

use super::Layer;
use super::camera::Viewpoint;
use super::film::{ContactMark, Film, Moment};
use super::scenery::Scenery;
use arrow::arrow;
use structure::Streak;

/// The layers that were asked for, with what they need for all pictures.
#[derive(Debug)]
pub(super) struct Overlays {
    layers: Vec<Layer>,
    viewpoint: Viewpoint,
    /// Metres of arrow for a newton.
    scale: f64,
    streaks: Vec<Streak>,
}

/// The whole force.
const FORCE: [u8; 3] = [201, 74, 34];
/// Its part in the contact plane.
const FRICTION: [u8; 3] = [20, 92, 168];
/// Length of an arrow for a common large force, in half heights of the picture.
const LONG: f64 = 0.42;
/// No arrow is longer, in common large forces.
const LONGEST: f64 = 2.0;

impl Overlays {
    pub(super) fn new(
        layers: &[Layer],
        scene: &Scene,
        film: &Film,
        viewpoint: &Viewpoint,
        scenery: &Scenery,
    ) -> Overlays {
        let mut loads: Vec<f64> = film.touches().map(|t| t.load).filter(|l| *l > 0.0).collect();
        loads.sort_by(f64::total_cmp);
        // Blows are rare and much larger than what rests.
        let common = loads.get(loads.len() * 97 / 100).copied().unwrap_or(1.0);
        let streaks = if layers.contains(&Layer::Structure) {
            structure::streaks(scene, scenery, viewpoint)
        } else {
            Vec::new()
        };
        let scale = LONG * viewpoint.half_height() / common;
        Overlays { layers: layers.to_vec(), viewpoint: *viewpoint, scale, streaks }
    }

    /// Draws all layers of a moment.
    pub(super) fn draw(&self, shot: &mut Shot, scene: &mut Scene, moment: &Moment) {
        let wants = |layer| self.layers.contains(&layer);
        if wants(Layer::Structure) {
            structure::draw(shot, &self.streaks, moment, &self.viewpoint);
        }
        if wants(Layer::Cones) || wants(Layer::Contacts) {
            // Sets and patches follow from where the bodies are.
            scene.world.show(&moment.poses, moment.velocities);
        }
        if wants(Layer::Cones) {
            for touch in moment.touches.iter().filter(|t| t.load > 0.0) {
                contacts::cone(
                    shot,
                    &self.viewpoint,
                    &scene.world,
                    touch,
                    self.drawn(scene, touch),
                );
            }
        }
        if wants(Layer::Contacts) {
            contacts::wrenches(shot, &self.viewpoint, &scene.world, moment);
            contacts::patches(shot, &self.viewpoint, &scene.world, moment);
        }
        if wants(Layer::Forces) {
            for touch in moment.touches.iter().filter(|t| t.load > 0.0) {
                self.force(shot, touch, self.drawn(scene, touch));
            }
        }
    }

    /// Metres for a newton, negative where the force on A is shown: that is where B is fixed.
    fn drawn(&self, scene: &Scene, touch: &ContactMark) -> f64 {
        let longest = LONGEST * LONG * self.viewpoint.half_height();
        let scale = self.scale.min(longest / touch.force.length().max(1e-300));
        let kind = |k: usize| scene.world.bodies().get(touch.bodies[k]).map(|b| b.kind);
        let is_b = kind(1) == Some(BodyKind::Dynamic) || kind(0) != Some(BodyKind::Dynamic);
        if is_b { scale } else { -scale }
    }

    fn force(&self, shot: &mut Shot, touch: &ContactMark, scale: f64) {
        let thickness = 0.011 * self.viewpoint.half_height();
        let friction = touch.force - touch.normal * touch.normal.dot(touch.force);
        for (vector, colour, thickness) in
            [(touch.force, FORCE, thickness), (friction, FRICTION, 1.15 * thickness)]
        {
            let vector: DVec3 = vector * scale;
            if vector.length() > 1.5 * thickness {
                let colour = linear(colour);
                shot.facets.extend(arrow(&self.viewpoint, touch.point, vector, thickness, colour));
            }
        }
    }
}
