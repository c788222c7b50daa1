//! Files of measured heights: made by tests, and published ones, read without the reader under test.

#![allow(dead_code)]

use std::path::PathBuf;

use asperity::friction::surface::MAX_SLOPE;
use asperity::glamx::DVec2;
use asperity_scene::asset::tmd;

/// A file with heights in mm by column and row, the top row first.
pub(crate) fn file(
    comment: &str,
    width: usize,
    height: usize,
    size: [f32; 2],
    at: impl Fn(usize, usize) -> f32,
) -> Vec<u8> {
    let mut bytes = b"Binary TrueMap Data File v2.0\r\n\0".to_vec();
    bytes.extend(comment.bytes().chain([0]));
    bytes.extend([width, height].iter().flat_map(|n| (*n as u32).to_le_bytes()));
    bytes.extend([size[0], size[1], 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    let heights = (0..width * height).map(|i| at(i % width, i / width));
    bytes.extend(heights.flat_map(f32::to_le_bytes));
    bytes
}

/// A published scan.
pub(crate) struct Scan {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    side: usize,
    /// Of a texel, mm.
    texel: DVec2,
}

/// The published scans, or nothing and a message. Their sizes are those that their documents state.
pub(crate) fn published() -> Vec<Scan> {
    let Some(root) = std::env::var_os("ASPERITY_DATA") else {
        eprintln!("skipped: ASPERITY_DATA is not set");
        return Vec::new();
    };
    let folder = PathBuf::from(root).join("data/height_maps");
    let scan = |(name, side, x, y): (&'static str, usize, f64, f64)| Scan {
        name,
        bytes: std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}")),
        side,
        texel: DVec2::new(x, y) / side as f64,
    };
    [("Dime.tmd", 300, 18.9566, 18.9566), ("paper.tmd", 512, 0.32, 0.308)].map(scan).into()
}

impl Scan {
    /// Height in mm, by column and row from the bottom. The comment of both files has 24 bytes.
    fn at(&self, column: usize, row: usize) -> f64 {
        let word = 80 + 4 * ((self.side - 1 - row) * self.side + column);
        let bytes = &self.bytes[word..word + 4];
        f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Differences of neighbours, one-sided at the borders, cut at the steepest slope that counts.
    pub(crate) fn slopes(&self) -> Vec<DVec2> {
        let last = self.side - 1;
        let slope = |i: usize| {
            let (x, y) = (i % self.side, i / self.side);
            let ([l, r], [b, t]) =
                ([x.max(1) - 1, last.min(x + 1)], [y.max(1) - 1, last.min(y + 1)]);
            let along = (self.at(r, y) - self.at(l, y)) / ((r - l) as f64 * self.texel.x);
            let up = (self.at(x, t) - self.at(x, b)) / ((t - b) as f64 * self.texel.y);
            DVec2::new(along, up).clamp_length_max(MAX_SLOPE)
        };
        (0..self.side * self.side).map(slope).collect()
    }

    /// The same surface turned by 90 degrees.
    pub(crate) fn turned(&self) -> tmd::HeightMap {
        let mut map = tmd::load(self.name, &self.bytes).unwrap();
        let n = map.width;
        let turned = |i: usize| map.heights[(n - 1 - i % n) * n + i / n];
        map.heights = (0..n * n).map(turned).collect();
        map.size = DVec2::new(map.size.y, map.size.x);
        map
    }
}
