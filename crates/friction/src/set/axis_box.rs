//! The box around a set, along the set's own axes where it has any.

use super::{Interval, MAX_DIM, Rotation, Set};

/// Bounds along axes at right angles, one for each row of a set; none by default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AxisBox {
    axes: [Axis; MAX_DIM],
    dim: usize,
}

/// One axis of a box. Forces and torques are never on the same axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Axis {
    /// Unit vector in the rows of the set.
    pub direction: [f64; MAX_DIM],
    /// Least and most per unit load; `None` where there are no bounds.
    pub bounds: Option<Interval>,
}

impl Axis {
    /// Component of a vector.
    #[inline]
    pub fn along(&self, v: &[f64]) -> f64 {
        v.iter().zip(&self.direction).map(|(v, d)| v * d).sum()
    }

    /// The nearest admissible component at this load.
    #[inline]
    pub fn project(&self, component: f64, load: f64) -> f64 {
        self.bounds.map_or(component, |bounds| bounds.project(component, load))
    }

    fn new(row: usize, direction: &[f64], bounds: Option<Interval>) -> Axis {
        let mut axis = Axis { direction: [0.0; MAX_DIM], bounds };
        axis.direction[row..row + direction.len()].copy_from_slice(direction);
        axis
    }
}

impl AxisBox {
    /// The axes, as many as rows.
    pub fn axes(&self) -> &[Axis] {
        &self.axes[..self.dim]
    }

    /// The same box with torques, which begin with the third row, in units of so many metres.
    #[must_use]
    pub fn in_torque_units(&self, unit: f64) -> AxisBox {
        let mut scaled = *self;
        for axis in &mut scaled.axes[2.min(self.dim)..self.dim] {
            axis.bounds =
                axis.bounds.and_then(|b| Interval::new(b.min() / unit, b.max() / unit).ok());
        }
        scaled
    }

    /// f − P(f − s) for the friction `f` and its slip times a positive factor `s`, axis by axis.
    pub fn natural_map(&self, load: f64, f: &[f64], s: &[f64], e: &mut [f64]) {
        e.fill(0.0);
        for axis in self.axes() {
            let at = axis.along(f);
            let error = at - axis.project(at - axis.along(s), load);
            for (e, d) in e.iter_mut().zip(&axis.direction) {
                *e += error * d;
            }
        }
    }
}

impl Set {
    /// The smallest box around the set with its axes; `None` for one that brings its own solution.
    /// Free sets, intervals and boxes are their own.
    pub fn around(&self) -> Option<AxisBox> {
        let mut axes = [Axis::default(); MAX_DIM];
        let dim = self.dim();
        let turned = match self {
            Set::Wrench(_) => return None,
            Set::Free(_) => {
                for (row, axis) in axes.iter_mut().enumerate().take(dim) {
                    *axis = Axis::new(row, &[1.0], None);
                }
                return Some(AxisBox { axes, dim });
            }
            Set::Box(s) => s.rotation(),
            Set::Ellipse(s) => s.rotation(),
            Set::Ellipsoid(s) => s.section().rotation(),
            Set::LimitSurface(s) => s.section().rotation(),
            _ => Rotation::IDENTITY,
        };
        let axis = turned.axis();
        for (row, out) in axes.iter_mut().enumerate().take(dim) {
            let lone = dim % 2 == 1 && row + 1 == dim;
            *out = match row % 2 {
                _ if lone => Axis::new(row, &[1.0], None),
                0 => Axis::new(row, &axis.to_array(), None),
                _ => Axis::new(row - 1, &axis.perp().to_array(), None),
            };
            let reach = |sign: f64| {
                let direction = out.direction.map(|d| sign * d);
                self.support(&direction[..dim], 1.0).max(0.0)
            };
            out.bounds = match self {
                Set::Interval(s) => Some(*s),
                Set::Box(s) => Some(if row == 0 { s.first() } else { s.second() }),
                // Supports of a valid set: finite and not negative.
                _ => Interval::new(-reach(-1.0), reach(1.0)).ok(),
            };
        }
        Some(AxisBox { axes, dim })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{BoxSet, DiskDisk, Ellipse, Ellipsoid};

    #[test]
    fn a_box_touches_the_set_on_all_sides() {
        let turn = Rotation::from_angle(0.4);
        let ellipse = Ellipse::new(0.2, 0.7, turn).unwrap();
        let sets: [Set; 3] = [
            ellipse.into(),
            Ellipsoid::new(ellipse, 0.03).unwrap().into(),
            DiskDisk::new(0.5, 0.01).unwrap().into(),
        ];
        let widths = [vec![0.2, 0.7], vec![0.2, 0.7, 0.03], vec![0.5, 0.5, 0.01, 0.01]];
        for (set, widths) in sets.iter().zip(widths) {
            let around = set.around().unwrap();
            assert_eq!(around.axes().len(), set.dim());
            for (axis, width) in around.axes().iter().zip(widths) {
                let bounds = axis.bounds.unwrap();
                assert!((bounds.max() - width).abs() < 1e-15, "{set:?}");
                assert!((bounds.min() + width).abs() < 1e-15, "{set:?}");
            }
        }
    }

    #[test]
    fn the_natural_map_of_a_box_is_that_of_its_projection() {
        let (a, b) = (Interval::new(-0.3, 0.1).unwrap(), Interval::symmetric(0.6).unwrap());
        let sides = BoxSet::new(a, b, Rotation::from_angle(1.1));
        let around = Set::from(sides).around().unwrap();
        for k in 0..50 {
            let x = f64::from(k) * 0.37;
            let (f, s) = ([x.sin(), (1.3 * x).cos()], [(2.1 * x).cos(), (0.7 * x).sin()]);
            let mut e = [0.0; 2];
            around.natural_map(1.5, &f, &s, &mut e);
            let p = sides.project(glamx::DVec2::new(f[0] - s[0], f[1] - s[1]), 1.5);
            assert!((f[0] - e[0] - p.x).abs() < 1e-15 && (f[1] - e[1] - p.y).abs() < 1e-15);
        }
    }
}
