//! Colours of surfaces.

use glamx::{Mat3, Mat4, Vec3};

use super::Corner;
use super::raster::{Raster, Spot};
use super::surface::{Facets, Finish, answer};
use crate::picture::{Image, Instance, Level, Pattern, Shot, Stage, linear};

/// What lights a picture.
pub(super) struct Shade<'a> {
    shot: &'a Shot,
    shadow: &'a Raster,
    sun_from_world: Mat4,
    to_sun: Vec3,
    up: Vec3,
    rows: usize,
}

/// A triangle under its light.
pub(super) struct Lit<'a> {
    shade: &'a Shade<'a>,
    corners: [Corner; 3],
    instance: &'a Instance,
    image: Option<&'a Image>,
    relief: Option<&'a [Level]>,
    /// Of the flat triangle.
    normal: Vec3,
}

impl<'a> Shade<'a> {
    pub(super) fn new(
        shot: &'a Shot,
        shadow: &'a Raster,
        sun_from_world: Mat4,
        rows: usize,
    ) -> Shade<'a> {
        let to_sun = shot.light.to_sun.normalize_or(Vec3::Y);
        let up = shot.light.up.normalize_or(Vec3::Y);
        Shade { shot, shadow, sun_from_world, to_sun, up, rows }
    }

    /// Colour behind everything in a row of samples.
    pub(super) fn background(&self, row: usize) -> Vec3 {
        let s = (row as f32 + 0.5) / self.rows as f32;
        let s = s * s * (3.0 - 2.0 * s);
        let background = &self.shot.background;
        Vec3::from_array(background.top).lerp(Vec3::from_array(background.bottom), s)
    }

    /// Light on a surface: of the sun, and from all around.
    pub(super) fn light(&self, normal: Vec3) -> (Vec3, Vec3) {
        let light = &self.shot.light;
        let share = 0.5 + 0.5 * normal.dot(self.up);
        let around = Vec3::from_array(light.ground).lerp(Vec3::from_array(light.sky), share);
        let facing = normal.dot(self.to_sun).max(0.0);
        (Vec3::from_array(light.sun) * (facing * std::f32::consts::FRAC_1_PI), around)
    }

    /// A triangle of an instance.
    pub(super) fn facet(
        &'a self,
        stage: &'a Stage,
        reliefs: &'a [Vec<Level>],
        instance: &'a Instance,
        corners: [Corner; 3],
    ) -> Lit<'a> {
        let [a, b, c] = corners.map(|c| c.world);
        let normal = (b - a).cross(c - a).normalize_or(self.up);
        let image = instance.look.image.and_then(|k| stage.images.get(k));
        let relief = instance.look.relief.and_then(|k| reliefs.get(k)).map(Vec::as_slice);
        Lit { shade: self, corners, instance, image, relief, normal }
    }

    /// Whether the sun reaches a point.
    pub(super) fn is_sunlit(&self, point: Vec3, normal: Vec3) -> bool {
        let side = self.shadow.width as f32;
        let texel = 2.0 * self.shot.light.reach / side;
        let at = self.sun_from_world.project_point3(point + normal * (2.0 * texel));
        let (x, y) = ((0.5 + 0.5 * at.x) * side, (0.5 - 0.5 * at.y) * side);
        if !(0.0..side).contains(&x) || !(0.0..side).contains(&y) {
            return true;
        }
        let index = y as usize * self.shadow.width + x as usize;
        self.shadow.depths.get(index).is_none_or(|depth| at.z <= depth + 3e-4)
    }
}

impl Lit<'_> {
    /// The colour at one of its pixels.
    pub(super) fn colour(&self, spot: &Spot) -> Vec3 {
        let look = &self.instance.look;
        let world = spot.mix(self.corners.map(|c| c.world));
        let mut albedo = Vec3::from_array(look.colour);
        let local = spot.mix(self.corners.map(|c| c.local));
        albedo *= 1.0 - dark(&look.pattern, local);
        if let Some(image) = self.image {
            let uv = spot.mix(self.corners.map(|c| Vec3::new(c.uv[0], c.uv[1], 0.0)));
            albedo *= texel(image, uv.x, uv.y);
        }
        let lamp = &self.shade.shot.light;
        let lit = self.shade.is_sunlit(world, self.normal);
        let sun = if lit { Vec3::from_array(lamp.sun) } else { Vec3::ZERO };
        let to_eye = (self.shade.shot.camera.eye - world).normalize_or(self.normal);
        let (roughness, metalness) = (look.roughness.clamp(0.05, 1.0), look.metalness);
        let finish = Finish { albedo, roughness, metalness: metalness.clamp(0.0, 1.0) };
        let light = tone(answer(&self.facets(spot), &finish, &self.axes(spot), to_eye, sun, lamp));
        let Some(fade) = look.fade else { return light };
        let span = (fade.outer - fade.inner).max(1e-9);
        let s = ((world.distance(fade.centre) - fade.inner) / span).clamp(0.0, 1.0);
        let row = spot.index * self.shade.rows / self.shade.samples().max(1);
        light.lerp(self.shade.background(row), s * s * (3.0 - 2.0 * s))
    }
}

impl Lit<'_> {
    /// The facets of its relief that a pixel covers.
    fn facets(&self, spot: &Spot) -> Facets {
        let Some(levels) = self.relief else { return Facets::default() };
        let place = |weights: [f32; 3]| {
            (0..3).map(|k| glamx::Vec2::from_array(self.corners[k].uv) * weights[k]).sum()
        };
        let uv: glamx::Vec2 = place(spot.weights);
        Facets::new(levels, uv, spot.beside.map(|weights| place(weights) - uv))
    }

    /// Tangent, bitangent and normal at a pixel.
    fn axes(&self, spot: &Spot) -> Mat3 {
        let n = spot.mix(self.corners.map(|c| c.normal)).normalize_or(self.normal);
        let along = spot.mix(self.corners.map(|c| c.tangent.truncate()));
        let t = (along - n * n.dot(along)).try_normalize();
        let t = t.unwrap_or_else(|| n.any_orthonormal_vector());
        Mat3::from_cols(t, n.cross(t) * self.corners[0].tangent.w, n)
    }
}

impl Shade<'_> {
    /// Samples in the whole picture.
    fn samples(&self) -> usize {
        let [width, height] = self.shot.size.map(|side| side as usize);
        width * height * (self.rows / height).pow(2)
    }
}

/// By how much a pattern darkens a point of the mesh.
fn dark(pattern: &Pattern, p: Vec3) -> f32 {
    match *pattern {
        Pattern::Octants(strength) if p.x * p.y * p.z > 0.0 => strength,
        Pattern::Grid { size, strength } => {
            let on_line = |x: f32| ((x / size + 0.5).rem_euclid(1.0) - 0.5).abs() < 0.012;
            if on_line(p.x) || on_line(p.z) { strength } else { 0.0 }
        }
        Pattern::Grain { strength, .. } => 0.5 * strength,
        _ => 0.0,
    }
}

fn texel(image: &Image, u: f32, v: f32) -> Vec3 {
    let place = |t: f32, side: u32| ((t.rem_euclid(1.0) * side as f32) as u32).min(side - 1);
    let (x, y) = (place(u, image.width), place(1.0 - v, image.height));
    let [r, g, b, _] = image.texels[(y * image.width + x) as usize];
    Vec3::from_array(linear([r, g, b]))
}

/// Bright light is bent below 1.
pub(super) fn tone(light: Vec3) -> Vec3 {
    let knee = 0.72;
    let peak = light.max_element();
    if peak <= knee {
        return light;
    }
    let bent = knee + (1.0 - knee) * (1.0 - (-(peak - knee) / (1.0 - knee)).exp());
    let scaled = light * (bent / peak);
    // Very bright colours turn white.
    scaled.lerp(Vec3::splat(bent), 1.0 - 1.0 / (0.12 * (peak - bent) + 1.0))
}
