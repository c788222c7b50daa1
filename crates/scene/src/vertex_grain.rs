//! `vertices` of a structure: one direction for each vertex of a body.

use std::collections::HashMap;
use std::sync::Arc;

use glamx::DVec3;

use super::assets::{self, Assets};
use super::reader::Fields;
use super::shape;
use crate::asset::directions::{self, Vertices};
use crate::asset::mesh::LoadedMesh;
use asperity::geometry::structure::StructureField;

/// What reads the directions of vertices from the table of a structure.
pub(crate) type OfVertices<'a> = &'a dyn Fn(&Fields) -> Option<StructureField>;

/// In place of a file: the directions that the body's own mesh file brings along.
const OWN: &str = "mesh";

/// A material has no vertices.
pub(crate) fn of_material(structure: &Fields) -> Option<StructureField> {
    let message = format!(
        "\"vertices\" in {} is for a body with a mesh of its own; say it there",
        structure.label
    );
    structure.refuse("vertices", message)
}

/// Of a rigid body.
pub(crate) fn of_rigid(
    structure: &Fields,
    body: &Fields,
    assets: &dyn Assets,
) -> Option<StructureField> {
    let table = body.table("shape").filter(|table| table.has("mesh"));
    let Some(table) = table else {
        let message = format!("\"vertices\" in {} needs a shape that is a mesh", structure.label);
        return structure.refuse("vertices", message);
    };
    let mesh = assets::mesh(&table.node("mesh")?, assets)?;
    let scale = shape::scale(&table)?;
    let scaled = |d: DVec3| (d * scale).normalize_or_zero();
    let found = of_mesh(structure, &mesh, assets)?.into_iter().map(scaled).collect();
    Some(StructureField::PerVertex(Arc::new(found)))
}

/// Of cloth or a soft solid, whose vertices are at these places in body axes; of a solid those that are not on its
/// surface have none.
pub(crate) fn of_soft(
    structure: &Fields,
    body: &Fields,
    (rest, triangles): (&[DVec3], &[[u32; 3]]),
    assets: &dyn Assets,
) -> Option<StructureField> {
    let cloth = body.table("cloth").filter(|table| table.has("file"));
    let found = if let Some(cloth) = cloth {
        let mesh = assets::mesh(&cloth.node("file")?, assets)?;
        let directions = of_mesh(structure, &mesh, assets)?;
        sewn(structure, &mesh, &directions, rest)?
    } else {
        if structure.text("vertices") == Some(OWN) {
            let message = format!(
                "\"vertices\" in {}: there is no mesh file that could bring a grain; name a file with directions",
                structure.label
            );
            return structure.refuse("vertices", message);
        }
        let mut is_outside = vec![false; rest.len()];
        for v in triangles.iter().flatten() {
            is_outside[*v as usize] = true;
        }
        let outside: Vec<usize> = (0..rest.len()).filter(|v| is_outside[*v]).collect();
        let positions: Vec<DVec3> = outside.iter().map(|v| rest[*v]).collect();
        let vertices = Vertices { positions: &positions, order: None };
        let mut all = vec![DVec3::ZERO; rest.len()];
        for (v, direction) in outside.into_iter().zip(beside(structure, &vertices, assets)?) {
            all[v] = direction;
        }
        all
    };
    Some(StructureField::PerVertex(Arc::new(found)))
}

/// A direction for each vertex of a mesh, unit length or zero, in the axes of its file.
fn of_mesh(structure: &Fields, mesh: &LoadedMesh, assets: &dyn Assets) -> Option<Vec<DVec3>> {
    let found = if structure.text("vertices")? == OWN {
        if mesh.grains.is_empty() {
            let message = format!(
                "\"vertices\" in {}: the mesh brings no grain; expected the attribute _GRAIN of a glTF, or gx, gy and gz of a PLY",
                structure.label
            );
            return structure.refuse("vertices", message);
        }
        mesh.grains.clone()
    } else {
        let order = Some((&mesh.sources[..], mesh.source_count));
        beside(structure, &Vertices { positions: &mesh.positions, order }, assets)?
    };
    if found.iter().all(|d| *d == DVec3::ZERO) {
        let message = format!(
            "\"vertices\" in {}: no vertex has a grain; expected at least one direction",
            structure.label
        );
        return structure.refuse("vertices", message);
    }
    let along = along_normals(mesh, &found);
    if along > 0 {
        let message = format!(
            "\"vertices\" in {}: {along} of {} vertices have their grain along the normal, which is no grain",
            structure.label,
            found.len()
        );
        structure.log.warn(structure.place("vertices"), message);
    }
    Some(found)
}

/// Directions from the file that a structure names, unit length or zero.
fn beside(structure: &Fields, vertices: &Vertices, assets: &dyn Assets) -> Option<Vec<DVec3>> {
    let node = structure.node("vertices")?;
    let path = node.text()?;
    let text = assets::text(&node, assets)?;
    let read = directions::parse(path, &text).and_then(|read| read.of(path, vertices));
    let read = read.map_err(|e| node.complain(format!("{}: {e}", node.what))).ok()?;
    Some(read.into_iter().map(DVec3::normalize_or_zero).collect())
}

/// How many vertices have a grain that is along the normals of all faces around them, to 1e-6 rad.
fn along_normals(mesh: &LoadedMesh, directions: &[DVec3]) -> usize {
    let mut lies = vec![false; directions.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = corners.map(|v| mesh.positions[v as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for v in corners.map(|v| v as usize) {
            lies[v] |= directions[v].cross(normal).length() > 1e-6 || normal == DVec3::ZERO;
        }
    }
    let mut is_used = vec![false; directions.len()];
    for v in mesh.triangles.iter().flatten() {
        is_used[*v as usize] = true;
    }
    let along = |v: &usize| is_used[*v] && !lies[*v] && directions[*v] != DVec3::ZERO;
    (0..directions.len()).filter(along).count()
}

/// Directions of cloth whose vertices at the same place have become one; they must agree.
fn sewn(
    structure: &Fields,
    mesh: &LoadedMesh,
    directions: &[DVec3],
    rest: &[DVec3],
) -> Option<Vec<DVec3>> {
    // Adding zero makes a positive zero of a negative one.
    let key = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut known: HashMap<[u64; 3], DVec3> = HashMap::new();
    for (p, d) in mesh.positions.iter().zip(directions) {
        let first = *known.entry(key(*p)).or_insert(*d);
        if first.cross(*d).length() > 1e-6 || (first == DVec3::ZERO) != (*d == DVec3::ZERO) {
            let message = format!(
                "\"vertices\" in {}: vertices at {p} are sewn together and have different grains; expected the same",
                structure.label
            );
            return structure.refuse("vertices", message);
        }
    }
    rest.iter().map(|p| known.get(&key(*p)).copied()).collect()
}
