//! Descriptions are checked before anything is drawn.

use super::{Image, Mesh, Relief, Shot, Stage};
use crate::RenderError;

/// Most pixels along a side.
pub const MAX_SIDE: u32 = 8192;
/// Most samples of a pixel.
pub const MAX_SAMPLES: u32 = 4;

impl Stage {
    /// Names the first thing that cannot be drawn.
    pub fn check(&self) -> Result<(), RenderError> {
        for (i, mesh) in self.meshes.iter().enumerate() {
            mesh.check().map_err(|what| RenderError::Picture(format!("mesh {i}: {what}")))?;
        }
        for (i, image) in self.images.iter().enumerate() {
            image.check().map_err(|what| RenderError::Picture(format!("image {i}: {what}")))?;
        }
        for (i, relief) in self.reliefs.iter().enumerate() {
            relief.check().map_err(|what| RenderError::Picture(format!("relief {i}: {what}")))?;
        }
        Ok(())
    }
}

impl Mesh {
    fn check(&self) -> Result<(), String> {
        let count = self.vertices.len();
        if let Some(corner) = self.triangles.iter().flatten().find(|c| **c as usize >= count) {
            return Err(format!("a triangle names vertex {corner}, but there are {count}"));
        }
        let bad =
            |v: &super::Vertex| !bytemuck::cast_ref::<_, [f32; 12]>(v).iter().copied().all(ok);
        match self.vertices.iter().position(bad) {
            Some(i) => Err(format!("vertex {i} has numbers that are not finite")),
            None => Ok(()),
        }
    }
}

impl Image {
    fn check(&self) -> Result<(), String> {
        let Image { width, height, texels, .. } = self;
        let sides = 1..=MAX_SIDE;
        if !(sides.contains(width) && sides.contains(height)) {
            return Err(format!("{width} x {height} texels; expected 1 to {MAX_SIDE} a side"));
        }
        if texels.len() as u64 != u64::from(*width) * u64::from(*height) {
            return Err(format!("{} texels; expected {width} x {height}", texels.len()));
        }
        Ok(())
    }
}

impl Relief {
    fn check(&self) -> Result<(), String> {
        let Relief { width, height, slopes } = self;
        let sides = 1..=MAX_SIDE;
        if !(sides.contains(width) && sides.contains(height)) {
            return Err(format!("{width} x {height} texels; expected 1 to {MAX_SIDE} a side"));
        }
        if slopes.len() as u64 != u64::from(*width) * u64::from(*height) {
            return Err(format!("{} slopes; expected {width} x {height}", slopes.len()));
        }
        match slopes.iter().position(|s| !s.iter().copied().all(ok)) {
            Some(i) => Err(format!("slope {i} is not finite")),
            None => Ok(()),
        }
    }
}

impl Shot {
    /// Names the first thing that cannot be drawn of this stage.
    pub fn check(&self, stage: &Stage) -> Result<(), RenderError> {
        let wrong = |what: String| Err(RenderError::Picture(what));
        let [width, height] = self.size;
        if !self.size.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            return wrong(format!(
                "a picture of {width} x {height} pixels; expected 1 to {MAX_SIDE} a side"
            ));
        }
        if ![1, MAX_SAMPLES].contains(&self.samples) {
            return wrong(format!("{} samples of a pixel; expected 1 or 4", self.samples));
        }
        let camera = &self.camera;
        let numbers = [camera.fov, camera.near, camera.far, self.light.reach];
        let finite = camera.eye.is_finite() && camera.at.is_finite() && camera.up.is_finite();
        let light = self.light.to_sun.is_finite() && self.light.focus.is_finite();
        if !(finite && light && numbers.iter().all(|x| ok(*x) && *x > 0.0)) {
            return wrong("camera and light need finite numbers, and distances above zero".into());
        }
        if camera.eye == camera.at || camera.near >= camera.far || camera.fov >= 3.1 {
            return wrong(
                "the camera needs a place to look at, near below far and an angle below 177°"
                    .into(),
            );
        }
        for (i, instance) in self.instances.iter().enumerate() {
            let mesh = instance.mesh < stage.meshes.len();
            let look = &instance.look;
            let image = look.image.is_none_or(|k| k < stage.images.len());
            let relief = look.relief.is_none_or(|k| k < stage.reliefs.len());
            if !(mesh && image && relief) {
                return wrong(format!(
                    "instance {i} names a mesh, image or relief that does not exist"
                ));
            }
            if !instance.world_from_mesh.is_finite() {
                return wrong(format!("instance {i} is at no finite place"));
            }
        }
        let line = |l: &super::Line| {
            l.ends.iter().flatten().chain(&l.colour).copied().all(ok) && ok(l.width)
        };
        let facet = |f: &super::Facet| f.corners.iter().flat_map(|c| c.position).all(ok);
        if !(self.lines.iter().all(line) && self.facets.iter().all(facet)) {
            return wrong("a line or facet has numbers that are not finite".into());
        }
        Ok(())
    }
}

fn ok(x: f32) -> bool {
    x.is_finite()
}
