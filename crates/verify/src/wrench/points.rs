//! The same contacts at points: what a wrench contact replaces.

use asperity::friction::set::Set;
use asperity::glamx::{DVec2, DVec3};
use asperity::solve::{Bodies, ContactProblem, FrictionBlock, Operator, RowEntry};

/// Points of a contact, as many as the paper's octagonal block has (section 6.1.8).
pub const POINTS: usize = 21;

/// A problem of wrench contacts with each of them spread over [`POINTS`] points of its patch: a grid of
/// five by five without its corners, which reaches to the rim. Bodies, normals, velocities and coefficients are the
/// same; only what carries the load differs. None where a contact is not a wrench.
pub fn spread(problem: &ContactProblem) -> Option<ContactProblem> {
    spread_over(problem, 2)
}

/// The same over a grid of so many points on each side of the middle: 25 for 1,961 points.
pub fn spread_over(problem: &ContactProblem, grid: i32) -> Option<ContactProblem> {
    let Operator::Bodies(from) = &problem.operator else { return None };
    let mut bodies = Bodies { inverse_masses: from.inverse_masses.clone(), ..Bodies::default() };
    let (mut q, mut blocks) = (Vec::new(), Vec::new());
    for block in &problem.blocks {
        let Set::Wrench(set) = &block.law.set else { return None };
        let first = block.rows.start;
        for at in places(grid) {
            let arm = set.patch().rotation().to_frame(at * set.patch().mu());
            // A force at the point is one in the middle and its torque about it: p × f.
            let parts = [
                [(0, 1.0), (4, arm.y), (5, -arm.x)],
                [(1, 1.0), (3, -arm.y), (3, 0.0)],
                [(2, 1.0), (3, arm.x), (3, 0.0)],
            ];
            let normal = q.len();
            for part in parts {
                let entries = |row: usize| {
                    let row = first + row;
                    &from.entries[from.row_start[row]..from.row_start[row + 1]]
                };
                let sum = |k: usize, of: fn(&RowEntry) -> DVec3| {
                    part.iter().map(|(row, c)| of(&entries(*row)[k]) * *c).sum::<DVec3>()
                };
                let count = entries(0).len();
                bodies.push_row((0..count).map(|k| RowEntry {
                    dof_block: entries(0)[k].dof_block,
                    linear: sum(k, |e| e.linear),
                    angular: sum(k, |e| e.angular),
                }));
                q.push(part.iter().map(|(row, c)| problem.q[first + row] * c).sum());
            }
            let rows = normal + 1..normal + 3;
            blocks.push(FrictionBlock::contact(normal, rows, set.section().clone()));
        }
    }
    let name = problem.name.clone();
    let operator = Operator::Bodies(bodies);
    Some(ContactProblem { name, operator, q, compliance: Vec::new(), blocks })
}

/// In units of the half axes, row by row: in an order that favours none.
fn places(grid: i32) -> impl Iterator<Item = DVec2> {
    let edge = grid * grid + 1;
    let line = move |i: i32| (-grid..=grid).map(move |j| (i, j));
    let inside = (-grid..=grid).flat_map(line).filter(move |(i, j)| i * i + j * j <= edge);
    inside.map(move |(i, j)| DVec2::new(f64::from(i), f64::from(j)) / f64::from(edge).sqrt())
}
