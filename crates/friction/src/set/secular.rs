//! Projection onto an ellipsoid in any dimension, by its secular equation.

/// Nearest point to `point` in the ellipsoid Σ (x_i / e_i)² ≤ 1 with semi-axes `e_i` ≥ 0.
///
/// The nearest point is x_i = e_i² p_i / (t + e_i²) with the root t ≥ 0 of
/// h(t) = √Σ a_i² = 1, a_i = e_i p_i / (t + e_i²). Newton's method runs on 1/h, which is concave
/// and almost linear: started left of the root it approaches monotonically, and the start
/// t₀ = max e_i (|p_i| − e_i) is where one a_i alone is 1, so h(t₀) ≤ √N. A handful of steps
/// suffice at any distance and aspect ratio; [`MAX_STEPS`] bounds them.
/// An axis of zero length holds its coordinate at zero.
pub(super) fn project_ellipsoid<const N: usize>(point: [f64; N], axes: [f64; N]) -> [f64; N] {
    let size = axes.iter().fold(0.0_f64, |m, e| m.max(*e));
    let mut result = [0.0; N];
    if size == 0.0 {
        return result;
    }
    // Work in units of the longest axis. Axes too thin for their square to count are flat.
    let mut e2 = [0.0; N];
    let mut p = [0.0; N];
    let mut ep = [0.0; N];
    for i in 0..N {
        let e = axes[i] / size;
        if e > FLAT {
            e2[i] = e * e;
            p[i] = point[i] / size;
            ep[i] = e * p[i];
        }
    }
    let inside = (0..N).map(|i| if e2[i] > 0.0 { p[i] * (p[i] / e2[i]) } else { 0.0 }).sum::<f64>();
    if inside <= 1.0 {
        for i in 0..N {
            result[i] = if e2[i] > 0.0 { point[i] } else { 0.0 };
        }
        return result;
    }
    let mut t = (0..N).fold(0.0_f64, |t, i| t.max(ep[i].abs() - e2[i]));
    for _ in 0..MAX_STEPS {
        let (mut h2, mut d) = (0.0, 0.0);
        for i in 0..N {
            if e2[i] > 0.0 {
                let s = t + e2[i];
                let a2 = (ep[i] / s) * (ep[i] / s);
                h2 += a2;
                d += a2 / s;
            }
        }
        let h = h2.sqrt();
        let next = t + h2 * (h - 1.0) / d;
        if next <= t {
            break;
        }
        t = next;
    }
    for i in (0..N).filter(|i| e2[*i] > 0.0) {
        result[i] = size * (e2[i] * (p[i] / (t + e2[i])));
    }
    result
}

/// Ratio of axes below which the shorter one counts as zero: its square would be lost anyway.
const FLAT: f64 = 1e-150;

/// Bound on Newton steps; at most 9 were ever seen (aspect ratio 1e4, distances 1e-12 to 1e12).
const MAX_STEPS: usize = 40;
