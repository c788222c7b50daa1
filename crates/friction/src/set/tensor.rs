//! Friction tensors as a set: f = −load · T(y) with y in the unit disc.
//!
//! T is linear (Pabst 2009, Eq. 3) or linear in each of several sectors of the plane (Eq. 6, and
//! compositions of such tensors). While slipping, y is the unit slip; while sticking, y is the
//! force pulled back through T. Nothing here inverts a singular tensor, and nothing assumes
//! maximum dissipation: −Q v̂ and the traction of the ellipse Q·disc lie on the same curve and
//! point in different directions unless Q is a multiple of a rotation.

use std::f64::consts::{PI, TAU};

use glamx::{DMat2, DVec2};

use super::{Ellipse, Rotation};
use crate::FrictionError;
use crate::error::finite;

/// A map from unit slip to friction force per unit load; see the module's text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    map: Map,
}

#[derive(Debug, Clone, PartialEq)]
enum Map {
    Linear(DMat2),
    Sectors(Vec<Sector>),
}

/// One sector of the plane of slip and the matrix that acts in it. It runs counter-clockwise from
/// `start` to the start of the next sector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sector {
    /// Angle of the sector's first ray, radians, in [0, 2π).
    pub start: f64,
    /// Force per unit load opposing a unit slip in this sector.
    pub matrix: DMat2,
}

impl Tensor {
    /// One tensor for every direction of slip. Its symmetric part must be positive semi-definite.
    pub fn linear(matrix: DMat2) -> Result<Tensor, FrictionError> {
        let tensor = Tensor { map: Map::Linear(matrix) };
        tensor.check("friction tensor")?;
        Ok(tensor)
    }

    /// As [`Tensor::linear`]; the caller vouches for dissipation.
    #[inline]
    pub(crate) fn one_matrix(matrix: DMat2) -> Tensor {
        Tensor { map: Map::Linear(matrix) }
    }

    /// Two tensors, for slip in the positive and the negative sense along each axis (Eq. 6):
    /// T(v) = Q⁺ v⁺ + Q⁻ v⁻. All four mixed quadrants must dissipate.
    pub fn asymmetric(positive: DMat2, negative: DMat2) -> Result<Tensor, FrictionError> {
        let tensor = Tensor::quadrants(positive, negative);
        tensor.check("asymmetric friction tensor")?;
        Ok(tensor)
    }

    /// As [`Tensor::asymmetric`]; the caller vouches for dissipation.
    pub(crate) fn quadrants(positive: DMat2, negative: DMat2) -> Tensor {
        Tensor::piecewise([0.0, 0.5 * PI, PI, 1.5 * PI], |v| {
            DMat2::from_cols(
                if v.x > 0.0 { positive.x_axis } else { negative.x_axis },
                if v.y > 0.0 { positive.y_axis } else { negative.y_axis },
            )
        })
    }

    /// Sectors as read from a file; they are sorted and checked.
    pub fn from_sectors(mut sectors: Vec<Sector>) -> Result<Tensor, FrictionError> {
        if sectors.is_empty() {
            return Err(FrictionError::Shape("a friction tensor needs at least one sector".into()));
        }
        for sector in &mut sectors {
            sector.start = finite("start of a friction sector", sector.start)?.rem_euclid(TAU);
        }
        sectors.sort_by(|a, b| a.start.total_cmp(&b.start));
        let map = match sectors[..] {
            [only] => Map::Linear(only.matrix),
            _ => Map::Sectors(sectors),
        };
        let tensor = Tensor { map };
        tensor.check("friction tensor")?;
        Ok(tensor)
    }

    /// Sectors between the given rays, with the matrix that `matrix_at` gives for a slip inside.
    /// The caller vouches for dissipation.
    pub(crate) fn piecewise(
        rays: impl IntoIterator<Item = f64>,
        matrix_at: impl Fn(DVec2) -> DMat2,
    ) -> Tensor {
        let mut starts: Vec<f64> = rays.into_iter().map(|a| a.rem_euclid(TAU)).collect();
        starts.sort_by(f64::total_cmp);
        starts.dedup_by(|b, a| (*b - *a).abs() < 1e-13);
        let mut sectors: Vec<Sector> = Vec::with_capacity(starts.len());
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(starts[0] + TAU);
            let matrix = matrix_at(DVec2::from_angle(0.5 * (start + end)));
            if sectors.last().is_none_or(|last| last.matrix != matrix) {
                sectors.push(Sector { start, matrix });
            }
        }
        if sectors.len() > 1 && sectors[0].matrix == sectors[sectors.len() - 1].matrix {
            sectors.remove(0);
        }
        match sectors[..] {
            [only] => Tensor { map: Map::Linear(only.matrix) },
            [] => Tensor { map: Map::Linear(matrix_at(DVec2::X)) },
            _ => Tensor { map: Map::Sectors(sectors) },
        }
    }

    /// The sectors; a linear tensor is one sector.
    pub fn sectors(&self) -> Vec<Sector> {
        match &self.map {
            Map::Linear(matrix) => vec![Sector { start: 0.0, matrix: *matrix }],
            Map::Sectors(sectors) => sectors.clone(),
        }
    }

    /// The matrix, when one serves every direction.
    pub fn as_linear(&self) -> Option<DMat2> {
        match &self.map {
            Map::Linear(matrix) => Some(*matrix),
            Map::Sectors(_) => None,
        }
    }

    /// The matrix that acts on a slip along `direction`.
    pub fn matrix_at(&self, direction: DVec2) -> DMat2 {
        match &self.map {
            Map::Linear(matrix) => *matrix,
            Map::Sectors(sectors) => {
                let angle = direction.to_angle().rem_euclid(TAU);
                let index = sectors.iter().rposition(|s| s.start <= angle);
                sectors[index.unwrap_or(sectors.len() - 1)].matrix
            }
        }
    }

    /// T(y), positively homogeneous.
    #[inline]
    pub fn map(&self, y: DVec2) -> DVec2 {
        self.matrix_at(y) * y
    }

    /// Force while slipping: −load · T(v̂) (Eq. 3).
    pub fn traction(&self, slip: DVec2, load: f64) -> DVec2 {
        let unit = slip.normalize_or_zero();
        self.map(unit) * -load
    }

    /// The force scaled back, along itself, onto the set: −T(y·min(1, load/‖y‖)). What lies
    /// outside the range of a singular tensor is dropped.
    pub fn project(&self, force: DVec2, load: f64) -> DVec2 {
        let y = self.pull_back(force);
        let length = y.length();
        if length <= load {
            let kept = -self.map(y);
            // Avoid a rounding error where nothing had to change.
            if kept.distance(force) <= 1e-14 * force.length() { force } else { kept }
        } else {
            self.map(y * (load / length)) * -1.0
        }
    }

    /// A y with T(y) = −`force`, of least length where there are several. A contact holds exactly
    /// when ‖y‖ ≤ load.
    pub fn pull_back(&self, force: DVec2) -> DVec2 {
        self.pull_back_with(force, DVec2::ZERO, |_, y| y)
    }

    /// As [`Tensor::pull_back`], but of several choices the one nearest to load · v̂: what the
    /// slip says it was. Matters for a singular tensor, and for one that folds the plane.
    pub fn pull_back_near(&self, force: DVec2, slip: DVec2, load: f64) -> DVec2 {
        let target = slip.normalize_or_zero() * load;
        self.pull_back_with(force, target, |null, y| {
            let room = (load * load - y.length_squared()).max(0.0).sqrt();
            y + null * (target - y).dot(null).clamp(-room, room)
        })
    }

    fn pull_back_with(
        &self,
        force: DVec2,
        target: DVec2,
        choose: impl Fn(DVec2, DVec2) -> DVec2,
    ) -> DVec2 {
        let solve = |matrix: DMat2| solve_least_norm(matrix, -force, &choose);
        let sectors = match &self.map {
            Map::Linear(matrix) => return solve(*matrix),
            Map::Sectors(sectors) => sectors,
        };
        let size = sectors.iter().fold(0.0_f64, |m, s| m.max(norm(s.matrix)));
        let mut best = (f64::INFINITY, DVec2::ZERO);
        for (i, s) in sectors.iter().enumerate() {
            let rounding = ROUNDING * condition(s.matrix).unwrap_or(1.0) * force.length();
            let mut consider = |y: DVec2| {
                // T of the candidate tells whether it solves, or lies in another sector.
                let misfit = ((self.map(y) + force).length() - rounding).max(0.0);
                let cost = y.distance(target) + MISFIT_WEIGHT * misfit / size;
                if cost < best.0 {
                    best = (cost, y);
                }
            };
            consider(solve(s.matrix));
            if condition(s.matrix).is_none() {
                // Many y solve a singular sector. If the first choice lies outside, one of the
                // sector's edges holds the next.
                let (start, width) = arc(sectors, i);
                for angle in [start + EDGE, start + width - EDGE] {
                    let ray = DVec2::from_angle(angle);
                    let pull = s.matrix * ray;
                    consider(ray * (-pull.dot(force) / pull.length_squared()).max(0.0));
                }
            }
        }
        best.1
    }

    /// Largest force · direction over the whole set.
    pub fn support(&self, direction: DVec2, load: f64) -> f64 {
        let over_disc = |q: DMat2| (q.transpose() * direction).length();
        match &self.map {
            Map::Linear(q) => load * over_disc(*q),
            Map::Sectors(sectors) => {
                let mut most = 0.0_f64;
                for (i, s) in sectors.iter().enumerate() {
                    let (start, width) = arc(sectors, i);
                    let best = -(s.matrix.transpose() * direction).normalize_or_zero();
                    if in_arc(best, start, width) {
                        most = most.max(over_disc(s.matrix));
                    }
                    for end in [start, start + width] {
                        most = most.max(-(s.matrix * DVec2::from_angle(end)).dot(direction));
                    }
                }
                load * most
            }
        }
    }

    /// The same tensor seen in other axes: T′(y) = M T(Mᵀ y) with M = [`x`, `y`] orthonormal
    /// (a rotation, or a reflection for a surface seen from behind).
    pub(crate) fn in_axes(&self, m: DMat2) -> Tensor {
        let turned = |q: DMat2| m * q * m.transpose();
        match &self.map {
            Map::Linear(q) => Tensor { map: Map::Linear(turned(*q)) },
            Map::Sectors(sectors) => {
                let rays = sectors.iter().map(|s| (m * DVec2::from_angle(s.start)).to_angle());
                Tensor::piecewise(rays, |v| turned(self.matrix_at(m.transpose() * v)))
            }
        }
    }

    /// The same tensor as the other body sees it: T′(v) = −T(−v).
    pub(crate) fn reversed(&self) -> Tensor {
        match &self.map {
            Map::Linear(_) => self.clone(),
            Map::Sectors(sectors) => {
                Tensor::piecewise(sectors.iter().map(|s| s.start + PI), |v| self.matrix_at(-v))
            }
        }
    }

    /// The cone that matches a linear tensor L (Erleben 2020, Appendix A, Eqs. 33–34): the
    /// associated ellipse with the same limit curve, fᵀ(L Lᵀ)⁻¹f = N². Its slip directions differ from the
    /// tensor's, which is why this is a conversion that must be asked for.
    pub fn to_ellipse(&self) -> Result<Ellipse, FrictionError> {
        let q = self.as_linear().ok_or_else(|| {
            FrictionError::Shape("an asymmetric friction tensor has no elliptic cone".into())
        })?;
        // The half axes are the singular values, from the parts of L that turn and that mirror. A singular tensor
        // leaves a segment.
        let [a, b, c, d] = [q.x_axis.x, q.y_axis.x, q.x_axis.y, q.y_axis.y];
        let (turns, mirrors) = (DVec2::new(a + d, c - b) * 0.5, DVec2::new(a - d, c + b) * 0.5);
        let (most, least) = (turns.length() + mirrors.length(), turns.length() - mirrors.length());
        let longest = DVec2::from_angle(0.5 * (turns.to_angle() + mirrors.to_angle()));
        let rotation = Rotation::from_direction(longest.perp()).unwrap_or(Rotation::IDENTITY);
        Ellipse::new(least.abs(), most, rotation)
    }

    /// Checks that friction dissipates for every direction of slip, sector by sector.
    pub(crate) fn check(&self, what: &str) -> Result<(), FrictionError> {
        let sectors = self.sectors();
        for (i, s) in sectors.iter().enumerate() {
            for (column, axis) in [(s.matrix.x_axis, 1), (s.matrix.y_axis, 2)] {
                finite(&format!("{what} entry Q1{axis}"), column.x)?;
                finite(&format!("{what} entry Q2{axis}"), column.y)?;
            }
            let (start, width) = arc(&sectors, i);
            let (_, _, axis) = symmetric_eigen(s.matrix);
            let ends = [DVec2::from_angle(start), DVec2::from_angle(start + width)];
            let inner = [axis, -axis].into_iter().filter(|a| in_arc(*a, start, width));
            let worst = inner.chain(ends).map(|v| (v.dot(s.matrix * v), v));
            let (power, v) = worst.fold((0.0, DVec2::X), |a, b| if b.0 < a.0 { b } else { a });
            if power < -1e-12 * norm(s.matrix) {
                let direction = [v.x, v.y];
                return Err(FrictionError::NotDissipative {
                    what: what.to_owned(),
                    direction,
                    power: -power,
                });
            }
        }
        Ok(())
    }
}

/// Start and width of sector `i`; the whole plane where there is one sector.
fn arc(sectors: &[Sector], i: usize) -> (f64, f64) {
    let start = sectors[i].start;
    let end = if i + 1 < sectors.len() { sectors[i + 1].start } else { sectors[0].start + TAU };
    (start, end - start)
}

fn in_arc(v: DVec2, start: f64, width: f64) -> bool {
    (v.to_angle() - start).rem_euclid(TAU) <= width
}

fn norm(q: DMat2) -> f64 {
    (q.x_axis.length_squared() + q.y_axis.length_squared()).sqrt()
}

/// Eigenvalues of the symmetric part, least first, and the unit eigenvector of the least.
pub(crate) fn symmetric_eigen(q: DMat2) -> (f64, f64, DVec2) {
    let (a, b, d) = (q.x_axis.x, 0.5 * (q.x_axis.y + q.y_axis.x), q.y_axis.y);
    let angle = 0.5 * (2.0 * b).atan2(a - d);
    let (mean, radius) = (0.5 * (a + d), (0.5 * (a - d)).hypot(b));
    (mean - radius, mean + radius, DVec2::from_angle(angle).perp())
}

/// Solves Q y = b. A singular Q gives the least-squares solution of least norm, passed to
/// `choose` with a unit vector of the null space.
fn solve_least_norm(q: DMat2, b: DVec2, choose: impl Fn(DVec2, DVec2) -> DVec2) -> DVec2 {
    if condition(q).is_some() {
        let (x, y) = (q.x_axis, q.y_axis);
        return DVec2::new(b.perp_dot(y), x.perp_dot(b)) / q.determinant();
    }
    let rows = q.transpose();
    let longer = if rows.x_axis.length_squared() >= rows.y_axis.length_squared() {
        rows.x_axis
    } else {
        rows.y_axis
    };
    let v = longer.normalize_or_zero();
    if v == DVec2::ZERO {
        // Q = 0: any y will do.
        let along = choose(DVec2::X, DVec2::ZERO);
        return choose(DVec2::Y, along);
    }
    let qv = q * v;
    choose(v.perp(), v * (qv.dot(b) / qv.length_squared()))
}

/// Condition number ‖Q‖²/|det Q|, or `None` for a tensor that counts as singular.
fn condition(q: DMat2) -> Option<f64> {
    let (size2, det) = (norm(q) * norm(q), q.determinant().abs());
    (det > SINGULAR * size2).then(|| size2 / det)
}

/// Relative determinant below which a tensor counts as singular.
const SINGULAR: f64 = 1e-13;

/// Misfit of a solution, relative to the force and per unit of the condition number.
const ROUNDING: f64 = 1e-14;

/// Weight of |T(y) + force| against the length of y: only solutions compete in length.
const MISFIT_WEIGHT: f64 = 1e9;

/// How far inside a sector its edge is taken, radians: on the edge itself rounding decides which
/// sector acts.
const EDGE: f64 = 1e-12;
