//! Sewn cloth: tubes, and sheets that are cut and sewn together again.

mod common;

use std::collections::BTreeMap;
use std::f64::consts::PI;

use asperity_friction::ContactFrame;
use asperity_soft::contact::VertexFrames;
use asperity_soft::{Fabric, Shell, SoftBody, SoftError, SurfaceMesh, mesh};
use common::{shake, stiff};
use glamx::{DMat2, DQuat, DVec2, DVec3};

const TUBES: [([f64; 2], f64, [u32; 2]); 6] = [
    ([0.1, 0.1], 0.5, [24, 22]),
    ([0.1, 0.06], 0.5, [24, 21]),
    ([0.05, 0.1], 0.3, [17, 8]),
    ([0.1, 0.1], 0.1, [3, 1]),
    ([0.3, 0.01], 0.4, [30, 5]),
    ([0.1, 0.1 + 1e-12], 0.5, [24, 22]),
];

fn tube(k: usize) -> SurfaceMesh {
    let (radii, length, cells) = TUBES[k];
    mesh::cloth_tube(radii, length, cells).expect("a tube")
}

/// As stiff along all directions.
fn even(shell: Shell) -> Fabric {
    let fabric = stiff();
    let (e, nu) = (fabric.stretch[0], fabric.poisson);
    let (stretch, shear, bending) = ([e; 2], e / (2.0 * (1.0 + nu)), [0.02; 2]);
    Fabric { stretch, shear, bending, shell, strain_limit: None, ..fabric }
}

fn largest(list: &[DVec3]) -> f64 {
    list.iter().map(|f| f.length()).fold(0.0, f64::max)
}

#[test]
fn a_tube_is_closed_and_has_all_lengths_of_its_cloth() {
    for (k, (radii, length, [n, rows])) in TUBES.into_iter().enumerate() {
        let m = tube(k);
        m.check().expect("a good mesh");
        assert_eq!(m.positions.len() as u32, n * (rows + 1));
        assert_eq!(m.triangles.len() as u32, 2 * n * rows);
        let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut area = 0.0;
        for (k, t) in m.triangles.iter().enumerate() {
            let flat = m.flat(k);
            let x = t.map(|i| m.positions[i as usize]);
            for c in 0..3 {
                let d = (c + 1) % 3;
                let (cut, sewn) = (flat[c].distance(flat[d]), x[c].distance(x[d]));
                assert!((cut - sewn).abs() < 1e-12 * cut.max(0.01), "{cut} {sewn}");
                *edges.entry([t[c].min(t[d]), t[c].max(t[d])]).or_default() += 1;
            }
            let normal = (x[1] - x[0]).cross(x[2] - x[0]);
            let middle = (x[0] + x[1] + x[2]) / 3.0;
            assert!(normal.dot(DVec3::new(middle.x, 0.0, middle.z)) > 0.0);
            let twice = (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]);
            assert!(twice > 0.0);
            area += twice / 2.0;
        }
        assert_eq!(edges.values().filter(|count| **count == 1).count() as u32, 2 * n);
        assert!(edges.values().all(|count| *count <= 2));
        // Chords cut off a little of a sector of a ring, and nothing of a rectangle.
        let exact = PI * (radii[0] + radii[1]) * length;
        let lost = 1.0 - area / exact;
        let chord = (PI * (radii[0] - radii[1]) / length / f64::from(n)).powi(2);
        assert!(lost > -1e-12 && lost < chord + 1e-12, "{lost:e} {chord:e}");
    }
}

#[test]
fn the_membrane_of_a_sewn_tube_is_at_rest() {
    for k in 0..TUBES.len() {
        let m = tube(k);
        let fabric = Fabric { bending: [0.0; 2], ..stiff() };
        let mut body = SoftBody::cloth(&m, &fabric).expect("a cloth");
        assert!(body.defects().is_empty(), "{:?}", body.defects());
        let worst = largest(&body.forces());
        for x in &mut body.positions {
            *x *= 1.001;
        }
        assert!(worst < 1e-9 * largest(&body.forces()), "tube {k}: {worst:e}");
    }
}

#[test]
fn bending_flat_cloth_into_a_tube_costs_what_a_sheet_of_that_curvature_holds() {
    // ½ B / r² on the area 2 π r l; warp is bent, weft is not.
    let (radius, length, bending) = (0.1, 0.4, [0.02, 0.5]);
    let exact = PI * bending[0] * length / radius;
    let error = |n: u32| {
        let cells = [n, (f64::from(n) * length / (2.0 * PI * radius)) as u32];
        let m = mesh::cloth_tube([radius; 2], length, cells).expect("a tube");
        let fabric = Fabric { bending, shell: Shell::Patches, ..stiff() };
        SoftBody::cloth(&m, &fabric).expect("a cloth").energy() / exact - 1.0
    };
    let errors = [16, 32, 64].map(error);
    println!("{errors:.5?}");
    assert!(errors[2].abs() < 0.01, "{errors:?}");
    assert!(errors.windows(2).all(|w| w[1].abs() < 0.35 * w[0].abs()), "{errors:?}");
}

#[test]
fn the_seam_is_like_any_other_place_of_a_tube() {
    // All vertices of a ring feel the same, turned: also where a cone's grain turns at the seam,
    // if the fabric has no grain.
    for (k, shell) in
        [(0, Shell::Patches), (0, Shell::Hinges), (1, Shell::Patches), (1, Shell::Hinges)]
    {
        let (_, _, [n, rows]) = TUBES[k];
        let fabric = if k == 0 { Fabric { shell, ..stiff() } } else { even(shell) };
        let mut body = SoftBody::cloth(&tube(k), &fabric).expect("a cloth");
        for x in &mut body.positions {
            let swell = 1.02 + 0.03 * (20.0 * x.y).sin();
            *x = DVec3::new(x.x * swell, x.y * 0.97, x.z * swell);
        }
        let forces = body.forces();
        let scale = largest(&forces);
        for (i, f) in forces.iter().enumerate() {
            let (row, column) = (i as u32 / n, i as u32 % n);
            let turn = DQuat::from_rotation_y(2.0 * PI * f64::from(column) / f64::from(n));
            let like = turn * forces[(row * n) as usize];
            assert!(f.distance(like) < 1e-10 * scale, "tube {k} {shell:?} row {row} of {rows}");
        }
    }
}

#[test]
fn turning_the_seam_by_a_cell_changes_nothing_but_rounding() {
    for shell in [Shell::Patches, Shell::Hinges] {
        let m = tube(0);
        let (_, _, [n, rows]) = TUBES[0];
        let mut turned = m.clone();
        for j in 0..rows as usize {
            let row = j * 2 * n as usize..(j + 1) * 2 * n as usize;
            turned.uv_triangles[row].rotate_left(2);
        }
        assert_ne!(m, turned);
        let run = |m: &SurfaceMesh| {
            let mut body = SoftBody::cloth(m, &Fabric { shell, ..stiff() }).expect("a cloth");
            body.options.linear.tolerance = 1e-13;
            shake(&mut body, 0.002, 4);
            for _ in 0..20 {
                body.free_velocities(0.002, DVec3::NEG_Y * 9.81, &[]);
                body.advance(0.002);
            }
            body.positions
        };
        let (one, other) = (run(&m), run(&turned));
        let worst = one.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{shell:?}: {worst:e}");
        assert!(worst < 1e-10, "{shell:?}: {worst:e}");
    }
}

#[test]
fn an_inflated_tube_stretches_as_the_hoop_formula_says() {
    // Dead radial load f per area of cloth: hoop tension λ S = f r with S = E (λ² − 1)/2; the ends
    // are free, so nothing pulls along the axis.
    let (radius, length, load) = (0.1, 0.4, 150.0);
    let fabric = Fabric { strain_limit: None, bending: [1e-9; 2], ..stiff() };
    let tension = load * radius;
    let mut exact = 1.0_f64;
    for _ in 0..50 {
        let f = exact * fabric.stretch[0] * (exact * exact - 1.0) / 2.0 - tension;
        exact -= f / (fabric.stretch[0] * (3.0 * exact * exact - 1.0) / 2.0);
    }
    assert!(exact > 1.04);
    let error = |n: u32| {
        let m = mesh::cloth_tube([radius; 2], length, [n, n / 2]).expect("a tube");
        let mut body = SoftBody::cloth(&m, &fabric).expect("a cloth");
        let out = |x: DVec3| DVec3::new(x.x, 0.0, x.z);
        let area = |mass: &f64| mass / fabric.areal_density;
        let forces: Vec<DVec3> = (m.positions.iter().zip(&body.masses))
            .map(|(x, mass)| out(*x).normalize() * (load * area(mass)))
            .collect();
        let report = body.relax(DVec3::ZERO, &forces, 1e-7, 200);
        assert!(report.converged, "{report:?}");
        let wider = |(x, old): (&DVec3, &DVec3)| out(*x).length() / out(*old).length();
        let ratios: Vec<f64> = body.positions.iter().zip(&m.positions).map(wider).collect();
        let (low, high) =
            ratios.iter().fold((f64::MAX, 0.0_f64), |(a, b), r| (a.min(*r), b.max(*r)));
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        println!("{n}: {exact} {mean} from {low} to {high}");
        (mean - 1.0) / (exact - 1.0) - 1.0
    };
    let errors = [16, 32].map(error);
    println!("{errors:.5?}");
    assert!(errors[1].abs() < 5e-3, "{errors:?}");
    assert!(errors[1].abs() < 0.35 * errors[0].abs(), "{errors:?}");
}

/// A frame for points that have none; tests that expect none to be needed pass an odd one.
fn odd() -> ContactFrame {
    ContactFrame::from_normal(DVec3::new(0.3, 0.5, -0.7).normalize())
}

fn frames_of(m: &SurfaceMesh) -> VertexFrames {
    let count = m.positions.len();
    let mut frames =
        VertexFrames::with_seams(count, &m.triangles, &m.uvs, m.uv_corners()).expect("frames");
    frames.update(&m.positions).expect("as many positions");
    frames
}

#[test]
fn frames_at_the_seam_are_those_elsewhere_turned() {
    let m = tube(0);
    let (_, _, [n, _]) = TUBES[0];
    let frames = frames_of(&m);
    for i in 0..m.positions.len() as u32 {
        let (row, column) = (i / n, i % n);
        let turn = DQuat::from_rotation_y(2.0 * PI * f64::from(column) / f64::from(n));
        let (here, there) =
            (frames.at(&[i], &[1.0], &odd()), frames.at(&[row * n], &[1.0], &odd()));
        assert!(here.tangent.distance(turn * there.tangent) < 1e-12);
        assert!(here.bitangent.distance(turn * there.bitangent) < 1e-12);
        let x = m.positions[i as usize];
        let around = DVec3::Y.cross(DVec3::new(x.x, 0.0, x.z).normalize());
        assert!(here.tangent.distance(around) < 1e-12, "{} {around}", here.tangent);
        // At an end the triangles on one side only tilt the weft.
        assert!(here.bitangent.dot(DVec3::Y) > 0.99);
    }
    let third = [1.0 / 3.0; 3];
    let width = m.uvs[0].distance(m.uvs[1]) * f64::from(n);
    for (k, t) in m.triangles.iter().enumerate() {
        let flat = m.flat(k);
        let middle = frames.at(t, &third, &odd());
        assert!(middle.uv.distance((flat[0] + flat[1] + flat[2]) / 3.0) < 1e-12);
        for c in 0..3 {
            // Either side of the seam will do for an edge, but not a mean of both.
            let edge = [t[c], t[(c + 1) % 3]];
            let uv = frames.at(&edge, &[-0.25, -0.75], &odd()).uv;
            let off = uv - (flat[c] * 0.25 + flat[(c + 1) % 3] * 0.75);
            assert!(off.y.abs() < 1e-12);
            assert!((off.x - width * (off.x / width).round()).abs() < 1e-12, "{off}");
        }
    }
}

/// A sheet, and the same cut in two at the middle and sewn: the left piece of the cloth is laid
/// somewhere else in the flat by `lay`.
fn cut(lay: impl Fn(DVec2) -> DVec2) -> (SurfaceMesh, SurfaceMesh) {
    let whole = mesh::cloth_rectangle(DVec2::new(0.3, 0.2), [8, 6]).expect("a mesh");
    let mut sewn = whole.clone();
    sewn.uv_triangles.clone_from(&whole.triangles);
    let count = whole.uvs.len() as u32;
    sewn.uvs.extend(whole.uvs.iter().map(|p| lay(*p)));
    for (k, t) in sewn.uv_triangles.iter_mut().enumerate() {
        let [a, b, c] = whole.flat(k);
        if (a.x + b.x + c.x) / 3.0 < 0.15 {
            *t = t.map(|i| i + count);
        }
    }
    sewn.check().expect("a good mesh");
    (whole, sewn)
}

#[test]
fn a_sheet_that_is_cut_and_sewn_again_is_as_stiff_as_before() {
    let turn = DMat2::from_angle(0.7);
    let shift = DVec2::new(-2.0, 0.4);
    let flip = DMat2::from_cols(DVec2::NEG_X, DVec2::Y);
    for shell in [Shell::Patches, Shell::Hinges] {
        let pieces = [
            (stiff(), cut(|p| p + shift)),
            (even(shell), cut(|p| turn * p + shift)),
            (stiff(), cut(|p| flip * p + shift)),
            (even(shell), cut(|p| turn * (flip * p))),
        ];
        for (k, (fabric, (whole, sewn))) in pieces.into_iter().enumerate() {
            let fabric = Fabric { shell, ..fabric };
            let [a, b] = [&whole, &sewn].map(|m| {
                let mut body = SoftBody::cloth(m, &fabric).expect("a cloth");
                shake(&mut body, 0.01, 8);
                (body.energy(), body.forces())
            });
            assert!((a.0 / b.0 - 1.0).abs() < 1e-11, "{shell:?} {k}: {} {}", a.0, b.0);
            let scale = largest(&a.1);
            for (f, g) in a.1.iter().zip(&b.1) {
                assert!(f.distance(*g) < 1e-10 * scale, "{shell:?} {k}: {f} {g}");
            }
        }
    }
}

#[test]
fn the_grain_runs_on_over_a_seam_only_where_it_does_in_the_flat() {
    let (whole, sewn) = cut(|p| p + DVec2::new(-2.0, 0.4));
    let (plain, shifted) = (frames_of(&whole), frames_of(&sewn));
    for i in 0..whole.positions.len() as u32 {
        let [a, b] = [&plain, &shifted].map(|f| f.at(&[i], &[1.0], &odd()));
        assert!(a.tangent.distance(b.tangent) < 1e-12);
        assert!(a.bitangent.distance(b.bitangent) < 1e-12);
    }
    // A quarter turn: the warp of the left piece is the weft of the right one.
    let (whole, sewn) = cut(DVec2::perp);
    let frames = frames_of(&sewn);
    for (k, t) in whole.triangles.iter().enumerate() {
        let turned = sewn.uv_triangles[k] != *t;
        let axes = frames.at(t, &[0.2, 0.3, 0.5], &odd());
        let (u, v) = (DVec3::X, DVec3::NEG_Z);
        let [tangent, bitangent] = if turned { [-v, u] } else { [u, v] };
        assert!(axes.tangent.distance(tangent) < 1e-12, "{turned} {}", axes.tangent);
        assert!(axes.bitangent.distance(bitangent) < 1e-12, "{turned} {}", axes.bitangent);
    }
}

#[test]
fn split_vertices_at_one_place_are_sewn() {
    // What a file has of a tube: each vertex as often as it has uvs.
    let m = tube(1);
    let mut split = SurfaceMesh { uvs: m.uvs.clone(), ..SurfaceMesh::default() };
    split.positions = vec![DVec3::ZERO; m.uvs.len()];
    for (t, uv) in m.triangles.iter().zip(&m.uv_triangles) {
        for c in 0..3 {
            split.positions[uv[c] as usize] = m.positions[t[c] as usize];
        }
    }
    split.triangles.clone_from(&m.uv_triangles);
    let fabric = Fabric { shell: Shell::Hinges, ..stiff() };
    let [open, sewn, whole] =
        [&split, &split.sewn(), &m].map(|m| SoftBody::cloth(m, &fabric).expect("a cloth"));
    assert_eq!(open.defects().coincident.len() as u32, TUBES[1].2[1] + 1);
    assert!(sewn.defects().is_empty(), "{:?}", sewn.defects());
    assert_eq!(sewn.positions.len(), whole.positions.len());
    assert!((sewn.energy() / whole.energy() - 1.0).abs() < 1e-12);
    // An open seam has no hinges: in each row one of the two oblique edges that a cell has.
    let missing = (1.0 - open.energy() / whole.energy()) * f64::from(TUBES[1].2[0]);
    assert!((missing - 0.5).abs() < 0.05, "{missing}");
}

#[test]
fn bad_tubes_are_refused_by_name() {
    let name = |result: Result<SurfaceMesh, SoftError>| match result {
        Err(SoftError::Field { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let same = |r: f64| [r, r];
    assert_eq!(name(mesh::cloth_tube([0.0, 0.1], 1.0, [8, 8])), "radius[0]");
    assert_eq!(name(mesh::cloth_tube([0.1, f64::NAN], 1.0, [8, 8])), "radius[1]");
    assert_eq!(name(mesh::cloth_tube(same(0.1), -1.0, [8, 8])), "length");
    assert_eq!(name(mesh::cloth_tube(same(0.1), 1.0, [2, 8])), "cells");
    assert_eq!(name(mesh::cloth_tube(same(0.1), 1.0, [8, 0])), "cells");
    assert_eq!(name(mesh::cloth_tube(same(0.1), 1.0, [u32::MAX, u32::MAX])), "cells");
    assert_eq!(name(mesh::cloth_tube([1.0, 0.1], 0.9, [8, 8])), "radius");
    // Rows lower than the bow of a facet cannot be folded.
    assert_eq!(name(mesh::cloth_tube(same(1.0), 0.1, [4, 8])), "cells");
    let mut m = tube(0);
    m.uv_triangles.pop();
    assert_eq!(name(m.check().map(|()| SurfaceMesh::default())), "uv_triangles");
    m.uv_triangles.push([0, 1, 1_000_000]);
    assert_eq!(
        name(m.check().map(|()| SurfaceMesh::default())),
        format!("uv_triangles[{}]", m.triangles.len() - 1)
    );
}
