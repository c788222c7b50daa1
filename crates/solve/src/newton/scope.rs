//! What methods that eliminate over bodies take: sets, loads, masses and sizes.

use asperity_friction::set::Set;
use asperity_friction::{Law, LoadRule};

use super::system::pairs_of;
use crate::block::FrictionBlock;
use crate::block_lu::BlockLu;
use crate::problem::{Bodies, ContactProblem, InverseMass, Operator};
use crate::solution::Support;
use crate::solver::{Refusal, Untaken};

/// Discs, ellipses, ellipsoids, polygons and boxes, patches of several normal rows, equal bounds, and what joints need; nothing that gives or
/// drags.
pub(crate) fn supports(law: &Law) -> Support {
    let native = match &law.set {
        Set::Free(_)
        | Set::Disk(_)
        | Set::Ellipse(_)
        | Set::Ellipsoid(_)
        | Set::Polygon(_)
        | Set::Box(_)
        | Set::LimitSurface(_) => true,
        Set::Interval(s) => s.min() == -s.max(),
        _ => false,
    };
    if native && law.rheology.is_none() { Support::Native } else { Support::Unsupported }
}

/// The bodies of a problem whose sets, loads and masses are such as elimination takes.
pub(crate) fn taken<'a>(
    solver: &'static str,
    problem: &'a ContactProblem,
) -> Result<&'a Bodies, Refusal> {
    let refuse = |what: Untaken| Refusal { solver, what, instead: INSTEAD };
    let bodies = match &problem.operator {
        Operator::Bodies(bodies) if bodies.coupling.is_empty() => bodies,
        Operator::Bodies(_) => return Err(refuse(Untaken::Operator("rows of soft bodies"))),
        Operator::Explicit(_) | Operator::Factored(_) => {
            return Err(refuse(Untaken::Operator("rows that are not over bodies")));
        }
    };
    for (block, b) in problem.blocks.iter().enumerate() {
        if b.law.rheology.is_some() {
            return Err(refuse(Untaken::Rheology(block)));
        }
        let shape = b.law.set.name();
        if supports(&b.law) != Support::Native {
            return Err(refuse(Untaken::Set { block, shape }));
        }
        let gives = b.rows.clone().any(|row| problem.give(row) != 0.0);
        if !knows_load(b) || matches!(b.law.set, Set::LimitSurface(_)) && gives {
            return Err(refuse(Untaken::Load { block, shape }));
        }
    }
    let movable = |m: &InverseMass| match m {
        InverseMass::Body { mass, inertia } => *mass > 0.0 && inertia.determinant() > 0.0,
        InverseMass::Point(mass) => *mass > 0.0,
    };
    match bodies.inverse_masses.iter().position(|m| !movable(m)) {
        Some(block) => Err(refuse(Untaken::Mass(block))),
        None => Ok(bodies),
    }
}

/// Why a problem is not taken, its size included.
pub(crate) fn refuses(
    solver: &'static str,
    problem: &ContactProblem,
    most_work: usize,
) -> Option<Refusal> {
    let bodies = match taken(solver, problem) {
        Ok(bodies) => bodies,
        Err(refusal) => return Some(refusal),
    };
    let mut pairs = Vec::new();
    pairs_of(bodies, 0..bodies.rows(), &mut pairs);
    let small = BlockLu::default().analyse(bodies.inverse_masses.len(), &pairs, most_work);
    (!small).then(|| too_much(solver))
}

/// A problem whose elimination would be more work than wanted.
pub(crate) fn too_much(solver: &'static str) -> Refusal {
    let what = Untaken::Size("an elimination of so many bodies with so many neighbours");
    Refusal { solver, what, instead: INSTEAD }
}

fn knows_load(block: &FrictionBlock) -> bool {
    match block.law.load {
        // Sides are known as cones over a normal row.
        LoadRule::Constant(_) => {
            !block.stands_alone() && !matches!(block.law.set, Set::Polygon(_) | Set::Box(_))
        }
        // The load of a patch is that of the proximal point; with one row it would be a cone.
        LoadRule::Normal if matches!(block.law.set, Set::LimitSurface(_)) => {
            block.normals.len() > 1
        }
        LoadRule::Normal => block.normals.len() == 1,
    }
}

const INSTEAD: &str = "\"prox\" takes every problem, and \"auto\" chooses";
