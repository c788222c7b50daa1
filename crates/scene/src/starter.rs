//! A scene to begin with.

/// A commented scene that runs, with this title.
pub fn starter(name: &str) -> String {
    // What would end the comment or the string that the title stands in.
    let plain: String =
        name.chars().filter(|c| !c.is_control() && *c != '"' && *c != '\\').take(80).collect();
    let plain = if plain.trim().is_empty() { "scene" } else { plain.trim() };
    include_str!("starter.toml").replace("@NAME@", plain)
}
