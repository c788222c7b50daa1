//! The `asperity` command.

mod bench;
mod demo;
mod draw;
mod error;
mod plot_cone;
mod plot_run;
mod progress;
mod render;
mod run;
mod scene_commands;
mod sheet;
mod solve;
mod texture;
mod verify;

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
    /// Run a scene, record it and judge what it expects; exit code 1 when an expectation is missed.
    Run(run::Args),
    /// Draw a scene or a recorded run as a picture or a film.
    Render(render::Args),
    /// Validate a scene and print what it holds.
    Check(scene_commands::CheckArgs),
    /// Write a commented scene to begin with.
    New(scene_commands::NewArgs),
    /// Print the JSON Schema of scene files.
    Schema(scene_commands::SchemaArgs),
    /// Solve a contact problem from a JSON file.
    Solve(solve::Args),
    /// Compare with closed forms; exit code 1 when one is out.
    Verify(verify::Args),
    /// Measure.
    #[command(subcommand)]
    Bench(Bench),
    /// Draw.
    #[command(subcommand)]
    Plot(Plot),
    /// Make textures.
    #[command(subcommand)]
    Texture(Texture),
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
    /// A recorded run over time.
    Run(plot_run::Args),
}

#[derive(Debug, Subcommand)]
enum Texture {
    /// The grain of a photographed surface.
    StructureFromImage(texture::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Verify(args) => match verify::run(&args) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::from(1),
            Err(error) => Err(error),
        },
        Command::Run(args) => match run::run(&args) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::from(1),
            Err(error) => Err(error),
        },
        Command::Render(args) => render::run(&args),
        Command::Check(args) => scene_commands::check(&args),
        Command::New(args) => scene_commands::new(&args),
        Command::Schema(args) => scene_commands::print_schema(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Bench(Bench::Solvers(args)) => bench::run(&args),
        Command::Plot(Plot::Cone(args)) => plot_cone::run(&args),
        Command::Plot(Plot::Run(args)) => plot_run::run(&args),
        Command::Texture(Texture::StructureFromImage(args)) => texture::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
