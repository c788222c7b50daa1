//! Structure textures as one sees them: streaks along their directions.

use asperity::friction::surface::TextureMap;
use asperity::glamx::DVec2;
use asperity_gpu::picture::Image;

/// Columns of the image.
const COLUMNS: u32 = 512;
/// Steps of a streak to either side, in pixels.
const REACH: i32 = 14;
/// How dark the darkest streaks are.
const STRENGTH: f64 = 0.42;

/// An image of one copy of the texture: noise, smeared along the grain (line integral
/// convolution). Where there is no grain it is even.
pub(super) fn weave(map: &TextureMap) -> Image {
    let size = map.size();
    let rows = (f64::from(COLUMNS) * size.y / size.x).round().clamp(32.0, 2048.0) as u32;
    let sides = DVec2::new(f64::from(COLUMNS), f64::from(rows));
    let pixel = size / sides;
    // Streaks are as long in metres along both axes.
    let step = pixel.min_element();
    let mean = |at: DVec2| {
        let Some(first) = map.structure(at).try_normalize() else { return 0.5 };
        let (mut sum, mut count) = (noise(at / pixel, sides), 1.0);
        for sense in [-1.0, 1.0] {
            let (mut place, mut along) = (at, first * sense);
            for _ in 0..REACH {
                place += along * step;
                let Some(next) = map.structure(place).try_normalize() else { break };
                // A direction has no sense: it goes on as it came.
                along = if next.dot(along) < 0.0 { -next } else { next };
                sum += noise(place / pixel, sides);
                count += 1.0;
            }
        }
        // A mean of many is near one half: its spread is brought back.
        0.5 + (sum / count - 0.5) * (0.45 * f64::sqrt(count))
    };
    let texel = |k: u32| {
        let (x, y) = (f64::from(k % COLUMNS) + 0.5, f64::from(rows - 1 - k / COLUMNS) + 0.5);
        let shade = 1.0 - STRENGTH * (1.0 - mean(DVec2::new(x, y) * pixel).clamp(0.0, 1.0));
        let byte = (255.0 * shade) as u8;
        [byte, byte, byte, 255]
    };
    let texels = (0..COLUMNS * rows).map(texel).collect();
    Image { width: COLUMNS, height: rows, texels, is_colour: true }
}

/// A number from 0 to 1 for every pixel; the image repeats.
fn noise(pixel: DVec2, sides: DVec2) -> f64 {
    let place = pixel.rem_euclid(sides).floor();
    let mut h =
        (place.x as u32).wrapping_mul(0x9e37_79b1) ^ (place.y as u32).wrapping_mul(0x85eb_ca77);
    h = (h ^ (h >> 15)).wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 13)).wrapping_mul(0x27d4_eb2f);
    f64::from((h ^ (h >> 16)) & 0xffff) / 65535.0
}

#[cfg(test)]
mod tests {
    use asperity::friction::surface::Wrap;

    use super::*;

    #[test]
    fn streaks_run_along_the_grain() {
        let along_u = vec![[1.0, 0.5, 0.5, 1.0]; 4];
        let map = TextureMap::new(2, 2, along_u, DVec2::new(0.2, 0.1), Wrap::Repeat).unwrap();
        let image = weave(&map);
        assert_eq!([image.width, image.height], [512, 256]);
        let at = |x: u32, y: u32| f64::from(image.texels[(y * 512 + x) as usize][0]);
        let change = |dx: u32, dy: u32| -> f64 {
            (0..200).map(|k| (at(k + dx, k + dy) - at(k, k)).abs()).sum()
        };
        assert!(4.0 * change(1, 0) < change(0, 1), "{} and {}", change(1, 0), change(0, 1));
    }
}
