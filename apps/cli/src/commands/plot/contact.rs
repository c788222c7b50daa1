//! `asperity plot contact`: what both surfaces show at a contact of a running scene (Andrews et al. 2021, Fig. 7).

use std::path::PathBuf;

use asperity::friction::surface::patch::reference::Seen;
use asperity_chart::{Anchor, GREY, INK, Paint, Point, Svg, Text, short};
use asperity_verify::appearance::running::{FOUR, means, patches_at, texels};

use crate::error::CliError;
use crate::output::{print, write_picture};
use crate::scene::load_scene;

/// Options of `asperity plot contact`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene file (TOML).
    scene: PathBuf,
    /// Seconds that the scene runs.
    #[arg(long, value_name = "S")]
    time: f64,
    /// Which of its contacts then, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    contact: usize,
    /// Beginning of the pictures' names; written as .svg and .png.
    #[arg(short, long, value_name = "STEM", default_value = "contact")]
    output: PathBuf,
}

/// Pixels along a side of a patch, between two, and above the first.
const SIDE: f64 = 150.0;
const GAP: f64 = 16.0;
const TOP: f64 = 110.0;
/// Names of the four directions of motion of B.
const NAMES: [&str; 4] = ["t", "b", "−t", "−b"];

/// The texels of a contact.
type Texels = Vec<[Option<Seen>; 2]>;

/// Runs the scene, draws, and says where the pictures are.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let mut scene = load_scene(&args.scene)?;
    let batch = patches_at(&mut scene, args.time)?;
    let world = &scene.world;
    let Some(contact) = world.contacts().get(args.contact) else {
        let message = format!(
            "--contact is {}; expected a number below {}, the contacts at {} s",
            args.contact,
            world.contacts().len(),
            args.time
        );
        return Err(CliError::Input(message));
    };
    let [a, b] = contact.bodies.map(|k| world.bodies()[k].name.as_str());
    let seen = texels(&batch, args.contact);
    let title = format!("\"{b}\" on \"{a}\", contact {} at {} s", args.contact, short(args.time));
    let picture = draw(&title, &seen);
    let mut text = String::new();
    for file in write_picture(&args.output, &picture)? {
        text += &format!("wrote {}\n", file.display());
    }
    let (mu, covered) = means(&seen);
    text += &format!("both cover {} of the window\n", short(covered));
    for (name, mu) in [a, b].iter().zip(mu) {
        text += &format!(
            "{name}: mean coefficients along t, b, −t, −b: {}\n",
            mu.map(short).join(", ")
        );
    }
    print(&text);
    Ok(())
}

/// Normals and four coefficients of A above those of B; white is the largest coefficient of each.
fn draw(title: &str, texels: &Texels) -> Svg {
    let along = |seen: &Seen, k: usize| seen.resists.dot(FOUR[k]).max(0.0);
    let most = [0, 1].map(|side: usize| {
        let all = texels.iter().filter_map(|both| both[side].as_ref());
        all.flat_map(|seen| (0..4).map(|k| along(seen, k))).fold(f64::MIN_POSITIVE, f64::max)
    });
    let mut svg = Svg::new(6.0 * GAP + 5.0 * SIDE, TOP + 2.0 * (SIDE + GAP) + 2.0 * GAP);
    svg.text([GAP, 36.0], title, &Text::new(19.0, INK).bold());
    let said = format!(
        "normals as colours; coefficients of Eq. 5 for motion of B along each direction; above A, white is {}; below B, white is {}",
        short(most[0]),
        short(most[1])
    );
    svg.text([GAP, 58.0], &said, &Text::new(12.5, GREY));
    for (column, name) in ["normals"].into_iter().chain(NAMES).enumerate() {
        let x = GAP + (SIDE + GAP) * column as f64;
        svg.text([x + 0.5 * SIDE, TOP - 10.0], name, &Text::new(13.0, INK).anchor(Anchor::Middle));
        for side in 0..2 {
            let corner = [x, TOP + (SIDE + GAP) * side as f64];
            let colour = |seen: &Seen| match column.checked_sub(1) {
                Some(k) => [along(seen, k) / most[side]; 3],
                // B's normals point down; turned over they read as colours do.
                None => [seen.normal.x, seen.normal.y, seen.normal.z * [1.0, -1.0][side]]
                    .map(|c| 0.5 + 0.5 * c),
            };
            patch(&mut svg, corner, texels.iter().map(|both| both[side].as_ref().map(&colour)));
        }
    }
    svg
}

/// One patch, a square a texel; what is not covered is left empty.
fn patch(svg: &mut Svg, [x, y]: Point, colours: impl ExactSizeIterator<Item = Option<[f64; 3]>>) {
    let n = (colours.len() as f64).sqrt().round() as usize;
    let cell = SIDE / n as f64;
    for (i, colour) in colours.enumerate() {
        let Some(colour) = colour else { continue };
        let [r, g, b] = colour.map(|c| (255.0 * c.clamp(0.0, 1.0)).round() as u8);
        let at = [x + cell * (i % n) as f64, y + cell * (i / n) as f64];
        // Without seams between neighbours.
        svg.rect(at, [cell + 0.3; 2], &Paint::fill(&format!("#{r:02x}{g:02x}{b:02x}")));
    }
    svg.rect([x, y], [SIDE; 2], &Paint::stroke(GREY, 1.0));
}
