//! Stacks of cubes by a plain transcription of Algorithm 1, line by line, and of points row by row (Bouchard et al.
//! 2015, sections 5 and 6.1.8). It shares nothing with the engine: bodies, rows, solves and projections are its own.

use asperity::glamx::{DVec2, DVec3};

/// A stack of cubes that stands on a fixed ground.
#[derive(Debug)]
pub struct Stack {
    bodies: Vec<Cube>,
    mu: f64,
    /// Speed that a step of gravity gives, m/s.
    falls: f64,
}

#[derive(Debug)]
struct Cube {
    width: f64,
    centre: DVec3,
    mass: f64,
}

/// A velocity and a spin.
type Twist = [DVec3; 2];

/// A row: the direction of a motion of the upper body against the lower one at a place, or of a turn.
#[derive(Debug, Clone, Copy)]
struct Row {
    upper: usize,
    at: DVec3,
    along: DVec3,
    turn: bool,
}

impl Stack {
    /// Cubes of these widths, from below, of 2000 kg/m³ and a coefficient of 0.5; steps of 10 ms.
    pub fn of(widths: &[f64]) -> Stack {
        let mut top = 0.0;
        let cube = |width: &f64| {
            top += width;
            Cube {
                width: *width,
                centre: DVec3::Z * (top - 0.5 * width),
                mass: 2000.0 * width.powi(3),
            }
        };
        Stack { bodies: widths.iter().map(cube).collect(), mu: 0.5, falls: 9.81 * 0.01 }
    }

    /// Sweeps of Algorithm 1 from zero until one changes the wrenches by no more than a part of their size. Each
    /// cube comes with a spin about both level axes, in parts of g h over its width: what leans.
    pub fn wrenches(&self, lean: f64, tolerance: f64) -> usize {
        let mut twists = self.falling(lean);
        let mut wrenches = vec![[0.0; 6]; self.bodies.len()];
        for sweep in 1..MOST {
            let (mut change, mut size) = (0.0, 0.0);
            for k in 0..self.bodies.len() {
                let half = 0.5 * self.bodies[k].width;
                let rows = self.wrench_rows(k);
                let w: Matrix = rows.map(|a| rows.map(|b| self.between(&a, &b)));
                let mut free = rows.map(|row| self.speed(&twists, &row));
                for (i, free) in free.iter_mut().enumerate() {
                    *free -= (0..6).map(|j| w[i][j] * wrenches[k][j]).sum::<f64>();
                }
                let found = algorithm(&w, &free, half, self.mu);
                for i in 0..6 {
                    let more = found[i] - wrenches[k][i];
                    self.push(&mut twists, &rows[i], more);
                    let unit = if i < 3 { 1.0 } else { half };
                    change += (more / unit).powi(2);
                    size += (found[i] / unit).powi(2);
                }
                wrenches[k] = found;
            }
            if change.sqrt() <= tolerance * size.sqrt() {
                return sweep;
            }
        }
        MOST
    }

    /// The same with a point at each corner of each face, row by row; friction within a box.
    pub fn points(&self, tolerance: f64) -> usize {
        let mut rows = Vec::new();
        for k in 0..self.bodies.len() {
            let Cube { width, centre, .. } = self.bodies[k];
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let at = centre + DVec3::new(x, y, -0.5) * width;
                let axes = [DVec3::Z, DVec3::X, DVec3::Y];
                rows.extend(axes.map(|along| Row { upper: k, at, along, turn: false }));
            }
        }
        let gives: Vec<f64> = rows.iter().map(|row| self.between(row, row)).collect();
        let (mut twists, mut forces) = (self.falling(0.0), vec![0.0_f64; rows.len()]);
        for sweep in 1..MOST {
            let (mut change, mut size) = (0.0, 0.0);
            for (i, row) in rows.iter().enumerate() {
                let held = forces[i] - self.speed(&twists, row) / gives[i];
                let bound = self.mu * forces[i - i % 3];
                let force = if i % 3 == 0 { held.max(0.0) } else { held.clamp(-bound, bound) };
                let more = force - forces[i];
                forces[i] = force;
                self.push(&mut twists, row, more);
                change += more * more;
                size += force * force;
            }
            if change.sqrt() <= tolerance * size.sqrt() {
                return sweep;
            }
        }
        MOST
    }

    fn falling(&self, lean: f64) -> Vec<Twist> {
        let spin = |k: usize, width: f64| {
            let phase = k as f64;
            let way = DVec3::new((1.7 * phase).sin(), (2.3 * phase).cos(), 0.0);
            way * (lean * self.falls / width)
        };
        let cubes = self.bodies.iter().enumerate();
        cubes.map(|(k, cube)| [DVec3::Z * -self.falls, spin(k, cube.width)]).collect()
    }

    /// Rows (n, t, b, τ_n, τ_t, τ_b) at the middle of the face below a cube; n × t = b.
    fn wrench_rows(&self, upper: usize) -> [Row; 6] {
        let Cube { width, centre, .. } = self.bodies[upper];
        let at = centre - DVec3::Z * (0.5 * width);
        std::array::from_fn(|i| {
            let along = [DVec3::Z, DVec3::X, DVec3::Y][i % 3];
            Row { upper, at, along, turn: i >= 3 }
        })
    }

    /// What a row's unit impulse is to a body, as a force and a torque about its centre; to the lower one, its opposite.
    fn lever(&self, row: &Row, body: usize) -> Twist {
        let sign = if body == row.upper { 1.0 } else { -1.0 };
        if row.turn {
            return [DVec3::ZERO, row.along * sign];
        }
        let arm = row.at - self.bodies[body].centre;
        [row.along * sign, arm.cross(row.along) * sign]
    }

    fn bodies_of(row: &Row) -> impl Iterator<Item = usize> {
        row.upper.saturating_sub(1)..row.upper + 1
    }

    fn speed(&self, twists: &[Twist], row: &Row) -> f64 {
        let part = |k: usize| {
            let [force, torque] = self.lever(row, k);
            force.dot(twists[k][0]) + torque.dot(twists[k][1])
        };
        Stack::bodies_of(row).map(part).sum()
    }

    /// J M⁻¹ Jᵀ between two rows of the same bodies.
    fn between(&self, a: &Row, b: &Row) -> f64 {
        let part = |k: usize| {
            let (p, q, [mass, inertia]) = (self.lever(a, k), self.lever(b, k), self.inverse(k));
            p[0].dot(q[0]) * mass + p[1].dot(q[1]) * inertia
        };
        Stack::bodies_of(a).map(part).sum()
    }

    fn push(&self, twists: &mut [Twist], row: &Row, impulse: f64) {
        for k in Stack::bodies_of(row) {
            let ([force, torque], [mass, inertia]) = (self.lever(row, k), self.inverse(k));
            twists[k][0] += force * (impulse * mass);
            twists[k][1] += torque * (impulse * inertia);
        }
    }

    /// One over mass and over moment of inertia.
    fn inverse(&self, body: usize) -> [f64; 2] {
        let Cube { width, mass, .. } = self.bodies[body];
        [1.0 / mass, 6.0 / (mass * width * width)]
    }
}

type Matrix = [[f64; 6]; 6];

/// Algorithm 1, its signs put right: the wrench that acts with a round patch of this radius.
fn algorithm(s: &Matrix, free: &[f64; 6], radius: f64, mu: f64) -> [f64; 6] {
    let error = free.map(|x| -x);
    let whole = [0, 1, 2, 3, 4, 5].map(unit);
    let mut wrench = mixed(s, &error, &whole, &whole);
    // 5–8
    if mu * wrench[0] < wrench[1].hypot(wrench[2]) {
        let q = on_cone(&wrench, mu);
        // Rows R = (e₁, torques), columns Q = (q, torques).
        let (rows, columns) = ([0, 3, 4, 5].map(unit), [q, unit(3), unit(4), unit(5)]);
        wrench = mixed(s, &error, &rows, &columns);
    }
    if !(wrench[0] > 0.0) {
        return [0.0; 6];
    }
    // 9, 10
    let d = DVec2::new(-wrench[5], wrench[4]) / wrench[0];
    let p = d.clamp_length_max(radius);
    if p != d {
        // 11–19: forces at p, each with its torque p × f about the middle.
        let at_p = [
            [1.0, 0.0, 0.0, 0.0, p.y, -p.x],
            [0.0, 1.0, 0.0, -p.y, 0.0, 0.0],
            [0.0, 0.0, 1.0, p.x, 0.0, 0.0],
        ];
        let held = mixed(s, &error, &at_p, &at_p);
        let mut found = held;
        if mu * held[0] < held[1].hypot(held[2]) {
            let q = on_cone(&held, mu);
            let column = std::array::from_fn(|i| (0..3).map(|j| q[j] * at_p[j][i]).sum());
            found = mixed(s, &error, &[at_p[0]], &[column]);
        }
        return if found[0] > 0.0 { found } else { [0.0; 6] };
    }
    // 23, 24: about p, by the corners of the square around the patch.
    let bound = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(i, j)| {
        let weight = 0.25 * (1.0 + i * p.x / radius) * (1.0 + j * p.y / radius);
        weight * mu * wrench[0] * (DVec2::new(i, j) * radius - p).length()
    });
    let bound: f64 = bound.iter().sum();
    let carried = p.x * wrench[2] - p.y * wrench[1];
    wrench[3] = (wrench[3] - carried).clamp(-bound, bound) + carried;
    wrench
}

fn unit(i: usize) -> [f64; 6] {
    std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 })
}

/// The direction of the nearest force on the cone, per unit load (section 5.2).
fn on_cone(wrench: &[f64; 6], mu: f64) -> [f64; 6] {
    let friction = DVec2::new(wrench[1], wrench[2]);
    let q = if wrench[0] > 0.0 { friction.normalize_or_zero() * mu } else { DVec2::ZERO };
    [1.0, q.x, q.y, 0.0, 0.0, 0.0]
}

/// The wrench Q λ with R S Q λ = R e.
fn mixed(s: &Matrix, error: &[f64; 6], rows: &[[f64; 6]], columns: &[[f64; 6]]) -> [f64; 6] {
    let dot = |a: &[f64; 6], b: &[f64; 6]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let count = rows.len();
    let mut a: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        let mut line: Vec<f64> =
            columns.iter().map(|q| dot(row, &s.map(|line| dot(&line, q)))).collect();
        line.push(dot(row, error));
        a.push(line);
    }
    for k in 0..count {
        let most = (k..count).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()));
        a.swap(k, most.unwrap_or(k));
        for i in (0..count).filter(|i| *i != k) {
            let factor = a[i][k] / a[k][k];
            for j in k..=count {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    std::array::from_fn(|i| (0..count).map(|k| columns[k][i] * a[k][count] / a[k][k]).sum())
}

/// Sweeps at most.
const MOST: usize = 1_000_000;
