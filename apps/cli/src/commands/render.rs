//! `asperity render`: pictures and films of a scene or of a recorded run.

mod camera;
mod colours;
mod film;
mod options;
mod output;
mod overlay;
mod roughness;
mod scenery;
mod sheet;
mod soft;
mod times;
mod weave;

use std::path::PathBuf;

use asperity_gpu::{Choice, Frame, Renderer};
use asperity_scene::Scene;
use clap::ValueEnum;

use crate::error::CliError;
use crate::output::print;
use crate::progress::bar;
use camera::Viewpoint;
use film::Film;
use options::{CameraWords, Size, camera_words, seconds, size, speed};
use output::FileKind;
use overlay::Overlays;
use scenery::Scenery;
use times::Plan;

/// Draw a scene, which is run first, or a run that was recorded with `asperity run --out`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene file (TOML), or the folder of a recorded run.
    source: PathBuf,
    /// Picture to write: .png, .gif, or .mp4 (needs ffmpeg).
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Times in seconds. One gives a picture, several a sheet of pictures; a film goes from the
    /// first to the last. Default: the end, or the whole film.
    #[arg(long, value_name = "S,...", value_delimiter = ',', allow_negative_numbers = true, value_parser = seconds)]
    times: Vec<f64>,
    /// Where the camera stands, where it looks and its angle from bottom to top in degrees, any of
    /// them: "eye=1,2,3 at=0,0,0 fov=40 sun=-1,1,0". Default: the scene's view, or what shows all that moves.
    #[arg(long, value_name = "WORDS", value_parser = camera_words)]
    camera: Option<CameraWords>,
    /// What to draw over the picture.
    #[arg(long, value_name = "WHAT,...", value_delimiter = ',', value_enum)]
    overlay: Vec<Layer>,
    /// Pixels: WIDTHxHEIGHT. Default 1280x720; 640x360 for each picture of a sheet.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<Size>,
    /// Pictures per second of a film.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=120))]
    fps: u32,
    /// Seconds of the scene in a second of film: 0.25 is slow motion.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Show what moves at so many times in one picture, the earlier the paler.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=100))]
    strobe: Option<u16>,
    /// A sheet of pictures with their times, also where no times are given.
    #[arg(long)]
    sheet: bool,
    /// What draws: an adapter where there is one, or plain code.
    #[arg(long, value_enum, default_value_t = Way::Auto)]
    renderer: Way,
}

/// What can be drawn over a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layer {
    /// Short lines along the structure direction of surfaces.
    Structure,
    /// Arrows at contacts: the force, and its part in the contact plane.
    Forces,
    /// The friction set of each contact at its load.
    Cones,
    /// Contact points and the outlines of patches; of contacts by wrench the contact plane, the patch in it, its middle
    /// and the centre of pressure.
    Contacts,
}

/// What draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// An adapter if there is one, plain code otherwise.
    Auto,
    /// A graphics adapter.
    Gpu,
    /// A graphics adapter through Vulkan.
    Vulkan,
    /// A graphics adapter through OpenGL.
    Gl,
    /// Plain code.
    Cpu,
}

/// Draws and says what was drawn.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let kind = FileKind::of(&args.output)?;
    output::prepare(&args.output, kind)?;
    let (mut scene, film) = Film::open(&args.source, &args.times)?;
    let plan = Plan::new(args, kind, &film)?;
    let mut studio = Studio::new(args, &mut scene, &film, &plan)?;
    match kind {
        FileKind::Png if plan.is_sheet => {
            let mut tiles = Vec::new();
            for time in &plan.times {
                tiles.push((sheet::caption(*time), studio.draw(&[*time], true)?));
            }
            sheet::write(&args.output, &scene_title(&args.source, studio.scene), &tiles)?;
        }
        FileKind::Png => {
            let frame = studio.draw(&plan.times, true)?;
            sheet::write_frame(&args.output, &frame)?;
        }
        FileKind::Gif | FileKind::Mp4 => {
            let bar = bar(plan.times.len(), "{wide_bar} {pos} of {len} pictures, {eta} left");
            let last = plan.times.len().saturating_sub(1);
            let frames = plan.times.iter().enumerate().map(|(k, time)| {
                bar.inc(1);
                studio.draw(&[*time], k == last)
            });
            output::film(&args.output, kind, plan.size, args.fps, frames)?;
            bar.finish_and_clear();
        }
    }
    let text = format!("{}wrote {}\n", studio.summary(&plan), args.output.display());
    print(&text);
    Ok(())
}

fn scene_title(source: &std::path::Path, scene: &Scene) -> String {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    scene.title.clone().unwrap_or_else(|| name.into_owned())
}

/// Everything that turns times into pictures.
struct Studio<'a> {
    scene: &'a mut Scene,
    film: &'a Film,
    viewpoint: Viewpoint,
    scenery: Scenery,
    overlays: Overlays,
    renderer: Renderer,
    size: [u32; 2],
    /// Bodies seen in the last picture.
    visible: usize,
    drawn: usize,
    seconds: f64,
}

impl<'a> Studio<'a> {
    fn new(
        args: &Args,
        scene: &'a mut Scene,
        film: &'a Film,
        plan: &Plan,
    ) -> Result<Studio<'a>, CliError> {
        let aspect = f64::from(plan.size[0]) / f64::from(plan.size[1]);
        let words = args.camera.unwrap_or_default();
        let viewpoint = Viewpoint::choose(scene, film, &words, aspect)?;
        let (scenery, stage) = Scenery::new(scene, &viewpoint)?;
        let overlays = Overlays::new(&args.overlay, scene, film, &viewpoint, &scenery);
        let choice = match args.renderer {
            Way::Auto => Choice::Auto,
            Way::Gpu => Choice::Gpu,
            Way::Vulkan => Choice::Vulkan,
            Way::Gl => Choice::Gl,
            Way::Cpu => Choice::Cpu,
        };
        let renderer = Renderer::new(choice, stage).map_err(|e| {
            CliError::Input(format!("{e}; --renderer cpu draws without a graphics adapter"))
        })?;
        if let Some(why) = renderer.fallback() {
            eprintln!(
                "{why}; drawing in plain code. A driver that needs no graphics card is in Debian's \
                 mesa-vulkan-drivers"
            );
        }
        Ok(Studio {
            scene,
            film,
            viewpoint,
            scenery,
            overlays,
            renderer,
            size: plan.size,
            visible: 0,
            drawn: 0,
            seconds: 0.0,
        })
    }

    /// A picture of the last of some times; at the others only what moves is shown, paler.
    /// `counts` says whether the visible bodies are counted.
    fn draw(&mut self, times: &[f64], counts: bool) -> Result<Frame, CliError> {
        let mut shot = self.viewpoint.shot(self.size);
        shot.identities = counts;
        let Some((last, before)) = times.split_last() else {
            return Err(CliError::Input("there is no time to draw".to_owned()));
        };
        let moment = self.film.moment(*last);
        let ghosts: Vec<_> = before.iter().map(|time| self.film.moment(*time)).collect();
        self.scenery.place(&mut shot, self.scene, &moment, &ghosts);
        self.overlays.draw(&mut shot, self.scene, &moment);
        let started = std::time::Instant::now();
        let frame = self.renderer.draw(&shot).map_err(|e| CliError::Input(e.to_string()))?;
        self.seconds += started.elapsed().as_secs_f64();
        self.drawn += 1;
        if counts {
            self.visible = frame.visible().len();
        }
        Ok(frame)
    }

    /// What was drawn, in words.
    fn summary(&self, plan: &Plan) -> String {
        let [width, height] = plan.size;
        let pictures = if self.drawn == 1 {
            "1 picture".to_owned()
        } else {
            format!("{} pictures", self.drawn)
        };
        format!(
            "{pictures} of {width}x{height} by {}, {:.0} ms each\n{} of {} bodies visible\ncamera \"{}\"\n",
            self.renderer.name(),
            1e3 * self.seconds / self.drawn.max(1) as f64,
            self.visible,
            self.scenery.bodies(),
            self.viewpoint
        )
    }
}
