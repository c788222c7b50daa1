//! What a material looks like in pictures, beside its normal map.

use super::reader::Fields;

/// Colour and gloss of a material. What is not given is chosen by whoever draws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Finish {
    /// sRGB, each from 0 to 1. Of a metal, the colour of what it mirrors.
    pub colour: Option<[f64; 3]>,
    /// From 0, a mirror, to 1, chalk: roughness finer than the normal map.
    pub roughness: Option<f64>,
    /// From 0, plastic or stone, to 1, bare metal.
    pub metalness: Option<f64>,
}

impl Finish {
    /// Of a material's table.
    pub(crate) fn read(fields: &Fields) -> Finish {
        Finish {
            colour: fields.vector("colour").map(|c| c.to_array()),
            roughness: fields.number("roughness"),
            metalness: fields.number("metalness"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Finish, NoAssets, load};

    fn scene(material: &str) -> String {
        format!(
            "version = 1\nmaterial.brass = {{ {material} }}\nmaterial.plain = {{ density = 1 }}\n\
             pair.default = {{ section = {{ model = \"coulomb\", mu = 0.5 }} }}\n\
             body = [ {{ name = \"ball\", shape = {{ sphere = 0.1 }}, material = \"brass\" }} ]\n"
        )
    }

    #[test]
    fn materials_say_what_they_look_like() {
        let text = scene("colour = [0.9, 0.7, 0.3], roughness = 0.2, metalness = 1");
        let scene = load(&text, "brass.toml", &NoAssets).expect("a scene");
        let surface = scene.world.bodies()[0].surface();
        let brass =
            Finish { colour: Some([0.9, 0.7, 0.3]), roughness: Some(0.2), metalness: Some(1.0) };
        assert_eq!(scene.finishes[surface], brass);
        assert_eq!(scene.finishes[1 - surface], Finish::default());
    }

    #[test]
    fn numbers_beyond_one_are_refused_by_name() {
        for (key, value) in [("colour", "[0.9, 70, 0.3]"), ("roughness", "-1"), ("metalness", "2")]
        {
            let text = scene(&format!("{key} = {value}"));
            let error = load(&text, "brass.toml", &NoAssets).expect_err("refused").to_string();
            assert!(error.contains(key) && error.contains("brass.toml:2"), "{error}");
        }
    }
}
