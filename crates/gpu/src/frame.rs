//! A drawn picture: colours, and which instance every pixel shows.

use std::collections::BTreeMap;

/// A drawn picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue (sRGB) and 255, row by row from the top.
    pub pixels: Vec<[u8; 4]>,
    /// The id of the instance at the middle of each pixel, 0 where there is none; empty unless
    /// the shot asked for it.
    pub identities: Vec<u32>,
}

impl Frame {
    /// How many pixels each id has; 0, the background, is left out.
    pub fn visible(&self) -> BTreeMap<u32, usize> {
        let mut counts = BTreeMap::new();
        for id in self.identities.iter().filter(|id| **id != 0) {
            *counts.entry(*id).or_insert(0) += 1;
        }
        counts
    }
}
