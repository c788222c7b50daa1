//! Mask factors from measured coefficients of friction (Andrews et al. 2021, section 6.1).
//!
//! Eq. 7, μ = μ₀ + k_A μ_A + k_B μ_B, is linear in the factors k and in μ₀, and the coefficients μ_A and
//! μ_B follow from the maps. Measured pairs and directions thus make a least-squares problem, in which
//! factors are not negative.

mod least_squares;
mod table;

use std::f64::consts::FRAC_2_PI;

use asperity_friction::surface::{Mask, Relief, Surface};
use glamx::DVec2;
use least_squares::solve;

pub use table::read;

/// One measured coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Numbers of the surfaces: A below, and B that lies on it face down.
    pub surfaces: [usize; 2],
    /// Where B moves over A, radians from A's u towards its v.
    pub direction: f64,
    /// How far B is turned against A in the same sense, radians; at zero its u lies along A's.
    pub turn: f64,
    /// The coefficient of friction.
    pub mu: f64,
    /// Line of the table.
    pub line: usize,
}

/// A number that was sought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factor {
    /// What fits best; of those that fit alike the least, where it is not determined.
    pub value: f64,
    /// Whether the measurements determine it: no other value fits them as well.
    pub is_determined: bool,
    /// Standard error from the scatter of the residuals; `None` where there are no more measurements
    /// than numbers, or it is not determined.
    pub error: Option<f64>,
}

/// What fits measurements best.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The factor k of each surface that was measured, by its number: on what its map gives with the mask 1,
    /// or with its mask as a field where it has one.
    pub factors: Vec<(usize, Factor)>,
    /// μ₀, where it was sought.
    pub ambient: Option<Factor>,
    /// Of each measurement, the coefficient less what fits.
    pub residuals: Vec<f64>,
    /// How many numbers the measurements determine, of those sought.
    pub rank: (usize, usize),
}

impl Fit {
    /// Root mean square of the residuals.
    pub fn misfit(&self) -> f64 {
        let sum: f64 = self.residuals.iter().map(|r| r * r).sum();
        (sum / self.residuals.len().max(1) as f64).sqrt()
    }

    /// The largest residual, and which it is.
    pub fn worst(&self) -> (usize, f64) {
        let larger = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 { b } else { a };
        let all = self.residuals.iter().map(|r| r.abs()).enumerate();
        all.fold((0, 0.0), larger)
    }
}

/// The factors of surfaces, and μ₀ unless it is given, that fit measurements best.
pub fn masks(surfaces: &[Surface], all: &[Measured], ambient: Option<f64>) -> Fit {
    let mut numbers: Vec<usize> = all.iter().flat_map(|m| m.surfaces).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let factors = numbers.len();
    let unknowns = factors + usize::from(ambient.is_none());
    let mut columns = vec![vec![0.0; all.len()]; unknowns];
    for (row, measured) in all.iter().enumerate() {
        for (number, way) in measured.surfaces.iter().zip(ways(measured)) {
            let relief = surfaces[*number].relief.as_deref();
            let column = numbers.partition_point(|n| n < number);
            columns[column][row] += relief.map_or(0.0, |relief| coefficient(relief, way));
        }
        if let Some(ones) = columns.get_mut(factors) {
            ones[row] = 1.0;
        }
    }
    let wanted: Vec<f64> = all.iter().map(|m| m.mu - ambient.unwrap_or(0.0)).collect();
    let found = solve(&columns, &wanted);
    let factor = |k: usize| Factor {
        value: found.values[k],
        is_determined: found.is_determined[k],
        error: found.errors[k],
    };
    let given = |row: usize| (0..unknowns).map(|k| columns[k][row] * found.values[k]).sum::<f64>();
    Fit {
        residuals: wanted.iter().enumerate().map(|(row, mu)| mu - given(row)).collect(),
        factors: numbers.iter().enumerate().map(|(k, number)| (*number, factor(k))).collect(),
        ambient: ambient.is_none().then(|| factor(factors)),
        rank: (found.rank, unknowns),
    }
}

/// Where each surface's map must climb to resist: in its own axes u, v.
fn ways(measured: &Measured) -> [DVec2; 2] {
    let d = DVec2::from_angle(measured.direction);
    // Seen from above B is a mirror image, and moves the other way over A than A under it.
    let of_b = DVec2::from_angle(measured.direction - measured.turn);
    [d, DVec2::new(-of_b.x, of_b.y)]
}

/// The mean over the texels of a map of its coefficient (Eqs. 3 to 5) where it climbs along `way`; with its
/// mask, where that is a field.
pub fn coefficient(relief: &Relief, way: DVec2) -> f64 {
    let slopes = relief.map().slopes();
    let climbs = |s: &[f32; 2]| way.dot(DVec2::new(f64::from(s[0]), f64::from(s[1]))).max(0.0);
    let sum: f64 = match relief.mask() {
        Mask::Constant(_) => slopes.iter().map(climbs).sum(),
        Mask::Texels(k) => slopes.iter().zip(k).map(|(s, k)| climbs(s) * f64::from(*k)).sum(),
    };
    FRAC_2_PI * sum / slopes.len() as f64
}
