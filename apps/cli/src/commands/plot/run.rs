//! `asperity plot run`: a recorded run over time.

mod data;

mod panels;

use std::path::PathBuf;

use crate::error::CliError;
use crate::output::{print, write_picture};
use asperity_chart::sheet;
use data::Data;

/// Options of `asperity plot run`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder that `asperity run --out` wrote.
    folder: PathBuf,
    /// Beginning of the pictures' names; default "plot" in the folder. Each is written as .svg and
    /// .png.
    #[arg(short, long, value_name = "STEM")]
    output: Option<PathBuf>,
    /// Bodies to show; default the three rigid and the three soft ones that move most.
    #[arg(long = "body", value_name = "NAME")]
    bodies: Vec<String>,
}

/// Bodies that are shown unless others are asked for.
const SHOWN_BODIES: usize = 3;

/// Charts in one picture at most.
const CHARTS: usize = 12;

/// Draws the pictures and says where they are.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let data = Data::read(&args.folder)?;
    let (bodies, softs) = if args.bodies.is_empty() {
        data.liveliest(SHOWN_BODIES)
    } else {
        data.named(&args.bodies)?
    };
    let stem = args.output.clone().unwrap_or_else(|| args.folder.join("plot"));
    let name = &stem.file_name().unwrap_or_default().to_string_lossy();
    let sheets = [
        ("world", panels::world(&data)),
        ("probes", panels::probes(&data)),
        ("bodies", panels::bodies(&bodies)),
        ("softs", panels::softs(&softs)),
    ];
    let mut text = String::new();
    let pictures = sheets.iter().flat_map(|(part, charts)| {
        let numbered = charts.chunks(CHARTS).enumerate();
        numbered.map(move |(i, charts)| match i {
            0 => (format!("{name}_{part}"), charts),
            _ => (format!("{name}_{part}_{}", i + 1), charts),
        })
    });
    for (name, charts) in pictures {
        let picture = sheet::draw(&data.title(), &data.subtitle(), charts);
        // The whole name is the stem: a dot in it is no extension.
        for extension in ["svg", "png"] {
            let path = stem.with_file_name(format!("{name}.{extension}"));
            for file in write_picture(&path, &picture)? {
                text += &format!("wrote {}\n", file.display());
            }
        }
    }
    print(&text);
    Ok(())
}
