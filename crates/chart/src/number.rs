//! Numbers as texts of pictures and reports.

/// A number of at most three digits, without needless zeros.
pub fn short(value: f64) -> String {
    let rounded = format!("{value:.2e}").parse().unwrap_or(value);
    exact(rounded)
}

/// A number with all its digits, by powers of ten where it is very large or small.
pub fn exact(value: f64) -> String {
    let plain = value == 0.0 || (1e-4..1e6).contains(&value.abs());
    // Adding zero turns −0 into 0.
    let text = if plain { format!("{}", value + 0.0) } else { format!("{value:e}") };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.35, "0.35"),
            (0.349_999_999_999, "0.35"),
            (0.016_666, "0.0167"),
            (46.397, "46.4"),
            (-1.5, "−1.5"),
            (1234.0, "1230"),
            (120.0, "120"),
            (-0.0, "0"),
            (2.999_999e-7, "3e−7"),
            (1e300, "1e300"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }
}
