//! Times of one step of a hanging cloth by both linear solvers: `cargo run --release -p
//! asperity-soft --example solvers [CELLS] [STEP]`.

use asperity_soft::{Fabric, Method, SoftBody, mesh};
use glamx::{DVec2, DVec3};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cells: u32 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(84);
    let h: f64 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(1.0 / 60.0);
    let sheet = mesh::cloth_rectangle(DVec2::splat(2.5), [cells, cells]).expect("a mesh");
    println!("{} triangles, {} vertices", sheet.triangles.len(), sheet.positions.len());
    for (method, tolerance) in
        [(Method::Gradients, 1e-6), (Method::Gradients, 1e-3), (Method::Cholesky, 0.0)]
    {
        let mut body = SoftBody::cloth(&sheet, &Fabric::cotton()).expect("a cloth");
        body.options.linear.method = method;
        body.options.linear.tolerance = tolerance;
        let corners = [0, cells as usize];
        for i in corners {
            body.pinned[i] = true;
        }
        let start = Instant::now();
        let steps = 30;
        let mut iterations = 0;
        for _ in 0..steps {
            let report = body.free_velocities(h, DVec3::NEG_Y * 9.81, &[]);
            iterations += report.linear.iterations;
            body.advance(h);
        }
        println!(
            "{method:?} {tolerance:e}: {:.2} ms a step, {} iterations a step, lowest {:.4} m",
            1e3 * start.elapsed().as_secs_f64() / f64::from(steps),
            iterations / steps as usize,
            body.positions.iter().map(|x| x.y).fold(0.0, f64::min)
        );
    }
}
