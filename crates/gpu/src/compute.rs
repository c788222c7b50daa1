//! What compute shaders that read rows of numbers share: layouts, pipelines and memory.

use crate::RenderError;
use crate::device::{self, Gpu};

/// Bytes from one dispatch's work to the next.
pub(crate) const STRIDE: u64 = 256;
/// Most bytes of a buffer, unless the adapter has less. More at once would not be faster.
const BATCH_BYTES: u64 = 256 << 20;

/// What dispatches are about.
pub(crate) const WORK: wgpu::BufferUsages =
    wgpu::BufferUsages::UNIFORM.union(wgpu::BufferUsages::COPY_DST);
/// What kernels read.
pub(crate) const INPUT: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_DST);
/// What kernels write.
pub(crate) const RESULTS: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC);
/// Where results are read.
pub(crate) const READBACK: wgpu::BufferUsages =
    wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

/// What kernels read and write: a uniform, [`STRIDE`] bytes for each dispatch, and four buffers.
#[derive(Debug)]
pub(crate) struct Layout {
    label: &'static str,
    bindings: wgpu::BindGroupLayout,
    pipelines: wgpu::PipelineLayout,
}

/// Opens the best adapter there is, through Vulkan or else OpenGL; `what` is what else to do on the
/// processor.
pub(crate) fn best<T>(
    open: impl FnMut(wgpu::Backends) -> Result<T, RenderError>,
    what: &str,
) -> Result<T, RenderError> {
    device::vulkan_or_gl(open).map_err(|error| match error {
        RenderError::NoAdapter(why) => RenderError::NoAdapter(format!(
            "{why}; install a Vulkan driver (mesa-vulkan-drivers needs no graphics card), or {what} on the CPU"
        )),
        other => other,
    })
}

/// Bytes of a buffer, at most.
pub(crate) fn batch_bytes(gpu: &Gpu) -> u64 {
    let limits = gpu.device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(BATCH_BYTES)
}

/// A buffer.
pub(crate) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let label = Some(label);
    device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

impl Layout {
    /// With a name for messages, and for each of the four buffers whether kernels only read it.
    pub(crate) fn new(device: &wgpu::Device, label: &'static str, read_only: [bool; 4]) -> Layout {
        let storage = read_only.map(|read_only| wgpu::BufferBindingType::Storage { read_only });
        let uniform = wgpu::BufferBindingType::Uniform;
        let entry = |(i, ty)| wgpu::BindGroupLayoutEntry {
            binding: i,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: i == 0,
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<_> = (0..).zip([uniform].into_iter().chain(storage)).map(entry).collect();
        let bindings = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        });
        let pipelines = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&bindings)],
            immediate_size: 0,
        });
        Layout { label, bindings, pipelines }
    }

    /// A kernel. Its threads clear the memory of their workgroup themselves, all together.
    pub(crate) fn pipeline(
        &self,
        device: &wgpu::Device,
        source: String,
        entry: &str,
    ) -> wgpu::ComputePipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(entry),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&self.pipelines),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }

    /// Everything that kernels look at: the work, of which a dispatch has so many bytes, and the
    /// four buffers.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        work: (&wgpu::Buffer, usize),
        buffers: [&wgpu::Buffer; 4],
    ) -> wgpu::BindGroup {
        let (buffer, bytes) = work;
        let size = wgpu::BufferSize::new(bytes as u64);
        let work = wgpu::BufferBinding { buffer, offset: 0, size };
        let whole = buffers.map(wgpu::Buffer::as_entire_buffer_binding);
        let bound = [work].into_iter().chain(whole).map(wgpu::BindingResource::Buffer);
        let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
        let entries: Vec<_> = (0..).zip(bound).map(entry).collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.label),
            layout: &self.bindings,
            entries: &entries,
        })
    }
}
