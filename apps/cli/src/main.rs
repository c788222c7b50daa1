//! The `asperity` command.

mod bench;
mod bench_planar;
mod bench_sampling;
mod bench_tensors;
mod bench_wrench;
mod demo;
mod draw;
mod error;
mod mesh;
mod patch;
mod planar;
mod plot_cone;
mod plot_limit_surface;
mod plot_run;
mod progress;
mod render;
mod run;
mod sampler;
mod scene_commands;
mod sheet;
mod solve;
mod texture;
mod verify;
mod volume;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// Friction of one patch with bristles: a motion or a body under loads; writes forces and plots.
    Planar(planar::Args),
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
    /// Friction of two normal maps pressed together.
    Patch(patch::Args),
    /// Volume, moments and contact of two closed meshes that overlap.
    Volume(volume::Args),
    /// Make meshes.
    Mesh(mesh::Args),
    /// Make textures.
    #[command(subcommand)]
    Texture(Texture),
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Residual, iterations and time of each solver on each contact problem of a folder.
    Solvers(bench::Args),
    /// Time per contact patch of the sampler that turns normal maps into friction.
    Sampling(bench_sampling::Args),
    /// Cloth with friction tensors: what friction costs, and frames per second.
    Tensors(bench_tensors::Args),
    /// Steps per second of the planar friction models.
    Planar(bench_planar::Args),
    /// Time contacts by one wrench beside points.
    Wrench(bench_wrench::Args),
}

#[derive(Debug, Subcommand)]
enum Plot {
    /// Limit curve and traction directions of a friction model.
    Cone(plot_cone::Args),
    /// Limit surfaces of patches: curves with velocities marked, and a surface in space.
    LimitSurface(plot_limit_surface::Args),
    /// A recorded run over time.
    Run(plot_run::Args),
}

#[derive(Debug, Subcommand)]
enum Texture {
    /// The grain of a photographed surface.
    StructureFromImage(texture::Args),
    /// The logo of the project, white on black, as a mask for `logo`.
    LogoMask(texture::logo::Args),
    #[command(flatten)]
    Normal(texture::normal::Kind),
}

fn main() -> ExitCode {
    match execute(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; false where something that was judged did not hold.
fn execute(command: Command) -> Result<bool, CliError> {
    match command {
        Command::Verify(args) => return verify::run(&args),
        Command::Run(args) => return run::run(&args),
        Command::Demo(args) => return demo::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Check(args) => scene_commands::check(&args),
        Command::New(args) => scene_commands::new(&args),
        Command::Schema(args) => scene_commands::print_schema(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Mesh(args) => mesh::run(&args),
        Command::Volume(args) => volume::run(&args),
        Command::Patch(args) => patch::run(&args),
        Command::Bench(Bench::Solvers(args)) => bench::run(&args),
        Command::Bench(Bench::Sampling(args)) => bench_sampling::run(&args),
        Command::Bench(Bench::Tensors(args)) => bench_tensors::run(&args),
        Command::Bench(Bench::Planar(args)) => bench_planar::run(&args),
        Command::Bench(Bench::Wrench(args)) => bench_wrench::run(&args),
        Command::Planar(args) => planar::run(&args),
        Command::Plot(Plot::Cone(args)) => plot_cone::run(&args),
        Command::Plot(Plot::LimitSurface(args)) => plot_limit_surface::run(&args),
        Command::Plot(Plot::Run(args)) => plot_run::run(&args),
        Command::Texture(Texture::StructureFromImage(args)) => texture::run(&args),
        Command::Texture(Texture::LogoMask(args)) => texture::logo::run(&args),
        Command::Texture(Texture::Normal(kind)) => texture::normal::run(&kind),
    }?;
    Ok(true)
}

/// Runs a command given in words, as in a shell.
pub(crate) fn execute_words(words: &[&str]) -> Result<bool, CliError> {
    let words = std::iter::once("asperity").chain(words.iter().copied());
    let cli = Cli::try_parse_from(words).map_err(|e| CliError::Input(e.to_string()))?;
    execute(cli.command)
}
