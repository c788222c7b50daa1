//! Small-scale slopes of a surface, and what is left of them from afar.

/// The slopes (∂h/∂u, ∂h/∂v) of a surface on a grid that repeats beyond its edges. A facet has the
/// normal (−∂h/∂u, −∂h/∂v, 1) along tangent, bitangent and normal of the mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Relief {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// One for each column and row; row 0 is at v = 0.
    pub slopes: Vec<[f32; 2]>,
}

/// Means over an area of the slopes p and q: of p, q, p², q² and p q (Olano and Baker 2010, LEAN
/// mapping). They can be averaged again, which normals cannot.
pub(crate) type Moments = [f32; 5];

/// The moments of a relief on one grid.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) moments: Vec<Moments>,
}

impl Relief {
    /// The relief itself and ever smaller grids, each with the exact means of the one before.
    pub(crate) fn levels(&self) -> Vec<Level> {
        let moments = self.slopes.iter().map(|[p, q]| [*p, *q, p * p, q * q, p * q]).collect();
        let mut levels = vec![Level { width: self.width, height: self.height, moments }];
        while let Some(last) = levels.last().filter(|l| l.width.max(l.height) > 1) {
            let next = last.halved();
            levels.push(next);
        }
        levels
    }
}

impl Level {
    fn halved(&self) -> Level {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let columns: Vec<_> = (0..width).map(|x| shares(x, self.width, width)).collect();
        let mut moments = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            let rows = shares(y, self.height, height);
            for column in &columns {
                let mut mean = [0.0; 5];
                for (j, b) in &rows {
                    for (i, a) in column {
                        let from = &self.moments[(j * self.width + i) as usize];
                        (0..5).for_each(|k| mean[k] += a * b * from[k]);
                    }
                }
                moments.push(mean);
            }
        }
        Level { width, height, moments }
    }

    /// Interpolated between the centres of texels.
    pub(crate) fn at(&self, u: f32, v: f32) -> Moments {
        let place = |t: f32, side: u32| {
            let x = t.rem_euclid(1.0) * side as f32 - 0.5;
            let low = x.floor();
            let wrap = |k: i64| k.rem_euclid(i64::from(side)) as u32;
            ([wrap(low as i64), wrap(low as i64 + 1)], x - low)
        };
        let ((columns, a), (rows, b)) = (place(u, self.width), place(v, self.height));
        let of = |i: usize, j: usize| &self.moments[(rows[j] * self.width + columns[i]) as usize];
        let mix = |x: f32, y: f32, s: f32| x + (y - x) * s;
        [0, 1, 2, 3, 4]
            .map(|k| mix(mix(of(0, 0)[k], of(1, 0)[k], a), mix(of(0, 1)[k], of(1, 1)[k], a), b))
    }
}

/// Which of `from` cells a cell of `to` covers, and by which share of itself.
fn shares(cell: u32, from: u32, to: u32) -> Vec<(u32, f32)> {
    let scale = f64::from(from) / f64::from(to);
    let (low, high) = (f64::from(cell) * scale, f64::from(cell + 1) * scale);
    let covered = |k: u32| high.min(f64::from(k + 1)) - low.max(f64::from(k));
    let all = low as u32..(high.ceil() as u32).min(from);
    all.filter(|k| covered(*k) > 0.0).map(|k| (k, (covered(k) / scale) as f32)).collect()
}

/// The sixteen bits of a number, rounded; what is too large becomes the largest.
pub(crate) fn half(x: f32) -> u16 {
    let sign = ((x.to_bits() >> 16) & 0x8000) as u16;
    let size = x.abs().min(65504.0);
    // Below the smallest normal number there are steps of 2⁻²⁴.
    if size < 6.103_515_6e-5 {
        return sign | (size * 16_777_216.0).round() as u16;
    }
    let bits = size.to_bits() + 0x0fff + ((size.to_bits() >> 13) & 1);
    sign | (((bits >> 13) - (112 << 10)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_the_mean_slope_and_the_mean_square() {
        let slopes: Vec<[f32; 2]> =
            (0..77_u32).map(|k| [(k * 7 % 13) as f32 * 0.1, (k * 5 % 11) as f32 * -0.2]).collect();
        let relief = Relief { width: 11, height: 7, slopes };
        let mean = |level: &Level, k: usize| {
            level.moments.iter().map(|m| f64::from(m[k])).sum::<f64>() / level.moments.len() as f64
        };
        let levels = relief.levels();
        assert_eq!((levels.len(), levels.last().map(|l| l.moments.len())), (4, Some(1)));
        for level in &levels {
            for k in 0..5 {
                assert!((mean(level, k) - mean(&levels[0], k)).abs() < 1e-5, "{k}");
            }
        }
    }

    #[test]
    fn sixteen_bits_are_those_of_the_standard() {
        let known =
            [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (0.333_333_34, 0x3555), (1e9, 0x7bff)];
        for (x, bits) in known {
            assert_eq!(half(x), bits, "{x}");
        }
        assert_eq!(half(5.960_464_5e-8), 1);
    }
}
