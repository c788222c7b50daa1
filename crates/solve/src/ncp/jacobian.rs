//! The equations of all contacts and their generalised Jacobian.

use super::NcpSolver;
use super::equations::{Contact, Equations, equations, fischer_burmeister};
use crate::dense::least_squares::dot;
use crate::unit_balls::{Piece, Shape, UnitBalls, read};

impl NcpSolver {
    /// F of the unknowns, and J if asked for; returns ‖F‖.
    pub(super) fn set_equations(&mut self, with_jacobian: bool) -> f64 {
        let n = self.scaled_u.len();
        let wide = self.y.len();
        self.balls.scaled_velocities(&self.y[..n], &mut self.scaled_u);
        self.f.fill(0.0);
        if with_jacobian {
            self.jacobian.fill(0.0);
        }
        let mut place = n;
        for piece in &self.balls.pieces {
            let first = piece.rows.start;
            let mut matrix = Jacobian { rows: &mut self.jacobian, w: &self.balls.w, n, wide };
            match piece.shape {
                Shape::Normal => {
                    let (value, by_x, by_u) =
                        fischer_burmeister(self.y[first], self.scaled_u[first], self.tau);
                    self.f[first] = value;
                    if with_jacobian {
                        matrix.add(first, first, by_x);
                        matrix.add_velocity(first, first, by_u);
                    }
                }
                Shape::Ball => {
                    let contact = Contact {
                        slip: read(&self.scaled_u[piece.rows.clone()]),
                        friction: read(&self.y[piece.rows.clone()]),
                        load: self.balls.load(piece, &self.y[..n]),
                        multiplier: self.y[place],
                        tau: self.tau,
                    };
                    let e = equations(self.form, piece.rows.len(), &contact);
                    for (k, row) in piece.rows.clone().enumerate() {
                        self.f[row] = e.value[k];
                    }
                    self.f[place] = e.value[3];
                    if with_jacobian {
                        let loads = contact.load > 0.0 && piece.constant.is_none();
                        matrix.add_ball(&self.balls, piece, place, &e, loads);
                    }
                    place += 1;
                }
                _ => {
                    self.f[first] = self.scaled_u[first];
                    if with_jacobian {
                        matrix.add_velocity(first, first, 1.0);
                    }
                }
            }
        }
        let size = dot(&self.f, &self.f).sqrt();
        if size.is_nan() { f64::INFINITY } else { size }
    }
}

/// J while it is written: equations over unknowns, where velocities are those of x.
struct Jacobian<'a> {
    rows: &'a mut [f64],
    w: &'a [f64],
    n: usize,
    wide: usize,
}

impl Jacobian<'_> {
    fn add(&mut self, row: usize, column: usize, slope: f64) {
        self.rows[row * self.wide + column] += slope;
    }

    /// The slope of an equation over the velocity of a row.
    fn add_velocity(&mut self, row: usize, velocity: usize, slope: f64) {
        if slope != 0.0 {
            let from = &self.w[velocity * self.n..(velocity + 1) * self.n];
            for (to, w) in self.rows[row * self.wide..].iter_mut().zip(from) {
                *to += slope * w;
            }
        }
    }

    /// The slopes of a ball, whose multiplier is at `place`.
    fn add_ball(
        &mut self,
        balls: &UnitBalls,
        piece: &Piece,
        place: usize,
        e: &Equations,
        loads: bool,
    ) {
        let dim = piece.rows.len();
        let own = (0..dim).map(|k| (k, piece.rows.start + k));
        for (k, row) in own.chain([(3, place)]) {
            for (j, column) in piece.rows.clone().enumerate() {
                self.add(row, column, e.by_friction[k][j]);
                self.add_velocity(row, column, e.by_slip[k][j]);
            }
            self.add(row, place, e.by_multiplier[k]);
            if loads {
                for normal in piece.normals.clone() {
                    self.add(row, normal, e.by_load[k] * balls.share(piece, normal));
                }
            }
        }
    }
}
