//! What a contact of a running scene sees, and what its law makes of it (Fig. 7).

use std::f64::consts::{FRAC_2_PI, PI};
use std::path::Path;
use std::sync::{Arc, Mutex};

use asperity::friction::surface::patch::reference::{Seen, look};
use asperity::friction::surface::patch::{Batch, SamplePatches, Samples};
use asperity::glamx::DVec2;
use asperity::sampling::PlainPatches;
use asperity_scene::Scene;

use crate::host::{self, at};
use crate::{Check, Host, VerifyError};

/// The four directions of the paper's coefficient textures.
pub const FOUR: [DVec2; 4] = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];

/// Plain code that keeps what it is asked for.
struct Keeper {
    plain: PlainPatches,
    kept: Arc<Mutex<Vec<Batch>>>,
}

impl SamplePatches for Keeper {
    fn name(&self) -> String {
        self.plain.name()
    }

    fn sample(&mut self, batch: &Batch, out: &mut Samples) -> Result<(), String> {
        self.kept.lock().map_err(|e| e.to_string())?.push(batch.clone());
        self.plain.sample(batch, out)
    }
}

/// The patches of the step that ends at a time, seconds: one for each of the world's contacts, in their order.
pub fn patches_at(scene: &mut Scene, time: f64) -> Result<Batch, VerifyError> {
    let steps = (time / scene.world.settings.dt).round();
    if !(1.0..=1e7).contains(&steps) {
        let message = format!(
            "{time} s is {steps} steps; expected a time after the first step, 10,000,000 at most"
        );
        return Err(VerifyError::new(message));
    }
    let kept: Arc<Mutex<Vec<Batch>>> = Arc::default();
    let keeper = Keeper { plain: PlainPatches::default(), kept: Arc::clone(&kept) };
    scene.world.set_sampler(Some(Box::new(keeper)));
    let locked = || kept.lock().map_err(|e| VerifyError::new(e.to_string()));
    for _ in 0..steps as u64 {
        locked()?.clear();
        scene.world.step();
    }
    let all = std::mem::take(&mut *locked()?);
    let contacts = scene.world.contacts().len();
    let patches: usize = all.iter().map(|batch| batch.jobs.len()).sum();
    match <[Batch; 1]>::try_from(all) {
        Ok([batch]) if batch.jobs.len() == contacts => Ok(batch),
        _ => Err(VerifyError::new(format!(
            "{contacts} contacts and {patches} patches at {time} s; expected contacts that all look at a patch of their own, found in one go (awake, with the section \"ploughing\")"
        ))),
    }
}

/// The texels of a patch, row by row from the top, where b points up.
pub fn texels(batch: &Batch, number: usize) -> Vec<[Option<Seen>; 2]> {
    let patch = batch.patch(number);
    let n = patch.window.resolution;
    (0..n * n).map(|i| look(&patch, i % n, n - 1 - i / n)).collect()
}

/// Means of the coefficient textures of both surfaces in the four directions over the texels that both cover (Eq. 8),
/// and the part of all texels that those are.
pub fn means(texels: &[[Option<Seen>; 2]]) -> ([[f64; 4]; 2], f64) {
    let both: Vec<[Seen; 2]> = texels.iter().filter_map(|[a, b]| Some([(*a)?, (*b)?])).collect();
    let of = |side: usize, d: DVec2| {
        let sum: f64 = both.iter().map(|seen| seen[side].resists.dot(d).max(0.0)).sum();
        sum / both.len().max(1) as f64
    };
    ([0, 1].map(|side| FOUR.map(|d| of(side, d))), both.len() as f64 / texels.len().max(1) as f64)
}

/// The scene, when it is looked at, μ₀, and the width of its ridges' slopes.
const SCENE: &str = "rough_on_ridges.toml";
const TIME: f64 = 0.1;
const AMBIENT: f64 = 0.1;

/// Fig. 7: a rough box on ridges while it slides.
pub(crate) fn contacts(host: &dyn Host, folder: &Path) -> Result<Vec<Check>, VerifyError> {
    let path = folder.join(SCENE);
    let mut scene = host::scene(host, &path)?;
    let batch = patches_at(&mut scene, TIME).map_err(|e| at(&path, &e.to_string()))?;
    let world = &scene.world;
    let (mut quarter, mut along, mut across) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut law, mut without, mut least) = (0.0_f64, f64::INFINITY, f64::INFINITY);
    let ridges = FRAC_2_PI / PI;
    for (k, contact) in world.contacts().iter().enumerate() {
        let ([of_plane, of_box], covered) = means(&texels(&batch, k));
        // Ridges run along z, which is b or −b of a contact on a level plane, or t or −t.
        let (x, z) = if contact.frame.t.x.abs() > 0.5 { (0, 1) } else { (1, 0) };
        quarter = quarter.max((covered - 0.25).abs());
        along = along.max(of_plane[z]).max(of_plane[z + 2]);
        across = across.max((0.5 * (of_plane[x] + of_plane[x + 2]) / ridges - 1.0).abs());
        least = of_box.iter().fold(least, |m, mu| m.min(*mu));
        for (i, d) in FOUR.iter().enumerate() {
            let textures = AMBIENT + of_plane[i] + of_box[i];
            // What the law allows against motion of B along d.
            let allowed = contact.law.set.support(&[-d.x, -d.y], 1.0);
            law = law.max((allowed - textures).abs());
            without = without.min((allowed - AMBIENT - of_plane[i]).abs());
        }
    }
    let contacts = world.contacts().len().to_string();
    Ok(vec![
        Check::fact("contacts of the two boxes at 0.1 s", "8", &contacts),
        Check::near("corners cover a quarter of their windows, worst", 0.0, quarter, 1e-12, ""),
        Check::below("texture of the ridges, along them, largest mean", 1e-9, along, ""),
        Check::below("across: mean over 2 / pi^2, worst", 0.05, across, ""),
        Check::below("law against mu_0 + I_A + I_B (Eq. 8), four directions, worst", 1e-9, law, ""),
        Check::above("control: law against mu_0 + I_A alone, least", 0.01, without, ""),
        Check::above("texture of the rough box, least mean", 0.01, least, ""),
    ])
}
