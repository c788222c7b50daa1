//! Pabst, Thomaszewski, Straßer 2009, *Anisotropic Friction for Deformable Surfaces and Solids*.

use std::sync::Arc;

use glamx::{DMat2, DVec2};

use super::Section;
use crate::FrictionError;
use crate::error::non_negative;
use crate::law::{ContactState, Law};
use crate::registry::{AtKey, Fault, Form, Key, KeyError, Model, Preset, Range, Values, words};
use crate::set::{Set, Tensor, symmetric_eigen};
use crate::surface::{Surface, SurfacePoint};

/// Friction from the tensors of both surfaces (Eq. 3).
///
/// Each surface's tensor lives in its own axes and is turned into the contact frame, B's also
/// into B's sense of slip: on B's surface the other body moves by −v. For the symmetric tensors
/// of Eq. 3 this is R Q₂ Rᵀ with R turning t₁ to t₂.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionTensors {
    composition: Composition,
    associated: bool,
}

/// How the tensors of two surfaces make one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Composition {
    /// κ (Q₁ + Q₂), κ = ½ in the paper.
    Additive {
        /// The friction composition coefficient κ.
        kappa: f64,
    },
    /// ½ (Q₁^½ Q₂ Q₁^½ + Q₂^½ Q₁ Q₂^½): dissipative where Q₁Q₂ need not be, and the same when the
    /// surfaces are exchanged. Needs symmetric tensors. One zero tensor gives zero.
    Multiplicative,
    /// For each direction of slip, the tensor with the smaller v̂ᵀQv̂. One zero gives zero.
    Minimum,
}

impl Default for Composition {
    fn default() -> Composition {
        Composition::Additive { kappa: 0.5 }
    }
}

impl FrictionTensors {
    /// Friction tensors with a rule of composition.
    pub fn new(composition: Composition) -> Result<FrictionTensors, FrictionError> {
        if let Composition::Additive { kappa } = composition {
            non_negative("composition coefficient kappa", kappa)?;
        }
        Ok(FrictionTensors { composition, associated: false })
    }

    /// With the convex set that has the tensor's limit curve in place of the tensor: friction then
    /// dissipates most, which is not the paper's model, but a whole patch can carry spin with it.
    #[must_use]
    pub fn associated(self) -> FrictionTensors {
        FrictionTensors { associated: true, ..self }
    }

    fn law_of(&self, tensor: Tensor) -> Law {
        Law::from(if self.associated { tensor.to_convex() } else { Set::Tensor(tensor) })
    }

    /// One tensor from two that are already in common axes.
    pub fn compose(&self, a: &Tensor, b: &Tensor) -> Tensor {
        match self.composition {
            Composition::Additive { kappa } => merge(a, b, |qa, qb| (qa + qb) * kappa),
            Composition::Multiplicative => merge(a, b, |qa, qb| {
                let (ra, rb) = (square_root(qa), square_root(qb));
                (ra * qb * ra + rb * qa * rb) * 0.5
            }),
            Composition::Minimum => {
                let rays = rays(a, b).flat_map(|sector| equal_power_rays(a, b, sector));
                let rays: Vec<f64> = rays.collect();
                Tensor::piecewise(rays, |v| lesser(a.matrix_at(v), b.matrix_at(v), v))
            }
        }
    }
}

impl Section for FrictionTensors {
    fn name(&self) -> &'static str {
        "tensor"
    }

    fn no_limit_surface(&self) -> Option<&'static str> {
        const WHY: &str = "a friction tensor maps slip to force and is no convex set; ask for the \
                           set with its limit curve by `associated = true`";
        (!self.associated).then_some(WHY)
    }

    fn law(&self, contact: &ContactState) -> Law {
        let [a, b] = &contact.surfaces;
        if let (Composition::Additive { kappa }, Some(q_a), Some(q_b)) =
            (self.composition, plain_matrix(a), plain_matrix(b))
        {
            // Eq. 3 as it stands; the same in either sense, and in any axes where isotropic.
            let turned = |surface: &SurfacePoint, q: DMat2| {
                let values = DVec2::new(q.x_axis.x, q.y_axis.y);
                if q == DMat2::from_diagonal(values) {
                    return if values.x == values.y {
                        q
                    } else {
                        surface.orthotropic_in(values, &contact.frame)
                    };
                }
                let m = surface.axes_in(&contact.frame);
                m * q * m.transpose()
            };
            let q = (turned(a, q_a) + turned(b, q_b)) * kappa;
            return self.law_of(Tensor::one_matrix(q));
        }
        let (axes_a, axes_b) = (a.axes_in(&contact.frame), b.axes_in(&contact.frame));
        let path = contact.plane_slip() * contact.dt;
        let q_a = local_tensor(a, axes_a, path).in_axes(axes_a);
        let q_b = local_tensor(b, axes_b, -path).in_axes(axes_b).reversed();
        self.law_of(self.compose(&q_a, &q_b))
    }

    fn never_resists(&self, a: &Surface, b: &Surface) -> bool {
        let zero = |s: &Surface| match &s.tensor {
            Some(tensor) => tensor.plain_matrix() == Some(DMat2::ZERO),
            None => s.mu.unwrap_or(0.0) == 0.0,
        };
        match self.composition {
            Composition::Additive { kappa } => kappa == 0.0 || (zero(a) && zero(b)),
            Composition::Multiplicative | Composition::Minimum => zero(a) || zero(b),
        }
    }

    fn check(&self, a: &Surface, b: &Surface) -> Result<(), FrictionError> {
        for surface in [a, b] {
            if surface.tensor.is_none() && surface.mu.is_none() {
                return Err(FrictionError::Shape(format!(
                    "material \"{}\" has no friction tensor; give it `tensor`, or `mu` for an isotropic one",
                    surface.name
                )));
            }
            if self.composition == Composition::Multiplicative
                && surface.tensor.as_ref().is_some_and(|t| !t.has_square_root())
            {
                return Err(FrictionError::Shape(format!(
                    "the tensor of material \"{}\" is not symmetric; multiplicative composition needs symmetric tensors, use \"additive\" or \"minimum\"",
                    surface.name
                )));
            }
        }
        Ok(())
    }
}

/// The matrix of a surface whose tensor is the same everywhere and in every direction.
#[inline]
fn plain_matrix(point: &SurfacePoint) -> Option<DMat2> {
    match &point.surface.tensor {
        Some(tensor) => tensor.plain_matrix(),
        None => Some(DMat2::from_diagonal(DVec2::splat(point.surface.mu.unwrap_or(0.0)))),
    }
}

/// The tensor of a surface along the path (contact plane) that was slid over it.
fn local_tensor(point: &SurfacePoint, axes: DMat2, path: DVec2) -> Tensor {
    match &point.surface.tensor {
        Some(tensor) => tensor.along(point.uv, axes.transpose() * path),
        None => {
            let mu = point.surface.mu.unwrap_or(0.0);
            Tensor::piecewise([], |_| DMat2::from_diagonal(DVec2::splat(mu)))
        }
    }
}

/// The tensor whose matrix in each common sector of `a` and `b` is `f` of theirs.
fn merge(a: &Tensor, b: &Tensor, f: impl Fn(DMat2, DMat2) -> DMat2) -> Tensor {
    if let (Some(qa), Some(qb)) = (a.as_linear(), b.as_linear()) {
        return Tensor::piecewise([], |_| f(qa, qb));
    }
    Tensor::piecewise(rays(a, b), |v| f(a.matrix_at(v), b.matrix_at(v)))
}

/// The first rays of all sectors of both.
fn rays<'a>(a: &'a Tensor, b: &'a Tensor) -> impl Iterator<Item = f64> + 'a {
    [a, b].into_iter().flat_map(|t| t.sectors().into_iter().map(|s| s.start))
}

/// The first ray of a sector and, all round, the rays on which the tensors that act just behind
/// it dissipate equally: the roots of v·(Q_a − Q_b)v. Rays in other sectors do no harm.
fn equal_power_rays(a: &Tensor, b: &Tensor, start: f64) -> Vec<f64> {
    let inside = DVec2::from_angle(start + 1e-9);
    let (qa, qb) = (a.matrix_at(inside), b.matrix_at(inside));
    let (least, most, axis) = symmetric_eigen(qa - qb);
    let mut rays = vec![start];
    if least < -noise(qa, qb) && most > noise(qa, qb) {
        // In the eigen-axes: least cos² + most sin² = 0.
        let half = (-least / most).sqrt().atan();
        let base = axis.to_angle();
        for side in [half, -half] {
            rays.extend([base + side, base + side + std::f64::consts::PI]);
        }
    }
    rays
}

/// The tensor that dissipates less in the sector around `v`. Where they tie along `v` alone, the
/// sector's other directions decide; where they tie throughout, the mean, so that the order of
/// the surfaces does not matter.
fn lesser(qa: DMat2, qb: DMat2, v: DVec2) -> DMat2 {
    let (d, noise) = (qa - qb, noise(qa, qb));
    let along = v.dot(d * v);
    let excess = if along.abs() > noise { along } else { d.x_axis.x + d.y_axis.y };
    if excess > noise {
        qb
    } else if excess < -noise {
        qa
    } else {
        (qa + qb) * 0.5
    }
}

/// Rounding error of tensors that were turned into the contact frame.
fn noise(qa: DMat2, qb: DMat2) -> f64 {
    let size = |q: DMat2| q.x_axis.length() + q.y_axis.length();
    1e-14 * (size(qa) + size(qb))
}

/// Symmetric positive semi-definite square root. An eigenvalue that is all rounding counts as
/// zero; its root would be 1e-8.
fn square_root(q: DMat2) -> DMat2 {
    let (least, most, axis) = symmetric_eigen(q);
    let other = axis.perp();
    let outer = |v: DVec2, weight: f64| DMat2::from_cols(v * v.x, v * v.y) * weight;
    let least = if least > 1e-14 * most { least } else { 0.0 };
    outer(axis, least.sqrt()) + outer(other, most.max(0.0).sqrt())
}

/// The model by name.
pub(super) static MODEL: Model<Arc<dyn Section>> = Model {
    name: "tensor",
    doc: "Friction from the tensors of both surfaces (Pabst 2009)",
    keys: &[
        Key::optional("composition", Form::Word(&words(&COMPOSITIONS)), "")
            .or(Preset::Word("additive"))
            .about("how two tensors make one"),
        Key::optional("kappa", Form::Number(Range::NonNegative), "")
            .about("additive: factor on the sum of both; default 0.5"),
        Key::optional("associated", Form::Flag, "")
            .or(Preset::Flag(false))
            .about("the convex set with its limit curve instead"),
    ],
    make: |values| Ok(Arc::new(of_values(values)?)),
};

static COMPOSITIONS: [(&str, Composition); 3] = [
    ("additive", Composition::Additive { kappa: 0.5 }),
    ("multiplicative", Composition::Multiplicative),
    ("minimum", Composition::Minimum),
];

fn of_values(values: &Values) -> Result<FrictionTensors, KeyError> {
    let mut composition = values.choice("composition", &COMPOSITIONS)?;
    if let Some(given) = values.number("kappa") {
        let Composition::Additive { kappa } = &mut composition else {
            return Err(KeyError::new("kappa", Fault::Idle("composition", "additive")));
        };
        *kappa = given;
    }
    let tensors = FrictionTensors::new(composition).at("kappa")?;
    Ok(if values.flag("associated") { tensors.associated() } else { tensors })
}
