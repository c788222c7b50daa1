//! Tetrahedra from VTK files.

use glamx::DVec3;

use super::TetMesh;
use super::lines::Words;
use crate::SoftError;

/// Reads the tetrahedra of a legacy VTK file: an unstructured grid in ASCII, with cells as
/// versions up to 4.2 write them (`CELLS n size`). Cells of other types are passed over; inverted
/// tetrahedra are turned round; points of no tetrahedron are left out.
pub fn read_vtk(text: &str) -> Result<TetMesh, SoftError> {
    let mut words = Words::new(text);
    if !text.starts_with("# vtk DataFile Version") {
        return Err(words.wrong("no VTK header", "\"# vtk DataFile Version 3.0\" or alike"));
    }
    words.next_line();
    words.next_line();
    let coding = words.next_word("ASCII")?;
    if coding != "ASCII" {
        return Err(words.wrong(&format!("\"{coding}\""), "ASCII"));
    }
    if words.next_word("DATASET")? != "DATASET"
        || words.next_word("UNSTRUCTURED_GRID")? != "UNSTRUCTURED_GRID"
    {
        return Err(words.wrong("another dataset", "DATASET UNSTRUCTURED_GRID"));
    }
    let mut points = Vec::new();
    let mut cells: Vec<Vec<u64>> = Vec::new();
    let mut types = Vec::new();
    while types.is_empty() {
        match words.next_word("POINTS, CELLS and CELL_TYPES")? {
            "POINTS" => {
                let count = words.integer("the number of points")?;
                words.next_word("a type, such as double")?;
                for _ in 0..count {
                    points.push(words.vector()?);
                }
            }
            "CELLS" => {
                let count = words.integer("the number of cells")?;
                words.integer("the number of integers of all cells")?;
                for _ in 0..count {
                    let size =
                        words.integer("the number of points of a cell, as in version 4.2")?;
                    let cell: Result<_, _> = (0..size).map(|_| words.integer("a point")).collect();
                    cells.push(cell?);
                }
            }
            "CELL_TYPES" => {
                let count = words.integer("the number of cells")?;
                if count as usize != cells.len() || count == 0 {
                    let expected = format!("{}, as many as CELLS before it, not 0", cells.len());
                    return Err(words.wrong(&count.to_string(), &expected));
                }
                for _ in 0..count {
                    types.push(words.integer("a cell type")?);
                }
            }
            other => {
                let found = format!("\"{other}\"");
                return Err(words.wrong(&found, "POINTS, CELLS or CELL_TYPES"));
            }
        }
    }
    let mut mesh = tetrahedra(&words, &points, &cells, &types)?;
    mesh.orient();
    mesh.check()?;
    Ok(mesh)
}

/// The tetrahedra among the cells, and the points that they have.
fn tetrahedra(
    words: &Words,
    points: &[DVec3],
    cells: &[Vec<u64>],
    types: &[u64],
) -> Result<TetMesh, SoftError> {
    let mut mesh = TetMesh::default();
    let mut index = vec![u32::MAX; points.len()];
    // 10 is VTK_TETRA.
    for cell in cells.iter().zip(types).filter(|(_, kind)| **kind == 10).map(|(cell, _)| cell) {
        let &[a, b, c, d] = cell.as_slice() else {
            return Err(words.wrong(&format!("a tetrahedron of {} points", cell.len()), "four"));
        };
        let mut tet = [0; 4];
        for (corner, tag) in tet.iter_mut().zip([a, b, c, d]) {
            let Some(slot) = index.get_mut(tag as usize) else {
                let expected = format!("less than {}", points.len());
                return Err(words.wrong(&format!("point {tag}"), &expected));
            };
            if *slot == u32::MAX {
                *slot = mesh.positions.len() as u32;
                mesh.positions.push(points[tag as usize]);
            }
            *corner = *slot;
        }
        mesh.tets.push(tet);
    }
    if mesh.tets.is_empty() {
        return Err(words.wrong("no tetrahedra", "cells of type 10"));
    }
    Ok(mesh)
}
