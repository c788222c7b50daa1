//! Steady sliding of a patch with Coulomb friction of coefficient one (Eqs. 7, 8, 19–21).

use glamx::{DVec2, DVec3};
use pulp::{Arch, Simd, WithSimd};

use super::Pressure;
use super::cells::{Cells, LANES, Sums};

/// The wrench per unit load (Eqs. 7 and 8 as sums over cells). A cell at the centre of rotation
/// carries nothing, so the wrench jumps as the centre passes over cells; see [`bilinear_wrench`].
pub fn wrench(pressure: &Pressure, twist: DVec3) -> DVec3 {
    Arch::new().dispatch(Sum { cells: &pressure.cells, twist })
}

/// The same without jumps (Eq. 21): the mean over rotations about the four corners of the cell
/// that holds the centre of rotation. Outside of the grid it is [`wrench`].
pub fn bilinear_wrench(pressure: &Pressure, twist: DVec3) -> DVec3 {
    let corners = Lattice::of(pressure);
    match corners.around(twist) {
        None => wrench(pressure, twist),
        Some((first, part)) => Lattice::mean(first, part, |corner| {
            let about = corners.place(corner);
            wrench(pressure, rotation(about, twist.z))
        }),
    }
}

/// The twist at the centre of pressure of a rotation about a point.
fn rotation(about: DVec2, spin: f64) -> DVec3 {
    DVec3::new(about.y * spin, -about.x * spin, spin)
}

/// The corners of a grid's cells; places are from the centre of pressure.
pub(super) struct Lattice {
    low: DVec2,
    cell: f64,
    side: usize,
}

impl Lattice {
    pub(super) fn of(pressure: &Pressure) -> Lattice {
        let low = DVec2::splat(-0.5 * pressure.width()) - pressure.centre();
        Lattice { low, cell: pressure.cell(), side: pressure.side() }
    }

    /// The lower left corner of the cell that holds the centre of rotation, and where in it.
    pub(super) fn around(&self, twist: DVec3) -> Option<([usize; 2], DVec2)> {
        // The velocity vanishes at (−v_y, v_x)/ω.
        let at = (DVec2::new(-twist.y, twist.x) / twist.z - self.low) / self.cell;
        let inside = |c: f64| c >= 0.0 && c < self.side as f64;
        (twist.z != 0.0 && inside(at.x) && inside(at.y))
            .then(|| ([at.x as usize, at.y as usize], at - at.floor()))
    }

    pub(super) fn place(&self, [i, j]: [usize; 2]) -> DVec2 {
        self.low + DVec2::new(i as f64, j as f64) * self.cell
    }

    /// The number of a corner, and of corners.
    pub(super) fn number(&self, [i, j]: [usize; 2]) -> usize {
        j * (self.side + 1) + i
    }

    pub(super) fn corners(&self) -> usize {
        (self.side + 1) * (self.side + 1)
    }

    /// Weighted by the distances from the four corners.
    pub(super) fn mean(
        [i, j]: [usize; 2],
        part: DVec2,
        mut of: impl FnMut([usize; 2]) -> DVec3,
    ) -> DVec3 {
        let rest = DVec2::ONE - part;
        of([i, j]) * (rest.x * rest.y)
            + of([i, j + 1]) * (rest.x * part.y)
            + of([i + 1, j]) * (part.x * rest.y)
            + of([i + 1, j + 1]) * (part.x * part.y)
    }
}

/// The wrench of a rotation with unit speed about a corner.
pub(super) fn corner_wrench(pressure: &Pressure, lattice: &Lattice, corner: [usize; 2]) -> DVec3 {
    wrench(pressure, rotation(lattice.place(corner), 1.0))
}

struct Sum<'a> {
    cells: &'a Cells,
    twist: DVec3,
}

impl WithSimd for Sum<'_> {
    type Output = DVec3;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> DVec3 {
        let [tx, ty, spin] = self.twist.to_array();
        let mut sums = Sums::ZERO;
        for chunk in &self.cells.chunks {
            for l in 0..LANES {
                let (x, y) = (chunk.x[l], chunk.y[l]);
                let (vx, vy) = (tx - spin * y, ty + spin * x);
                let scale = chunk.share[l] / (vx * vx + vy * vy).sqrt().max(f64::MIN_POSITIVE);
                let (fx, fy) = (scale * vx, scale * vy);
                sums.fx[l] += fx;
                sums.fy[l] += fy;
                sums.torque[l] += x * fy - y * fx;
            }
        }
        sums.opposing()
    }
}
