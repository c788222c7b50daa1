//! `asperity bench sampling`: what it costs to look at contact patches.

mod gpu;
mod patches;
mod scenes;

use std::path::PathBuf;
use std::time::Instant;

use asperity::friction::surface::patch::{Directions, Sampler, reference};
use rayon::prelude::*;
use serde::Serialize;

use crate::error::CliError;
use crate::output::print_as;
use crate::progress::bar;
use crate::sampler::Which;
use patches::{Patches, SurfaceKind};

/// Time the patch sampler beside a naive transcription of the equations.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many patches, one row each.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000, 10_000, 100_000, 1_000_000])]
    patches: Vec<usize>,
    /// Texels along a side of a patch.
    #[arg(long, value_name = "R", default_value_t = 16)]
    resolution: usize,
    /// Directions.
    #[arg(long, value_name = "K", default_value_t = 16)]
    directions: usize,
    /// Who samples: plain code and an adapter if there is one, or only one of them.
    #[arg(long, value_enum, default_value_t = Who::Auto)]
    sampler: Who,
    /// Also time the scenes of this folder, step by step: contacts, dynamics, sampling.
    #[arg(long, value_name = "DIR")]
    scenes: Option<PathBuf>,
    /// Time the scenes from start to end, however long that takes; without it 300 steps or 5 s of each.
    #[arg(long, requires = "scenes")]
    whole: bool,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// Which rows there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Who {
    Cpu,
    Gpu,
    Auto,
}

impl From<Who> for Which {
    /// Scenes are run once; without a wish, by plain code.
    fn from(who: Who) -> Which {
        if who == Who::Gpu { Which::Gpu } else { Which::Cpu }
    }
}

#[derive(Serialize)]
struct Row {
    surfaces: &'static str,
    sampler: &'static str,
    threads: usize,
    patches: usize,
    /// Patches really timed; fewer where more would only take longer.
    timed: usize,
    microseconds_per_patch: f64,
    patches_per_millisecond: f64,
    /// What the adapter alone took, without transfers, where it can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    device_milliseconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patches_per_device_millisecond: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapter: Option<String>,
}

/// The naive transcription is timed on at most this many patches.
const NAIVE: usize = 1_000;
/// The sampler, on one thread, on at most this many.
const MOST: usize = 100_000;
/// Times each row is measured at least; the fastest counts, since anything else is the machine's
/// doing.
const REPEATS: usize = 5;
/// Seconds for which plain code is measured at least: a core that was idle takes a while to come up
/// to its clock, longer than a hundred patches take.
const LEAST_SECONDS: f64 = 0.3;

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let directions = Directions::new(args.directions)?;
    let most = args.patches.iter().copied().max().unwrap_or(0);
    if !(1..=10_000_000).contains(&most) || args.patches.contains(&0) {
        let message = "--patches: expected numbers from 1 to 10,000,000".to_owned();
        return Err(CliError::Input(message));
    }
    let mut gpu = gpu::Sampling::new(args)?;
    let steps = 2 * args.patches.len();
    let bar = bar(steps, "{bar:30} {pos}/{len} {msg} ({eta} left)");
    let mut rows = Vec::new();
    for kind in [SurfaceKind::Flat, SurfaceKind::Mesh] {
        let scene = Patches::new(kind, args.resolution)?;
        for &count in &args.patches {
            bar.set_message(format!("{}, {count} patches", kind.name()));
            if let Some(gpu) = &mut gpu {
                rows.push(gpu.time(&scene, count)?);
            }
            if args.sampler == Who::Gpu {
                bar.inc(1);
                continue;
            }
            let mut sampler = Sampler::new(args.directions)?;
            rows.push(timed(kind, "sectors", 1, count, count.min(MOST), |n| {
                (0..n).map(|i| scene.with(i, |patch| sampler.sample(patch).mu(0))).sum()
            }));
            rows.push(timed(kind, "sectors", rayon::current_num_threads(), count, count, |n| {
                // Chunks of a fixed size, summed in order: the same result for any number of threads.
                let chunk = |c: usize| {
                    let mut sampler = sampler.clone();
                    let end = (256 * (c + 1)).min(n);
                    (256 * c..end).map(|i| scene.with(i, |p| sampler.sample(p).mu(0))).sum::<f64>()
                };
                let sums: Vec<f64> = (0..n.div_ceil(256)).into_par_iter().map(chunk).collect();
                sums.iter().sum()
            }));
            if count <= NAIVE {
                rows.push(timed(kind, "naive", 1, count, count, |n| {
                    (0..n).map(|i| scene.with(i, |p| reference::sample(p, &directions).mu[0])).sum()
                }));
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let whole = match &args.scenes {
        Some(folder) => scenes::rows(folder, args.sampler.into(), args.whole)?,
        None => Vec::new(),
    };
    let all = serde_json::json!({ "patches": rows, "scenes": whole });
    print_as(args.json, &all, || match &whole[..] {
        [] => table(&rows, args),
        whole => format!("{}\n{}", table(&rows, args), scenes::table(whole)),
    })
}

fn timed(
    kind: SurfaceKind,
    sampler: &'static str,
    threads: usize,
    patches: usize,
    count: usize,
    mut work: impl FnMut(usize) -> f64,
) -> Row {
    let mut best = f64::INFINITY;
    let (mut spent, mut repeat) = (0.0, 0);
    while (repeat < REPEATS || spent < LEAST_SECONDS) && spent <= 4.0 {
        let started = Instant::now();
        std::hint::black_box(work(count));
        let seconds = started.elapsed().as_secs_f64();
        best = best.min(seconds);
        spent += seconds;
        repeat += 1;
    }
    Row {
        surfaces: kind.name(),
        sampler,
        threads,
        patches,
        timed: count,
        microseconds_per_patch: best * 1e6 / count as f64,
        patches_per_millisecond: count as f64 / (best * 1e3),
        device_milliseconds: None,
        patches_per_device_millisecond: None,
        adapter: None,
    }
}

fn table(rows: &[Row], args: &Args) -> String {
    let mut text = format!(
        "{} x {} texels, {} directions, two surfaces of 512 x 512 texels; fastest of {REPEATS} or more\n",
        args.resolution, args.resolution, args.directions
    );
    if let Some(adapter) = rows.iter().find_map(|row| row.adapter.as_deref()) {
        text += &format!("adapter: {adapter}; what it alone took is in the last column\n");
    }
    text += &format!(
        "{:18} {:8} {:>7} {:>9} {:>9} {:>12} {:>12} {:>10}\n",
        "surfaces",
        "sampler",
        "threads",
        "patches",
        "timed",
        "us a patch",
        "patches/ms",
        "device ms"
    );
    for r in rows {
        text += &format!(
            "{:18} {:8} {:>7} {:>9} {:>9} {:>12.3} {:>12.1} {:>10}\n",
            r.surfaces,
            r.sampler,
            r.threads,
            r.patches,
            r.timed,
            r.microseconds_per_patch,
            r.patches_per_millisecond,
            r.device_milliseconds.map(|ms| format!("{ms:.3}")).unwrap_or_default()
        );
    }
    text
}
