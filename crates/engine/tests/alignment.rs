//! Boxes of bounds that follow where a contact would slide without friction.

use asperity::friction::set::Set;
use asperity::glamx::DVec2;
use asperity_scene::{self as scene, NoAssets};

/// A block on a floor is pulled along a wall that it touches. Without friction it would slide along
/// the wall, level; if nothing touched it, it would fall past it.
#[test]
fn slip_is_that_of_a_solve_without_friction() {
    let text = r#"
version = 1
world = { dt = 0.01, duration = 1 }
texture.rough = { kind = "normal", size = [0.1, 0.1], generate = { slopes = [0.3, 0.3], texels = [64, 64], seed = 1 } }
material.rough = { normal = "rough", density = 500 }
pair.default = { section = { model = "ploughing", limit = "box", align = "slip" } }
body = [ { name = "floor", kind = "fixed", shape = { half_space = [0, 1, 0] }, material = "rough" },
         { name = "wall", kind = "fixed", shape = { half_space = [1, 0, 0] }, material = "rough" },
         { name = "block", shape = { box = [0.2, 0.2, 0.2] }, at = [0.1, 0.1, 0], material = "rough" } ]
drive = [ { body = "block", force = [-20, 0, 30] } ]
"#;
    let mut scene = scene::load(text, "wall.toml", &NoAssets).unwrap_or_else(|e| panic!("{e}"));
    scene.world.step();
    let wall = scene.world.find("wall").unwrap().0;
    let at_wall: Vec<_> =
        scene.world.contacts().iter().filter(|c| c.bodies.contains(&wall)).collect();
    assert_eq!(at_wall.len(), 4);
    for contact in at_wall {
        let Set::Box(bounds) = &contact.law.set else { panic!("{:?}", contact.law.set) };
        let axis = contact.frame.to_world(bounds.rotation().to_frame(DVec2::X));
        assert!(axis.z.abs() > 1.0 - 1e-6, "along {axis}, not along the wall");
    }
}
