//! A run as an animation that other programs open.

use asperity::glamx::{DPose3, DQuat, DVec2, DVec3};
use asperity_scene::Scene;
use asperity_scene::record::Recording;
use asperity_scene::record::glb::Glb;

use crate::error::CliError;

/// Pieces around a round shape.
const SEGMENTS: usize = 48;
/// A half-space is a disc of this radius, metres.
const REACH: f64 = 10.0;

/// All bodies with a shape, and where they were in each recorded frame, as an animated glTF file:
/// rigid ones move, soft ones change shape.
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
    for soft in &recording.softs {
        let vector = |p: &[f32; 3]| DVec3::from_array(p.map(f64::from));
        let frames: Vec<Vec<DVec3>> =
            (0..soft.frames()).map(|k| soft.frame(k).iter().map(vector).collect()).collect();
        let uvs: Vec<DVec2> =
            soft.uvs.iter().map(|uv| DVec2::from_array(uv.map(f64::from))).collect();
        let mesh = file.add_morph(&frames, &soft.triangles, (&uvs, &soft.uv_triangles));
        file.add_soft(&soft.name, mesh, times);
    }
    file.finish(scene.up).map_err(|e| CliError::Input(e.to_string()))
}

/// Every frame of every soft body: names of files and what is in them.
pub(crate) fn objs(recording: &Recording) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for soft in &recording.softs {
        // A name may hold anything; a file's may not.
        let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
        let name: String = soft.name.chars().map(plain).collect();
        let one = |k: usize| (format!("{name}.{k:05}.obj"), soft.obj(k));
        files.extend((0..soft.frames()).map(one));
    }
    files
}
