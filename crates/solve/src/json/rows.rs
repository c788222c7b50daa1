//! Matrices row by row.

use glamx::{DMat3, DVec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Three rows.
pub(crate) fn serialize<S: Serializer>(matrix: &DMat3, out: S) -> Result<S::Ok, S::Error> {
    [0, 1, 2].map(|i| matrix.row(i)).serialize(out)
}

/// From three rows.
pub(crate) fn deserialize<'a, D: Deserializer<'a>>(input: D) -> Result<DMat3, D::Error> {
    let [x, y, z] = <[DVec3; 3]>::deserialize(input)?;
    Ok(DMat3::from_cols(x, y, z).transpose())
}
