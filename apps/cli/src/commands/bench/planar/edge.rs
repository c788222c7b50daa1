//! What a step costs while the patch changes its shape: a plate that slides over the edge of a table.

use std::time::Instant;

use asperity::World;
use asperity::glamx::DVec3;
use asperity_scene::{self as scene, NoAssets};

use super::{Line, line};
use crate::error::CliError;
use asperity_verify::setup::built;

/// Steps of 2 ms while the plate slides 0.04 m over the edge.
const STEPS: usize = 80;

/// Median time of such a step over that of a step in the middle of the table, and the largest change
/// of the friction force from step to step.
pub(super) fn lines(seconds: f64) -> Result<Vec<Line>, CliError> {
    let started = Instant::now();
    let (mut middle, mut over) = (Vec::new(), Vec::new());
    let mut jump = 0.0_f64;
    // In turns, so that what else the machine does hits both alike.
    while middle.is_empty() || started.elapsed().as_secs_f64() < seconds {
        run(-0.5, &mut middle)?;
        jump = jump.max(run(0.0, &mut over)?);
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let (middle, over) = (median(&mut middle), median(&mut over));
    Ok(vec![
        line(
            "step with a patch that changes, over one that does not",
            over / middle,
            "",
            Some(2.0),
            None,
        ),
        line("change of its friction force per step, at most", jump, "of it", Some(0.01), None),
    ])
}

/// Times of the steps of a plate whose front edge begins at `start` from the edge of the table.
fn run(start: f64, times: &mut Vec<f64>) -> Result<f64, CliError> {
    let mut world = plate(start)?;
    // Until what it starts with is forgotten.
    for _ in 0..5 {
        world.step();
    }
    let (mut last, mut jump): (Option<DVec3>, f64) = (None, 0.0);
    for _ in 0..STEPS {
        let from = Instant::now();
        world.step();
        times.push(from.elapsed().as_secs_f64());
        let force = world.patch_blocks().first().map(|b| b.impulse);
        if let (Some(last), Some(now)) = (last, force) {
            jump = jump.max((now - last).length() / now.length());
        }
        last = force;
    }
    Ok(jump)
}

fn plate(start: f64) -> Result<World, CliError> {
    let text = format!(
        r#"
version = 1
world = {{ dt = 0.002 }}
material.any = {{ density = 1000 }}
pair.default = {{ section = {{ model = "coulomb", mu = 0.05 }}, extent = "spin" }}
body = [
  {{ name = "table", kind = "fixed", shape = {{ box = [2, 0.2, 2] }}, at = [-1, -0.1, 0], material = "any" }},
  {{ name = "plate", shape = {{ box = [0.1, 0.004, 0.08] }}, at = [{}, 0.002, 0], rotate = {{ axis = "y", deg = 20 }}, velocity = [0.25, 0, 0], spin = [0, 0.5, 0], material = "any" }},
]
"#,
        start - 0.05
    );
    Ok(built(scene::load(&text, "a scene made here", &NoAssets))?.world)
}
