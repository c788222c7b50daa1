//! Equilibria against closed forms: bending beams and hanging strips.

mod common;

use asperity_soft::{Elastic, Fabric, SoftBody, SolidMaterial, mesh};
use glamx::{DVec2, DVec3};

/// Tip deflection of a strip of cloth over that of a beam, P L³/(3 B w). The first cell is clamped;
/// the beam begins behind it.
fn strip(cells: u32, across: u32) -> f64 {
    let (length, width, bending, load) = (0.5, 0.05, 1e-3, 1e-5);
    let cell = length / (f64::from(cells) - 1.0);
    let sheet = mesh::cloth_rectangle(DVec2::new(cell * f64::from(cells), width), [cells, across])
        .expect("a mesh");
    let fabric =
        Fabric { stretch: [100.0; 2], shear: 40.0, bending: [bending; 2], ..Fabric::cotton() };
    let mut body = SoftBody::cloth(&sheet, &fabric).expect("a cloth");
    let (root, tip) = (-cell * f64::from(cells) / 2.0, cell * f64::from(cells) / 2.0);
    let mut forces = vec![DVec3::ZERO; body.positions.len()];
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x < root + 1.01 * cell;
        if x.x > tip - 1e-9 {
            let edge = x.z.abs() > width / 2.0 - 1e-9;
            forces[i] = DVec3::NEG_Y * (load / f64::from(across) * if edge { 0.5 } else { 1.0 });
        }
    }
    let report = body.relax(DVec3::ZERO, &forces, 1e-6, 60);
    assert!(report.converged, "{report:?}");
    let ends = (0..body.positions.len()).filter(|i| sheet.positions[*i].x > tip - 1e-9);
    let sum: f64 = ends.map(|i| -body.positions[i].y).sum();
    let exact = load * length.powi(3) / (3.0 * bending * width);
    assert!(exact < 0.02 * length);
    sum / f64::from(across + 1) / exact
}

#[test]
fn a_cantilever_strip_of_cloth_bends_like_a_beam() {
    let errors = [(21, 4), (41, 8), (81, 16)].map(|(n, m)| (strip(n, m) - 1.0).abs());
    println!("{errors:.4?}");
    assert!(errors[2] < 0.01, "{errors:?}");
    assert!(errors.windows(2).all(|w| w[1] < 0.7 * w[0]), "{errors:?}");
}

/// Tip deflection of a beam of tetrahedra over P L³/(3 E I), with Timoshenko's share of shear.
fn beam(model: Elastic, across: u32) -> f64 {
    let (length, side, width, young, load) = (1.0, 0.1, 0.02, 1e6, 0.01);
    let cells = [10 * across, across, 2];
    let block = mesh::brick(DVec3::new(length, side, width), cells).expect("a mesh");
    let material = SolidMaterial { model, ..SolidMaterial::new(1000.0, young, 0.0) };
    let mut body = SoftBody::solid(&block, &material).expect("a solid");
    let end: Vec<usize> = (0..block.positions.len())
        .filter(|i| block.positions[*i].x > length / 2.0 - 1e-9)
        .collect();
    let mut forces = vec![DVec3::ZERO; body.positions.len()];
    for i in &end {
        forces[*i] = DVec3::NEG_Y * (load / end.len() as f64);
    }
    for (i, x) in block.positions.iter().enumerate() {
        body.pinned[i] = x.x < -length / 2.0 + 1e-9;
    }
    let report = body.relax(DVec3::ZERO, &forces, 1e-7, 60);
    assert!(report.converged, "{report:?}");
    let sum: f64 = end.iter().map(|i| block.positions[*i].y - body.positions[*i].y).sum();
    let inertia = width * side.powi(3) / 12.0;
    let bent = load * length.powi(3) / (3.0 * young * inertia);
    let sheared = load * length / (5.0 / 6.0 * 0.5 * young * side * width);
    sum / end.len() as f64 / (bent + sheared)
}

#[test]
fn a_cantilever_of_tetrahedra_bends_like_a_beam() {
    for model in [Elastic::Corotational, Elastic::NeoHookean] {
        let errors = [2, 4, 8, 12].map(|n| 1.0 - beam(model, n));
        println!("{model:?}: {errors:.4?}");
        assert!(errors[3].abs() < 0.02, "{model:?}: {errors:?}");
        assert!(errors.windows(2).all(|w| w[1].abs() < w[0].abs()), "{model:?}: {errors:?}");
    }
}

#[test]
fn a_hanging_strip_is_a_catenary() {
    // Length 1.2 between supports 1 apart: a sinh(1/2a) = 0.6.
    let (length, span) = (1.2, 1.0);
    let mut a = 1.0_f64;
    for _ in 0..100 {
        let f = 2.0 * a * (span / (2.0 * a)).sinh() - length;
        let slope = 2.0 * (span / (2.0 * a)).sinh() - span / a * (span / (2.0 * a)).cosh();
        a -= f / slope;
    }
    let cells = 60;
    let mut sheet = mesh::cloth_rectangle(DVec2::new(length, 0.04), [cells, 2]).expect("a mesh");
    for x in &mut sheet.positions {
        // Start as an arc of a polygon that has the right length.
        let s = x.x / (length / 2.0);
        let half_sag = ((length / 2.0).powi(2) - (span / 2.0).powi(2)).sqrt();
        x.y = -(1.0 - s.abs()) * half_sag;
        x.x *= span / length;
    }
    let fabric = Fabric { stretch: [1e4; 2], shear: 4e3, bending: [0.0; 2], ..Fabric::cotton() };
    let mut body = SoftBody::cloth(&sheet, &fabric).expect("a cloth");
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x.abs() > span / 2.0 - 1e-9;
    }
    let report = body.relax(DVec3::NEG_Y * 9.81, &[], 1e-6, 500);
    assert!(report.converged, "{report:?}");
    let bottom = a * ((span / (2.0 * a)).cosh() - 1.0);
    let mut worst = 0.0_f64;
    for x in &body.positions {
        let exact = a * ((x.x / a).cosh() - (span / (2.0 * a)).cosh());
        worst = worst.max((x.y - exact).abs());
    }
    assert!(worst < 0.005 * bottom, "{worst:e} of {bottom}");
}
