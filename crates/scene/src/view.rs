//! `view`: from where pictures of the scene are taken.

use glamx::DVec3;

use super::reader::Fields;

/// From where pictures of a scene are taken; what is absent is chosen to show what moves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct View {
    /// Where the camera stands, metres.
    pub eye: Option<DVec3>,
    /// Where it looks, metres.
    pub at: Option<DVec3>,
    /// Angle from the bottom of the picture to its top, degrees.
    pub fov: Option<f64>,
    /// Towards the sun, of any length above zero.
    pub sun: Option<DVec3>,
}

/// Widest angle from bottom to top, degrees.
pub const MAX_FOV: f64 = 150.0;

/// Reads `view`.
pub(super) fn read(scene: &Fields) -> View {
    let Some(fields) = scene.table_called("view", "[view]") else { return View::default() };
    let [eye, at, sun] = ["eye", "at", "sun"].map(|key| fields.vector(key));
    let view = View { eye, at, fov: fields.number("fov"), sun };
    if let Some(fov) = view.fov.filter(|fov| *fov > MAX_FOV) {
        let message = format!("\"fov\" in [view] is {fov}; expected at most {MAX_FOV} degrees");
        fields.complain("fov", message);
    }
    if view.eye.is_some() && view.eye == view.at {
        let message = "\"at\" in [view] is where \"eye\" is; expected another place to look at";
        fields.complain("at", message);
    }
    if view.sun == Some(DVec3::ZERO) {
        let message = "\"sun\" in [view] has no length; expected a direction towards the sun";
        fields.complain("sun", message);
    }
    view
}
