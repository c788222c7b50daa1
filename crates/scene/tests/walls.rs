//! Brick walls rest, also those with more contacts than are solved to the tolerance whatever it takes.

mod common;

use common::load;

/// A wall in running bond begins as it rests: every step is solved after a while, it keeps its places, and falls asleep.
#[test]
fn walls_of_many_bricks_rest() {
    for (columns, rows) in [(5, 5), (5, 6), (8, 8), (10, 10)] {
        let text = format!(
            r#"version = 1
world = {{ dt = 0.01, duration = 1.5 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.5 }} }}
body = [ {{ name = "ground", kind = "fixed", shape = {{ half_space = [0, 1, 0] }} }} ]
prefab = [ {{ name = "w", wall = {{ columns = {columns}, rows = {rows}, size = [0.25, 0.065, 0.12] }} }} ]
"#
        );
        let mut world = load(&text).world;
        let start: Vec<_> = world.bodies().iter().map(|b| b.pose.translation).collect();
        while world.time() < 1.5 {
            world.step();
        }
        let went = world.bodies().iter().zip(&start).map(|(b, s)| b.pose.translation.distance(*s));
        let went = went.fold(0.0, f64::max);
        let case = format!("{columns} by {rows}: {:?}", world.report());
        assert!(went < 1e-3 * 0.065, "{case}: {went} m");
        assert_eq!(world.asleep(), world.bodies().len() - 1, "{case}");
    }
}
