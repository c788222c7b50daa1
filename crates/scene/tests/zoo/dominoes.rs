//! Rows of tiles fall in turn and come to rest touching.

use crate::watch::{Once, SLOW, Seen, claim, watch, watch_with};

static CURVED: Once = Once::new(|| watch("domino", f64::MAX));
static STRAIGHT: Once = Once::new(|| watch("dom_straight", f64::MAX));
static CURVE: Once = Once::new(|| watch("dom_curve", f64::MAX));
static HALF_STEP: Once =
    Once::new(|| watch_with("dom_straight", f64::MAX, |w| w.settings.dt *= 0.5));
static ROUGH: Once =
    Once::new(|| watch_with("dom_straight", f64::MAX, |w| w.settings.solver.tolerance = 1e-2));

/// Height of a tile, metres.
const HEIGHT: f64 = 0.1;

/// Tiles lie or lean at less than 30° above the floor's plane, each on something, at rest, no farther from
/// where they stood than they are high.
fn check_fallen(seen: &Seen) {
    seen.check_finite();
    let end = seen.end();
    let tiles = || seen.names.iter().filter(|n| n.starts_with('d'));
    for name in tiles() {
        let (start, last) = (seen.first(name), seen.last(name));
        assert!(last.upright().abs() < 0.5, "{name} is upright by {:.3}", last.upright());
        let way = last.pose.translation - start.pose.translation;
        let way = way.with_y(0.0).length();
        assert!(way < HEIGHT, "{name} went {way:.3} m");
        let k = seen.index(name);
        assert!(end.touching.iter().any(|pair| pair.contains(&k)), "{name} touches nothing");
    }
    // A ball that set them off may roll on.
    for name in tiles() {
        let speed = seen.last(name).velocity.length();
        assert!(speed < SLOW, "{name} moves with {speed:.2e} m/s at the end");
    }
}

/// Tile k never tips before tile k - 1.
fn check_in_turn(seen: &Seen) {
    let tips = |name: &String| seen.path(name).position(|s| s.upright() < 0.8);
    let tiles = seen.names.iter().filter(|n| n.starts_with('d'));
    let when: Vec<_> = tiles.map(tips).collect();
    assert!(when.iter().all(Option::is_some), "some stand: {when:?}");
    assert!(when.is_sorted(), "{when:?}");
}

/// A tile that has landed stays: it moves by less than its thickness in the last quarter.
fn check_stays(seen: &Seen) {
    let moments = &seen.moments;
    let then = &moments[moments.len() * 3 / 4];
    for (k, name) in seen.names.iter().enumerate().filter(|(_, n)| n.starts_with('d')) {
        let way = seen.end().bodies[k].pose.translation - then.bodies[k].pose.translation;
        assert!(way.length() < 0.001, "{name} walks {:.4} m", way.length());
    }
}

claim!(data_curved_row_does_not_overlap: CURVED, Seen::check_overlap);
claim!(data_curved_row_never_gains_energy: CURVED, Seen::check_energy);
claim!(data_curved_row_falls_and_rests: CURVED, check_fallen);
claim!(data_curved_row_falls_in_turn: CURVED, check_in_turn);
claim!(data_curved_row_stays_where_it_fell: CURVED, check_stays);

claim!(data_straight_row_does_not_overlap: STRAIGHT, Seen::check_overlap);
claim!(data_straight_row_never_gains_energy: STRAIGHT, Seen::check_energy);
claim!(data_straight_row_falls_and_rests: STRAIGHT, check_fallen);
claim!(data_straight_row_falls_in_turn: STRAIGHT, check_in_turn);
claim!(data_straight_row_stays_where_it_fell: STRAIGHT, check_stays);

claim!(data_short_curve_does_not_overlap: CURVE, Seen::check_overlap);
claim!(data_short_curve_never_gains_energy: CURVE, Seen::check_energy);
claim!(data_short_curve_falls_and_rests: CURVE, check_fallen);
claim!(data_short_curve_falls_in_turn: CURVE, check_in_turn);
claim!(data_short_curve_stays_where_it_fell: CURVE, check_stays);

claim!(data_row_at_half_the_step_does_not_overlap: HALF_STEP, Seen::check_overlap);
claim!(data_row_at_half_the_step_never_gains_energy: HALF_STEP, Seen::check_energy);
claim!(data_row_at_half_the_step_falls_and_rests: HALF_STEP, check_fallen);
claim!(data_row_at_half_the_step_stays_where_it_fell: HALF_STEP, check_stays);

claim!(data_rough_row_does_not_overlap: ROUGH, Seen::check_overlap);
claim!(data_rough_row_never_gains_energy: ROUGH, Seen::check_energy);
claim!(data_rough_row_falls_and_rests: ROUGH, check_fallen);
