//! The formats of published collections of contact problems.

use asperity_friction::FrictionError;
use asperity_friction::set::{Disk, DiskDisk, Interval, Set};
use serde::{Deserialize, Serialize};

use super::Coo;
use crate::block::{FrictionBlock, point_contacts};
use crate::error::size;
use crate::problem::{ContactProblem, Operator};
use crate::{Factored, ProblemError};

#[derive(Serialize, Deserialize)]
struct Raw {
    format: String,
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dim: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ndof: Option<usize>,
    nc: usize,
    mu: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mu_r: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    q: Option<Vec<f64>>,
    #[serde(default, rename = "W", skip_serializing_if = "Option::is_none")]
    w_matrix: Option<Coo>,
    #[serde(default, rename = "M", skip_serializing_if = "Option::is_none")]
    mass: Option<Coo>,
    #[serde(default, rename = "H", skip_serializing_if = "Option::is_none")]
    h: Option<Coo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    f: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    w: Option<Vec<f64>>,
}

/// Rows of one contact and whether M, H, f, w are given instead of W and q.
fn layout(format: &str) -> Option<(usize, bool)> {
    let layouts = [
        ("fc3d-local", 3, false),
        ("fc2d-local", 2, false),
        ("rfc3d-local", 5, false),
        ("fc3d-global", 3, true),
    ];
    layouts.iter().find(|l| format.starts_with(l.0)).map(|l| (l.1, l.2))
}

pub(super) fn read(text: &str, format: &str) -> Result<ContactProblem, ProblemError> {
    let (dim, global) =
        layout(format).ok_or_else(|| ProblemError::UnknownFormat(format.to_owned()))?;
    let raw: Raw = serde_json::from_str(text)?;
    if raw.dim.is_some_and(|d| d != dim) {
        return Err(size(
            "dim",
            format!("{:?}", raw.dim.unwrap_or(0)),
            format!("{dim} in {format}"),
        ));
    }
    let rows = dim.saturating_mul(raw.nc);
    let per_contact = |field: &str, values: &[f64]| {
        if values.len() == raw.nc {
            Ok(())
        } else {
            Err(size(
                field,
                format!("{} numbers", values.len()),
                format!("{}, one for each contact (nc)", raw.nc),
            ))
        }
    };
    per_contact("mu", &raw.mu)?;
    let mu_r = if dim == 5 { required("mu_r", raw.mu_r)? } else { Vec::new() };
    if dim == 5 {
        per_contact("mu_r", &mu_r)?;
    }
    let set = |k: usize| -> Result<Set, FrictionError> {
        Ok(match dim {
            2 => Interval::symmetric(raw.mu[k])?.into(),
            3 => Disk::new(raw.mu[k])?.into(),
            _ => DiskDisk::new(raw.mu[k], mu_r[k])?.into(),
        })
    };
    let mut sets = Vec::with_capacity(raw.nc);
    for k in 0..raw.nc {
        let field = format!("field \"mu\", contact {k}");
        sets.push(set(k).map_err(|source| ProblemError::Set { field, source })?);
    }
    if global {
        let (mass, h) = (required("M", raw.mass)?, required("H", raw.h)?);
        let (force, offset) = (required("f", raw.f)?, required("w", raw.w)?);
        if h.n != rows {
            return Err(size(
                "H",
                format!("{} columns", h.n),
                format!("{rows}, three for each contact (nc)"),
            ));
        }
        let n = force.len();
        let mass = mass.within("M", n, n)?.into_matrix("M")?;
        let h = h.within("H", n, offset.len())?.into_matrix("H")?;
        let factored = Factored::new(mass, h, force, offset)?;
        let q = factored.q().to_vec();
        let problem = ContactProblem {
            name: raw.name,
            operator: Operator::Factored(Box::new(factored)),
            q,
            compliance: Vec::new(),
            blocks: point_contacts(sets),
        };
        problem.validate()?;
        return Ok(problem);
    }
    let w = required("W", raw.w_matrix)?;
    let q = required("q", raw.q)?;
    if w.m != w.n {
        return Err(size("W", format!("{} x {}", w.m, w.n), "a square matrix"));
    }
    if w.m != rows {
        return Err(size(
            "W",
            format!("{} rows", w.m),
            format!("{rows}, {dim} for each contact (nc), and at most as many as q has"),
        ));
    }
    // nc is as long as the list mu, so that nothing is larger than the file.
    ContactProblem::explicit(raw.name, w.into_matrix("W")?, q, sets)
}

fn required<T>(field: &str, value: Option<T>) -> Result<T, ProblemError> {
    value.ok_or_else(|| size(field, "missing", "it in this format"))
}

pub(super) fn write(problem: &ContactProblem) -> Result<String, ProblemError> {
    let refuse = |why: &str| Err(size("blocks", why, "what a published format can hold"));
    if problem.compliance.iter().any(|c| *c != 0.0) {
        return refuse("rows with compliance");
    }
    if problem.blocks.iter().any(FrictionBlock::stands_alone) {
        return refuse("laws that give or drag, or loads that are constant");
    }
    let (mut mu, mut mu_r) = (Vec::new(), Vec::new());
    for block in &problem.blocks {
        match &block.law.set {
            Set::Disk(s) => mu.push(s.radius()),
            Set::Interval(s) if s.min() == -s.max() => mu.push(s.max()),
            Set::DiskDisk(s) => {
                mu.push(s.slide().radius());
                mu_r.push(s.roll().radius());
            }
            other => return refuse(&format!("a set of shape {}", other.name())),
        }
    }
    let sets: Vec<Set> = problem.blocks.iter().map(|b: &FrictionBlock| b.law.set.clone()).collect();
    let dim = sets.first().map_or(3, |s| s.dim() + 1);
    if point_contacts(sets.clone()) != problem.blocks
        || dim * sets.len() != problem.rows()
        || sets.iter().any(|s| s.dim() + 1 != dim)
    {
        return refuse("rows that are not (normal, friction) in turn, alike for all contacts");
    }
    let mut raw = Raw {
        format: String::new(),
        name: problem.name.clone(),
        dim: Some(dim),
        ndof: None,
        nc: mu.len(),
        mu,
        mu_r: (dim == 5).then_some(mu_r),
        q: None,
        w_matrix: None,
        mass: None,
        h: None,
        f: None,
        w: None,
    };
    match (&problem.operator, dim) {
        (Operator::Explicit(w), _) => {
            let names = [(2, "fc2d-local-1"), (3, "fc3d-local-1"), (5, "rfc3d-local-1")];
            raw.format = names.iter().find(|n| n.0 == dim).map_or("", |n| n.1).into();
            raw.w_matrix = Some(Coo::from_matrix(w));
            raw.q = Some(problem.q.clone());
        }
        (Operator::Factored(factored), 3) => {
            let (mass, h, f, w) = factored.parts();
            raw.format = "fc3d-global-1".into();
            raw.dim = None;
            raw.ndof = Some(mass.rows());
            raw.mass = Some(Coo::from_matrix(mass));
            raw.h = Some(Coo::from_matrix(h));
            raw.f = Some(f.to_vec());
            raw.w = Some(w.to_vec());
        }
        _ => return refuse("rows over bodies"),
    }
    Ok(serde_json::to_string(&raw)?)
}
