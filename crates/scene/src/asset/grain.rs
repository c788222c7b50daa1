//! Structure directions from pictures: where the grain of a photographed surface runs.
//!
//! The structure tensor of a grey image I at a scale σ is J = G_ρ ∗ (σ² ∇I ∇Iᵀ), with gradients
//! of the image smoothed by σ and a mean over a neighbourhood ρ. Its vector
//! (J_xx − J_yy, 2 J_xy) is the mean of squared gradients as complex numbers: a direction and its
//! opposite have the same square, so that they add up and do not cancel. The grain runs across the
//! gradient, at half the angle of the opposite vector. Tensors of several scales are added, since
//! fibres are fine and growth rings are broad.
//!
//! ```
//! use asperity_scene::asset::grain::{self, Options};
//! use asperity_scene::asset::image::Picture;
//!
//! // Stripes that run upwards.
//! let texel = |i: usize| [((i % 40) as f32 * 0.8).sin(); 4].map(|c| 0.5 + 0.4 * c);
//! let picture = Picture { width: 40, height: 30, texels: (0..1200).map(texel).collect() };
//! let field = grain::from_picture(&picture, &Options::default())?;
//! assert!((field.mean_angle() - std::f64::consts::FRAC_PI_2).abs() < 0.01);
//! # Ok::<(), asperity::friction::FrictionError>(())
//! ```

mod convolve;
mod sense;

use asperity_friction::FrictionError;
use asperity_friction::surface::Wrap;

use super::image::Picture;
use convolve::{Kernel, Plane};

/// How a grain is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Smallest smoothing before gradients are taken: standard deviation, in pixel widths.
    pub scale: f64,
    /// How many scales, each twice as large as the one before.
    pub scales: usize,
    /// Neighbourhood over which directions are averaged: standard deviation, in pixel widths.
    pub neighbourhood: f64,
    /// Width of a pixel over its height, as metres on the surface.
    pub pixel_aspect: f64,
    /// Whether the picture goes on at its other side.
    pub wrap: Wrap,
}

impl Default for Options {
    fn default() -> Options {
        Options { scale: 1.0, scales: 3, neighbourhood: 6.0, pixel_aspect: 1.0, wrap: Wrap::Clamp }
    }
}

/// Largest standard deviation, pixels.
pub const MAX_SCALE: f64 = 200.0;
/// Most scales.
pub const MAX_SCALES: usize = 6;

/// A direction for every pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct GrainField {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// (cos, sin) of the angle from the right, upwards; zero where nothing can be seen. A
    /// direction and its opposite mean the same; neighbours are given the same sense as far as
    /// that is possible, so that a lookup between them does not cancel.
    pub directions: Vec<[f32; 2]>,
    /// How much directions agree around the pixel, 0 to 1.
    pub confidence: Vec<f32>,
}

/// The grain of a picture.
pub fn from_picture(picture: &Picture, options: &Options) -> Result<GrainField, FrictionError> {
    options.check()?;
    let (width, height) = (picture.width, picture.height);
    if width < 2 || height < 2 || picture.texels.len() != width * height {
        return Err(FrictionError::Shape(format!(
            "a picture of {width} x {height} with {} texels has no grain; expected at least 2 x 2",
            picture.texels.len()
        )));
    }
    let grey = |t: &[f32; 4]| 0.2126 * t[0] + 0.7152 * t[1] + 0.0722 * t[2];
    let grey = Plane { width, height, values: picture.texels.iter().map(grey).collect() };
    let [mut xx, mut xy, mut yy] = [(); 3].map(|()| Plane::zero(width, height));
    for k in 0..options.scales {
        let sigma = options.scale * f64::from(1_u32 << k);
        add_products(&grey, sigma, options, [&mut xx, &mut xy, &mut yy]);
    }
    // In pixels; a pixel is `pixel_aspect` times as wide as it is high.
    let spread = [options.neighbourhood, options.neighbourhood * options.pixel_aspect];
    for plane in [&mut xx, &mut xy, &mut yy] {
        let around = spread.map(Kernel::smooth);
        *plane = plane.convolved(&around[0], &around[1], options.wrap);
    }
    Ok(field(&xx, &xy, &yy))
}

impl Options {
    fn check(&self) -> Result<(), FrictionError> {
        let bad = |what: &str, value: f64, expected: &'static str| {
            Err(FrictionError::Value { what: what.to_owned(), value, expected })
        };
        if !(1..=MAX_SCALES).contains(&self.scales) {
            return bad("number of scales", self.scales as f64, "1 to 6");
        }
        let largest = self.scale * f64::from(1_u32 << self.scales);
        let of_pixel = |s: f64| s * self.pixel_aspect.max(1.0);
        if !(0.3..=MAX_SCALE).contains(&self.scale) || !(of_pixel(largest) <= 4.0 * MAX_SCALE) {
            return bad("scale of gradients", self.scale, "0.3 to 200 pixels, with its multiples");
        }
        if !(0.3..=MAX_SCALE).contains(&self.neighbourhood)
            || !(of_pixel(self.neighbourhood) <= 4.0 * MAX_SCALE)
        {
            return bad("neighbourhood", self.neighbourhood, "0.3 to 200 pixels");
        }
        if !(0.01..=100.0).contains(&self.pixel_aspect) {
            return bad("width of a pixel over its height", self.pixel_aspect, "0.01 to 100");
        }
        Ok(())
    }
}

/// Adds the products of the gradients at one scale.
fn add_products(grey: &Plane, sigma: f64, options: &Options, sums: [&mut Plane; 3]) {
    let (sx, sy) = (sigma, sigma * options.pixel_aspect);
    let x = grey.convolved(&Kernel::slope(sx), &Kernel::smooth(sy), options.wrap);
    let y = grey.convolved(&Kernel::smooth(sx), &Kernel::slope(sy), options.wrap);
    // Per pixel width; rows run downwards, v runs upwards. Scales count alike.
    let (fx, fy) = (sigma as f32, -(sigma * options.pixel_aspect) as f32);
    let margins = match options.wrap {
        Wrap::Repeat => [0; 2],
        // Gradients across the border are guesses: they do not count.
        Wrap::Clamp => [margin(sx, grey.width), margin(sy, grey.height)],
    };
    let [xx, xy, yy] = sums;
    for row in margins[1]..grey.height - margins[1] {
        for column in margins[0]..grey.width - margins[0] {
            let i = row * grey.width + column;
            let (gx, gy) = (fx * x.values[i], fy * y.values[i]);
            xx.values[i] += gx * gx;
            xy.values[i] += gx * gy;
            yy.values[i] += gy * gy;
        }
    }
}

/// Pixels at a border that do not count; a quarter of a small picture at most.
fn margin(sigma: f64, side: usize) -> usize {
    ((2.5 * sigma).ceil() as usize).min(side / 4)
}

fn field(xx: &Plane, xy: &Plane, yy: &Plane) -> GrainField {
    let (width, height) = (xx.width, xx.height);
    // Below this there is nothing but rounding: gradients of a hundredth of an 8-bit step or less.
    let nothing = 1e-10;
    let mut directions = Vec::with_capacity(width * height);
    let mut confidence = Vec::with_capacity(width * height);
    for i in 0..width * height {
        let (a, b, c) = (xx.values[i], xy.values[i], yy.values[i]);
        let sum = a + c;
        if !(sum > nothing) {
            directions.push([0.0; 2]);
            confidence.push(0.0);
            continue;
        }
        // Twice the angle of the grain: opposite to twice that of the gradient.
        let (cos, sin) = (c - a, -2.0 * b);
        let (s, c) = (0.5 * sin.atan2(cos)).sin_cos();
        directions.push([c, s]);
        confidence.push((cos.hypot(sin) / sum).min(1.0));
    }
    sense::align(&mut directions, &confidence, width, height);
    GrainField { width, height, directions, confidence }
}

impl GrainField {
    /// The mean direction, weighted with the confidence: radians from the right, upwards, 0 to π.
    pub fn mean_angle(&self) -> f64 {
        let mut twice = [0.0; 2];
        for ([c, s], weight) in self.directions.iter().zip(&self.confidence) {
            let (c, s, w) = (f64::from(*c), f64::from(*s), f64::from(*weight));
            twice = [twice[0] + w * (c * c - s * s), twice[1] + w * 2.0 * c * s];
        }
        (0.5 * twice[1].atan2(twice[0])).rem_euclid(std::f64::consts::PI)
    }

    /// As a structure texture stores it: the direction in red and green, (2r − 1, 2g − 1), and
    /// the confidence in alpha.
    pub fn to_picture(&self) -> Picture {
        let texel = |([c, s], a): (&[f32; 2], &f32)| [0.5 + 0.5 * c, 0.5 + 0.5 * s, 0.5, *a];
        let texels = self.directions.iter().zip(&self.confidence).map(texel).collect();
        Picture { width: self.width, height: self.height, texels }
    }
}
