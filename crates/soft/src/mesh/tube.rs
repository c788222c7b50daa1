//! Tubes of cloth.

use std::f64::consts::PI;

use glamx::{DVec2, DVec3};

use super::SurfaceMesh;
use super::cloth::MAX_VERTICES;
use crate::SoftError;
use crate::error::{field, positive};

/// A tube about the y axis, its middle at the origin: u (warp) around it, v (weft) along +y,
/// normals outward. The seam is at −x.
///
/// `radius` in metres, of the lower and the upper end; `length` along the cloth. `cells[0]` around,
/// in each of `cells[1]` rows, which are shifted as those of
/// [`cloth_rectangle`](super::cloth_rectangle). The cloth is cut flat, 2π radius wide (a sector of
/// a ring where the two differ), and sewn. Folded along its edges into rings of equal facets it
/// keeps all its lengths: the membrane is at rest, whatever the number of cells. Vertices lie a
/// little outside the radius, and the tube is a little shorter than its cloth.
pub fn cloth_tube(
    radius: [f64; 2],
    length: f64,
    cells: [u32; 2],
) -> Result<SurfaceMesh, SoftError> {
    positive("radius[0]", radius[0])?;
    positive("radius[1]", radius[1])?;
    positive("length", length)?;
    let [n, rows] = cells;
    if n < 3 || rows == 0 || (u64::from(n) + 1).saturating_mul(u64::from(rows) + 1) > MAX_VERTICES {
        let expected =
            format!("3 or more around and 1 or more rows, {MAX_VERTICES} vertices at most");
        return Err(field("cells", format!("{n} x {rows}"), expected));
    }
    // The sector's angle: how much wider an arc is for every metre nearer to its end.
    let angle = 2.0 * PI * (radius[0] - radius[1]) / length;
    if angle.abs() > 1.9 * PI {
        let expected = "less than 0.95 of the length apart";
        return Err(field("radius", format!("{} and {}", radius[0], radius[1]), expected));
    }
    let cut = |i: f64, along: f64| {
        let here = radius[0] + (radius[1] - radius[0]) * along;
        let turn = i / f64::from(n) - 0.5;
        let (arc, theta) = (2.0 * PI * here * turn, angle * turn);
        // On an arc of radius ρ = arc/θ: (ρ sin θ, ρ₀ − ρ cos θ), without ρ, which has no end.
        let bow = arc * sinc(theta / 2.0) * (theta / 2.0).sin();
        DVec2::new(PI * radius[0] + arc * sinc(theta), length * along + bow)
    };
    let mut mesh = SurfaceMesh::default();
    let (mut y, mut last) = (0.0, 0.0);
    for j in 0..=rows {
        let shift = if j % 2 == 1 { 0.5 } else { 0.0 };
        let along = f64::from(j) / f64::from(rows);
        let row = mesh.uvs.len();
        mesh.uvs.extend((0..=n).map(|i| cut(f64::from(i) + shift, along)));
        // Rings of chords as long as in the flat cloth.
        let half = PI / f64::from(n);
        let ring = mesh.uvs[row].distance(mesh.uvs[row + 1]) / (2.0 * half.sin());
        if j > 0 {
            let slant = mesh.uvs[row].distance_squared(mesh.uvs[row - (n as usize + 1)]);
            let rise = slant - (last * last + ring * ring - 2.0 * last * ring * half.cos());
            if !(rise > 0.0) {
                let expected = "fewer rows, or more cells around: so low a row cannot be folded";
                return Err(field("cells", format!("{n} x {rows}"), expected));
            }
            y += rise.sqrt();
        }
        last = ring;
        for i in 0..n {
            let (sin, cos) = (2.0 * half * (f64::from(i) + shift) - PI).sin_cos();
            mesh.positions.push(DVec3::new(ring * cos, y, -ring * sin));
        }
    }
    for x in &mut mesh.positions {
        x.y -= y / 2.0;
    }
    for j in 0..rows {
        let vertex = |[i, j]: [u32; 2]| j * n + i % n;
        let uv = |[i, j]: [u32; 2]| j * (n + 1) + i;
        for i in 0..n {
            let (a, b) = ([i, j], [i + 1, j]);
            let (c, d) = ([i, j + 1], [i + 1, j + 1]);
            let pair = if j % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
            for t in pair {
                mesh.triangles.push(t.map(vertex));
                mesh.uv_triangles.push(t.map(uv));
            }
        }
    }
    Ok(mesh)
}

/// sin x / x.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}
