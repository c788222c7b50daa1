//! The distributed model against the authors' explicit scheme. The whole comparison is
//! `asperity verify planar`.

use std::path::PathBuf;
use std::sync::Arc;

use asperity_friction::extent::Shape;
use asperity_friction::memory::{Distributed, Parameters};
use glamx::DVec3;

fn golden(name: &str) -> Vec<Vec<f64>> {
    let root = std::env::var_os("ASPERITY_DATA").expect("ASPERITY_DATA names the data folder");
    let root = PathBuf::from(root);
    let inner = root.join("golden/lugre");
    let folder = if inner.is_dir() { inner } else { root.join("../golden/lugre") };
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let row = |line: &str| line.split(',').map(|t| t.parse().unwrap()).collect();
    text.lines().skip(1).map(row).collect()
}

/// A line through (time, value) points.
fn ramp(points: &[(f64, f64)], t: f64) -> f64 {
    let k = points.partition_point(|p| p.0 <= t).clamp(1, points.len() - 1);
    let ((t0, v0), (t1, v1)) = (points[k - 1], points[k]);
    v0 + (v1 - v0) * ((t - t0) / (t1 - t0)).clamp(0.0, 1.0)
}

/// The velocities of Fig. 5.
fn profile(t: f64) -> DVec3 {
    let c = 0.015;
    DVec3::new(
        ramp(&[(0.8, 0.0), (1.4, c), (1.6, c), (2.2, 0.0)], t),
        ramp(&[(2.4, 0.0), (2.7, 0.4 * c), (4.3, 0.4 * c), (4.6, 0.0)], t),
        ramp(&[(0.0, 0.0), (0.6, 1.0), (3.4, 1.0), (4.0, 0.0)], t),
    )
}

#[test]
fn data_explicit_steps_are_the_authors() {
    let (dt, lugre) = (1e-5, Parameters::default());
    for (name, parameters) in [("lugre", lugre), ("ep", lugre.elasto_plastic(0.9))] {
        let rows = golden(&format!("fig5_euler1e-5_Circle_{name}.csv"));
        let pressure = Arc::new(Shape::Circle.pressure(21, 0.02).unwrap());
        let mut model = Distributed::new(parameters, pressure).unwrap();
        let mut worst = DVec3::ZERO;
        for i in 0..100 * rows.len() {
            let t = i as f64 * dt;
            let force = model.explicit_step(profile(t), 1.0, dt);
            if i % 100 == 0 {
                let row = &rows[i / 100];
                let velocity = DVec3::new(row[1], row[2], row[3]);
                assert!((velocity - profile(t)).length() < 1e-14, "{t}");
                worst = worst.max((force - DVec3::new(row[4], row[5], row[6])).abs());
            }
        }
        assert!(worst.max_element() < 1e-9, "{name}: {worst}");
    }
}
