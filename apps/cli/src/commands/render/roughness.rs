//! Textures of friction tensors as one sees them: the rougher the darker.

use asperity::friction::surface::TextureMap;
use asperity::glamx::DVec2;
use asperity_gpu::picture::Image;

/// Columns of the image.
const COLUMNS: u32 = 512;
/// How dark the roughest place is.
const STRENGTH: f64 = 0.55;

/// An image of one copy of the texture, by the mean of what Q11 and Q22 are multiplied with, from the
/// least in the texture (as the body is) to the most.
pub(super) fn shades(map: &TextureMap) -> Image {
    let size = map.size();
    let rows = (f64::from(COLUMNS) * size.y / size.x).round().clamp(1.0, 2048.0) as u32;
    let pixel = size / DVec2::new(f64::from(COLUMNS), f64::from(rows));
    let all = || map.texels().iter().map(|t| 0.5 * (f64::from(t[0]) + f64::from(t[3])));
    let (least, most) = all()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
    let per = if most > least { STRENGTH / (most - least) } else { 0.0 };
    let texel = |k: u32| {
        let at = DVec2::new(f64::from(k % COLUMNS) + 0.5, f64::from(rows - 1 - k / COLUMNS) + 0.5);
        let channels = map.sample(at * pixel);
        let shade = 1.0 - per * (0.5 * (channels.x + channels.w) - least);
        let byte = (255.0 * shade) as u8;
        [byte, byte, byte, 255]
    };
    let texels = (0..COLUMNS * rows).map(texel).collect();
    Image { width: COLUMNS, height: rows, texels, is_colour: true }
}

#[cfg(test)]
mod tests {
    use asperity::friction::surface::Wrap;

    use super::*;

    #[test]
    fn stripes_that_are_rougher_are_darker_and_the_rest_keeps_its_colour() {
        let texels = vec![[1.0; 4], [1.0; 4], [10.0; 4], [10.0; 4]];
        let map = TextureMap::new(4, 1, texels, DVec2::new(2.0, 1.0), Wrap::Repeat).unwrap();
        let image = shades(&map);
        assert_eq!([image.width, image.height], [512, 256]);
        let at = |x: usize| image.texels[100 * 512 + x][0];
        // In the middle between the centres of two texels alike.
        assert_eq!(at(128), 255);
        assert_eq!(at(384), (255.0 * (1.0 - STRENGTH)) as u8);
    }

    #[test]
    fn an_even_texture_is_not_shaded() {
        let map = TextureMap::new(1, 1, vec![[3.0; 4]], DVec2::ONE, Wrap::Repeat).unwrap();
        assert!(shades(&map).texels.iter().all(|t| t[0] == 255));
    }
}
