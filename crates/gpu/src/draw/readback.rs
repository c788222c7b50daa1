//! From the adapter's memory to ours.

use super::targets::{Targets, row_bytes};
use crate::picture::Shot;
use crate::{Frame, RenderError};

/// How long an adapter may take for one picture.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);

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
    let failed = |what: String| RenderError::Adapter(what);
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        let _ = sender.send(result);
    });
    let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) };
    device.poll(wait).map_err(|e| failed(format!("no answer after {PATIENCE:?}: {e}")))?;
    receiver.recv().map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
    let mut out = Vec::with_capacity(width as usize * height as usize);
    {
        let mapped = buffer.get_mapped_range(..).map_err(|e| failed(e.to_string()))?;
        for row in mapped.chunks(row_bytes(width) as usize).take(height as usize) {
            let (texels, _) = row[..4 * width as usize].as_chunks::<4>();
            out.extend(texels.iter().map(|texel| pixel(*texel)));
        }
    }
    buffer.unmap();
    Ok(out)
}
