//! Shaders with everything that goes with them.

use wgpu::{CompareFunction, VertexAttribute, vertex_attr_array};

use super::data::{FacetData, LineData, Placed};
use crate::picture::{MAX_SAMPLES, Vertex};

/// Colours: eight bits, so that every adapter can draw on it.
pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const IDENTITY: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;

/// All pipelines and the layouts of what they read.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) globals_layout: wgpu::BindGroupLayout,
    pub(super) lit_layout: wgpu::BindGroupLayout,
    pub(super) images_layout: wgpu::BindGroupLayout,
    pub(super) shadow: wgpu::RenderPipeline,
    pub(super) facet_shadow: wgpu::RenderPipeline,
    pub(super) identity: wgpu::RenderPipeline,
    /// For one sample a pixel, and for several.
    pub(super) picture: [Picture; 2],
}

/// What draws a picture with a number of samples.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) background: wgpu::RenderPipeline,
    pub(super) bodies: wgpu::RenderPipeline,
    /// Hidden parts; opaque; translucent.
    pub(super) facets: [wgpu::RenderPipeline; 3],
    /// Hidden parts; visible; over everything.
    pub(super) lines: [wgpu::RenderPipeline; 3],
}

const PLACED: [VertexAttribute; 9] = vertex_attr_array![
    4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4, 8 => Float32x4,
    9 => Float32x4, 10 => Float32x4, 11 => Float32x4, 12 => Uint32];
const CORNER: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32x4];
const FACET: [VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32];
const LINE: [VertexAttribute; 3] =
    vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4];

/// What makes one pipeline different from another.
struct PipelineKind<'a> {
    module: &'a wgpu::ShaderModule,
    layout: &'a wgpu::PipelineLayout,
    entries: [Option<&'static str>; 2],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    strip: bool,
    cull: bool,
    target: Option<wgpu::ColorTargetState>,
    depth: (CompareFunction, bool),
    samples: u32,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device) -> Pipelines {
        let [globals_layout, lit_layout, images_layout] = layouts(device);
        let pipeline_layout = |groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let plain = pipeline_layout(&[Some(&globals_layout)]);
        let lit = pipeline_layout(&[Some(&lit_layout), Some(&images_layout)]);
        let in_sun = pipeline_layout(&[Some(&lit_layout)]);
        let shader = |source: &str| {
            let text = format!("{}\n{source}", include_str!("common.wgsl"));
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(text.into()),
            })
        };
        let sunlit = |source: &str| shader(&format!("{}\n{source}", include_str!("sun.wgsl")));
        let body = sunlit(&[include_str!("surface.wgsl"), include_str!("body.wgsl")].join("\n"));
        let shaders = [
            shader(include_str!("background.wgsl")),
            sunlit(include_str!("facet.wgsl")),
            shader(include_str!("line.wgsl")),
        ];
        let meshes = mesh_buffers();
        let solid = |entries, target, depth, samples| PipelineKind {
            module: &body,
            layout: if entries == ["vertex", "fragment"].map(Some) { &lit } else { &plain },
            entries,
            buffers: &meshes,
            strip: false,
            cull: true,
            target,
            depth,
            samples,
        };
        let less = (CompareFunction::Less, true);
        let names = ["named_vertex", "named_fragment"].map(Some);
        let shadow = make(device, &solid([Some("shadow"), None], None, less, 1));
        let identity = make(device, &solid(names, Some(IDENTITY.into()), less, 1));
        let picture = [1, MAX_SAMPLES].map(|samples| {
            let main = solid(["vertex", "fragment"].map(Some), Some(COLOUR.into()), less, samples);
            Picture::new(device, [&plain, &in_sun], &shaders, &main, samples)
        });
        let sheets = [Some(buffer_of::<FacetData>(&FACET, wgpu::VertexStepMode::Vertex))];
        let facet_shadow = make(
            device,
            &PipelineKind {
                module: &shaders[1],
                buffers: &sheets,
                // A sheet has two sides.
                cull: false,
                ..solid([Some("shadow"), None], None, less, 1)
            },
        );
        Pipelines {
            globals_layout,
            lit_layout,
            images_layout,
            shadow,
            facet_shadow,
            identity,
            picture,
        }
    }
}

/// What shaders are given: the globals; those with the sun's shadows; the images of a body.
fn layouts(device: &wgpu::Device) -> [wgpu::BindGroupLayout; 3] {
    let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = |sample_type| wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let colours = texture(wgpu::TextureSampleType::Float { filterable: true });
    let fragment = wgpu::ShaderStages::FRAGMENT;
    let sampler = wgpu::BindingType::Sampler;
    let globals_layout = layout(&[entry(0, stages, uniform)]);
    let lit_layout = layout(&[
        entry(0, stages, uniform),
        entry(1, fragment, texture(wgpu::TextureSampleType::Depth)),
        entry(2, fragment, sampler(wgpu::SamplerBindingType::Comparison)),
    ]);
    let images_layout = layout(&[
        entry(0, fragment, colours),
        entry(1, fragment, colours),
        entry(2, fragment, sampler(wgpu::SamplerBindingType::Filtering)),
        entry(3, fragment, colours),
    ]);
    [globals_layout, lit_layout, images_layout]
}

impl Picture {
    fn new(
        device: &wgpu::Device,
        [plain, in_sun]: [&wgpu::PipelineLayout; 2],
        [background, facet, line]: &[wgpu::ShaderModule; 3],
        bodies: &PipelineKind,
        samples: u32,
    ) -> Picture {
        let blended = wgpu::ColorTargetState {
            format: COLOUR,
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::COLOR,
        };
        let over = |module, layout, buffers, strip, depth| {
            let kind = PipelineKind {
                module,
                layout,
                entries: ["vertex", "fragment"].map(Some),
                buffers,
                strip,
                cull: false,
                target: Some(blended.clone()),
                depth,
                samples,
            };
            make(device, &kind)
        };
        let (behind, before) = (CompareFunction::Greater, CompareFunction::LessEqual);
        let facets = [Some(buffer_of::<FacetData>(&FACET, wgpu::VertexStepMode::Vertex))];
        let lines = [Some(buffer_of::<LineData>(&LINE, wgpu::VertexStepMode::Instance))];
        Picture {
            background: over(background, plain, &[], false, (CompareFunction::Always, false)),
            bodies: make(device, bodies),
            facets: [(behind, false), (before, true), (before, false)]
                .map(|depth| over(facet, in_sun, &facets, false, depth)),
            lines: [behind, before, CompareFunction::Always]
                .map(|compare| over(line, plain, &lines, true, (compare, false))),
        }
    }
}

fn mesh_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 2] {
    [
        Some(buffer_of::<Vertex>(&CORNER, wgpu::VertexStepMode::Vertex)),
        Some(buffer_of::<Placed>(&PLACED, wgpu::VertexStepMode::Instance)),
    ]
}

fn buffer_of<T>(
    attributes: &'static [VertexAttribute],
    step_mode: wgpu::VertexStepMode,
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes }
}

fn make(device: &wgpu::Device, kind: &PipelineKind) -> wgpu::RenderPipeline {
    let [vertex, fragment] = kind.entries;
    let targets = [kind.target.clone()];
    let topology = if kind.strip {
        wgpu::PrimitiveTopology::TriangleStrip
    } else {
        wgpu::PrimitiveTopology::TriangleList
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(kind.layout),
        vertex: wgpu::VertexState {
            module: kind.module,
            entry_point: vertex,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: kind.buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology,
            cull_mode: kind.cull.then_some(wgpu::Face::Back),
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(kind.depth.1),
            depth_compare: Some(kind.depth.0),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: kind.samples, ..Default::default() },
        fragment: fragment.map(|entry| wgpu::FragmentState {
            module: kind.module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
