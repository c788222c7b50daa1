//! Cloth on a sphere that turns one way or the other (Pabst 2009, Fig. 4).

use std::collections::BTreeMap;
use std::path::Path;

use asperity::deform::SoftBody;
use asperity::glamx::DVec3;
use asperity_scene as scene;

use crate::host;
use crate::setup::built;
use crate::{Check, Host, VerifyError};

/// Runs the four scenes, coarser unless `full`, and compares the two senses of rotation.
pub(crate) fn drapes(
    host: &dyn Host,
    folder: &Path,
    full: bool,
) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for (kind, differ) in [("isotropic", false), ("anisotropic", true)] {
        let ends = ["cw", "ccw"].map(|sense| drape(host, folder, [sense, kind], full));
        let [cw, ccw] = ends;
        let (cw, ccw) = (cw?, ccw?);
        let apart = 100.0 * mirrored(&cw, &ccw) / cw.size;
        checks.push(Check {
            what: format!("{kind}: clockwise and the mirror image of the other, RMS"),
            expected: if differ { "different" } else { "the same" }.to_owned(),
            found: format!("{apart:.3} % of 2.5 m"),
            allowed: if differ { "> 10 %" } else { "< 1 %" }.to_owned(),
            holds: if differ { apart > 10.0 } else { apart < 1.0 },
        });
        for (end, sense) in [(&cw, "clockwise"), (&ccw, "counter-clockwise")] {
            let what = format!("{kind}, {sense}: crossed triangles, vertices inside");
            checks.push(Check::fact(&what, "0, 0", &format!("{}, {}", end.crossings, end.inside)));
            let what = format!("{kind}, {sense}: longest edge over its length at rest");
            checks.push(Check::below(&what, 1.3, end.stretch, ""));
        }
    }
    Ok(checks)
}

struct End {
    uvs: Vec<[f64; 2]>,
    positions: Vec<DVec3>,
    size: f64,
    crossings: usize,
    inside: usize,
    /// The longest edge over its length at rest, at any time.
    stretch: f64,
}

fn drape(
    host: &dyn Host,
    folder: &Path,
    [sense, kind]: [&str; 2],
    full: bool,
) -> Result<End, VerifyError> {
    let path = folder.join(format!("drape_{sense}_{kind}.toml"));
    let mut text = host::text(host, &path)?;
    if !full {
        // A thirteenth of the faces; thickness and tolerance to match.
        text = text.replace("cells = [78, 90]", "cells = [22, 26]");
        text = text
            .replace("thickness = 0.008, tolerance = 1e-3", "thickness = 0.02, tolerance = 1e-4");
    }
    let name = path.display().to_string();
    let mut scene = built(scene::load(&text, &name, &scene::NoAssets))?;
    let (mut crossings, mut inside, mut longest) = (0, 0, 0.0_f64);
    let steps = (scene.duration / scene.world.settings.dt).round() as usize;
    for step in 0..steps {
        scene.world.step();
        let soft = &scene.world.softs()[0].body;
        longest = longest.max(stretch(soft));
        inside = inside.max(soft.positions.iter().filter(|x| x.length() < 0.5).count());
        if step % 6 == 5 {
            crossings = crossings.max(scene.world.soft_crossings());
        }
    }
    let body = &scene.world.softs()[0].body;
    Ok(End {
        uvs: body.uvs.iter().map(|p| [p.x, p.y]).collect(),
        positions: body.positions.clone(),
        size: 2.5,
        crossings,
        inside,
        stretch: longest,
    })
}

/// The longest edge of a cloth over its length at rest.
fn stretch(body: &SoftBody) -> f64 {
    let edges = body.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
    let ratio = |[a, b]: [u32; 2]| {
        let (a, b) = (a as usize, b as usize);
        body.positions[a].distance(body.positions[b]) / body.uvs[a].distance(body.uvs[b])
    };
    edges.map(ratio).fold(0.0, f64::max)
}

/// Root mean square distance between one drape and the mirror image (x → −x) of another.
fn mirrored(a: &End, b: &End) -> f64 {
    let key = |u: f64, v: f64| [(u * 1e6).round() as i64, (v * 1e6).round() as i64];
    let place: BTreeMap<[i64; 2], usize> =
        b.uvs.iter().enumerate().map(|(i, p)| (key(p[0], p[1]), i)).collect();
    let mut sum = 0.0;
    for (x, uv) in a.positions.iter().zip(&a.uvs) {
        let Some(&k) = place.get(&key(a.size - uv[0], uv[1])) else { return f64::NAN };
        let other = b.positions[k] * DVec3::new(-1.0, 1.0, 1.0);
        sum += x.distance_squared(other);
    }
    (sum / a.positions.len() as f64).sqrt()
}
