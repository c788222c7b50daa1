//! Triangles to pixels.

use glamx::{DVec2, Vec3, Vec4};

/// Depths of pixels, 0 at the near plane and 1 at the far one.
#[derive(Debug, Default)]
pub(super) struct Raster {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) depths: Vec<f32>,
}

/// A pixel of a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// In the rows of the picture.
    pub(super) index: usize,
    /// Shares of the corners.
    pub(super) weights: [f32; 3],
    /// Shares at the next pixels to the right and below.
    pub(super) beside: [[f32; 3]; 2],
}

impl Spot {
    /// The mean of the corners.
    pub(super) fn mix(&self, corners: [Vec3; 3]) -> Vec3 {
        let [a, b, c] = self.weights;
        corners[0] * a + corners[1] * b + corners[2] * c
    }
}

/// A corner in clip coordinates with its shares of the original corners.
type Clipped = (Vec4, Vec3);

impl Raster {
    /// Everything at the far plane.
    pub(super) fn clear(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.depths.clear();
        self.depths.resize(width * height, 1.0);
    }

    /// Visits the pixels of a triangle that are nearer than what is there; where `each` says so,
    /// they become what is there. A triangle seen from behind is left out if `cull`.
    pub(super) fn fill(
        &mut self,
        corners: [Vec4; 3],
        cull: bool,
        mut each: impl FnMut(Spot) -> bool,
    ) {
        self.visit(corners, cull, |depth, is_depth, spot| {
            if *depth > is_depth && each(spot) {
                *depth = is_depth;
            }
        });
    }

    /// Visits the pixels of a triangle with the depth there and that of the triangle.
    pub(super) fn visit(
        &mut self,
        corners: [Vec4; 3],
        cull: bool,
        mut each: impl FnMut(&mut f32, f32, Spot),
    ) {
        let whole = [Vec3::X, Vec3::Y, Vec3::Z];
        let triangle = [0, 1, 2].map(|k| (corners[k], whole[k]));
        if corners.iter().all(|c| c.z > 0.0 && c.w > 0.0) {
            self.inside(&triangle, cull, &mut each);
            return;
        }
        let cut = before_near_plane(&triangle);
        for k in 2..cut.len() {
            self.inside(&[cut[0], cut[k - 1], cut[k]], cull, &mut each);
        }
    }

    /// A triangle before the near plane.
    fn inside(
        &mut self,
        corners: &[Clipped; 3],
        cull: bool,
        each: &mut impl FnMut(&mut f32, f32, Spot),
    ) {
        let (width, height) = (self.width as f64, self.height as f64);
        let pixel = |c: &Clipped| {
            let (x, y, w) = (f64::from(c.0.x), f64::from(c.0.y), f64::from(c.0.w));
            DVec2::new((0.5 + 0.5 * x / w) * width, (0.5 - 0.5 * y / w) * height)
        };
        let mut order = [0, 1, 2];
        let mut p = [pixel(&corners[0]), pixel(&corners[1]), pixel(&corners[2])];
        // Rows run downwards: counter-clockwise in the world is clockwise here.
        let area = (p[1] - p[0]).perp_dot(p[2] - p[0]);
        if !area.is_finite() || area == 0.0 || (area > 0.0 && cull) {
            return;
        }
        if area > 0.0 {
            order = [0, 2, 1];
            p = [p[0], p[2], p[1]];
        }
        let corner = order.map(|k| corners[k]);
        let area = -area.abs();
        let low = p[0].min(p[1]).min(p[2]).max(DVec2::ZERO);
        let high = p[0].max(p[1]).max(p[2]).min(DVec2::new(width, height));
        let columns = low.x.floor() as usize..(high.x.ceil().max(0.0) as usize).min(self.width);
        let rows = low.y.floor() as usize..(high.y.ceil().max(0.0) as usize).min(self.height);
        // An edge's own pixels belong to the triangle on one side of it only.
        let edges = [(p[1], p[2]), (p[2], p[0]), (p[0], p[1])];
        let owns = edges.map(|(a, b)| a.y < b.y || (a.y == b.y && a.x > b.x));
        let inverse_w = corner.map(|c| 1.0 / c.0.w);
        let depth = corner.map(|c| c.0.z / c.0.w);
        let shares = |side: [f64; 3]| {
            let flat = side.map(|s| s as f32);
            let sum: f32 = (0..3).map(|k| flat[k] * inverse_w[k]).sum();
            let one = |k: usize| corner[k].1 * (flat[k] * inverse_w[k] / sum);
            (one(0) + one(1) + one(2)).to_array()
        };
        for y in rows {
            for x in columns.clone() {
                let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                let side = edges.map(|(a, b)| (b - a).perp_dot(at - a) / area);
                if (0..3).any(|k| side[k] < 0.0 || (side[k] == 0.0 && !owns[k])) {
                    continue;
                }
                let here: f32 = (0..3).map(|k| side[k] as f32 * depth[k]).sum();
                let weights = shares(side);
                let beside = [DVec2::X, DVec2::Y]
                    .map(|step| shares(edges.map(|(a, b)| (b - a).perp_dot(at + step - a) / area)));
                let index = y * self.width + x;
                each(&mut self.depths[index], here, Spot { index, weights, beside });
            }
        }
    }
}

/// The part of a triangle that lies before the near plane, as a polygon.
fn before_near_plane(triangle: &[Clipped; 3]) -> Vec<Clipped> {
    let mut cut = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        let (za, zb) = (a.0.z, b.0.z);
        if za > 0.0 {
            cut.push(a);
        }
        if (za > 0.0) != (zb > 0.0) {
            let s = za / (za - zb);
            cut.push((a.0.lerp(b.0, s), a.1.lerp(b.1, s)));
        }
    }
    cut.retain(|c| c.0.w > 0.0);
    cut
}
