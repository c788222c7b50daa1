//! Recordings as npz: npy files, stored in a zip archive.

use std::io::{self, BufWriter, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::npy;
use super::{Recording, SoftColumns};

impl Recording {
    /// Writes everything as one npz archive. With T frames, B bodies, P channels and C contacts in
    /// all frames together it holds
    ///
    /// - `step`, `time`, `kinetic`, `potential`, `residual`, `iterations`, `contacts`, `islands`,
    ///   `unconverged`, `penetration`: T,
    /// - `body`: names, B; `position`, `velocity`, `angular_velocity`: T × B × 3; `rotation`
    ///   (x y z w): T × B × 4,
    /// - `probe`, `probe_unit`: names, P; `probe_value`: T × P,
    /// - `contact_end`: T, the row after the last of each frame; `contact_body` (A, B): C × 2;
    ///   `contact_point`, `contact_normal`, `contact_force`, `contact_slip`: C × 3;
    ///   `contact_gap`, `contact_load`, `contact_spin`: C,
    /// - where there are S soft bodies: `soft`: names, S; `soft_centre`, `soft_velocity`,
    ///   `soft_extent`: T × S × 3; `soft_stretch`: T × S × 2; `soft_kinetic`, `soft_elastic`:
    ///   T × S; and for each, with its number k, V vertices and F triangles, `soft_k_position`:
    ///   T × V × 3, `soft_k_uv`: V × 2, `soft_k_triangle`: F × 3; where it has seams, there are more
    ///   uvs than vertices, and `soft_k_uv_triangle`: F × 3, says which the triangles have.
    ///
    /// Numbers are of double precision, but for `soft_k_position` and `soft_k_uv`, which are single.
    pub fn write_npz(&self, out: impl Write + Seek) -> io::Result<()> {
        let mut archive = Archive { zip: ZipWriter::new(out) };
        let (frames, bodies) = (self.len(), self.bodies.len());
        let (world, contacts) = (&self.world, &self.contacts);
        for (name, counts) in [
            ("step", &world.step),
            ("iterations", &world.iterations),
            ("contacts", &world.contacts),
            ("islands", &world.islands),
            ("unconverged", &world.unconverged),
            ("contact_end", &contacts.end),
        ] {
            archive.whole(name, &[frames], counts)?;
        }
        for (name, values) in [
            ("time", &world.time),
            ("kinetic", &world.kinetic),
            ("potential", &world.potential),
            ("residual", &world.residual),
            ("penetration", &world.penetration),
        ] {
            archive.numbers(name, &[frames], values)?;
        }
        archive.texts("body", self.bodies.iter())?;
        for (name, values) in [
            ("position", &self.position),
            ("velocity", &self.velocity),
            ("angular_velocity", &self.angular_velocity),
        ] {
            archive.numbers(name, &[frames, bodies, 3], values.as_flattened())?;
        }
        archive.numbers("rotation", &[frames, bodies, 4], self.rotation.as_flattened())?;
        archive.texts("probe", self.channels.iter().map(|c| &c.name))?;
        archive.texts("probe_unit", self.channels.iter().map(|c| &c.unit))?;
        archive.numbers("probe_value", &[frames, self.channels.len()], &self.values)?;
        let rows = contacts.bodies.len();
        archive.whole("contact_body", &[rows, 2], contacts.bodies.as_flattened())?;
        for (name, values) in [
            ("contact_point", &contacts.point),
            ("contact_normal", &contacts.normal),
            ("contact_force", &contacts.force),
            ("contact_slip", &contacts.slip),
        ] {
            archive.numbers(name, &[rows, 3], values.as_flattened())?;
        }
        for (name, values) in [
            ("contact_gap", &contacts.gap),
            ("contact_load", &contacts.load),
            ("contact_spin", &contacts.spin),
        ] {
            archive.numbers(name, &[rows], values)?;
        }
        if !self.softs.is_empty() {
            archive.texts("soft", self.softs.iter().map(|s| &s.name))?;
            self.softs_in(&mut archive)?;
        }
        for (k, soft) in self.softs.iter().enumerate() {
            let shape = [soft.frames(), soft.vertices, 3];
            archive.singles(&format!("soft_{k}_position"), &shape, soft.position.as_flattened())?;
            let uvs = soft.uvs.as_flattened();
            archive.singles(&format!("soft_{k}_uv"), &[soft.uvs.len(), 2], uvs)?;
            let mut corners = |name: &str, triangles: &[[u32; 3]]| {
                let all: Vec<u64> = triangles.iter().flatten().map(|i| u64::from(*i)).collect();
                archive.whole(&format!("soft_{k}_{name}"), &[triangles.len(), 3], &all)
            };
            corners("triangle", &soft.triangles)?;
            if soft.uv_triangles != soft.triangles {
                corners("uv_triangle", &soft.uv_triangles)?;
            }
        }
        archive.zip.finish()?.flush()
    }

    /// The numbers about whole soft bodies.
    fn softs_in<W: Write + Seek>(&self, archive: &mut Archive<W>) -> io::Result<()> {
        let shape = [self.len(), self.softs.len()];
        let mut put = |name: &str, width: usize, of: &dyn Fn(&SoftColumns, usize) -> Vec<f64>| {
            let all = (0..shape[0]).flat_map(|f| self.softs.iter().flat_map(move |s| of(s, f)));
            let shape: &[usize] = &[shape[0], shape[1], width];
            archive.numbers(
                name,
                &shape[..if width == 1 { 2 } else { 3 }],
                &all.collect::<Vec<_>>(),
            )
        };
        put("soft_centre", 3, &|s, f| s.centre[f].to_vec())?;
        put("soft_velocity", 3, &|s, f| s.velocity[f].to_vec())?;
        put("soft_extent", 3, &|s, f| s.extent[f].to_vec())?;
        put("soft_stretch", 2, &|s, f| s.stretch[f].to_vec())?;
        put("soft_kinetic", 1, &|s, f| vec![s.kinetic[f]])?;
        put("soft_elastic", 1, &|s, f| vec![s.elastic[f]])
    }
}

/// An npz archive as it grows.
struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Archive<W> {
    fn numbers(&mut self, name: &str, shape: &[usize], values: &[f64]) -> io::Result<()> {
        let bytes = values.iter().map(|v| v.to_le_bytes());
        self.array(name, "<f8", shape, 8 * values.len(), bytes)
    }

    fn singles(&mut self, name: &str, shape: &[usize], values: &[f32]) -> io::Result<()> {
        let bytes = values.iter().map(|v| v.to_le_bytes());
        self.array(name, "<f4", shape, 4 * values.len(), bytes)
    }

    fn whole(&mut self, name: &str, shape: &[usize], values: &[u64]) -> io::Result<()> {
        // Signed, as NumPy's own counts are.
        let bytes = values.iter().map(|v| v.to_le_bytes());
        self.array(name, "<i8", shape, 8 * values.len(), bytes)
    }

    /// Texts of equal width, four bytes a character, filled up with zeros.
    fn texts<'a>(
        &mut self,
        name: &str,
        texts: impl ExactSizeIterator<Item = &'a String> + Clone,
    ) -> io::Result<()> {
        let width = texts.clone().map(|t| t.chars().count()).max().unwrap_or(0).max(1);
        let count = texts.len();
        let characters = texts.flat_map(|text| {
            let fill = std::iter::repeat('\0');
            text.chars().chain(fill).take(width).map(|c| u32::from(c).to_le_bytes())
        });
        self.array(name, &format!("<U{width}"), &[count], 4 * width * count, characters)
    }

    fn array<const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[usize],
        size: usize,
        bytes: impl Iterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        // Not compressed, without a date: the same bytes wherever and whenever it is written.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(size >= ZIP64);
        self.zip.start_file(format!("{name}.npy"), options)?;
        let mut out = BufWriter::new(&mut self.zip);
        out.write_all(&npy::header(kind, shape))?;
        for value in bytes {
            out.write_all(&value)?;
        }
        out.flush()
    }
}

/// Entries of this size need 64-bit lengths in a zip archive, bytes (with room for the header).
const ZIP64: usize = 0xffff_0000;
