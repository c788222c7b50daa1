//! What contacts of soft bodies need before a step.

use asperity_friction::pairing::Pairing;
use asperity_soft::SoftBody;
use asperity_soft::contact::{
    ContactError, ContactMesh, ContactStage, Detector, Topology, VertexFrames,
};
use glamx::DVec3;

use super::features::Features;
use super::obstacle::{RigidMotion, Solid};
use super::vertex_laws::{any_needs_load, any_resists};
use super::{Soft, SoftBodies};
use crate::body::Body;

impl SoftBodies {
    /// Everything that follows from which bodies there are; made again when that changes.
    pub(super) fn prepare(
        &mut self,
        bodies: &[Body],
        moving: &[RigidMotion],
        pairing: &Pairing,
    ) -> Result<(), ContactError> {
        if self.solids.len() != bodies.len() {
            self.solids = bodies.iter().map(|b| b.shape().and_then(Solid::new)).collect();
            self.features = Features::new(bodies);
            self.stage = None;
        }
        let mut count = 0;
        for soft in &mut self.list {
            soft.first = count;
            count += soft.body.positions.len();
        }
        let total = count + self.features.len();
        for list in [&mut self.positions, &mut self.velocities, &mut self.begin] {
            list.resize(total, DVec3::ZERO);
        }
        self.inverse_masses.resize(total, 0.0);
        self.materials.resize(total, 0);
        for soft in &self.list {
            let range = soft.range();
            self.positions[range.clone()].copy_from_slice(&soft.body.positions);
            self.begin[range.clone()].copy_from_slice(&soft.body.velocities);
            self.materials[range].fill(soft.surface);
        }
        for (k, corner) in self.features.placed(bodies, moving).enumerate() {
            let k = count + k;
            (self.positions[k], self.begin[k], self.materials[k]) = corner;
        }
        if self.stage.is_none() {
            self.keeps_loads = any_needs_load(pairing, &self.list);
            self.resist = any_resists(pairing, &self.list);
            self.stage = Some(self.make_stage(bodies, count)?);
        }
        Ok(())
    }

    fn make_stage(&self, bodies: &[Body], count: usize) -> Result<ContactStage, ContactError> {
        let shift = |soft: &Soft| -> Vec<[u32; 3]> {
            soft.body.triangles.iter().map(|t| t.map(|i| i + soft.first as u32)).collect()
        };
        let triangles: Vec<Vec<[u32; 3]>> = self.list.iter().map(shift).collect();
        let (edges, points) = self.features.shifted(count as u32);
        let mut meshes: Vec<ContactMesh> = Vec::new();
        for (soft, triangles) in self.list.iter().zip(&triangles) {
            let first = soft.first as u32;
            meshes.push(ContactMesh {
                vertices: first..first + soft.body.positions.len() as u32,
                triangles,
                edges: &[],
                points: &[],
                self_contact: soft.self_contact,
                rigid: false,
            });
        }
        for (k, range) in self.features.ranges().iter().enumerate() {
            meshes.push(ContactMesh {
                vertices: range.start + count as u32..range.end + count as u32,
                triangles: &[],
                edges: &edges[k],
                points: &points[k],
                self_contact: false,
                rigid: true,
            });
        }
        let total = self.positions.len();
        let groups: Vec<u32> =
            self.list.iter().map(|s| s.group).chain(self.features.groups(bodies)).collect();
        let mut rest = self.positions.clone();
        for soft in &self.list {
            rest[soft.first..soft.first + soft.rest.len()].copy_from_slice(&soft.rest);
        }
        let topology = Topology::new(total, &meshes)?.with_rest(&rest)?.with_groups(&groups)?;
        let thickness = self.list.iter().map(|s| s.thickness).fold(0.0, f64::max);
        let (mut uvs, mut uv_triangles) = (Vec::new(), Vec::new());
        for SoftBody { uvs: own, uv_triangles: corners, .. } in self.list.iter().map(|s| &s.body) {
            uv_triangles.extend(corners.iter().map(|t| t.map(|i| i + uvs.len() as u32)));
            uvs.extend_from_slice(own);
        }
        let frames = VertexFrames::with_seams(total, &triangles.concat(), &uvs, &uv_triangles)?;
        let mut stage = ContactStage::new(Detector::new(topology, thickness)?, frames);
        stage.options = self.options;
        stage.filter.passes = self.passes.max(1);
        Ok(stage)
    }
}
