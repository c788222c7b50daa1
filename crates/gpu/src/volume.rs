//! Volumes that closed meshes share, by rays (Bouchard et al. 2015, section 4.1), by compute shaders.
//!
//! One thread takes a ray: it goes through the trees of both meshes, sorts the places where it
//! crosses their surfaces and adds up the pieces inside both. Workgroups add up their threads, and a
//! second kernel adds up workgroups: 16 numbers for each pair come back.
//!
//! Which triangles a ray crosses is decided with whole numbers, exactly, with corners rounded to a
//! grid: no ray slips through an edge. Places are relative to the middle of the region that both may
//! share, so that single precision errs by 1e-7 of what is near that region.

mod batch;
mod pair;
mod run;
mod tree;

use glamx::{DMat3, DPose3, DVec3};
use rayon::prelude::*;

use crate::RenderError;
use crate::compute;
use crate::device::{self, Gpu};
use batch::Batch;
use pair::Placed;
use run::Kernels;
use tree::Tree;

/// Four numbers, as kernels read them.
type Row = [u32; 4];

/// Rays across the longest side, at most.
pub const MAX_RAYS: usize = 4096;

/// A closed mesh, triangles counter-clockwise seen from outside. Body axes, metres.
#[derive(Debug, Clone, Copy)]
pub struct RayMesh<'a> {
    /// Corners.
    pub positions: &'a [DVec3],
    /// Triangles by corners.
    pub triangles: &'a [[u32; 3]],
}

/// Two of the meshes, and where they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayPair {
    /// Mesh of body A.
    pub a: usize,
    /// Mesh of body B.
    pub b: usize,
    /// From the axes of B to those of A.
    pub b_in_a: DPose3,
    /// Rays across the longest side of the region that both may share, 2 to [`MAX_RAYS`].
    pub rays: usize,
}

/// What the rays of a pair found, in the axes of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayMoments {
    /// m³ (Eq. 14). Where a surface meets itself, ∫ w_A w_B dV with winding numbers w.
    pub volume: f64,
    /// Metres (Eq. 15, with its 1/V).
    pub centroid: DVec3,
    /// ∫ (x−c)(x−c)ᵀ dV about the centroid, m⁵ (Eq. 16).
    pub second_moment: DMat3,
    /// Change of the volume with a translation of B, m².
    pub gradient_linear: DVec3,
    /// Change of the volume with a rotation of B about the centroid, m³.
    pub gradient_angular: DVec3,
}

/// Finds shared volumes on an adapter, in single precision.
#[derive(Debug)]
pub struct VolumeRays {
    gpu: Gpu,
    kernels: Kernels,
    batch_bytes: u64,
    submissions: usize,
}

impl VolumeRays {
    /// On the best adapter there is, through Vulkan or else OpenGL.
    pub fn new() -> Result<VolumeRays, RenderError> {
        compute::best(VolumeRays::on, "cast rays")
    }

    /// On an adapter through Vulkan.
    pub fn vulkan() -> Result<VolumeRays, RenderError> {
        VolumeRays::on(wgpu::Backends::VULKAN)
    }

    /// On an adapter through OpenGL.
    pub fn gl() -> Result<VolumeRays, RenderError> {
        VolumeRays::on(wgpu::Backends::GL)
    }

    fn on(backends: wgpu::Backends) -> Result<VolumeRays, RenderError> {
        let gpu = Gpu::new(backends, |adapter| device::compute(adapter, "cast rays"))?;
        let kernels = gpu.watched(|| Ok(Kernels::new(&gpu.device)))?;
        let batch_bytes = compute::batch_bytes(&gpu);
        Ok(VolumeRays { gpu, kernels, batch_bytes, submissions: 0 })
    }

    /// What each pair shares: all overlaps of a pair as one. `None` where no ray finds anything.
    ///
    /// # Errors
    ///
    /// Names the mesh or the pair that is wrong: open or empty meshes, numbers that are not finite,
    /// too many rays, and meshes larger than the adapter's memory.
    pub fn overlaps(
        &mut self,
        meshes: &[RayMesh],
        pairs: &[RayPair],
    ) -> Result<Vec<Option<RayMoments>>, RenderError> {
        self.submissions = 0;
        for (number, pair) in pairs.iter().enumerate() {
            check(number, pair, meshes.len())?;
        }
        let tree = |(number, mesh): (usize, &RayMesh)| Tree::new(mesh, &format!("mesh {number}"));
        let trees: Vec<Result<Tree, RenderError>> =
            meshes.par_iter().enumerate().map(tree).collect();
        let trees = trees.into_iter().collect::<Result<Vec<Tree>, RenderError>>()?;
        let place = |pair: &RayPair| Placed::new(pair, &trees[pair.a], &trees[pair.b]);
        let placed: Vec<Option<Placed>> = pairs.par_iter().map(place).collect();
        let mut found = vec![None; pairs.len()];
        let mut batch = Batch::new(&trees, self.batch_bytes);
        let mut next = 0;
        while next < pairs.len() {
            next = batch.fill(next, pairs, &placed)?;
            if !batch.pairs.is_empty() {
                self.submissions += self.kernels.run(&self.gpu, &batch, |number, sums| {
                    found[number] = placed[number].as_ref().and_then(|placed| placed.moments(sums));
                })?;
            }
        }
        Ok(found)
    }

    /// What computes, in words.
    pub fn name(&self) -> &str {
        &self.gpu.name
    }

    /// Whether the adapter is a program on the processor.
    pub fn is_software(&self) -> bool {
        self.gpu.is_software
    }

    /// How many submissions the last call took: one, unless buffers would have been too large or
    /// the adapter busy for too long.
    pub fn submissions(&self) -> usize {
        self.submissions
    }

    /// Lets buffers have at most so many bytes each.
    pub fn limit_batches(&mut self, bytes: u64) {
        self.batch_bytes = self.batch_bytes.min(bytes);
    }
}

fn check(number: usize, pair: &RayPair, meshes: usize) -> Result<(), RenderError> {
    let wrong = |what: String| Err(RenderError::Input(format!("pair {number}: {what}")));
    for (name, mesh) in [("a", pair.a), ("b", pair.b)] {
        if mesh >= meshes {
            return wrong(format!("{name} is {mesh}; expected one of the {meshes} meshes"));
        }
    }
    if !pair.b_in_a.is_finite() {
        return wrong("b_in_a has numbers that are not finite".to_owned());
    }
    let length = pair.b_in_a.rotation.length();
    if !((length - 1.0).abs() < 1e-6) {
        return wrong(format!("the quaternion of b_in_a has the length {length}; expected 1"));
    }
    if !(2..=MAX_RAYS).contains(&pair.rays) {
        return wrong(format!("rays is {}; expected 2 to {MAX_RAYS}", pair.rays));
    }
    Ok(())
}
