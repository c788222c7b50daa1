//! Films as GIF: one palette for the whole film, and of each picture only what changed.

use std::io::{BufWriter, Write};
use std::path::Path;

use asperity_gpu::Frame;
use atomic_write_file::AtomicWriteFile;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Repeat};

use crate::error::CliError;

/// Colours; the last index is kept for "as before".
const COLOURS: usize = 255;
const SAME: u8 = 255;
/// Pixels from which the palette is made.
const SAMPLE: usize = 600_000;
/// How much a pixel may be shifted so that gradients have no steps, of 255.
const DITHER: i32 = 3;
/// Order in which the pixels of a square of four by four are shifted up.
const ORDER: [i32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// Writes a film that repeats for ever.
pub(super) fn write(
    path: &Path,
    [width, height]: [u32; 2],
    fps: u32,
    frames: impl Iterator<Item = Result<Frame, CliError>>,
) -> Result<(), CliError> {
    let [w, h] = [width, height].map(|side| side as u16);
    let frames: Vec<Frame> = frames.collect::<Result<_, _>>()?;
    let palette = Palette::new(&frames);
    let file = AtomicWriteFile::open(path).map_err(CliError::at(path))?;
    let mut out = BufWriter::new(file);
    let failed = |e: gif::EncodingError| CliError::Input(format!("{}: {e}", path.display()));
    {
        let mut encoder = Encoder::new(&mut out, w, h, &palette.bytes()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let mut shown: Vec<u8> = Vec::new();
        for (k, frame) in frames.iter().enumerate() {
            let indices = palette.indices(frame);
            let mut picture = changed(&shown, &indices, w, h);
            // Hundredths of a second, rounded so that the sum is right.
            let hundredths = |k: usize| (100 * k as u64 / u64::from(fps)) as u16;
            picture.delay = hundredths(k + 1).wrapping_sub(hundredths(k)).max(1);
            encoder.write_frame(&picture).map_err(failed)?;
            shown = indices;
        }
    }
    out.flush().map_err(CliError::at(path))?;
    let file = out.into_inner().map_err(|e| CliError::at(path)(e.into_error()))?;
    file.commit().map_err(CliError::at(path))
}

/// The rectangle of what changed; what did not is "as before".
fn changed(shown: &[u8], now: &[u8], width: u16, height: u16) -> gif::Frame<'static> {
    let w = usize::from(width);
    if shown.is_empty() {
        let mut whole = gif::Frame::from_indexed_pixels(width, height, now.to_vec(), None);
        whole.dispose = DisposalMethod::Keep;
        return whole;
    }
    let mut bounds = [w, usize::from(height), 0, 0];
    for (k, (a, b)) in shown.iter().zip(now).enumerate() {
        if a != b {
            let (x, y) = (k % w, k / w);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
        }
    }
    let [left, top, right, bottom] = bounds;
    // Where nothing changed, one pixel is left.
    let (left, top) = (left.min(right), top.min(bottom));
    let mut pixels = Vec::new();
    for y in top..=bottom {
        for x in left..=right {
            let k = y * w + x;
            pixels.push(if shown[k] == now[k] { SAME } else { now[k] });
        }
    }
    let (wide, high) = ((right - left + 1) as u16, (bottom - top + 1) as u16);
    let mut part = gif::Frame::from_indexed_pixels(wide, high, pixels, Some(SAME));
    (part.left, part.top) = (left as u16, top as u16);
    part.dispose = DisposalMethod::Keep;
    part
}

/// The colours of a film.
struct Palette {
    colours: NeuQuant,
    /// Index of every colour of five bits a channel and its neighbours.
    nearest: Vec<u8>,
}

/// Bits of a channel that decide which colour of the palette is nearest.
const BITS: u32 = 6;

impl Palette {
    fn new(frames: &[Frame]) -> Palette {
        let all: usize = frames.iter().map(|f| f.pixels.len()).sum();
        let step = (all / SAMPLE).max(1) | 1;
        let sample: Vec<u8> =
            frames.iter().flat_map(|f| &f.pixels).step_by(step).flatten().copied().collect();
        let colours = NeuQuant::new(3, COLOURS, &sample);
        let side = 1_u32 << BITS;
        let full = |k: u32| (k * 255 / (side - 1)) as u8;
        let nearest = (0..side * side * side)
            .map(|k| {
                let rgb = [k / side / side, k / side % side, k % side].map(full);
                colours.index_of(&[rgb[0], rgb[1], rgb[2], 255]) as u8
            })
            .collect();
        Palette { colours, nearest }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.color_map_rgb();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// Every pixel's index, with a slight fixed pattern against steps in gradients.
    fn indices(&self, frame: &Frame) -> Vec<u8> {
        let width = frame.width as usize;
        let index = |(k, [r, g, b, _]): (usize, &[u8; 4])| {
            let (x, y) = (k % width, k / width);
            let shift = (2 * ORDER[y % 4 * 4 + x % 4] - 15) * DITHER / 15;
            let part = |c: u8| {
                let c = (i32::from(c) + shift).clamp(0, 255).cast_unsigned();
                (c * ((1 << BITS) - 1) + 127) / 255
            };
            let place = (part(*r) << (2 * BITS)) | (part(*g) << BITS) | part(*b);
            self.nearest[place as usize]
        };
        frame.pixels.iter().enumerate().map(index).collect()
    }
}
