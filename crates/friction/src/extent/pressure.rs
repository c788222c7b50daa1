//! How the load is spread over a patch: a grid of cells.

use glamx::{DVec2, DVec3};

use super::cells::{Cells, LANES};
use super::steady;
use crate::FrictionError;
use crate::error::positive;

/// A pressure distribution on N × N square cells. Only cells that carry load are kept; their
/// shares of the load add up to one. Positions are from the centre of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressure {
    side: usize,
    cell: f64,
    centre: DVec2,
    /// Positions from the centre of pressure, and shares.
    pub(crate) cells: Cells,
    count: usize,
    spin_radius: f64,
    gyration2: f64,
}

/// Most cells along a side.
pub const MAX_SIDE: usize = 1024;

impl Pressure {
    /// Cells of a square of this width, metres, with the pressure at their middles: `of(x, y)` is
    /// called for every cell, row by row from the top (+y). Only ratios matter.
    pub fn from_fn(
        side: usize,
        width: f64,
        mut of: impl FnMut(f64, f64) -> f64,
    ) -> Result<Pressure, FrictionError> {
        let cell = cell_size(side, width)?;
        Pressure::from_cells(side, width, |ix, iy| {
            let [x, y] = [ix, iy].map(|i| (i as f64 + 0.5 - 0.5 * side as f64) * cell);
            of(x, -y)
        })
    }

    /// The same by the numbers of column and row; row 0 is at the top (+y).
    pub fn from_cells(
        side: usize,
        width: f64,
        mut of: impl FnMut(usize, usize) -> f64,
    ) -> Result<Pressure, FrictionError> {
        let cell = cell_size(side, width)?;
        let mut list = Vec::new();
        for iy in 0..side {
            for ix in 0..side {
                let p = of(ix, iy);
                if !(p.is_finite() && p >= 0.0) {
                    return Err(FrictionError::Value {
                        what: format!("pressure of cell ({ix}, {iy})"),
                        value: p,
                        expected: "a finite number, zero or more",
                    });
                }
                if p > 0.0 {
                    let [x, y] = [ix, iy].map(|i| (i as f64 + 0.5 - 0.5 * side as f64) * cell);
                    list.push((DVec2::new(x, -y), p));
                }
            }
        }
        // Against overflow.
        let most = list.iter().map(|c| c.1).fold(0.0, f64::max);
        if !(most > 0.0) {
            return Err(FrictionError::Shape(
                "pressure is empty: expected at least one cell above zero".to_owned(),
            ));
        }
        let total: f64 = list.iter().map(|c| c.1 / most).sum();
        for (_, p) in &mut list {
            *p = *p / most / total;
        }
        Ok(Pressure::assemble(side, cell, &list))
    }

    fn assemble(side: usize, cell: f64, list: &[(DVec2, f64)]) -> Pressure {
        let centre: DVec2 = list.iter().map(|(at, share)| *at * *share).sum();
        let mut pressure = Pressure {
            side,
            cell,
            centre,
            cells: Cells::new(list.iter().map(|(at, share)| (*at - centre, *share))),
            count: list.len(),
            spin_radius: 0.0,
            gyration2: list.iter().map(|(at, s)| at.distance_squared(centre) * s).sum(),
        };
        pressure.spin_radius = -steady::bilinear_wrench(&pressure, DVec3::Z).z;
        pressure
    }

    /// Cells that carry load: place from the centre of pressure, metres, and share of the load.
    pub fn iter(&self) -> impl Iterator<Item = (DVec2, f64)> + '_ {
        let place = |k: usize, l: usize| {
            let chunk = &self.cells.chunks[k];
            (DVec2::new(chunk.x[l], chunk.y[l]), chunk.share[l])
        };
        (0..self.count).map(move |i| place(i / LANES, i % LANES))
    }

    /// Number of cells that carry load.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Cells along a side, N.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Side of a cell, metres.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// Width of the grid, metres.
    pub fn width(&self) -> f64 {
        self.cell * self.side as f64
    }

    /// Centre of pressure, from the centre of the grid, metres.
    pub fn centre(&self) -> DVec2 {
        self.centre
    }

    /// r (Eq. 23): torque of a pure spin about the centre of pressure per unit load and unit
    /// coefficient, metres. By the bilinear steady state (Eq. 21), as the authors compute it.
    pub fn spin_radius(&self) -> f64 {
        self.spin_radius
    }

    /// u (Eq. 27): mean squared distance from the centre of pressure, m².
    pub fn gyration2(&self) -> f64 {
        self.gyration2
    }
}

fn cell_size(side: usize, width: f64) -> Result<f64, FrictionError> {
    positive("width of the patch", width)?;
    if side == 0 || side > MAX_SIDE {
        return Err(FrictionError::Value {
            what: "cells along a side N".to_owned(),
            value: side as f64,
            expected: "a whole number from 1 to 1024",
        });
    }
    Ok(width / side as f64)
}
