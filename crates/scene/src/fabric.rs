//! `fabric` of a cloth.

use asperity_soft::{Fabric, Fast, Kawabata, Shell};

use super::reader::Fields;

/// Models of bending.
pub(crate) const SHELLS: [(&str, Shell); 2] =
    [("patches", Shell::Patches), ("hinges", Shell::Hinges)];

/// Reads what a cloth is made of.
pub(crate) fn fabric(table: &Fields) -> Option<Fabric> {
    let Some(node) = table.node("fabric") else { return Some(Fabric::cotton()) };
    if !node.is_table() {
        return Fabric::named(table.choice("fabric")?);
    }
    let own = table.table("fabric")?;
    let mut fabric = Fabric::named(own.choice("like").unwrap_or("cotton"))?;
    fabric.shell = own.pick("shell", &SHELLS).unwrap_or(fabric.shell);
    measured(&own, &mut fabric)?;
    let set = |to: &mut f64, key: &str| *to = own.number(key).unwrap_or(*to);
    set(&mut fabric.areal_density, "areal_density");
    set(&mut fabric.shear, "shear");
    set(&mut fabric.poisson, "poisson");
    set(&mut fabric.damping, "damping");
    if let Some(pair) = own.pair("stretch") {
        fabric.stretch = pair.to_array();
    }
    if let Some(pair) = own.pair("bending") {
        fabric.bending = pair.to_array();
    }
    fabric.strain_limit = own.number("strain_limit").or(fabric.strain_limit);
    Some(fabric)
}

/// Gives a fabric the elasticity that was measured, if it was; nothing where that is wrong.
fn measured(own: &Fields, fabric: &mut Fabric) -> Option<()> {
    let (kawabata, fast) = (own.has("kawabata"), own.has("fast"));
    if kawabata && fast {
        let message = format!("{} has both \"kawabata\" and \"fast\"; keep one", own.label);
        return own.refuse("fast", message);
    }
    for key in ["stretch", "shear", "bending"] {
        if (kawabata || fast) && own.has(key) {
            let by = if fast { "fast" } else { "kawabata" };
            let message = format!("\"{key}\" of {} follows from \"{by}\"; keep one", own.label);
            own.complain(key, message);
        }
    }
    let both = |row: &Fields, key: &str| row.pair(key).map(|pair| pair.to_array());
    let (density, thickness) = (fabric.areal_density, fabric.thickness);
    let made = if kawabata {
        let row = own.table("kawabata")?;
        let (elongation, bending) = (both(&row, "elongation"), both(&row, "bending"));
        let shear = row.number("shear")?;
        let row = Kawabata { elongation: elongation?, bending: bending?, shear };
        Fabric::from_kawabata(density, thickness, &row)
    } else if fast {
        let row = own.table("fast")?;
        let (extension, bending) = (both(&row, "extension"), both(&row, "bending"));
        let shear = row.number("shear")?;
        let row = Fast { extension: extension?, bending: bending?, shear };
        Fabric::from_fast(density, thickness, &row)
    } else {
        return Some(());
    };
    *fabric = Fabric { shell: fabric.shell, ..made };
    Some(())
}
