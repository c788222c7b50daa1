//! Every memory passes the conformance suite.

use asperity_friction::memory::{Bristles, Evolution, Parameters, RateAndState};
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
