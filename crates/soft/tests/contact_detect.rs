//! Closest points, the tree, and which features are near.

mod contact_common;

use asperity_friction::random::Rng;
use asperity_soft::contact::{
    Aabb, Bvh, ContactError, ContactMesh, Contacts, Detector, Motion, Region, Topology,
    point_triangle, segments,
};
use contact_common::{Ball, Plane, sheet, single, vector};
use glamx::DVec3;

fn find(detector: &mut Detector, positions: &[DVec3], velocities: &[DVec3]) -> Contacts {
    let mut contacts = Contacts::default();
    let motion = Motion { positions, velocities, dt: 0.01 };
    detector.find(&motion, &mut contacts).unwrap();
    contacts
}

#[test]
fn closest_point_of_a_triangle_in_each_region() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let cases = [
        (DVec3::new(0.25, 0.25, 2.0), [0.5, 0.25, 0.25], Region::Face),
        (DVec3::new(0.5, -1.0, 1.0), [0.5, 0.5, 0.0], Region::Edge(0)),
        (DVec3::new(1.0, 1.0, 0.0), [0.0, 0.5, 0.5], Region::Edge(1)),
        (DVec3::new(-3.0, 0.25, 0.0), [0.75, 0.0, 0.25], Region::Edge(2)),
        (DVec3::new(-1.0, -1.0, 0.0), [1.0, 0.0, 0.0], Region::Corner(0)),
        (DVec3::new(3.0, -0.5, 0.0), [0.0, 1.0, 0.0], Region::Corner(1)),
        (DVec3::new(-0.5, 3.0, 0.0), [0.0, 0.0, 1.0], Region::Corner(2)),
    ];
    for (p, bary, region) in cases {
        assert_eq!(point_triangle(p, corners), (bary, region));
    }
}

#[test]
fn closest_points_agree_with_dense_sampling() {
    let mut random = Rng::new(7);
    for case in 0..300 {
        let flat = if case % 3 == 0 { 1e-9 } else { 1.0 };
        let x = [0; 4].map(|_| vector(&mut random) * DVec3::new(1.0, 1.0, flat));
        let (b, _) = point_triangle(x[3], [x[0], x[1], x[2]]);
        let best = (x[0] * b[0] + x[1] * b[1] + x[2] * b[2]).distance(x[3]);
        let (s, t) = segments([x[0], x[1]], [x[2], x[3]]);
        let edges = (x[0] + (x[1] - x[0]) * s).distance(x[2] + (x[3] - x[2]) * t);
        let mut sampled = [f64::INFINITY; 2];
        let n = 60;
        for i in 0..=n {
            for j in 0..=n {
                let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let on = x[0] + (x[1] - x[0]) * u * (1.0 - v) + (x[2] - x[0]) * v;
                sampled[0] = sampled[0].min(on.distance(x[3]));
                let on = (x[0] + (x[1] - x[0]) * u, x[2] + (x[3] - x[2]) * v);
                sampled[1] = sampled[1].min(on.0.distance(on.1));
            }
        }
        for (found, sampled) in [best, edges].into_iter().zip(sampled) {
            assert!(found <= sampled + 1e-12, "case {case}: {found} > {sampled}");
            assert!(found >= sampled - 0.1, "case {case}: {found} << {sampled}");
        }
    }
}

#[test]
fn triangles_without_area_are_edges_or_points() {
    let (a, b) = (DVec3::ZERO, DVec3::X);
    for corners in [[a, b, b], [a, a, b], [a, b, a], [a, DVec3::X * 0.3, b]] {
        let (w, _) = point_triangle(DVec3::new(0.4, 2.0, 0.0), corners);
        let foot = corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
        assert!(foot.distance(DVec3::X * 0.4) < 1e-12);
    }
    assert_eq!(point_triangle(DVec3::Y, [a, a, a]).0.iter().sum::<f64>(), 1.0);
    assert_eq!(segments([a, a], [b, b]), (0.0, 0.0));
}

#[test]
fn the_tree_finds_every_overlap_after_refitting() {
    let mut random = Rng::new(3);
    let mut boxes: Vec<Aabb> = (0..500)
        .map(|_| {
            let p = vector(&mut random);
            Aabb { min: p, max: p }.grown(0.05 * random.unit())
        })
        .collect();
    let mut tree = Bvh::build(&boxes);
    for _ in 0..5 {
        for b in &mut boxes {
            let d = vector(&mut random) * 0.3;
            *b = Aabb { min: b.min + d, max: b.max + d };
        }
        boxes[17] = Aabb::EMPTY;
        tree.refit(&boxes);
        let mut found = Vec::new();
        tree.self_overlaps(&mut found, |a, b, list| list.push([a.min(b), a.max(b)]));
        let mut pairs: Vec<[u32; 2]> = found.into_iter().flat_map(|f| f.items).collect();
        pairs.sort_unstable();
        let mut expected = Vec::new();
        for i in 0..500_u32 {
            for j in i + 1..500 {
                if boxes[i as usize].overlaps(&boxes[j as usize]) {
                    expected.push([i, j]);
                }
            }
        }
        assert_eq!(pairs, expected);
    }
}

#[test]
fn the_tree_leaves_out_pairs_of_the_same_kin_and_no_others() {
    let mut random = Rng::new(5);
    let place = |random: &mut Rng| Aabb::around([vector(random)]).grown(0.15);
    let boxes: Vec<Aabb> = (0..300).map(|_| place(&mut random)).collect();
    let kin: Vec<u32> = (0..300).map(|i| [7, 9, Bvh::NO_KIN][i % 3]).collect();
    let mut tree = Bvh::of_kin(kin.clone());
    tree.refit(&boxes);
    let mut found = Vec::new();
    tree.self_overlaps(&mut found, |a, b, list| list.push([a.min(b), a.max(b)]));
    let mut pairs: Vec<[u32; 2]> = found.into_iter().flat_map(|f| f.items).collect();
    pairs.sort_unstable();
    let akin = |i: usize, j: usize| kin[i] == kin[j] && kin[i] != Bvh::NO_KIN;
    let mut expected = Vec::new();
    for i in 0..300 {
        for j in (i + 1..300).filter(|j| !akin(i, *j) && boxes[i].overlaps(&boxes[*j])) {
            expected.push([i as u32, j as u32]);
        }
    }
    assert!(expected.len() > 100);
    assert_eq!(pairs, expected);
}

#[test]
fn a_flat_sheet_does_not_touch_itself() {
    let (x, _, triangles) = sheet(1.0, 10, 0.0, 0);
    let contacts = find(&mut single(x.len(), &triangles, 0.03), &x, &vec![DVec3::ZERO; x.len()]);
    assert_eq!(contacts.list, []);
}

#[test]
fn features_closer_at_rest_than_the_thickness_keep_their_distance() {
    let (x, _, triangles) = sheet(1.0, 10, 0.0, 0);
    let mesh = ContactMesh {
        vertices: 0..x.len() as u32,
        triangles: &triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let topology = Topology::new(x.len(), &[mesh]).unwrap().with_rest(&x).unwrap();
    let mut detector = Detector::new(topology, 0.3).unwrap();
    let contacts = find(&mut detector, &x, &vec![DVec3::ZERO; x.len()]);
    assert!(contacts.list.iter().all(|c| c.gap > 0.0), "nothing pushes at rest");
}

#[test]
fn sheets_above_each_other_touch_once_for_each_vertex() {
    let (mut x, _, mut triangles) = sheet(1.0, 8, 0.0, 0);
    let (above, _, more) = sheet(1.0, 8, 0.004, x.len() as u32);
    let half = x.len();
    x.extend(above.iter().map(|p| *p * DVec3::new(0.9, 0.9, 1.0) + DVec3::new(0.011, 0.007, 0.0)));
    triangles.extend(more);
    let contacts = find(&mut single(x.len(), &triangles, 0.005), &x, &vec![DVec3::ZERO; x.len()]);
    let mut seen = vec![0; x.len()];
    for c in &contacts.list {
        assert!((c.gap + 0.001).abs() < 1e-12, "distance less thickness");
        let expected = if (c.vertices[3] as usize) < half { -DVec3::Z } else { DVec3::Z };
        assert!(c.normal.distance(expected) < 1e-9);
        assert!((c.weights.iter().sum::<f64>()).abs() < 1e-12);
        assert!(c.combine(&x).distance(c.offset) < 1e-12);
        if c.split == 3 {
            seen[c.vertices[3] as usize] += 1;
        }
    }
    assert!(seen[half..].iter().all(|n| *n == 1), "each upper vertex lies on one face");
    assert!(contacts.list.iter().any(|c| c.split == 2), "edges cross edges");
}

#[test]
fn the_nearest_features_of_random_triangles_are_among_the_contacts() {
    let mut random = Rng::new(11);
    for case in 0..200 {
        let x: Vec<DVec3> = (0..6).map(|_| vector(&mut random)).collect();
        let mut least = f64::INFINITY;
        for (v, face) in [(0, 3), (1, 3), (2, 3), (3, 0), (4, 0), (5, 0)] {
            let corners = [x[face], x[face + 1], x[face + 2]];
            let (b, _) = point_triangle(x[v], corners);
            let foot = corners[0] * b[0] + corners[1] * b[1] + corners[2] * b[2];
            least = least.min(foot.distance(x[v]));
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            for (k, l) in [(3, 4), (4, 5), (5, 3)] {
                let (s, t) = segments([x[i], x[j]], [x[k], x[l]]);
                let apart = (x[i] + (x[j] - x[i]) * s).distance(x[k] + (x[l] - x[k]) * t);
                least = least.min(apart);
            }
        }
        let mut detector = single(6, &[[0, 1, 2], [3, 4, 5]], 1.01 * least);
        if detector.crossings(&x).unwrap() > 0 {
            continue;
        }
        let contacts = find(&mut detector, &x, &[DVec3::ZERO; 6]);
        let found = contacts.list.iter().map(|c| c.offset.length()).fold(f64::INFINITY, f64::min);
        assert!((found - least).abs() < 1e-12, "case {case}: {found}, {least}");
    }
}

#[test]
fn vertices_meet_obstacles_on_their_way() {
    let positions =
        [DVec3::new(0.0, 0.0, 1.0), DVec3::new(0.0, 0.0, 0.004), DVec3::new(0.9, 0.0, 3.0)];
    let velocities = [DVec3::new(0.0, 0.0, -200.0), DVec3::X, DVec3::new(0.0, 0.0, -400.0)];
    let mesh = ContactMesh {
        vertices: 0..3,
        triangles: &[],
        edges: &[],
        points: &[0, 1, 2],
        self_contact: false,
        rigid: false,
    };
    let detector = Detector::new(Topology::new(3, &[mesh]).unwrap(), 0.005).unwrap();
    let motion = Motion { positions: &positions, velocities: &velocities, dt: 0.01 };
    let mut contacts = Contacts::default();
    detector.find_obstacles(&[&Plane::ground()], &motion, &mut contacts).unwrap();
    assert_eq!(contacts.list.len(), 3);
    assert!((contacts.list[0].gap - 0.995).abs() < 1e-9);
    assert!((contacts.list[1].gap + 0.001).abs() < 1e-12);
    // Past a ball, through the height of its centre, 0.4 from its surface: no contact, though the
    // way is long.
    contacts.clear();
    let ball = Ball { centre: DVec3::ZERO, radius: 0.5, spin: DVec3::ZERO };
    detector.find_obstacles(&[&ball], &motion, &mut contacts).unwrap();
    let vertices: Vec<u32> = contacts.list.iter().map(|c| c.vertices[0]).collect();
    assert_eq!(vertices, [0, 1]);
}

#[test]
fn the_number_of_threads_has_no_say() {
    let (mut x, _, triangles) = sheet(1.0, 40, 0.0, 0);
    let mut random = Rng::new(5);
    for p in &mut x {
        // Rolled up twice.
        let angle = 12.0 * p.x;
        let r = 0.05 + 0.002 * angle;
        *p = DVec3::new(r * angle.cos(), p.y, r * angle.sin()) + vector(&mut random) * 1e-3;
    }
    let still = vec![DVec3::ZERO; x.len()];
    let fast: Vec<DVec3> = x.iter().map(|_| vector(&mut random) * 8.0).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut detector = single(x.len(), &triangles, 0.013);
            let near = find(&mut detector, &x, &still);
            let mut impacts = Vec::new();
            let motion = Motion { positions: &x, velocities: &fast, dt: 0.01 };
            detector.find_impacts(&motion, &[], None, &mut impacts).unwrap();
            (near, impacts)
        })
    };
    let one = run(1);
    assert!(one.0.list.len() > 100 && one.1.len() > 100);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn bad_numbers_are_left_out_and_told() {
    let (mut x, _, mut triangles) = sheet(1.0, 4, 0.0, 0);
    let (above, _, more) = sheet(1.0, 4, 0.001, x.len() as u32);
    x.extend(above);
    triangles.extend(more);
    triangles.extend([[0, 0, 1], [2, 2, 2]]);
    let mut velocities = vec![DVec3::ZERO; x.len()];
    x[3] = DVec3::new(f64::NAN, 0.0, 0.0);
    velocities[7] = DVec3::new(0.0, f64::INFINITY, 0.0);
    x[30] = x[29];
    let mut detector = single(x.len(), &triangles, 0.01);
    assert_eq!(detector.topology().flattened(), 2);
    let contacts = find(&mut detector, &x, &velocities);
    assert!(contacts.left_out > 0);
    assert!(contacts.list.iter().all(|c| c.normal.is_finite() && c.gap.is_finite()));
    assert!(contacts.list.iter().all(|c| !c.vertices.contains(&3) && !c.vertices.contains(&7)));
    // The same place for all: still no panic, and normals of unit length.
    let x = vec![DVec3::ONE; x.len()];
    for c in find(&mut detector, &x, &vec![DVec3::X; x.len()]).list {
        assert!((c.normal.length() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn what_cannot_be_set_up_is_refused_by_name() {
    let mesh = |triangles| ContactMesh {
        vertices: 0..3,
        triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let error = Topology::new(3, &[mesh(&[[0, 1, 7]])]).unwrap_err();
    assert!(matches!(error, ContactError::Index { what: "triangle", vertex: 7, .. }));
    assert!(error.to_string().contains("vertex 7"), "{error}");
    assert!(Topology::new(2, &[mesh(&[])]).is_err());
    let topology = Topology::new(3, &[mesh(&[[0, 1, 2]])]).unwrap();
    for thickness in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Detector::new(topology.clone(), thickness).is_err());
    }
    let mut detector = Detector::new(topology, 0.1).unwrap();
    let motion = Motion { positions: &[], velocities: &[], dt: 0.1 };
    assert!(detector.find(&motion, &mut Contacts::default()).is_err());
}
