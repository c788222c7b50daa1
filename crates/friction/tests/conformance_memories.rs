//! Every memory passes the conformance suite.

use asperity_friction::memory::{Bristles, Evolution, Parameters, Placing, RateAndState};
use asperity_friction::testing::check_memory;

const CASES: usize = 300;

fn check(label: &str, parameters: Parameters) {
    check_memory(label, CASES, &Bristles::new(parameters).unwrap());
}

#[test]
fn lugre_conforms() {
    let usual = Parameters::without_stribeck();
    check("LuGre", usual);
    check("LuGre with drag", Parameters { viscosity: 0.7, ..usual });
    check("LuGre with much damping", Parameters { damping: 1e5, ..usual });
    check("LuGre whose damping falls", Parameters { damping_speed: Some(1e-3), ..usual });
    check("soft bristles", Parameters { stiffness: 10.0, damping: 1.0, ..usual });
    check("Dahl's model", Parameters::dahl(0.5, 1e5));
}

#[test]
fn elasto_plastic_bristles_conform() {
    let usual = Parameters::without_stribeck().elasto_plastic(0.9);
    check("elasto-plastic", usual);
    check("elasto-plastic with drag", Parameters { viscosity: 3.0, ..usual });
    check("elasto-plastic without damping", Parameters { damping: 0.0, ..usual });
}

#[test]
fn bristles_on_tables_and_in_cells_conform() {
    let reduced = Placing::Reduced { cells: 9, resolution: 8 };
    for placing in [reduced, Placing::Distributed { cells: 5 }] {
        let usual = Parameters::without_stribeck();
        for (label, p) in [
            ("LuGre", usual),
            ("with drag and much damping", Parameters { viscosity: 0.7, damping: 1e5, ..usual }),
            ("soft", Parameters { stiffness: 10.0, damping: 1.0, ..usual }),
            ("elasto-plastic", usual.elasto_plastic(0.9)),
            (
                "elasto-plastic from the start",
                Parameters { damping: 0.0, ..usual }.elasto_plastic(0.0),
            ),
        ] {
            let bristles = Bristles::new(p).unwrap().placed(placing).unwrap();
            check_memory(&format!("{label}, {placing:?}"), 100, &bristles);
        }
        let passive = Bristles::new(usual).unwrap().passive().placed(placing).unwrap();
        check_memory("passive", 100, &passive);
    }
}

#[test]
fn rate_and_state_conforms() {
    let usual = RateAndState {
        direct: 0.01,
        evolved: 0.015,
        speed: 1e-6,
        distance: 1e-5,
        rest_speed: 1e-9,
        evolution: Evolution::Aging,
    };
    check_memory("rate and state", 300, &usual);
    check_memory("slip law", 300, &RateAndState { evolution: Evolution::Slip, ..usual });
    check_memory("without evolution", 300, &RateAndState { evolved: 0.0, ..usual });
}
