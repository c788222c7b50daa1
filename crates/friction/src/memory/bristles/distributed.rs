//! A bristle in every cell of a patch.

use std::sync::Arc;

use glamx::{DVec2, DVec3};

use super::Parameters;
use super::bristle::{implicit_step, resistance};
use super::kernel::{self, Deflections};
use crate::FrictionError;
use crate::extent::Pressure;
use crate::extent::cells::LANES;

/// A bristle in every cell of a patch (Eqs. 9–20).
#[derive(Debug, Clone, PartialEq)]
pub struct Distributed {
    parameters: Parameters,
    pressure: Arc<Pressure>,
    z: Vec<Deflections>,
}

impl Distributed {
    /// Unbent bristles.
    pub fn new(
        parameters: Parameters,
        pressure: Arc<Pressure>,
    ) -> Result<Distributed, FrictionError> {
        parameters.check()?;
        let z = vec![Deflections::ZERO; pressure.cells.chunks.len()];
        Ok(Distributed { parameters, pressure, z })
    }

    /// One explicit Euler step of the paper: the wrench under `load` with the bristles as they are
    /// and this twist; then z ← z + ż dt. Stable only for dt of about 1e-5 s with σ₀ = 1e6.
    pub fn explicit_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let cells = &self.pressure.cells;
        kernel::explicit(&self.parameters, cells, &mut self.z, twist, dt, false) * load
    }

    /// The same with the bristle bound: no component of z passes its steady value within one step.
    /// Stable for any step, but steady sliding is reached in one. The paper names the bound and does
    /// not give it; this is |ż_i| ≤ |z*_i − z_i|/Δt.
    pub fn bounded_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let cells = &self.pressure.cells;
        kernel::explicit(&self.parameters, cells, &mut self.z, twist, dt, true) * load
    }

    /// One implicit Euler step with the twist held: stable and passive for any step. The wrench is
    /// that at the end of the step, with ż its mean over the step.
    pub fn implicit_step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for (chunk, z) in self.pressure.cells.chunks.iter().zip(&mut self.z) {
            for l in 0..LANES {
                if chunk.share[l] == 0.0 {
                    continue;
                }
                let (x, y) = (chunk.x[l], chunk.y[l]);
                let v = [twist.x - twist.z * y, twist.y + twist.z * x];
                let old = [z.x[l], z.y[l]];
                let new = implicit_step(&self.parameters, &old, &v, dt);
                let rate = [(new[0] - old[0]) / dt, (new[1] - old[1]) / dt];
                let f = resistance(&self.parameters, &new, &rate, &v);
                sum += chunk.share[l] * DVec3::new(f[0], f[1], x * f[1] - y * f[0]);
                (z.x[l], z.y[l]) = (new[0], new[1]);
            }
        }
        -sum * load
    }

    /// The wrench with the bristles as they are and this twist (Eqs. 13, 14, 19, 20).
    pub fn wrench(&mut self, twist: DVec3, load: f64) -> DVec3 {
        self.explicit_step(twist, load, 0.0)
    }

    /// Energy stored in the bristles per unit load, metres: ½σ₀ Σ share ‖z‖².
    pub fn stored(&self) -> f64 {
        let shares = self.pressure.iter().map(|(_, share)| share);
        let sum: f64 = shares.zip(self.deflections()).map(|(s, z)| s * z.length_squared()).sum();
        0.5 * self.parameters.stiffness * sum
    }

    /// How far the bristle of each loaded cell is bent, metres; in the order of
    /// [`Pressure::iter`].
    pub fn deflections(&self) -> impl Iterator<Item = DVec2> + '_ {
        (0..self.pressure.count()).map(|i| self.deflection(i))
    }

    pub(super) fn deflection(&self, i: usize) -> DVec2 {
        let z = &self.z[i / LANES];
        DVec2::new(z.x[i % LANES], z.y[i % LANES])
    }

    pub(super) fn set_deflection(&mut self, i: usize, at: DVec2) {
        let z = &mut self.z[i / LANES];
        (z.x[i % LANES], z.y[i % LANES]) = (at.x, at.y);
    }

    /// Bends the bristles; as many as there are loaded cells.
    pub fn set_deflections(&mut self, of: impl Iterator<Item = DVec2>) {
        for (i, at) in of.take(self.pressure.count()).enumerate() {
            self.set_deflection(i, at);
        }
    }

    /// Puts another pressure under the same bristles: what a load-dependent shape does. Bristles
    /// belong to places of the grid; those of cells that carried nothing are unbent.
    pub fn set_pressure(&mut self, pressure: Arc<Pressure>) {
        let key = |p: &Pressure, at: DVec2| {
            let at = (at + p.centre()) / p.cell();
            ((at.x * 2.0).round() as i64, (at.y * 2.0).round() as i64)
        };
        let mut kept = std::collections::BTreeMap::new();
        for ((at, _), z) in self.pressure.iter().zip(self.deflections()) {
            kept.insert(key(&self.pressure, at), z);
        }
        self.z.clear();
        self.z.resize(pressure.cells.chunks.len(), Deflections::ZERO);
        let bent: Vec<DVec2> = pressure
            .iter()
            .map(|(at, _)| kept.get(&key(&pressure, at)).copied().unwrap_or(DVec2::ZERO))
            .collect();
        self.pressure = pressure;
        self.set_deflections(bent.into_iter());
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The pressure.
    pub fn pressure(&self) -> &Arc<Pressure> {
        &self.pressure
    }
}
