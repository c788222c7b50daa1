//! Strips of one cloth, cut along warp, along weft and on the bias, that hang over an edge.

use asperity::deform::{Fabric, SoftBody, mesh};
use asperity::glamx::{DMat2, DVec2, DVec3};

use crate::setup::built;
use crate::{Check, VerifyError};

const GRAVITY: f64 = 9.81;
/// Bending stiffness along warp and weft, N m; mass per area, kg/m².
const BENDING: [f64; 2] = [4e-5, 1e-5];
const DENSITY: f64 = 0.15;
/// Part of the drop that a strip may be off by.
const ALLOWED: f64 = 0.02;

/// Strips against elasticas, and against themselves if warp and weft were alike. Those on the bias are
/// short: longer ones twist as they hang, which no elastica does. Their clamped end hinders twisting
/// over about their width, a tenth of the length.
pub(crate) fn orthotropy() -> Result<Vec<Check>, VerifyError> {
    let mean = (BENDING[0] * BENDING[1]).sqrt();
    let mut checks = Vec::new();
    for (name, degrees, length) in [
        ("along warp, 60 mm", 0.0_f64, 0.06),
        ("along weft, 60 mm", 90.0, 0.06),
        ("at 30 degrees, 15 mm", 30.0, 0.015),
        ("at 60 degrees, 15 mm", 60.0, 0.015),
    ] {
        let bias = degrees.to_radians();
        let expected = 1e3 * drop_of_elastica(length, peirce(bias));
        // Of first order in the cells, as the clamped row is.
        let drop = |bending: [f64; 2]| -> Result<f64, VerifyError> {
            let coarse = strip(length, [25, 4], bias, bending)?;
            Ok(1e3 * (2.0 * strip(length, [49, 8], bias, bending)? - coarse))
        };
        let what = format!("strip cut {name}, hangs down by (elastica, Peirce 1930)");
        checks.push(Check::relative(&what, expected, drop(BENDING)?, ALLOWED, "mm"));
        let what = format!("control, warp and weft alike: strip cut {name}");
        let least = ALLOWED * expected;
        checks.push(Check::apart(&what, expected, drop([mean; 2])?, least, "mm"));
    }
    Ok(checks)
}

/// Bending stiffness of a narrow strip whose length is this far from the warp:
/// B_θ = (cos²θ/√B₁ + sin²θ/√B₂)⁻² (Peirce 1930).
fn peirce(bias: f64) -> f64 {
    let (s, c) = bias.sin_cos();
    (c * c / BENDING[0].sqrt() + s * s / BENDING[1].sqrt()).powi(-2)
}

/// How far the tip of a clamped elastica hangs down under its own weight w:
/// B θ' = M, M' = −w (L − s) cos θ, M(L) = 0, by shooting for M(0) with Heun's method.
fn drop_of_elastica(length: f64, stiffness: f64) -> f64 {
    let weight = DENSITY * GRAVITY;
    let steps = 4000;
    let h = length / f64::from(steps);
    let shoot = |root: f64| {
        let (mut angle, mut moment, mut drop) = (0.0_f64, root, 0.0);
        for k in 0..steps {
            let left = length - f64::from(k) * h;
            let (bend, loss) = (moment / stiffness, -weight * left * angle.cos());
            let (angle_1, moment_1) = (angle + h * bend, moment + h * loss);
            let loss_1 = -weight * (left - h) * angle_1.cos();
            let next = angle + 0.5 * h * (bend + moment_1 / stiffness);
            drop += 0.5 * h * (angle.sin() + next.sin());
            (angle, moment) = (next, moment + 0.5 * h * (loss + loss_1));
        }
        (moment, drop)
    };
    let (mut low, mut high) = (0.0, weight * length * length / 2.0);
    for _ in 0..100 {
        let root = f64::midpoint(low, high);
        if shoot(root).0 > 0.0 { high = root } else { low = root }
    }
    shoot(low).1
}

/// How far the tip of a strip of cloth hangs down. Its first row of cells is clamped.
fn strip(length: f64, cells: [u32; 2], bias: f64, bending: [f64; 2]) -> Result<f64, VerifyError> {
    let cell = length / (f64::from(cells[0]) - 1.0);
    let whole = cell * f64::from(cells[0]);
    let mut sheet = built(mesh::cloth_rectangle(DVec2::new(whole, 0.1 * length), cells))?;
    let turn = DMat2::from_angle(bias);
    for uv in &mut sheet.uvs {
        *uv = turn * *uv;
    }
    let fabric = Fabric {
        areal_density: DENSITY,
        stretch: [400.0; 2],
        shear: 200.0,
        bending,
        ..Fabric::cotton()
    };
    let mut body = built(SoftBody::cloth(&sheet, &fabric))?;
    let end = whole / 2.0;
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x < -end + 1.01 * cell;
    }
    if !body.relax(DVec3::NEG_Y * GRAVITY, &[], 1e-6, 200).converged {
        return Err(VerifyError::new("an equilibrium was not found".to_owned()));
    }
    let tip: Vec<usize> =
        (0..body.positions.len()).filter(|i| sheet.positions[*i].x > end - 1e-9).collect();
    Ok(tip.iter().map(|i| -body.positions[*i].y).sum::<f64>() / tip.len() as f64)
}
