//! From the adapter's memory to ours.

use super::targets::{Targets, row_bytes};
use crate::picture::Shot;
use crate::{Frame, RenderError};

/// Waits for the picture and fetches it.
pub(super) fn frame(
    device: &wgpu::Device,
    targets: &Targets,
    shot: &Shot,
) -> Result<Frame, RenderError> {
    let [width, height] = shot.size;
    let pixels = read(device, &targets.colour_out, shot.size, |[r, g, b, _]| [r, g, b, 255])?;
    let identities = if shot.identities {
        read(device, &targets.identity_out, shot.size, u32::from_le_bytes)?
    } else {
        Vec::new()
    };
    Ok(Frame { width, height, pixels, identities })
}

fn read<T>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    [width, height]: [u32; 2],
    pixel: impl Fn([u8; 4]) -> T,
) -> Result<Vec<T>, RenderError> {
    let row = row_bytes(width);
    crate::device::read(device, buffer, u64::from(row) * u64::from(height), |mapped| {
        let mut out = Vec::with_capacity(width as usize * height as usize);
        for row in mapped.chunks(row as usize) {
            let (texels, _) = row[..4 * width as usize].as_chunks::<4>();
            out.extend(texels.iter().map(|texel| pixel(*texel)));
        }
        out
    })
}
