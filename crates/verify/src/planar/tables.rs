//! Pre-computed limit surfaces against the authors'.
//!
//! Their index truncates towards zero where it should round down. Where the centre of rotation lies
//! within one cell outside of an edge where indices begin, their bilinear mean extrapolates with a
//! negative weight. Those nodes, and queries that touch them, are judged apart: against the exact
//! surface of the cells, to which ours must be the nearer.

use asperity::friction::extent::steady::bilinear_wrench;
use asperity::friction::extent::{Exact, Pressure, Table, sampled_twist};
use asperity::glamx::{DVec2, DVec3};

use super::golden::Golden;
use super::models::shape;
use crate::Check;
use crate::Group;
use crate::VerifyError;
use crate::experiment::model::GridPatch;
use crate::experiment::paper;

pub(crate) fn groups<'a>(golden: &Golden<'a>, groups: &mut Vec<Group<'a>>) {
    let g = golden.clone();
    groups.push(("limit-surface tables", Box::new(move || tables(&g))));
}

const RESOLUTION: usize = 20;

fn tables(golden: &Golden) -> Result<Vec<Check>, VerifyError> {
    let mut checks = Vec::new();
    for file in golden.files("limit_surface_query_", ".csv")? {
        let name = file.trim_start_matches("limit_surface_query_").trim_end_matches(".csv");
        let pressure = match name.strip_prefix("Prop_k2_fn").map(str::parse::<f64>) {
            Some(Ok(load)) => paper::soft_patch(false).pressure(load)?,
            _ => GridPatch::of_paper(shape(name)?).pressure(1.0)?,
        };
        let table = Table::new(&pressure, RESOLUTION)?;
        let r = pressure.spin_radius();
        let bad = |i: usize, j: usize| at_low_edge(&pressure, sampled_twist(i, j, RESOLUTION, r));
        let theirs = golden.limit_surface(name)?;
        let mut nodes = 0.0_f64;
        let mut apart = Apart::default();
        let exact = Exact::cells(&pressure);
        for (k, their) in theirs.iter().enumerate() {
            let (i, j) = (k / (RESOLUTION + 1), k % (RESOLUTION + 1));
            let our = table.node(i, j).unwrap_or(DVec3::NAN);
            if bad(i, j) {
                let twist = sampled_twist(i, j, RESOLUTION, r);
                let true_one = exact.wrench(twist) / DVec3::new(1.0, 1.0, r);
                apart.add(our, *their, true_one);
            } else {
                nodes = nodes.max((our - *their).abs().max_element());
            }
        }
        checks.push(Check::below(&format!("{name}: nodes"), 1e-9, nodes, ""));
        let queries = golden.read(&file)?;
        let twists = queries.vectors(["vx", "vy", "omega"])?;
        let theirs = queries.vectors(["h_x", "h_y", "h_tau"])?;
        let mut worst = 0.0_f64;
        let mut left_out = 0;
        let mut all = Apart::default();
        for (twist, their) in twists.iter().zip(&theirs) {
            let true_one = bilinear_wrench(&pressure, *twist) / DVec3::new(1.0, 1.0, r);
            all.add(table.rounded_lookup(r, *twist), *their, true_one);
            if touches(*twist, r, &bad) {
                left_out += 1;
            } else {
                let error = (table.lookup(r, *twist) - *their).abs().max_element();
                worst = worst.max(error);
            }
        }
        let what = format!("{name}: {} queries", theirs.len() - left_out);
        checks.push(Check::below(&what, 1e-3, worst, ""));
        // Against the steady state of the cells without a table.
        checks.push(all.check(&format!("{name}: all queries by cubics, error over theirs")));
        if apart.count > 0 {
            let what = format!("{name}: {} nodes at low edges, error over theirs", apart.count);
            checks.push(apart.check(&what));
        }
    }
    Ok(checks)
}

/// Sums of squared errors, ours and theirs.
#[derive(Default)]
struct Apart {
    count: usize,
    ours: f64,
    theirs: f64,
    worst: f64,
}

impl Apart {
    fn add(&mut self, our: DVec3, their: DVec3, exact: DVec3) {
        self.count += 1;
        self.ours += (our - exact).length_squared();
        self.theirs += (their - exact).length_squared();
        self.worst = self.worst.max((their - exact).abs().max_element());
    }

    /// Ours must be the nearer to the exact one.
    fn check(&self, what: &str) -> Check {
        let found = self.ours.sqrt() / self.theirs.sqrt();
        Check {
            what: what.to_owned(),
            expected: format!("theirs off {:.3}", self.worst),
            found: format!("{found:.3}"),
            allowed: "< 1".to_owned(),
            holds: found < 1.0,
        }
    }
}

/// Whether a centre of rotation lies within one cell outside of the left or the lower edge, from
/// where the authors count cells.
fn at_low_edge(pressure: &Pressure, twist: DVec3) -> bool {
    if twist.z == 0.0 {
        return false;
    }
    let cop = pressure.centre();
    let at = cop + DVec2::new(-twist.y, twist.x) / twist.z;
    let half = 0.5 * pressure.width();
    let (column, row) = ((at.x + half) / pressure.cell(), (at.y + half) / pressure.cell());
    let side = pressure.side() as f64;
    // A hair of tolerance at the edges themselves.
    let within = |i: f64| i > -1.0 - 1e-9 && i < side + 1e-9;
    within(column) && within(row) && (column < 1e-9 || row < 1e-9)
}

/// Whether a lookup uses a node where the authors' index is wrong.
fn touches(twist: DVec3, r: f64, bad: &dyn Fn(usize, usize) -> bool) -> bool {
    let sign = if twist.z < 0.0 { -1.0 } else { 1.0 };
    let scale = RESOLUTION as f64 / std::f64::consts::FRAC_PI_2;
    let theta = (sign * twist.y).atan2(sign * twist.x).rem_euclid(std::f64::consts::TAU);
    let phi = twist.x.hypot(twist.y).atan2(r * twist.z.abs());
    let (i, j) = ((theta * scale) as usize, (phi * scale) as usize);
    [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]
        .into_iter()
        .any(|(i, j)| j <= RESOLUTION && bad(i, j))
}
