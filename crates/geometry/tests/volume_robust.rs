//! Coplanar faces, touching bodies, thin overlaps, meshes that are not right: a defined result or
//! a clear error, and never a panic.

mod volume_support;

use asperity_friction::random::Rng;
use asperity_geometry::shape::Shape;
use asperity_geometry::volume::{ClosedShape, NormalRule, PatchShape, Tessellation, VolumeError};
use glamx::{DPose3, DRot3, DVec2, DVec3};
use volume_support::{
    all, at, box_shape, boxed, close, closed, inverted, mesh, one, together, torus,
};

/// Cells of an n³ grid as a mesh: faces between full and empty cells. Cells that meet in an edge or
/// corner only make it meet itself there.
struct Voxels {
    n: i32,
    full: Vec<bool>,
}

impl Voxels {
    fn random(n: i32, rng: &mut Rng, share: f64) -> Voxels {
        let mut full: Vec<bool> = (0..n * n * n).map(|_| rng.chance(share)).collect();
        full[0] = true;
        Voxels { n, full }
    }

    fn has(&self, [x, y, z]: [i32; 3]) -> bool {
        let inside = [x, y, z].iter().all(|c| (0..self.n).contains(c));
        inside && self.full[((x * self.n + y) * self.n + z) as usize]
    }

    fn cells(&self) -> impl Iterator<Item = [i32; 3]> + '_ {
        let n = self.n;
        (0..n * n * n).map(move |i| [i / (n * n), i / n % n, i % n]).filter(|c| self.has(*c))
    }

    fn shape(&self) -> Shape {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for cell in self.cells() {
            for axis in 0..3 {
                for side in 0..2 {
                    let mut next = cell;
                    next[axis] += 2 * side - 1;
                    if self.has(next) {
                        continue;
                    }
                    let corner = |j: i32, k: i32| {
                        let mut p = cell;
                        p[axis] += side;
                        p[(axis + 1) % 3] += j;
                        p[(axis + 2) % 3] += k;
                        DVec3::from_array(p.map(f64::from))
                    };
                    let first = positions.len() as u32;
                    positions.extend([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
                    let quad: [[u32; 3]; 2] =
                        if side == 1 { [[0, 1, 2], [0, 2, 3]] } else { [[2, 1, 0], [3, 2, 0]] };
                    triangles.extend(quad.map(|t| t.map(|c| c + first)));
                }
            }
        }
        mesh(positions, triangles)
    }
}

#[test]
fn cells_on_one_grid_share_whole_cells() {
    let mut rng = Rng::new(5);
    for round in 0..150 {
        let n = 2 + (round % 4);
        let (p, q) = (Voxels::random(n, &mut rng, 0.5), Voxels::random(n, &mut rng, 0.5));
        let (a, b) = (closed(&p.shape()), closed(&q.shape()));
        // Shifts by cells and by half cells; a quarter turn of B about Y.
        let shift = [0, 1, 2].map(|_| rng.sign() as i32 * i32::from(rng.chance(0.7)));
        let half = 0.5 * f64::from(round % 2);
        let turn = round % 3 == 0;
        let mut expected = 0.0;
        for c in p.cells() {
            for d in q.cells() {
                // (x, y, z) turned is (z, y, −x).
                let [x, y, z] = if turn { [d[2], d[1], -d[0] - 1] } else { d };
                let low = [x + shift[0], y + shift[1], z + shift[2]].map(|k| f64::from(k) + half);
                let edges = [0, 1, 2].map(|k| {
                    let (u, v) = (f64::from(c[k]), low[k]);
                    (u.min(v) + 1.0 - u.max(v)).max(0.0)
                });
                expected += edges[0] * edges[1] * edges[2];
            }
        }
        let place = DVec3::from_array(shift.map(|k| f64::from(k) + half));
        let rotation = if turn {
            DRot3::from_xyzw(0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt())
        } else {
            DRot3::IDENTITY
        };
        let pose = DPose3::from_parts(place, rotation);
        let found = all(&a, &DPose3::IDENTITY, &b, &pose);
        let volume: f64 = found.iter().map(|o| o.volume).sum();
        close(volume, expected, 1e-12 * (1.0 + expected));
        let back: f64 = all(&b, &pose, &a, &DPose3::IDENTITY).iter().map(|o| o.volume).sum();
        close(back, expected, 1e-12 * (1.0 + expected));
    }
}

#[test]
fn what_only_touches_does_not_overlap() {
    let (a, b) = (boxed(1.0, 1.0, 1.0), boxed(1.0, 1.0, 1.0));
    let floor = closed(&Shape::HalfSpace { normal: DVec3::Y });
    // Faces, part of a face, edges, corners.
    for pose in [at(0.0, 1.0, 0.0), at(0.3, 1.0, 0.2), at(1.0, 1.0, 0.0), at(1.0, 1.0, 1.0)] {
        assert!(one(&a, &DPose3::IDENTITY, &b, &pose).is_none());
        assert!(one(&b, &pose, &a, &DPose3::IDENTITY).is_none());
    }
    assert!(one(&floor, &DPose3::IDENTITY, &b, &at(0.0, 0.5, 0.0)).is_none());
    assert!(one(&floor, &DPose3::IDENTITY, &floor, &at(0.0, 0.5, 0.0)).is_none());
    // A turned pair touches within rounding.
    for k in 0..20 {
        let world = volume_support::turned(k);
        for overlap in all(&a, &world, &b, &(world * at(0.1, 1.0, 0.0))) {
            assert!(overlap.volume < 1e-13, "{overlap:?}");
        }
    }
}

#[test]
fn coplanar_sides_pull_nowhere() {
    // A stack of equal boxes, exactly one over the other: the gradient is the mean of both sides.
    let (a, b) = (boxed(1.0, 1.0, 1.0), boxed(1.0, 1.0, 1.0));
    let overlap = one(&a, &DPose3::IDENTITY, &b, &at(0.0, 0.99, 0.0)).unwrap();
    close(overlap.volume, 0.01, 1e-15);
    assert!((overlap.gradient_linear - DVec3::NEG_Y).length() < 1e-14, "{overlap:?}");
    assert!(overlap.gradient_angular.length() < 1e-14, "{overlap:?}");
    let patch = overlap.patch(DVec3::Y, PatchShape::Measured);
    assert!((patch.half - DVec2::splat(0.5)).length() < 1e-12, "{patch:?}");
}

#[test]
fn thin_sheets_and_skinny_rods_have_their_moments() {
    let slab = boxed(2.0, 1.0, 2.0);
    for depth in [1e-3, 1e-6, 1e-9, 1e-12] {
        // As the pose has it.
        let height = 1.0 - depth;
        let depth = 1.0 - height;
        for turn in [0.0, 0.4] {
            let block = boxed(1.0, 1.0, 1.0);
            let pose = DPose3::from_parts(DVec3::Y * height, DRot3::from_rotation_y(turn));
            let sheet = one(&slab, &DPose3::IDENTITY, &block, &pose).unwrap();
            close(sheet.volume, depth, 1e-15 + 1e-12 * depth);
            assert!((sheet.centroid - DVec3::Y * (0.5 - 0.5 * depth)).length() < 1e-12);
            let normal = sheet.normal(NormalRule::Gradient);
            assert!(normal.distance(DVec3::Y) < 1e-9, "{normal}");
            let patch = sheet.patch(DVec3::Y, PatchShape::Rectangle);
            assert!((patch.half - DVec2::splat(0.5)).length() < 1e-3, "{depth} {patch:?}");
        }
    }
    // Two boxes that share a strip along an edge.
    for width in [1e-3, 1e-6] {
        let pose = at(1.0 - width, 1.0 - width, 0.25);
        let rod = one(&boxed(1.0, 1.0, 1.0), &DPose3::IDENTITY, &boxed(1.0, 1.0, 1.0), &pose);
        let rod = rod.unwrap();
        close(rod.volume, 0.75 * width * width, 1e-9 * width * width);
        let normal = rod.normal(NormalRule::Gradient);
        assert!((normal - DVec3::new(1.0, 1.0, 0.0).normalize()).length() < 2.0 * width);
        let patch = rod.patch(normal, PatchShape::Rectangle);
        close(patch.half.x, 0.375, 1e-3);
        assert!(patch.half.y <= width, "{patch:?}");
    }
}

#[test]
fn open_meshes_and_meshes_inside_out_are_named() {
    let Shape::Mesh(torus) = torus(0.5, 0.2, 8, 6) else { unreachable!() };
    let holed = mesh(torus.positions.clone(), torus.triangles[1..].to_vec());
    let error = ClosedShape::new(&holed).unwrap_err();
    assert!(matches!(error, VolumeError::Open { count: 3, .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("3 of its edges") && text.contains("fill the holes"), "{text}");
    // One triangle turned round.
    let mut flipped = torus.triangles.clone();
    flipped[4].swap(0, 1);
    let error = ClosedShape::new(&mesh(torus.positions.clone(), flipped)).unwrap_err();
    assert!(matches!(error, VolumeError::Open { count: 3, .. }), "{error:?}");
    let error = ClosedShape::new(&inverted(&box_shape(1.0, 1.0, 1.0))).unwrap_err();
    assert!(matches!(error, VolumeError::InsideOut { volume } if volume < 0.0), "{error:?}");
    let field = Shape::HeightField {
        heights: vec![0.0; 4],
        rows: 2,
        columns: 2,
        size: DVec2::new(1.0, 1.0),
    };
    // A solid that reaches down by its longer side: two triangles above, two for each wall, four below.
    assert_eq!(ClosedShape::new(&field).unwrap().triangles(), 2 + 4 * 2 + 4);
    let ball = Shape::Sphere { radius: 1.0 };
    let error = ClosedShape::with(&ball, Tessellation { segments: 3 }).unwrap_err();
    assert_eq!(error.to_string(), "the tessellation has 3 segments; expected 8 to 1024");
    assert!(ClosedShape::new(&Shape::Sphere { radius: f64::NAN }).is_err());
}

#[test]
fn a_mesh_that_meets_itself_counts_as_often_as_it_winds() {
    // Two boxes through each other, in one mesh: what they share counts twice.
    let part = box_shape(1.0, 1.0, 1.0);
    let poses = [at(0.0, 0.0, 0.0), at(0.5, 0.25, 0.125)];
    let crossed = closed(&together(&poses.map(|p| (p, &part))));
    let compound = closed(&Shape::Compound(poses.map(|p| (p, part.clone())).to_vec()));
    for body in [&crossed, &compound] {
        let found = all(body, &DPose3::IDENTITY, &boxed(5.0, 5.0, 5.0), &DPose3::IDENTITY);
        close(found.iter().map(|o| o.volume).sum(), 2.0, 1e-12);
        // With itself: 1² over what is single, 2² over what is double.
        let double = 0.5 * 0.75 * 0.875;
        let own = all(body, &DPose3::IDENTITY, body, &DPose3::IDENTITY);
        let sum = own.iter().map(|o| o.volume).sum();
        close(sum, 2.0 * (1.0 - double) + 4.0 * double, 1e-11);
    }
}

#[test]
fn nothing_panics() {
    let bodies = [
        closed(&torus(0.5, 0.2, 12, 8)),
        boxed(1.0, 1.0, 1.0),
        boxed(1e-3, 1e3, 1.0),
        closed(&Shape::HalfSpace { normal: DVec3::ONE }),
        closed(&Shape::Sphere { radius: 0.5 }),
        closed(&Shape::Cone { half_height: 0.5, radius: 0.5 }),
    ];
    let mut rng = Rng::new(99);
    let values = [0.0, -0.0, 1.0, -0.5, 1e-300, 1e-17, 1e9, -1e150, 1e300, f64::NAN, f64::INFINITY];
    for _ in 0..3000 {
        let (a, b) = (&bodies[rng.index(6)], &bodies[rng.index(6)]);
        let mut number = |wild: bool| {
            if wild { values[rng.index(values.len())] } else { 0.25 * (rng.index(9) as f64 - 4.0) }
        };
        let mut pose = |wild: bool| {
            let shift = DVec3::new(number(wild), number(wild), number(wild));
            let q = [number(wild), number(wild), number(wild), 1.0];
            let rotation = DRot3::from_xyzw(q[0], q[1], q[2], q[3]);
            let rotation = if wild { rotation } else { rotation.normalize() };
            DPose3::from_parts(shift, rotation)
        };
        let (wild_a, wild_b) = (pose(true), pose(true));
        let (tame_a, tame_b) = (pose(false), pose(false));
        for (p, q) in [(wild_a, wild_b), (tame_a, wild_b), (tame_a, tame_b)] {
            for overlap in all(a, &p, b, &q) {
                assert!(overlap.volume > 0.0, "{overlap:?}");
                for rule in [NormalRule::Gradient, NormalRule::Thinnest, NormalRule::Blend(0.5)] {
                    let normal = overlap.normal(rule);
                    for shape in [PatchShape::Measured, PatchShape::Ellipse, PatchShape::Reach] {
                        let _ = overlap.patch(normal, shape);
                    }
                }
            }
        }
    }
}
