//! Compute shaders for a number of directions.

use std::cell::OnceCell;

use asperity_friction::surface::patch::Directions;

use crate::compute::Layout;

/// The kernels for one number of directions.
#[derive(Debug)]
pub(super) struct Kernels {
    /// By kind; those that were needed so far.
    pipelines: [OnceCell<wgpu::ComputePipeline>; 3],
    constants: String,
    /// The circle, in bins.
    pub(super) bins: wgpu::Buffer,
    /// Patches, or pieces of them, of a workgroup.
    pub(super) patches: u32,
}

/// What a dispatch does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kernel {
    /// Patches of two flat faces.
    Flat,
    /// Patches of any kind.
    Facets,
    /// Adds up pieces.
    Combine,
}

/// Memory of a workgroup that every adapter has.
const WORKGROUP_BYTES: usize = 16384;
/// Threads of a patch: more have more sums to add up.
const THREADS: usize = 32;
/// Most patches of a workgroup. Adapters run a limited number of workgroups at a time, so that
/// workgroups of one patch would leave some of their threads unused.
const MOST_PATCHES: usize = 2;

impl Kernels {
    pub(super) fn new(device: &wgpu::Device, directions: &Directions) -> Kernels {
        let sectors = directions.sectors();
        let (lanes, patches) = shape(sectors);
        // Lanes look at blocks of texels, nearly square ones.
        let block_x = 1 << lanes.ilog2().div_ceil(2);
        let constants = format!(
            "const COUNT = {}u;\nconst SECTORS = {sectors}u;\nconst THREADS = {THREADS}u;\n\
             const LANES = {lanes}u;\nconst PATCHES = {patches}u;\n\
             const BLOCK_X = {block_x}u;\nconst BLOCK_Y = {}u;\n",
            directions.count(),
            lanes / block_x
        );
        let bins: Vec<[u32; 2]> =
            directions.bins().map(|(sector, next)| [(next as f32).to_bits(), sector]).collect();
        let bins = wgpu::util::BufferInitDescriptor {
            label: Some("sectors"),
            contents: bytemuck::cast_slice(&bins),
            usage: wgpu::BufferUsages::STORAGE,
        };
        Kernels {
            pipelines: Default::default(),
            constants,
            bins: wgpu::util::DeviceExt::create_buffer_init(device, &bins),
            patches: patches as u32,
        }
    }

    /// A kernel, compiled when it is first needed.
    pub(super) fn get(
        &self,
        device: &wgpu::Device,
        layout: &Layout,
        kernel: Kernel,
    ) -> &wgpu::ComputePipeline {
        let (text, entry) = match kernel {
            Kernel::Flat => (include_str!("flat.wgsl"), "sample_flat"),
            Kernel::Facets => (include_str!("facets.wgsl"), "sample_facets"),
            Kernel::Combine => (include_str!("combine.wgsl"), "combine"),
        };
        self.pipelines[kernel as usize].get_or_init(|| {
            let source = format!("{}{}{text}", self.constants, include_str!("common.wgsl"));
            layout.pipeline(device, source, entry)
        })
    }
}

/// Threads of a patch that have sums of their own, one for each sector, and patches of a workgroup.
fn shape(sectors: usize) -> (usize, usize) {
    let mut lanes = THREADS;
    while lanes > 1 && bytes(sectors, lanes, 1) > WORKGROUP_BYTES {
        lanes /= 2;
    }
    let many = bytes(sectors, lanes, MOST_PATCHES) <= WORKGROUP_BYTES;
    (lanes, if many { MOST_PATCHES } else { 1 })
}

/// Memory of a workgroup: sums, and a count for each thread.
fn bytes(sectors: usize, lanes: usize, patches: usize) -> usize {
    (8 * sectors * lanes + 4 * THREADS) * patches
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::surface::patch::MAX_DIRECTIONS;

    #[test]
    fn every_number_of_directions_fits_into_a_workgroup() {
        for count in 2..=MAX_DIRECTIONS {
            let sectors = Directions::new(count).unwrap().sectors();
            let (lanes, patches) = shape(sectors);
            assert!(bytes(sectors, lanes, patches) <= WORKGROUP_BYTES, "{count} directions");
        }
        assert_eq!(shape(16), (32, 2));
        assert_eq!(shape(718), (2, 1));
    }
}
