//! Times at which moving features meet, and that nothing passes through anything.

mod contact_common;

use asperity_friction::random::Rng;
use asperity_soft::contact::{
    ContactMesh, ContactStage, Detector, ImpactOptions, ImpactSolver, Motion, Paths, Step,
    Topology, VertexFrames, edge_edge_time, point_triangle, segments, vertex_face_time,
};
use contact_common::{Ball, Plane, sheet, single, vector};
use glamx::{DVec2, DVec3};

const TOLERANCE: f64 = 1e-9;

#[test]
fn times_of_impact_are_the_closed_ones() {
    let face =
        [DVec3::new(-1.0, -1.0, 0.0), DVec3::new(2.0, -1.0, 0.0), DVec3::new(-1.0, 2.0, 0.0)];
    let with = |p: DVec3| [face[0], face[1], face[2], p];
    // Straight down from a height of 1 to −3: at a quarter.
    let (start, end) = (with(DVec3::new(0.0, 0.0, 1.0)), with(DVec3::new(0.0, 0.0, -3.0)));
    assert!((vertex_face_time(start, end, TOLERANCE).unwrap() - 0.25).abs() < 1e-9);
    // Both move: the face rises by 1, the vertex falls by 1, from 1 apart.
    let rising = with(DVec3::ZERO).map(|p| p + DVec3::Z);
    let end = [rising[0], rising[1], rising[2], DVec3::ZERO];
    assert!((vertex_face_time(start, end, TOLERANCE).unwrap() - 0.5).abs() < 1e-9);
    // Beside the face, and away from it.
    let beside = DVec3::new(3.0, 3.0, 1.0);
    let under = DVec3::new(3.0, 3.0, -1.0);
    assert_eq!(vertex_face_time(with(beside), with(under), TOLERANCE), None);
    let higher = with(DVec3::new(0.0, 0.0, 2.0));
    assert_eq!(vertex_face_time(start, higher, TOLERANCE), None);
    // Edges across each other.
    let a = [-DVec3::X, DVec3::X];
    let edges = |h: f64| [a[0], a[1], DVec3::new(0.0, -1.0, h), DVec3::new(0.0, 1.0, h)];
    let time = edge_edge_time(edges(0.3), edges(-0.7), TOLERANCE).unwrap();
    assert!((time - 0.3).abs() < 1e-9);
    assert_eq!(edge_edge_time(edges(0.3), edges(0.1), TOLERANCE), None);
    // In one plane from beginning to end: the vertex comes to the edge at x = 1 from x = 3.
    let (from, to) = (DVec3::new(3.0, 0.0, 0.0), DVec3::new(-1.0, 0.0, 0.0));
    let time = vertex_face_time(with(from), with(to), 1e-6).unwrap();
    assert!((time - 0.5).abs() < 1e-5, "{time}");
    // A face that catches up with a vertex at rest.
    let late = [face[0], face[1], face[2], DVec3::new(0.0, 0.0, 0.5)];
    let caught = [
        face[0] + DVec3::Z * 2.0,
        face[1] + DVec3::Z * 2.0,
        face[2] + DVec3::Z * 2.0,
        DVec3::new(0.0, 0.0, 0.5),
    ];
    assert!((vertex_face_time(late, caught, TOLERANCE).unwrap() - 0.25).abs() < 1e-9);
}

/// Distance at a time of straight paths.
fn distance(start: [DVec3; 4], end: [DVec3; 4], t: f64, edges: bool) -> f64 {
    let x = [0, 1, 2, 3].map(|i| start[i] + (end[i] - start[i]) * t);
    if edges {
        let (s, u) = segments([x[0], x[1]], [x[2], x[3]]);
        (x[0] + (x[1] - x[0]) * s).distance(x[2] + (x[3] - x[2]) * u)
    } else {
        let (b, _) = point_triangle(x[3], [x[0], x[1], x[2]]);
        (x[0] * b[0] + x[1] * b[1] + x[2] * b[2]).distance(x[3])
    }
}

/// The least distance until a time: by samples, and by nested intervals around the least of them.
fn least(start: [DVec3; 4], end: [DVec3; 4], until: f64, edges: bool) -> f64 {
    let at = |t: f64| distance(start, end, t, edges);
    let step = until / 200.0;
    let samples: Vec<f64> = (0..=200).map(|k| at(f64::from(k) * step)).collect();
    let mut least = f64::INFINITY;
    for k in 0..=200 {
        let (from, to) = (samples[k.max(1) - 1], samples[(k + 1).min(200)]);
        if samples[k] > from || samples[k] > to {
            continue;
        }
        let (mut low, mut high) = ((k.max(1) - 1) as f64 * step, (k + 1).min(200) as f64 * step);
        for _ in 0..90 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(a) < at(b) {
                high = b;
            } else {
                low = a;
            }
        }
        least = least.min(at(low)).min(samples[k]);
    }
    least
}

#[test]
fn random_motions_agree_with_dense_sampling() {
    let mut random = Rng::new(17);
    let (mut met, mut clear) = (0, 0);
    for case in 0..4000 {
        let edges = case % 2 == 0;
        let mut start = [0; 4].map(|_| vector(&mut random));
        let mut end = [0; 4].map(|_| vector(&mut random));
        let flat = case % 5 == 0;
        if flat {
            // Nearly flat: badly conditioned volumes.
            start = start.map(|p| p * DVec3::new(1.0, 1.0, 1e-6));
            end = end.map(|p| p * DVec3::new(1.0, 1.0, 1e-6));
        }
        let find = if edges { edge_edge_time } else { vertex_face_time };
        let near = if flat { 1e-13 } else { 1e-9 };
        match find(start, end, 1e-7) {
            Some(t) => {
                met += 1;
                assert!(distance(start, end, t, edges) <= 1e-7, "case {case}: not met at {t}");
                let before = least(start, end, t * (1.0 - 1e-3), edges);
                assert!(before > near, "case {case}: met before {t}");
            }
            None => {
                clear += 1;
                let left = least(start, end, 1.0, edges);
                assert!(left > near, "case {case}: missed, {left}");
            }
        }
    }
    assert!(met > 300 && clear > 300, "{met} met, {clear} did not");
}

/// Sheets without any elasticity, whose vertices fly about at random: what the worst cloth does.
fn shredded(cells: usize) -> (Vec<DVec3>, Vec<[u32; 3]>, Vec<f64>) {
    let (mut x, _, mut triangles) = sheet(1.0, cells, 0.0, 0);
    let (above, _, more) = sheet(1.0, cells, 0.05, x.len() as u32);
    x.extend(above.iter().map(|p| *p + DVec3::new(0.013, 0.021, 0.0)));
    triangles.extend(more);
    let masses = (0..x.len()).map(|i| if i == 0 { 0.0 } else { 100.0 }).collect();
    (x, triangles, masses)
}

#[test]
fn impacts_are_cleared_and_linear_momentum_is_kept() {
    let (x, triangles, mut inverse) = shredded(6);
    inverse[0] = 100.0;
    let mut random = Rng::new(23);
    for impulses in [8, 0] {
        let mut solver = ImpactSolver::default();
        solver.options = ImpactOptions { impulses, rounds: x.len() };
        let mut detector = single(x.len(), &triangles, 0.01);
        let given: Vec<DVec3> = x.iter().map(|_| vector(&mut random) * 8.0).collect();
        let mut v = given.clone();
        let dt = 0.01;
        let paths = Paths { positions: &x, velocities: &mut v, inverse_masses: &inverse, dt };
        let report = solver.clear(&mut detector, &[], paths).unwrap();
        assert!(report.first > 0 && report.stopped == 0, "{report:?}");
        assert_eq!(report.zoned > 0, impulses == 0 || report.rounds > impulses, "{report:?}");
        let sum = |v: &[DVec3]| v.iter().copied().sum::<DVec3>();
        let size: f64 = given.iter().map(|v| v.length()).sum();
        assert!(sum(&v).distance(sum(&given)) <= 1e-12 * size);
        let moved: Vec<DVec3> = x.iter().zip(&v).map(|(x, v)| *x + *v * dt).collect();
        assert_eq!(detector.crossings(&moved).unwrap(), 0);
        // Nothing passed through and came back either.
        let mut left = Vec::new();
        let motion = Motion { positions: &x, velocities: &v, dt };
        if report.zoned == 0 {
            detector.find_impacts(&motion, &[], None, &mut left).unwrap();
            assert!(left.is_empty());
        }
    }
}

#[test]
fn rigid_zones_keep_angular_momentum() {
    let (x, triangles, mut inverse) = shredded(4);
    for (i, m) in inverse.iter_mut().enumerate() {
        *m = 50.0 + i as f64;
    }
    let mut random = Rng::new(29);
    let mut solver = ImpactSolver::default();
    solver.options = ImpactOptions { impulses: 0, rounds: x.len() };
    let given: Vec<DVec3> = x.iter().map(|_| vector(&mut random) * 10.0).collect();
    let mut v = given.clone();
    let mut detector = single(x.len(), &triangles, 0.01);
    let paths = Paths { positions: &x, velocities: &mut v, inverse_masses: &inverse, dt: 0.01 };
    let report = solver.clear(&mut detector, &[], paths).unwrap();
    assert!(report.zoned > 10);
    let momentum = |v: &[DVec3]| {
        let each = v.iter().zip(&x).zip(&inverse).map(|((v, x), m)| x.cross(*v) / *m);
        each.sum::<DVec3>()
    };
    let size: f64 = given.iter().zip(&inverse).map(|(v, m)| v.length() / m).sum();
    assert!(momentum(&v).distance(momentum(&given)) <= 1e-10 * size);
}

#[test]
fn nothing_passes_through_sheets_that_fly_about() {
    let (mut x, triangles, inverse) = shredded(8);
    let mut detector = single(x.len(), &triangles, 0.01);
    let uvs = vec![DVec2::ZERO; x.len()];
    let frames = VertexFrames::new(&triangles, &uvs).unwrap();
    let mut stage = ContactStage::new(detector.clone(), frames);
    stage.options.residual = false;
    let ball = Ball { centre: DVec3::new(0.0, 0.0, -0.4), radius: 0.3, spin: DVec3::Z };
    let ground = Plane { velocity: DVec3::ZERO, ..Plane::ground() };
    let lowered = Lowered(ground, 1.0);
    let mut random = Rng::new(31);
    let mut v = vec![DVec3::ZERO; x.len()];
    let (mut impacts, mut stopped) = (0, 0);
    for step in 0..150 {
        for (v, m) in v.iter_mut().zip(&inverse) {
            if *m > 0.0 {
                *v += vector(&mut random) * 1.5 - DVec3::Z * 0.3;
            }
        }
        let begin = v.clone();
        let report = stage
            .step_smooth(Step {
                positions: &mut x,
                velocities: &mut v,
                begin_velocities: &begin,
                inverse_masses: &inverse,
                obstacles: &[&ball, &lowered],
                dt: 0.01,
            })
            .unwrap();
        impacts += report.impacts.first;
        stopped += report.impacts.stopped;
        assert_eq!(detector.crossings(&x).unwrap(), 0, "step {step}");
        let inside = x.iter().map(|p| p.distance(ball.centre) - 0.3).fold(1.0, f64::min);
        assert!(inside > 0.0, "step {step}: {inside}");
    }
    assert!(impacts > 1000, "{impacts}");
    assert_eq!(stopped, 0);
}

/// A plane some way down.
struct Lowered(Plane, f64);

impl asperity_soft::contact::Obstacle for Lowered {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        (p.z + self.1, DVec3::Z)
    }
    fn velocity(&self, p: DVec3) -> DVec3 {
        self.0.velocity(p)
    }
    fn axes(&self, p: DVec3, normal: DVec3) -> asperity_soft::contact::SurfaceAxes {
        self.0.axes(p, normal)
    }
    fn aabb(&self) -> asperity_soft::contact::Aabb {
        self.0.aabb()
    }
}

#[test]
fn a_thin_rod_and_a_corner_do_not_poke_through_a_coarse_sheet() {
    // Two faces and a rod, and a single corner, far from all the sheet's vertices.
    let (mut x, _, triangles) = sheet(2.0, 1, 0.0, 0);
    x.extend([DVec3::new(-0.9, 0.1, 0.3), DVec3::new(0.8, 0.2, 0.35), DVec3::new(0.3, -0.4, 0.2)]);
    let cloth = ContactMesh {
        vertices: 0..4,
        triangles: &triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let rod = ContactMesh {
        vertices: 4..7,
        triangles: &[],
        edges: &[[4, 5]],
        points: &[4, 5, 6],
        self_contact: false,
        rigid: true,
    };
    let topology = Topology::new(7, &[cloth, rod]).unwrap();
    let mut detector = Detector::new(topology, 0.01).unwrap();
    let frames = VertexFrames::new(&triangles, &[DVec2::ZERO; 7]).unwrap();
    let mut stage = ContactStage::new(detector.clone(), frames);
    let inverse = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let mut v = [DVec3::ZERO; 7];
    for step in 0..60 {
        for k in 4..7 {
            v[k] = DVec3::new(0.1, 0.0, -6.0);
        }
        let begin = v;
        stage
            .step_smooth(Step {
                positions: &mut x,
                velocities: &mut v,
                begin_velocities: &begin,
                inverse_masses: &inverse,
                obstacles: &[],
                dt: 0.01,
            })
            .unwrap();
        assert_eq!(detector.crossings(&x).unwrap(), 0, "step {step}");
        for k in 4..7 {
            let above = triangles.iter().any(|t| {
                let c = t.map(|i| x[i as usize]);
                let (b, _) = point_triangle(x[k], c);
                let foot = c[0] * b[0] + c[1] * b[1] + c[2] * b[2];
                foot.distance(x[k]) < 1e-6
            });
            assert!(!above, "step {step}: point {k} in the sheet");
        }
    }
    let lowest = x[4..].iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let cloth = x[..4].iter().map(|p| p.z).sum::<f64>() / 4.0;
    assert!(lowest < -3.0 && cloth < lowest + 0.3, "the sheet is pushed along");
}
