//! What a picture shows, in plain data: no adapter is needed to describe one.
//!
//! Lengths are in any one unit, axes are right-handed. Colours are linear light from 0 to 1
//! ([`linear`] makes them from the usual sRGB bytes).

mod camera;
mod check;
mod mesh;
mod overlay;
mod relief;

pub use camera::{Background, Camera, Light};
pub use check::{MAX_SAMPLES, MAX_SIDE};
pub use mesh::{Image, Mesh, Vertex};
pub use overlay::{Depth, Facet, FacetCorner, Line};
pub use relief::Relief;
pub(crate) use relief::{Level, Moments, half};

use glamx::{Mat4, Vec3};

/// What stays the same from one shot to the next.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// Meshes, by number.
    pub meshes: Vec<Mesh>,
    /// Images, by number.
    pub images: Vec<Image>,
    /// Reliefs, by number.
    pub reliefs: Vec<Relief>,
}

/// One picture of a stage.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Samples of each pixel: 1 or 4.
    pub samples: u32,
    /// From where it is seen.
    pub camera: Camera,
    /// What lights it.
    pub light: Light,
    /// What is behind it.
    pub background: Background,
    /// What is in it.
    pub instances: Vec<Instance>,
    /// Lines over it, in the order they are drawn.
    pub lines: Vec<Line>,
    /// Triangles over it, lit or translucent: arrows, cones.
    pub facets: Vec<Facet>,
    /// Whether the frame says which instance each pixel shows.
    pub identities: bool,
}

/// A mesh somewhere in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Number of its mesh.
    pub mesh: usize,
    /// A turn and a shift.
    pub world_from_mesh: Mat4,
    /// What it looks like.
    pub look: Look,
    /// What the identity buffer says; 0 is the background.
    pub id: u32,
}

/// What a surface looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Colour; multiplies the image.
    pub colour: [f32; 3],
    /// Of what is finer than its relief: 0 is a mirror, 1 is chalk.
    pub roughness: f32,
    /// 1 is a metal, which mirrors in its colour; 0 is anything else.
    pub metalness: f32,
    /// Number of the image that covers it, at the mesh's texture coordinates.
    pub image: Option<usize>,
    /// Number of its relief, at the mesh's texture coordinates.
    pub relief: Option<usize>,
    /// Drawn into the colour.
    pub pattern: Pattern,
    /// Where it fades into the background.
    pub fade: Option<Fade>,
    /// Whether it throws a shadow.
    pub casts_shadow: bool,
}

/// A pattern in the axes of the mesh, so that turning can be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// None.
    Plain,
    /// The eight octants about the origin, alternately darker by this share.
    Octants(f32),
    /// Lines along x and z, `size` apart.
    Grid {
        /// Distance of lines.
        size: f32,
        /// How much darker they are.
        strength: f32,
    },
    /// Streaks along a direction, as wood has them, through the whole solid.
    Grain {
        /// Unit vector.
        direction: [f32; 3],
        /// Width of a streak.
        width: f32,
        /// How much darker they are.
        strength: f32,
    },
}

/// A surface that ends nowhere fades into the background at a distance from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// The point.
    pub centre: Vec3,
    /// Where it begins.
    pub inner: f32,
    /// Where nothing is left.
    pub outer: f32,
}

impl Shot {
    /// An empty picture, seen from the front and above.
    pub fn new(size: [u32; 2]) -> Shot {
        Shot {
            size,
            samples: 4,
            camera: Camera::default(),
            light: Light::default(),
            background: Background::default(),
            instances: Vec::new(),
            lines: Vec::new(),
            facets: Vec::new(),
            identities: false,
        }
    }
}

impl Instance {
    /// A grey mesh where it was made.
    pub fn new(mesh: usize, id: u32) -> Instance {
        Instance { mesh, world_from_mesh: Mat4::IDENTITY, look: Look::default(), id }
    }
}

impl Default for Look {
    fn default() -> Look {
        Look {
            colour: [0.5; 3],
            roughness: 0.55,
            metalness: 0.0,
            image: None,
            relief: None,
            pattern: Pattern::Plain,
            fade: None,
            casts_shadow: true,
        }
    }
}

/// Linear light of an sRGB colour.
pub fn linear(srgb: [u8; 3]) -> [f32; 3] {
    srgb.map(|byte| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

/// The sRGB byte of linear light.
pub(crate) fn srgb(linear: f32) -> u8 {
    let c = linear.clamp(0.0, 1.0);
    let s = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (255.0 * s).round() as u8
}
