//! Bounds of friction and of the spin torque about the centre of pressure (section 5.6).

use std::f64::consts::TAU;

use glamx::DVec2;

use super::block::Block;
use super::{Screw, SpinLaw, Wrench};
use crate::FrictionError;
use crate::extent::{disc_set, polygon_set};
use crate::set::{Ellipse, LimitSurface};

impl Wrench {
    /// Least and largest spin torque about a centre of pressure within the patch, per unit load,
    /// without sliding. By the corners: Σ w_i ‖c_i − d‖ h_S(±e_i), with the bilinear weights w_i of
    /// d (Eqs. 11–13) and, in place of one μ, what the section carries along the motion of a corner.
    pub fn spin_bounds(&self, cop: DVec2) -> [f64; 2] {
        match &self.spin {
            SpinLaw::None => [0.0; 2],
            SpinLaw::Contensou(surface) => {
                let most = self.shrink(cop) * surface.drilling();
                [-most, most]
            }
            SpinLaw::Uniform(bounds) => bounds.map(|most| self.shrink(cop) * most),
            SpinLaw::Corners => {
                let (axes, half) = (self.patch().rotation(), self.patch().mu());
                let at = axes.to_axes(cop);
                let part = |x: f64, a: f64| if a > 0.0 { (x / a).clamp(-1.0, 1.0) } else { 0.0 };
                let (x, y) = (part(at.x, half.x), part(at.y, half.y));
                let mut bounds = [0.0; 2];
                for (i, j) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                    let weight = 0.25 * (1.0 + i * x) * (1.0 + j * y);
                    let arm = axes.to_frame(DVec2::new(i, j) * half - at);
                    let turn = arm.perp();
                    bounds[0] -= weight * self.section.support(&(-turn).to_array(), 1.0);
                    bounds[1] += weight * self.section.support(&turn.to_array(), 1.0);
                }
                bounds
            }
        }
    }

    /// Friction and spin torque about the centre of pressure, brought within their bounds.
    pub(super) fn limit(&self, friction: DVec2, spin: f64, load: f64, cop: DVec2) -> (DVec2, f64) {
        if let SpinLaw::Contensou(surface) = &self.spin {
            let scale = self.shrink(cop) * self.radius();
            if scale > 1e-9 * self.radius() {
                // Torques in units of the radius that is left, so that both are forces.
                let surface = surface.in_torque_units(self.radius());
                let near = surface.project(friction.extend(spin / scale), load);
                return (near.truncate(), near.z * scale);
            }
        }
        let mut near = friction.to_array();
        self.section.project(&mut near, load);
        let spin = match &self.spin {
            SpinLaw::Corners | SpinLaw::Uniform(_) => {
                let [low, high] = self.spin_bounds(cop);
                spin.clamp(low * load, high * load)
            }
            _ => 0.0,
        };
        (near.into(), spin)
    }

    /// Least and largest spin torque of uniform pressure per unit load, without sliding: the mean of what
    /// the section carries along the motion of each point, h_S(±p⊥). Along a ray it grows with the
    /// distance, so that the mean over the ellipse is ⅔ of that over its boundary.
    pub(super) fn drilling(&self, over: &Ellipse) -> [f64; 2] {
        let (axes, half) = (over.rotation(), over.mu());
        let mut bounds = [0.0; 2];
        for i in 0..AROUND {
            let angle = TAU * (i as f64 + 0.5) / AROUND as f64;
            let turn = axes.to_frame(DVec2::from_angle(angle) * half).perp();
            bounds[0] -= self.section.support(&(-turn).to_array(), 1.0);
            bounds[1] += self.section.support(&turn.to_array(), 1.0);
        }
        bounds.map(|sum| 2.0 * sum / (3.0 * AROUND as f64))
    }

    /// A wrench whose spin torque opposes the spin within its bound, by halving; where rounds go in
    /// circles and end with a push. By the torque about the middle per unit load all else follows, and how
    /// far the torque about the centre of pressure is from where it must be changes its sign from too
    /// little to too much. Friction opposes the slip of the middle here.
    pub(super) fn spun(&self, block: &Block, free: &Screw, near: &Screw) -> Option<Screw> {
        let give = block.angular.x_axis.x;
        let at = |turn: f64| {
            let wrench = self.joint(block, free, DVec2::ZERO, Some(turn));
            let load = wrench.linear.x;
            if !(load > 0.0 && give > 0.0) {
                return None;
            }
            let cop = self.patch.nearest(wrench.cop());
            let [low, high] = self.spin_bounds(cop);
            let spin = (block.apply(&wrench).angular.x + free.angular.x) / (give * load);
            let about = wrench.spin_about(cop) / load;
            let excess = about - (about - spin).clamp(low, high);
            excess.is_finite().then_some((wrench, excess))
        };
        let start = near.angular.x / near.linear.x;
        let (_, first) = at(start)?;
        // The other side.
        let mut step = -first;
        let mut other = start + step;
        while at(other)?.1 * first > 0.0 {
            step *= 2.0;
            other += step;
            if !(step.abs() < 1e3 * self.radius()) {
                return None;
            }
        }
        let (mut from, mut to) = (start, other);
        for _ in 0..60 {
            let middle = 0.5 * (from + to);
            if at(middle)?.1 * first > 0.0 { from = middle } else { to = middle }
        }
        Some(at(to)?.0)
    }

    /// Size of the largest like patch about a point of the patch that the patch holds.
    pub(super) fn shrink(&self, cop: DVec2) -> f64 {
        self.patch.shrink(cop)
    }
}

/// The limit surface of an ellipse under uniform pressure: of rings where all is round, else of the
/// pieces of a polygon with the ellipse's area.
pub(super) fn ellipse_surface(
    patch: &Ellipse,
    section: Ellipse,
) -> Result<LimitSurface, FrictionError> {
    let (half, mu) = (patch.mu(), section.mu());
    if half.x == half.y && mu.x == mu.y {
        return disc_set(half.x, None, mu.x, RINGS);
    }
    let step = TAU / SIDES as f64;
    let grow = (step / step.sin()).sqrt();
    let corner = |i: usize| {
        let at = DVec2::from_angle(step * (i as f64 + 0.5));
        patch.rotation().to_frame(at * half * grow)
    };
    let mut corners = [DVec2::ZERO; SIDES];
    for (i, c) in corners.iter_mut().enumerate() {
        *c = corner(i);
    }
    polygon_set(&corners, section, BLOCKS)
}

/// Rings of a circle.
const RINGS: usize = 16;
/// Corners that stand for an ellipse.
const SIDES: usize = 32;
/// Places around the boundary over which its mean is taken.
const AROUND: usize = 64;
/// Pieces along a side.
const BLOCKS: usize = 6;
