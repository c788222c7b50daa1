//! What the tests share: bodies out of shape, and differences of energies.
#![allow(dead_code)]

use asperity_friction::random::Rng;
use asperity_soft::{Elastic, Fabric, Shell, SoftBody, SolidMaterial, mesh};
use glamx::{DVec2, DVec3};

/// A small cloth of a fabric with everything in it.
pub(crate) fn cloth() -> SoftBody {
    cloth_of(&stiff())
}

pub(crate) fn cloth_of(fabric: &Fabric) -> SoftBody {
    let sheet = mesh::cloth_rectangle(DVec2::new(0.3, 0.2), [4, 3]).expect("a mesh");
    SoftBody::cloth(&sheet, fabric).expect("a cloth")
}

/// A fabric whose bending is not lost beside its stretch.
pub(crate) fn stiff() -> Fabric {
    Fabric {
        areal_density: 0.2,
        thickness: 1e-3,
        stretch: [300.0, 200.0],
        shear: 80.0,
        poisson: 0.3,
        bending: [0.02, 0.01],
        shell: Shell::Patches,
        damping: 3e-3,
        strain_limit: Some(0.05),
    }
}

pub(crate) fn solid(model: Elastic) -> SoftBody {
    let block = mesh::brick(DVec3::new(0.3, 0.2, 0.2), [3, 2, 2]).expect("a mesh");
    let material = SolidMaterial { model, ..SolidMaterial::new(1000.0, 2e4, 0.4) };
    SoftBody::solid(&block, &material).expect("a solid")
}

pub(crate) fn all() -> [(&'static str, SoftBody); 4] {
    [
        ("cloth", cloth()),
        ("cloth with hinges", cloth_of(&Fabric { shell: Shell::Hinges, ..stiff() })),
        ("corotational", solid(Elastic::Corotational)),
        ("neo-Hookean", solid(Elastic::NeoHookean)),
    ]
}

/// Every vertex moved by up to `size` along each axis.
pub(crate) fn shake(body: &mut SoftBody, size: f64, seed: u64) {
    let mut random = Rng::new(seed);
    for x in &mut body.positions {
        *x += DVec3::from_array([0; 3].map(|_| random.uniform(-size, size)));
    }
}
