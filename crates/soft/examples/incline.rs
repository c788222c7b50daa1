//! The performance scene of Pabst 2009, section 4.3: a cloth of 1 m × 1 m with 1,000 faces slides
//! down a plane of 40° for 1 s in steps of 1 ms, without friction, with isotropic and with
//! anisotropic friction. Prints the time of each part.
//!
//! `cargo run --release -p asperity-soft --example incline`

use std::time::{Duration, Instant};

use asperity_friction::ContactState;
use asperity_friction::section::{Composition, FrictionTensors, Section};
use asperity_friction::set::{Disk, Set};
use asperity_friction::surface::{Surface, SurfaceTensor};
use asperity_soft::contact::{
    Aabb, ContactGeometry, ContactMesh, ContactStage, Detector, Obstacle, Step, SurfaceAxes,
    Topology, VertexFrames,
};
use asperity_soft::{Fabric, SoftBody, mesh};
use glamx::{DVec2, DVec3};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    println!("{:<12} elastic find laws filter clear total (s), friction part", "");
    for friction in [Friction::None, Friction::Isotropic, Friction::Anisotropic] {
        run(friction)?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Friction {
    None,
    Isotropic,
    Anisotropic,
}

fn run(friction: Friction) -> Result<(), Error> {
    let sheet = mesh::cloth_rectangle(DVec2::ONE, [20, 25])?;
    let mut cloth = SoftBody::cloth(&sheet, &Fabric::cotton())?;
    let thickness = 1e-3;
    for p in &mut cloth.positions {
        p.y = thickness;
    }
    let contact_mesh = ContactMesh {
        vertices: 0..cloth.positions.len() as u32,
        triangles: &cloth.triangles,
        edges: &[],
        points: &[],
        self_contact: true,
        rigid: false,
    };
    let topology = Topology::new(cloth.positions.len(), &[contact_mesh])?;
    let frames = VertexFrames::new(&cloth.triangles, &cloth.uvs)?;
    let mut stage = ContactStage::new(Detector::new(topology, thickness)?, frames);
    stage.options.residual = false;
    let inverse = cloth.inverse_masses();
    let angle = 40.0_f64.to_radians();
    let gravity = DVec3::new(angle.sin(), -angle.cos(), 0.0) * 9.81;
    let ground = Surface::new("ground").with_tensor(SurfaceTensor::orthotropic(0.2, 0.5)?);
    let woven = Surface::new("cloth").with_tensor(SurfaceTensor::orthotropic(0.3, 0.1)?);
    let tensors = FrictionTensors::new(Composition::default())?;
    let disk = Set::from(Disk::new(0.3)?);
    let start = cloth.centre();

    let (mut elastic, mut find, mut laws, mut filter, mut clear) =
        <[Duration; 5]>::default().into();
    let whole = Instant::now();
    let dt = 1e-3;
    for _ in 0..1000 {
        let clock = Instant::now();
        let begin = cloth.velocities.clone();
        cloth.free_velocities(dt, gravity, &[]);
        elastic += clock.elapsed();
        let step = Step {
            positions: &mut cloth.positions,
            velocities: &mut cloth.velocities,
            begin_velocities: &begin,
            inverse_masses: &inverse,
            obstacles: &[&Ground],
            dt,
        };
        let report = match friction {
            Friction::None => stage.step_smooth(step)?,
            Friction::Isotropic => stage.step(step, |_: &ContactGeometry| disk.clone())?,
            Friction::Anisotropic => {
                stage.step(step, |g: &ContactGeometry| law(tensors, &ground, &woven, g))?
            }
        };
        find += report.times.find;
        laws += report.times.laws;
        filter += report.times.filter;
        clear += report.times.clear;
    }
    let total = whole.elapsed();
    let part = (laws + filter).as_secs_f64() / total.as_secs_f64();
    let s = [elastic, find, laws, filter, clear, total].map(|d| format!("{:.3}", d.as_secs_f64()));
    let moved = (cloth.centre() - start).x;
    println!("{friction:<12?} {}  {:.1} %, slid {moved:.3} m", s.join(" "), 100.0 * part);
    Ok(())
}

fn law(model: FrictionTensors, a: &Surface, b: &Surface, g: &ContactGeometry) -> Set {
    let [x, y] = &g.axes;
    let surfaces = [a.at(x.tangent, x.bitangent, x.uv), b.at(y.tangent, y.bitangent, y.uv)];
    let state = ContactState {
        slip: g.slip,
        free_slip: g.free_slip,
        ..ContactState::new(g.frame, surfaces, g.dt)
    };
    model.law(&state).set
}

/// The half-space y < 0.
struct Ground;

impl Obstacle for Ground {
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        (p.y, DVec3::Y)
    }

    fn velocity(&self, _: DVec3) -> DVec3 {
        DVec3::ZERO
    }

    fn axes(&self, p: DVec3, _: DVec3) -> SurfaceAxes {
        SurfaceAxes { tangent: DVec3::X, bitangent: DVec3::NEG_Z, uv: DVec2::new(p.x, -p.z) }
    }

    fn aabb(&self) -> Aabb {
        Aabb { min: DVec3::splat(-1e6), max: DVec3::splat(1e6) }
    }
}
