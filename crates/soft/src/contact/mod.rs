//! Contacts of deformables: with each other, with themselves and with rigid shapes.

mod bvh;
mod closest;
mod detect;
mod obstacle;
mod record;
mod topology;

pub use bvh::{Aabb, Bvh, Found};
pub use closest::{Region, point_triangle, segments};
pub use detect::{Detector, Motion};
pub use obstacle::Obstacle;
pub use record::{Contacts, NO_SURFACE, SoftContact, SurfaceAxes, SurfaceContact};
pub use topology::{ContactError, ContactMesh, Topology};
