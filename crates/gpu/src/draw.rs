//! Pictures on a graphics adapter, through wgpu.

mod data;
mod encode;
mod pipelines;
mod readback;
mod stage;
mod targets;

use crate::device::Gpu as Device;
use crate::picture::{Shot, Stage};
use crate::{Frame, RenderError};
use data::Batches;
pub(crate) use data::FAINT;
use pipelines::Pipelines;
use stage::OnDevice;
use targets::Targets;

/// Draws on an adapter.
#[derive(Debug)]
pub(crate) struct Gpu {
    device: Device,
    pipelines: Pipelines,
    stage: OnDevice,
    /// Of the last shot; kept while size and samples stay the same.
    targets: Option<Targets>,
}

impl Gpu {
    /// Takes an adapter and hands it the stage.
    pub(crate) fn new(backends: wgpu::Backends, stage: &Stage) -> Result<Gpu, RenderError> {
        let device = Device::new(backends, |adapter| {
            let limits = wgpu::Limits::downlevel_webgl2_defaults();
            Ok((wgpu::Features::empty(), limits.using_resolution(adapter.limits())))
        })?;
        let (pipelines, stage) = device.watched(|| {
            let pipelines = Pipelines::new(&device.device);
            let stage = OnDevice::new(&device, &pipelines, stage);
            Ok((pipelines, stage))
        })?;
        Ok(Gpu { device, pipelines, stage, targets: None })
    }

    /// Draws a checked shot.
    pub(crate) fn draw(&mut self, stage: &Stage, shot: &Shot) -> Result<Frame, RenderError> {
        let Gpu { device, pipelines, stage: on_device, targets } = self;
        let [width, height] = shot.size;
        let limit = device.device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(RenderError::Adapter(format!(
                "{width} x {height} pixels; it can draw {limit} a side"
            )));
        }
        device.watched(|| {
            if !targets.as_ref().is_some_and(|t| t.fits(shot)) {
                *targets = Some(Targets::new(&device.device, pipelines, shot));
            }
            let Some(targets) = targets.as_ref() else {
                return Err(RenderError::Adapter("it has nothing to draw on".to_owned()));
            };
            let batches = Batches::new(&device.device, stage, shot);
            let globals = data::Globals::new(shot);
            device.queue.write_buffer(&targets.globals, 0, bytemuck::bytes_of(&globals));
            let mut encoder =
                device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encode::shot(&mut encoder, pipelines, on_device, targets, &batches, shot);
            targets.copy_out(&mut encoder, shot);
            device.queue.submit([encoder.finish()]);
            readback::frame(&device.device, targets, shot)
        })
    }

    /// What it is, in words.
    pub(crate) fn name(&self) -> String {
        self.device.name.clone()
    }
}
