//! Contact points, patches and friction sets.

use asperity::World;
use asperity::glamx::DVec3;
use asperity_gpu::picture::{Depth, Facet, FacetCorner, Line, Shot, linear};

use crate::commands::render::camera::Viewpoint;
use crate::commands::render::film::{ContactMark, Moment};
use asperity_chart::limit::Limit;

/// Points on the rim of a round set.
const RIM: usize = 48;
/// Colours of cones, by the shape of the set.
const COLOURS: [(&str, [u8; 3]); 5] = [
    ("disk", [16, 140, 130]),
    ("ellipse", [130, 70, 170]),
    ("ellipsoid", [130, 70, 170]),
    ("polygon", [190, 120, 10]),
    ("tensor", [30, 110, 190]),
];
/// The patch of a wrench, its contact plane, and how far that is drawn beyond the patch.
const PATCH: [u8; 3] = [214, 40, 40];
const PLANE: [u8; 3] = [60, 120, 210];
const BEYOND: f64 = 1.25;
/// Points and outlines.
const INK: [u8; 3] = [24, 26, 30];

/// The forces that a contact may carry at its load: a cone with the friction set as its rim, in
/// the same scale as the arrows.
pub(super) fn cone(
    shot: &mut Shot,
    viewpoint: &Viewpoint,
    world: &World,
    touch: &ContactMark,
    scale: f64,
) {
    let distance = |p: DVec3| p.distance_squared(touch.point);
    let same = world.contacts().iter().filter(|c| c.bodies == touch.bodies);
    let nearest = same.min_by(|a, b| distance(a.point).total_cmp(&distance(b.point)));
    let Some(contact) = nearest else { return };
    // A set without a planar part has no cone.
    let Ok(limit) = Limit::new(&contact.law.set, RIM) else { return };
    let name = contact.law.set.name();
    let found = COLOURS.iter().find(|(set, _)| *set == name);
    let [r, g, b] = linear(found.map_or([60, 120, 60], |(_, colour)| *colour));
    let size = scale * touch.load;
    let frame = &contact.frame;
    let place = |[x, y]: [f64; 2]| {
        let force = touch.normal + frame.t * x + frame.b * y;
        touch.point + force * size
    };
    let top = touch.point + touch.normal * size;
    let corner = |p: DVec3, alpha: f32| FacetCorner {
        position: viewpoint.near(p).to_array(),
        normal: [0.0; 3],
        colour: [r, g, b, alpha],
    };
    for branch in &limit.branches {
        let rim: Vec<DVec3> = branch.iter().map(|p| place(*p)).collect();
        let last = if limit.closed { rim.len() } else { rim.len().saturating_sub(1) };
        for k in 0..last {
            let (p, q) = (rim[k], rim[(k + 1) % rim.len()]);
            for (third, alpha) in [(touch.point, 0.26), (top, 0.16)] {
                let corners = [corner(third, alpha), corner(p, alpha), corner(q, alpha)];
                shot.facets.push(Facet { corners, depth: Depth::Through, in_sun: false });
            }
            shot.lines.push(Line {
                ends: [p, q].map(|p| viewpoint.near(p).to_array()),
                width: 1.6,
                colour: [r, g, b, 0.95],
                depth: Depth::Through,
            });
        }
    }
}

/// Of contacts by wrench the patch in its contact plane, and its middle.
pub(super) fn wrenches(shot: &mut Shot, viewpoint: &Viewpoint, world: &World, moment: &Moment) {
    let bears =
        |bodies: [usize; 2]| moment.touches.iter().any(|t| t.bodies == bodies && t.load > 0.0);
    for contact in world.contacts().iter().filter(|c| bears(c.bodies)) {
        let Some(wrench) = &contact.wrench else { continue };
        let patch = &wrench.patch;
        let place = |x: f64, y: f64| {
            patch.centre + patch.u * (patch.half.x * x) + patch.w * (patch.half.y * y)
        };
        let [r, g, b] = linear(PLANE);
        let corner = |x: f64, y: f64| FacetCorner {
            position: viewpoint.near(place(x * BEYOND, y * BEYOND)).to_array(),
            normal: [0.0; 3],
            colour: [r, g, b, 0.3],
        };
        for turn in [1.0, -1.0] {
            let corners = [corner(-1.0, 1.0), corner(1.0, -1.0), corner(turn, turn)];
            shot.facets.push(Facet { corners, depth: Depth::Through, in_sun: false });
        }
        let around = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        for ends in around.windows(2) {
            let at = |[x, y]: [f64; 2]| viewpoint.near(place(x * BEYOND, y * BEYOND)).to_array();
            let (ends, colour) = ([at(ends[0]), at(ends[1])], [r, g, b, 0.9]);
            shot.lines.push(Line { ends, width: 1.4, colour, depth: Depth::Over });
        }
        let [r, g, b] = linear(PATCH);
        let rim = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / RIM as f64).sin_cos();
            place(cos, sin)
        };
        let middle = std::iter::once(([patch.centre; 2], 5.0));
        for (ends, width) in (0..RIM).map(|k| ([rim(k), rim(k + 1)], 2.4)).chain(middle) {
            let ends = ends.map(|p| viewpoint.near(p).to_array());
            shot.lines.push(Line { ends, width, colour: [r, g, b, 1.0], depth: Depth::Over });
        }
    }
}

/// The points of a moment and the outlines of the areas that touch.
pub(super) fn patches(shot: &mut Shot, viewpoint: &Viewpoint, world: &World, moment: &Moment) {
    let [r, g, b] = linear(INK);
    let line = |ends: [DVec3; 2], width: f32, alpha: f32| Line {
        ends: ends.map(|p| viewpoint.near(p).to_array()),
        width,
        colour: [r, g, b, alpha],
        depth: Depth::Over,
    };
    for (k, manifold) in world.collision().manifolds().iter().enumerate() {
        let bears = |t: &ContactMark| t.bodies == manifold.bodies && t.load > 0.0;
        if !moment.touches.iter().any(bears) {
            continue;
        }
        let outline = world.collision().patch(k, &moment.poses).outline;
        for i in 0..if outline.len() > 2 { outline.len() } else { outline.len().saturating_sub(1) }
        {
            shot.lines.push(line([outline[i], outline[(i + 1) % outline.len()]], 2.0, 0.85));
        }
    }
    for touch in moment.touches.iter().filter(|t| t.load > 0.0) {
        shot.lines.push(line([touch.point; 2], 8.0, 1.0));
        let [wr, wg, wb] = linear([255, 214, 80]);
        let inner = Line { colour: [wr, wg, wb, 1.0], ..line([touch.point; 2], 4.6, 1.0) };
        shot.lines.push(inner);
    }
}
