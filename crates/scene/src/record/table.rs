//! Recordings as CSV: a header with units, one row per thing and frame, numbers with all digits.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Recording;

/// Columns of `bodies.csv`.
pub(super) const BODIES: &str = "step,time [s],body,x [m],y [m],z [m],qx,qy,qz,qw,vx [m/s],vy [m/s],vz [m/s],\
    wx [rad/s],wy [rad/s],wz [rad/s]";
/// Columns of `contacts.csv`.
pub(super) const CONTACTS: &str = "step,time [s],a,b,x [m],y [m],z [m],nx,ny,nz,gap [m],fx [N],fy [N],fz [N],\
    load [N],spin [N m],slip_x [m/s],slip_y [m/s],slip_z [m/s]";
/// Columns of `softs.csv`.
pub(super) const SOFTS: &str = "step,time [s],body,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],extent_x [m],\
    extent_y [m],extent_z [m],stretch,most_stretch,kinetic [J],elastic [J]";
/// Columns of `world.csv`.
pub(super) const WORLD: &str = "step,time [s],kinetic [J],potential [J],energy [J],residual,iterations,contacts,\
    islands,unconverged,penetration [m]";

impl Recording {
    /// `bodies.csv`: pose and velocities of every body in every frame.
    pub fn write_bodies(&self, out: impl Write) -> io::Result<()> {
        let mut table = Table::new(out);
        table.heads(BODIES)?;
        for frame in 0..self.len() {
            for (k, name) in self.bodies.iter().enumerate() {
                let row = frame * self.bodies.len() + k;
                self.begin(&mut table, frame)?;
                table.text(name)?;
                table.numbers(&self.position[row])?;
                table.numbers(&self.rotation[row])?;
                table.numbers(&self.velocity[row])?;
                table.numbers(&self.angular_velocity[row])?;
                table.end()?;
            }
        }
        table.finish()
    }

    /// `contacts.csv`: every contact of every frame. Forces act on b.
    pub fn write_contacts(&self, out: impl Write) -> io::Result<()> {
        let mut table = Table::new(out);
        table.heads(CONTACTS)?;
        let contacts = &self.contacts;
        for frame in 0..self.len() {
            for row in contacts.rows(frame) {
                self.begin(&mut table, frame)?;
                for body in contacts.bodies[row] {
                    table.text(self.bodies.get(body as usize).map_or("", String::as_str))?;
                }
                table.numbers(&contacts.point[row])?;
                table.numbers(&contacts.normal[row])?;
                table.numbers(&[contacts.gap[row]])?;
                table.numbers(&contacts.force[row])?;
                table.numbers(&[contacts.load[row], contacts.spin[row]])?;
                table.numbers(&contacts.slip[row])?;
                table.end()?;
            }
        }
        table.finish()
    }

    /// `softs.csv`: every cloth and soft solid as a whole, in every frame.
    pub fn write_softs(&self, out: impl Write) -> io::Result<()> {
        let mut table = Table::new(out);
        table.heads(SOFTS)?;
        for frame in 0..self.len() {
            for soft in &self.softs {
                self.begin(&mut table, frame)?;
                table.text(&soft.name)?;
                table.numbers(&soft.centre[frame])?;
                table.numbers(&soft.velocity[frame])?;
                table.numbers(&soft.extent[frame])?;
                table.numbers(&soft.stretch[frame])?;
                table.numbers(&[soft.kinetic[frame], soft.elastic[frame]])?;
                table.end()?;
            }
        }
        table.finish()
    }

    /// `world.csv`: energies and what the solver did, one row per frame.
    pub fn write_world(&self, out: impl Write) -> io::Result<()> {
        let mut table = Table::new(out);
        table.heads(WORLD)?;
        let world = &self.world;
        for frame in 0..self.len() {
            self.begin(&mut table, frame)?;
            let (kinetic, potential) = (world.kinetic[frame], world.potential[frame]);
            let residual = world.residual[frame];
            table.numbers(&[kinetic, potential, kinetic + potential, residual])?;
            for count in [&world.iterations, &world.contacts, &world.islands, &world.unconverged] {
                table.whole(count[frame])?;
            }
            table.numbers(&[world.penetration[frame]])?;
            table.end()?;
        }
        table.finish()
    }

    /// `probes.csv`: the channels, one column each, one row per frame.
    pub fn write_probes(&self, out: impl Write) -> io::Result<()> {
        let mut table = Table::new(out);
        table.text("step")?;
        table.text("time [s]")?;
        for channel in &self.channels {
            table.text(&channel.head())?;
        }
        table.end()?;
        let columns = self.channels.len();
        for frame in 0..self.len() {
            self.begin(&mut table, frame)?;
            table.numbers(&self.values[frame * columns..(frame + 1) * columns])?;
            table.end()?;
        }
        table.finish()
    }

    /// The columns that every table begins with.
    fn begin<W: Write>(&self, table: &mut Table<W>, frame: usize) -> io::Result<()> {
        table.whole(self.world.step[frame])?;
        table.numbers(&[self.world.time[frame]])
    }
}

/// A CSV text as it grows.
struct Table<W: Write> {
    out: csv::Writer<W>,
    /// Reused for every number.
    field: String,
}

impl<W: Write> Table<W> {
    fn new(out: W) -> Table<W> {
        Table { out: csv::Writer::from_writer(out), field: String::new() }
    }

    /// The first row, with commas between the heads.
    fn heads(&mut self, heads: &str) -> io::Result<()> {
        self.out.write_record(heads.split(',')).map_err(io::Error::from)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_field(text).map_err(io::Error::from)
    }

    fn whole(&mut self, value: u64) -> io::Result<()> {
        self.field.clear();
        let _ = write!(self.field, "{value}");
        self.out.write_field(&self.field).map_err(io::Error::from)
    }

    /// In the fewest digits that give back the same number.
    fn numbers(&mut self, values: &[f64]) -> io::Result<()> {
        for value in values {
            self.field.clear();
            let _ = write!(self.field, "{value:?}");
            self.out.write_field(&self.field).map_err(io::Error::from)?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_record(None::<&[u8]>).map_err(io::Error::from)
    }

    fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
