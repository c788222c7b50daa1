//! The results, as a table and as JSON.

use serde::Serialize;

use super::contender::{Contender, ContenderKind};
use super::scene::Scene;

/// What Asperity may take at the peer's residual, in units of the peer's time.
const LIMIT: f64 = 1.5;

/// One engine in one scene.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    scene: &'static str,
    bodies: usize,
    dt: f64,
    engine: &'static str,
    /// Median per step, fastest round.
    milliseconds: f64,
    /// Median per step, slowest round.
    milliseconds_slowest: f64,
    /// Time in units of rapier3d-f64 (or of the peer whose residual it stops at).
    ratio: Option<f64>,
    /// Ran for fewer steps than asked, for lack of time.
    cut_short: bool,
    /// Residual that the solver was asked for.
    asked: Option<f64>,
    /// Residual reached (median).
    residual: f64,
    /// Momentum that the impulses do not explain, in units of weight × dt (median).
    imbalance: f64,
    sweeps: usize,
    /// Contact points that carry something.
    contacts: usize,
    /// Fastest body, m/s (median).
    speed: f64,
    /// The engine whose residual it stops at.
    as_good_as: Option<&'static str>,
}

pub(super) fn rows(scene: &Scene, dt: f64, contenders: &[Contender]) -> Vec<Row> {
    let time_of = |kind| contenders.iter().find(|c| c.kind == kind).map(Contender::best);
    let row = |c: &Contender| Row {
        scene: scene.name,
        bodies: scene.items.iter().filter(|item| !item.fixed).count(),
        dt,
        engine: c.kind.label(),
        milliseconds: c.best() * 1e3,
        milliseconds_slowest: c.worst() * 1e3,
        ratio: time_of(c.kind.peer().unwrap_or(ContenderKind::RapierDouble))
            .map(|peer| c.best() / peer),
        cut_short: c.cut_short,
        asked: c.asked(),
        residual: c.figure(|f| f.residual),
        imbalance: c.figure(|f| f.imbalance),
        sweeps: c.sweeps(),
        contacts: c.figure(|f| f.contacts as f64) as usize,
        speed: c.figure(|f| f.speed),
        as_good_as: c.kind.peer().map(ContenderKind::label),
    };
    contenders.iter().map(row).collect()
}

pub(super) fn json(rows: &[Row]) -> Result<String, String> {
    Ok(serde_json::to_string_pretty(rows).map_err(|e| e.to_string())? + "\n")
}

pub(super) fn text(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<15} {:<24} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7} {:>8} {:>9} {:>9}\n",
        "scene",
        "engine",
        "ms/step",
        "slowest",
        "ratio",
        "asked",
        "residual",
        "sweeps",
        "contacts",
        "imbalance",
        "speed m/s"
    );
    let mut scene = "";
    for r in rows {
        if !scene.is_empty() && scene != r.scene {
            text += "\n";
        }
        scene = r.scene;
        let ratio = r.ratio.map_or("-".to_owned(), |v| format!("{v:.2}"));
        let mark = if r.cut_short { "*" } else { "" };
        let asked = r.asked.map_or("-".to_owned(), |v| format!("{v:.1e}"));
        text += &format!(
            "{:<15} {:<24} {:>9} {:>9.3} {:>7} {:>9} {:>9.1e} {:>7} {:>8} {:>9.1e} {:>9.1e}\n",
            r.scene,
            r.engine,
            format!("{:.3}{mark}", r.milliseconds),
            r.milliseconds_slowest,
            ratio,
            asked,
            r.residual,
            r.sweeps,
            r.contacts,
            r.imbalance,
            r.speed
        );
    }
    text += "\n";
    for r in rows {
        let (Some(ratio), Some(peer)) = (r.ratio, r.as_good_as) else { continue };
        let verdict = if ratio <= LIMIT { "within" } else { "above" };
        text += &format!(
            "{}: Asperity at the residual of {peer} takes {ratio:.2} of its time, {verdict} {LIMIT}\n",
            r.scene
        );
    }
    text + NOTES
}

const NOTES: &str = "
ms/step    median over the steps of a round; the fastest of the rounds (and the slowest)
           *: for lack of time (--budget) settled or timed for fewer steps than asked
ratio      time in units of rapier3d-f64; \"as per point\" in units of that
residual   Coulomb, exactly, at every contact point: ‖r − P_K(r − (u + μ‖u_t‖ n))‖ over the largest
           of ‖q‖, ‖r‖, ‖u‖, for all engines by the same function, from the velocities u after
           the step, the impulses r of the step, and q = u − W r. Open contacts are left out.
           Asperity: contacts half-way through the step; u_n + 2 gap/dt ≥ 0.
           Rapier: the contacts of its solver; u_n + 4 gap/dt ≥ 0 at the end of its last sub-step,
           without the bias that pushes bodies apart (its last pass has none); r is the impulse of
           the last of four sub-steps times four. By default it has one friction force and one
           twist per manifold: they are given to the points with the same resultant.
asked      what the solver of Asperity was asked for; it also counts open contacts in the scale
sweeps     over all contacts in a step, median; Rapier: one with bias, one without, per sub-step
contacts   points that carry something
imbalance  momentum of the bodies that r leaves unexplained, in units of weight × dt (mean square)
Rapier: default integration parameters, sleeping off; it re-uses manifolds of bodies that hardly
move (contact_recycling) and solves one thread. per point: FrictionModel::Coulomb.
";
