//! Meshes of a glTF document where its nodes put them.

use ::gltf::scene::Transform;
use ::gltf::{Document, Mesh, Node};
use glamx::{DAffine3, DMat4, DQuat, DVec3};

/// A mesh where a node puts it.
pub(super) struct Placed<'a> {
    pub(super) mesh: Mesh<'a>,
    /// World coordinates from those of the mesh.
    pub(super) transform: DAffine3,
}

/// All meshes of the default scene, or of the first, or of all root nodes if there is no scene;
/// in the order of the nodes, parents first.
pub(super) fn placed_meshes(document: &Document) -> Result<Vec<Placed<'_>>, String> {
    let mut placed = Vec::new();
    let mut is_visited = vec![false; document.nodes().len()];
    let mut open: Vec<(Node, DAffine3)> =
        roots(document).into_iter().map(|node| (node, DAffine3::IDENTITY)).collect();
    open.reverse();
    while let Some((node, parent)) = open.pop() {
        let number = node.index();
        if std::mem::replace(&mut is_visited[number], true) {
            return Err(format!("nodes[{number}] is reached twice; expected a tree"));
        }
        let local = local(&node).map_err(|problem| format!("nodes[{number}]: {problem}"))?;
        let transform = parent * local;
        if !transform.is_finite() {
            return Err(format!("nodes[{number}]: its transform is not finite"));
        }
        if let Some(mesh) = node.mesh() {
            placed.push(Placed { mesh, transform });
        }
        let children = open.len();
        open.extend(node.children().map(|child| (child, transform)));
        open[children..].reverse();
    }
    Ok(placed)
}

fn roots(document: &Document) -> Vec<Node<'_>> {
    if let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) {
        return scene.nodes().collect();
    }
    let mut is_child = vec![false; document.nodes().len()];
    for child in document.nodes().flat_map(|node| node.children()) {
        is_child[child.index()] = true;
    }
    document.nodes().filter(|node| !is_child[node.index()]).collect()
}

/// The node's coordinates in those of its parent.
fn local(node: &Node) -> Result<DAffine3, String> {
    match node.transform() {
        Transform::Matrix { matrix } => {
            let columns = matrix.map(|column| column.map(f64::from));
            Ok(DAffine3::from_mat4(DMat4::from_cols_array_2d(&columns)))
        }
        Transform::Decomposed { translation, rotation, scale } => {
            let rotation = DQuat::from_array(rotation.map(f64::from));
            if !(rotation.length_squared() > 0.0 && rotation.is_finite()) {
                return Err(format!("rotation {rotation}; expected a unit quaternion"));
            }
            Ok(DAffine3::from_scale_rotation_translation(
                DVec3::from_array(scale.map(f64::from)),
                rotation.normalize(),
                DVec3::from_array(translation.map(f64::from)),
            ))
        }
    }
}
