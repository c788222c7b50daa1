//! The convex set with the limit curve of a friction tensor: what a solver may ask of a tensor that
//! was told to dissipate most.

use std::f64::consts::TAU;

use glamx::DVec2;

use super::{Disk, Ellipse, Polygon, Rotation, Set, Tensor, symmetric_eigen};

/// Directions of slip that stand for all of a piecewise tensor.
const DIRECTIONS: usize = 32;

impl Tensor {
    /// The hull of all forces per unit load: an ellipse for one matrix, else a polygon of 32 points of
    /// the limit curve and those where its pieces meet. Its slip directions differ from the tensor's, which
    /// is why this is a conversion that must be asked for.
    pub fn to_convex(&self) -> Set {
        let made = match self.as_linear() {
            Some(q) => {
                // ‖Qᵀd‖ is the support function of an ellipse with the axes of QQᵀ.
                let (least, most, axis) = symmetric_eigen(q * q.transpose());
                let rotation = Rotation::from_direction(axis).unwrap_or(Rotation::IDENTITY);
                let (least, most) = (least.max(0.0).sqrt(), most.max(0.0).sqrt());
                if least == most {
                    Disk::new(most).map(Set::from)
                } else {
                    Ellipse::new(least, most, rotation).map(Set::from)
                }
            }
            None => {
                let even = (0..DIRECTIONS).map(|k| TAU * k as f64 / DIRECTIONS as f64);
                let slips = even.map(DVec2::from_angle);
                let force = |slip: DVec2| self.traction(slip, 1.0);
                let mut points: Vec<DVec2> = slips.map(force).collect();
                for s in self.sectors() {
                    // Both sides of the ray: a tensor may jump there.
                    points.extend(
                        [s.start - BESIDE, s.start + BESIDE].map(|a| force(DVec2::from_angle(a))),
                    );
                }
                points.push(DVec2::ZERO);
                Polygon::from_points(&points).map(Set::from)
            }
        };
        // A tensor is finite and the origin is among the points; only coefficients beyond 1e150, which
        // overflow when squared, come here.
        made.unwrap_or_else(|_| Disk::frictionless().into())
    }
}

/// Radians.
const BESIDE: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use glamx::DMat2;

    #[test]
    fn the_hull_of_a_tensor_has_its_support_function() {
        let skew = DMat2::from_cols(DVec2::new(0.4, 0.2), DVec2::new(-0.1, 0.7));
        let two = DMat2::from_diagonal(DVec2::new(0.2, 0.9));
        let linear = Tensor::linear(skew).unwrap();
        let both = Tensor::asymmetric(skew, two).unwrap();
        for (tensor, tolerance) in [(linear, 1e-14), (both, 5e-3)] {
            let set = tensor.to_convex();
            for k in 0..100 {
                let d = DVec2::from_angle(f64::from(k) * 0.0628).to_array();
                let (found, wanted) =
                    (set.support(&d, 1.0), tensor.support(DVec2::from_array(d), 1.0));
                assert!((found - wanted).abs() <= tolerance, "{k}: {found} {wanted}");
            }
        }
    }
}
