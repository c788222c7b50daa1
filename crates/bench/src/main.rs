//! Asperity beside other engines: the same scenes, one run, one residual.

mod asperity_engine;
mod engine;
mod item;
mod peer;
mod piles;
mod progress;
mod residuals;
mod rigid;
mod snapshot;
mod solved;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Compares Asperity with other engines.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Rigid bodies: milliseconds per step and residual, with rapier3d and rapier3d-f64 as peers.
    Rigid(rigid::Args),
    /// Piles of mixed shapes: time, residual, overlap, energy and creep, with the same peers.
    Piles(piles::Args),
    /// Time against residual: every solver on steps of a pile, with growing numbers of sweeps.
    Residuals(residuals::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().what {
        What::Rigid(args) => rigid::run(&args),
        What::Piles(args) => piles::run(&args),
        What::Residuals(args) => residuals::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
