//! Cloth and soft solids over time.

use std::path::Path;

use super::data::{Body, number, rows};
use crate::error::CliError;

/// A cloth or soft solid over time.
#[derive(Debug, Default, Clone)]
pub(super) struct Soft {
    /// Its name, and its centre of mass as that of a rigid body.
    pub(super) body: Body,
    /// Sides of the box around it, metres.
    pub(super) extent: Vec<[f64; 3]>,
    /// Length of its surface's edges over that at the start: of all, and of the longest drawn.
    pub(super) stretch: Vec<[f64; 2]>,
    /// Kinetic and elastic, joules.
    pub(super) energy: Vec<[f64; 2]>,
}

const HEADS: [&str; 15] = [
    "body",
    "time [s]",
    "x [m]",
    "y [m]",
    "z [m]",
    "vx [m/s]",
    "vy [m/s]",
    "vz [m/s]",
    "extent_x [m]",
    "extent_y [m]",
    "extent_z [m]",
    "stretch",
    "most_stretch",
    "kinetic [J]",
    "elastic [J]",
];

/// Reads `softs.csv`; nothing where there is no such file.
pub(super) fn read(path: &Path) -> Result<Vec<Soft>, CliError> {
    let mut softs: Vec<Soft> = Vec::new();
    if !path.is_file() {
        return Ok(softs);
    }
    let mut wanted = None;
    rows(path, |heads, row| {
        let places = match wanted {
            Some(places) => places,
            None => *wanted.insert(super::data::places(heads, HEADS)?),
        };
        let field = |k: usize| row.get(places[k]).unwrap_or("");
        let at = |k: usize| number(field(k));
        let three = |k: usize| Ok::<_, String>([at(k)?, at(k + 1)?, at(k + 2)?]);
        let name = field(0);
        let index = softs.iter().position(|s| s.body.name == name).unwrap_or_else(|| {
            let body = Body { name: name.to_owned(), ..Body::default() };
            softs.push(Soft { body, ..Soft::default() });
            softs.len() - 1
        });
        let soft = &mut softs[index];
        soft.body.time.push(at(1)?);
        soft.body.position.push(three(2)?);
        soft.body.velocity.push(three(5)?);
        soft.extent.push(three(8)?);
        soft.stretch.push([at(11)?, at(12)?]);
        soft.energy.push([at(13)?, at(14)?]);
        Ok(())
    })?;
    Ok(softs)
}
