//! What a contact costs in small piles and in large ones.

use serde::Serialize;

use super::contender::Contender;
use super::measure::Plan;
use super::row::Time;
use super::scene::pile;
use crate::progress::bar;

/// Bodies of the piles, where nothing else is asked for.
pub(super) const BODIES: [usize; 5] = [30, 100, 300, 1000, 3000];

/// One engine with one pile.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Cost {
    bodies: usize,
    engine: &'static str,
    /// Ran for fewer steps than asked, for lack of time.
    cut_short: bool,
    whole: Time,
    moving: Time,
    /// `None` where it was cut short.
    rest: Option<Time>,
}

/// Times all engines with all piles.
pub(super) fn costs(
    engines: &[Contender],
    bodies: &[usize],
    seed: u64,
    plan: &Plan,
) -> Result<Vec<Cost>, String> {
    let mut costs = Vec::new();
    for &bodies in bodies {
        let items = pile(bodies, seed)?;
        let bar = bar(engines.len() * plan.rounds * plan.steps, &format!("pile of {bodies}"));
        for &who in engines {
            bar.set_message(format!("pile of {bodies}: {}", who.label()));
            let timed = plan.time(who, &items, &bar)?;
            let cut_short = timed.len() < plan.steps;
            costs.push(Cost {
                bodies,
                engine: who.label(),
                cut_short,
                whole: Time::of(timed.iter()),
                moving: Time::of(timed.iter().filter(|s| s.moving)),
                rest: (!cut_short).then(|| Time::of(timed[plan.rest(timed.len())..].iter())),
            });
        }
        bar.finish_and_clear();
    }
    Ok(costs)
}

/// Engines below each other, piles beside each other, and the factor from the smallest to the largest.
pub(super) fn text(costs: &[Cost]) -> String {
    type Of = fn(&Cost) -> Option<f64>;
    let parts: [(&str, Of); 3] = [
        ("whole run", |c| Some(c.whole.per_contact)),
        ("moving", |c| Some(c.moving.per_contact)),
        ("at rest", |c| c.rest.map(|t| t.per_contact)),
    ];
    let (mut engines, mut bodies) = (Vec::new(), Vec::new());
    for cost in costs {
        if !engines.contains(&cost.engine) {
            engines.push(cost.engine);
        }
        if !bodies.contains(&cost.bodies) {
            bodies.push(cost.bodies);
        }
    }
    let mut text = "microseconds per step and contact point that carries something\n".to_owned();
    text += &format!("{:<24} {:<10}", "engine", "");
    for bodies in &bodies {
        text += &format!(" {:>9}", format!("{bodies} b."));
    }
    text += &format!(" {:>8}\n", "factor");
    for engine in engines {
        for (name, of) in parts {
            text += &format!("{engine:<24} {name:<10}");
            let own = || costs.iter().filter(|c| c.engine == engine);
            for cost in own() {
                let mark = if cost.cut_short { "*" } else { "" };
                let value = of(cost).map_or("-".to_owned(), |v| format!("{v:.2}{mark}"));
                text += &format!(" {value:>9}");
            }
            let ends = [own().next(), own().next_back()].map(|c| c.and_then(of));
            text += &match ends {
                [Some(small), Some(large)] => format!(" {:>8.2}\n", large / small),
                _ => format!(" {:>8}\n", "-"),
            };
        }
    }
    text + "factor: the largest pile over the smallest; *: cut short for lack of time (--budget)\n"
}
