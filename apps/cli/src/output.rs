//! What commands print, and files that they write, each whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use asperity_chart::{Svg, png};
use atomic_write_file::AtomicWriteFile;
use serde::Serialize;

use crate::error::{CliError, json_error};

/// Writes a picture as `.svg` or `.png`, by the extension of the path; both where it has none.
/// Returns the files written.
pub(crate) fn write_picture(path: &Path, svg: &Svg) -> Result<Vec<PathBuf>, CliError> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let files = match extension.as_deref() {
        Some("svg" | "png") => vec![path.to_owned()],
        None => vec![path.with_extension("svg"), path.with_extension("png")],
        Some(other) => {
            return Err(CliError::Input(format!(
                "{}: cannot draw a \".{other}\" file; expected .svg, .png, or no extension for both",
                path.display()
            )));
        }
    };
    for file in &files {
        let is_png = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
        let bytes = if is_png { png::rasterise(svg)? } else { svg.to_string().into_bytes() };
        write_whole(file, &bytes)?;
    }
    Ok(files)
}

/// Writes a file whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let write = || {
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().map_err(CliError::at(path))
}

/// Prints a value as JSON, or else in words.
pub(crate) fn print_as(
    json: bool,
    value: &impl Serialize,
    words: impl FnOnce() -> String,
) -> Result<(), CliError> {
    print(&if json { pretty(value)? } else { words() });
    Ok(())
}

/// A value as JSON, with a line for each of its parts.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|e| json_error(&e))
}

/// Prints a text. A closed pipe is not an error of ours.
pub(crate) fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_writes_both_files_and_an_extension_one() {
        let folder = std::env::temp_dir().join(format!("asperity-draw-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let svg = Svg::new(20.0, 10.0);
        assert_eq!(write_picture(&folder.join("both"), &svg).unwrap().len(), 2);
        assert_eq!(write_picture(&folder.join("one.PNG"), &svg).unwrap().len(), 1);
        for name in ["both.svg", "both.png", "one.PNG"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn errors_name_the_file() {
        let svg = Svg::new(20.0, 10.0);
        let missing = Path::new("no/such/folder/cone.svg");
        let message = write_picture(missing, &svg).unwrap_err().to_string();
        assert!(message.starts_with("no/such/folder/cone.svg: "), "{message}");
        let message = write_picture(Path::new("cone.pdf"), &svg).unwrap_err().to_string();
        assert!(message.contains("cone.pdf") && message.contains(".svg"), "{message}");
    }
}
