//! A unit of a body's own.

/// The largest power of two not above a number; 1 for what is not a normal number above zero.
///
/// Factors of a matrix need the roots of its numbers. In units of the matrix itself they are rounded alike,
/// whatever units the scene has.
pub(crate) fn own_unit(x: f64) -> f64 {
    if x.is_normal() && x > 0.0 { f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::own_unit;

    #[test]
    fn units_are_powers_of_two() {
        for (x, unit) in [(1.0, 1.0), (1.99, 1.0), (3e-7, 2f64.powi(-22)), (-1.0, 1.0), (0.0, 1.0)]
        {
            assert_eq!(own_unit(x), unit);
            assert_eq!(own_unit(x * 8.0), if x > 0.0 { 8.0 * unit } else { 1.0 });
        }
    }
}
