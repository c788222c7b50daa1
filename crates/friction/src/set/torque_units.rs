//! Torques and forces of one set made alike in size: its patch radius.

use super::{DiskDisk, Ellipsoid, Set};

impl Set {
    /// Length that relates the set's torques to its forces, metres; one where it has none.
    pub fn patch_radius(&self) -> f64 {
        let ratio = match self {
            Set::Ellipsoid(s) => s.drilling() / s.section().mu().max_element(),
            Set::DiskDisk(s) => s.roll().radius() / s.slide().radius(),
            Set::LimitSurface(s) => s.drilling() / s.section().mu().max_element(),
            Set::LimitPolytope(s) => s.drilling() / s.largest(),
            Set::Wrench(s) => s.radius(),
            _ => 1.0,
        };
        if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
    }

    /// The set with its torques in units of so many metres; `None` where that changes nothing. A
    /// wrench, which brings its own solution, is left as it is.
    pub fn in_torque_units(&self, unit: f64) -> Option<Set> {
        match self {
            Set::Ellipsoid(s) => {
                Ellipsoid::new(s.section(), s.drilling() / unit).ok().map(Set::Ellipsoid)
            }
            Set::DiskDisk(s) => {
                let (slide, roll) = (s.slide().radius(), s.roll().radius());
                DiskDisk::new(slide, roll / unit).ok().map(Set::DiskDisk)
            }
            Set::LimitSurface(s) => Some(s.in_torque_units(unit).into()),
            Set::LimitPolytope(s) => Some(s.in_torque_units(unit).into()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{Disk, Ellipse, Rotation};

    #[test]
    fn in_units_of_its_radius_a_set_is_as_high_as_wide() {
        let section = Ellipse::new(0.5, 0.2, Rotation::IDENTITY).unwrap();
        let set = Set::from(Ellipsoid::new(section, 0.03).unwrap());
        let radius = set.patch_radius();
        assert!((radius - 0.06).abs() < 1e-15);
        let scaled = set.in_torque_units(radius).unwrap();
        assert!((scaled.support(&[0.0, 0.0, 1.0], 1.0) - 0.5).abs() < 1e-15);
        let planar = Set::from(Disk::new(0.5).unwrap());
        assert_eq!((planar.patch_radius(), planar.in_torque_units(2.0)), (1.0, None));
    }
}
