//! `asperity verify pushes`: real quasi-static pushes of a triangle (Zhou et al. 2016).
//!
//! A log gives wrenches of a pusher and the displacements they caused. For each displacement a
//! model predicts the wrench; the error is the angle between the two, with torques in units of the
//! root mean square radius of the support. Ideal Coulomb friction over the support is the standard;
//! the table, the curve-free set and the exact surface must do no worse.

use std::path::{Path, PathBuf};

use asperity::friction::extent::{Exact, Pressure, Shape, Table, cell_set};
use asperity::friction::set::{Ellipse, LimitSurface, Part, Rotation};
use asperity::glamx::{DMat3, DVec2, DVec3};

use crate::host::{self, at, stem};
use crate::{Check, Host, VerifyError};

/// Centre of mass of the triangle, metres.
const CENTRE: DVec2 = DVec2::new(0.05, 0.05);
/// Its legs, metres.
const LEG: f64 = 0.15;
/// Cells of a grid over the triangle.
const CELLS: usize = 51;
/// N_ls of its table.
const RESOLUTION: usize = 40;

/// One push: the wrench of the pusher about the centre of mass, and the displacement.
struct Push {
    wrench: DVec3,
    motion: DVec3,
}

/// Something that predicts the wrench of the pusher for a displacement.
type Model = Box<dyn Fn(DVec3) -> DVec3>;

/// Every log of the folder.
pub(crate) fn pushes(host: &dyn Host, data: &Path) -> Result<Vec<Check>, VerifyError> {
    let places = ["data/pushes", "pushes", "."].map(|p| data.join(p));
    let logs = places.iter().map(|f| logs(host, f)).find(|l| !l.is_empty()).unwrap_or_default();
    if logs.is_empty() {
        return Err(at(data, "no logs of pushes (NAME__exp*.csv)"));
    }
    let mut checks = Vec::new();
    for path in logs {
        let pushes = read(host, &path)?;
        let name = stem(&path);
        let support = match support(name.split("__").next().unwrap_or_default()) {
            Ok(support) => support,
            Err(error) => {
                // Which points carried it, nothing else tells.
                checks.push(Check::fact(&name, "a support", &format!("refused: {error}")));
                continue;
            }
        };
        let ideal = mean_angle(&pushes, support.radius, &support.ideal);
        for (label, model) in &support.models {
            let found = mean_angle(&pushes, support.radius, model);
            // Half a percent for the discretisation.
            let limit = ideal * 1.005;
            checks.push(Check {
                what: format!("{name}: {label}"),
                expected: format!("ideal {ideal:.3} deg"),
                found: format!("{found:.3} deg"),
                allowed: "no worse".to_owned(),
                holds: found <= limit,
            });
        }
    }
    Ok(checks)
}

/// What carries the triangle.
struct Support {
    radius: f64,
    /// Sums over many points.
    ideal: Model,
    models: Vec<(&'static str, Model)>,
}

fn support(name: &str) -> Result<Support, VerifyError> {
    let round = Ellipse::new(1.0, 1.0, Rotation::IDENTITY)?;
    if name == "patch" {
        let corners = [DVec2::ZERO, DVec2::X * LEG, DVec2::Y * LEG].map(|c| c - CENTRE);
        let points = subdivided(&corners, 200);
        let square: f64 = points.iter().map(|p| p.length_squared()).sum();
        let radius = (square / points.len() as f64).sqrt();
        let exact = Exact::polygon(&corners)?;
        let grid = triangle(&corners, CELLS)?;
        let set = cell_set(&grid, round, 6)?;
        let table = Table::new(&grid, RESOLUTION)?;
        let (r, off) = (grid.spin_radius(), grid.centre());
        let models: Vec<(&'static str, Model)> = vec![
            ("exact surface", Box::new(move |m| -exact.wrench(m))),
            (
                "table",
                Box::new(move |m| {
                    let twist = moved(m, off);
                    let h = table.lookup(r, twist);
                    -about_centre(DVec3::new(h.x, h.y, h.z * r), off)
                }),
            ),
            (
                "set of 36 cells",
                Box::new(move |m| -about_centre(set.traction(moved(m, off), 1.0), off)),
            ),
        ];
        let carried = points.into_iter().map(|p| (p, 1.0)).collect();
        return Ok(Support { radius, ideal: Box::new(ideal(carried)), models });
    }
    let numbers: Vec<f64> = name.split('_').filter_map(|t| t.parse().ok()).collect();
    let [x1, x2, x3, y1, y2, y3] = numbers[..] else {
        let what = "the name does not begin with x1_x2_x3_y1_y2_y3 in mm, or \"patch\"";
        return Err(VerifyError::new(what));
    };
    let points = [(x1, y1), (x2, y2), (x3, y3)].map(|(x, y)| DVec2::new(x, y) * 1e-3 - CENTRE);
    // Loads that balance the weight about the centre of mass.
    let [a, b, c] = points.map(|p| p.extend(1.0));
    let loads = (DMat3::from_cols(a, b, c).inverse() * DVec3::Z).to_array();
    let carried: Vec<(DVec2, f64)> = points.into_iter().zip(loads).collect();
    let square: f64 = carried.iter().map(|(at, load)| load * at.length_squared()).sum();
    let exact = Exact::points(&carried)?;
    // Feet are small: a tenth of a millimetre.
    let part = |(place, share): (DVec2, f64)| Part { place, share, spin_radius: 1e-4 };
    let parts: Vec<Part> = carried.iter().copied().map(part).collect();
    let set = LimitSurface::from_parts(round, &parts)?;
    let models: Vec<(&'static str, Model)> = vec![
        ("exact surface", Box::new(move |m| -exact.wrench(m))),
        ("set of 3 feet", Box::new(move |m| -set.traction(m, 1.0))),
    ];
    Ok(Support { radius: square.sqrt(), ideal: Box::new(ideal(carried)), models })
}

/// Coulomb friction at points, summed.
fn ideal(points: Vec<(DVec2, f64)>) -> impl Fn(DVec3) -> DVec3 {
    move |m: DVec3| {
        let force = |(at, load): &(DVec2, f64)| {
            let v = DVec2::new(m.x, m.y) + at.perp() * m.z;
            let f = v.normalize_or_zero() * *load;
            f.extend(at.perp_dot(f))
        };
        points.iter().map(force).sum()
    }
}

/// Centres of the n² equal triangles that a triangle is cut into.
fn subdivided(corners: &[DVec2; 3], n: usize) -> Vec<DVec2> {
    let step = [corners[1] - corners[0], corners[2] - corners[0]].map(|s| s / n as f64);
    let mut out = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n - i {
            let at =
                |x: f64, y: f64| corners[0] + step[0] * (i as f64 + x) + step[1] * (j as f64 + y);
            out.push(at(1.0 / 3.0, 1.0 / 3.0));
            if i + j + 1 < n {
                out.push(at(2.0 / 3.0, 2.0 / 3.0));
            }
        }
    }
    out
}

fn triangle(corners: &[DVec2; 3], cells: usize) -> Result<Pressure, VerifyError> {
    // A grid about the centre of mass that holds the triangle.
    let corners = corners.to_vec();
    Ok(Shape::Polygon { corners }.pressure(cells, 4.0 / 3.0 * LEG)?)
}

/// A twist at the centre of mass, at a point beside it.
fn moved(m: DVec3, at: DVec2) -> DVec3 {
    (DVec2::new(m.x, m.y) + at.perp() * m.z).extend(m.z)
}

/// A wrench about a point, about the centre of mass.
fn about_centre(w: DVec3, at: DVec2) -> DVec3 {
    DVec3::new(w.x, w.y, w.z + at.perp_dot(DVec2::new(w.x, w.y)))
}

/// Mean angle between predicted and measured wrenches, degrees.
fn mean_angle(pushes: &[Push], radius: f64, model: &Model) -> f64 {
    let scale = DVec3::new(1.0, 1.0, 1.0 / radius);
    let angle = |p: &Push| (model(p.motion) * scale).angle_between(p.wrench * scale).to_degrees();
    pushes.iter().map(angle).sum::<f64>() / pushes.len() as f64
}

fn logs(host: &dyn Host, folder: &Path) -> Vec<PathBuf> {
    let is_log = |name: &str| name.strip_suffix(".csv").is_some_and(|stem| stem.contains("__exp"));
    host::files(host, folder, is_log).unwrap_or_default()
}

fn read(host: &dyn Host, path: &Path) -> Result<Vec<Push>, VerifyError> {
    let rows = host::numbers(host, path, "six numbers")?;
    if rows.is_empty() {
        return Err(at(path, "no pushes"));
    }
    let push = |[fx, fy, tau, dx, dy, turn]: [f64; 6]| Push {
        wrench: DVec3::new(fx, fy, tau),
        motion: DVec3::new(dx, dy, turn),
    };
    Ok(rows.into_iter().map(push).collect())
}
