//! Our own format: every set and every operator.

use asperity_friction::FrictionError;
use asperity_friction::set::{
    BoxSet, Disk, DiskDisk, Ellipse, Ellipsoid, Interval, LimitPolytope, LimitSurface, MAX_DIM,
    Part, Polygon, Rotation, Sector, Set, Tensor,
};
use glamx::{DMat2, DVec2};
use serde::{Deserialize, Serialize};

use super::Coo;
use super::block::RawBlock;
use super::coupling::RawCoupling;
use super::wrench::RawWrench;
use crate::error::size;
use crate::problem::{Bodies, ContactProblem, InverseMass, Operator, RowEntry};
use crate::{Coupling, Factored, ProblemError};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    format: String,
    #[serde(default)]
    name: String,
    operator: RawOperator,
    q: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    compliance: Vec<f64>,
    blocks: Vec<RawBlock>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum RawOperator {
    #[serde(rename = "W")]
    Explicit(Coo),
    Global {
        #[serde(rename = "M")]
        mass: Coo,
        #[serde(rename = "H")]
        h: Coo,
        f: Vec<f64>,
        w: Vec<f64>,
    },
    Bodies {
        inverse_masses: Vec<InverseMass>,
        rows: Vec<Vec<RowEntry>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        coupling: Option<RawCoupling>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum RawSet {
    Free(usize),
    Interval {
        min: f64,
        max: f64,
    },
    Disk {
        mu: f64,
    },
    Ellipse {
        mu: DVec2,
        angle: f64,
    },
    Box {
        first: [f64; 2],
        second: [f64; 2],
        angle: f64,
    },
    Polygon {
        corners: Vec<DVec2>,
    },
    Tensor {
        sectors: Vec<RawSector>,
    },
    Ellipsoid {
        mu: DVec2,
        angle: f64,
        drilling: f64,
    },
    DiskDisk {
        slide: f64,
        roll: f64,
    },
    /// Parts are x, y, share and spin radius; rings are radius and share.
    LimitSurface {
        mu: DVec2,
        angle: f64,
        #[serde(default)]
        parts: Vec<[f64; 4]>,
        #[serde(default)]
        rings: Vec<[f64; 2]>,
    },
    /// Points are x, y and share.
    LimitPolytope {
        corners: Vec<DVec2>,
        points: Vec<[f64; 3]>,
    },
    Wrench(RawWrench),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSector {
    start: f64,
    /// Row by row.
    matrix: [DVec2; 2],
}

pub(super) fn read(text: &str) -> Result<ContactProblem, ProblemError> {
    let raw: Raw = serde_json::from_str(text)?;
    let rows = raw.q.len();
    let operator = match raw.operator {
        RawOperator::Explicit(w) => {
            let field = "operator.W";
            Operator::Explicit(w.within(field, rows, rows)?.into_matrix(field)?)
        }
        RawOperator::Global { mass, h, f, w } => {
            let n = f.len();
            let mass = mass.within("operator.global.M", n, n)?;
            let h = h.within("operator.global.H", n, rows)?;
            Operator::Factored(Box::new(Factored::new(
                mass.into_matrix("operator.global.M")?,
                h.into_matrix("operator.global.H")?,
                f,
                w,
            )?))
        }
        RawOperator::Bodies { inverse_masses, rows, coupling } => {
            let mut bodies = Bodies {
                inverse_masses,
                row_start: vec![0],
                entries: Vec::new(),
                coupling: coupling.map_or_else(|| Ok(Coupling::default()), RawCoupling::build)?,
            };
            for row in rows {
                bodies.push_row(row);
            }
            Operator::Bodies(bodies)
        }
    };
    let mut blocks = Vec::with_capacity(raw.blocks.len());
    for (k, block) in raw.blocks.into_iter().enumerate() {
        blocks.push(block.build(k)?);
    }
    let problem =
        ContactProblem { name: raw.name, operator, q: raw.q, compliance: raw.compliance, blocks };
    problem.validate()?;
    if let Operator::Factored(f) = &problem.operator
        && f.q().len() != problem.q.len()
    {
        return Err(size("q", "another length than H has columns", "as many"));
    }
    Ok(problem)
}

pub(super) fn write(problem: &ContactProblem) -> Result<String, ProblemError> {
    let operator = match &problem.operator {
        Operator::Explicit(w) => RawOperator::Explicit(Coo::from_matrix(w)),
        Operator::Factored(factored) => {
            let (mass, h, f, w) = factored.parts();
            RawOperator::Global {
                mass: Coo::from_matrix(mass),
                h: Coo::from_matrix(h),
                f: f.to_vec(),
                w: w.to_vec(),
            }
        }
        Operator::Bodies(bodies) => RawOperator::Bodies {
            inverse_masses: bodies.inverse_masses.clone(),
            rows: bodies
                .row_start
                .windows(2)
                .map(|row| bodies.entries[row[0]..row[1]].to_vec())
                .collect(),
            coupling: RawCoupling::of(&bodies.coupling),
        },
    };
    let raw = Raw {
        format: "asperity-problem-1".to_owned(),
        name: problem.name.clone(),
        operator,
        q: problem.q.clone(),
        compliance: problem.compliance.clone(),
        blocks: problem.blocks.iter().map(RawBlock::from).collect(),
    };
    Ok(serde_json::to_string(&raw)?)
}

impl RawSet {
    pub(super) fn build(self) -> Result<Set, FrictionError> {
        let interval = |b: [f64; 2]| Interval::new(b[0], b[1]);
        Ok(match self {
            RawSet::Free(dim) if (1..=MAX_DIM).contains(&dim) => Set::Free(dim),
            RawSet::Free(dim) => {
                return Err(FrictionError::Shape(format!(
                    "a free block of {dim} rows; expected 1 to {MAX_DIM}"
                )));
            }
            RawSet::Interval { min, max } => Interval::new(min, max)?.into(),
            RawSet::Disk { mu } => Disk::new(mu)?.into(),
            RawSet::Ellipse { mu, angle } => {
                Ellipse::new(mu.x, mu.y, Rotation::from_angle(angle))?.into()
            }
            RawSet::Box { first, second, angle } => {
                BoxSet::new(interval(first)?, interval(second)?, Rotation::from_angle(angle)).into()
            }
            RawSet::Polygon { corners } => Polygon::from_points(&corners)?.into(),
            RawSet::Tensor { sectors } => {
                let sector = |s: RawSector| Sector {
                    start: s.start,
                    matrix: DMat2::from_cols(s.matrix[0], s.matrix[1]).transpose(),
                };
                Tensor::from_sectors(sectors.into_iter().map(sector).collect())?.into()
            }
            RawSet::Ellipsoid { mu, angle, drilling } => {
                let section = Ellipse::new(mu.x, mu.y, Rotation::from_angle(angle))?;
                Ellipsoid::new(section, drilling)?.into()
            }
            RawSet::DiskDisk { slide, roll } => DiskDisk::new(slide, roll)?.into(),
            RawSet::LimitSurface { mu, angle, parts, rings } => {
                let section = Ellipse::new(mu.x, mu.y, Rotation::from_angle(angle))?;
                if rings.is_empty() {
                    let part = |[x, y, share, spin_radius]: [f64; 4]| Part {
                        place: DVec2::new(x, y),
                        share,
                        spin_radius,
                    };
                    let parts: Vec<Part> = parts.into_iter().map(part).collect();
                    LimitSurface::from_parts(section, &parts)?.into()
                } else {
                    let rings: Vec<(f64, f64)> = rings.into_iter().map(Into::into).collect();
                    LimitSurface::from_rings(mu.x, &rings)?.with_section(section)?.into()
                }
            }
            RawSet::LimitPolytope { corners, points } => {
                let point = |[x, y, share]: [f64; 3]| (DVec2::new(x, y), share);
                let points: Vec<_> = points.into_iter().map(point).collect();
                LimitPolytope::new(&Polygon::from_points(&corners)?, &points)?.into()
            }
            RawSet::Wrench(raw) => raw.build()?.into(),
        })
    }
}

impl From<&Set> for RawSet {
    fn from(set: &Set) -> RawSet {
        let bounds = |i: Interval| [i.min(), i.max()];
        match set {
            Set::Free(dim) => RawSet::Free(*dim),
            Set::Interval(s) => RawSet::Interval { min: s.min(), max: s.max() },
            Set::Disk(s) => RawSet::Disk { mu: s.radius() },
            Set::Ellipse(s) => RawSet::Ellipse { mu: s.mu(), angle: s.rotation().angle() },
            Set::Box(s) => RawSet::Box {
                first: bounds(s.first()),
                second: bounds(s.second()),
                angle: s.rotation().angle(),
            },
            Set::Polygon(s) => RawSet::Polygon { corners: s.corners().to_vec() },
            Set::Tensor(s) => RawSet::Tensor {
                sectors: s
                    .sectors()
                    .iter()
                    .map(|s| RawSector {
                        start: s.start,
                        matrix: [s.matrix.row(0), s.matrix.row(1)],
                    })
                    .collect(),
            },
            Set::Ellipsoid(s) => RawSet::Ellipsoid {
                mu: s.section().mu(),
                angle: s.section().rotation().angle(),
                drilling: s.drilling(),
            },
            Set::DiskDisk(s) => {
                RawSet::DiskDisk { slide: s.slide().radius(), roll: s.roll().radius() }
            }
            Set::LimitSurface(s) => RawSet::LimitSurface {
                mu: s.section().mu(),
                angle: s.section().rotation().angle(),
                parts: s.parts().map(|p| [p.place.x, p.place.y, p.share, p.spin_radius]).collect(),
                rings: s.rings().map(Into::into).collect(),
            },
            Set::LimitPolytope(s) => RawSet::LimitPolytope {
                corners: s.corners().to_vec(),
                points: s.points().map(|(at, share)| [at.x, at.y, share]).collect(),
            },
            Set::Wrench(s) => RawSet::Wrench(RawWrench::from(s.as_ref())),
        }
    }
}
