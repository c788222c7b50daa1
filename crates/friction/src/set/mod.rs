//! Sets of admissible friction forces, per unit of load. One file per shape, each pure geometry.
//!
//! A set S answers three questions at a load N (all of them scale with N exactly):
//!
//! - `project(f, N)`: the force in N·S nearest to `f`;
//! - `support(d, N)`: max of f·d over f in N·S;
//! - `traction(v, N)`: the force the contact carries while it slips with velocity `v`. For an
//!   associated set it is the support point of −v (maximum dissipation); for [`Tensor`] it is not.
//!
//! Forces, slips and directions are slices of length [`Set::dim`], in the contact frame
//! (t, b), (t, b, spin) or (t, b, roll 1, roll 2).

mod axis_box;
mod box_set;
pub mod cone;
mod disk;
mod disk_disk;
pub mod drag;
mod ellipse;
mod ellipsoid;
mod interval;
mod limit_polytope;
mod limit_surface;
mod natural_map;
mod planar;
mod polygon;
mod rotation;
mod secular;
mod tensor;
mod tensor_hull;
mod torque_units;
pub mod wrench;

pub use axis_box::{Axis, AxisBox};
pub use box_set::BoxSet;
pub use disk::Disk;
pub use disk_disk::DiskDisk;
pub use ellipse::Ellipse;
pub use ellipsoid::Ellipsoid;
pub use interval::Interval;
pub use limit_polytope::LimitPolytope;
pub use limit_surface::{LimitSurface, Part};
pub use polygon::Polygon;
pub use rotation::Rotation;
pub(crate) use tensor::symmetric_eigen;
pub use tensor::{Sector, Tensor};
pub use wrench::Wrench;

use glamx::{DVec2, DVec3};

/// The largest number of rows a friction block may have.
pub const MAX_DIM: usize = 6;

/// A set of admissible forces per unit load. Closed, so that solvers match it in hot loops.
#[derive(Debug, Clone, PartialEq)]
pub enum Set {
    /// No bound: the rows of a joint. Holds its number of rows, 1 to [`MAX_DIM`].
    Free(usize),
    /// One row between two bounds: limits, motors, friction in the plane.
    Interval(Interval),
    /// Isotropic Coulomb friction.
    Disk(Disk),
    /// Two coefficients along turned axes.
    Ellipse(Ellipse),
    /// Four bounds along turned axes (Andrews 2021, Eq. 9).
    Box(BoxSet),
    /// Any convex polygon that holds the origin.
    Polygon(Polygon),
    /// A map from slip to force (Pabst 2009): not associated.
    Tensor(Tensor),
    /// (t, b, spin) with a drilling coefficient (Erleben 2020, section 4.4).
    Ellipsoid(Ellipsoid),
    /// Sliding and rolling, each with a disk of its own.
    DiskDisk(DiskDisk),
    /// (t, b, spin) of a patch under pressure: sliding and spin coupled as they are.
    LimitSurface(LimitSurface),
    /// The same for a planar section that is a polygon.
    LimitPolytope(LimitPolytope),
    /// (normal, t, b, spin, roll t, roll b) of an elliptical patch (Bouchard 2015): the normal force
    /// is within, so that a load means nothing to it.
    Wrench(Box<Wrench>),
}

/// How a set relates slip and force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Convex and associated: `project` is the Euclidean projection, `traction` dissipates most.
    Convex,
    /// Slip maps to force by a law of its own; `project` is radial and only lands in the set.
    NonAssociated,
    /// Brings the solution of its own block; `project` only lands in the set, and there is neither
    /// a bounded support nor a traction.
    LocalSolve,
}

impl Set {
    /// Number of rows: 1 to [`MAX_DIM`].
    pub fn dim(&self) -> usize {
        match self {
            Set::Free(dim) => *dim,
            Set::Interval(_) => 1,
            Set::Disk(_) | Set::Ellipse(_) | Set::Box(_) | Set::Polygon(_) | Set::Tensor(_) => 2,
            Set::Ellipsoid(_) | Set::LimitSurface(_) | Set::LimitPolytope(_) => 3,
            Set::DiskDisk(_) => 4,
            Set::Wrench(_) => 6,
        }
    }

    /// Whether the projection properties of a convex set hold.
    pub fn kind(&self) -> Kind {
        match self {
            Set::Tensor(_) => Kind::NonAssociated,
            Set::Wrench(_) => Kind::LocalSolve,
            _ => Kind::Convex,
        }
    }

    /// The shape in one word, for messages and files.
    pub fn name(&self) -> &'static str {
        match self {
            Set::Free(_) => "free",
            Set::Interval(_) => "interval",
            Set::Disk(_) => "disk",
            Set::Ellipse(_) => "ellipse",
            Set::Box(_) => "box",
            Set::Polygon(_) => "polygon",
            Set::Tensor(_) => "tensor",
            Set::Ellipsoid(_) => "ellipsoid",
            Set::DiskDisk(_) => "disk_disk",
            Set::LimitSurface(_) => "limit_surface",
            Set::LimitPolytope(_) => "limit_polytope",
            Set::Wrench(_) => "wrench",
        }
    }

    /// Moves `force` to the nearest force of the set at this load. A load of zero or less gives
    /// zero (but leaves a free set's force alone: joints carry no load).
    #[inline]
    pub fn project(&self, force: &mut [f64], load: f64) {
        let load = load.max(0.0);
        match self {
            Set::Free(_) => {}
            Set::Interval(s) => force[0] = s.project(force[0], load),
            Set::Disk(s) => write2(force, s.project(read2(force), load)),
            Set::Ellipse(s) => write2(force, s.project(read2(force), load)),
            Set::Box(s) => write2(force, s.project(read2(force), load)),
            Set::Polygon(s) => write2(force, s.project(read2(force), load)),
            Set::Tensor(s) => write2(force, s.project(read2(force), load)),
            Set::Ellipsoid(s) => write3(force, s.project(read3(force), load)),
            Set::DiskDisk(s) => s.project(force, load),
            Set::LimitSurface(s) => write3(force, s.project(read3(force), load)),
            Set::LimitPolytope(s) => write3(force, s.project(read3(force), load)),
            Set::Wrench(s) => s.project(force),
        }
    }

    /// Largest f·`direction` over the forces f of the set at this load.
    #[inline]
    pub fn support(&self, direction: &[f64], load: f64) -> f64 {
        let load = load.max(0.0);
        match self {
            Set::Free(_) | Set::Wrench(_) if direction.iter().all(|d| *d == 0.0) => 0.0,
            Set::Free(_) | Set::Wrench(_) => f64::INFINITY,
            Set::Interval(s) => s.support(direction[0], load),
            Set::Disk(s) => s.support(read2(direction), load),
            Set::Ellipse(s) => s.support(read2(direction), load),
            Set::Box(s) => s.support(read2(direction), load),
            Set::Polygon(s) => s.support(read2(direction), load),
            Set::Tensor(s) => s.support(read2(direction), load),
            Set::Ellipsoid(s) => s.support(read3(direction), load),
            Set::DiskDisk(s) => s.support(direction, load),
            Set::LimitSurface(s) => s.support(read3(direction), load),
            Set::LimitPolytope(s) => s.support(read3(direction), load),
        }
    }

    /// The force that acts while the contact slips with velocity `slip`. Zero slip gives zero;
    /// so does a free set, whose force no slip determines.
    #[inline]
    pub fn traction(&self, slip: &[f64], load: f64, force: &mut [f64]) {
        let load = load.max(0.0);
        match self {
            Set::Free(_) | Set::Wrench(_) => force.fill(0.0),
            Set::Interval(s) => force[0] = s.traction(slip[0], load),
            Set::Disk(s) => write2(force, s.traction(read2(slip), load)),
            Set::Ellipse(s) => write2(force, s.traction(read2(slip), load)),
            Set::Box(s) => write2(force, s.traction(read2(slip), load)),
            Set::Polygon(s) => write2(force, s.traction(read2(slip), load)),
            Set::Tensor(s) => write2(force, s.traction(read2(slip), load)),
            Set::Ellipsoid(s) => write3(force, s.traction(read3(slip), load)),
            Set::DiskDisk(s) => s.traction(slip, load, force),
            Set::LimitSurface(s) => write3(force, s.traction(read3(slip), load)),
            Set::LimitPolytope(s) => write3(force, s.traction(read3(slip), load)),
        }
    }

    /// Whether `force` is in the set at this load, up to `tolerance` (a force).
    pub fn contains(&self, force: &[f64], load: f64, tolerance: f64) -> bool {
        if let Set::Disk(disk) = self {
            return read2(force).length() - disk.radius() * load.max(0.0) <= tolerance;
        }
        let mut nearest = [0.0; MAX_DIM];
        let nearest = &mut nearest[..force.len()];
        nearest.copy_from_slice(force);
        self.project(nearest, load);
        let distance2: f64 = nearest.iter().zip(force).map(|(p, f)| (p - f) * (p - f)).sum();
        distance2 <= tolerance * tolerance
    }
}

macro_rules! into_set {
    ($($shape:ident => $variant:ident),+) => {
        $(impl From<$shape> for Set {
            fn from(shape: $shape) -> Set {
                Set::$variant(shape)
            }
        })+
    };
}
into_set!(Interval => Interval, Disk => Disk, Ellipse => Ellipse, BoxSet => Box,
    Polygon => Polygon, Tensor => Tensor, Ellipsoid => Ellipsoid, DiskDisk => DiskDisk,
    LimitSurface => LimitSurface, LimitPolytope => LimitPolytope);

impl From<Wrench> for Set {
    fn from(wrench: Wrench) -> Set {
        Set::Wrench(Box::new(wrench))
    }
}

#[inline]
fn read2(v: &[f64]) -> DVec2 {
    DVec2::new(v[0], v[1])
}

#[inline]
fn write2(out: &mut [f64], v: DVec2) {
    out[0] = v.x;
    out[1] = v.y;
}

#[inline]
fn read3(v: &[f64]) -> DVec3 {
    DVec3::new(v[0], v[1], v[2])
}

#[inline]
fn write3(out: &mut [f64], v: DVec3) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}
