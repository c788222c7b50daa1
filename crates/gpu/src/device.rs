//! An adapter and its queue.

use std::time::Duration;

use crate::RenderError;

/// How long an adapter may take for one answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// An adapter, opened.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// What it is, in words.
    pub(crate) name: String,
    /// Whether it is plain code that acts as an adapter.
    pub(crate) is_software: bool,
}

impl Gpu {
    /// The best adapter of some backends. `needs` says what it must have, or why it does not do.
    pub(crate) fn new(
        backends: wgpu::Backends,
        needs: impl FnOnce(&wgpu::Adapter) -> Result<(wgpu::Features, wgpu::Limits), RenderError>,
    ) -> Result<Gpu, RenderError> {
        let mut options = wgpu::InstanceDescriptor::new_without_display_handle();
        options.backends = backends;
        let instance = wgpu::Instance::new(options);
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&wanted))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let (required_features, required_limits) = needs(&adapter)?;
        let wanted = wgpu::DeviceDescriptor {
            label: Some("asperity"),
            required_features,
            required_limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&wanted))
            .map_err(|error| RenderError::NoAdapter(error.to_string()))?;
        let info = adapter.get_info();
        Ok(Gpu {
            device,
            queue,
            name: format!("{} ({})", info.name, info.backend),
            is_software: info.device_type == wgpu::DeviceType::Cpu,
        })
    }

    /// Does something on the device; what goes wrong there comes back as an error.
    pub(crate) fn watched<T>(
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

/// What an adapter must have for compute shaders that do something.
pub(crate) fn compute(
    adapter: &wgpu::Adapter,
    what: &str,
) -> Result<(wgpu::Features, wgpu::Limits), RenderError> {
    let has = adapter.limits();
    let mut limits = wgpu::Limits::downlevel_defaults();
    let flags = adapter.get_downlevel_capabilities().flags;
    if !flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) || !limits.check_limits(&has) {
        return Err(RenderError::Adapter(format!(
            "{} has no compute shaders to {what} with; use an adapter with Vulkan or OpenGL ES 3.1, or {what} on the CPU",
            adapter.get_info().name
        )));
    }
    limits.max_storage_buffer_binding_size = has.max_storage_buffer_binding_size;
    limits.max_buffer_size = has.max_buffer_size;
    Ok((adapter.features() & wgpu::Features::TIMESTAMP_QUERY, limits))
}

/// Waits until the device has done what it was given.
pub(crate) fn wait(device: &wgpu::Device) -> Result<(), RenderError> {
    let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) };
    let late = |e| RenderError::Adapter(format!("no answer after {PATIENCE:?}: {e}"));
    device.poll(wait).map(|_| ()).map_err(late)
}

/// Waits for the device and looks at the first bytes of a buffer.
pub(crate) fn read<T>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    bytes: u64,
    look: impl FnOnce(&[u8]) -> T,
) -> Result<T, RenderError> {
    let failed = |what: String| RenderError::Adapter(what);
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
        let _ = sender.send(result);
    });
    wait(device)?;
    receiver.recv().map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
    let seen = {
        let mapped = buffer.get_mapped_range(..bytes).map_err(|e| failed(e.to_string()))?;
        look(&mapped)
    };
    buffer.unmap();
    Ok(seen)
}

/// Vulkan, and OpenGL where there is no Vulkan: one after the other, since to look for OpenGL may
/// print messages of its own. An adapter that is there and fails is told.
pub(crate) fn vulkan_or_gl<T>(
    mut open: impl FnMut(wgpu::Backends) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    match open(wgpu::Backends::VULKAN) {
        Err(RenderError::NoAdapter(_)) => match open(wgpu::Backends::GL) {
            Err(RenderError::NoAdapter(_)) => {
                Err(RenderError::NoAdapter("neither Vulkan nor OpenGL has one".to_owned()))
            }
            other => other,
        },
        other => other,
    }
}
