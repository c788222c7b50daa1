//! `asperity schema`: the JSON Schema of scene files.

use std::path::PathBuf;

use asperity_scene::schema;

use crate::error::CliError;
use crate::output::{pretty, print, write_whole};

/// Options of `asperity schema`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File to write; standard output where not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints or writes the JSON Schema of scene files.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let text = pretty(&schema())?;
    match &args.output {
        Some(path) => {
            write_whole(path, text.as_bytes())?;
            print(&format!("wrote {}\n", path.display()));
        }
        None => print(&text),
    }
    Ok(())
}
