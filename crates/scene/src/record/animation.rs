//! A run as an animation that other programs open.

use asperity::geometry::shape::ShapeError;
use glamx::{DPose3, DQuat, DVec2, DVec3};
use thiserror::Error;

use super::Recording;
use super::glb::{Glb, TooLarge};
use crate::Scene;

/// Pieces around a round shape.
const SEGMENTS: usize = 48;
/// A half-space is a disc of this radius, metres.
const REACH: f64 = 10.0;

/// Why a recording cannot be an animation.
#[derive(Debug, Error)]
pub enum AnimationError {
    /// A body whose shape has no triangles.
    #[error("body \"{0}\": {1}")]
    Shape(String, ShapeError),
    /// More than a file holds.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl Recording {
    /// All bodies with a shape, and where they were in each recorded frame, as an animated glTF file:
    /// rigid ones move, soft ones change shape.
    pub fn glb(&self, scene: &Scene) -> Result<Vec<u8>, AnimationError> {
        let mut file = Glb::default();
        let times = file.add_times(&self.world.time);
        let bodies = scene.world.bodies();
        for (number, body) in bodies.iter().enumerate() {
            let Some(shape) = body.shape() else { continue };
            let skin = shape
                .skin(SEGMENTS, REACH)
                .map_err(|e| AnimationError::Shape(body.name.clone(), e))?;
            let mesh = file.add_skin(&skin);
            let frames = (number..self.position.len()).step_by(bodies.len());
            let poses: Vec<DPose3> = frames
                .map(|k| DPose3 {
                    translation: DVec3::from_array(self.position[k]),
                    rotation: DQuat::from_array(self.rotation[k]),
                })
                .collect();
            file.add_body(&body.name, mesh, times, &poses);
        }
        for soft in &self.softs {
            let vector = |p: &[f32; 3]| DVec3::from_array(p.map(f64::from));
            let frames: Vec<Vec<DVec3>> =
                (0..soft.frames()).map(|k| soft.frame(k).iter().map(vector).collect()).collect();
            let uvs: Vec<DVec2> =
                soft.uvs.iter().map(|uv| DVec2::from_array(uv.map(f64::from))).collect();
            let mesh = file.add_morph(&frames, &soft.triangles, (&uvs, &soft.uv_triangles));
            file.add_soft(&soft.name, mesh, times);
        }
        Ok(file.finish(scene.up)?)
    }

    /// Every frame of every soft body: names of files and what is in them.
    pub fn objs(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        for soft in &self.softs {
            // A name may hold anything; a file's may not.
            let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
            let name: String = soft.name.chars().map(plain).collect();
            let one = |k: usize| (format!("{name}.{k:05}.obj"), soft.obj(k));
            files.extend((0..soft.frames()).map(one));
        }
        files
    }
}
