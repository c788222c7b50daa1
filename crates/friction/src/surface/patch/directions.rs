//! Directions of motion, evenly over the circle.

use std::f64::consts::{FRAC_PI_2, TAU};

use glamx::DVec2;

use crate::FrictionError;

/// Most directions of a limit curve.
pub const MAX_DIRECTIONS: usize = 360;

/// K directions of motion, evenly over the circle, and the sectors they cut it into.
///
/// Whether a slope vector g resists d, g·d > 0, changes only where g is square to d. So the
/// circle falls into M sectors (K of them if K is even, else 2K) in which all slope vectors resist
/// the same directions, and it is enough to sum them by sector: the sum for a direction is that
/// of the M/2 sectors around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Directions {
    units: Vec<DVec2>,
    sectors: usize,
    /// Bins are even in the pseudo-angle, and none has two beginnings of sectors in it; the last is
    /// repeated up to a power of two.
    bins: Vec<Bin>,
    bins_per_quarter: f64,
    /// The first of the sectors around each direction.
    first: Vec<usize>,
    /// Where there are few sectors, which is quicker than bins.
    few: Option<FewSectors>,
}

/// A piece of the circle.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bin {
    /// The pseudo-angle at which the next sector begins.
    next: f64,
    /// How many sectors have begun where the bin begins.
    begun: u32,
}

impl Directions {
    /// `count` directions, the first along the first axis: 2 to [`MAX_DIRECTIONS`].
    pub fn new(count: usize) -> Result<Directions, FrictionError> {
        if !(2..=MAX_DIRECTIONS).contains(&count) {
            return Err(FrictionError::Value {
                what: "number of directions".to_owned(),
                value: count as f64,
                expected: "2 to 360",
            });
        }
        let sectors = if count.is_multiple_of(2) { count } else { 2 * count };
        let width = TAU / sectors as f64;
        // In units of the sectors' width a quarter turn is M/4: whole, or whole and a half.
        let offset = (sectors % 4) as f64 / 4.0;
        let starts: Vec<DVec2> = (0..sectors).map(|j| exact(width * (j as f64 + offset))).collect();
        let mut angles: Vec<f64> = starts.iter().map(|v| pseudo_angle(v.x, v.y)).collect();
        angles.push(f64::INFINITY);
        // The pseudo-angle grows by at least half the angle, so a sector has at least π/M of the
        // 4 that are a turn.
        let count_of_bins = 4 * sectors;
        let bin = |i: usize| {
            let from = 4.0 * i as f64 / count_of_bins as f64;
            let begun = angles.iter().filter(|s| **s <= from).count();
            Bin { next: angles[begun], begun: begun as u32 }
        };
        let first = (0..count).map(|k| {
            let from = TAU * k as f64 / count as f64 - FRAC_PI_2;
            (from / width - offset).round().rem_euclid(sectors as f64) as usize % sectors
        });
        // To a power of two, so that an index needs no comparison.
        let whole = (count_of_bins + 1).next_power_of_two();
        let padding = std::iter::repeat_n(count_of_bins, whole - count_of_bins - 1);
        Ok(Directions {
            units: (0..count).map(|k| exact(TAU * k as f64 / count as f64)).collect(),
            bins: (0..=count_of_bins).chain(padding).map(bin).collect(),
            bins_per_quarter: count_of_bins as f64 / 4.0,
            first: first.collect(),
            few: FewSectors::new(&starts),
            sectors,
        })
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.units.len()
    }

    /// Direction `k`, a unit vector.
    pub fn get(&self, k: usize) -> DVec2 {
        self.units[k]
    }

    /// How many sectors.
    pub fn sectors(&self) -> usize {
        self.sectors
    }

    /// For a device that finds sectors itself: 4 M + 1 pieces of the circle, M the number of
    /// sectors, even in a pseudo-angle from 0 to 4 (1 − c above the first axis and 3 + c below,
    /// c = x/(|x| + |y|)). Each has the sector that it begins in, and the pseudo-angle from which
    /// on the next sector counts.
    pub fn bins(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let before_first = self.sectors as u32 - 1;
        self.bins[..=4 * self.sectors]
            .iter()
            .map(move |b| (b.begun.checked_sub(1).unwrap_or(before_first), b.next))
    }

    /// How many sums there are: one for what lies before the first sector, one for each sector, and
    /// some for nothing, up to a power of two.
    pub(super) fn sums(&self) -> usize {
        (self.sectors + 1).next_power_of_two()
    }

    /// Adds vectors, given by their parts along x and y, to the sums of the sectors they lie in.
    /// `begun` is room to work in.
    #[inline(always)]
    pub(super) fn add(&self, x: &[f64], y: &[f64], begun: &mut Vec<u64>, sums: &mut [DVec2]) {
        let Some(few) = &self.few else { return self.add_by_bins(x, y, sums) };
        begun.resize(x.len(), 0);
        few.find(x, y, begun);
        let last = sums.len() - 1;
        for ((x, y), begun) in x.iter().zip(y).zip(begun) {
            sums[*begun as usize & last] += DVec2::new(*x, *y);
        }
    }

    /// The same for any number of sectors.
    #[inline(always)]
    fn add_by_bins(&self, x: &[f64], y: &[f64], sums: &mut [DVec2]) {
        // Of this size a number has no digits after the point, and its last bits count. A whole
        // number may come out one less: the comparison puts that right.
        const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
        let last = self.bins.len() - 1;
        for (x, y) in x.chunks(CHUNK).zip(y.chunks(CHUNK)) {
            let (mut angles, mut bins) = ([0.0; CHUNK], [0; CHUNK]);
            for (((x, y), angle), bin) in x.iter().zip(y).zip(&mut angles).zip(&mut bins) {
                *angle = pseudo_angle(*x, *y);
                *bin = (*angle * self.bins_per_quarter - 0.5 + WHOLE).to_bits();
            }
            for (((x, y), angle), bin) in x.iter().zip(y).zip(&angles).zip(&bins) {
                let bin = &self.bins[*bin as usize & last];
                sums[bin.begun as usize + usize::from(*angle >= bin.next)] += DVec2::new(*x, *y);
            }
        }
    }

    /// From the sums of sectors to those of directions.
    pub(super) fn gather(&self, sums: &mut [DVec2], points: &mut [DVec2]) {
        // What lies before the first beginning belongs to the last sector.
        let sectors = self.sectors;
        sums[sectors] += sums[0];
        let sums = &sums[1..=sectors];
        for (point, first) in points.iter_mut().zip(&self.first) {
            // Up to the last sector, and the rest from the first one on.
            let end = first + sectors / 2;
            let (here, beyond) = (&sums[*first..end.min(sectors)], end.saturating_sub(sectors));
            *point = here.iter().chain(&sums[..beyond]).fold(DVec2::ZERO, |sum, s| sum + *s);
        }
    }
}

/// Finds sectors by comparing a vector, turned into the upper half, with where each begins. It needs
/// no division and no table.
#[derive(Debug, Clone, PartialEq)]
struct FewSectors {
    /// Cotangents of where sectors begin above the first axis, and −∞ in place of those missing.
    cotangents: [f64; FewSectors::MOST],
    /// How many sectors begin on the first axis, none or one, and in half a turn.
    on_axis: u64,
    half: u64,
}

impl FewSectors {
    /// Most that begin above the first axis.
    const MOST: usize = 8;

    fn new(starts: &[DVec2]) -> Option<FewSectors> {
        let half = starts.len() / 2;
        let above = || starts[..half].iter().filter(|v| v.y > 0.0);
        (above().count() <= FewSectors::MOST).then(|| {
            let mut cotangents = [f64::NEG_INFINITY; FewSectors::MOST];
            for (cotangent, v) in cotangents.iter_mut().zip(above()) {
                *cotangent = v.x / v.y;
            }
            FewSectors { cotangents, on_axis: (half - above().count()) as u64, half: half as u64 }
        })
    }

    /// How many sectors have begun where each vector points. Nothing in it branches, so that the
    /// machine's vectors serve.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)]
    fn find(&self, x: &[f64], y: &[f64], begun: &mut [u64]) {
        let FewSectors { cotangents, on_axis, half } = *self;
        for ((x, y), begun) in x.iter().zip(y).zip(begun) {
            let is_below = (*y < 0.0) | ((*x < 0.0) & (*y <= 0.0));
            let (along, up) = (if is_below { -*x } else { *x }, y.abs());
            let mut count = if is_below { on_axis + half } else { on_axis };
            for cotangent in cotangents {
                count += u64::from(along <= up * cotangent);
            }
            *begun = count;
        }
    }
}

/// Vectors whose angles are computed together.
const CHUNK: usize = 32;

/// A number from 0 to 4 that grows with the angle, without a trigonometric function.
#[inline(always)]
fn pseudo_angle(x: f64, y: f64) -> f64 {
    let x = x / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
    // 1 − x above the first axis, 3 + x below. Adding zero makes a positive zero of a negative one.
    2.0 - (1.0 + x).copysign(y + 0.0)
}

/// The unit vector at an angle; along an axis the other part is exactly zero.
fn exact(angle: f64) -> DVec2 {
    let snap = |c: f64| if c.abs() < 1e-14 { 0.0 } else { c };
    let v = DVec2::from_angle(angle);
    DVec2::new(snap(v.x), snap(v.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the axes and diagonals too, and for zeros of either sign.
    #[test]
    fn few_sectors_are_those_of_bins() {
        let parts = [-2.0, -1.0, -1e-9, -0.0, 0.0, 1e-9, 0.3, 1.0, 2.0];
        let (x, y): (Vec<f64>, Vec<f64>) =
            parts.iter().flat_map(|x| parts.iter().map(|y| (*x, *y))).unzip();
        let mut found = 0;
        for count in 2..=16 {
            let directions = Directions::new(count).unwrap();
            if directions.few.is_none() {
                continue;
            }
            found += 1;
            for (x, y) in x.iter().zip(&y) {
                let mut sums = [vec![DVec2::ZERO; directions.sums()], Vec::new()];
                sums[1] = sums[0].clone();
                directions.add(&[*x], &[*y], &mut Vec::new(), &mut sums[0]);
                directions.add_by_bins(&[*x], &[*y], &mut sums[1]);
                assert_eq!(sums[0], sums[1], "({x:e}, {y:e}) of {count}");
            }
        }
        assert_eq!(found, 8 + 3, "even numbers up to 16, and 3, 5 and 7");
    }
}
