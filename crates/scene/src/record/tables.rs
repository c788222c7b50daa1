//! The files of a recording, read back one by one. Columns of tables are found by their heads.

use std::collections::HashMap;
use std::io::Cursor;

use super::files::{ReadingError, name};
use super::{Channel, ContactColumns, Recording, SoftColumns, SoftRecord, WorldColumns, table};

/// One file.
pub(super) struct Source {
    /// What it is called.
    pub(super) name: &'static str,
    /// What is in it.
    pub(super) bytes: Vec<u8>,
}

/// A row whose fields are looked up by the place of their heads in the list that was asked for.
struct Row<'a> {
    fields: &'a csv::StringRecord,
    places: &'a [usize],
}

impl Row<'_> {
    fn text(&self, k: usize) -> &str {
        self.fields.get(self.places[k]).unwrap_or("")
    }

    fn number(&self, k: usize) -> Result<f64, String> {
        let field = self.text(k);
        field.parse().map_err(|_| format!("\"{field}\" is not a number"))
    }

    fn whole(&self, k: usize) -> Result<u64, String> {
        let field = self.text(k);
        field.parse().map_err(|_| format!("\"{field}\" is not a whole number"))
    }

    fn vector<const N: usize>(&self, k: usize) -> Result<[f64; N], String> {
        let mut vector = [0.0; N];
        for (i, part) in vector.iter_mut().enumerate() {
            *part = self.number(k + i)?;
        }
        Ok(vector)
    }
}

impl Source {
    fn wrong(&self, what: impl Into<String>) -> ReadingError {
        ReadingError { file: self.name.to_owned(), what: what.into() }
    }

    /// Every row, with the columns of these heads.
    fn rows(
        &self,
        wanted: &str,
        each: impl FnMut(&Row) -> Result<(), String>,
    ) -> Result<(), ReadingError> {
        let heads = self.heads()?;
        let place = |name: &str| {
            let found = heads.iter().position(|head| head == name);
            found.ok_or_else(|| format!("there is no column \"{name}\""))
        };
        self.rows_at(&wanted.split(',').map(place).collect(), each)
    }

    /// Every row, with the columns at these places. What is wrong is told with its line.
    fn rows_at(
        &self,
        places: &Result<Vec<usize>, String>,
        mut each: impl FnMut(&Row) -> Result<(), String>,
    ) -> Result<(), ReadingError> {
        let mut reader = csv::Reader::from_reader(self.bytes.as_slice());
        let mut fields = csv::StringRecord::new();
        while reader.read_record(&mut fields).map_err(|e| self.wrong(e.to_string()))? {
            let line = fields.position().map_or(0, csv::Position::line);
            let places = places.as_ref().map_err(Clone::clone);
            let told = places.and_then(|places| each(&Row { fields: &fields, places }));
            told.map_err(|what| self.wrong(format!("line {line}: {what}")))?;
        }
        Ok(())
    }

    /// The first row.
    fn heads(&self) -> Result<csv::StringRecord, ReadingError> {
        let mut reader = csv::Reader::from_reader(self.bytes.as_slice());
        reader.headers().cloned().map_err(|e| self.wrong(e.to_string()))
    }

    /// `world.csv`: one row for each frame.
    pub(super) fn world(&self) -> Result<WorldColumns, ReadingError> {
        let mut world = WorldColumns::default();
        self.rows(table::WORLD, |row| {
            let (step, time) = (row.whole(0)?, row.number(1)?);
            if world.step.last().is_some_and(|last| *last >= step) {
                return Err(format!("step {step} comes after a later one"));
            }
            if !time.is_finite() {
                return Err(format!("a time of {time}; expected seconds"));
            }
            world.step.push(step);
            world.time.push(time);
            world.kinetic.push(row.number(2)?);
            world.potential.push(row.number(3)?);
            // The energy, 4, is the sum of the two.
            world.residual.push(row.number(5)?);
            world.iterations.push(row.whole(6)?);
            world.contacts.push(row.whole(7)?);
            world.islands.push(row.whole(8)?);
            world.unconverged.push(row.whole(9)?);
            world.penetration.push(row.number(10)?);
            Ok(())
        })?;
        Ok(world)
    }

    /// `bodies.csv`: one row for each body and frame.
    pub(super) fn bodies(&self, recording: &mut Recording) -> Result<(), ReadingError> {
        let mut order = Order::of(&recording.world.step);
        self.rows(table::BODIES, |row| {
            order.next(row.whole(0)?, row.text(2))?;
            recording.position.push(row.vector(3)?);
            recording.rotation.push(row.vector(6)?);
            recording.velocity.push(row.vector(10)?);
            recording.angular_velocity.push(row.vector(13)?);
            Ok(())
        })?;
        recording.bodies = order.complete().map_err(|e| self.wrong(e))?;
        Ok(())
    }

    /// `run.npz`: the shapes of soft bodies, frame by frame; their other numbers are in `softs.csv`.
    pub(super) fn shapes(self, steps: &[u64]) -> Result<Vec<SoftColumns>, ReadingError> {
        let wrong = |what: String| ReadingError { file: self.name.to_owned(), what };
        let record = SoftRecord::read_npz(Cursor::new(self.bytes))
            .map_err(|e| wrong(format!("{e}; record the run again")))?;
        if record.step != steps {
            let what = format!("its steps are not those of {}; record the run again", name::WORLD);
            return Err(wrong(what));
        }
        Ok(record.softs)
    }

    /// `softs.csv`: one row for each soft body and frame.
    pub(super) fn softs(
        &self,
        mut softs: Vec<SoftColumns>,
        steps: &[u64],
    ) -> Result<Vec<SoftColumns>, ReadingError> {
        let mut order = Order::of(steps);
        self.rows(table::SOFTS, |row| {
            let number = order.next(row.whole(0)?, row.text(2))?;
            let soft = softs.get_mut(number).filter(|soft| soft.name == row.text(2));
            let unknown = || format!("{} has no \"{}\" there", name::ARCHIVE, row.text(2));
            let soft = soft.ok_or_else(unknown)?;
            soft.centre.push(row.vector(3)?);
            soft.velocity.push(row.vector(6)?);
            soft.extent.push(row.vector(9)?);
            soft.stretch.push(row.vector(12)?);
            soft.kinetic.push(row.number(14)?);
            soft.elastic.push(row.number(15)?);
            Ok(())
        })?;
        let names = order.complete().map_err(|e| self.wrong(e))?;
        if names.len() < softs.len() {
            let what = format!("it lacks \"{}\" of {}", softs[names.len()].name, name::ARCHIVE);
            return Err(self.wrong(what));
        }
        Ok(softs)
    }

    /// `contacts.csv`: the contacts of each frame.
    pub(super) fn contacts(&self, recording: &Recording) -> Result<ContactColumns, ReadingError> {
        let steps = &recording.world.step;
        let bodies = recording.bodies.iter().enumerate();
        let known: HashMap<&str, u64> = bodies.map(|(k, name)| (name.as_str(), k as u64)).collect();
        let named = |name: &str| {
            let found = known.get(name).copied();
            found.ok_or_else(|| format!("bodies.csv has no body \"{name}\""))
        };
        let mut contacts = ContactColumns::default();
        self.rows(table::CONTACTS, |row| {
            let step = row.whole(0)?;
            let frame = frame_of(steps, step)?;
            if frame < contacts.end.len() {
                return Err(format!("step {step} comes after a later one"));
            }
            contacts.end.resize(frame, contacts.bodies.len() as u64);
            contacts.bodies.push([named(row.text(2))?, named(row.text(3))?]);
            contacts.point.push(row.vector(4)?);
            contacts.normal.push(row.vector(7)?);
            contacts.gap.push(row.number(10)?);
            contacts.force.push(row.vector(11)?);
            contacts.load.push(row.number(14)?);
            contacts.spin.push(row.number(15)?);
            contacts.slip.push(row.vector(16)?);
            Ok(())
        })?;
        contacts.end.resize(steps.len(), contacts.bodies.len() as u64);
        Ok(contacts)
    }

    /// `probes.csv`: one column for each channel, one row for each frame.
    pub(super) fn probes(&self, frames: usize) -> Result<(Vec<Channel>, Vec<f64>), ReadingError> {
        let heads = self.heads()?;
        let channels: Vec<Channel> = heads.iter().skip(2).map(Channel::from_head).collect();
        let mut values = Vec::new();
        self.rows_at(&Ok((2..heads.len()).collect()), |row| {
            for k in 0..channels.len() {
                values.push(row.number(k)?);
            }
            Ok(())
        })?;
        if values.len() != frames * channels.len() {
            let rows = values.len() / channels.len().max(1);
            let what = format!("it has {rows} rows; expected {frames}, one for each of world.csv");
            return Err(self.wrong(what));
        }
        Ok((channels, values))
    }
}

fn frame_of(steps: &[u64], step: u64) -> Result<usize, String> {
    steps.binary_search(&step).map_err(|_| format!("world.csv has no step {step}"))
}

/// The order of rows of bodies: all of the first frame, which says who they are, then all of the
/// second in the same order, and so on.
struct Order<'a> {
    steps: &'a [u64],
    names: Vec<String>,
    rows: usize,
}

impl Order<'_> {
    fn of(steps: &[u64]) -> Order<'_> {
        Order { steps, names: Vec::new(), rows: 0 }
    }

    /// The number of the body of the next row.
    fn next(&mut self, step: u64, name: &str) -> Result<usize, String> {
        let frame = frame_of(self.steps, step)?;
        if frame == 0 {
            self.names.push(name.to_owned());
        }
        let number = self.rows.checked_rem(self.names.len()).unwrap_or(0);
        let fits = self.rows == frame * self.names.len() + number
            && self.names.get(number).is_some_and(|known| known == name);
        if !fits {
            return Err(format!("\"{name}\" in step {step} is not the next body"));
        }
        self.rows += 1;
        Ok(number)
    }

    /// The names of the bodies, if every frame had all of them.
    fn complete(self) -> Result<Vec<String>, String> {
        let (bodies, frames) = (self.names.len(), self.steps.len());
        if self.rows == bodies * frames {
            return Ok(self.names);
        }
        Err(format!(
            "it has {} rows; expected {}, one for each of {bodies} bodies in each of {frames} frames of {}",
            self.rows,
            bodies * frames,
            name::WORLD
        ))
    }
}
