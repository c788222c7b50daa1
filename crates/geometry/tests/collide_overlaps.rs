//! What is within each other is found, as deep as it is, also where no corner or line of one lies over the other.

mod collide_support;

use asperity_geometry::shape::{MeshData, Shape};
use collide_support::*;
use glamx::{DPose3, DQuat, DVec3};

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder { half_height, radius }
}

/// How far a point is within a cylinder about y; below zero outside.
fn within([radius, half]: [f64; 2], p: DVec3) -> f64 {
    (radius - p.x.hypot(p.z)).min(half - p.y.abs())
}

/// How far the point of a cylinder's surface that is deepest in the other one is within it.
fn deepest(of: [f64; 2], pose: &DPose3, other: [f64; 2], there: &DPose3) -> f64 {
    let [radius, half] = of;
    let mut most = f64::NEG_INFINITY;
    for k in 0..120 {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / 120.0).sin_cos();
        for part in 0..=20 {
            let part = f64::from(part) / 20.0;
            let side = DVec3::new(radius * c, half * (2.0 * part - 1.0), radius * s);
            let ends = [-half, half].map(|y| DVec3::new(radius * part * c, y, radius * part * s));
            for p in [side, ends[0], ends[1]] {
                let p = there.inverse_transform_point(pose.transform_point(p));
                most = most.max(within(other, p));
            }
        }
    }
    most
}

/// Axes and the way between them in one plane, as of what falls on each other, and askew.
#[test]
fn cylinders_within_each_other_touch_as_deep() {
    let numbers = &mut Numbers(3);
    let sizes: [[f64; 2]; 3] = [[0.1, 0.1], [0.1, 0.015], [0.02, 0.2]];
    let mut found = 0;
    for case in 0..6_000 {
        let (a, b) = (sizes[case % 3], sizes[case / 3 % 3]);
        let askew = if case % 2 == 0 { 0.0 } else { 0.3 };
        let turn = |numbers: &mut Numbers| {
            let axis = DVec3::new(askew * numbers.next(), askew * numbers.next(), 1.0);
            DQuat::from_axis_angle(axis.normalize(), 3.2 * numbers.next())
        };
        let pose_a = DPose3::from_parts(DVec3::ZERO, turn(numbers));
        let reach = a[0].max(a[1]) + b[0].max(b[1]);
        let way = DVec3::new(numbers.next(), numbers.next(), askew * numbers.next()) * reach;
        let pose_b = DPose3::from_parts(way, turn(numbers));
        let depth = deepest(a, &pose_a, b, &pose_b).max(deepest(b, &pose_b, a, &pose_a));
        let thinnest = [a, b].iter().flatten().fold(f64::INFINITY, |m: f64, x| m.min(*x));
        // Not where one is all but through the other: which way is out is then a matter of taste.
        if !(0.02 * thinnest..0.6 * thinnest).contains(&depth) {
            continue;
        }
        found += 1;
        let told = -contacts((&cylinder(a[0], a[1]), pose_a), (&cylinder(b[0], b[1]), pose_b), 0.0)
            .iter()
            .flat_map(|m| &m.points)
            .map(|p| p.gap)
            .fold(0.0, f64::min);
        assert!(told > 0.3 * depth, "case {case}: {depth} deep, {told} told, {a:?} {b:?}");
    }
    assert!(found > 300, "{found} cases");
}

/// A tip of uneven ground on which a plate lies with its face is found, whatever edges lead there: some fall away,
/// others lie in hollows.
#[test]
fn tips_of_uneven_ground_under_plates_are_found() {
    let numbers = &mut Numbers(11);
    let n = 12;
    let half = DVec3::new(0.3, 0.05, 0.3);
    let plate = Shape::Box { half_extents: half };
    let (mut found, mut lost) = (0, Vec::new());
    for case in 0..2_000 {
        let positions: Vec<DVec3> = (0..n * n)
            .map(|t| {
                let place = |k: i32| 0.1 * f64::from(k);
                DVec3::new(place(t / n), 0.01 * numbers.next(), place(t % n))
            })
            .collect();
        let mut triangles = Vec::new();
        for i in 0..n - 1 {
            for k in 0..n - 1 {
                let [a, b, c, d] = [(i, k), (i, k + 1), (i + 1, k), (i + 1, k + 1)]
                    .map(|(i, k)| (i * n + k) as u32);
                triangles.extend([[a, b, c], [c, b, d]]);
            }
        }
        let turn = DQuat::from_axis_angle(numbers.vector().normalize_or(DVec3::X), 0.01);
        let at = DVec3::new(0.55 + 0.1 * numbers.next(), 0.0, 0.55 + 0.1 * numbers.next());
        let mut pose = DPose3::from_parts(at, turn);
        // How far each tip is within the plate's lower face, over which no other point of the ground is as high.
        let up = turn * DVec3::Y;
        let highest = |reach: f64| {
            let over = |p: &&DVec3| {
                let q = turn.inverse() * (**p - at);
                q.x.abs() < half.x + reach && q.z.abs() < half.z + reach
            };
            positions.iter().filter(over).map(|p| up.dot(*p - at)).fold(f64::MIN, f64::max)
        };
        let inside = highest(-0.02);
        if inside < highest(0.12) {
            continue; // Another one may reach the plate's rim.
        }
        let deep = 0.0005;
        pose.translation += up * (inside + half.y - deep);
        found += 1;
        let mesh = MeshData { positions, triangles, ..MeshData::default() };
        let told = -contacts((&Shape::Mesh(mesh.into()), DPose3::IDENTITY), (&plate, pose), 0.0)
            .iter()
            .flat_map(|m| &m.points)
            .map(|p| p.gap)
            .fold(0.0, f64::min);
        if told < 0.9 * deep {
            lost.push((case, told));
        }
    }
    assert!(found > 100, "{found} cases");
    assert!(lost.is_empty(), "{} of {found} lost: {:?}", lost.len(), &lost[..lost.len().min(5)]);
}

/// A corner that reaches through uneven ground is out of it again by the nearest triangle.
#[test]
fn corners_below_uneven_ground_are_found() {
    let numbers = &mut Numbers(5);
    let n = 12;
    let height = |i: usize, k: usize| 0.15 * (1.3 * i as f64).sin() * (0.9 * k as f64).cos();
    let place = |i: usize, k: usize| DVec3::new(0.2 * i as f64, height(i, k), 0.2 * k as f64);
    let positions: Vec<DVec3> = (0..n * n).map(|t| place(t / n, t % n)).collect();
    let mut triangles = Vec::new();
    for i in 0..n - 1 {
        for k in 0..n - 1 {
            let [a, b, c, d] =
                [(i, k), (i, k + 1), (i + 1, k), (i + 1, k + 1)].map(|(i, k)| (i * n + k) as u32);
            triangles.extend([[a, b, c], [c, b, d]]);
        }
    }
    // How far a point is below the ground, measured upwards, and the plane that is above it.
    let below = |p: DVec3| {
        let all = triangles.iter().filter_map(|t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| positions[k as usize]);
            let normal = (b - a).cross(c - a);
            let up = normal.dot(a - p) / normal.y;
            let q = p + DVec3::Y * up;
            let inside = [[a, b], [b, c], [c, a]]
                .iter()
                .all(|[s, t]| normal.dot((*t - *s).cross(q - *s)) >= 0.0);
            inside.then_some((up, a, normal))
        });
        all.fold((0.0, p, DVec3::ZERO), |most, one| if one.0 > most.0 { one } else { most })
    };
    let mesh = MeshData {
        positions: positions.clone(),
        triangles: triangles.clone(),
        ..MeshData::default()
    };
    let ground = Shape::Mesh(mesh.into());
    let half = DVec3::new(0.15, 0.015, 0.1);
    let plate = Shape::Box { half_extents: half };
    let (mut found, mut lost) = (0, Vec::new());
    for case in 0..8_000 {
        let at = DVec3::new(1.1 + 0.5 * numbers.next(), 0.0, 1.1 + 0.5 * numbers.next());
        let pose = DPose3::from_parts(
            at + DVec3::Y * (0.12 + 0.12 * numbers.next()),
            DQuat::from_axis_angle(numbers.vector().normalize_or(DVec3::X), 0.6 * numbers.next()),
        );
        let corners = (0..8).map(|k| {
            let side = |bit: i32| if k & bit == 0 { -1.0 } else { 1.0 };
            pose.transform_point(half * DVec3::new(side(1), side(2), side(4)))
        });
        let deepest = corners.map(below).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let (deep, on_plane, normal) = deepest;
        // No triangle pushes a body that is behind it, else bodies would go through ridges.
        let behind = normal.dot(pose.translation - on_plane) < 0.0;
        if behind || below(pose.translation).0 > 0.0 || !(0.003..0.02).contains(&deep) {
            continue;
        }
        found += 1;
        let told = -contacts((&ground, DPose3::IDENTITY), (&plate, pose), 0.0)
            .iter()
            .flat_map(|m| &m.points)
            .map(|p| p.gap)
            .fold(0.0, f64::min);
        if told < 0.1 * deep {
            lost.push((case, deep, told));
        }
    }
    assert!(found > 300, "{found} cases");
    assert!(lost.is_empty(), "{} of {found} lost: {:?}", lost.len(), &lost[..lost.len().min(5)]);
}
