//! Steps towards a solution of a friction block, and how far it is from one.

use super::{Set, read2, read3, write2, write3};

impl Set {
    /// Proximal step of a friction force `old` at the velocity `u` (Erleben 2020, Algorithm 2, line 9):
    /// `step` holds −R u and receives the new force, P(old + step). A tensor steps in the disc of its
    /// y, where f = −T(y), against the step.
    pub fn proximal_step(&self, load: f64, old: &[f64], u: &[f64], step: &mut [f64]) {
        if let Set::Tensor(tensor) = self {
            let y = tensor.pull_back_near(read2(old), read2(u), load) - read2(step);
            let length = y.length();
            let y = if length > load { y * (load / length) } else { y };
            write2(step, -tensor.map(y));
            return;
        }
        for (step, old) in step.iter_mut().zip(old) {
            *step += old;
        }
        self.project(step, load);
    }

    /// f − P(f − s) for the force `f` and its slip times a positive factor `s`: zero where the force
    /// is in the set and opposes the slip as the set says.
    pub fn natural_map(&self, load: f64, f: &[f64], s: &[f64], e: &mut [f64]) {
        for (e, s) in e.iter_mut().zip(s) {
            *e = -s;
        }
        if let Set::LimitSurface(set) = self {
            // Of a solution the slip is the way out.
            let way = read3(e);
            write3(e, set.project_along(read3(f) + way, load.max(0.0), Some(way)));
        } else {
            self.proximal_step(load, f, s, e);
        }
        for (e, f) in e.iter_mut().zip(f) {
            *e = f - *e;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{Disk, Tensor};
    use glamx::{DMat2, DVec2};

    #[test]
    fn the_natural_map_is_zero_where_the_traction_opposes_the_slip() {
        let q = DMat2::from_diagonal(DVec2::new(0.2, 0.7));
        let sets = [Set::from(Disk::new(0.4).unwrap()), Set::from(Tensor::linear(q).unwrap())];
        for set in sets {
            let (slip, mut force, mut e) = ([0.3, -0.8], [0.0; 2], [1.0; 2]);
            set.traction(&slip, 2.0, &mut force);
            set.natural_map(2.0, &force, &slip, &mut e);
            assert!(e.iter().all(|e| e.abs() < 1e-15), "{set:?} {e:?}");
            set.natural_map(2.0, &force, &[-0.3, 0.8], &mut e);
            assert!(e.iter().any(|e| e.abs() > 0.1), "{set:?} {e:?}");
            set.natural_map(2.0, &[0.01, 0.02], &[0.0; 2], &mut e);
            assert!(e.iter().all(|e| e.abs() < 1e-15), "{set:?} {e:?}");
        }
    }
}
