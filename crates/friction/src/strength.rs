//! Laws with a stronger or weaker set.

use glamx::DVec2;

use crate::FrictionError;
use crate::law::Law;
use crate::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, Polygon, Sector, Set, Tensor,
};

impl Law {
    /// The same with all forces of the set times a factor, zero or more: for memories and sections
    /// whose coefficients depend on more than a set's shape. Refused for joints, which have no
    /// coefficient, and wrenches, whose section is to be scaled instead.
    pub fn scaled(self, factor: f64) -> Result<Law, FrictionError> {
        Ok(Law { set: scaled(&self.set, factor)?, ..self })
    }
}

fn scaled(set: &Set, factor: f64) -> Result<Set, FrictionError> {
    let ellipse = |s: &Ellipse| Ellipse::new(s.mu().x * factor, s.mu().y * factor, s.rotation());
    let interval = |s: Interval| Interval::new(s.min() * factor, s.max() * factor);
    let polygon = |corners: &[DVec2]| {
        Polygon::from_points(&corners.iter().map(|c| *c * factor).collect::<Vec<_>>())
    };
    Ok(match set {
        Set::Interval(s) => interval(*s)?.into(),
        Set::Disk(s) => Disk::new(s.radius() * factor)?.into(),
        Set::Ellipse(s) => ellipse(s)?.into(),
        Set::Box(s) => {
            BoxSet::new(interval(s.first())?, interval(s.second())?, s.rotation()).into()
        }
        Set::Polygon(s) => polygon(s.corners())?.into(),
        Set::Tensor(s) => {
            let sector = |s: Sector| Sector { matrix: s.matrix * factor, ..s };
            Tensor::from_sectors(s.sectors().into_iter().map(sector).collect())?.into()
        }
        Set::Ellipsoid(s) => Ellipsoid::new(ellipse(&s.section())?, s.drilling() * factor)?.into(),
        Set::DiskDisk(s) => {
            DiskDisk::new(s.slide().radius() * factor, s.roll().radius() * factor)?.into()
        }
        Set::LimitSurface(s) => s.with_section(ellipse(&s.section())?)?.into(),
        Set::LimitPolytope(s) => s.with_section(&polygon(s.corners())?).into(),
        Set::Free(_) | Set::Wrench(_) => {
            return Err(FrictionError::Shape(format!(
                "a set \"{}\" has no coefficient to scale; expected friction per unit load",
                set.name()
            )));
        }
    })
}
