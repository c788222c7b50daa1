//! Asperity beside other engines: the same scenes, one run, one residual.

mod rigid;

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
}

fn main() -> ExitCode {
    let What::Rigid(args) = Cli::parse().what;
    match rigid::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
