//! What a primitive of a glTF document says of its vertices.

use ::gltf::{Primitive, Semantic};
use glamx::{DAffine3, DMat3, DVec2, DVec3};

use super::accessor::Elements;
use super::nodes::Placed;
use crate::asset::mesh::draft::Vertex;
use crate::asset::mesh::normals::unit;

/// Name of the attribute with the structure direction of each vertex, without the underscore that names outside of
/// the specification have.
const GRAIN: &str = "GRAIN";

/// The attributes of a primitive's vertices, all of the same length.
pub(super) struct Attributes<'a> {
    positions: Elements<'a>,
    normals: Option<Elements<'a>>,
    tangents: Option<Elements<'a>>,
    uvs: Option<Elements<'a>>,
    grains: Option<Elements<'a>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn read(
        primitive: &Primitive,
        buffers: &'a [Vec<u8>],
    ) -> Result<Attributes<'a>, String> {
        let attribute = |semantic: &Semantic| {
            let accessor = primitive.get(semantic);
            accessor.map(|a| Elements::attribute(&a, semantic, buffers)).transpose()
        };
        let read = Attributes {
            positions: attribute(&Semantic::Positions)?.ok_or("no POSITION; expected one")?,
            normals: attribute(&Semantic::Normals)?,
            tangents: attribute(&Semantic::Tangents)?,
            uvs: attribute(&Semantic::TexCoords(0))?,
            grains: attribute(&Semantic::Extras(GRAIN.to_owned()))?,
        };
        let others = [
            ("NORMAL", &read.normals),
            ("TANGENT", &read.tangents),
            ("TEXCOORD_0", &read.uvs),
            ("_GRAIN", &read.grains),
        ];
        for (name, other) in others {
            if let Some(other) = other.as_ref().filter(|o| o.count() != read.count()) {
                let (found, expected) = (other.count(), read.count());
                return Err(format!(
                    "{name} has {found} elements; expected {expected} as POSITION has"
                ));
            }
        }
        Ok(read)
    }

    /// How many vertices there are.
    pub(super) fn count(&self) -> usize {
        self.positions.count()
    }

    /// Vertex `i`, where its node puts it; `source` is its number in the file.
    pub(super) fn vertex(&self, i: usize, place: &Place, source: usize) -> Result<Vertex, String> {
        fn of<const N: usize>(
            elements: Option<&Elements>,
            i: usize,
        ) -> Result<Option<[f64; N]>, String> {
            elements.map(|e| e.get(i)).transpose()
        }
        Ok(Vertex {
            position: place.point(self.positions.get(i)?),
            normal: of(self.normals.as_ref(), i)?.and_then(|n| place.normal(n)),
            tangent: of(self.tangents.as_ref(), i)?.map(|t| place.tangent(t)),
            // v grows downwards in a glTF.
            uv: of(self.uvs.as_ref(), i)?.map(|[u, v]| DVec2::new(u, 1.0 - v)),
            grain: of(self.grains.as_ref(), i)?.map(|g| place.direction(g)),
            source,
        })
    }
}

/// How a node places points and turns directions.
pub(super) struct Place {
    transform: DAffine3,
    normals: DMat3,
    pub(super) is_mirrored: bool,
}

impl Place {
    pub(super) fn new(placed: &Placed) -> Place {
        let m = placed.transform.matrix3;
        let is_mirrored = m.determinant() < 0.0;
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        // The matrix of cofactors is det(m) m⁻ᵀ, and exists where that inverse does not.
        let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
        let normals = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * sign;
        Place { transform: placed.transform, normals, is_mirrored }
    }

    fn point(&self, point: [f64; 3]) -> DVec3 {
        self.transform.transform_point3(point.into())
    }

    /// Nothing where the normal has no length.
    fn normal(&self, normal: [f64; 3]) -> Option<DVec3> {
        if !normal.iter().all(|x| x.is_finite()) {
            // Left as it is for the check of all vertices.
            return Some(normal.into());
        }
        unit(self.normals * DVec3::from(normal))
    }

    /// A direction along the surface.
    fn direction(&self, direction: [f64; 3]) -> DVec3 {
        self.transform.matrix3 * DVec3::from(direction)
    }

    fn tangent(&self, [x, y, z, sign]: [f64; 4]) -> [f64; 4] {
        let t = self.direction([x, y, z]);
        [t.x, t.y, t.z, if self.is_mirrored { -sign } else { sign }]
    }
}
