//! `asperity volume`: what two closed meshes share.

mod device;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use asperity::friction::extent::{NORMALS, PATCHES};
use asperity::geometry::shape::{MeshData, Shape};
use asperity::geometry::volume::{
    ClosedShape, MAX_RAYS, NormalRule, Overlap, PatchShape, Scratch, overlap_by_rays, overlaps,
};
use asperity::glamx::{DPose3, DRot3, DVec3};
use asperity_gpu::VolumeRays;
use asperity_scene::asset::{AssetError, Resolve, mesh};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use crate::error::CliError;
use crate::output::print;
use crate::progress::spinner;

/// Compute the volume that two closed meshes share, its moments, its gradient, and the contact it
/// makes (Bouchard et al. 2015): one for each connected volume. Metres.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Mesh of body A: .obj, .stl, .glb or .gltf.
    a: PathBuf,
    /// Mesh of body B.
    b: PathBuf,
    /// Where A is: position and quaternion.
    #[arg(long, value_name = "\"X Y Z QX QY QZ QW\"", allow_hyphen_values = true)]
    pose_a: Option<String>,
    /// Where B is: position and quaternion.
    #[arg(long, value_name = "\"X Y Z QX QY QZ QW\"", allow_hyphen_values = true)]
    pose_b: Option<String>,
    /// How to compute.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    method: Method,
    /// Rays across the longest side of the region that both may share.
    #[arg(long, value_name = "N", default_value_t = 128)]
    rays: usize,
    /// Who casts rays.
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
    /// Which direction is the contact normal: where the volume falls fastest (the paper), along
    /// which the overlap is thinnest, or half-way between the two.
    #[arg(long, value_parser = one_of(&NORMALS), default_value = "gradient")]
    normal: NormalRule,
    /// How the second moment becomes a patch: a rectangle or an ellipse, by area and moments; half
    /// lengths √(3 M/V) of a rectangle or √(4 M/V) of an ellipse; or as far as the overlap reaches.
    /// Measured, unless --device gpu, which knows moments only: then rectangle.
    #[arg(long, value_parser = one_of(&PATCHES))]
    patch: Option<PatchShape>,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Over the surface of the overlap; no error but rounding.
    Exact,
    /// By rays along the axes of A, as in the paper; all overlaps together.
    Rays,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    /// Plain code.
    Cpu,
    /// A graphics device, in single precision; an error where there is none.
    Gpu,
}

/// Reads both meshes, computes and prints.
pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if !(2..=MAX_RAYS).contains(&args.rays) {
        let message = format!("--rays is {}; expected a whole number, 2 to {MAX_RAYS}", args.rays);
        return Err(CliError::Input(message));
    }
    device::check(args)?;
    let pose_a = pose("--pose-a", args.pose_a.as_deref())?;
    let pose_b = pose("--pose-b", args.pose_b.as_deref())?;
    let progress = spinner("reading");
    let ((a, mesh_a), (b, mesh_b)) = (read(&args.a)?, read(&args.b)?);
    let mut rays = if args.device == Device::Gpu { Some(device::open()?) } else { None };
    progress.set_message("computing");
    let (mut found, mut scratch) = (Vec::new(), Scratch::default());
    let start = Instant::now();
    match (args.method, &mut rays) {
        (Method::Exact, _) => overlaps(&a, &pose_a, &b, &pose_b, &mut scratch, &mut found),
        (Method::Rays, None) => {
            found.extend(overlap_by_rays(&a, &pose_a, &b, &pose_b, args.rays));
        }
        (Method::Rays, Some(rays)) => {
            let meshes = [&*mesh_a, &*mesh_b];
            found.extend(device::overlap(rays, meshes, [&pose_a, &pose_b], args.rays)?);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let text = if args.json {
        let list: Vec<Value> = found.iter().map(|o| report(o, args)).collect();
        let total: f64 = found.iter().map(|o| o.volume).sum();
        let report = json!({
            "volume": total, "overlaps": list, "seconds": seconds,
            "triangles": [a.triangles(), b.triangles()],
            "device": rays.as_ref().map_or("cpu", VolumeRays::name),
        });
        format!("{report:#}\n")
    } else {
        let device = rays.as_ref().map(VolumeRays::name);
        table(&found, args, [a.triangles(), b.triangles()], seconds, device)
    };
    print(&text);
    Ok(())
}

/// A closed mesh from a file.
fn read(path: &Path) -> Result<(ClosedShape, Arc<MeshData>), CliError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(CliError::at(path))?;
    // Files that a glTF names must lie in its folder.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = Dir::open_ambient_dir(folder.unwrap_or(Path::new(".")), ambient_authority());
    let beside: Resolve = &|file| {
        let read = folder.as_ref().map_err(ToString::to_string);
        let read = read.and_then(|dir| dir.read(file).map_err(|e| e.to_string()));
        read.map_err(|problem| AssetError::Unavailable { file: file.to_owned(), problem })
    };
    let loaded = mesh::load(&name, &bytes, beside).map_err(|e| CliError::Input(e.to_string()))?;
    let data = Arc::new(loaded.into());
    let shape = ClosedShape::new(&Shape::Mesh(Arc::clone(&data)))
        .map_err(|e| CliError::Input(format!("{name}: {e}")))?;
    Ok((shape, data))
}

/// A pose from seven numbers, or three; none is the origin.
fn pose(flag: &str, text: Option<&str>) -> Result<DPose3, CliError> {
    let Some(text) = text else { return Ok(DPose3::IDENTITY) };
    let expected = |what: String| {
        CliError::Input(format!(
            "{flag} \"{text}\": {what}; expected \"x y z qx qy qz qw\" in metres, or \"x y z\""
        ))
    };
    let mut numbers = Vec::new();
    for word in text.split([' ', ',', '\t']).filter(|w| !w.is_empty()) {
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => numbers.push(number),
            _ => return Err(expected(format!("\"{word}\" is not a finite number"))),
        }
    }
    let turn = match numbers.len() {
        3 => DRot3::IDENTITY,
        7 => DRot3::from_xyzw(numbers[3], numbers[4], numbers[5], numbers[6]),
        n => return Err(expected(format!("{n} numbers"))),
    };
    let length = turn.length();
    if !(length > 1e-6 && length < 1e6) {
        return Err(expected(format!("the quaternion has the length {length}")));
    }
    let place = DVec3::new(numbers[0], numbers[1], numbers[2]);
    Ok(DPose3::from_parts(place, turn.normalize()))
}

impl Args {
    fn patch_shape(&self) -> PatchShape {
        match (self.patch, self.device) {
            (Some(shape), _) => shape,
            (None, Device::Cpu) => PatchShape::Measured,
            (None, Device::Gpu) => PatchShape::Rectangle,
        }
    }
}

/// One of some words, as what it stands for.
fn one_of<T: Copy + Send + Sync>(
    list: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(list.iter().map(|choice| choice.0)).try_map(|word| {
        let found = list.iter().find(|choice| choice.0 == word);
        found.map(|choice| choice.1).ok_or("unknown")
    })
}

fn report(overlap: &Overlap, args: &Args) -> Value {
    let normal = overlap.normal(args.normal);
    let patch = overlap.patch(normal, args.patch_shape());
    let m = overlap.second_moment;
    // A device sums up moments only.
    let known = args.device == Device::Cpu;
    json!({
        "volume": overlap.volume,
        "centroid": overlap.centroid.to_array(),
        "second_moment": [m.row(0).to_array(), m.row(1).to_array(), m.row(2).to_array()],
        "gradient_linear": overlap.gradient_linear.to_array(),
        "gradient_angular": overlap.gradient_angular.to_array(),
        "surface": known.then_some(overlap.surface),
        "normal": normal.to_array(),
        "ellipse": {
            "centre": patch.centre.to_array(), "u": patch.u.to_array(), "w": patch.w.to_array(),
            "half_lengths": patch.half.to_array(),
        },
        "reach": known.then_some(overlap.reach),
    })
}

fn table(
    found: &[Overlap],
    args: &Args,
    [ta, tb]: [usize; 2],
    seconds: f64,
    device: Option<&str>,
) -> String {
    let device = device.map_or(String::new(), |name| format!(" on {name}"));
    let ms = 1e3 * seconds;
    let mut text = format!("A: {ta} triangles, B: {tb} triangles; {ms:.3} ms{device}\n");
    if found.is_empty() {
        text += "no overlap\n";
    }
    let vector = |v: DVec3| format!("{:>14.6e} {:>14.6e} {:>14.6e}", v.x, v.y, v.z);
    for (k, overlap) in found.iter().enumerate() {
        let normal = overlap.normal(args.normal);
        let patch = overlap.patch(normal, args.patch_shape());
        text += &format!("\noverlap {} of {}\n", k + 1, found.len());
        text += &format!("  volume            {:>14.6e} m³\n", overlap.volume);
        for (name, v, unit) in [
            ("centroid        ", overlap.centroid, "m"),
            ("second moment  x", overlap.second_moment.row(0), "m⁵"),
            ("               y", overlap.second_moment.row(1), "m⁵"),
            ("               z", overlap.second_moment.row(2), "m⁵"),
            ("dV/d(shift of B)", overlap.gradient_linear, "m²"),
            ("dV/d(turn of B) ", overlap.gradient_angular, "m³"),
            ("normal A to B   ", normal, ""),
            ("ellipse u       ", patch.u, ""),
            ("ellipse w       ", patch.w, ""),
        ] {
            text += format!("  {name}  {} {unit}", vector(v)).trim_end();
            text.push('\n');
        }
        let half = patch.half;
        text += &format!("  half lengths      {:>14.6e} {:>14.6e} m\n", half.x, half.y);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_read_and_what_is_wrong_with_them_is_said() {
        let read = pose("--pose-b", Some("1, 2 -3  0 0 2 0")).unwrap();
        assert_eq!(read.translation, DVec3::new(1.0, 2.0, -3.0));
        assert!((read.rotation * DVec3::X + DVec3::X).length() < 1e-15);
        assert_eq!(pose("--pose-b", None).unwrap(), DPose3::IDENTITY);
        for (text, message) in [
            ("1 2", "2 numbers; expected"),
            ("1 2 x", "\"x\" is not a finite number"),
            ("1 2 inf", "\"inf\" is not a finite number"),
            ("1 2 3 0 0 0 0", "the quaternion has the length 0"),
        ] {
            let error = pose("--pose-b", Some(text)).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
