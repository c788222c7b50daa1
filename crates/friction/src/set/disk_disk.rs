//! Sliding and rolling, each with a disc of its own.

use super::{Disk, read2, write2};
use crate::FrictionError;

/// Sliding (t, b) and rolling (two torques), each bounded by a disk of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiskDisk {
    slide: Disk,
    roll: Disk,
}

impl DiskDisk {
    /// `slide` is a coefficient; `roll` is one too, a length in metres.
    pub fn new(slide: f64, roll: f64) -> Result<DiskDisk, FrictionError> {
        Ok(DiskDisk { slide: Disk::new(slide)?, roll: Disk::new(roll)? })
    }

    /// The sliding disk.
    pub fn slide(&self) -> Disk {
        self.slide
    }

    /// The rolling disk.
    pub fn roll(&self) -> Disk {
        self.roll
    }

    /// Nearest admissible (t, b, roll 1, roll 2).
    #[inline]
    pub fn project(&self, force: &mut [f64], load: f64) {
        let (slide, roll) = force.split_at_mut(2);
        write2(slide, self.slide.project(read2(slide), load));
        write2(roll, self.roll.project(read2(roll), load));
    }

    /// Largest force · direction.
    #[inline]
    pub fn support(&self, direction: &[f64], load: f64) -> f64 {
        self.slide.support(read2(direction), load) + self.roll.support(read2(&direction[2..]), load)
    }

    /// Force and torque that oppose slip and rolling.
    #[inline]
    pub fn traction(&self, slip: &[f64], load: f64, force: &mut [f64]) {
        let (slide, roll) = force.split_at_mut(2);
        write2(slide, self.slide.traction(read2(slip), load));
        write2(roll, self.roll.traction(read2(&slip[2..]), load));
    }
}
