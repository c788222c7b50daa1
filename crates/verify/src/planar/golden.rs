//! What the authors' code computes, from files.

use std::path::{Path, PathBuf};

use asperity::glamx::DVec3;

use crate::host::{self, at};
use crate::{Host, VerifyError};

/// The folder with the files.
#[derive(Clone)]
pub(crate) struct Golden<'a> {
    host: &'a dyn Host,
    folder: PathBuf,
}

/// A file of numbers with names over its columns.
pub(crate) struct Columns {
    path: PathBuf,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl<'a> Golden<'a> {
    /// In `data` itself, or in golden/lugre in or beside it.
    pub(crate) fn find(host: &'a dyn Host, data: &Path) -> Result<Golden<'a>, VerifyError> {
        let places = ["golden/lugre", "lugre", "../golden/lugre", "."].map(|p| data.join(p));
        let known = |folder: &PathBuf| host.read(&folder.join("limit_surface_meta.csv")).is_ok();
        let folder = places.into_iter().find(known).ok_or_else(|| {
            VerifyError::new(format!(
                "{}: no limit_surface_meta.csv in it or in golden/lugre; expected the folder of \
                 the authors' results",
                data.display()
            ))
        })?;
        Ok(Golden { host, folder })
    }

    /// Reads a file; text in a column becomes NaN.
    pub(crate) fn read(&self, name: &str) -> Result<Columns, VerifyError> {
        let path = self.folder.join(name);
        let text = host::text(self.host, &path)?;
        let mut lines = text.lines();
        let names: Vec<String> =
            lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let mut rows = Vec::new();
        for (k, line) in lines.enumerate() {
            let row: Vec<f64> =
                line.split(',').map(|t| t.trim().parse().unwrap_or(f64::NAN)).collect();
            if row.len() != names.len() {
                return Err(VerifyError::new(format!(
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
    pub(crate) fn limit_surface(&self, shape: &str) -> Result<Vec<DVec3>, VerifyError> {
        self.read(&format!("limit_surface_{shape}.csv"))?.vectors(["h_x", "h_y", "h_tau"])
    }

    /// Names of files that begin and end so, sorted.
    pub(crate) fn files(&self, start: &str, end: &str) -> Result<Vec<String>, VerifyError> {
        let mut names = self.host.list(&self.folder).map_err(|e| at(&self.folder, &e))?;
        names.retain(|name| name.starts_with(start) && name.ends_with(end));
        names.sort();
        if names.is_empty() {
            return Err(at(&self.folder, &format!("no files {start}*{end}")));
        }
        Ok(names)
    }
}

impl Columns {
    /// Three columns as vectors.
    pub(crate) fn vectors(&self, names: [&str; 3]) -> Result<Vec<DVec3>, VerifyError> {
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(names) {
            *column = self.names.iter().position(|n| n == name).ok_or_else(|| {
                VerifyError::new(format!("{}: no column {name}", self.path.display()))
            })?;
        }
        let vector = |r: &Vec<f64>| DVec3::from_array(columns.map(|c| r[c]));
        Ok(self.rows.iter().map(vector).collect())
    }
}
