//! `asperity-bench rigid`: the same scenes of rigid bodies in every engine.

mod contender;
mod scene;
mod table;

use std::io::Write as _;

use contender::{Contender, ContenderKind};
use indicatif::ProgressBar;
use scene::{Scene, Which};
use table::Row;

use crate::engine::Engine;
use crate::peer::Options;
use crate::peer::double::Rapier;
use crate::progress::bar;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scenes.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Which::Stack, Which::Pyramid, Which::Bin])]
    scenes: Vec<Which>,
    /// Engines.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = ContenderKind::ALL)]
    engines: Vec<ContenderKind>,
    /// Seconds per step.
    #[arg(long, default_value_t = 0.01)]
    dt: f64,
    /// Steps in which what is dropped comes to rest (in rapier3d-f64); all engines start from
    /// there.
    #[arg(long, default_value_t = 500)]
    drop: usize,
    /// Steps in which each engine settles before anything is measured.
    #[arg(long, default_value_t = 600)]
    settle: usize,
    /// Steps per round that are timed.
    #[arg(long, default_value_t = 50)]
    steps: usize,
    /// Rounds; the engines take turns, and the fastest round counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds at most in which an engine settles, and again for each of its rounds; what takes
    /// longer is cut short and marked.
    #[arg(long, default_value_t = 30.0)]
    budget: f64,
    /// Threads for engines that use them (Rapier is built without).
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    if !(args.dt.is_finite() && args.dt > 0.0) {
        return Err(format!("--dt {} is not a time step; expected seconds above zero", args.dt));
    }
    if !(0.0..=86_400.0).contains(&args.budget) {
        return Err(format!("--budget {} is not a number of seconds up to a day", args.budget));
    }
    if args.steps == 0 || args.rounds == 0 {
        return Err("--steps and --rounds must be at least 1".to_owned());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|e| e.to_string())?;
    let mut rows = Vec::new();
    for which in &args.scenes {
        rows.extend(pool.install(|| run_scene(*which, args))?);
    }
    let text = if args.json { table::json(&rows)? } else { table::text(&rows) };
    std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string())
}

fn run_scene(which: Which, args: &Args) -> Result<Vec<Row>, String> {
    let mut scene = which.build()?;
    let rounds = args.engines.len() * args.rounds * (args.steps + contender::SAMPLES);
    let dropped = if scene.falls { args.drop } else { 0 };
    let bar = bar(dropped + args.engines.len() * args.settle + rounds, scene.name);
    drop_bodies(&mut scene, args.dt, dropped, &bar)?;
    let mut contenders: Vec<Contender> = Vec::new();
    for kind in &args.engines {
        bar.set_message(format!("{}: {} settles", scene.name, kind.label()));
        let contender = Contender::new(*kind, &scene, args, &contenders, &bar)?;
        contenders.push(contender);
    }
    for round in 1..=args.rounds {
        for k in 0..contenders.len() {
            let kind = contenders[k].kind;
            bar.set_message(format!("{}: {}, round {round}", scene.name, kind.label()));
            let peer = contenders.iter().find(|c| Some(c.kind) == kind.peer());
            let target = peer.map(|peer| peer.reached);
            contenders[k].round(&scene.items, args, target, &bar);
        }
    }
    bar.finish_and_clear();
    Ok(table::rows(&scene, args.dt, &contenders))
}

/// Lets the bodies fall, and leaves them at rest where they have come.
fn drop_bodies(scene: &mut Scene, dt: f64, steps: usize, bar: &ProgressBar) -> Result<(), String> {
    if steps == 0 {
        return Ok(());
    }
    bar.set_message(format!("{}: falls", scene.name));
    let mut world = Rapier::new(&scene.items, dt, Options::default())?;
    for _ in 0..steps {
        world.step();
        bar.inc(1);
    }
    for (item, pose) in scene.items.iter_mut().zip(world.poses()) {
        item.pose = pose;
    }
    Ok(())
}
