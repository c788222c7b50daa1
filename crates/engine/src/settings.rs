//! What a world is told once: its step, its solver, its tolerances.

use asperity_solve::SolveOptions;
use glamx::DVec3;

/// How a world is stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// m/s².
    pub gravity: DVec3,
    /// Seconds.
    pub dt: f64,
    /// When the contact solver stops.
    pub solver: SolveOptions,
    /// Which contact solver.
    pub method: Method,
    /// Approach speed above which restitution acts, m/s.
    pub restitution_speed: f64,
    /// Penetration and joint error that is left alone, metres.
    pub slop: f64,
    /// Distance below which contacts are found even at rest, metres.
    pub margin: f64,
}

/// Which contact solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Block Gauss–Seidel with exact local solves.
    Prox,
    /// Projected Gauss–Seidel with box bounds.
    Pgs,
}

impl Settings {
    /// Whether so little is asked of the solver that other things may be rough too.
    pub(crate) fn is_rough(&self) -> bool {
        self.solver.tolerance > ROUGH
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            gravity: DVec3::new(0.0, -9.81, 0.0),
            dt: 0.01,
            solver: SolveOptions { tolerance: 1e-9, max_iterations: 2000, time_limit: None },
            method: Method::Prox,
            restitution_speed: 0.05,
            slop: 1e-7,
            margin: 2e-3,
        }
    }
}

/// Residuals above this are rough: what comes of them is removed bit by bit, in few sweeps.
pub(crate) const ROUGH: f64 = 1e-4;
