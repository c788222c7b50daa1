//! Words of the command line.

use asperity::glamx::DVec3;
use asperity_scene::MAX_FOV;

/// Columns and rows.
pub(super) type Size = [u32; 2];

/// A camera as far as it is given.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CameraWords {
    pub(super) eye: Option<DVec3>,
    pub(super) at: Option<DVec3>,
    /// Degrees.
    pub(super) fov: Option<f64>,
    pub(super) sun: Option<DVec3>,
}

/// Most pixels along a side.
const MAX_SIDE: u32 = asperity_gpu::picture::MAX_SIDE;
/// Fewest.
const MIN_SIDE: u32 = 16;

/// `1280x720`.
pub(super) fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| {
        Some([width.trim().parse::<u32>().ok()?, height.trim().parse::<u32>().ok()?])
    });
    match sides {
        Some(size) if size.iter().all(|s| (MIN_SIDE..=MAX_SIDE).contains(s)) => Ok(size),
        Some(_) => Err(format!("expected {MIN_SIDE} to {MAX_SIDE} pixels a side")),
        None => Err("expected WIDTHxHEIGHT, such as 1280x720".to_owned()),
    }
}

/// A time, zero or more.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(time) if time.is_finite() && time >= 0.0 => Ok(time),
        _ => Err("expected seconds, zero or more".to_owned()),
    }
}

/// A factor above zero.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if (1e-6..=1e6).contains(&x) => Ok(x),
        _ => Err("expected a number above zero".to_owned()),
    }
}

/// `eye=1,2,3 at=0,0,0 fov=40 sun=0,1,1`, any of them, in any order.
pub(super) fn camera_words(text: &str) -> Result<CameraWords, String> {
    let mut words = CameraWords::default();
    for word in text.split_whitespace() {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("\"{word}\" has no value; expected eye=, at=, fov= or sun="))?;
        match key {
            "eye" => words.eye = Some(vector(key, value)?),
            "at" => words.at = Some(vector(key, value)?),
            "sun" => words.sun = Some(vector(key, value)?),
            "fov" => match value.parse::<f64>() {
                Ok(fov) if fov > 0.0 && fov <= MAX_FOV => words.fov = Some(fov),
                _ => return Err(format!("fov is \"{value}\"; expected degrees up to {MAX_FOV}")),
            },
            _ => return Err(format!("there is no \"{key}\"; expected eye, at, fov or sun")),
        }
    }
    if words.eye.is_some() && words.eye == words.at {
        return Err("eye and at are the same point".to_owned());
    }
    if words.sun == Some(DVec3::ZERO) {
        return Err("sun has no length; expected a direction".to_owned());
    }
    Ok(words)
}

fn vector(key: &str, value: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = value
        .split(',')
        .map(|n| n.parse::<f64>().ok().filter(|x| x.is_finite() && x.abs() < 1e9))
        .collect();
    match numbers.as_deref() {
        Some([x, y, z]) => Ok(DVec3::new(*x, *y, *z)),
        _ => Err(format!("{key} is \"{value}\"; expected three numbers with commas between them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_are_read_and_mistakes_are_told() {
        let words = camera_words("eye=1,2.5,-3 fov=40").unwrap();
        assert_eq!(words.eye, Some(DVec3::new(1.0, 2.5, -3.0)));
        assert_eq!((words.at, words.fov), (None, Some(40.0)));
        for (text, part) in [
            ("eye=1,2", "three numbers"),
            ("eye=1,2,nan", "three numbers"),
            ("eye", "no value"),
            ("from=1,2,3", "\"from\""),
            ("fov=0", "degrees"),
            ("fov=170", "degrees"),
            ("eye=1,2,3 at=1,2,3", "same point"),
            ("sun=0,0,0", "no length"),
        ] {
            let error = camera_words(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_are_read_and_mistakes_are_told() {
        assert_eq!(size("640x360"), Ok([640, 360]));
        for text in ["640", "0x10", "100000x10", "axb", "-1x5", "640x"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
