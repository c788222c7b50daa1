//! Patches to look at.

use std::ops::Range;
use std::sync::Arc;

use asperity::friction::random::Rng;
use asperity::friction::set::Rotation;
use asperity::friction::surface::Relief;
use asperity::friction::surface::generate::{Grid, gaussian_slopes};
use asperity::friction::surface::patch::{
    Batch, Directions, Facet, Job, JobSide, PatchView, Side, Window,
};
use asperity::glamx::{DMat2, DMat3, DVec2, DVec3};

use crate::error::CliError;

/// What the surfaces are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SurfaceKind {
    /// Two flat faces.
    Flat,
    /// Two meshes of 32 triangles in the window.
    Mesh,
}

impl SurfaceKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            SurfaceKind::Flat => "two flat faces",
            SurfaceKind::Mesh => "two meshes",
        }
    }
}

/// Any number of patches, anywhere on two rough surfaces.
pub(super) struct Patches {
    kind: SurfaceKind,
    window: Window,
    reliefs: [Arc<Relief>; 2],
    meshes: Vec<Mesh>,
}

/// The pieces of two meshes in a window.
struct Mesh {
    corners: Vec<DVec2>,
    facets: [Vec<Facet>; 2],
}

fn push(all: &mut Vec<Facet>, some: &[Facet]) -> Range<usize> {
    let from = all.len();
    all.extend(some);
    from..all.len()
}

/// Metres.
const WIDTH: f64 = 0.02;
/// Cells along a side of a mesh in the window, two triangles each.
const CELLS: usize = 4;
/// Different meshes.
const MESHES: usize = 64;

impl Patches {
    pub(super) fn new(kind: SurfaceKind, resolution: usize) -> Result<Patches, CliError> {
        let window = Window::about_point(WIDTH, resolution, 0.0, Rotation::IDENTITY);
        window.check()?;
        let grid = Grid::square(512, 0.001);
        let relief = |seed| {
            gaussian_slopes(grid, DVec2::splat(0.5), seed).map(|map| Arc::new(Relief::plain(map)))
        };
        let meshes = (0..MESHES as u64).map(|i| Mesh::new(&mut Rng::new(i))).collect();
        Ok(Patches { kind, window, reliefs: [relief(1)?, relief(2)?], meshes })
    }

    pub(super) fn name(&self) -> &'static str {
        self.kind.name()
    }

    pub(super) fn is_mesh(&self) -> bool {
        self.kind == SurfaceKind::Mesh
    }

    /// Hands patch `i` over: its place and turn are spread evenly over the surfaces.
    pub(super) fn with<T>(&self, i: usize, look: impl FnOnce(&PatchView) -> T) -> T {
        let i = i as f64;
        let uv = DVec2::new(0.754_877_666 * i, 0.569_840_290 * i).fract() * 0.512;
        let x = DVec2::from_angle(0.618_033_988_7 * i);
        match self.kind {
            SurfaceKind::Flat => {
                let a = [Facet::flat(DMat2::from_cols(x, x.perp()), uv, 0)];
                let b = [Facet::flat(DMat2::from_cols(x, -x.perp()), uv, 1)];
                look(&self.patch(&[], [&a, &b]))
            }
            SurfaceKind::Mesh => {
                let mesh = &self.meshes[i as usize % MESHES];
                look(&self.patch(&mesh.corners, [&mesh.facets[0], &mesh.facets[1]]))
            }
        }
    }

    /// The first patches, as a device takes them.
    pub(super) fn batch(&self, count: usize, directions: &Arc<Directions>) -> Batch {
        let mut batch = Batch {
            reliefs: self.reliefs.to_vec(),
            directions: vec![Arc::clone(directions)],
            ..Batch::default()
        };
        // Meshes are there once; patches share them.
        let mut meshes = Vec::new();
        if self.kind == SurfaceKind::Mesh {
            for mesh in &self.meshes {
                let from = batch.corners.len();
                batch.corners.extend(&mesh.corners);
                let facets = mesh.facets.each_ref().map(|facets| push(&mut batch.facets, facets));
                meshes.push((from..batch.corners.len(), facets));
            }
        }
        for i in 0..count {
            let (corners, facets) = match self.kind {
                SurfaceKind::Flat => {
                    let own = self.with(i, |p| p.sides.map(|side| side.facets[0]));
                    (0..0, own.map(|facet| push(&mut batch.facets, &[facet])))
                }
                SurfaceKind::Mesh => meshes[i % MESHES].clone(),
            };
            let [a, b] = facets;
            let sides =
                [(0, a), (1, b)].map(|(relief, facets)| JobSide { relief: Some(relief), facets });
            batch.jobs.push(Job { window: self.window, directions: 0, corners, sides });
        }
        batch
    }

    fn patch<'a>(&'a self, corners: &'a [DVec2], facets: [&'a [Facet]; 2]) -> PatchView<'a> {
        let side = |s: usize| Side { relief: Some(&self.reliefs[s]), facets: facets[s] };
        PatchView { window: self.window, corners, sides: [side(0), side(1)] }
    }
}

impl Mesh {
    /// Bumpy sheets that cover the window, a little turned, and their texture anywhere.
    fn new(rng: &mut Rng) -> Mesh {
        let mut mesh = Mesh { corners: Vec::new(), facets: [Vec::new(), Vec::new()] };
        for side in 0..2 {
            let turn = DVec2::from_angle(rng.uniform(-0.4, 0.4));
            let place = DVec2::new(rng.unit(), rng.unit());
            let heights: Vec<f64> =
                (0..(CELLS + 1) * (CELLS + 1)).map(|_| rng.uniform(-4e-5, 4e-5)).collect();
            let vertex = |i: usize, j: usize| {
                let p = (DVec2::new(i as f64, j as f64) / CELLS as f64 - 0.5) * (1.4 * WIDTH);
                turn.rotate(p).extend(heights[j * (CELLS + 1) + i])
            };
            for j in 0..CELLS {
                for i in 0..CELLS {
                    let (a, b) = (vertex(i, j), vertex(i + 1, j));
                    let (c, d) = (vertex(i + 1, j + 1), vertex(i, j + 1));
                    mesh.add(side, [a, b, c], place);
                    mesh.add(side, [a, c, d], place);
                }
            }
        }
        mesh
    }

    fn add(&mut self, side: usize, triangle: [DVec3; 3], place: DVec2) {
        let [a, b, c] = triangle;
        let outward = [1.0, -1.0][side];
        let normal = (b - a).cross(c - a).normalize() * outward;
        let tangent = DVec3::X.reject_from_normalized(normal).normalize();
        let frame = DMat3::from_cols(tangent, normal.cross(tangent), normal);
        let uv = |p: DVec3| place + DVec2::new(p.x, p.y * outward);
        let first = self.corners.len() as u32;
        if let Some(facet) = Facet::triangle(triangle, triangle.map(uv), frame, first) {
            self.corners.extend(triangle.map(DVec3::truncate));
            self.facets[side].push(facet);
        }
    }
}
