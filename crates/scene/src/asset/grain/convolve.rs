//! Separable convolutions of planes of numbers.

use asperity_friction::surface::Wrap;
use rayon::prelude::*;

/// One number for each pixel, row by row.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

/// Weights from −reach to +reach.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    weights: Vec<f32>,
}

impl Kernel {
    /// A Gaussian of this standard deviation, pixels; the weights sum to one.
    pub(super) fn smooth(sigma: f64) -> Kernel {
        let bell = bell(sigma);
        let sum: f64 = bell.iter().map(|(_, w)| w).sum();
        Kernel { weights: bell.iter().map(|(_, w)| (w / sum) as f32).collect() }
    }

    /// The slope of a Gaussian: of a plane that grows by one a pixel it makes one.
    pub(super) fn slope(sigma: f64) -> Kernel {
        let bell = bell(sigma);
        let sum: f64 = bell.iter().map(|(x, w)| x * x * w).sum();
        Kernel { weights: bell.iter().map(|(x, w)| (x * w / sum) as f32).collect() }
    }

    fn reach(&self) -> isize {
        (self.weights.len() / 2).cast_signed()
    }
}

/// Places and heights of a bell curve, to four standard deviations.
fn bell(sigma: f64) -> Vec<(f64, f64)> {
    let reach = (4.0 * sigma).ceil().max(1.0) as i32;
    (-reach..=reach).map(f64::from).map(|x| (x, (-0.5 * (x / sigma).powi(2)).exp())).collect()
}

impl Plane {
    pub(super) fn zero(width: usize, height: usize) -> Plane {
        Plane { width, height, values: vec![0.0; width * height] }
    }

    /// Weighted sums of neighbours, along rows with one kernel and along columns with another.
    pub(super) fn convolved(&self, along: &Kernel, across: &Kernel, wrap: Wrap) -> Plane {
        let place = |i: isize, side: usize| match wrap {
            Wrap::Repeat => i.rem_euclid(side.cast_signed()).cast_unsigned(),
            Wrap::Clamp => i.clamp(0, side.cast_signed() - 1).cast_unsigned(),
        };
        let width = self.width;
        let mut rows = Plane::zero(width, self.height);
        let pairs = rows.values.par_chunks_mut(width).zip(self.values.par_chunks(width));
        pairs.for_each(|(out, row)| {
            // The row with what lies beyond its ends, so that the sums need no cases.
            let reach = along.reach();
            let longer: Vec<f32> =
                (-reach..width.cast_signed() + reach).map(|i| row[place(i, width)]).collect();
            for (x, value) in out.iter_mut().enumerate() {
                let near = &longer[x..x + along.weights.len()];
                *value = near.iter().zip(&along.weights).map(|(v, w)| v * w).sum();
            }
        });
        let mut result = Plane::zero(width, self.height);
        result.values.par_chunks_mut(width).enumerate().for_each(|(y, out)| {
            for (k, weight) in across.weights.iter().enumerate() {
                let from = place((y + k).cast_signed() - across.reach(), rows.height) * width;
                let row = &rows.values[from..from + width];
                out.iter_mut().zip(row).for_each(|(o, v)| *o += weight * v);
            }
        });
        result
    }
}
