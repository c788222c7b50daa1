//! What is drawn on, for one size of picture.

use super::pipelines::{COLOUR, DEPTH, IDENTITY, Pipelines};
use crate::picture::Shot;

/// Texels along a side of the shadow map.
pub(super) const SHADOW_SIDE: u32 = 2048;

/// Textures to draw on and buffers to read from.
#[derive(Debug)]
pub(super) struct Targets {
    size: [u32; 2],
    samples: u32,
    pub(super) globals: wgpu::Buffer,
    /// The globals and the shadow map.
    pub(super) group: wgpu::BindGroup,
    /// The globals alone.
    pub(super) globals_group: wgpu::BindGroup,
    pub(super) shadow: wgpu::TextureView,
    /// With several samples a pixel.
    pub(super) many: Option<wgpu::TextureView>,
    colour: wgpu::Texture,
    pub(super) colour_view: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    identity: wgpu::Texture,
    pub(super) identity_view: wgpu::TextureView,
    pub(super) identity_depth: wgpu::TextureView,
    pub(super) colour_out: wgpu::Buffer,
    pub(super) identity_out: wgpu::Buffer,
}

impl Targets {
    pub(super) fn new(device: &wgpu::Device, pipelines: &Pipelines, shot: &Shot) -> Targets {
        let texture = |[width, height]: [u32; 2], samples, format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view =
            |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let draw = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let (size, samples) = (shot.size, shot.samples);
        let colour = texture(size, 1, COLOUR, draw | wgpu::TextureUsages::COPY_SRC);
        let identity = texture(size, 1, IDENTITY, draw | wgpu::TextureUsages::COPY_SRC);
        let bound = draw | wgpu::TextureUsages::TEXTURE_BINDING;
        let shadow = view(&texture([SHADOW_SIDE; 2], 1, DEPTH, bound));
        let buffer = |size: u64, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let out = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let bytes = u64::from(row_bytes(size[0])) * u64::from(size[1]);
        let globals = buffer(
            size_of::<super::data::Globals>() as u64,
            wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        );
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let first = entry(0, globals.as_entire_binding());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipelines.lit_layout,
            entries: &[
                first.clone(),
                entry(1, wgpu::BindingResource::TextureView(&shadow)),
                entry(2, wgpu::BindingResource::Sampler(&sampler)),
            ],
        });
        let globals_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipelines.globals_layout,
            entries: &[first],
        });
        Targets {
            size,
            samples,
            group,
            globals_group,
            globals,
            shadow,
            many: (samples > 1).then(|| view(&texture(size, samples, COLOUR, draw))),
            colour_view: view(&colour),
            colour,
            depth: view(&texture(size, samples, DEPTH, draw)),
            identity_view: view(&identity),
            identity,
            identity_depth: view(&texture(size, 1, DEPTH, draw)),
            colour_out: buffer(bytes, out),
            identity_out: buffer(bytes, out),
        }
    }

    /// Whether a shot can be drawn on these.
    pub(super) fn fits(&self, shot: &Shot) -> bool {
        (self.size, self.samples) == (shot.size, shot.samples)
    }

    /// From the textures to the buffers.
    pub(super) fn copy_out(&self, encoder: &mut wgpu::CommandEncoder, shot: &Shot) {
        let [width, height] = self.size;
        let mut copy = |texture: &wgpu::Texture, buffer: &wgpu::Buffer| {
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row_bytes(width)),
                rows_per_image: None,
            };
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo { buffer, layout },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        };
        copy(&self.colour, &self.colour_out);
        if shot.identities {
            copy(&self.identity, &self.identity_out);
        }
    }
}

/// Bytes of a row of pixels in a buffer; rows begin at multiples of 256.
pub(super) fn row_bytes(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
