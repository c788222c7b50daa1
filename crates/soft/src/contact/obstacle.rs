use glamx::DVec3;

use super::bvh::Aabb;
use super::record::SurfaceAxes;

/// A rigid shape that vertices cannot enter.
pub trait Obstacle: Sync {
    /// Signed distance from the surface, negative inside, and the unit normal that points out.
    /// The distance may be less than the true one, never more.
    fn distance(&self, p: DVec3) -> (f64, DVec3);

    /// Velocity of the shape's material at a point, m/s.
    fn velocity(&self, p: DVec3) -> DVec3;

    /// Axes and texture coordinates of the surface at a point of it.
    fn axes(&self, p: DVec3, normal: DVec3) -> SurfaceAxes;

    /// A box around the shape.
    fn aabb(&self) -> Aabb;
}
