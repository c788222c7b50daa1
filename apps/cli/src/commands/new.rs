//! `asperity new`: a commented scene to begin with.

use std::io::Write as _;
use std::path::PathBuf;

use asperity_scene::starter;

use crate::error::CliError;
use crate::output::print;

/// Options of `asperity new`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of the scene; NAME.toml is written.
    name: PathBuf,
}

/// Writes a scene to begin with; never over another file.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let has_extension = args.name.extension().is_some_and(|e| e == "toml");
    let stem = if has_extension { args.name.with_extension("") } else { args.name.clone() };
    let Some(name) = stem.file_name() else {
        let message = format!("\"{}\" is not a name for a scene", args.name.display());
        return Err(CliError::Input(message));
    };
    let name = name.to_string_lossy();
    let path = stem.with_file_name(format!("{name}.toml"));
    // Created only where there is nothing yet, even if another program is about to.
    let mut file = match std::fs::File::create_new(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = format!("{} is there already; choose another name", path.display());
            return Err(CliError::Input(message));
        }
        other => other.map_err(CliError::at(&path))?,
    };
    if let Err(error) = file.write_all(starter(&name).as_bytes()) {
        let _ = std::fs::remove_file(&path);
        return Err(CliError::at(&path)(error));
    }
    print(&format!("wrote {0}\nnext: asperity run {0}\n", path.display()));
    Ok(())
}
