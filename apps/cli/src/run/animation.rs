//! A run as an animation that other programs open.

use asperity::glamx::{DPose3, DQuat, DVec3};
use asperity::record::Recording;
use asperity::record::glb::Glb;
use asperity::scene::Scene;

use crate::error::CliError;

/// Pieces around a round shape.
const SEGMENTS: usize = 48;
/// A half-space is a disc of this radius, metres.
const REACH: f64 = 10.0;

/// All bodies with a shape, and where they were in each recorded frame, as an animated glTF file.
pub(crate) fn glb(scene: &Scene, recording: &Recording) -> Result<Vec<u8>, CliError> {
    let mut file = Glb::default();
    let times = file.add_times(&recording.world.time);
    let bodies = scene.world.bodies();
    for (number, body) in bodies.iter().enumerate() {
        let Some(shape) = body.shape() else { continue };
        let skin = shape
            .skin(SEGMENTS, REACH)
            .map_err(|e| CliError::Input(format!("body \"{}\": {e}", body.name)))?;
        let mesh = file.add_skin(&skin);
        let frames = (number..recording.position.len()).step_by(bodies.len());
        let poses: Vec<DPose3> = frames
            .map(|k| DPose3 {
                translation: DVec3::from_array(recording.position[k]),
                rotation: DQuat::from_array(recording.rotation[k]),
            })
            .collect();
        file.add_body(&body.name, mesh, times, &poses);
    }
    file.finish(scene.up).map_err(|e| CliError::Input(e.to_string()))
}
