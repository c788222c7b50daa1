//! A cloth or soft solid: vertices, masses and elements.

use glamx::{DVec2, DVec3};
use thiserror::Error;

use crate::cloth::{
    BendingPatch, BendingPatchState, Hinge, HingeState, Membrane, MembraneState, Weave,
    bending_patches, hinges,
};
use crate::error::field;
use crate::linear_solve::Linear;
use crate::mesh::planar_uvs;
use crate::solid::{Tet, TetState};
use crate::step::Scratch;
use crate::system::BlockMatrix;
use crate::{Fabric, Shell, SoftError, SolidMaterial, StepOptions, SurfaceMesh, TetMesh};

/// A cloth or a soft solid: vertices with masses, and the elements between them.
///
/// The fields can be changed at any time; sizes must stay as they are.
#[derive(Debug, Clone)]
pub struct SoftBody {
    /// Where the vertices are, m.
    pub positions: Vec<DVec3>,
    /// How fast they move, m/s.
    pub velocities: Vec<DVec3>,
    /// Lumped masses, kg.
    pub masses: Vec<f64>,
    /// The surface: all of a cloth's triangles, the outside of a solid.
    pub triangles: Vec<[u32; 3]>,
    /// Coordinates on the surface, m: warp and weft of a cloth.
    pub uvs: Vec<DVec2>,
    /// Which of the uvs the corners of each triangle have: its vertices, but for sewn cloth, where
    /// a vertex has one on either side of a seam.
    pub uv_triangles: Vec<[u32; 3]>,
    /// Vertices that nothing moves: they keep the velocity they are given.
    pub pinned: Vec<bool>,
    /// How a step is computed.
    pub options: StepOptions,
    pub(crate) elements: Elements,
    pub(crate) matrix: BlockMatrix,
    pub(crate) linear: Linear,
    pub(crate) scratch: Scratch,
    pub(crate) stopped: Option<Trouble>,
    /// Normal impulse of an obstacle on each vertex in the last step, N s.
    pub(crate) loads: Vec<f64>,
    /// The same of edges and corners of rigid shapes, by the vertices of the contact.
    pub(crate) feature_loads: Vec<([u32; 4], f64)>,
    /// Whether vertices touched or let go in the last round of contacts.
    pub(crate) changed: bool,
    /// Whether they did in any round of this step, or of the last one when a step begins.
    pub(crate) restless: bool,
    /// Work of what holds pinned vertices in the last step, joules; of contacts at them, too.
    pub(crate) work_at_pins: f64,
    defects: Defects,
    messages: Vec<String>,
    thickness: f64,
}

/// What is wrong with a mesh but does not keep it from being used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Defects {
    /// Elements without area or volume at rest. They have neither mass nor stiffness.
    pub flat: Vec<u32>,
    /// Tetrahedra that were given inside out. They were turned round.
    pub inverted: usize,
    /// Edges of more than two triangles. They do not resist bending.
    pub branching: Vec<[u32; 2]>,
    /// Vertices of no element with mass. They are pinned.
    pub loose: Vec<u32>,
    /// Pairs of vertices at the same place that no triangle joins: seams that are not sewn.
    pub coincident: Vec<[u32; 2]>,
}

impl Defects {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Defects::default()
    }
}

/// Why a body was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{field}[{vertex}] is {value}: not finite")]
pub struct Trouble {
    /// The first vertex concerned.
    pub vertex: usize,
    /// What about it: positions, velocities, forces, masses or step.
    pub field: &'static str,
    /// The value found.
    pub value: DVec3,
}

/// The elements and what they are made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elements {
    pub(crate) weave: Option<Weave>,
    pub(crate) membranes: Vec<Membrane>,
    pub(crate) membrane_states: Vec<MembraneState>,
    pub(crate) hinges: Vec<Hinge>,
    pub(crate) hinge_states: Vec<HingeState>,
    pub(crate) patches: Vec<BendingPatch>,
    pub(crate) patch_states: Vec<BendingPatchState>,
    pub(crate) material: Option<SolidMaterial>,
    pub(crate) tets: Vec<Tet>,
    pub(crate) tet_states: Vec<TetState>,
}

impl SoftBody {
    /// A cloth. Its rest shape is flat, as the mesh's uvs say.
    pub fn cloth(mesh: &SurfaceMesh, fabric: &Fabric) -> Result<SoftBody, SoftError> {
        mesh.check()?;
        fabric.check()?;
        let mut masses = vec![0.0; mesh.positions.len()];
        let mut defects = Defects::default();
        let mut membranes = Vec::with_capacity(mesh.triangles.len());
        for (k, t) in mesh.triangles.iter().enumerate() {
            let Some(m) = Membrane::new(*t, mesh.flat(k)) else {
                defects.flat.push(k as u32);
                continue;
            };
            for i in t {
                masses[*i as usize] += m.area * fabric.areal_density / 3.0;
            }
            membranes.push(m);
        }
        if membranes.is_empty() {
            return Err(field("triangles", "none with area in the flat cloth", "at least one"));
        }
        let (mut folds, mut bends) = (Vec::new(), Vec::new());
        match fabric.shell {
            Shell::Hinges => (folds, defects.branching) = hinges(mesh, fabric.bending),
            Shell::Patches => (bends, defects.branching) = bending_patches(mesh, fabric.bending),
        }
        let elements = Elements {
            weave: Some(Weave::new(fabric)),
            membrane_states: vec![MembraneState::default(); membranes.len()],
            hinge_states: vec![HingeState::default(); folds.len()],
            patch_states: vec![BendingPatchState::default(); bends.len()],
            membranes,
            hinges: folds,
            patches: bends,
            ..Elements::default()
        };
        let mut body = SoftBody::new(mesh.positions.clone(), masses, elements, defects);
        body.triangles.clone_from(&mesh.triangles);
        body.uvs.clone_from(&mesh.uvs);
        body.uv_triangles = mesh.uv_corners().to_vec();
        body.thickness = fabric.thickness;
        body.find_coincident();
        Ok(body)
    }

    /// A soft solid. The positions are its rest shape; uvs are made by [`planar_uvs`], which a
    /// message says.
    pub fn solid(mesh: &TetMesh, material: &SolidMaterial) -> Result<SoftBody, SoftError> {
        mesh.check()?;
        material.check()?;
        let mut mesh = mesh.clone();
        let mut defects = Defects { inverted: mesh.orient(), ..Defects::default() };
        let mut masses = vec![0.0; mesh.positions.len()];
        let mut tets = Vec::with_capacity(mesh.tets.len());
        for (k, t) in mesh.tets.iter().enumerate() {
            let Some(tet) = Tet::new(*t, t.map(|i| mesh.positions[i as usize])) else {
                defects.flat.push(k as u32);
                continue;
            };
            for i in t {
                masses[*i as usize] += tet.volume * material.density / 4.0;
            }
            tets.push(tet);
        }
        if tets.is_empty() {
            return Err(field("tets", "none with volume", "at least one"));
        }
        let elements = Elements {
            material: Some(*material),
            tet_states: vec![TetState::default(); tets.len()],
            tets,
            ..Elements::default()
        };
        let triangles = mesh.surface();
        let (uvs, message) = planar_uvs(&mesh.positions);
        let mut body = SoftBody::new(mesh.positions, masses, elements, defects);
        body.uv_triangles.clone_from(&triangles);
        body.triangles = triangles;
        body.uvs = uvs;
        body.messages.push(message);
        body.find_coincident();
        Ok(body)
    }

    fn new(
        positions: Vec<DVec3>,
        masses: Vec<f64>,
        elements: Elements,
        mut defects: Defects,
    ) -> SoftBody {
        let n = positions.len();
        defects.loose = (0..n as u32).filter(|i| !(masses[*i as usize] > 0.0)).collect();
        let mut members = (elements.membranes.iter().map(|m| m.vertices.as_slice()))
            .chain(elements.hinges.iter().map(|m| m.vertices.as_slice()))
            .chain(elements.patches.iter().map(BendingPatch::members))
            .chain(elements.tets.iter().map(|m| m.vertices.as_slice()));
        let matrix = BlockMatrix::new(n, &mut members);
        let scratch = Scratch::new(&elements, &matrix);
        SoftBody {
            velocities: vec![DVec3::ZERO; n],
            pinned: masses.iter().map(|m| !(*m > 0.0)).collect(),
            positions,
            masses,
            triangles: Vec::new(),
            uvs: Vec::new(),
            uv_triangles: Vec::new(),
            options: StepOptions::default(),
            elements,
            linear: Linear::new(n),
            matrix,
            scratch,
            stopped: None,
            loads: vec![0.0; n],
            feature_loads: Vec::new(),
            changed: false,
            restless: false,
            work_at_pins: 0.0,
            defects,
            messages: Vec::new(),
            thickness: 0.0,
        }
    }

    /// What is wrong with the mesh.
    pub fn defects(&self) -> &Defects {
        &self.defects
    }

    /// What the user should know about how the body was made.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Why the body was stopped, if it was. A stopped body no longer moves.
    pub fn stopped(&self) -> Option<&Trouble> {
        self.stopped.as_ref()
    }

    /// Thickness for contacts, m: the fabric's; zero for a solid.
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Whether it is a cloth.
    pub fn is_cloth(&self) -> bool {
        self.elements.weave.is_some()
    }

    /// One over the mass of each vertex; zero where it is pinned.
    pub fn inverse_masses(&self) -> Vec<f64> {
        let inverse = |(m, pinned): (&f64, &bool)| if *pinned { 0.0 } else { 1.0 / m };
        self.masses.iter().zip(&self.pinned).map(inverse).collect()
    }

    /// Mass of all vertices, kg.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Centre of mass, m.
    pub fn centre(&self) -> DVec3 {
        self.weighted(&self.positions) / self.mass()
    }

    /// Linear momentum, kg·m/s.
    pub fn momentum(&self) -> DVec3 {
        self.weighted(&self.velocities)
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self) -> f64 {
        let twice = |(m, v): (&f64, &DVec3)| m * v.length_squared();
        0.5 * self.masses.iter().zip(&self.velocities).map(twice).sum::<f64>()
    }

    /// Elastic energy, J.
    pub fn energy(&self) -> f64 {
        self.energy_at(&self.positions)
    }

    /// Elastic energy at other positions, J.
    pub fn energy_at(&self, x: &[DVec3]) -> f64 {
        let e = &self.elements;
        let mut sum = 0.0;
        if let Some(weave) = &e.weave {
            sum += e.membranes.iter().map(|m| m.energy(x, weave)).sum::<f64>();
        }
        sum += e.hinges.iter().map(|h| h.energy(x)).sum::<f64>();
        sum += e.patches.iter().map(|p| p.energy(x)).sum::<f64>();
        if let Some(material) = &e.material {
            sum += e.tets.iter().map(|t| t.energy(x, material)).sum::<f64>();
        }
        sum
    }

    fn weighted(&self, list: &[DVec3]) -> DVec3 {
        self.masses.iter().zip(list).map(|(m, v)| *v * *m).sum()
    }

    /// Vertices of the surface at the same place, neighbours in the order of their positions.
    fn find_coincident(&mut self) {
        let mut used = vec![false; self.positions.len()];
        for i in self.triangles.iter().flatten() {
            used[*i as usize] = true;
        }
        let mut order: Vec<u32> =
            (0..self.positions.len() as u32).filter(|i| used[*i as usize]).collect();
        let key = |i: u32| self.positions[i as usize].to_array();
        order.sort_by(|a, b| key(*a).partial_cmp(&key(*b)).unwrap_or(a.cmp(b)));
        let pairs = order.windows(2).filter(|w| key(w[0]) == key(w[1])).map(|w| [w[0], w[1]]);
        self.defects.coincident = pairs.collect();
    }
}
