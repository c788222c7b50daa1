//! The two samplers on the patches of every scene.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use asperity::friction::surface::patch::{Batch, SamplePatches, Samples};
use asperity::sampling::PlainPatches;

use crate::host::{self, at, stem};
use crate::{Check, Host, VerifyError};

use crate::scenes::paths;

/// Steps of each scene.
const STEPS: usize = 60;

/// A coefficient that is none: what rounding leaves of slopes that cancel.
const NOTHING: f64 = 1e-9;

/// Plain code goes on with the scene, while a device looks at the same patches.
struct Both {
    plain: PlainPatches,
    device: Box<dyn SamplePatches>,
    other: Samples,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    patches: usize,
    /// Patches of which the two do not count the same texels.
    others: usize,
    /// Largest difference of a coefficient, as a part of the largest of its patch.
    worst: f64,
}

impl SamplePatches for Both {
    fn name(&self) -> String {
        "both".to_owned()
    }

    fn sample(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), String> {
        self.plain.sample(batch, out)?;
        self.device.sample(batch, &mut self.other)?;
        let mut seen = self.seen.lock().map_err(|e| e.to_string())?;
        for patch in 0..batch.jobs.len() {
            let (a, b) = (out.get(batch, patch), self.other.get(batch, patch));
            seen.patches += 1;
            seen.others += usize::from(a.covered != b.covered);
            let all = 0..a.points.len();
            let largest = all.clone().fold(0.0, |m: f64, k| m.max(a.mu(k)));
            let apart = all.fold(0.0, |m: f64, k| m.max((a.mu(k) - b.mu(k)).abs()));
            seen.worst = seen.worst.max(apart / largest.max(NOTHING));
        }
        Ok(())
    }
}

/// Coefficients by plain code and by an adapter, over the first steps of every scene.
pub(crate) fn agree(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    if let Err(error) = host.device() {
        return Ok(vec![Check::told("no adapter, not compared", error)]);
    }
    let check = |path: &PathBuf| {
        let device = host.device().map_err(VerifyError::new)?;
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (plain, other) = (PlainPatches::default(), Samples::default());
        let both = Both { plain, device, other, seen: seen.clone() };
        let mut scene = host::scene(host, path)?;
        scene.world.set_sampler(Some(Box::new(both)));
        for _ in 0..STEPS {
            if let Some(error) = &scene.world.step().sampler_error {
                return Err(at(path, error));
            }
        }
        let seen = seen.lock().map_err(|e| VerifyError::new(e.to_string()))?;
        let name = stem(path);
        let what = format!("{name}: {} patches, {} with other texels", seen.patches, seen.others);
        Ok(Check::below(&what, 1e-4, seen.worst, "of the largest"))
    };
    paths(host, folder)?.iter().map(check).collect()
}
