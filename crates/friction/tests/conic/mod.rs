//! Projection as a conic program, built from a set's public numbers alone.

use std::ops::Range;

use asperity_friction::set::{Ellipse, Interval, Set};
use asperity_friction::testing::Rng;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};
use glamx::DVec2;

/// Agreement asked for, relative to the size of the set.
const AGREEMENT: f64 = 1e-6;

/// Compares projections with those of an independent conic solver, for forces at 1e-2 to 1e2
/// times the size of the set.
///
/// # Panics
///
/// On the first projection that differs by more than 1e-6 of the size, and for a set that is not
/// convex. Sets of no size are skipped.
pub(crate) fn check_projection_against_conic_solver(
    label: &str,
    cases: usize,
    mut make: impl FnMut(&mut Rng) -> Set,
) {
    for number in 0..cases {
        let mut rng = Rng::for_case(label, number);
        let set = make(&mut rng);
        let load = rng.log_uniform(1e-3, 1e3);
        let size = size(&set, load);
        if size == 0.0 {
            continue;
        }
        let force = scaled(&rng.unit_vector(set.dim()), size * rng.log_uniform(1e-2, 1e2));
        let mut nearest = force.clone();
        set.project(&mut nearest, load);
        let reference =
            match nearest_by_conic_solver(&set, load / size, &scaled(&force, 1.0 / size)) {
                Ok(x) => scaled(&x, size),
                Err(why) => {
                    panic!("{label}, case {number}: {why}; load {load:e}, {force:?}, {set:?}")
                }
            };
        let square = |(a, b): (&f64, &f64)| (a - b).powi(2);
        let error = nearest.iter().zip(&reference).map(square).sum::<f64>().sqrt() / size;
        assert!(
            error <= AGREEMENT,
            "{label}, case {number}: {force:?} projects to {nearest:?}, the conic solver finds \
             {reference:?}, {error:e} sizes away; load {load:e}, {set:?}"
        );
    }
}

/// Largest extent along an axis, a force.
fn size(set: &Set, load: f64) -> f64 {
    let along = |axis: usize, sign: f64| {
        let direction: Vec<f64> = (0..set.dim()).map(|i| sign * f64::from(i == axis)).collect();
        set.support(&direction, load)
    };
    (0..set.dim()).flat_map(|axis| [along(axis, 1.0), along(axis, -1.0)]).fold(0.0, f64::max)
}

fn scaled(a: &[f64], s: f64) -> Vec<f64> {
    a.iter().map(|a| a * s).collect()
}

/// min ½‖x − p‖² over x in load·S.
fn nearest_by_conic_solver(set: &Set, load: f64, force: &[f64]) -> Result<Vec<f64>, String> {
    let mut program = Program::new(force);
    match set {
        Set::Interval(s) => program.between(&[1.0], *s, load),
        Set::Disk(s) => program.ball(0..2, &disk(s.radius() * load)),
        Set::Ellipse(s) => program.ball(0..2, &ellipse(s, load)),
        Set::Box(s) => {
            program.between(&s.rotation().axis().to_array(), s.first(), load);
            program.between(&s.rotation().axis().perp().to_array(), s.second(), load);
        }
        Set::Polygon(s) => {
            let corners: Vec<_> = s.corners().iter().map(|c| scaled(&c.to_array(), load)).collect();
            program.hull(0..2, &corners);
        }
        Set::Ellipsoid(s) => {
            let mut axes = ellipse(&s.section(), load).map(|a| vec![a[0], a[1], 0.0]).to_vec();
            axes.push(vec![0.0, 0.0, s.drilling() * load]);
            program.ball(0..3, &axes);
        }
        Set::DiskDisk(s) => {
            program.ball(0..2, &disk(s.slide().radius() * load));
            program.ball(2..4, &disk(s.roll().radius() * load));
        }
        Set::LimitSurface(s) => {
            let section = ellipse(&s.section(), load);
            let own = s.section().mu().x * s.section().mu().y;
            let balls = s.parts().map(|part| {
                let [x, y] = part.place.to_array();
                // A force at a place has its torque; spin within the part is a third axis.
                let mut axes = section
                    .clone()
                    .map(|a| {
                        let [fx, fy] = [a[0] * part.share, a[1] * part.share];
                        vec![fx, fy, x * fy - y * fx]
                    })
                    .to_vec();
                axes.push(vec![0.0, 0.0, own.sqrt() * part.spin_radius * part.share * load]);
                axes
            });
            program.sum_of_balls(0..3, &balls.collect::<Vec<_>>());
        }
        Set::LimitPolytope(s) => {
            let hull = |(at, share): (DVec2, f64)| {
                let corner = |c: &DVec2| {
                    let f = *c * (share * load);
                    f.extend(at.perp_dot(f) / s.torque_unit()).to_array().to_vec()
                };
                s.corners().iter().map(corner).collect()
            };
            program.sum_of_hulls(0..3, &s.points().map(hull).collect::<Vec<_>>());
        }
        Set::Free(_) | Set::Tensor(_) | Set::Wrench(_) => {
            return Err(format!("{} is no bounded convex set", set.name()));
        }
    }
    program.solve()
}

fn disk(radius: f64) -> [Vec<f64>; 2] {
    [vec![radius, 0.0], vec![0.0, radius]]
}

/// Semi-axes as vectors.
fn ellipse(ellipse: &Ellipse, load: f64) -> [Vec<f64>; 2] {
    let axis = ellipse.rotation().axis();
    let (first, second) = (axis * (ellipse.mu().x * load), axis.perp() * (ellipse.mu().y * load));
    [first.to_array().to_vec(), second.to_array().to_vec()]
}

/// A row with a one in this column.
fn unit(column: usize) -> Vec<f64> {
    (0..=column).map(|i| f64::from(i == column)).collect()
}

/// Rows of b − A x in a product of cones, and the force to come near to.
struct Program {
    force: Vec<f64>,
    /// Number of unknowns: the force, then the weights of combinations.
    unknowns: usize,
    /// Zeros at the end may be left out.
    rows: Vec<Vec<f64>>,
    bounds: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Program {
    fn new(force: &[f64]) -> Program {
        let unknowns = force.len();
        Program { force: force.to_vec(), unknowns, rows: vec![], bounds: vec![], cones: vec![] }
    }

    fn row(&mut self, row: Vec<f64>, bound: f64) {
        self.rows.push(row);
        self.bounds.push(bound);
    }

    /// min·load ≤ a·x ≤ max·load.
    fn between(&mut self, a: &[f64], interval: Interval, load: f64) {
        self.row(a.to_vec(), interval.max() * load);
        self.row(scaled(a, -1.0), -interval.min() * load);
        self.cones.push(NonnegativeConeT(2));
    }

    /// x = Σ u_i a_i with ‖u‖ ≤ 1, for the rows of x that the axes a_i span.
    fn ball(&mut self, rows: Range<usize>, axes: &[Vec<f64>]) {
        let first = self.combination(rows, axes);
        self.row(vec![], 1.0);
        for u in first..first + axes.len() {
            self.row(unit(u), 0.0);
        }
        self.cones.push(SecondOrderConeT(axes.len() + 1));
    }

    /// x = Σ Σ u_ik a_ik with ‖u_i‖ ≤ 1 for every ball i.
    fn sum_of_balls(&mut self, rows: Range<usize>, balls: &[Vec<Vec<f64>>]) {
        let mut next = self.combination(rows, &balls.concat());
        for axes in balls {
            self.row(vec![], 1.0);
            for u in next..next + axes.len() {
                self.row(unit(u), 0.0);
            }
            self.cones.push(SecondOrderConeT(axes.len() + 1));
            next += axes.len();
        }
    }

    /// x = Σ w_i a_i with weights w_i ≥ 0 of sum 1.
    fn hull(&mut self, rows: Range<usize>, corners: &[Vec<f64>]) {
        self.sum_of_hulls(rows, &[corners.to_vec()]);
    }

    /// x = Σ Σ w_ik a_ik with weights w_ik ≥ 0 whose sum is 1 for every hull i.
    fn sum_of_hulls(&mut self, rows: Range<usize>, hulls: &[Vec<Vec<f64>>]) {
        let mut next = self.combination(rows, &hulls.concat());
        for corners in hulls {
            let weights = next..next + corners.len();
            self.row((0..weights.end).map(|i| f64::from(weights.contains(&i))).collect(), 1.0);
            self.cones.push(ZeroConeT(1));
            for w in weights {
                self.row(scaled(&unit(w), -1.0), 0.0);
            }
            self.cones.push(NonnegativeConeT(corners.len()));
            next += corners.len();
        }
    }

    /// Some rows of x as a combination of vectors with new unknowns; gives the first unknown.
    fn combination(&mut self, rows: Range<usize>, vectors: &[Vec<f64>]) -> usize {
        let first = self.unknowns;
        self.unknowns += vectors.len();
        self.cones.push(ZeroConeT(rows.len()));
        for (k, i) in rows.enumerate() {
            let mut row = unit(i);
            row.resize(first, 0.0);
            row.extend(vectors.iter().map(|v| -v[k]));
            self.row(row, 0.0);
        }
        first
    }

    fn solve(self) -> Result<Vec<f64>, String> {
        let (n, dim) = (self.unknowns, self.force.len());
        let hessian: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(i == j && i < dim)).collect()).collect();
        let linear: Vec<f64> = (0..n).map(|i| self.force.get(i).map_or(0.0, |f| -f)).collect();
        let rows = self.rows.into_iter().map(|mut row| {
            row.resize(n, 0.0);
            row
        });
        let (p, a) = (CscMatrix::from(&hessian), CscMatrix::from(&rows.collect::<Vec<_>>()));
        let mut last = Err("the conic solver was not run".to_owned());
        // Where rounding stalls the solver, another scaling or regularisation mostly gets it
        // through; if not, what it has is compared all the same.
        for (gap, equilibrate_enable, static_regularization_constant) in
            [(1e-14, true, 1e-8), (1e-14, false, 1e-8), (1e-14, true, 1e-11), (1e-13, true, 1e-8)]
        {
            let settings = DefaultSettings {
                verbose: false,
                tol_gap_abs: gap,
                tol_gap_rel: gap,
                // Also how far a residual may rise before the solver gives up.
                tol_feas: 1e-9,
                equilibrate_enable,
                static_regularization_constant,
                ..DefaultSettings::default()
            };
            let mut solver =
                DefaultSolver::new(&p, &linear, &a, &self.bounds, &self.cones, settings)
                    .map_err(|e| format!("the conic solver refuses: {e}"))?;
            solver.solve();
            let x = solver.solution.x[..dim].to_vec();
            match solver.solution.status {
                SolverStatus::Solved => return Ok(x),
                SolverStatus::AlmostSolved => last = Ok(x),
                other => last = Err(format!("the conic solver stops: {other:?}")),
            }
        }
        last
    }
}
