//! Soft bodies of a recording, read back from its npz archive.

use std::io::{Read, Seek};

use thiserror::Error;
use zip::ZipArchive;

use super::{SoftColumns, npy};

/// An archive that is not a recording of soft bodies.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The bytes are no zip archive, or one that was cut off.
    #[error("it is not a whole npz archive: {0}")]
    Archive(String),
    /// An array is not there, or its bytes are not those that were written.
    #[error("array \"{name}\": {what}")]
    Array {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
}

/// The soft bodies of a recording, and which steps its frames are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SoftRecord {
    /// Steps since the start, one for each frame.
    pub step: Vec<u64>,
    /// Names, triangles, uvs and positions; the numbers about the whole bodies are in `softs.csv`
    /// and stay empty here.
    pub softs: Vec<SoftColumns>,
}

impl SoftRecord {
    /// Reads the arrays `step`, `soft` and `soft_k_…` that
    /// [`Recording::write_npz`](super::Recording::write_npz) wrote. Positions are of single
    /// precision and come back as they were recorded, bit by bit. Everything is checked: shapes,
    /// sizes, the checksum of each array, that triangles name vertices.
    pub fn read_npz(archive: impl Read + Seek) -> Result<SoftRecord, ReadError> {
        let mut archive = Archive::open(archive)?;
        let step = archive.array("step", "<i8", &[None])?;
        let frames = step.shape[0];
        let mut record = SoftRecord {
            step: step.values::<8>().map(u64::from_le_bytes).collect(),
            softs: vec![],
        };
        if !archive.has("soft") {
            return Ok(record);
        }
        for (k, name) in archive.names("soft")?.into_iter().enumerate() {
            let position = archive.array(
                &format!("soft_{k}_position"),
                "<f4",
                &[Some(frames), None, Some(3)],
            )?;
            let vertices = position.shape[1];
            let triangles = archive.triangles(&format!("soft_{k}_triangle"), vertices)?;
            let uvs = archive.array(&format!("soft_{k}_uv"), "<f4", &[None, Some(2)])?;
            let seams = format!("soft_{k}_uv_triangle");
            let uv_triangles = if archive.has(&seams) {
                archive.triangles(&seams, uvs.shape[0])?
            } else {
                triangles.clone()
            };
            let fits = archive.has(&seams) || uvs.shape[0] == vertices;
            if !fits || uv_triangles.len() != triangles.len() {
                let what = format!("its shape {:?} does not fit {vertices} vertices", uvs.shape);
                return Err(uvs.wrong(what));
            }
            let singles = |array: &Array| -> Vec<f32> {
                array.values::<4>().map(f32::from_le_bytes).collect()
            };
            record.softs.push(SoftColumns {
                name,
                vertices,
                triangles,
                uv_triangles,
                uvs: singles(&uvs).as_chunks().0.to_vec(),
                position: singles(&position).as_chunks().0.to_vec(),
                ..SoftColumns::default()
            });
        }
        Ok(record)
    }
}

/// An npz archive.
struct Archive<R: Read + Seek> {
    zip: ZipArchive<R>,
}

/// One array of it.
struct Array {
    name: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl<R: Read + Seek> Archive<R> {
    fn open(bytes: R) -> Result<Archive<R>, ReadError> {
        let zip = ZipArchive::new(bytes).map_err(|e| ReadError::Archive(e.to_string()))?;
        Ok(Archive { zip })
    }

    fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// An array of a kind and a shape; `None` stands for any number.
    fn array(
        &mut self,
        name: &str,
        kind: &str,
        shape: &[Option<usize>],
    ) -> Result<Array, ReadError> {
        let found = self.any(name, |k| k == kind, kind)?;
        let fits = found.shape.len() == shape.len()
            && shape.iter().zip(&found.shape).all(|(wanted, is)| wanted.is_none_or(|w| w == *is));
        if !fits {
            let side = |n: &Option<usize>| n.map_or("any".to_owned(), |n| n.to_string());
            let wanted: Vec<String> = shape.iter().map(side).collect();
            let what = format!("its shape is {:?}; expected [{}]", found.shape, wanted.join(", "));
            return Err(found.wrong(what));
        }
        Ok(found)
    }

    /// An array of triangles whose corners are less than a number.
    fn triangles(&mut self, name: &str, most: usize) -> Result<Vec<[u32; 3]>, ReadError> {
        let corners = self.array(name, "<i8", &[None, Some(3)])?;
        let corner = |bytes: [u8; 8]| {
            let corner = u64::from_le_bytes(bytes);
            let inside = usize::try_from(corner).is_ok_and(|c| c < most);
            let what =
                || format!("names vertex {}; expected less than {most}", corner.cast_signed());
            let found = u32::try_from(corner).ok().filter(|_| inside);
            found.ok_or_else(|| corners.wrong(what()))
        };
        let all: Vec<u32> = corners.values::<8>().map(corner).collect::<Result<_, _>>()?;
        Ok(all.as_chunks().0.to_vec())
    }

    /// An array of texts.
    fn names(&mut self, name: &str) -> Result<Vec<String>, ReadError> {
        let is_text = |k: &str| k.strip_prefix("<U").is_some_and(|n| n.parse::<usize>().is_ok());
        let found = self.any(name, is_text, "<U…")?;
        let [count] = found.shape[..] else {
            return Err(found.wrong("expected a list of texts".to_owned()));
        };
        let width = found.bytes.len() / 4 / count.max(1);
        let characters: Vec<u32> = found.values::<4>().map(u32::from_le_bytes).collect();
        let text = |part: &[u32]| -> Option<String> {
            part.iter().take_while(|c| **c != 0).map(|c| char::from_u32(*c)).collect()
        };
        let texts: Option<Vec<String>> =
            characters.chunks(width.max(1)).take(count).map(text).collect();
        texts.ok_or_else(|| found.wrong("it holds what is no text".to_owned()))
    }

    fn any(
        &mut self,
        name: &str,
        fits: impl Fn(&str) -> bool,
        wanted: &str,
    ) -> Result<Array, ReadError> {
        let wrong = |what: String| ReadError::Array { name: name.to_owned(), what };
        let mut content = Vec::new();
        let mut entry =
            self.zip.by_name(&format!("{name}.npy")).map_err(|e| wrong(e.to_string()))?;
        // The checksum is compared when the last byte is read.
        entry.read_to_end(&mut content).map_err(|e| wrong(e.to_string()))?;
        let (kind, shape, start) = npy::head(&content)
            .ok_or_else(|| wrong("it does not begin as an npy file does".to_owned()))?;
        if !fits(&kind) {
            return Err(wrong(format!("it holds \"{kind}\"; expected \"{wanted}\"")));
        }
        let width = match kind.strip_prefix("<U") {
            Some(n) => n.parse::<usize>().ok().and_then(|n| n.checked_mul(4)),
            None => kind[2..].parse().ok(),
        };
        let size = shape.iter().try_fold(width.unwrap_or(0), |size, n| size.checked_mul(*n));
        let bytes = content.split_off(start);
        if size != Some(bytes.len()) {
            let what = format!("it has {} bytes for a shape of {shape:?}", bytes.len());
            return Err(wrong(what));
        }
        Ok(Array { name: name.to_owned(), shape, bytes })
    }
}

impl Array {
    fn wrong(&self, what: String) -> ReadError {
        ReadError::Array { name: self.name.clone(), what }
    }

    fn values<const N: usize>(&self) -> impl Iterator<Item = [u8; N]> {
        self.bytes.as_chunks().0.iter().copied()
    }
}
