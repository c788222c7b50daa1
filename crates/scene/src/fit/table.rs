//! Tables of measured coefficients of friction.

use asperity_friction::surface::Surface;

use super::Measured;
use crate::asset::AssetError;
use crate::suggest::hint;

/// The columns of a table; the last may be absent.
const COLUMNS: [&str; 5] = ["a", "b", "direction", "mu", "turn"];

/// Reads a table of comma-separated values with the columns `a`, `b` (names of surfaces), `direction`
/// (degrees), `mu` and, if B was turned, `turn` (degrees), in any order. `name` is what messages call it.
pub fn read(name: &str, text: &str, surfaces: &[Surface]) -> Result<Vec<Measured>, AssetError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| is_data(line));
    let expected = "expected columns a, b, direction, mu and, if needed, turn";
    let Some((first, head)) = lines.next() else {
        return Err(AssetError::content(name, format!("the table is empty; {expected}")));
    };
    let heads: Vec<&str> = head.split(',').map(str::trim).collect();
    let mut places = [None; COLUMNS.len()];
    for (place, head) in heads.iter().enumerate() {
        let known = COLUMNS.iter().position(|column| column == head);
        let wrong = |what: &str| {
            let problem = format!("{what} column \"{head}\"; {expected}");
            AssetError::line(name, first + 1, problem)
        };
        let column = known.ok_or_else(|| wrong("unknown"))?;
        if places[column].replace(place).is_some() {
            return Err(wrong("a second"));
        }
    }
    if let Some(k) = (0..4).find(|k| places[*k].is_none()) {
        let problem = format!("there is no column \"{}\"; {expected}", COLUMNS[k]);
        return Err(AssetError::line(name, first + 1, problem));
    }
    let mut all = Vec::new();
    for (number, line) in lines {
        let values: Vec<&str> = line.split(',').map(str::trim).collect();
        let row = Row { name, line: number + 1, values, places, surfaces };
        if row.values.len() != heads.len() {
            let (found, wanted) = (row.values.len(), heads.len());
            return Err(row.wrong(format!("{found} values; expected {wanted}, as in its head")));
        }
        all.push(row.read()?);
    }
    if all.is_empty() {
        return Err(AssetError::content(name, "the table has a head and nothing else"));
    }
    Ok(all)
}

/// Whether a line is neither empty nor a remark.
fn is_data(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// One line of a table.
struct Row<'a> {
    name: &'a str,
    line: usize,
    values: Vec<&'a str>,
    places: [Option<usize>; COLUMNS.len()],
    surfaces: &'a [Surface],
}

impl Row<'_> {
    fn read(&self) -> Result<Measured, AssetError> {
        let mu = self.number(3)?;
        if mu < 0.0 {
            return Err(self.wrong(format!("mu is {mu}; expected a number, zero or more")));
        }
        Ok(Measured {
            surfaces: [self.surface(0)?, self.surface(1)?],
            direction: self.number(2)?.to_radians(),
            turn: if self.places[4].is_some() { self.number(4)?.to_radians() } else { 0.0 },
            mu,
            line: self.line,
        })
    }

    fn text(&self, column: usize) -> &str {
        self.places[column].map_or("", |place| self.values[place])
    }

    fn number(&self, column: usize) -> Result<f64, AssetError> {
        let text = self.text(column);
        let number = text.parse().ok().filter(|x: &f64| x.is_finite());
        let what = COLUMNS[column];
        number.ok_or_else(|| self.wrong(format!("{what} is \"{text}\"; expected a finite number")))
    }

    fn surface(&self, column: usize) -> Result<usize, AssetError> {
        let name = self.text(column);
        let found = self.surfaces.iter().position(|surface| surface.name == name);
        found.ok_or_else(|| {
            let hint = hint(name, self.surfaces.iter().map(|surface| surface.name.as_str()));
            self.wrong(format!("there is no material \"{name}\"{hint}"))
        })
    }

    fn wrong(&self, problem: String) -> AssetError {
        AssetError::line(self.name, self.line, problem)
    }
}
