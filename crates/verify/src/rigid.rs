//! `asperity verify rigid`: the rigid-body engine against closed forms.

mod energy;
mod rolling;
mod sliding;
mod statics;
mod structures;

use crate::Group;

/// All groups; `full` runs them for as long as their closed forms ask for.
pub(crate) fn groups<'a>(full: bool) -> Vec<Group<'a>> {
    vec![
        ("creep on a 20 degree incline", Box::new(move || sliding::creep(full))),
        ("stopping distance", Box::new(sliding::stopping)),
        ("isotropy", Box::new(move || sliding::isotropy(full))),
        ("breakaway angle", Box::new(sliding::breakaway)),
        ("headings of an anisotropic box", Box::new(sliding::headings)),
        ("sliding to rolling", Box::new(rolling::rolling)),
        ("rolling down a slope", Box::new(rolling::slope)),
        ("tipping", Box::new(statics::tipping)),
        ("ladder", Box::new(statics::ladder)),
        ("capstan", Box::new(statics::capstan)),
        ("arch", Box::new(move || structures::arch(full))),
        ("stack of ten boxes", Box::new(move || structures::stack(full))),
        ("card house", Box::new(move || structures::card_house(full))),
        ("passivity", Box::new(move || energy::passivity(full))),
    ]
}
