//! How the solver of a scene takes the friction of its pairs, told when the scene loads.

use asperity_friction::extent::{
    ContactArea, Contour, EllipsePatch, Extent, Footprint, PressureRule, Rim, Rolling, SpinRule,
    WrenchOptions,
};
use asperity_friction::pairing::Pair;
use asperity_friction::set::{Disk, MAX_DIM};
use asperity_friction::surface::Surface;
use asperity_friction::{ContactFrame, ContactState, Law};
use asperity_solve::{
    Bodies, ContactProblem, Coupling, FrictionBlock, Operator, Refusal, SparseMatrix, Support,
    Untaken,
};
use glamx::{DVec2, DVec3};

use super::error::Log;
use super::settings::WorldTable;
use asperity::soft::SoftContacts;

/// Warns where the solver replaces the sets of a pair by others, and complains where it does not take
/// its laws.
pub(crate) fn tell(
    log: &Log,
    table: &WorldTable,
    pair: &Pair,
    wrench: Option<WrenchOptions>,
    [a, b]: [&Surface; 2],
) {
    let Some(at) = table.method_at else { return };
    let extent = wrench.map_or(pair.extent, Extent::Wrench);
    let Some(law) = typical(&Pair { extent, ..pair.clone() }, [a, b]) else { return };
    let gives = if law.rheology.is_some() { " with memory or drag" } else { "" };
    let solver = table.settings.method.solver();
    let what = format!(
        "the solver \"{}\" and the friction of materials \"{}\" and \"{}\", a set \"{}\"{gives}",
        solver.name(),
        a.name,
        b.name,
        law.set.name()
    );
    let instead = "method = \"auto\" takes it as it is";
    match solver.supports(&law) {
        Support::Native => {}
        Support::Approximate(how) => {
            log.warn(at, format!("{what}: it is replaced by {how}; {instead}"));
        }
        Support::Unsupported => log.add(at, format!("{what}: it does not take it; {instead}")),
    }
}

/// Warns where wrenches have the paper's spin torque, with which some steps have no solution.
pub(crate) fn tell_spin(log: &Log, at: usize, kind: Option<WrenchOptions>) {
    let Some(WrenchOptions { spin: SpinRule::Corners, rim: Rim::Free, .. }) = kind else { return };
    log.warn(
        at,
        "spin = \"corners\" (Bouchard et al. 2015, Eqs. 11 to 13) is a torque that drops to nothing at once where \
         the centre of pressure reaches the boundary of a patch: where several contacts share bodies, some \
         steps have no solution, and what is found then is not to be trusted; with spin = \"uniform\" it fades",
    );
}

/// Warns where what a pair remembers may give energy of its own. `at` is where pairs are in the text.
pub(crate) fn tell_memory(log: &Log, at: usize, pair: &Pair, [a, b]: [&Surface; 2]) {
    let Some(memory) = &pair.memory else { return };
    let on = [a, b].map(|s| s.at(DVec3::X, DVec3::Z, DVec2::ZERO));
    let state = ContactState::new(ContactFrame::from_normal(DVec3::Y), on, 0.01);
    let coefficient = |speed: f64| {
        let slip = state.frame.t * speed;
        let set = pair.section.law(&ContactState { slip, free_slip: slip, area: 1.0, ..state }).set;
        let mut way = [0.0; MAX_DIM];
        way[0] = 1.0;
        set.support(&way[..set.dim()], 1.0)
    };
    if let Some(told) = memory.caution(&coefficient) {
        log.warn(at, format!("materials \"{}\" and \"{}\": the memory {told}", a.name, b.name));
    }
}

/// Complains where the load lies as maps say and neither surface has one.
pub(crate) fn check_map(log: &Log, at: usize, pair: &Pair, [a, b]: [&Surface; 2]) {
    let by_map = pair.extent == Extent::Pressed(PressureRule::Map);
    if by_map && a.pressure.is_none() && b.pressure.is_none() {
        let message = format!(
            "materials \"{}\" and \"{}\": pressure = \"map\" needs a material with \"pressure\", a texture of \
             kind \"mask\"",
            a.name, b.name
        );
        log.add(at, message);
    }
}

/// Complains where contacts of soft bodies are left to a solver that does not take what they couple.
pub(crate) fn tell_coupled(log: &Log, table: &WorldTable) {
    let (Some(at), SoftContacts::Solver) = (table.method_at, table.soft) else { return };
    let refusal = coupled().and_then(|problem| table.settings.method.solver().refuses(&problem));
    if let Some(refusal @ Refusal { what: Untaken::Operator(_), .. }) = refusal {
        log.add(at, format!("soft_contact = \"solver\": {refusal}"));
    }
}

/// One contact of a vertex that is held by springs, as soft bodies have them.
fn coupled() -> Option<ContactProblem> {
    let identity = || SparseMatrix::from_triplets(3, 3, (0..3).map(|i| (i, i, 1.0))).ok();
    let mut bodies = Bodies::default();
    (0..3).for_each(|_| bodies.push_row(None));
    bodies.coupling = Coupling::new(0, identity()?, identity()?, vec![1.0; 3]).ok()?;
    Some(ContactProblem {
        name: "a vertex".to_owned(),
        operator: Operator::Bodies(bodies),
        q: vec![-1.0, 0.0, 0.0],
        compliance: Vec::new(),
        blocks: vec![FrictionBlock::contact(0, 1..3, Disk::frictionless())],
    })
}

/// A law such as contacts of the pair have: of two flat surfaces at the origins of their textures,
/// over a square metre where they touch over an area.
fn typical(pair: &Pair, surfaces: [&Surface; 2]) -> Option<Law> {
    let on = surfaces.map(|s| s.at(DVec3::X, DVec3::Z, DVec2::ZERO));
    let state = ContactState::new(ContactFrame::from_normal(DVec3::Y), on, 0.01);
    let state = ContactState { free_slip: DVec3::X, area: 1.0, ..state };
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
        .map(|(x, z): (f64, f64)| DVec3::new(x, 0.0, z));
    let contour = Contour {
        corners: &corners,
        disc: None,
        area: 1.0,
        centroid: DVec3::new(0.5, 0.0, 0.5),
        pieces: &[],
    };
    let footprint = match pair.extent {
        Extent::Point => Footprint::Point,
        Extent::Spin | Extent::Pressed(_) => Footprint::Area(ContactArea {
            contour,
            centre: contour.centroid,
            spin: 0.0,
            last: None,
        }),
        Extent::Wrench(_) => {
            let (centre, u, w) = (DVec3::ZERO, DVec3::X, -DVec3::Z);
            let patch = EllipsePatch::new(centre, [u, w], DVec2::ONE);
            Footprint::Ellipse { patch, rolling: Rolling::default() }
        }
    };
    Some(pair.law(&state, &footprint, None)?.law)
}
