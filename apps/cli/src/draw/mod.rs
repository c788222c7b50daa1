//! Pictures: an SVG builder, its PNG, charts, and the limit curves of friction sets.

pub(crate) mod axes;
pub(crate) mod cone;
pub(crate) mod limit;
pub(crate) mod png;
pub(crate) mod svg;

use std::io::Write;
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

pub(crate) use svg::{Anchor, Paint, Point, Svg, Text};

use crate::error::CliError;

/// Colours that people with any colour vision can tell apart (Okabe and Ito), darkest first.
pub(crate) const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Text and axes.
pub(crate) const INK: &str = "#222222";
/// Text and lines of second rank.
pub(crate) const GREY: &str = "#767676";
/// Lines that guide the eye.
pub(crate) const FAINT: &str = "#dcdcdc";

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

/// A number of at most three digits, without needless zeros.
pub(crate) fn short(value: f64) -> String {
    let rounded = format!("{value:.2e}").parse().unwrap_or(value);
    exact(rounded)
}

/// A number with all its digits, by powers of ten where it is very large or small.
pub(crate) fn exact(value: f64) -> String {
    let plain = value == 0.0 || (1e-4..1e6).contains(&value.abs());
    // Adding zero turns −0 into 0.
    let text = if plain { format!("{}", value + 0.0) } else { format!("{value:e}") };
    text.replace('-', "−")
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
    fn short_numbers_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.35, "0.35"),
            (0.349_999_999_999, "0.35"),
            (0.016_666, "0.0167"),
            (46.397, "46.4"),
            (-1.5, "−1.5"),
            (1234.0, "1230"),
            (120.0, "120"),
            (-0.0, "0"),
            (2.999_999e-7, "3e−7"),
            (1e300, "1e300"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
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
