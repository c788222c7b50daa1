//! The `asperity` command.

mod bench;
mod demo;
mod draw;
mod error;
mod plot_cone;
mod sheet;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Friction, computed: contact problems, friction models and their pictures.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare every friction model on one pair of materials; writes pictures to out/demo.
    Demo(demo::Args),
    /// Solve a contact problem from a JSON file.
    Solve(solve::Args),
    /// Measure.
    #[command(subcommand)]
    Bench(Bench),
    /// Draw.
    #[command(subcommand)]
    Plot(Plot),
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Residual, iterations and time of each solver on each contact problem of a folder.
    Solvers(bench::Args),
}

#[derive(Debug, Subcommand)]
enum Plot {
    /// Limit curve and traction directions of a friction model.
    Cone(plot_cone::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo(args) => demo::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Bench(Bench::Solvers(args)) => bench::run(&args),
        Command::Plot(Plot::Cone(args)) => plot_cone::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
