//! temp
use asperity::Shape;
use asperity::World;
use asperity::body::BodyDesc;
use asperity::friction::pairing::{Fallback, Pairing};
use asperity::friction::section::Coulomb;
use asperity::friction::surface::Surface;
use asperity::glamx::DVec3;
use asperity::world::Settings;
use std::sync::Arc;
fn main() {
    let tol: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let slop: f64 = std::env::args().nth(3).unwrap().parse().unwrap();
    let which = std::env::args().nth(4).unwrap();
    let section = Arc::new(Coulomb::new(0.5).unwrap());
    let pairing =
        Pairing::new(vec![Surface::new("all")], Vec::new(), &Fallback::Section(section)).unwrap();
    let mut s = Settings { slop, ..Settings::default() };
    s.solver.tolerance = tol;
    let mut w = World::new(s, pairing);
    w.add_body(
        BodyDesc::fixed("floor", Shape::Box { half_extents: DVec3::new(10.0, 1.0, 10.0) })
            .at(DVec3::NEG_Y),
    )
    .unwrap();
    let mut add = |x: f64, y: f64| {
        let k = w.bodies().len();
        w.add_body(
            BodyDesc::new(format!("b{k}"), Shape::Box { half_extents: DVec3::splat(0.1) })
                .at(DVec3::new(x, y, 0.0)),
        )
        .unwrap();
    };
    if which == "stack" {
        for k in 0..10 {
            add(0.0, 0.2 * (k as f64 + 0.5));
        }
    } else {
        for r in 0..20 {
            for k in 0..20 - r {
                add(0.225 * (k as f64 - 0.5 * (19 - r) as f64), 0.2 * (r as f64 + 0.5));
            }
        }
    }
    let mut last: std::collections::HashSet<asperity::contact::ContactKey> = Default::default();
    for i in 0..n {
        let t = std::time::Instant::now();
        let r = w.step().clone();
        let ms = t.elapsed().as_secs_f64() * 1e3;
        let keys: std::collections::HashSet<_> = w.contacts().iter().map(|c| c.key).collect();
        let fresh = keys.difference(&last).count();
        let lost: f64 = w
            .contacts()
            .iter()
            .filter(|c| !last.contains(&c.key))
            .map(|c| c.impulse.length())
            .sum();
        let total: f64 = w.contacts().iter().map(|c| c.impulse.length()).sum();
        let mut near = 0;
        for (a, x) in w.contacts().iter().enumerate() {
            for y in &w.contacts()[a + 1..] {
                if x.bodies == y.bodies && x.point.distance(y.point) < 1e-3 {
                    near += 1;
                }
            }
        }
        last = keys;
        if std::env::args().nth(5).is_some() && i == 4 { for c in w.contacts() { println!("{:?} {:x} {:?} gap {:.2e} imp {:.3e} n {:?}", c.bodies, c.key.id, c.point, c.gap, c.impulse.length(), c.frame.normal); } }
        if i < 20 || i % (n / 30).max(1) == 0 {
            println!(
                "{i:4} {ms:8.3} ms it {:5} res {:.2e} contacts {} pen {:.2e} unconv {} islands {} new keys {fresh} carrying {:.1} % near twins {near}",
                r.iterations,
                r.residual,
                r.contacts,
                r.penetration,
                r.unconverged,
                r.islands,
                100.0 * lost / total
            );
        }
    }
}
