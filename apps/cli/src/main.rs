//! The `asperity` command.

mod commands;
mod ending;
mod error;
mod output;
mod progress;
mod recording;
mod sampler;
mod scene;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{
    bench, check, demo, mesh, new, patch, planar, plot, render, run, schema, solve, texture, tune,
    verify, volume,
};
use crate::ending::Ending;
use crate::error::CliError;

/// Friction, computed: contact problems, friction models and their pictures.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Two boxes on a ramp, and every friction model on one pair of materials; writes pictures, a
    /// film and data to out/demo.
    Demo(demo::Args),
    /// Run a scene, record it and judge what it expects; exit code 1 when an expectation is missed, 3 when
    /// the run is not to be trusted.
    Run(run::Args),
    /// Draw a scene or a recorded run as a picture or a film.
    Render(render::Args),
    /// Validate a scene and print what it holds.
    Check(check::Args),
    /// Write a commented scene to begin with.
    New(new::Args),
    /// Print the JSON Schema of scene files.
    Schema(schema::Args),
    /// Friction of one patch with bristles: a motion or a body under loads; writes forces and plots.
    Planar(planar::Args),
    /// Solve a contact problem from a JSON file.
    Solve(solve::Args),
    /// Compare with closed forms; exit code 1 when one is out.
    Verify(verify::Args),
    /// Find numbers of models from measurements.
    #[command(subcommand)]
    Tune(tune::Which),
    /// Measure.
    #[command(subcommand)]
    Bench(bench::Which),
    /// Draw.
    #[command(subcommand)]
    Plot(plot::Which),
    /// Friction of two normal maps pressed together.
    Patch(patch::Args),
    /// Volume, moments and contact of two closed meshes that overlap.
    Volume(volume::Args),
    /// Make meshes.
    Mesh(mesh::Args),
    /// Make textures.
    #[command(subcommand)]
    Texture(texture::Which),
}

fn main() -> ExitCode {
    match execute(Cli::parse().command) {
        Ok(ending) => ending.code(),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command.
fn execute(command: Command) -> Result<Ending, CliError> {
    match command {
        Command::Verify(args) => return verify::run(&args).map(Ending::from),
        Command::Run(args) => return run::run(&args),
        Command::Solve(args) => return solve::run(&args),
        Command::Demo(args) => return demo::run(&args).map(Ending::from),
        Command::Tune(which) => return tune::run(&which).map(Ending::from),
        Command::Render(args) => render::run(&args),
        Command::Check(args) => check::run(&args),
        Command::New(args) => new::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Mesh(args) => mesh::run(&args),
        Command::Volume(args) => volume::run(&args),
        Command::Patch(args) => patch::run(&args),
        Command::Bench(which) => bench::run(&which),
        Command::Planar(args) => planar::run(&args),
        Command::Plot(which) => plot::run(&which),
        Command::Texture(which) => texture::run(&which),
    }?;
    Ok(Ending::Good)
}

/// Runs a command given in words, as in a shell.
pub(crate) fn execute_words(words: &[&str]) -> Result<Ending, CliError> {
    let words = std::iter::once("asperity").chain(words.iter().copied());
    let cli = Cli::try_parse_from(words).map_err(|e| CliError::Input(e.to_string()))?;
    execute(cli.command)
}
