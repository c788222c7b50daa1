//! Bristles of cells from step to step: by where they are on the patch.

use glamx::{DVec2, DVec3};

use super::super::{Bent, LoadedCells, Past};
use super::cells::{Cell, Cells};
use crate::law::ContactFrame;

/// The cells of a patch, bent as the past left them.
pub(super) fn cells(loaded: &LoadedCells, frame: &ContactFrame, past: Option<&Past>) -> Vec<Cell> {
    let LoadedCells { bed, friction } = loaded;
    let cell = |((place, share), friction): (&(DVec2, f64), &f64)| Cell {
        place: *place,
        share: *share,
        friction: *friction,
        bent: DVec2::ZERO,
    };
    let mut list: Vec<Cell> = bed.places().iter().zip(friction).map(cell).collect();
    let Some(old) = past.and_then(|past| past.bristles.as_deref()) else { return list };
    let (middle, reach) = (bed.middle(), bed.reach());
    let way = |b: &Bent, cell: &Cell| frame.to_plane(b.place).distance(cell.place + middle);
    // Mostly the cells are those of the last step. Else the nearest bristle within a cell stays; others are new.
    let near = |(b, cell): (&Bent, &Cell)| way(b, cell) <= 0.5 * reach;
    if old.len() == list.len() && old.iter().zip(&list).all(near) {
        for (cell, b) in list.iter_mut().zip(old) {
            cell.bent = frame.to_plane(b.by);
        }
        return list;
    }
    for cell in &mut list {
        let nearer = |best: (f64, DVec3), b: &Bent| {
            let far = way(b, cell);
            if far < best.0 { (far, b.by) } else { best }
        };
        cell.bent = frame.to_plane(old.iter().fold((reach, DVec3::ZERO), nearer).1);
    }
    list
}

/// What is remembered of cells; `None` where nothing is bent, or what is has lost its numbers.
pub(super) fn past(
    cells: &Cells,
    loaded: &LoadedCells,
    frame: &ContactFrame,
    speed: f64,
) -> Option<Past> {
    let (mean, middle) = (cells.mean(), loaded.bed.middle());
    let sound = cells.list.iter().all(|cell| cell.bent.is_finite()) && mean.is_finite();
    let any = cells.list.iter().any(|cell| cell.bent != DVec2::ZERO);
    let bent = |cell: &Cell| Bent {
        place: frame.to_world(cell.place + middle),
        by: frame.to_world(cell.bent),
    };
    (sound && any).then(|| Past {
        vector: frame.to_world(mean.truncate()),
        numbers: [mean.z, speed],
        bristles: Some(cells.list.iter().map(bent).collect()),
    })
}
