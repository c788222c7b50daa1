//! Which patches of surfaces are looked at, and what bodies show there.

use asperity_friction::section::Sampled;
use asperity_friction::surface::patch::{Facet, Job, JobSide, Outline, Sampling, Window};
use asperity_friction::{ContactFrame, ContactState};
use asperity_geometry::collision::Collision;
use asperity_geometry::collision::window::{Shown, View};
use glamx::{DPose3, DVec2, DVec3};

use super::PatchSamples;
use crate::body::Body;

/// A patch that is to be looked at.
pub(crate) struct PatchRequest {
    /// What A and B are.
    pub(crate) sides: [Seen; 2],
    /// The contact point, world.
    pub(crate) at: DVec3,
    /// Surfaces so far from the contact plane are still looked at, metres.
    pub(crate) gap: f64,
    pub(crate) sampling: Sampling,
    /// The whole area in the contact plane, about `at`; empty where a window about the point is looked at.
    pub(crate) outline: Vec<DVec2>,
}

/// One of the two at a contact.
pub(crate) enum Seen {
    /// A rigid body, and the part of its shape as the manifold has it.
    Body(usize, u32),
    /// A rigid body in another pose than the one it collided in, touched at this point, world.
    Moved { body: usize, pose: DPose3, point: DVec3 },
    /// A sheet of this material, which follows what it lies on and goes on all around as it is at
    /// the contact.
    Sheet(usize),
}

/// One side of a contact.
struct Touched<'a, 's> {
    side: usize,
    at: DVec3,
    state: &'a ContactState<'s>,
}

/// The surfaces of all rigid bodies.
#[derive(Clone, Copy)]
pub(crate) struct BodySurfaces<'a> {
    pub(crate) collision: &'a Collision,
    pub(crate) bodies: &'a [Body],
}

impl BodySurfaces<'_> {
    /// Asks for the sample of a patch; returns its number.
    pub(crate) fn request(
        self,
        patch: &PatchRequest,
        state: &ContactState,
        section: &dyn Sampled,
        samples: &mut PatchSamples,
    ) -> usize {
        let PatchRequest { sides, at, gap, sampling, outline } = patch;
        let (frame, rotation) = (state.frame, section.rotation(state));
        let overlap = (-gap).max(0.0);
        let corners = samples.batch.corners.len();
        let mut window =
            Window::about_point(sampling.width, sampling.resolution, gap.abs(), rotation);
        let mut centre = *at;
        // Where bodies touch at a line or a point, there is no area but the window.
        if let Some((area, middle)) =
            Window::over_area(outline, sampling.resolution, overlap, rotation)
        {
            centre += frame.to_world(middle);
            let clip = Outline::Polygon { first: 0, count: outline.len() as u32 };
            window = Window { clip, ..area };
            samples.batch.corners.extend(outline.iter().map(|p| *p - middle));
        }
        window.manner = sampling.manner(state.last_load, state.area);
        let view = View { frame, at: centre, window, first_corner: corners };
        let sides = [0, 1].map(|side| {
            let first = samples.batch.facets.len();
            let contact = Touched { side, at: *at, state };
            let surface = self.show(&sides[side], &contact, &view, samples);
            let relief = match sides[side] {
                Seen::Body(body, _) | Seen::Moved { body, .. } => {
                    samples.relief_of_body(body, surface)
                }
                Seen::Sheet(_) => samples.relief(surface),
            };
            JobSide { relief, facets: first..samples.batch.facets.len() }
        });
        let directions = samples.directions(section.sampling().1);
        let corners = corners..samples.batch.corners.len();
        samples.centres.push(centre);
        samples.batch.jobs.push(Job { window, directions, corners, sides });
        samples.batch.jobs.len() - 1
    }

    /// Appends the facets of a side; returns the number of its material.
    fn show(
        self,
        seen: &Seen,
        &Touched { side, at: point, state }: &Touched,
        view: &View,
        samples: &mut PatchSamples,
    ) -> usize {
        let mut surface = state.surfaces[side];
        match *seen {
            Seen::Body(body, part) => {
                if let Some(shape) = self.bodies[body].shape() {
                    let shown = Shown { body, shape, part, side, surface, point };
                    self.collision.show(&shown, view, &mut samples.batch);
                }
                self.bodies[body].surface()
            }
            Seen::Moved { body, pose, point: on_body } => {
                let shape = self.bodies[body].shape().zip(self.collision.pose(body));
                if let Some((shape, there)) = shape {
                    // The contact moves with the body to where the collision has it.
                    let moved = there * pose.inverse();
                    let turned = |v: DVec3| moved.rotation * v;
                    let ContactFrame { normal, t, b } = view.frame;
                    let frame = ContactFrame { normal: turned(normal), t: turned(t), b: turned(b) };
                    surface.tangent = turned(surface.tangent);
                    surface.bitangent = turned(surface.bitangent);
                    let at = moved.transform_point(on_body + (view.at - point));
                    let point = moved.transform_point(on_body);
                    let outward = if side == 0 { frame.normal } else { -frame.normal };
                    let part = self.collision.part_at(body, point, outward, 0.0);
                    let shown = Shown { body, shape, part, side, surface, point };
                    self.collision.show(&shown, &View { frame, at, ..*view }, &mut samples.batch);
                }
                self.bodies[body].surface()
            }
            Seen::Sheet(number) => {
                let axes = surface.axes_in(&view.frame);
                let offset = view.frame.to_plane(view.at - point);
                let uv = surface.uv + axes.transpose() * offset;
                samples.batch.facets.push(Facet::flat(axes, uv, side));
                number
            }
        }
    }
}
