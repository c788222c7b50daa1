//! Meshes made by rule and read from text.

use asperity_soft::{SoftError, TetMesh, mesh};
use glamx::{DVec2, DVec3};

fn volume(m: &TetMesh) -> f64 {
    m.tets.iter().map(|t| m.six_volumes(*t) / 6.0).sum()
}

/// Volume inside the surface by the divergence theorem: right only if it is closed and faces out.
fn enclosed(m: &TetMesh) -> f64 {
    let part = |t: [u32; 3]| {
        let [a, b, c] = t.map(|i| m.positions[i as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    m.surface().into_iter().map(part).sum()
}

#[test]
fn generators_fill_their_shapes() {
    let pi = std::f64::consts::PI;
    let block = mesh::brick(DVec3::new(1.0, 2.0, 3.0), [2, 3, 4]).expect("a box");
    let ball = mesh::sphere(0.5, 2, 3).expect("a ball");
    let rod = mesh::cylinder(0.5, 2.0, 5, 10).expect("a cylinder");
    assert_eq!((block.tets.len(), ball.tets.len(), rod.tets.len()), (5 * 24, 2240, 4500));
    for (m, exact, error) in [(&block, 6.0, 1e-12), (&ball, pi / 6.0, 0.05), (&rod, pi / 2.0, 0.03)]
    {
        assert!((volume(m) / exact - 1.0).abs() < error, "{}", volume(m));
        assert!((enclosed(m) - volume(m)).abs() < 1e-12);
        // No slivers: every tetrahedron is worth at least a twentieth of a regular one.
        for t in &m.tets {
            let p = t.map(|i| m.positions[i as usize]);
            let mut longest = 0.0_f64;
            for a in p {
                longest = p.iter().fold(longest, |l, b| l.max(a.distance(*b)));
            }
            let regular = longest.powi(3) / 2.0_f64.sqrt();
            assert!(m.six_volumes(*t) > 0.05 * regular, "{} of {regular}", m.six_volumes(*t));
        }
    }
    let fine = mesh::sphere(0.5, 3, 6).expect("a ball");
    let error = |m: &TetMesh| (volume(m) / (pi / 6.0) - 1.0).abs();
    assert!(error(&fine) < 0.3 * error(&ball));
}

#[test]
fn cloth_rectangles_are_their_own_mirror_image() {
    let m = mesh::cloth_rectangle(DVec2::new(2.0, 1.0), [6, 4]).expect("a mesh");
    assert_eq!(m.triangles.len(), 52);
    let name = |p: DVec3| [p.x, p.z].map(|c| (c * 1e6).round() as i64);
    let list = |flip: DVec3| {
        let mut all: Vec<Vec<[i64; 2]>> = m
            .triangles
            .iter()
            .map(|t| {
                let mut corners: Vec<_> =
                    t.iter().map(|i| name(m.positions[*i as usize] * flip)).collect();
                corners.sort_unstable();
                corners
            })
            .collect();
        all.sort_unstable();
        all
    };
    let plain = list(DVec3::ONE);
    assert_eq!(plain, list(DVec3::new(-1.0, 1.0, 1.0)));
    assert_eq!(plain, list(DVec3::new(1.0, 1.0, -1.0)));
    for t in &m.triangles {
        let [a, b, c] = t.map(|i| m.positions[i as usize]);
        assert!((b - a).cross(c - a).y > 0.0);
        let [a, b, c] = t.map(|i| m.uvs[i as usize]);
        assert!((b - a).perp_dot(c - a) > 0.0);
    }
}

const MSH: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n\
$Nodes\n1 5 1 9\n3 1 0 5\n1\n2\n3\n4\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n\
$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 9\n$EndElements\n";

const VTK: &str = "# vtk DataFile Version 3.0\na test\nASCII\nDATASET UNSTRUCTURED_GRID\n\
POINTS 6 double\n5 5 5 0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\nCELLS 3 14\n4 1 2 3 4\n4 2 3 4 5\n3 1 2 3\n\
CELL_TYPES 3\n10\n10\n5\n";

#[test]
fn gmsh_and_vtk_files_give_the_same_mesh() {
    let a = mesh::read_msh(MSH).expect("a Gmsh file");
    let b = mesh::read_vtk(VTK).expect("a VTK file");
    assert_eq!(a, b);
    assert_eq!((a.positions.len(), a.tets.len()), (5, 2));
    assert!((volume(&a) - 0.5).abs() < 1e-12);
    assert_eq!(a.surface().len(), 6);
    // Version 4.0 has each node's tag before its coordinates.
    let old = "$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n1 4\n1 3 0 4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n\
4 0 0 1\n$EndNodes\n$Elements\n1 1\n1 3 4 1\n1 1 2 3 4\n$EndElements\n";
    assert_eq!(mesh::read_msh(old).expect("a file of version 4.0").tets.len(), 1);
}

#[test]
fn broken_files_are_refused_with_a_line() {
    let line = |result: Result<TetMesh, SoftError>| match result {
        Err(SoftError::Text { line, .. }) => line,
        other => panic!("{other:?}"),
    };
    assert_eq!(line(mesh::read_msh(&MSH.replace("4.1 0 8", "2.2 0 8"))), 2);
    assert_eq!(line(mesh::read_msh(&MSH.replace("3 2 3 4 9", "3 2 3 4 7"))), 28);
    assert_eq!(line(mesh::read_msh(&MSH.replace("0 1 0\n", "0 x 0\n"))), 18);
    let endless = MSH.replace("2 1 2 1\n", "2 1 2 18446744073709551615\n");
    assert_eq!(line(mesh::read_msh(&endless)), MSH.lines().count());
    assert_eq!(line(mesh::read_vtk(&VTK.replace("10\n10", "10\n-1"))), 14);
    assert_eq!(line(mesh::read_vtk(&VTK.replace("ASCII", "BINARY"))), 3);
    // Every beginning of the files is refused, and none makes it panic.
    for text in [MSH, VTK] {
        for end in 0..text.len() - 16 {
            let cut = &text[..end];
            if text == MSH {
                assert!(mesh::read_msh(cut).is_err());
            } else {
                let _ = mesh::read_vtk(cut);
            }
        }
    }
    let huge = MSH.replace("3 1 0 5", "3 1 0 999999999999999");
    assert!(mesh::read_msh(&huge).is_err());
}

#[test]
fn solids_without_uvs_get_them_and_say_so() {
    let ball = mesh::sphere(0.5, 1, 2).expect("a ball");
    let (uvs, message) = mesh::planar_uvs(&ball.positions);
    assert_eq!(uvs.len(), ball.positions.len());
    assert_eq!(uvs[3], DVec2::new(ball.positions[3].x, -ball.positions[3].z));
    assert!(message.contains("along y"), "{message}");
    let flat = mesh::brick(DVec3::new(1.0, 1.0, 0.1), [2, 2, 1]).expect("a box");
    assert!(mesh::planar_uvs(&flat.positions).1.contains("along z"));
    assert!(mesh::planar_uvs(&[]).0.is_empty());
}
