//! What the authors' code computes, from files.

use std::path::{Path, PathBuf};

use asperity::glamx::DVec3;

use crate::error::CliError;

/// The folder with the files.
#[derive(Debug, Clone)]
pub(super) struct Golden {
    folder: PathBuf,
}

/// A file of numbers with names over its columns.
pub(super) struct Columns {
    path: PathBuf,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Golden {
    /// In `data` itself, or in golden/lugre in or beside it.
    pub(super) fn find(data: &Path) -> Result<Golden, CliError> {
        let places = ["golden/lugre", "lugre", "../golden/lugre", "."].map(|p| data.join(p));
        let known = |folder: &PathBuf| folder.join("limit_surface_meta.csv").is_file();
        let folder = places.into_iter().find(known).ok_or_else(|| {
            CliError::Input(format!(
                "{}: no limit_surface_meta.csv in it or in golden/lugre; expected the folder of \
                 the authors' results",
                data.display()
            ))
        })?;
        Ok(Golden { folder })
    }

    /// Reads a file; text in a column becomes NaN.
    pub(super) fn read(&self, name: &str) -> Result<Columns, CliError> {
        let path = self.folder.join(name);
        let text = std::fs::read_to_string(&path).map_err(CliError::at(&path))?;
        let mut lines = text.lines();
        let names: Vec<String> =
            lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let mut rows = Vec::new();
        for (k, line) in lines.enumerate() {
            let row: Vec<f64> =
                line.split(',').map(|t| t.trim().parse().unwrap_or(f64::NAN)).collect();
            if row.len() != names.len() {
                return Err(CliError::Input(format!(
                    "{}:{}: {} columns; expected {}",
                    path.display(),
                    k + 2,
                    row.len(),
                    names.len()
                )));
            }
            rows.push(row);
        }
        Ok(Columns { path, names, rows })
    }

    /// The nodes of the authors' table of a shape.
    pub(super) fn limit_surface(&self, shape: &str) -> Result<Vec<DVec3>, CliError> {
        self.read(&format!("limit_surface_{shape}.csv"))?.vectors(["h_x", "h_y", "h_tau"])
    }

    /// Names of files that begin and end so, sorted.
    pub(super) fn files(&self, start: &str, end: &str) -> Result<Vec<String>, CliError> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(CliError::at(&self.folder))? {
            let entry = entry.map_err(CliError::at(&self.folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(start) && name.ends_with(end) {
                names.push(name);
            }
        }
        names.sort();
        if names.is_empty() {
            let message = format!("{}: no files {start}*{end}", self.folder.display());
            return Err(CliError::Input(message));
        }
        Ok(names)
    }
}

impl Columns {
    /// Three columns as vectors.
    pub(super) fn vectors(&self, names: [&str; 3]) -> Result<Vec<DVec3>, CliError> {
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(names) {
            *column = self.names.iter().position(|n| n == name).ok_or_else(|| {
                CliError::Input(format!("{}: no column {name}", self.path.display()))
            })?;
        }
        let vector = |r: &Vec<f64>| DVec3::from_array(columns.map(|c| r[c]));
        Ok(self.rows.iter().map(vector).collect())
    }
}
