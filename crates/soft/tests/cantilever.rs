//! Strips cut along warp, weft and on the bias that hang over an edge under their own weight
//! (Peirce's cantilever), against the heavy elastica.

use asperity_soft::{Fabric, SoftBody, mesh};
use glamx::{DMat2, DVec2, DVec3};

const GRAVITY: f64 = 9.81;
/// Bending stiffness along warp and weft, N m, and mass per area, kg/m².
const BENDING: [f64; 2] = [4e-5, 1e-5];
const DENSITY: f64 = 0.15;

/// Drop of the tip of an elastica clamped level, of bending stiffness B and weight w per width, over
/// its length: B θ' = M, M' = −w (L − s) cos θ, M(L) = 0, by shooting for M(0). Also its reach.
fn elastica(length: f64, stiffness: f64) -> DVec2 {
    let weight = DENSITY * GRAVITY;
    let steps = 2000;
    let h = length / f64::from(steps);
    let shoot = |root: f64| {
        let slope = |s: f64, [angle, moment]: [f64; 2]| {
            [moment / stiffness, -weight * (length - s) * angle.cos()]
        };
        let (mut y, mut tip) = ([0.0, root], DVec2::ZERO);
        for k in 0..steps {
            let s = f64::from(k) * h;
            let at = |y: [f64; 2], d: [f64; 2], h: f64| [y[0] + h * d[0], y[1] + h * d[1]];
            let a = slope(s, y);
            let b = slope(s + h / 2.0, at(y, a, h / 2.0));
            let c = slope(s + h / 2.0, at(y, b, h / 2.0));
            let d = slope(s + h, at(y, c, h));
            let mean = [0, 1].map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0);
            let middle = f64::midpoint(y[0], y[0] + h * mean[0]);
            tip += DVec2::new(middle.cos(), middle.sin()) * h;
            y = at(y, mean, h);
        }
        (y[1], tip)
    };
    // The moment left at the tip grows with that at the root.
    let (mut low, mut high) = (0.0, weight * length * length / 2.0);
    for _ in 0..100 {
        let root = f64::midpoint(low, high);
        if shoot(root).0 > 0.0 { high = root } else { low = root }
    }
    shoot(low).1
}

/// Tip of a strip (how far it reaches, how far it drops) whose warp is turned by `bias` from its
/// length. The first row of cells is clamped; the beam begins behind it.
fn strip(length: f64, width: f64, cells: [u32; 2], bias: f64, bending: [f64; 2]) -> DVec2 {
    let tip = strip_end(length, width, cells, bias, bending);
    DVec2::new(tip.x, -tip.y)
}

/// The middle of its free end, from where the beam begins.
fn strip_end(length: f64, width: f64, cells: [u32; 2], bias: f64, bending: [f64; 2]) -> DVec3 {
    let cell = length / (f64::from(cells[0]) - 1.0);
    let whole = cell * f64::from(cells[0]);
    let mut sheet = mesh::cloth_rectangle(DVec2::new(whole, width), cells).expect("a mesh");
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
    let mut body = SoftBody::cloth(&sheet, &fabric).expect("a cloth");
    let end = whole / 2.0;
    for (i, x) in sheet.positions.iter().enumerate() {
        body.pinned[i] = x.x < -end + 1.01 * cell;
    }
    let report = body.relax(DVec3::NEG_Y * GRAVITY, &[], 1e-6, 200);
    assert!(report.converged, "{report:?}");
    let tip: Vec<usize> =
        (0..body.positions.len()).filter(|i| sheet.positions[*i].x > end - 1e-9).collect();
    let mean = tip.iter().map(|i| body.positions[*i]).sum::<DVec3>() / tip.len() as f64;
    mean + DVec3::X * (end - cell)
}

/// Peirce 1930: B_θ = (cos²θ/√B₁ + sin²θ/√B₂)⁻².
fn peirce(bias: f64) -> f64 {
    let (s, c) = bias.sin_cos();
    (c * c / BENDING[0].sqrt() + s * s / BENDING[1].sqrt()).powi(-2)
}

#[test]
fn the_elastica_is_peirces_cantilever_and_for_small_drops_a_beam() {
    // A strip whose tip is seen at 41.5° below the edge is twice its bending length (B/w)^(1/3) long.
    let (bending, weight) = (BENDING[0], DENSITY * GRAVITY);
    let length = 2.0 * (bending / weight).cbrt();
    let tip = elastica(length, bending);
    let angle = tip.y.atan2(tip.x).to_degrees();
    assert!((angle - 41.5).abs() < 0.7, "{angle}");
    let short = 0.2 * length;
    let drop = elastica(short, bending).y / (weight * short.powi(4) / (8.0 * bending));
    assert!((drop - 1.0).abs() < 1e-3, "{drop}");
}

#[test]
fn strips_along_warp_and_weft_and_on_the_bias_sag_as_elasticas() {
    // Strips on the bias are short: longer ones twist as they hang, which no elastica does, and go
    // aside. Their clamped end hinders twisting over about their width, a tenth of the length.
    for (name, degrees, length, allowed) in [
        ("warp", 0.0_f64, 0.06, 0.01),
        ("weft", 90.0, 0.06, 0.01),
        ("bias", 45.0, 0.015, 0.02),
        ("30 degrees", 30.0, 0.015, 0.02),
    ] {
        let bias = degrees.to_radians();
        let exact = elastica(length, peirce(bias));
        // Of first order in the cells, as the clamped row is.
        let off = |bending: [f64; 2]| {
            let tip = |cells| strip(length, 0.1 * length, cells, bias, bending);
            (tip([49, 8]) * 2.0 - tip([25, 4]) - exact).length() / exact.y
        };
        let found = off(BENDING);
        println!("{name}: {exact:.5?}, off by {found:.4}");
        assert!(found < allowed, "{name}: {found}");
        // The control: a cloth that is as stiff all ways, by the mean of both.
        let control = off([(BENDING[0] * BENDING[1]).sqrt(); 2]);
        assert!(control > 2.0 * allowed, "{name}: {control}");
    }
}

#[test]
fn a_long_strip_on_the_bias_twists_and_goes_aside_and_others_do_not() {
    let aside = |bias: f64, bending| strip_end(0.06, 0.006, [25, 4], bias, bending).z / 0.06;
    let bias = 45.0_f64.to_radians();
    assert!(aside(bias, BENDING).abs() > 0.05, "{}", aside(bias, BENDING));
    for straight in [aside(0.0, BENDING), aside(bias, [2e-5; 2])] {
        assert!(straight.abs() < 0.005, "{straight}");
    }
}
