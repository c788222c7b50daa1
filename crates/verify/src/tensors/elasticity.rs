//! Equilibria and free runs against closed forms.

use asperity::deform::{Elastic, Fabric, SoftBody, SolidMaterial, mesh};
use asperity::glamx::{DMat3, DVec2, DVec3};

use crate::Check;
use crate::VerifyError;
use crate::setup::built;

/// Cantilevers under an end load against P L³/(3 E I).
pub(crate) fn bending() -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    let strips = [strip(21, 4)?, strip(41, 8)?, strip(81, 16)?];
    checks.push(Check::relative(
        "cloth strip, 81 x 16 cells, tip over PL^3/3Bw",
        1.0,
        strips[2],
        0.02,
        "",
    ));
    let worse = (strips[0] - 1.0).abs() / (strips[2] - 1.0).abs();
    checks.push(falls("its error from 21 to 81 cells falls by", worse));
    for model in [Elastic::Corotational, Elastic::NeoHookean] {
        let beams = [beam(model, 4)?, beam(model, 12)?];
        let what = format!("{model:?} beam, 120 x 12 x 2 cells, tip over PL^3/3EI");
        checks.push(Check::relative(&what, 1.0, beams[1], 0.02, ""));
        let worse = (beams[0] - 1.0).abs() / (beams[1] - 1.0).abs();
        checks.push(falls("its error from 4 to 12 cells falls by", worse));
    }
    Ok(checks)
}

fn falls(what: &str, by: f64) -> Check {
    Check {
        what: what.to_owned(),
        expected: "more than 2".to_owned(),
        found: format!("{by:.2}"),
        allowed: String::new(),
        holds: by > 2.0,
    }
}

/// Tip deflection of a strip of cloth over that of a beam; its first cell is clamped.
fn strip(cells: u32, across: u32) -> Result<f64, VerifyError> {
    let (length, width, bending, load) = (0.5, 0.05, 1e-3, 1e-5);
    let cell = length / (f64::from(cells) - 1.0);
    let whole = cell * f64::from(cells);
    let sheet = built(mesh::cloth_rectangle(DVec2::new(whole, width), [cells, across]))?;
    let fabric =
        Fabric { stretch: [100.0; 2], shear: 40.0, bending: [bending; 2], ..Fabric::cotton() };
    let mut body = built(SoftBody::cloth(&sheet, &fabric))?;
    let mut forces = vec![DVec3::ZERO; body.positions.len()];
    let mut tip = Vec::new();
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x < -whole / 2.0 + 1.01 * cell;
        if x.x > whole / 2.0 - 1e-9 {
            let edge = if x.z.abs() > width / 2.0 - 1e-9 { 0.5 } else { 1.0 };
            forces[i] = DVec3::NEG_Y * (load / f64::from(across) * edge);
            tip.push(i);
        }
    }
    converged(body.relax(DVec3::ZERO, &forces, 1e-6, 60).converged)?;
    let sum: f64 = tip.iter().map(|i| -body.positions[*i].y).sum();
    Ok(sum / tip.len() as f64 / (load * length.powi(3) / (3.0 * bending * width)))
}

/// Tip deflection of a beam of tetrahedra over PL³/3EI with Timoshenko's share of shear.
fn beam(model: Elastic, across: u32) -> Result<f64, VerifyError> {
    let (length, side, width, young, load) = (1.0, 0.1, 0.02, 1e6, 0.01);
    let block = built(mesh::brick(DVec3::new(length, side, width), [10 * across, across, 2]))?;
    let material = SolidMaterial { model, ..SolidMaterial::new(1000.0, young, 0.0) };
    let mut body = built(SoftBody::solid(&block, &material))?;
    let tip: Vec<usize> = (0..block.positions.len())
        .filter(|i| block.positions[*i].x > length / 2.0 - 1e-9)
        .collect();
    let mut forces = vec![DVec3::ZERO; body.positions.len()];
    for i in &tip {
        forces[*i] = DVec3::NEG_Y * (load / tip.len() as f64);
    }
    for (i, x) in block.positions.iter().enumerate() {
        body.pinned[i] = x.x < -length / 2.0 + 1e-9;
    }
    converged(body.relax(DVec3::ZERO, &forces, 1e-7, 60).converged)?;
    let sum: f64 = tip.iter().map(|i| block.positions[*i].y - body.positions[*i].y).sum();
    let bent = load * length.powi(3) / (3.0 * young * width * side.powi(3) / 12.0);
    let sheared = load * length / (5.0 / 6.0 * 0.5 * young * side * width);
    Ok(sum / tip.len() as f64 / (bent + sheared))
}

fn converged(did: bool) -> Result<(), VerifyError> {
    if did { Ok(()) } else { Err(VerifyError::new("an equilibrium was not found".to_owned())) }
}

/// A strip of 1.2 m between supports 1 m apart against the catenary.
pub(crate) fn hanging() -> Result<Vec<Check>, VerifyError> {
    let (length, span) = (1.2_f64, 1.0_f64);
    // 2 a sinh(span/2a) = length, by bisection.
    let (mut low, mut high) = (0.1_f64, 10.0_f64);
    for _ in 0..100 {
        let a = f64::midpoint(low, high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let a = low;
    let mut sheet = built(mesh::cloth_rectangle(DVec2::new(length, 0.04), [60, 2]))?;
    let deep = ((length / 2.0).powi(2) - (span / 2.0).powi(2)).sqrt();
    for x in &mut sheet.positions {
        x.y = -(1.0 - (x.x / (length / 2.0)).abs()) * deep;
        x.x *= span / length;
    }
    let fabric = Fabric { stretch: [1e4; 2], shear: 4e3, bending: [0.0; 2], ..Fabric::cotton() };
    let mut body = built(SoftBody::cloth(&sheet, &fabric))?;
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x.abs() > span / 2.0 - 1e-9;
    }
    converged(body.relax(DVec3::NEG_Y * 9.81, &[], 1e-6, 500).converged)?;
    let sag = a * ((span / (2.0 * a)).cosh() - 1.0);
    let off = |x: &DVec3| (x.y - a * ((x.x / a).cosh() - (span / (2.0 * a)).cosh())).abs();
    let worst = body.positions.iter().map(off).fold(0.0, f64::max);
    let lowest = body.positions.iter().map(|x| -x.y).fold(0.0, f64::max);
    Ok(vec![
        Check::relative("sag of a strip of 1.2 m over 1 m", sag, lowest, 0.005, "m"),
        Check::below("farthest vertex from the catenary", 0.005 * sag, worst, "m"),
    ])
}

/// Affine deformations are kept exactly; energy never grows.
pub(crate) fn patch_and_energy() -> Result<Vec<Check>, VerifyError> {
    let affine = DMat3::from_cols_array(&[1.03, 0.02, -0.01, 0.04, 0.97, 0.03, 0.02, -0.03, 1.01]);
    let sheet = built(mesh::cloth_rectangle(DVec2::new(0.6, 0.4), [8, 6]))?;
    let ball = built(mesh::sphere(0.2, 2, 3))?;
    let mut checks = Vec::new();
    let solid = |model| {
        let material = SolidMaterial { model, ..SolidMaterial::gel() };
        built(SoftBody::solid(&ball, &material))
    };
    let bodies = [
        ("cloth", built(SoftBody::cloth(&sheet, &Fabric::cotton()))?),
        ("corotational ball", solid(Elastic::Corotational)?),
        ("neo-Hookean ball", solid(Elastic::NeoHookean)?),
    ];
    for (name, start) in bodies {
        let mut body = start.clone();
        for x in &mut body.positions {
            *x = affine * *x;
        }
        let forces = body.forces();
        let most = forces.iter().map(|f| f.length()).fold(0.0, f64::max);
        let outside = boundary(&start);
        let inner = (0..forces.len()).filter(|i| !outside[*i]).map(|i| forces[i].length());
        let what = format!("patch test, {name}: inner force over outer");
        checks.push(Check::below(&what, 1e-11, inner.fold(0.0, f64::max) / most, ""));
        // The control: a deformation that is not affine needs forces inside.
        for x in &mut body.positions {
            x.x += 0.3 * x.x * x.x;
        }
        let forces = body.forces();
        let inner = (0..forces.len()).filter(|i| !outside[*i]).map(|i| forces[i].length());
        let what = format!("control, quadratic deformation, {name}: inner force over outer");
        checks.push(Check::above(&what, 1e-3, inner.fold(0.0, f64::max) / most, ""));
        checks.push(Check::below(
            &format!("largest growth of energy in a free run, {name}"),
            1e-10,
            growth(start),
            "of it",
        ));
    }
    Ok(checks)
}

/// Vertices on the rim of a cloth, or on the surface of a solid.
fn boundary(body: &SoftBody) -> Vec<bool> {
    let mut outside = vec![false; body.positions.len()];
    if body.is_cloth() {
        let far = body.uvs.iter().fold(DVec2::ZERO, |m, p| m.max(*p));
        for (out, p) in outside.iter_mut().zip(&body.uvs) {
            *out = p.min_element() < 1e-9 || (far - *p).min_element() < 1e-9;
        }
    } else {
        for i in body.triangles.iter().flatten() {
            outside[*i as usize] = true;
        }
    }
    outside
}

/// A body that is bent, squeezed and spun, in free flight: the most that a step adds to its energy.
fn growth(mut body: SoftBody) -> f64 {
    body.options.linear.tolerance = 1e-10;
    for i in 0..body.positions.len() {
        let x = body.positions[i];
        body.positions[i] = x * 1.05 + DVec3::Y * (0.02 * (12.0 * x.x).sin() * (9.0 * x.z).cos());
        body.velocities[i] = DVec3::new(1.0, 6.0, -2.0).cross(x) + DVec3::X;
    }
    let mut energy = body.energy() + body.kinetic_energy();
    let (first, mut worst) = (energy, 0.0_f64);
    for _ in 0..300 {
        body.free_velocities(0.004, DVec3::ZERO, &[]);
        body.advance(0.004);
        let now = body.energy() + body.kinetic_energy();
        worst = worst.max((now - energy) / first);
        energy = now;
    }
    worst
}
