//! Who draws: an adapter, or plain code where there is none.

use crate::device;
use crate::draw::Gpu;
use crate::picture::{Shot, Stage};
use crate::plain::Plain;
use crate::{Frame, RenderError};

/// Which renderer to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// An adapter if there is one, plain code otherwise.
    Auto,
    /// Any adapter.
    Gpu,
    /// An adapter through Vulkan.
    Vulkan,
    /// An adapter through OpenGL.
    Gl,
    /// Plain code: hard shadows.
    Cpu,
}

/// Draws the shots of one stage.
#[derive(Debug)]
pub struct Renderer {
    stage: Stage,
    way: Way,
    fallback: Option<RenderError>,
}

#[derive(Debug)]
enum Way {
    Gpu(Box<Gpu>),
    Plain(Plain),
}

impl Renderer {
    /// A renderer of this stage.
    pub fn new(choice: Choice, stage: Stage) -> Result<Renderer, RenderError> {
        stage.check()?;
        let (vulkan, gl) = (wgpu::Backends::VULKAN, wgpu::Backends::GL);
        let found = match choice {
            Choice::Auto | Choice::Gpu => device::vulkan_or_gl(|backend| Gpu::new(backend, &stage)),
            Choice::Vulkan => Gpu::new(vulkan, &stage),
            Choice::Gl => Gpu::new(gl, &stage),
            Choice::Cpu => {
                let way = Way::Plain(Plain::new(&stage));
                return Ok(Renderer { stage, way, fallback: None });
            }
        };
        match found {
            Ok(gpu) => Ok(Renderer { stage, way: Way::Gpu(Box::new(gpu)), fallback: None }),
            Err(why) if choice == Choice::Auto => {
                let way = Way::Plain(Plain::new(&stage));
                Ok(Renderer { stage, way, fallback: Some(why) })
            }
            Err(why) => Err(why),
        }
    }

    /// Draws a picture.
    pub fn draw(&mut self, shot: &Shot) -> Result<Frame, RenderError> {
        shot.check(&self.stage)?;
        match &mut self.way {
            Way::Gpu(gpu) => gpu.draw(&self.stage, shot),
            Way::Plain(plain) => Ok(plain.draw(&self.stage, shot)),
        }
    }

    /// What draws, in words.
    pub fn name(&self) -> String {
        match &self.way {
            Way::Gpu(gpu) => gpu.name(),
            Way::Plain(_) => "plain code".to_owned(),
        }
    }

    /// Why [`Choice::Auto`] found no adapter, where that is so.
    pub fn fallback(&self) -> Option<&RenderError> {
        self.fallback.as_ref()
    }
}
