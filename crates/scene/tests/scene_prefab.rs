//! Prefabs: the bodies are where they should be, and touch without overlapping.

use asperity::geometry::shape::Shape;
use asperity::glamx::DVec3;
use asperity::world::Body;
use asperity_scene::{self as scene, NoAssets, Scene};

fn load(prefab: &str) -> Scene {
    let text = format!(
        "version = 1\npair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n[[prefab]]\n{prefab}"
    );
    scene::load(&text, "test.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"))
}

fn body<'a>(scene: &'a Scene, name: &str) -> &'a Body {
    let id = scene.world.find(name).unwrap_or_else(|| panic!("no body {name}"));
    &scene.world.bodies()[id.0]
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.world.bodies().iter().map(|b| b.name.as_str()).collect()
}

/// Corners of a box or a hull in the world.
fn corners(body: &Body) -> Vec<DVec3> {
    let points = match body.shape().unwrap() {
        Shape::Box { half_extents: h } => (0..8)
            .map(|i| {
                let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                DVec3::new(sign(0), sign(1), sign(2)) * *h
            })
            .collect(),
        Shape::ConvexHull { points } => points.clone(),
        other => panic!("{other:?}"),
    };
    points.into_iter().map(|p| body.pose.transform_point(p)).collect()
}

fn least(points: &[DVec3], axis: DVec3) -> f64 {
    points.iter().map(|p| p.dot(axis)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_stack_stands_on_its_origin() {
    let scene = load(
        "name = \"s\"\nstack = { count = 3, size = [1, 0.5, 2], turn = 10 }\nat = [5, 1, 0]\ndensity = 100\n",
    );
    assert_eq!(names(&scene), ["s.0", "s.1", "s.2"]);
    for i in 0..3 {
        let b = body(&scene, &format!("s.{i}"));
        let expected = DVec3::new(5.0, 1.25 + 0.5 * f64::from(i), 0.0);
        assert!(b.pose.translation.abs_diff_eq(expected, 1e-12));
        assert!((b.mass - 100.0).abs() < 1e-9);
    }
}

#[test]
fn prefabs_stand_along_the_up_axis() {
    for (up, axis) in [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)] {
        let scene = load(&format!(
            "name = \"s\"\nstack = {{ count = 2, size = [1, 1, 1] }}\n[world]\nup = \"{up}\"\n"
        ));
        assert!(body(&scene, "s.1").pose.translation.abs_diff_eq(1.5 * axis, 1e-12), "{up}");
    }
}

#[test]
fn a_wall_is_flush_and_its_joints_are_staggered() {
    let scene = load(
        "name = \"w\"\nwall = { columns = 4, rows = 3, size = [0.2, 0.1, 0.1], gap = 0.01 }\n",
    );
    assert_eq!(scene.world.bodies().len(), 4 + 5 + 4);
    let row = |r: usize| -> Vec<DVec3> {
        let of_row = |b: &&Body| b.name.starts_with(&format!("w.{r}."));
        scene.world.bodies().iter().filter(of_row).flat_map(corners).collect()
    };
    let left = least(&row(0), DVec3::X);
    for r in 0..3 {
        assert!((least(&row(r), DVec3::X) - left).abs() < 1e-12);
        assert!((least(&row(r), -DVec3::X) - left).abs() < 1e-12);
        assert!((least(&row(r), DVec3::Y) - 0.11 * r as f64).abs() < 1e-12);
    }
    let open = load(
        "name = \"w\"\nwall = { columns = 4, rows = 2, size = [0.2, 0.1, 0.1], half_bricks = false }\n",
    );
    assert_eq!(open.world.bodies().len(), 4 + 3);
}

#[test]
fn a_pyramid_gets_shorter() {
    let scene = load("name = \"p\"\npyramid = { rows = 4, size = [1, 1, 1], gap = 0.1 }\n");
    assert_eq!(scene.world.bodies().len(), 10);
    assert!(body(&scene, "p.3.0").pose.translation.abs_diff_eq(DVec3::new(0.0, 3.5, 0.0), 1e-12));
}

#[test]
fn the_blocks_of_an_arch_share_their_faces() {
    for (blocks, degrees) in [(7, 180.0), (20, 180.0), (5, 120.0)] {
        let scene = load(&format!(
            "name = \"a\"\narch = {{ blocks = {blocks}, radius = 2, thickness = 0.3, depth = 0.5, deg = {degrees} }}\nat = [1, 0, 0]\n"
        ));
        assert_eq!(scene.world.bodies().len(), blocks);
        for i in 1..blocks {
            let first = corners(body(&scene, &format!("a.{}", i - 1)));
            let second = corners(body(&scene, &format!("a.{i}")));
            let shared =
                first.iter().filter(|p| second.iter().any(|q| p.abs_diff_eq(*q, 1e-14))).count();
            assert_eq!(shared, 4, "blocks {} and {i}", i - 1);
        }
        if degrees == 180.0 {
            // It stands on the ground, with the outer edges where they should be.
            for (end, x) in [(0, -1.15), (blocks - 1, 3.15)] {
                let points = corners(body(&scene, &format!("a.{end}")));
                assert!(least(&points, DVec3::Y).abs() < 1e-12);
                assert!(points.iter().any(|p| (p.x - x).abs() < 1e-12 && p.y.abs() < 1e-12));
            }
        }
    }
}

#[test]
fn a_chain_hangs_from_its_origin() {
    let scene = load(
        "name = \"c\"\nchain = { links = 5, length = 0.2, radius = 0.02, anchor_end = true }\nat = [0, 3, 0]\n",
    );
    assert_eq!(scene.world.bodies().len(), 5);
    assert!(body(&scene, "c.4").pose.translation.abs_diff_eq(DVec3::new(0.0, 2.1, 0.0), 1e-12));
}

#[test]
fn a_grid_repeats_its_shape() {
    let scene = load(
        "name = \"g\"\ngrid = { counts = [3, 2, 1], spacing = [1, 2, 1], shape = { sphere = 0.25 } }\nkind = \"fixed\"\n",
    );
    assert_eq!(names(&scene), ["g.0.0.0", "g.0.1.0", "g.1.0.0", "g.1.1.0", "g.2.0.0", "g.2.1.0"]);
    assert_eq!(body(&scene, "g.2.1.0").pose.translation, DVec3::new(1.0, 2.0, 0.0));
}

#[test]
fn the_cards_of_a_house_touch_and_do_not_overlap() {
    let scene = load("name = \"h\"\ncard_house = { storeys = 3, card = [0.1, 0.06, 0.002] }\n");
    assert_eq!(scene.world.bodies().len(), 12 + 3);
    let touching = |a: &str, b: &str, axis: DVec3| {
        let (low, high) = (corners(body(&scene, a)), corners(body(&scene, b)));
        let gap = least(&high, axis) + least(&low, -axis);
        assert!(gap.abs() < 1e-12, "{a} and {b} are {gap} apart");
    };
    touching("h.0.1.left", "h.0.1.right", DVec3::X);
    touching("h.0.0.left", "h.0.0.flat", DVec3::Y);
    touching("h.0.1.right", "h.0.1.flat", DVec3::Y);
    touching("h.0.0.flat", "h.1.0.left", DVec3::Y);
    touching("h.0.0.flat", "h.0.1.flat", DVec3::X);
    for name in ["h.0.0.left", "h.0.2.right"] {
        assert!(least(&corners(body(&scene, name)), DVec3::Y).abs() < 1e-12);
    }
    // The feet of the upper tent stand within the flat card below.
    let (tent, card) = (corners(body(&scene, "h.1.0.left")), corners(body(&scene, "h.0.0.flat")));
    assert!(least(&tent, DVec3::X) > least(&card, DVec3::X));
    let neighbours = [corners(body(&scene, "h.0.0.right")), corners(body(&scene, "h.0.1.left"))];
    assert!(least(&neighbours[1], DVec3::X) >= -least(&neighbours[0], -DVec3::X));
}
