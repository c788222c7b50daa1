//! From a twist to a place on a normalised limit surface.

use std::sync::Arc;

use glamx::DVec3;

use super::{Curve, Table};

/// How a twist maps to a place on the normalised limit surface: h(r, v) of Eq. 29.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitMap {
    /// The ellipsoid of a rim contact (Eq. 22 with its minus sign).
    Ellipsoid,
    /// A table of the true surface, with the paper's bilinear lookup.
    Table(Arc<Table>),
    /// The same, with cubics in place of chords ([`Table::rounded_lookup`]): nearer to the truth.
    Rounded(Arc<Table>),
    /// The one curve of an axisymmetric pressure.
    Curve(Arc<Curve>),
}

impl LimitMap {
    /// A table with cubics.
    pub fn rounded(table: Table) -> LimitMap {
        LimitMap::Rounded(Arc::new(table))
    }

    /// h(r, v): force over the largest force, torque over the largest torque; opposes the twist.
    #[inline]
    pub fn lookup(&self, radius: f64, twist: DVec3) -> DVec3 {
        match self {
            LimitMap::Ellipsoid => {
                -DVec3::new(twist.x, twist.y, radius * twist.z).normalize_or_zero()
            }
            LimitMap::Table(table) => table.lookup(radius, twist),
            LimitMap::Rounded(table) => table.rounded_lookup(radius, twist),
            LimitMap::Curve(curve) => curve.lookup(radius, twist),
        }
    }
}

impl From<Table> for LimitMap {
    fn from(table: Table) -> LimitMap {
        LimitMap::Table(Arc::new(table))
    }
}

impl From<Curve> for LimitMap {
    fn from(curve: Curve) -> LimitMap {
        LimitMap::Curve(Arc::new(curve))
    }
}
