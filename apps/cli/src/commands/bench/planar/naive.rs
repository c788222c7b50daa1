//! The distributed model as one would write it down: cell by cell, with the functions of one
//! bristle. What the fast code is measured against.

use asperity::friction::extent::Pressure;
use asperity::friction::memory::Parameters;
use asperity::friction::memory::bristle::{rate, resistance};
use asperity::glamx::{DVec2, DVec3};

pub(super) struct Naive {
    parameters: Parameters,
    cells: Vec<(DVec2, f64, [f64; 2])>,
}

impl Naive {
    pub(super) fn new(parameters: Parameters, pressure: &Pressure) -> Naive {
        let cells = pressure.iter().map(|(at, share)| (at, share, [0.0; 2])).collect();
        Naive { parameters, cells }
    }

    pub(super) fn explicit_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (at, share, z) in &mut self.cells {
            let v = [twist.x - twist.z * at.y, twist.y + twist.z * at.x];
            let r = rate(&self.parameters, z, &v);
            let f = resistance(&self.parameters, z, &r, &v);
            let f = DVec2::from_array(f) * *share;
            sum -= f.extend(at.perp_dot(f));
            *z = [z[0] + dt * r[0], z[1] + dt * r[1]];
        }
        sum * load
    }
}
