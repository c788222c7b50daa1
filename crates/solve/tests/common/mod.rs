//! Problems and data that several tests use.
#![allow(dead_code)]

use std::path::PathBuf;

use asperity_friction::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, LimitSurface, Part, Polygon, Rotation,
    Set, Tensor,
};
use asperity_friction::testing::Rng;
use asperity_solve::{ContactProblem, SparseMatrix};
use glamx::{DMat2, DVec2};

/// Folder of the published contact problems, or `None` with a message when `ASPERITY_DATA` is
/// not set. When it is set, what is missing fails.
pub(crate) fn contact_problems(kind: &str) -> Option<Vec<(String, ContactProblem)>> {
    let Some(root) = std::env::var_os("ASPERITY_DATA") else {
        eprintln!("skipped: ASPERITY_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(root).join("data/contact_problems").join(kind);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e} (ASPERITY_DATA is set)", folder.display()));
    let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{}: no problems", folder.display());
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let problem =
            asperity_solve::json::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), problem)
    };
    Some(paths.iter().map(read).collect())
}

/// One kind of random set per label.
pub(crate) const SETS: [&str; 12] = [
    "interval",
    "disk",
    "ellipse",
    "box",
    "polygon",
    "tensor",
    "full tensor",
    "asymmetric tensor",
    "ellipsoid",
    "disk_disk",
    "limit surface",
    "rings",
];

/// A random set of the given kind.
pub(crate) fn random_set(kind: &str, rng: &mut Rng) -> Set {
    let angle = Rotation::from_angle(rng.uniform(-4.0, 4.0));
    let mut mu = || rng.log_uniform(0.02, 2.0);
    match kind {
        "interval" => Interval::new(-mu(), mu()).unwrap().into(),
        "disk" => Disk::new(mu()).unwrap().into(),
        "ellipse" => Ellipse::new(mu(), mu(), angle).unwrap().into(),
        "box" => {
            let (a, b) = (Interval::new(-mu(), mu()).unwrap(), Interval::new(-mu(), mu()).unwrap());
            BoxSet::new(a, b, angle).into()
        }
        "polygon" => {
            let corners: Vec<DVec2> =
                (0..7).map(|k| DVec2::from_angle(0.9 * f64::from(k)) * mu()).collect();
            Polygon::from_points(&corners).unwrap().into()
        }
        "tensor" => {
            let q = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            Tensor::linear(angle.turn_tensor(q)).unwrap().into()
        }
        "full tensor" => {
            let (a, d) = (mu(), mu());
            let (skew, even) = (0.4 * a.min(d), 0.4 * (a * d).sqrt());
            let q = DMat2::from_cols(DVec2::new(a, even + skew), DVec2::new(even - skew, d));
            Tensor::linear(angle.turn_tensor(q)).unwrap().into()
        }
        "asymmetric tensor" => {
            let positive = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            let negative = DMat2::from_diagonal(DVec2::new(mu(), mu()));
            Tensor::asymmetric(positive, negative).unwrap().into()
        }
        "ellipsoid" => {
            let section = Ellipse::new(mu(), mu(), angle).unwrap();
            Ellipsoid::new(section, 0.1 * mu()).unwrap().into()
        }
        "limit surface" => {
            let section = Ellipse::new(mu(), mu(), angle).unwrap();
            let size = 0.1 * mu();
            let mut part = |k: i32| Part {
                place: DVec2::from_angle(0.9 * f64::from(k)) * size * mu(),
                share: mu(),
                spin_radius: 0.2 * size,
            };
            let parts: Vec<Part> = (0..9).map(&mut part).collect();
            LimitSurface::from_parts(section, &parts).unwrap().into()
        }
        "rings" => {
            let size = 0.1 * mu();
            let rings: Vec<(f64, f64)> =
                (1..9).map(|k| (size * f64::from(k) / 8.0, f64::from(k))).collect();
            LimitSurface::from_rings(mu(), &rings).unwrap().into()
        }
        "disk_disk" => DiskDisk::new(mu(), 0.1 * mu()).unwrap().into(),
        _ => panic!("no set of kind {kind}"),
    }
}

/// A random symmetric positive definite matrix, row-major, as contacts have it: a body's inverse
/// mass on the diagonal and the coupling of an arm.
pub(crate) fn random_matrix(n: usize, rng: &mut Rng) -> Vec<f64> {
    let factor: Vec<f64> = (0..n * n).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let scale = rng.log_uniform(1e-3, 1e3);
    let mut w = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = (0..n).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            w[i * n + j] = scale * (product + if i == j { 0.3 } else { 0.0 });
        }
    }
    w
}

/// One contact with a random W and q that presses the bodies together in most cases.
pub(crate) fn single_contact(set: Set, rng: &mut Rng) -> ContactProblem {
    let n = 1 + set.dim();
    let w = random_matrix(n, rng);
    let size = rng.log_uniform(1e-3, 1e3);
    let mut q: Vec<f64> = (0..n).map(|_| size * rng.uniform(-1.0, 1.0)).collect();
    q[0] -= 0.5 * size;
    let entries = (0..n * n).map(|k| (k / n, k % n, w[k]));
    let w = SparseMatrix::from_triplets(n, n, entries).unwrap();
    ContactProblem::explicit("single contact", w, q, vec![set]).unwrap()
}
