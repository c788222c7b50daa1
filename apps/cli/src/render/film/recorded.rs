//! A film from the folder of a recorded run.

use std::collections::HashMap;
use std::path::Path;

use asperity::glamx::DVec3;
use asperity_scene::Scene;
use asperity_scene::record::{SoftColumns, SoftRecord};

use super::{Film, Touch, pose};
use crate::error::CliError;
use crate::plot_run::data::{number, rows};
use crate::run::output::ARCHIVE;

/// Reads what `asperity run --out` wrote: frames from `world.csv`, rigid bodies and contacts from
/// their tables, cloth and soft solids from the archive. What is missing or does not belong to the
/// scene is an error that names the file.
pub(super) fn read(folder: &Path, scene: &Scene) -> Result<Film, CliError> {
    let bodies = scene.world.bodies();
    let known: HashMap<&str, usize> =
        bodies.iter().enumerate().map(|(k, b)| (b.name.as_str(), k)).collect();
    let named = |name: &str| {
        let found = known.get(name).copied();
        found.ok_or_else(|| format!("the scene has no body \"{name}\""))
    };
    let mut film = Film { bodies: bodies.len(), ..Film::default() };
    let mut steps: Vec<u64> = Vec::new();
    rows(&folder.join("world.csv"), |_, row| {
        let step = number(row.get(0).unwrap_or(""))? as u64;
        if steps.last().is_some_and(|last| *last >= step) {
            return Err(format!("step {step} comes after a later one"));
        }
        let time = number(row.get(1).unwrap_or(""))?;
        if !time.is_finite() {
            return Err(format!("a time of {time}; expected seconds"));
        }
        steps.push(step);
        film.times.push(time);
        film.poses.extend(bodies.iter().map(|b| b.pose));
        film.velocities.extend(bodies.iter().map(|_| [DVec3::ZERO; 2]));
        film.touches.push(Vec::new());
        Ok(())
    })?;
    let frame_of = |step: f64| {
        let found = steps.binary_search(&(step as u64));
        found.map_err(|_| format!("world.csv has no step {step}"))
    };
    let path = folder.join("bodies.csv");
    let mut count = 0;
    rows(&path, |_, row| {
        let at = |k: usize| number(row.get(k).unwrap_or(""));
        let three = |k: usize| Ok::<_, String>([at(k)?, at(k + 1)?, at(k + 2)?]);
        let place = frame_of(at(0)?)? * bodies.len() + named(row.get(2).unwrap_or(""))?;
        film.poses[place] = pose(three(3)?, [at(6)?, at(7)?, at(8)?, at(9)?]);
        film.velocities[place] = [three(10)?.into(), three(13)?.into()];
        count += 1;
        Ok(())
    })?;
    if count != film.poses.len() {
        return Err(CliError::Input(format!(
            "{}: it has {count} rows; expected {}, one for each of {} bodies in each of {} frames of world.csv",
            path.display(),
            film.poses.len(),
            bodies.len(),
            steps.len()
        )));
    }
    rows(&folder.join("contacts.csv"), |_, row| {
        let at = |k: usize| number(row.get(k).unwrap_or(""));
        let three = |k: usize| Ok::<_, String>(DVec3::new(at(k)?, at(k + 1)?, at(k + 2)?));
        let frame = frame_of(at(0)?)?;
        film.touches[frame].push(Touch {
            bodies: [named(row.get(2).unwrap_or(""))?, named(row.get(3).unwrap_or(""))?],
            point: three(4)?,
            normal: three(7)?,
            force: three(11)?,
            load: at(14)?,
        });
        Ok(())
    })?;
    if !scene.world.softs().is_empty() {
        film.softs = softs(&folder.join(ARCHIVE), scene, &steps)?;
    }
    if film.times.is_empty() || (bodies.is_empty() && film.softs.is_empty()) {
        return Err(CliError::Input(format!("{}: the recording is empty", folder.display())));
    }
    Ok(film)
}

/// Cloth and soft solids, which must be those of the scene and have been recorded in these steps.
fn softs(path: &Path, scene: &Scene, steps: &[u64]) -> Result<Vec<SoftColumns>, CliError> {
    let wrong = |what: String| CliError::Input(format!("{}: {what}", path.display()));
    let file = std::fs::File::open(path).map_err(CliError::at(path))?;
    let record = SoftRecord::read_npz(std::io::BufReader::new(file))
        .map_err(|e| wrong(format!("{e}; record the run again")))?;
    if record.step != steps {
        return Err(wrong("its steps are not those of world.csv; record the run again".to_owned()));
    }
    let softs = scene.world.softs();
    let fits = record.softs.len() == softs.len()
        && record.softs.iter().zip(softs).all(|(recorded, soft)| {
            recorded.name == soft.name
                && recorded.vertices == soft.body.positions.len()
                && recorded.triangles == soft.body.triangles
        });
    if !fits {
        let names = |list: &mut dyn Iterator<Item = (&String, usize)>| {
            let each = list.map(|(name, count)| format!("\"{name}\" of {count} vertices"));
            each.collect::<Vec<_>>().join(", ")
        };
        let recorded = names(&mut record.softs.iter().map(|s| (&s.name, s.vertices)));
        let expected = names(&mut softs.iter().map(|s| (&s.name, s.body.positions.len())));
        return Err(wrong(format!(
            "its cloth and soft solids are {recorded}; expected those of the scene: {expected}"
        )));
    }
    Ok(record.softs)
}
