//! Friction blocks in our own format: rows, load, set, and what gives and drags.

use asperity_friction::{Law, LoadRule, Rheology};
use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::native::RawSet;
use crate::ProblemError;
use crate::block::FrictionBlock;
use crate::error::size;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBlock {
    /// First row and one past the last.
    rows: [usize; 2],
    load: RawLoad,
    /// Normal rows whose push a constant load needs, first and one past the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normals: Option<[usize; 2]>,
    set: RawSet,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bias: Option<[f64; 3]>,
    /// Row by row, as drag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compliance: Option<[[f64; 3]; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drag: Option<[[f64; 3]; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawLoad {
    Constant(f64),
    Normals([usize; 2]),
}

impl RawBlock {
    /// The block with this number.
    pub(super) fn build(self, number: usize) -> Result<FrictionBlock, ProblemError> {
        let field = |name: &str| format!("blocks[{number}].{name}");
        let set = self.set.build();
        let set = set.map_err(|source| ProblemError::Set { field: field("set"), source })?;
        let (load, normals) = match (self.load, self.normals) {
            (RawLoad::Normals(rows), None) => (LoadRule::Normal, rows),
            (RawLoad::Constant(load), rows) => (LoadRule::Constant(load), rows.unwrap_or_default()),
            (RawLoad::Normals(_), Some(_)) => {
                let expected = "them in \"load\", or a constant load";
                return Err(size(field("normals"), "normal rows again", expected));
            }
        };
        let stiff = self.bias.is_none() && self.compliance.is_none() && self.drag.is_none();
        let matrix = |rows: Option<[[f64; 3]; 3]>| {
            DMat3::from_cols_array_2d(&rows.unwrap_or_default()).transpose()
        };
        let rheology = || Rheology {
            bias: DVec3::from_array(self.bias.unwrap_or_default()),
            compliance: matrix(self.compliance),
            drag: matrix(self.drag),
        };
        let rheology = (!stiff).then(|| Box::new(rheology()));
        let law = Law { set, load, rheology };
        Ok(FrictionBlock { rows: self.rows[0]..self.rows[1], normals: normals[0]..normals[1], law })
    }
}

impl From<&FrictionBlock> for RawBlock {
    fn from(block: &FrictionBlock) -> RawBlock {
        let normals = [block.normals.start, block.normals.end];
        let (load, gate) = match block.law.load {
            LoadRule::Normal => (RawLoad::Normals(normals), None),
            LoadRule::Constant(load) => {
                (RawLoad::Constant(load), (!block.normals.is_empty()).then_some(normals))
            }
        };
        let rheology = block.law.rheology.as_deref();
        let matrix = |m: DMat3| m.transpose().to_cols_array_2d();
        RawBlock {
            rows: [block.rows.start, block.rows.end],
            load,
            normals: gate,
            set: RawSet::from(&block.law.set),
            bias: rheology.map(|r| r.bias.to_array()),
            compliance: rheology.map(|r| matrix(r.compliance)),
            drag: rheology.map(|r| matrix(r.drag)),
        }
    }
}
