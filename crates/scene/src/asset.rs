//! Meshes, pictures and structure fields, from bytes and text.
//!
//! Nothing here opens a file. What a file refers to (the buffers of a glTF) is asked of a
//! [`Resolve`] function, which decides what may be read; names reach it as they stand in the file,
//! `..` included.
//!
//! - [`mesh`]: glTF, GLB, OBJ, PLY and STL;
//! - [`image`]: PNG and JPEG as data textures;
//! - [`tmd`]: measured height maps;
//! - [`field`]: structure directions from formulas;
//! - [`grain`]: structure directions from pictures;
//! - [`directions`]: structure directions of vertices from a text.

pub mod directions;
mod error;
pub mod field;
pub mod grain;
pub mod image;
pub mod mesh;
pub mod tmd;

pub use error::AssetError;

/// Hands over the bytes of a file that another file names, relative to that file.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, AssetError>;
