//! Things built of blocks.

use std::f64::consts::PI;

use asperity::body::BodyDesc;
use asperity::glamx::{DQuat, DVec3};
use asperity::world::World;
use asperity::{BodyId, Shape};

use crate::Check;
use crate::VerifyError;
use crate::setup::{add, add_floor, block, centre, coulomb, run_for};

/// A semicircular arch of 11 blocks stands when it is thick enough; limit analysis: t/R = 0.105.
pub(crate) fn arch(full: bool) -> Result<Vec<Check>, VerifyError> {
    let seconds = if full { 20.0 } else { 5.0 };
    let mut checks = Vec::new();
    for (ratio, expected) in [(0.112, "stands"), (0.098, "falls")] {
        let mut world = coulomb(0.6, 0.0, 0.01)?;
        add_floor(&mut world)?;
        let blocks = build_arch(&mut world, 11, 1.0, ratio)?;
        let top = blocks[blocks.len() / 2];
        let before = centre(&world, top);
        run_for(&mut world, seconds);
        let sunk = before.distance(centre(&world, top));
        let found = if sunk < 0.01 { "stands" } else { "falls" };
        checks.push(Check::fact(&format!("t/R {ratio}, {seconds} s"), expected, found));
        if expected == "stands" {
            checks.push(Check::below("  its keystone sinks", 1e-3, sunk, "m"));
        }
    }
    Ok(checks)
}

fn build_arch(
    world: &mut World,
    n: usize,
    mean: f64,
    ratio: f64,
) -> Result<Vec<BodyId>, VerifyError> {
    let (inner, outer) = (mean * (1.0 - 0.5 * ratio), mean * (1.0 + 0.5 * ratio));
    let mut ids = Vec::new();
    for k in 0..n {
        let [a, b] = [k, k + 1].map(|i| PI * i as f64 / n as f64);
        let corner = |angle: f64, radius: f64, z: f64| {
            DVec3::new(angle.cos() * radius, angle.sin() * radius, z)
        };
        let mut points = Vec::new();
        for z in [-0.15, 0.15] {
            for (angle, radius) in [(a, inner), (a, outer), (b, outer), (b, inner)] {
                points.push(corner(angle, radius, z));
            }
        }
        let middle = corner(0.5 * (a + b), mean, 0.0);
        let points = points.into_iter().map(|p| p - middle).collect();
        let desc = BodyDesc::new(format!("stone {k}"), Shape::ConvexHull { points }).at(middle);
        ids.push(add(world, desc)?);
    }
    Ok(ids)
}

/// Ten boxes on top of each other neither sink nor wander.
pub(crate) fn stack(full: bool) -> Result<Vec<Check>, VerifyError> {
    let seconds = if full { 60.0 } else { 6.0 };
    let mut world = coulomb(0.5, 0.0, 0.01)?;
    add_floor(&mut world)?;
    let mut top = None;
    for k in 0..10 {
        let at = DVec3::Y * (0.1 + 0.2 * f64::from(k));
        top = Some(add(&mut world, block(&format!("box {k}"), DVec3::splat(0.2)).at(at))?);
    }
    let Some(top) = top else { return Ok(Vec::new()) };
    let before = centre(&world, top);
    run_for(&mut world, seconds);
    let moved = centre(&world, top) - before;
    Ok(vec![
        Check::below(&format!("loss of height in {seconds} s"), 0.1, -moved.y * 1e3, "mm"),
        Check::below("sideways motion", 0.01, moved.x.hypot(moved.z) * 1e3, "mm"),
    ])
}

/// Pairs of leaning cards under lying ones, three storeys high.
pub(crate) fn card_house(full: bool) -> Result<Vec<Check>, VerifyError> {
    let seconds = if full { 20.0 } else { 4.0 };
    let mut world = coulomb(0.6, 0.0, 0.005)?;
    add_floor(&mut world)?;
    let cards = build_card_house(&mut world, 3)?;
    let before: Vec<DVec3> = cards.iter().map(|id| centre(&world, *id)).collect();
    run_for(&mut world, seconds);
    let moved = cards
        .iter()
        .zip(&before)
        .fold(0.0_f64, |m, (id, at)| m.max(at.distance(centre(&world, *id))));
    let found = if moved < 0.01 { "stands" } else { "falls" };
    Ok(vec![
        Check::fact(&format!("three storeys, {seconds} s"), "stands", found),
        Check::below("  its cards move", 5e-3, moved, "m"),
    ])
}

fn build_card_house(world: &mut World, storeys: usize) -> Result<Vec<BodyId>, VerifyError> {
    let (length, width, thick) = (0.1, 0.06, 0.002);
    let lean = 20_f64.to_radians();
    let card = |name: String, at: DVec3, angle: f64| {
        block(&name, DVec3::new(thick, length, width)).at(at).rotated(DQuat::from_rotation_z(angle))
    };
    // Height and half width of a leaning card, corner to corner.
    let height = length * lean.cos() + thick * lean.sin();
    let half = 0.5 * (length * lean.sin() + thick * lean.cos());
    let pitch = 4.0 * half;
    let mut cards = Vec::new();
    let mut base = 0.0;
    for storey in 0..storeys {
        let pairs = storeys - storey;
        let left = -0.5 * pitch * (pairs as f64 - 1.0);
        for pair in 0..pairs {
            let x = left + pitch * pair as f64;
            for (side, sign) in [("l", -1.0), ("r", 1.0)] {
                let at = DVec3::new(x + sign * half, base + 0.5 * height, 0.0);
                let name = format!("card {storey} {pair} {side}");
                cards.push(add(world, card(name, at, sign * lean))?);
            }
        }
        base += height;
        for pair in 1..pairs {
            let x = left + pitch * (pair as f64 - 0.5);
            let at = DVec3::new(x, base + 0.5 * thick, 0.0);
            let name = format!("floor {storey} {pair}");
            // Long enough to lie on both tips.
            let size = DVec3::new(pitch + 4.0 * thick, thick, width);
            cards.push(add(world, block(&name, size).at(at))?);
        }
        base += thick;
    }
    Ok(cards)
}
