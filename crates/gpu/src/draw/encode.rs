//! The passes of a picture, in order.

use super::data::{Batches, Run};
use super::pipelines::Pipelines;
use super::stage::OnDevice;
use super::targets::Targets;
use crate::picture::Shot;

/// Writes down how a shot is drawn.
pub(super) fn shot(
    encoder: &mut wgpu::CommandEncoder,
    pipelines: &Pipelines,
    stage: &OnDevice,
    targets: &Targets,
    batches: &Batches,
    shot: &Shot,
) {
    let run = |pass: &mut wgpu::RenderPass, run: &Run| {
        let Some(Some((vertices, indices, count))) = stage.meshes.get(run.mesh) else { return };
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..*count, 0, run.instances.clone());
    };
    {
        // 1. What the sun sees.
        let mut pass = pass(encoder, None, &targets.shadow);
        pass.set_pipeline(&pipelines.shadow);
        pass.set_bind_group(0, &targets.globals_group, &[]);
        if let Some(instances) = &batches.instances {
            pass.set_vertex_buffer(1, instances.slice(..));
            batches.runs.iter().filter(|r| r.casts_shadow).for_each(|r| run(&mut pass, r));
        }
        if let (Some((corners, _)), 1..) = (&batches.facets[1], batches.casting) {
            pass.set_pipeline(&pipelines.facet_shadow);
            pass.set_vertex_buffer(0, corners.slice(..));
            pass.draw(0..batches.casting, 0..1);
        }
    }
    {
        // 2. The picture.
        let colour = wgpu::RenderPassColorAttachment {
            view: targets.many.as_ref().unwrap_or(&targets.colour_view),
            depth_slice: None,
            resolve_target: targets.many.as_ref().map(|_| &targets.colour_view),
            ops: wgpu::Operations::default(),
        };
        let mut pass = pass(encoder, Some(colour), &targets.depth);
        let picture = &pipelines.picture[usize::from(shot.samples > 1)];
        pass.set_bind_group(0, &targets.globals_group, &[]);
        pass.set_pipeline(&picture.background);
        pass.draw(0..3, 0..1);
        if let Some(instances) = &batches.instances {
            pass.set_pipeline(&picture.bodies);
            pass.set_bind_group(0, &targets.group, &[]);
            pass.set_vertex_buffer(1, instances.slice(..));
            for r in &batches.runs {
                if let Some(images) = stage.group(r.images) {
                    pass.set_bind_group(1, images, &[]);
                    run(&mut pass, r);
                }
            }
        }
        pass.set_bind_group(0, &targets.group, &[]);
        for (pipeline, layer) in picture.facets.iter().zip(&batches.facets) {
            if let Some((corners, count)) = layer {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, corners.slice(..));
                pass.draw(0..*count, 0..1);
            }
        }
        pass.set_bind_group(0, &targets.globals_group, &[]);
        for (pipeline, layer) in picture.lines.iter().zip(&batches.lines) {
            if let Some((strokes, count)) = layer {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, strokes.slice(..));
                pass.draw(0..4, 0..*count);
            }
        }
    }
    if shot.identities {
        // 3. Which instance is where.
        let ids = wgpu::RenderPassColorAttachment {
            view: &targets.identity_view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        };
        let mut pass = pass(encoder, Some(ids), &targets.identity_depth);
        pass.set_pipeline(&pipelines.identity);
        pass.set_bind_group(0, &targets.globals_group, &[]);
        if let Some(instances) = &batches.instances {
            pass.set_vertex_buffer(1, instances.slice(..));
            batches.runs.iter().for_each(|r| run(&mut pass, r));
        }
    }
}

/// A pass with a depth that starts at the farthest.
fn pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    colour: Option<wgpu::RenderPassColorAttachment>,
    depth: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    let attachments = [colour];
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: if attachments[0].is_some() { &attachments } else { &[] },
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
