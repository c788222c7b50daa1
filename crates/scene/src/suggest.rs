//! Did you mean …?

/// What is called otherwise elsewhere: our word, and what people write.
const OTHER_WORDS: &[(&str, &[&str])] = &[
    ("mu", &["friction", "coefficient", "kinetic_mu"]),
    ("static_mu", &["mu_s", "mu_static"]),
    ("at", &["position", "translation", "pos"]),
    ("rotate", &["rotation", "orientation"]),
    ("kind", &["type", "model"]),
    ("model", &["type", "kind"]),
    ("dt", &["timestep", "step"]),
    ("duration", &["time"]),
    ("spin", &["angular_velocity"]),
    ("velocity", &["linear_velocity"]),
    ("body", &["bodies"]),
    ("material", &["materials"]),
    ("joint", &["joints"]),
    ("probe", &["probes"]),
    ("box", &["cuboid", "cube"]),
    ("average", &["mean"]),
    ("sphere", &["ball"]),
    ("half_space", &["plane", "ground"]),
    ("hull", &["convex"]),
    ("height_field", &["heightfield"]),
    ("ring", &["annulus", "washer", "tube", "torus"]),
    ("fixed", &["static", "weld"]),
    ("dynamic", &["rigid"]),
    ("max_iterations", &["iterations"]),
    ("deg", &["degrees", "angle"]),
    ("rad", &["radians"]),
    ("restitution", &["bounce"]),
    ("linear_damping", &["damping"]),
    ("near", &["value"]),
    ("within", &["tolerance"]),
    ("between", &["range", "materials"]),
    ("when", &["final", "always", "max", "min"]),
    ("hinge", &["revolute"]),
    ("slider", &["prismatic"]),
    ("ball", &["spherical"]),
    ("min", &["minimum"]),
    ("max", &["maximum"]),
    ("product", &["multiply"]),
];

/// The known word nearest to `found`, if one is near.
pub(crate) fn nearest<'a>(
    found: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let close = known
        .iter()
        .map(|word| (distance(found, word), *word))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, word)| {
            let longest = found.len().max(word.len());
            *distance <= (longest / 3).clamp(1, 3) && *distance < found.len().min(word.len())
        });
    if let Some((_, word)) = close {
        return Some(word);
    }
    let ours = |slack: usize| {
        let near = |word: &&str| distance(found, word) <= slack.min(word.len() / 5);
        let mut meant = OTHER_WORDS.iter().filter(|(_, others)| others.iter().any(&near));
        meant.find_map(|(ours, _)| known.iter().copied().find(|word| word == ours))
    };
    ours(0).or_else(|| ours(1))
}

/// `; did you mean "mu"?`, or the list of what there is.
pub(crate) fn hint<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(found, known.iter().copied()) {
        Some(word) => format!("; did you mean \"{word}\"?"),
        None if known.is_empty() => String::new(),
        None => format!("; expected {}", one_of(&known)),
    }
}

/// `"a", "b" or "c"`; a long list is cut.
pub(crate) fn one_of(words: &[&str]) -> String {
    const MOST: usize = 16;
    let quoted: Vec<String> = words.iter().take(MOST).map(|w| format!("\"{w}\"")).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some(_) if words.len() > MOST => format!("one of {}, …", quoted.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Edits (insert, delete, replace, exchange neighbours) from one word to another, whatever their
/// case.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&folded(a), &folded(b))
}

/// A word in small letters. Long garbage is near nothing and is cut.
fn folded(word: &str) -> String {
    const LONGEST: usize = 64;
    word.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}
