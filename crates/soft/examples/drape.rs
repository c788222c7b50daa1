//! A cloth of 2.5 m × 2.5 m with 14,112 faces falls on a turning sphere (Pabst 2009, Fig. 4), in
//! frames of 1/60 s. Prints frames per second, what takes the time, and whether anything passed
//! through.
//!
//! `cargo run --release -p asperity-soft --example drape [frames] [threads] [passes]`

use std::time::{Duration, Instant};

use asperity_friction::set::{Set, Tensor};
use asperity_soft::contact::{
    Aabb, ContactGeometry, ContactMesh, ContactStage, Detector, Obstacle, Step, SurfaceAxes,
    Topology, VertexFrames,
};
use asperity_soft::{Fabric, SoftBody, mesh};
use glamx::{DMat2, DVec2, DVec3};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let number = |k: usize, default: usize| {
        std::env::args().nth(k).and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let (frames, threads) = (number(1, 60), number(2, 2));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let sheet = mesh::cloth_rectangle(DVec2::splat(2.5), [84, 84])?;
    let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton())?;
    let thickness = 4e-3;
    for p in &mut cloth.positions {
        p.y += 0.51;
    }
    let rest = cloth.positions.clone();
    let contact_mesh = ContactMesh {
        vertices: 0..cloth.positions.len() as u32,
        triangles: &cloth.triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let topology = Topology::new(cloth.positions.len(), &[contact_mesh])?.with_rest(&rest)?;
    let mut check = Detector::new(topology.clone(), thickness)?;
    let vertex_frames = VertexFrames::new(&cloth.triangles, &cloth.uvs)?;
    let mut stage = ContactStage::new(Detector::new(topology, thickness)?, vertex_frames);
    stage.options.residual = false;
    stage.filter.passes = number(3, 20);
    cloth.options.linear.tolerance = 1e-3;
    let inverse = cloth.inverse_masses();
    let set = Set::from(Tensor::linear(DMat2::from_diagonal(DVec2::new(0.2, 0.6)))?);
    let dt = 1.0 / 60.0;
    println!("frame contacts impacts rounds zoned deepest ms: elastic find laws filter clear");
    let mut all = Duration::ZERO;
    for frame in 0..frames {
        let clock = Instant::now();
        let begin = cloth.velocities.clone();
        let linear = cloth.free_velocities(dt, DVec3::Y * -9.81, &[]).linear;
        let elastic = clock.elapsed();
        let step = Step {
            positions: &mut cloth.positions,
            velocities: &mut cloth.velocities,
            begin_velocities: &begin,
            inverse_masses: &inverse,
            obstacles: &[&Ball],
            dt,
        };
        let r = stage.step(step, |_: &ContactGeometry| set.clone())?;
        all += clock.elapsed();
        if frame % 10 == 9 {
            let ms = |d: Duration| format!("{:.1}", 1e3 * d.as_secs_f64());
            let t = r.times;
            let times = [elastic, t.find, t.laws, t.filter, t.clear].map(ms).join(" ");
            let crossings = check.crossings(&cloth.positions)?;
            let inside = cloth.positions.iter().map(|p| p.length() - 0.5).fold(1.0, f64::min);
            println!(
                "{:3} {:6} {:5} {:3} {:5} {:.1e}  {times} ({} iterations), {crossings} crossings, {inside:.1e} off the sphere",
                frame + 1,
                r.contacts,
                r.impacts.first,
                r.impacts.rounds,
                r.impacts.zoned + r.impacts.stopped,
                r.overlap,
                linear.iterations,
            );
        }
    }
    let rate = frames as f64 / all.as_secs_f64();
    println!("{rate:.1} frames per second on {threads} threads");
    Ok(())
}

/// A sphere of radius 0.5 m that turns about the vertical.
struct Ball;

impl Obstacle for Ball {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        (p.length() - 0.5, p.try_normalize().unwrap_or(DVec3::Y))
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        DVec3::Y.cross(p) * 3.0
    }

    fn axes(&self, _: DVec3, normal: DVec3) -> SurfaceAxes {
        let tangent = DVec3::Y.cross(normal).try_normalize().unwrap_or(DVec3::X);
        SurfaceAxes { tangent, bitangent: normal.cross(tangent), uv: DVec2::ZERO }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) }
    }
}
