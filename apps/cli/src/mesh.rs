//! `asperity mesh`: meshes of our own, from signed distances by surface nets.

mod bunny;
pub(crate) mod distance;
mod net;
mod write;

use std::io::Write as _;
use std::path::PathBuf;

use asperity::glamx::DVec3;
use clap::ValueEnum;

use crate::draw::write_whole;
use crate::error::CliError;
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
    /// Cells over the height, 16 to 256.
    #[arg(long, value_name = "N", default_value_t = 40)]
    cells: usize,
    /// Print what was made as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// A bunny that sits up, looks along x and stands on y = 0.
    Bunny,
}

/// Writes the mesh and says what it is.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let What::Bunny = args.what;
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
    let mesh = bunny_mesh(args.size, args.cells)?;
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
    // A closed pipe is not an error of ours.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}

/// The bunny, `size` metres high.
fn bunny_mesh(size: f64, cells: usize) -> Result<Net, CliError> {
    if !(1e-3..=1e3).contains(&size) {
        let message = format!("--size is {size}; expected metres, 0.001 to 1000");
        return Err(CliError::Input(message));
    }
    if !(16..=256).contains(&cells) {
        let message = format!("--cells is {cells}; expected a whole number, 16 to 256");
        return Err(CliError::Input(message));
    }
    let distance = |p: DVec3| size * bunny::distance(p / size);
    let net = net::net(distance, bunny::BOUNDS.map(|p| p * size), size / cells as f64)?;
    Ok(net.with_box_uvs())
}

#[cfg(test)]
mod tests;
