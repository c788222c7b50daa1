//! Structure directions of vertices from a text: one a line, in the order of the vertices or with their places.
//!
//! The first line names the columns, `gx,gy,gz` or with `x,y,z` in any order; numbers are apart by commas or spaces.
//! What follows a `#` is left out. Zeros are a vertex without grain.
//!
//! ```
//! use asperity_scene::asset::directions;
//!
//! let text = "x, y, z, gx, gy, gz\n0, 0, 0, 1, 0, 0\n1, 0, 0, 0, 0, 1\n";
//! let directions = directions::parse("grain.csv", text)?;
//! assert_eq!(directions.places.as_ref().map(Vec::len), Some(2));
//! # Ok::<(), asperity_scene::asset::AssetError>(())
//! ```

use std::collections::HashMap;

use glamx::DVec3;

use super::AssetError;

/// Directions as a text gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct Directions {
    /// Of any length, finite; zero for none.
    pub list: Vec<DVec3>,
    /// Where the vertices are; nothing where the order of the lines tells.
    pub places: Option<Vec<DVec3>>,
    /// The line of each, counted from 1.
    lines: Vec<usize>,
}

/// Two places are the same within this part of the diagonal of the box around all vertices: files hold numbers of
/// single precision.
pub const SAME_PLACE: f64 = 1e-6;

const PLACE: [&str; 3] = ["x", "y", "z"];
const GRAIN: [&str; 3] = ["gx", "gy", "gz"];

/// Reads directions; `file` is what messages call the text.
pub fn parse(file: &str, text: &str) -> Result<Directions, AssetError> {
    let mut rows = text.lines().enumerate().filter_map(|(k, line)| {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> =
            line.split([',', ' ', '\t']).map(str::trim).filter(|w| !w.is_empty()).collect();
        (!words.is_empty()).then_some((k + 1, words))
    });
    let expected = "a first line gx,gy,gz or x,y,z,gx,gy,gz";
    let Some((line, names)) = rows.next() else {
        return Err(AssetError::content(file, format!("nothing in it; expected {expected}")));
    };
    let column = |name: &str| names.iter().position(|found| *found == name);
    let [place, grain] = [PLACE, GRAIN].map(|wanted| wanted.map(column));
    let count = if names.len() == 6 { 6 } else { 3 };
    let found = place.iter().chain(&grain).flatten().count();
    let (Some(grain), true) = (known(grain), found == count && names.len() == count) else {
        let shown: String = names.join(",").chars().take(40).collect();
        return Err(AssetError::line(file, line, format!("{shown:?}; expected {expected}")));
    };
    let mut read = Directions {
        list: Vec::new(),
        places: known(place).map(|_| Vec::new()),
        lines: Vec::new(),
    };
    for (line, words) in rows {
        let at = |problem: String| AssetError::line(file, line, problem);
        if words.len() != count {
            return Err(at(format!("{} numbers; expected {count}", words.len())));
        }
        let number = |k: usize| {
            let found = words[k].parse().ok().filter(|x: &f64| x.is_finite());
            let shown: String = words[k].chars().take(40).collect();
            found.ok_or_else(|| at(format!("{} is {shown:?}; expected a finite number", names[k])))
        };
        let vector = |k: [usize; 3]| Ok(DVec3::new(number(k[0])?, number(k[1])?, number(k[2])?));
        read.list.push(vector(grain)?);
        if let (Some(places), Some(place)) = (&mut read.places, known(place)) {
            places.push(vector(place)?);
        }
        read.lines.push(line);
    }
    Ok(read)
}

fn known(columns: [Option<usize>; 3]) -> Option<[usize; 3]> {
    let [Some(x), Some(y), Some(z)] = columns else { return None };
    Some([x, y, z])
}

/// The vertices that directions are for.
#[derive(Debug, Clone, Copy)]
pub struct Vertices<'a> {
    /// Where they are.
    pub positions: &'a [DVec3],
    /// The number of each among those of the file, and how many those are; nothing where there is no such order.
    pub order: Option<(&'a [usize], usize)>,
}

impl Directions {
    /// A direction for each vertex. Every vertex must have one, and every line a vertex.
    pub fn of(&self, file: &str, vertices: &Vertices) -> Result<Vec<DVec3>, AssetError> {
        match &self.places {
            Some(places) => self.by_place(file, places, vertices.positions),
            None => self.by_order(file, vertices),
        }
    }

    fn by_order(&self, file: &str, vertices: &Vertices) -> Result<Vec<DVec3>, AssetError> {
        let refuse = |problem: String| AssetError::content(file, problem);
        let Some((sources, count)) = vertices.order else {
            let problem = "no places, and these vertices have no order; expected x,y,z,gx,gy,gz";
            return Err(refuse(problem.to_owned()));
        };
        if self.list.len() != count {
            let found = self.list.len();
            return Err(refuse(format!(
                "{found} directions; expected {count}, one for each vertex of the mesh's file"
            )));
        }
        Ok(sources.iter().map(|source| self.list[*source]).collect())
    }

    fn by_place(
        &self,
        file: &str,
        places: &[DVec3],
        positions: &[DVec3],
    ) -> Result<Vec<DVec3>, AssetError> {
        let (low, high) = bounds(positions);
        let near = SAME_PLACE * low.distance(high);
        // Cells so large that what is near lies in the same or one beside it.
        let cell = |p: DVec3| ((p - low) / (4.0 * near)).floor().to_array().map(|x| x as i64);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (k, place) in places.iter().enumerate() {
            cells.entry(cell(*place)).or_default().push(k);
        }
        let mut is_used = vec![false; places.len()];
        let mut found = Vec::with_capacity(positions.len());
        for (i, p) in positions.iter().enumerate() {
            let mut first: Option<usize> = None;
            for k in around(cell(*p)).filter_map(|c| cells.get(&c)).flatten() {
                if places[*k].distance(*p) > near {
                    continue;
                }
                is_used[*k] = true;
                let first = *first.get_or_insert(*k);
                if self.list[first] != self.list[*k] {
                    let problem = format!(
                        "another direction for the place of line {}; expected one for each",
                        self.lines[first]
                    );
                    return Err(AssetError::line(file, self.lines[*k], problem));
                }
            }
            let Some(first) = first else {
                let problem = format!("no direction for vertex {i}, at {p}; expected one for each");
                return Err(AssetError::content(file, problem));
            };
            found.push(self.list[first]);
        }
        match is_used.iter().position(|used| !used) {
            None => Ok(found),
            Some(k) => {
                let problem = format!("no vertex is at {}; expected one there", places[k]);
                Err(AssetError::line(file, self.lines[k], problem))
            }
        }
    }
}

/// The box around some points.
fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)))
}

/// A cell and those beside it, in order.
fn around([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let beside = |k: i64| k.saturating_sub(1)..=k.saturating_add(1);
    beside(x).flat_map(move |x| beside(y).flat_map(move |y| beside(z).map(move |z| [x, y, z])))
}
