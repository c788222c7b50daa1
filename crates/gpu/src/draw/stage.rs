//! Meshes and images in the adapter's memory.

use std::collections::HashMap;

use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::pipelines::Pipelines;
use crate::device::Gpu;
use crate::picture::{Image, Stage};

/// A stage in the adapter's memory.
#[derive(Debug)]
pub(super) struct OnDevice {
    /// Vertices, indices and their number; nothing for a mesh without triangles.
    pub(super) meshes: Vec<Option<(wgpu::Buffer, wgpu::Buffer, u32)>>,
    groups: HashMap<[Option<usize>; 2], wgpu::BindGroup>,
}

impl OnDevice {
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines, stage: &Stage) -> OnDevice {
        let device = &gpu.device;
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage })
        };
        let meshes = stage.meshes.iter().map(|mesh| {
            let vertices = buffer(bytemuck::cast_slice(&mesh.vertices), wgpu::BufferUsages::VERTEX);
            let corners = mesh.triangles.as_flattened();
            let indices = buffer(bytemuck::cast_slice(corners), wgpu::BufferUsages::INDEX);
            (!corners.is_empty()).then_some((vertices, indices, corners.len() as u32))
        });
        let meshes = meshes.collect();
        let images: Vec<wgpu::TextureView> =
            stage.images.iter().map(|image| upload(gpu, image)).collect();
        let one = |texel, is_colour| Image { width: 1, height: 1, texels: vec![texel], is_colour };
        let white = upload(gpu, &one([255; 4], true));
        let flat = upload(gpu, &one([128, 128, 255, 255], false));
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: 8,
            ..Default::default()
        });
        let count = stage.images.len();
        let choices = || std::iter::once(None).chain((0..count).map(Some));
        let mut groups = HashMap::new();
        for image in choices() {
            for bumps in choices() {
                let view = |choice: Option<usize>, none| choice.map_or(none, |k| &images[k]);
                let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
                let texture = wgpu::BindingResource::TextureView;
                let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipelines.images_layout,
                    entries: &[
                        entry(0, texture(view(image, &white))),
                        entry(1, texture(view(bumps, &flat))),
                        entry(2, wgpu::BindingResource::Sampler(&sampler)),
                    ],
                });
                groups.insert([image, bumps], group);
            }
        }
        OnDevice { meshes, groups }
    }

    /// An image and a normal map, or what stands for none.
    pub(super) fn group(&self, images: [Option<usize>; 2]) -> Option<&wgpu::BindGroup> {
        self.groups.get(&images)
    }
}

/// An image with all its smaller versions.
fn upload(gpu: &Gpu, image: &Image) -> wgpu::TextureView {
    let levels = image.width.max(image.height).ilog2() + 1;
    let size = |width, height| wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let format = if image.is_colour {
        wgpu::TextureFormat::Rgba8UnormSrgb
    } else {
        wgpu::TextureFormat::Rgba8Unorm
    };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: size(image.width, image.height),
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let (mut width, mut height, mut texels) = (image.width, image.height, image.texels.clone());
    for level in 0..levels {
        let place = wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * width),
            rows_per_image: None,
        };
        gpu.queue.write_texture(place, texels.as_flattened(), layout, size(width, height));
        (width, height, texels) = halved(width, height, &texels);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Half as large: means of two by two texels.
fn halved(width: u32, height: u32, texels: &[[u8; 4]]) -> (u32, u32, Vec<[u8; 4]>) {
    let (w, h) = ((width / 2).max(1), (height / 2).max(1));
    let at = |x: u32, y: u32| {
        texels[(y.min(height - 1) * width + x.min(width - 1)) as usize].map(u32::from)
    };
    let mean = |x: u32, y: u32| {
        let four = [
            at(2 * x, 2 * y),
            at(2 * x + 1, 2 * y),
            at(2 * x, 2 * y + 1),
            at(2 * x + 1, 2 * y + 1),
        ];
        [0, 1, 2, 3].map(|k| ((four.iter().map(|t| t[k]).sum::<u32>() + 2) / 4) as u8)
    };
    let half = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect();
    (w, h, half)
}
