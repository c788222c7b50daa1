//! Tetrahedra from Gmsh files.

use std::collections::BTreeMap;

use glamx::DVec3;

use super::TetMesh;
use super::lines::Words;
use crate::SoftError;

/// Reads the tetrahedra of a Gmsh file of version 4.0 or 4.1, ASCII. Other elements are passed
/// over; inverted tetrahedra are turned round; nodes of no tetrahedron are left out.
pub fn read_msh(text: &str) -> Result<TetMesh, SoftError> {
    let mut words = Words::new(text);
    words.find("$MeshFormat")?;
    let version = words.number("the file's version, such as 4.1")?;
    let modern = version >= 4.1;
    if !(4.0..5.0).contains(&version) {
        return Err(words.wrong(&version.to_string(), "version 4.0 or 4.1"));
    }
    if words.integer("0 for ASCII")? != 0 {
        return Err(words.wrong("a binary file", "an ASCII one (Mesh.Binary = 0)"));
    }
    let nodes = read_nodes(&mut words, modern)?;
    let mut mesh = read_tets(&mut words, modern, &nodes)?;
    mesh.orient();
    mesh.check()?;
    Ok(mesh)
}

/// Positions by tag.
fn read_nodes(words: &mut Words, modern: bool) -> Result<BTreeMap<u64, DVec3>, SoftError> {
    words.find("$Nodes")?;
    let blocks = words.integer("the number of node blocks")?;
    words.integer("the number of nodes")?;
    if modern {
        words.integer("the smallest node tag")?;
        words.integer("the largest node tag")?;
    }
    let mut nodes: BTreeMap<u64, DVec3> = BTreeMap::new();
    for _ in 0..blocks {
        words.integer("an entity's dimension")?;
        words.integer("an entity's tag")?;
        let parametric = words.integer("0 or 1 for parametric nodes")? != 0;
        let count = words.integer("the number of nodes of a block")?;
        if parametric {
            return Err(words.wrong("parametric nodes", "nodes with x, y and z only"));
        }
        if modern {
            let tags: Result<Vec<u64>, _> =
                (0..count).map(|_| words.integer("a node tag")).collect();
            for tag in tags? {
                nodes.insert(tag, words.vector()?);
            }
        } else {
            for _ in 0..count {
                let tag = words.integer("a node tag")?;
                nodes.insert(tag, words.vector()?);
            }
        }
    }
    Ok(nodes)
}

fn read_tets(
    words: &mut Words,
    modern: bool,
    nodes: &BTreeMap<u64, DVec3>,
) -> Result<TetMesh, SoftError> {
    words.find("$Elements")?;
    let blocks = words.integer("the number of element blocks")?;
    words.integer("the number of elements")?;
    if modern {
        words.integer("the smallest element tag")?;
        words.integer("the largest element tag")?;
    }
    let mut mesh = TetMesh::default();
    let mut index: BTreeMap<u64, u32> = BTreeMap::new();
    for _ in 0..blocks {
        words.integer("an entity's dimension")?;
        words.integer("an entity's tag")?;
        let kind = words.integer("an element type")?;
        let count = words.integer("the number of elements of a block")?;
        words.next_line();
        for passed in 0..count {
            // 4 is the tetrahedron of four nodes.
            if kind == 4 {
                words.integer("an element's tag")?;
                let mut tet = [0; 4];
                for corner in &mut tet {
                    let tag = words.integer("a node of a tetrahedron")?;
                    let Some(position) = nodes.get(&tag) else {
                        return Err(words.wrong(&format!("node {tag}"), "a node of the file"));
                    };
                    *corner = *index.entry(tag).or_insert_with(|| {
                        mesh.positions.push(*position);
                        mesh.positions.len() as u32 - 1
                    });
                }
                mesh.tets.push(tet);
            } else if !words.next_line() && passed + 1 < count {
                return Err(words.wrong("the end of the file", "as many elements as were said"));
            }
        }
    }
    if mesh.tets.is_empty() {
        return Err(words.wrong("no tetrahedra", "elements of type 4"));
    }
    Ok(mesh)
}
