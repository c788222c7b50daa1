//! Meshes as read, before they are checked.

use std::collections::HashMap;

use glamx::{DVec2, DVec3};

use super::{LoadedMesh, MAX_COORDINATE, MAX_TRIANGLES, MAX_VERTICES, normals, tangents};
use crate::asset::AssetError;

/// Name of the material of what has none.
pub(super) const DEFAULT_MATERIAL: &str = "default";

/// A vertex as read; what the file does not say is missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub(super) position: DVec3,
    pub(super) normal: Option<DVec3>,
    /// v growing upwards.
    pub(super) uv: Option<DVec2>,
    pub(super) tangent: Option<[f64; 4]>,
    /// Of any length; zero for none.
    pub(super) grain: Option<DVec3>,
    /// Its number among the vertices of the file.
    pub(super) source: usize,
}

/// A mesh as read, not yet checked.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) vertices: Vec<Vertex>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) triangle_material: Vec<u32>,
    pub(super) materials: Vec<String>,
    /// Vertices that the file has, used or not.
    pub(super) sources: usize,
    material_numbers: HashMap<String, u32>,
}

impl Draft {
    /// Number of the material of this name.
    pub(super) fn material(&mut self, name: &str) -> u32 {
        if let Some(number) = self.material_numbers.get(name) {
            return *number;
        }
        let number = self.materials.len() as u32;
        self.materials.push(name.to_owned());
        self.material_numbers.insert(name.to_owned(), number);
        number
    }

    /// Refuses to grow beyond [`MAX_VERTICES`] and [`MAX_TRIANGLES`].
    pub(super) fn check_size(&self, file: &str) -> Result<(), AssetError> {
        let check = |count: usize, most: usize, what: &str| {
            if count <= most {
                return Ok(());
            }
            Err(AssetError::content(file, format!("more than {most} {what}; expected fewer")))
        };
        check(self.vertices.len(), MAX_VERTICES, "vertices")?;
        check(self.triangles.len(), MAX_TRIANGLES, "triangles")
    }

    /// Checks everything, and computes what is missing.
    pub(super) fn complete(mut self, file: &str) -> Result<LoadedMesh, AssetError> {
        self.check_size(file)?;
        for (i, vertex) in self.vertices.iter().enumerate() {
            check_vertex(vertex)
                .map_err(|problem| AssetError::content(file, format!("vertex {i}: {problem}")))?;
        }
        self.check_triangles(file)?;
        normals::fill(&mut self.vertices, &self.triangles)
            .map_err(|problem| AssetError::content(file, problem))?;
        tangents::fill(&mut self.vertices, &mut self.triangles);

        let has_uvs = self.vertices.iter().any(|v| v.uv.is_some());
        let has_tangents = self.vertices.iter().any(|v| v.tangent.is_some());
        let has_grain = self.vertices.iter().any(|v| v.grain.is_some());
        let grain = |v: &Vertex| v.grain.and_then(normals::unit).unwrap_or_default();
        let grains: Vec<DVec3> = self.vertices.iter().filter(|_| has_grain).map(grain).collect();
        let uvs = self.vertices.iter().map(|v| v.uv.unwrap_or_default());
        let tangents = self.vertices.iter().map(|v| v.tangent.unwrap_or_default());
        Ok(LoadedMesh {
            positions: self.vertices.iter().map(|v| v.position).collect(),
            normals: self.vertices.iter().map(|v| v.normal.unwrap_or_default()).collect(),
            uvs: if has_uvs { uvs.collect() } else { Vec::new() },
            tangents: if has_tangents { tangents.collect() } else { Vec::new() },
            triangles: self.triangles,
            materials: self.materials,
            triangle_material: self.triangle_material,
            grains,
            sources: self.vertices.iter().map(|v| v.source).collect(),
            source_count: self.sources,
        })
    }

    /// Checks the indices, and leaves out triangles that repeat a vertex.
    fn check_triangles(&mut self, file: &str) -> Result<(), AssetError> {
        let count = self.vertices.len();
        for (i, triangle) in self.triangles.iter().enumerate() {
            if let Some(index) = triangle.iter().find(|index| **index as usize >= count) {
                let problem =
                    format!("triangle {i}: vertex {index} does not exist; expected one of {count}");
                return Err(AssetError::content(file, problem));
            }
        }
        (self.triangles, self.triangle_material) = self
            .triangles
            .iter()
            .zip(&self.triangle_material)
            .filter(|([a, b, c], _)| a != b && b != c && c != a)
            .unzip();
        if self.triangles.is_empty() {
            return Err(AssetError::content(file, "no triangles; expected at least one"));
        }
        Ok(())
    }
}

fn check_vertex(vertex: &Vertex) -> Result<(), String> {
    check("position", &vertex.position.to_array())?;
    check("normal", &vertex.normal.unwrap_or_default().to_array())?;
    check("texture coordinate", &vertex.uv.unwrap_or_default().to_array())?;
    check("tangent", &vertex.tangent.unwrap_or_default())?;
    check("grain", &vertex.grain.unwrap_or_default().to_array())?;
    match vertex.tangent {
        Some(t) if t[3].abs() != 1.0 => {
            Err(format!("the sign of the tangent is {}; expected 1 or -1", t[3]))
        }
        _ => Ok(()),
    }
}

fn check(what: &str, values: &[f64]) -> Result<(), String> {
    match values.iter().find(|x| !(x.abs() <= MAX_COORDINATE)) {
        None => Ok(()),
        Some(x) => Err(format!(
            "the {what} has a component {x}; expected finite numbers of at most {MAX_COORDINATE:e}"
        )),
    }
}

/// What two positions have in common exactly when they are the same point.
pub(super) fn point_key(position: DVec3) -> [u64; 3] {
    // Adding zero makes a positive zero of a negative one.
    position.to_array().map(|x| (x + 0.0).to_bits())
}
