//! How rough, coloured and metallic surfaces answer the sun and the sky; `draw/surface.wgsl` is
//! the same for adapters, with the reasons.

use glamx::{Mat3, Vec2, Vec3, Vec4};

use crate::picture::{Level, Light, Moments};

/// Gaussian slopes of facets about a mean, in the axes of the smooth surface.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facets {
    mean: Vec2,
    variance: Vec3,
}

/// Colour and finish of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finish {
    pub(super) albedo: Vec3,
    pub(super) roughness: f32,
    pub(super) metalness: f32,
}

/// Most places along a long footprint, as adapters are asked for.
const MOST: f32 = 8.0;

impl Facets {
    /// The facets that a pixel covers; `beside` is how the coordinates change to the next pixels.
    pub(super) fn new(levels: &[Level], uv: Vec2, beside: [Vec2; 2]) -> Facets {
        let Some(first) = levels.first() else { return Facets::default() };
        let sides = Vec2::new(first.width as f32, first.height as f32);
        let [a, b] = beside.map(|d| (d, (d * sides).length()));
        let (long, short) = if a.1 >= b.1 { (a, b) } else { (b, a) };
        let count = (long.1 / short.1.max(1e-6)).ceil().clamp(1.0, MOST);
        let level = (long.1 / count).max(1e-6).log2().clamp(0.0, (levels.len() - 1) as f32);
        let (low, share) = (level.floor() as usize, level.fract());
        let mut sum: Moments = [0.0; 5];
        for k in 0..count as u32 {
            let at = uv + long.0 * ((k as f32 + 0.5) / count - 0.5);
            let near = levels[low].at(at.x, at.y);
            let far = levels[(low + 1).min(levels.len() - 1)].at(at.x, at.y);
            (0..5).for_each(|i| sum[i] += (near[i] + (far[i] - near[i]) * share) / count);
        }
        let [p, q, pp, qq, pq] = sum;
        let (xx, yy) = ((pp - p * p).max(0.0), (qq - q * q).max(0.0));
        let most = (xx * yy).sqrt();
        let variance = Vec3::new(xx, yy, (pq - p * q).clamp(-most, most));
        Facets { mean: Vec2::new(p, q), variance }
    }

    fn density(&self, own: f32, h: Vec3) -> f32 {
        if h.z < 1e-3 {
            return 0.0;
        }
        let [xx, yy, xy] = [self.variance.x + own, self.variance.y + own, self.variance.z];
        let det = (xx * yy - xy * xy).max(1e-14);
        let d = -h.truncate() / h.z - self.mean;
        let q = (yy * d.x * d.x - 2.0 * xy * d.x * d.y + xx * d.y * d.y) / det;
        (-0.5 * q).exp() / (std::f32::consts::TAU * det.sqrt() * h.z.powi(4))
    }
}

/// Light that leaves a surface towards the eye. `axes` are tangent, bitangent and normal; `sun` is
/// what arrives of the sun.
pub(super) fn answer(
    facets: &Facets,
    finish: &Finish,
    axes: &Mat3,
    to_eye: Vec3,
    sun: Vec3,
    lamp: &Light,
) -> Vec3 {
    let (to_sun, up) = (lamp.to_sun.normalize_or(Vec3::Y), lamp.up.normalize_or(Vec3::Y));
    let alpha = finish.roughness * finish.roughness;
    let own = 0.5 * alpha * alpha;
    let straight = Vec3::splat(0.04).lerp(finish.albedo, finish.metalness);
    let h = (to_eye + to_sun).normalize_or(up);
    let hv = h.dot(to_eye).max(0.05);
    let fresnel = straight + (Vec3::ONE - straight) * (1.0 - hv).powi(5);
    let facing = axes.z_axis.dot(to_sun).max(0.0);
    let glint = facets.density(own, axes.transpose() * h) / (4.0 * hv * hv);
    let mut light = sun * fresnel * (facing * glint);
    let [xx, yy, xy] = facets.variance.to_array();
    let lx = xx.sqrt();
    let ly = xy / lx.max(1e-6);
    let lz = (yy - ly * ly).max(0.0).sqrt();
    let many = xx + yy > 1e-7;
    let blur = 2.0 * (own + 0.075 * (xx + yy)).sqrt();
    let (mut towards, mut mean, mut mirror) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for k in (0..9_i8).filter(|k| many || *k == 4) {
        let [i, j] = [k % 3 - 1, k / 3 - 1].map(f32::from);
        let share = |i: f32| if i == 0.0 { 2.0 / 3.0 } else { 1.0 / 6.0 };
        let w = if many { share(i) * share(j) } else { 1.0 };
        let z = Vec2::new(i, j) * 3.0_f32.sqrt();
        let s = facets.mean + Vec2::new(lx * z.x, ly * z.x + lz * z.y);
        let n = *axes * Vec3::new(-s.x, -s.y, 1.0).normalize();
        towards += w * n.dot(to_sun).max(0.0);
        mean += n * w;
        mirror += sky(lamp, to_sun, up, (-to_eye).reflect(n), blur) * w;
    }
    let total = (2.0 * (own + 0.5 * (xx + yy))).sqrt().sqrt();
    let [factor, more] = reflected(total.clamp(0.05, 1.0), axes.z_axis.dot(to_eye).max(0.0));
    light += mirror * (straight * factor + more);
    let share = 0.5 + 0.5 * mean.dot(up);
    let around = Vec3::from_array(lamp.ground).lerp(Vec3::from_array(lamp.sky), share);
    let lit = sun * (towards * std::f32::consts::FRAC_1_PI) + around;
    light + finish.albedo * (1.0 - finish.metalness) * lit
}

fn sky(lamp: &Light, sun: Vec3, up: Vec3, d: Vec3, blur: f32) -> Vec3 {
    let (y, b) = (d.dot(up), blur * blur);
    let share = 0.5 + 0.5 * y / (y * y + b + 0.002).sqrt();
    let white = Vec3::from_array(lamp.sky);
    let above = white * (1.3 - 0.6 * y.clamp(0.0, 1.0));
    let below = Vec3::from_array(lamp.ground) * (1.0 - 0.55 * (-y).clamp(0.0, 1.0));
    let lobe =
        |middle: Vec3, size: f32| size / (size + b) * ((d.dot(middle) - 1.0) / (size + b)).exp();
    let across = (up * (2.0 * sun.dot(up)) * 0.6 - sun + up * sun.dot(up) * 0.4).normalize_or(up);
    below.lerp(above, share) + white * (1.6 * lobe(sun, 0.08) + 0.8 * lobe(across, 0.05))
}

fn reflected(rough: f32, nv: f32) -> [f32; 2] {
    let r = Vec4::new(-1.0, -0.0275, -0.572, 0.022) * rough + Vec4::new(1.0, 0.0425, 1.04, -0.04);
    let a = (r.x * r.x).min((-9.28 * nv).exp2()) * r.x + r.y;
    [-1.04 * a + r.z, 1.04 * a + r.w]
}
