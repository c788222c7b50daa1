//! From where a picture is seen.

use glamx::camera::rh::proj::directx::{orthographic, perspective};
use glamx::camera::rh::view::look_to_mat4;
use glamx::{Mat4, Vec3};

/// From where a picture is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: Vec3,
    /// Where it looks.
    pub at: Vec3,
    /// Up in the picture.
    pub up: Vec3,
    /// Angle from bottom to top, radians.
    pub fov: f32,
    /// What is nearer is cut away.
    pub near: f32,
    /// What is farther is cut away.
    pub far: f32,
}

impl Default for Camera {
    fn default() -> Camera {
        let eye = Vec3::new(2.0, 2.0, 4.0);
        Camera { eye, at: Vec3::ZERO, up: Vec3::Y, fov: 0.7, near: 0.05, far: 200.0 }
    }
}

impl Camera {
    /// From the world to the picture: x and y from −1 to 1, depth from 0 to 1.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        perspective(self.fov, aspect, self.near, self.far) * self.camera_from_world()
    }

    fn camera_from_world(&self) -> Mat4 {
        let forward = (self.at - self.eye).normalize_or(Vec3::NEG_Z);
        // Looking straight up or down, any direction is up.
        let across = forward.cross(self.up);
        let up = if across.length() > 1e-4 * self.up.length() {
            self.up
        } else {
            forward.any_orthonormal_vector()
        };
        look_to_mat4(self.eye, forward, up.normalize_or(Vec3::Y))
    }
}

/// A sun and a sky.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Towards the sun.
    pub to_sun: Vec3,
    /// Away from the ground.
    pub up: Vec3,
    /// Light of the sun.
    pub sun: [f32; 3],
    /// Light from above.
    pub sky: [f32; 3],
    /// Light from below.
    pub ground: [f32; 3],
    /// Middle of what may throw or catch a shadow.
    pub focus: Vec3,
    /// How far from there shadows reach.
    pub reach: f32,
}

impl Default for Light {
    fn default() -> Light {
        Light {
            to_sun: Vec3::new(-0.5, 1.0, 0.6),
            up: Vec3::Y,
            sun: [2.35, 2.22, 2.02],
            sky: [0.52, 0.57, 0.66],
            ground: [0.29, 0.275, 0.26],
            focus: Vec3::ZERO,
            reach: 4.0,
        }
    }
}

impl Light {
    /// From the world to the sun's picture of it: parallel, x and y from −1 to 1 over the reach.
    pub(crate) fn clip_from_world(&self) -> Mat4 {
        let to_sun = self.to_sun.normalize_or(Vec3::Y);
        let eye = self.focus + to_sun * (2.0 * self.reach);
        let view = look_to_mat4(eye, -to_sun, to_sun.any_orthonormal_vector());
        let r = self.reach;
        orthographic(-r, r, -r, r, 0.0, 4.0 * r) * view
    }
}

/// What is behind everything: one colour at the bottom, one at the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background {
    /// At the upper edge.
    pub top: [f32; 3],
    /// At the lower edge.
    pub bottom: [f32; 3],
}

impl Default for Background {
    fn default() -> Background {
        Background { top: super::linear([214, 224, 236]), bottom: super::linear([246, 246, 244]) }
    }
}
