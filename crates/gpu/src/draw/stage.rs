//! Meshes and images in the adapter's memory.

use std::collections::HashMap;

use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::pipelines::Pipelines;
use crate::device::Gpu;
use crate::picture::{Image, Relief, Stage, half};

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
        let reliefs: Vec<[wgpu::TextureView; 2]> =
            stage.reliefs.iter().map(|relief| upload_relief(gpu, relief)).collect();
        let flat = upload_relief(gpu, &Relief { width: 1, height: 1, slopes: vec![[0.0; 2]] });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: 8,
            ..Default::default()
        });
        let choices = |count: usize| std::iter::once(None).chain((0..count).map(Some));
        let mut groups = HashMap::new();
        for image in choices(images.len()) {
            for relief in choices(reliefs.len()) {
                let image_view = image.map_or(&white, |k| &images[k]);
                let [slopes, mixed] = relief.map_or(&flat, |k| &reliefs[k]);
                let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
                let texture = wgpu::BindingResource::TextureView;
                let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipelines.images_layout,
                    entries: &[
                        entry(0, texture(image_view)),
                        entry(1, texture(slopes)),
                        entry(2, wgpu::BindingResource::Sampler(&sampler)),
                        entry(3, texture(mixed)),
                    ],
                });
                groups.insert([image, relief], group);
            }
        }
        OnDevice { meshes, groups }
    }

    /// An image and a relief, or what stands for none.
    pub(super) fn group(&self, images: [Option<usize>; 2]) -> Option<&wgpu::BindGroup> {
        self.groups.get(&images)
    }
}

/// The moments of a relief with all their smaller versions: four, and the mixed one.
fn upload_relief(gpu: &Gpu, relief: &Relief) -> [wgpu::TextureView; 2] {
    let levels = relief.levels();
    let size = |width, height| wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let parts: [(wgpu::TextureFormat, &[usize]); 2] =
        [(wgpu::TextureFormat::Rgba16Float, &[0, 1, 2, 3]), (wgpu::TextureFormat::R16Float, &[4])];
    parts.map(|(format, which)| {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: size(relief.width, relief.height),
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (k, level) in levels.iter().enumerate() {
            let place =
                wgpu::TexelCopyTextureInfo { mip_level: k as u32, ..texture.as_image_copy() };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(2 * which.len() as u32 * level.width),
                rows_per_image: None,
            };
            let numbers: Vec<u16> =
                level.moments.iter().flat_map(|m| which.iter().map(|i| half(m[*i]))).collect();
            let bytes = bytemuck::cast_slice(&numbers);
            gpu.queue.write_texture(place, bytes, layout, size(level.width, level.height));
        }
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    })
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
