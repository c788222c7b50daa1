//! Flat pieces of surfaces in a window.

use glamx::{DMat2, DMat3, DVec2, DVec3};

use super::OUTWARD;

/// What a facet or a window covers, in the contact plane.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Outline {
    /// All of the window.
    #[default]
    Everything,
    /// A convex polygon: some of the patch's corners, in either sense of rotation.
    Polygon {
        /// The first of them.
        first: u32,
        /// How many.
        count: u32,
    },
    /// A disc.
    Disc {
        /// Its middle.
        centre: DVec2,
        /// Its radius, metres.
        radius: f64,
    },
}

/// A flat piece of a surface in a window, seen along the contact normal. Coordinates: see the
/// module.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// What it covers.
    pub outline: Outline,
    /// Its height over the contact plane in the middle of the window, metres.
    pub height: f64,
    /// How its height grows along x and y.
    pub rise: DVec2,
    /// Texture coordinates in the middle of the window, metres.
    pub uv: DVec2,
    /// How they grow along x and y.
    pub uv_from_plane: DMat2,
    /// Direction of growing u, unit length.
    pub tangent: DVec3,
    /// Direction of growing v, unit length.
    pub bitangent: DVec3,
    /// Outward normal, unit length: along +z for A and −z for B, or a facet is not seen.
    pub normal: DVec3,
}

impl Facet {
    /// A face that lies in the contact plane and covers all of it. `axes` are the surface's axes
    /// in the contact plane ([`SurfacePoint::axes_in`](crate::surface::SurfacePoint::axes_in)),
    /// `uv` its texture coordinates at the middle of the window; `side` is 0 for A, 1 for B.
    pub fn flat(axes: DMat2, uv: DVec2, side: usize) -> Facet {
        Facet {
            outline: Outline::Everything,
            height: 0.0,
            rise: DVec2::ZERO,
            uv,
            uv_from_plane: axes.transpose(),
            tangent: axes.x_axis.extend(0.0),
            bitangent: axes.y_axis.extend(0.0),
            normal: DVec3::Z * OUTWARD[side.min(1)],
        }
    }

    /// A face in a plane of any inclination, through `point`, where its texture coordinates are
    /// `uv`. `frame` has tangent, bitangent and outward normal as its columns, orthonormal but for
    /// a mirrored bitangent. `None` where the plane is seen edge-on.
    pub fn tilted(point: DVec3, uv: DVec2, frame: DMat3) -> Option<Facet> {
        let (t, b, n) = (frame.x_axis, frame.y_axis, frame.z_axis);
        if !(n.z.abs() > EDGE_ON) {
            return None;
        }
        let rise = -n.truncate() / n.z;
        // Going along x or y one climbs by the rise.
        let (x, y) = (DVec3::new(1.0, 0.0, rise.x), DVec3::new(0.0, 1.0, rise.y));
        let uv_from_plane =
            DMat2::from_cols(DVec2::new(t.dot(x), b.dot(x)), DVec2::new(t.dot(y), b.dot(y)));
        let foot = point.truncate();
        Some(Facet {
            outline: Outline::Everything,
            height: point.z - rise.dot(foot),
            rise,
            uv: uv - uv_from_plane * foot,
            uv_from_plane,
            tangent: t,
            bitangent: b,
            normal: n,
        })
    }

    /// A triangle of a mesh with texture coordinates in metres at its corners. The corners' x and
    /// y go into the patch's list, the first at `first`. `frame` as in [`Facet::tilted`], but its
    /// normal may be a smooth one. `None` where the triangle is seen edge-on.
    pub fn triangle(
        corners: [DVec3; 3],
        uvs: [DVec2; 3],
        frame: DMat3,
        first: u32,
    ) -> Option<Facet> {
        let [p, q, r] = corners.map(DVec3::truncate);
        let span = DMat2::from_cols(q - p, r - p);
        let size = span.x_axis.length().max(span.y_axis.length());
        if !(span.determinant().abs() > EDGE_ON * size * size) {
            return None;
        }
        let back = span.inverse();
        let heights = DVec2::new(corners[1].z - corners[0].z, corners[2].z - corners[0].z);
        let rise = back.transpose() * heights;
        let uv_from_plane = DMat2::from_cols(uvs[1] - uvs[0], uvs[2] - uvs[0]) * back;
        Some(Facet {
            outline: Outline::Polygon { first, count: 3 },
            height: corners[0].z - rise.dot(p),
            rise,
            uv: uvs[0] - uv_from_plane * p,
            uv_from_plane,
            tangent: frame.x_axis,
            bitangent: frame.y_axis,
            normal: frame.z_axis,
        })
    }

    /// Whether it faces the other surface; `side` is 0 for A, 1 for B.
    pub fn is_seen(&self, side: usize) -> bool {
        self.normal.z * OUTWARD[side.min(1)] > EDGE_ON
    }

    /// The same facet within an outline.
    #[must_use]
    pub fn within(self, outline: Outline) -> Facet {
        Facet { outline, ..self }
    }
}

/// The sine of the angle under which a plane counts as seen edge-on.
pub(super) const EDGE_ON: f64 = 1e-6;
