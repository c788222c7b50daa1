//! An adapter and its queue.

use crate::RenderError;

/// An adapter, opened.
#[derive(Debug)]
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// What it is, in words.
    pub(super) name: String,
}

impl Gpu {
    pub(super) fn new(backends: wgpu::Backends) -> Result<Gpu, RenderError> {
        let mut options = wgpu::InstanceDescriptor::new_without_display_handle();
        options.backends = backends;
        let instance = wgpu::Instance::new(options);
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&wanted))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let limits = wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits());
        let wanted = wgpu::DeviceDescriptor {
            label: Some("asperity"),
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&wanted))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let info = adapter.get_info();
        Ok(Gpu { device, queue, name: format!("{} ({})", info.name, info.backend) })
    }

    /// Does something on the device; what goes wrong there comes back as an error.
    pub(super) fn watched<T>(
        &self,
        work: impl FnOnce() -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let result = work();
        let found = [internal.pop(), validation.pop(), memory.pop()].map(pollster::block_on);
        match found.into_iter().flatten().next() {
            Some(error) => Err(RenderError::Adapter(error.to_string())),
            None => result,
        }
    }
}
