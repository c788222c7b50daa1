//! `asperity mesh`: meshes of our own, from signed distances by surface nets.

mod bunny;
pub(crate) mod distance;
mod figures;
mod net;
mod write;

use std::path::PathBuf;

use asperity::glamx::DVec3;
use clap::ValueEnum;

use crate::error::CliError;
use crate::output::{print, write_whole};
use crate::progress::spinner;
use net::Net;

/// Make a mesh from a signed distance: closed, with normals from the distance's gradient and
/// texture coordinates in metres, by a box projection (each triangle seen along the axis nearest
/// to its normal).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to make.
    what: What,
    /// Mesh to write: .glb or .obj.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Height in metres.
    #[arg(long, value_name = "M", default_value_t = 0.3, allow_negative_numbers = true)]
    size: f64,
    /// Cells over the height, 16 to 256; without it as many as the figure needs: about ten
    /// thousand triangles, for the bumpy cube about 197 thousand.
    #[arg(long, value_name = "N")]
    cells: Option<usize>,
    /// Print what was made as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// A bunny that sits up, looks along x and stands on y = 0.
    Bunny,
    /// A cube with bumps all over.
    BumpyCube,
    /// A mug with a handle.
    Mug,
    /// A gear with ten teeth and a hole.
    Gear,
    /// A jack: three crossed bars with balls at their ends.
    Jack,
    /// A trefoil knot.
    Knot,
    /// A puffed star with five points.
    Star,
    /// A pear with stem and leaf.
    Pear,
    /// A mushroom, hollow under its cap.
    Mushroom,
    /// An octopus with eight arms.
    Octopus,
    /// A duck.
    Duck,
    /// A bone.
    Bone,
}

/// A signed distance about one unit high, the box that holds it, and its usual cells.
struct Figure {
    distance: fn(DVec3) -> f64,
    bounds: [DVec3; 2],
    cells: usize,
}

impl What {
    fn figure(self) -> Figure {
        // Half the width along x and z, and the height.
        let around = |distance: fn(DVec3) -> f64, x: f64, y: f64, z: f64, cells: usize| Figure {
            distance,
            bounds: [DVec3::new(-x, 0.0, -z), DVec3::new(x, y, z)],
            cells,
        };
        match self {
            What::Bunny => Figure { distance: bunny::distance, bounds: bunny::BOUNDS, cells: 40 },
            What::BumpyCube => around(figures::bumpy_cube, 0.5, 1.0, 0.5, 116),
            What::Mug => around(figures::mug, 0.7, 0.9, 0.4, 30),
            What::Gear => around(figures::gear, 0.5, 0.25, 0.5, 46),
            What::Jack => around(figures::jack, 0.5, 1.0, 0.5, 48),
            What::Knot => around(figures::knot, 0.5, 1.0, 0.3, 39),
            What::Star => around(figures::star, 0.5, 1.0, 0.2, 54),
            What::Pear => around(figures::pear, 0.45, 1.0, 0.35, 46),
            What::Mushroom => around(figures::mushroom, 0.5, 1.0, 0.5, 38),
            What::Octopus => around(figures::octopus, 0.7, 1.0, 0.7, 33),
            What::Duck => around(figures::duck, 0.65, 1.0, 0.4, 40),
            What::Bone => around(figures::bone, 0.3, 1.05, 0.2, 57),
        }
    }
}

/// Writes the mesh and says what it is.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let is_glb = match args.out.extension().and_then(|e| e.to_str()) {
        Some("glb") => true,
        Some("obj") => false,
        _ => {
            let message = format!(
                "{}: expected a name that ends in .glb or .obj; what follows --out decides the format",
                args.out.display()
            );
            return Err(CliError::Input(message));
        }
    };
    let progress = spinner("making the mesh");
    let mesh = figure_mesh(args.what, args.size, args.cells)?;
    progress.finish_and_clear();
    let bytes = if is_glb { write::glb(&mesh)? } else { write::obj(&mesh) };
    write_whole(&args.out, &bytes)?;
    let (volume, centre) = mesh.volume();
    let text = if args.json {
        let report = serde_json::json!({
            "file": args.out, "bytes": bytes.len(), "vertices": mesh.positions.len(),
            "triangles": mesh.triangles.len(), "volume": volume, "centre": centre.to_array(),
        });
        format!("{report:#}\n")
    } else {
        format!(
            "{} triangles, {} vertices; {:.4e} m³ about ({:.4}, {:.4}, {:.4}) m\nwrote {}: {} bytes\n",
            mesh.triangles.len(),
            mesh.positions.len(),
            volume,
            centre.x,
            centre.y,
            centre.z,
            args.out.display(),
            bytes.len()
        )
    };
    print(&text);
    Ok(())
}

/// A figure, `size` metres high.
pub(crate) fn figure_mesh(what: What, size: f64, cells: Option<usize>) -> Result<Net, CliError> {
    let figure = what.figure();
    let cells = cells.unwrap_or(figure.cells);
    if !(1e-3..=1e3).contains(&size) {
        let message = format!("--size is {size}; expected metres, 0.001 to 1000");
        return Err(CliError::Input(message));
    }
    if !(16..=256).contains(&cells) {
        let message = format!("--cells is {cells}; expected a whole number, 16 to 256");
        return Err(CliError::Input(message));
    }
    let distance = |p: DVec3| size * (figure.distance)(p / size);
    let net = net::net(distance, figure.bounds.map(|p| p * size), size / cells as f64)?;
    Ok(net.with_box_uvs())
}

#[cfg(test)]
mod tests;
