//! The figures as tables.

use super::row::{Row, Spread, Time};

/// Time first, then how good it is.
pub(super) fn text(rows: &[Row]) -> String {
    times(rows) + &parts(rows) + "\n" + &quality(rows) + NOTES
}

fn times(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<31} {:^17} {:^33} {:^33} {:^15}\n{:<6} {:<24}",
        "", "whole run", "moving", "at rest", "asleep", "bodies", "engine"
    );
    for contacts in [false, true, true] {
        text += &format!(" {:>10} {:>6}", "ms/step", "ratio");
        if contacts {
            text += &format!(" {:>8} {:>6}", "contacts", "µs");
        }
    }
    text += &format!(" {:>9} {:>5}\n", "ms/step", "many");
    let mut last = 0;
    for row in rows {
        text += gap(&mut last, row.bodies);
        text += &format!("{:<6} {:<24}", row.bodies, row.engine);
        for (time, contacts) in row.times().into_iter().zip([false, true, true]) {
            let mark = if row.cut_short { "*" } else { "" };
            text += &format!(" {:>10} {:>6}", number(time.milliseconds) + mark, ratio(time));
            if contacts {
                text += &format!(" {:>8.0} {:>6.2}", time.contacts, time.per_contact);
            }
        }
        text += &match row.asleep {
            Some((milliseconds, bodies)) => format!(" {:>9} {bodies:>5}\n", number(milliseconds)),
            None => format!(" {:>9} {:>5}\n", "-", "-"),
        };
    }
    text
}

/// What a step of engines that tell is made of.
fn parts(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        for (time, when) in [(&row.moving, "moving"), (&row.rest, "at rest")] {
            let Some([find, solve]) = time.parts else { continue };
            let [bodies, engine] = [row.bodies.to_string(), row.engine.to_owned()];
            let other = number(time.milliseconds - find - solve);
            let (find, solve) = (number(find), number(solve));
            text += &format!(
                "{bodies:<6} {engine} {when}: {find} ms for finding contacts, {solve} for the last \
                 solve of a step, {other} for all else\n"
            );
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn quality(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<31} {:^19} {:^19} {:^19}\n{:<6} {:<24}",
        "", "residual moving", "residual at rest", "overlap %", "bodies", "engine"
    );
    for name in ["median", "worst", "median", "worst", "moving", "at rest", "energy +", "creep mm"]
    {
        text += &format!(" {name:>9}");
    }
    text += &format!(" {:>9}\n", "end m/s");
    let mut last = 0;
    for row in rows {
        text += gap(&mut last, row.bodies);
        text += &format!("{:<6} {:<24}", row.bodies, row.engine);
        for Spread { median, worst } in [row.residual_moving, row.residual_rest] {
            text += &format!(" {median:>9.1e} {worst:>9.1e}");
        }
        for part in [row.overlap_moving, row.overlap_rest] {
            text += &format!(" {:>9}", number(100.0 * part));
        }
        let creep = number(1e3 * row.creep);
        text += &format!(" {:>9.1e} {creep:>9} {:>9.1e}\n", row.energy_gained, row.fastest);
    }
    text
}

/// An empty line between piles.
fn gap(last: &mut usize, bodies: usize) -> &'static str {
    let between = *last != 0 && *last != bodies;
    *last = bodies;
    if between { "\n" } else { "" }
}

fn ratio(time: &Time) -> String {
    time.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// Three digits or so.
fn number(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        ..1e-3 => format!("{x:.1e}"),
        ..1.0 => format!("{x:.4}"),
        ..10.0 => format!("{x:.3}"),
        _ => format!("{x:.1}"),
    }
}

const NOTES: &str = "
moving     steps in which more than half of the bodies are faster than 0.1 m/s
at rest    the last half second of the run, with sleeping off
asleep     the same in a run of five more seconds in which bodies may sleep, and how many do
ratio      time in units of rapier3d-f64
contacts   points that carry something, on the mean; µs: microseconds per step and such point
           *: for lack of time (--budget) ran for fewer steps than asked
residual   without units: Coulomb, exactly, at every contact point, as in `rigid`, with impulses in
           units of a typical mass; open contacts are left out
overlap    the deepest one of the steps, of the thinner body's smallest side; for all engines by the
           same search, from where bodies are after a step
energy +   the sum of all rises of energy, of the largest energy above the lowest
creep      how far bodies went in the last half second, on the mean
end        the fastest body when the run ends
All run on one thread. Asperity: default settings. Rapier: default integration parameters;
per point: FrictionModel::Coulomb.
";
