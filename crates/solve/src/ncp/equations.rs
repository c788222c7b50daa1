//! The equations of one contact and their derivatives (Erleben 2020, Eqs. 15 to 23).
//!
//! Everything is where the cone is round: g is the friction, v the slip, N the load, and the implicit function of
//! the cone (Eq. 16) is φ = g·g − N², with ∇φ = 2g and ∇²φ = 2.

use glamx::DVec3;

/// How friction is written as equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NcpForm {
    /// As printed, Eqs. 18 and 19: Ψ(β, −φ) = 0 and Ψ(v·v, w·w) = 0 with w = ∇φ + βv.
    ///
    /// There are two equations for the three unknowns f and β, and the second is made of squares: where a contact
    /// holds, v = 0, and where it slides, w = 0, its derivative is zero. A step takes half of the error then.
    Printed,
    /// Eq. 17 itself, with β = 2N/s: (N v + s g)/(N + s) = 0, Ψ(s, N − ‖g‖) = 0; s is the speed of the slip.
    ///
    /// The same law with as many equations as unknowns. It has no squares, and is finite where contacts hold
    /// (β is without bound there) as well as where they are open (∇φ is zero there).
    Divided,
}

/// What the equations of a contact are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    pub(super) slip: DVec3,
    pub(super) friction: DVec3,
    pub(super) load: f64,
    /// β, or s.
    pub(super) multiplier: f64,
    /// How round the kink of Ψ is.
    pub(super) tau: f64,
}

/// Values of up to four equations, and how they change with each part of [`Contact`]. The last is that of the
/// multiplier; the others go with the rows of friction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Equations {
    pub(super) value: [f64; 4],
    pub(super) by_slip: [DVec3; 4],
    pub(super) by_friction: [DVec3; 4],
    pub(super) by_load: [f64; 4],
    pub(super) by_multiplier: [f64; 4],
}

/// Ψ(a, b) = a + b − √(a² + b² + 2τ²) and its derivatives. Without τ that is the function of Fischer and Burmeister,
/// zero where 0 ≤ a ⊥ b ≥ 0 (Eq. 15), with one of the limits of the derivative at its kink; with it the kink is
/// round, and zero is where ab = τ² (Kanzow 1996).
pub(super) fn fischer_burmeister(a: f64, b: f64, tau: f64) -> (f64, f64, f64) {
    if tau > 0.0 {
        let root = (a * a + b * b + 2.0 * tau * tau).sqrt();
        return (a + b - root, 1.0 - a / root, 1.0 - b / root);
    }
    let root = a.hypot(b);
    if !(root > 0.0) {
        let slope = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
        return (0.0, slope, slope);
    }
    // a + b − root without its cancellation where a and b are positive.
    let value = if a > 0.0 && b > 0.0 { 2.0 * a * b / (a + b + root) } else { a + b - root };
    (value, 1.0 - a / root, 1.0 - b / root)
}

/// The equations of a contact with so many rows of friction.
pub(super) fn equations(form: NcpForm, dim: usize, contact: &Contact) -> Equations {
    match form {
        NcpForm::Printed => printed(contact),
        NcpForm::Divided => divided(dim, contact),
    }
}

fn printed(c: &Contact) -> Equations {
    let (v, g, beta) = (c.slip, c.friction, c.multiplier);
    let mut out = Equations::default();
    // Eq. 18, and the first row of Eq. 23; the load is unknown, too.
    let phi = g.length_squared() - c.load * c.load;
    let (value, by_beta, by_phi) = fischer_burmeister(beta, -phi, c.tau);
    out.value[3] = value;
    out.by_multiplier[3] = by_beta;
    out.by_friction[3] = -2.0 * by_phi * g;
    out.by_load[3] = 2.0 * by_phi * c.load;
    // Eq. 19, and the second row of Eq. 23.
    let w = 2.0 * g + beta * v;
    let (value, by_v, by_w) = fischer_burmeister(v.length_squared(), w.length_squared(), c.tau);
    out.value[0] = value;
    out.by_multiplier[0] = 2.0 * by_w * w.dot(v);
    out.by_friction[0] = 4.0 * by_w * w;
    out.by_slip[0] = 2.0 * by_v * v + 2.0 * by_w * beta * w;
    out
}

fn divided(dim: usize, c: &Contact) -> Equations {
    let (v, g, load, speed) = (c.slip, c.friction, c.load, c.multiplier.max(0.0));
    let mut out = Equations::default();
    let sum = load + speed;
    let (held, slid) = if sum > 0.0 { (load / sum, speed / sum) } else { (0.0, 1.0) };
    let value = held * v + slid * g;
    for k in 0..dim {
        out.value[k] = value[k];
        out.by_slip[k][k] = held;
        out.by_friction[k][k] = slid;
        if sum > 0.0 {
            out.by_load[k] = (v[k] - value[k]) / sum;
            let moves = c.multiplier > 0.0;
            out.by_multiplier[k] = if moves { (g[k] - value[k]) / sum } else { 0.0 };
        }
    }
    let length = g.length();
    let (value, by_speed, by_rest) = fischer_burmeister(c.multiplier, load - length, c.tau);
    out.value[3] = value;
    out.by_multiplier[3] = by_speed;
    out.by_load[3] = by_rest;
    out.by_friction[3] = if length > 0.0 { -by_rest / length * g } else { DVec3::ZERO };
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use asperity_friction::random::Rng;

    fn random(rng: &mut Rng) -> Contact {
        let mut any = || DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.0);
        let (slip, friction) = (any(), any());
        let mut some = || rng.uniform(0.1, 1.0);
        let (load, multiplier) = (some(), some());
        Contact { slip, friction, load, multiplier, tau: if rng.chance(0.5) { 0.0 } else { 0.1 } }
    }

    /// Eq. 23 and its like for the other form.
    #[test]
    fn derivatives_are_those_of_differences() {
        let mut rng = Rng::new(8);
        let h = 1e-6;
        for form in [NcpForm::Printed, NcpForm::Divided] {
            for _ in 0..500 {
                let at = random(&mut rng);
                let exact = equations(form, 2, &at);
                let check = |name: &str, slopes: [f64; 4], change: &dyn Fn(&mut Contact, f64)| {
                    let there = |step: f64| {
                        let mut moved = at;
                        change(&mut moved, step);
                        equations(form, 2, &moved).value
                    };
                    let (above, below) = (there(h), there(-h));
                    for k in 0..4 {
                        let slope = (above[k] - below[k]) / (2.0 * h);
                        assert!((slope - slopes[k]).abs() < 1e-6, "{form:?} {name} {at:?}");
                    }
                };
                for k in 0..2 {
                    check("slip", exact.by_slip.map(|d| d[k]), &|c, h| c.slip[k] += h);
                    check("friction", exact.by_friction.map(|d| d[k]), &|c, h| c.friction[k] += h);
                }
                check("load", exact.by_load, &|c, h| c.load += h);
                check("multiplier", exact.by_multiplier, &|c, h| c.multiplier += h);
            }
        }
    }

    /// What holds, what slides along −g, and what is open solve both forms; slip across the friction solves none.
    #[test]
    fn solutions_of_the_law_solve_the_equations() {
        let g = DVec3::new(0.6, 0.8, 0.0) * 0.5;
        let contact =
            |slip, friction, load| Contact { slip, friction, load, multiplier: 0.0, tau: 0.0 };
        let size = |form, mut c: Contact, beta: f64, speed: f64| {
            c.multiplier = if form == NcpForm::Printed { beta } else { speed };
            equations(form, 2, &c).value.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
        };
        for form in [NcpForm::Printed, NcpForm::Divided] {
            let holds = contact(DVec3::ZERO, 0.3 * g, 0.5);
            assert!(size(form, holds, 0.0, 0.0) < 1e-15, "{form:?} holds");
            let slides = contact(-4.0 * g, g, 0.5);
            assert!(size(form, slides, 0.5, 2.0) < 1e-15, "{form:?} slides");
            let open = contact(-4.0 * g, DVec3::ZERO, 0.0);
            assert!(size(form, open, 0.0, 2.0) < 1e-15, "{form:?} is open");
            let across = contact(DVec3::new(-0.8, 0.6, 0.0), g, 0.5);
            for multiplier in [0.0, 0.3, 1.0, 3.0] {
                assert!(size(form, across, multiplier, multiplier) > 0.05, "{form:?} {multiplier}");
            }
        }
    }

    /// Why [`NcpForm::Printed`] is slow: at a solution its second equation has no slope.
    #[test]
    fn as_printed_the_second_equation_is_flat_at_every_solution() {
        let g = DVec3::new(0.6, 0.8, 0.0) * 0.5;
        let holds =
            Contact { slip: DVec3::ZERO, friction: 0.3 * g, load: 0.5, multiplier: 0.0, tau: 0.0 };
        let slides = Contact { slip: -4.0 * g, friction: g, load: 0.5, multiplier: 0.5, tau: 0.0 };
        for at in [holds, slides] {
            let e = equations(NcpForm::Printed, 2, &at);
            let slopes = [e.by_slip[0].length(), e.by_friction[0].length(), e.by_multiplier[0]];
            assert!(slopes.iter().all(|s| s.abs() < 1e-15), "{slopes:?}");
            let e = equations(NcpForm::Divided, 2, &at);
            assert!(e.by_slip[0].length() > 0.1 && e.by_slip[1].length() > 0.1);
        }
    }
}
