//! The loops over cells. Written over groups of cells, compiled for the vectors of the
//! machine. Products and sums are fused where it says so and nowhere else, so the bits are the same
//! on every machine.

use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};

use super::{Parameters, Plasticity};
use crate::extent::cells::{Cells, LANES, Lanes, Sums};

/// Deflections of the bristles in a group of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Deflections {
    pub(super) x: Lanes,
    pub(super) y: Lanes,
}

impl Deflections {
    pub(super) const ZERO: Deflections = Deflections { x: [0.0; LANES], y: [0.0; LANES] };
}

/// One explicit Euler step: the wrench per unit load with the deflections before it, which are
/// then moved on by `dt` (not at all where `dt` is zero). With `bound`, no component passes its
/// steady value.
pub(super) fn explicit(
    parameters: &Parameters,
    cells: &Cells,
    deflections: &mut [Deflections],
    twist: DVec3,
    dt: f64,
    bound: bool,
) -> DVec3 {
    let arch = Arch::new();
    let constants = Constants::of(parameters);
    macro_rules! run {
        ($plastic:literal, $plain:literal, $bound:literal) => {
            arch.dispatch(Explicit::<$plastic, $plain, $bound> {
                parameters,
                constants,
                cells,
                deflections,
                twist,
                dt,
            })
        };
    }
    let plastic = parameters.plasticity != Plasticity::Always;
    match (plastic, constants.plain, bound && dt > 0.0) {
        (false, true, false) => run!(false, true, false),
        (true, true, false) => run!(true, true, false),
        (false, false, false) => run!(false, false, false),
        (true, false, false) => run!(true, false, false),
        (false, true, true) => run!(false, true, true),
        (true, true, true) => run!(true, true, true),
        (false, false, true) => run!(false, false, true),
        (true, false, true) => run!(true, false, true),
    }
}

#[derive(Clone, Copy)]
struct Constants {
    /// Whether γ = 2 and damping is constant.
    plain: bool,
    inverse_speed2: f64,
    drop: f64,
    /// α's argument is ‖z‖/z_max · slope − offset.
    slope: f64,
    offset: f64,
}

impl Constants {
    fn of(p: &Parameters) -> Constants {
        let part = match p.plasticity {
            Plasticity::Always => 0.0,
            Plasticity::Above(part) => part,
        };
        Constants {
            plain: p.stribeck_exponent == 2.0 && p.damping_speed.is_none(),
            inverse_speed2: 1.0 / (p.stribeck_speed * p.stribeck_speed),
            drop: p.stiction - p.coulomb,
            slope: 1.0 / (1.0 - part),
            offset: 0.5 * (1.0 + part) / (1.0 - part),
        }
    }
}

struct Explicit<'a, const PLASTIC: bool, const PLAIN: bool, const BOUND: bool> {
    parameters: &'a Parameters,
    constants: Constants,
    cells: &'a Cells,
    deflections: &'a mut [Deflections],
    twist: DVec3,
    dt: f64,
}

impl<const PLASTIC: bool, const PLAIN: bool, const BOUND: bool> WithSimd
    for Explicit<'_, PLASTIC, PLAIN, BOUND>
{
    type Output = DVec3;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> DVec3 {
        let p = self.parameters;
        let k = self.constants;
        let [tx, ty, spin] = self.twist.to_array();
        let (stiffness, viscosity) = (p.stiffness, p.viscosity);
        let mut sums = Sums::ZERO;
        for (chunk, z) in self.cells.chunks.iter().zip(self.deflections) {
            let (mut g, mut damping) = ([0.0; LANES], [p.damping; LANES]);
            if !PLAIN {
                for l in 0..LANES {
                    let speed = (tx - spin * chunk.y[l]).hypot(ty + spin * chunk.x[l]);
                    (g[l], damping[l]) = (p.friction(speed), p.damping_at(speed));
                }
            }
            for l in 0..LANES {
                let (x, y) = (chunk.x[l], chunk.y[l]);
                let (zx, zy) = (z.x[l], z.y[l]);
                let (vx, vy) = (tx - spin * y, ty + spin * x);
                let speed2 = vx * vx + vy * vy;
                let speed = speed2.sqrt();
                let friction =
                    if PLAIN { p.coulomb + k.drop * exp(-speed2 * k.inverse_speed2) } else { g[l] };
                let per_friction = stiffness / friction;
                let mut c = speed * per_friction;
                if PLASTIC {
                    let length = (zx * zx + zy * zy).sqrt();
                    let place = length * per_friction * k.slope - k.offset;
                    let part = 0.5 * sin_pi(place.clamp(-0.5, 0.5)) + 0.5;
                    let size = (length * speed).max(f64::MIN_POSITIVE);
                    c *= part * (0.5 * ((vx * zx + vy * zy) / size) + 0.5);
                }
                let (mut rx, mut ry) = (vx - c * zx, vy - c * zy);
                if BOUND {
                    let scale = friction / (stiffness * speed.max(f64::MIN_POSITIVE));
                    let most_x = (vx * scale - zx).abs() / self.dt;
                    let most_y = (vy * scale - zy).abs() / self.dt;
                    rx = rx.max(-most_x).min(most_x);
                    ry = ry.max(-most_y).min(most_y);
                }
                let fx = chunk.share[l] * (stiffness * zx + (damping[l] * rx + viscosity * vx));
                let fy = chunk.share[l] * (stiffness * zy + (damping[l] * ry + viscosity * vy));
                sums.fx[l] += fx;
                sums.fy[l] += fy;
                sums.torque[l] += x * fy - y * fx;
                z.x[l] = zx + self.dt * rx;
                z.y[l] = zy + self.dt * ry;
            }
        }
        sums.opposing()
    }
}

/// e^x for x ≤ 0, to the last digit or two; below −708 it is about 3e-308.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    const MAGIC: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²: adding it rounds to whole numbers.
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = x.max(-708.0);
    let shifted = x.mul_add(std::f64::consts::LOG2_E, MAGIC);
    let n = shifted - MAGIC;
    let r = (-n).mul_add(LN2_LOW, (-n).mul_add(LN2_HIGH, x));
    // Taylor to r¹³: |r| ≤ ½ ln 2, the rest is below 1e-17. In pairs, so that they run abreast.
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let pair = |low: f64, high: f64| r.mul_add(high, low);
    let four = |a: f64, b: f64| r2.mul_add(b, a);
    let low = four(pair(1.0, 1.0), pair(0.5, 1.0 / 6.0));
    let middle = four(pair(1.0 / 24.0, 1.0 / 120.0), pair(1.0 / 720.0, 1.0 / 5_040.0));
    let high =
        four(pair(1.0 / 40_320.0, 1.0 / 362_880.0), pair(1.0 / 3_628_800.0, 1.0 / 39_916_800.0));
    let top = pair(1.0 / 479_001_600.0, 1.0 / 6_227_020_800.0);
    let sum = r4.mul_add(r4.mul_add(r4.mul_add(top, high), middle), low);
    // 2^n: n sits in the low bits of `shifted`.
    let power = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    sum * power
}

/// sin πx for |x| ≤ ½, by its Taylor series.
#[inline(always)]
fn sin_pi(x: f64) -> f64 {
    let t = x * std::f64::consts::PI;
    let t2 = t * t;
    let t4 = t2 * t2;
    let pair = |low: f64, high: f64| t2.mul_add(high, low);
    let a = pair(1.0, -1.0 / 6.0);
    let b = pair(1.0 / 120.0, -1.0 / 5_040.0);
    let c = pair(1.0 / 362_880.0, -1.0 / 39_916_800.0);
    let d = pair(1.0 / 6_227_020_800.0, -1.0 / 1_307_674_368_000.0);
    let e = pair(1.0 / 355_687_428_096_000.0, -1.0 / 121_645_100_408_832_000.0);
    let t8 = t4 * t4;
    let sum = t8.mul_add(t8.mul_add(e, t4.mul_add(d, c)), t4.mul_add(b, a));
    sum * t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::Shape;

    /// Code for the machine's vectors and code for none: the same bits.
    #[test]
    fn vectors_change_no_bit() {
        let pressure = Shape::Circle.pressure(21, 0.02).unwrap();
        let cells = &pressure.cells;
        let parameters = &Parameters::default().elasto_plastic(0.9);
        let constants = Constants::of(parameters);
        let start = vec![Deflections::ZERO; cells.chunks.len()];
        let (mut plain, mut fast) = (start.clone(), start);
        for i in 0..300 {
            let t = f64::from(i) * 0.01;
            let twist = DVec3::new(0.01 * t.sin(), 0.007 * (2.0 * t).cos(), 0.8 * (3.0 * t).sin());
            let by_vectors = explicit(parameters, cells, &mut fast, twist, 1e-5, false);
            let op = Explicit::<true, true, false> {
                parameters,
                constants,
                cells,
                deflections: &mut plain,
                twist,
                dt: 1e-5,
            };
            assert_eq!(pulp::Scalar.vectorize(op), by_vectors, "step {i}");
        }
        assert!(plain == fast);
    }

    #[test]
    fn exponential_and_sine_are_right_to_the_last_digits() {
        for k in 0..=200_000 {
            let x = -f64::from(k) * 3.7e-3;
            let (found, exact) = (exp(x), x.exp());
            if x > -708.0 {
                assert!((found - exact).abs() <= 4e-16 * exact, "{x}: {found:e} {exact:e}");
            } else {
                assert!(found < 1e-300);
            }
            let x = f64::from(k) / 200_000.0 - 0.5;
            let error = (sin_pi(x) - (std::f64::consts::PI * x).sin()).abs();
            assert!(error < 5e-16, "{x}: {error:e}");
        }
    }
}
