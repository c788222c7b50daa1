//! Did you mean …?

/// What people write, and what it is called here.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("friction", "mu"),
    ("coefficient", "mu"),
    ("kinetic_mu", "mu"),
    ("mu_s", "static_mu"),
    ("mu_static", "static_mu"),
    ("position", "at"),
    ("translation", "at"),
    ("pos", "at"),
    ("rotation", "rotate"),
    ("orientation", "rotate"),
    ("type", "kind"),
    ("type", "model"),
    ("kind", "model"),
    ("model", "kind"),
    ("timestep", "dt"),
    ("step", "dt"),
    ("time", "duration"),
    ("angular_velocity", "spin"),
    ("linear_velocity", "velocity"),
    ("bodies", "body"),
    ("materials", "material"),
    ("joints", "joint"),
    ("probes", "probe"),
    ("cuboid", "box"),
    ("cube", "box"),
    ("mean", "average"),
    ("ball", "sphere"),
    ("plane", "half_space"),
    ("ground", "half_space"),
    ("convex", "hull"),
    ("heightfield", "height_field"),
    ("static", "fixed"),
    ("rigid", "dynamic"),
    ("iterations", "max_iterations"),
    ("degrees", "deg"),
    ("angle", "deg"),
    ("radians", "rad"),
    ("bounce", "restitution"),
    ("damping", "linear_damping"),
    ("value", "near"),
    ("tolerance", "within"),
    ("range", "between"),
    ("final", "when"),
    ("always", "when"),
    ("max", "when"),
    ("min", "when"),
    ("materials", "between"),
    ("revolute", "hinge"),
    ("prismatic", "slider"),
    ("spherical", "ball"),
    ("weld", "fixed"),
    ("minimum", "min"),
    ("maximum", "max"),
    ("multiply", "product"),
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
        OTHER_WORDS
            .iter()
            .filter(|(word, _)| distance(found, word) <= slack.min(word.len() / 5))
            .find_map(|(_, ours)| known.iter().copied().find(|word| word == ours))
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
