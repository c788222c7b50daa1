//! Lines and triangles over the picture.

use glamx::{Mat4, Vec2, Vec3, Vec4};

use super::Canvas;
use super::shade::{Shade, tone};
use crate::draw::FAINT;
use crate::picture::{Depth, Facet, Line, Shot};

/// Draws everything that lies over the picture. There are `fine` samples a pixel along a side.
pub(super) fn draw(canvas: &mut Canvas, shot: &Shot, clip: &Mat4, shade: &Shade, fine: usize) {
    for opaque in [true, false] {
        for f in shot.facets.iter().filter(|f| f.is_opaque() == opaque) {
            facet(canvas, f, clip, shade, shot.camera.eye);
        }
    }
    let scale = fine as f32;
    for depth in [Depth::Through, Depth::Within, Depth::Over] {
        for l in shot.lines.iter().filter(|l| l.depth == depth) {
            line(canvas, l, clip, shot.camera.eye, shot.camera.near, scale);
        }
    }
}

fn facet(canvas: &mut Canvas, facet: &Facet, clip: &Mat4, shade: &Shade, eye: Vec3) {
    let world = facet.corners.map(|c| Vec3::from_array(c.position));
    let normal: Vec3 = facet.corners.iter().map(|c| Vec3::from_array(c.normal)).sum();
    let light = normal.try_normalize().map(|n| {
        let towards = if n.dot(eye - world[0]) < 0.0 { -n } else { n };
        (towards, shade.light(towards))
    });
    let corners = world.map(|p| *clip * eye.lerp(p, 0.999).extend(1.0));
    let opaque = facet.is_opaque();
    let Canvas { raster, colours } = canvas;
    raster.visit(corners, false, |depth, here, spot| {
        let hidden = here > *depth;
        if hidden && facet.depth == Depth::Within {
            return;
        }
        let of = |k: usize| Vec3::from_slice(&facet.corners[k].colour[..3]);
        let colour = spot.mix([of(0), of(1), of(2)]);
        let colour = light.map_or(colour, |(normal, (sun, around))| {
            let dark =
                facet.in_sun && sun != Vec3::ZERO && !shade.is_sunlit(spot.mix(world), normal);
            tone(colour * if dark { around } else { sun + around })
        });
        let alpha: f32 = (0..3).map(|k| spot.weights[k] * facet.corners[k].colour[3]).sum();
        let alpha = if hidden { FAINT * alpha } else { alpha };
        colours[spot.index] = colours[spot.index].lerp(colour, alpha);
        if opaque && !hidden {
            *depth = here;
        }
    });
}

fn line(canvas: &mut Canvas, line: &Line, clip: &Mat4, eye: Vec3, near: f32, scale: f32) {
    let ends = line.ends.map(|e| *clip * eye.lerp(Vec3::from_array(e), 0.998).extend(1.0));
    let Some([a, b]) = before(ends, near) else { return };
    let Canvas { raster, colours } = canvas;
    let size = Vec2::new(raster.width as f32, raster.height as f32);
    let pixel = |c: Vec4| Vec2::new(0.5 + 0.5 * c.x / c.w, 0.5 - 0.5 * c.y / c.w) * size;
    let (from, to) = (pixel(a), pixel(b));
    let radius = 0.5 * line.width * scale;
    let low = (from.min(to) - radius - 1.0).max(Vec2::ZERO);
    let high = (from.max(to) + radius + 1.0).min(size);
    let along = to - from;
    let colour = Vec3::from_slice(&line.colour[..3]);
    for y in low.y as usize..high.y.max(0.0) as usize {
        for x in low.x as usize..high.x.max(0.0) as usize {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - from;
            let s = (at.dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
            let cover = (radius + 0.5 - (at - along * s).length()).clamp(0.0, 1.0);
            if cover == 0.0 {
                continue;
            }
            let index = y * raster.width + x;
            let here = a.z / a.w + s * (b.z / b.w - a.z / a.w);
            let hidden = line.depth != Depth::Over && here > raster.depths[index];
            if hidden && line.depth == Depth::Within {
                continue;
            }
            let alpha = line.colour[3] * cover * if hidden { FAINT } else { 1.0 };
            colours[index] = colours[index].lerp(colour, alpha);
        }
    }
}

/// The part of a line before the camera.
fn before([a, b]: [Vec4; 2], near: f32) -> Option<[Vec4; 2]> {
    match (a.w >= near, b.w >= near) {
        (true, true) => Some([a, b]),
        (false, false) => None,
        (true, false) => Some([a, b.lerp(a, (near - b.w) / (a.w - b.w))]),
        (false, true) => Some([a.lerp(b, (near - a.w) / (b.w - a.w)), b]),
    }
}
