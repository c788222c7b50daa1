//! A friction model on a patch, as an experiment uses it.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use asperity::friction::FrictionError;
use asperity::friction::extent::{Curve, Exact, LimitMap, Pressure, Shape, Table, load_radius};
use asperity::friction::memory::{Distributed, Parameters, Reduced};
use asperity::glamx::{DVec2, DVec3};
use serde::Deserialize;

/// Which model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// A bristle in every cell.
    Distributed,
    /// Three bristles and the pre-computed limit surface, with cubics from node to node.
    Reduced,
    /// The same with the paper's bilinear lookup.
    ReducedBilinear,
    /// Three bristles and an ellipsoid.
    Ellipsoid,
    /// Three bristles and the curve of an axisymmetric pressure.
    Curve,
}

impl ModelKind {
    /// As files say it.
    pub fn name(self) -> &'static str {
        match self {
            ModelKind::Distributed => "distributed",
            ModelKind::Reduced => "reduced",
            ModelKind::ReducedBilinear => "reduced_bilinear",
            ModelKind::Ellipsoid => "ellipsoid",
            ModelKind::Curve => "curve",
        }
    }
}

/// How bristles are moved on in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// Explicit Euler, as in the paper.
    #[default]
    Explicit,
    /// Explicit Euler with the bristle bound.
    Bounded,
    /// Implicit Euler.
    Implicit,
}

/// A patch on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GridPatch {
    /// Where the pressure comes from.
    pub source: Source,
    /// Cells along a side, N.
    pub cells: usize,
    /// Width of the grid, metres.
    pub width: f64,
    /// N_ls.
    pub resolution: usize,
    /// A radius and exponent that follow the load, in place of the shape.
    pub soft: Option<Soft>,
}

/// Where the pressure comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A shape with a pressure of its own.
    Shape(Shape),
    /// A picture, already on the grid.
    Mask(Pressure),
}

/// A soft fingertip (Eqs. 43 and 44).
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Soft {
    /// Radius under a load of 1 N, metres.
    pub radius: f64,
    /// Power of the load, 0 to 1/3.
    pub power: f64,
    /// Largest radius, metres.
    pub most: f64,
    /// k; with `exponent_per_newton` the part that does not follow the load.
    #[serde(default)]
    pub exponent: f64,
    /// What every newton adds to k.
    #[serde(default)]
    pub exponent_per_newton: f64,
}

impl GridPatch {
    /// A shape of the paper on its grid: 21 × 21 cells over 0.02 × 0.02 m, N_ls = 20.
    pub fn of_paper(shape: Shape) -> GridPatch {
        let source = Source::Shape(shape);
        GridPatch { source, cells: 21, width: 0.02, resolution: 20, soft: None }
    }

    /// The pressure under a load.
    pub fn pressure(&self, load: f64) -> Result<Pressure, FrictionError> {
        match self.soft {
            None => match &self.source {
                Source::Shape(shape) => shape.pressure(self.cells, self.width),
                Source::Mask(pressure) => Ok(pressure.clone()),
            },
            Some(soft) => {
                // Never less than the middle cell.
                let least = 0.51 * self.width / self.cells.max(1) as f64;
                let radius = load_radius(soft.radius, soft.power, soft.most, load)?.max(least);
                let exponent = soft.exponent + soft.exponent_per_newton * load;
                Shape::Hertz { radius, exponent }.pressure(self.cells, self.width)
            }
        }
    }
}

/// A model with its state.
pub struct Model {
    state: State,
    scheme: Scheme,
    kind: ModelKind,
    patch: GridPatch,
    /// The load that the patch was made for.
    load: f64,
    centre: DVec2,
}

enum State {
    Distributed(Box<Distributed>),
    Reduced(Box<Reduced>),
}

impl Model {
    /// A model at rest on a patch under a load, newtons.
    pub fn new(
        kind: ModelKind,
        parameters: Parameters,
        patch: &GridPatch,
        scheme: Scheme,
        load: f64,
    ) -> Result<Model, FrictionError> {
        let pressure = patch.pressure(load)?;
        let centre = pressure.centre();
        let state = match kind {
            ModelKind::Distributed => {
                State::Distributed(Box::new(Distributed::new(parameters, Arc::new(pressure))?))
            }
            _ => {
                let map = map(kind, &pressure, patch.resolution)?;
                State::Reduced(Box::new(Reduced::new(parameters, &pressure, map)?))
            }
        };
        Ok(Model { state, scheme, kind, patch: patch.clone(), load, centre })
    }

    /// Three bristles on a patch with a limit surface of one's own.
    pub fn with_map(
        parameters: Parameters,
        patch: &GridPatch,
        map: LimitMap,
        load: f64,
    ) -> Result<Model, FrictionError> {
        let pressure = patch.pressure(load)?;
        let (kind, scheme) = (ModelKind::Reduced, Scheme::Explicit);
        let state = State::Reduced(Box::new(Reduced::new(parameters, &pressure, map)?));
        Ok(Model { state, scheme, kind, patch: patch.clone(), load, centre: pressure.centre() })
    }

    /// Three bristles on a disc that is exactly round, with its exact limit surface.
    pub fn disc(parameters: Parameters, radius: f64) -> Result<Model, FrictionError> {
        let exact = Exact::disc(radius)?;
        let r = exact.spin_radius();
        let node = |j: usize| {
            let (sin, cos) = (FRAC_PI_2 * j as f64 / NODES as f64).sin_cos();
            let wrench = exact.wrench(DVec3::new(r * sin, 0.0, cos));
            DVec2::new(-wrench.x, -wrench.z / r)
        };
        let map = LimitMap::from(Curve::from_nodes((0..=NODES).map(node).collect())?);
        let reduced = Reduced::with_radius(parameters, map, r, 0.5 * radius * radius)?;
        let patch = GridPatch { width: 2.0 * radius, ..GridPatch::of_paper(Shape::Circle) };
        let (state, scheme, kind) =
            (State::Reduced(Box::new(reduced)), Scheme::Explicit, ModelKind::Curve);
        Ok(Model { state, scheme, kind, patch, load: 0.0, centre: DVec2::ZERO })
    }

    /// Follows the load, where the patch does. A constant exponent only changes the size of the
    /// limit surface, so its table stays.
    pub fn set_load(&mut self, load: f64) -> Result<(), FrictionError> {
        let Some(soft) = self.patch.soft else { return Ok(()) };
        if load == self.load {
            return Ok(());
        }
        let pressure = self.patch.pressure(load)?;
        self.load = load;
        self.centre = pressure.centre();
        match &mut self.state {
            State::Distributed(model) => model.set_pressure(Arc::new(pressure)),
            State::Reduced(model) => {
                if soft.exponent_per_newton != 0.0 {
                    model.set_map(map(self.kind, &pressure, self.patch.resolution)?);
                }
                model.resize(pressure.spin_radius(), pressure.gyration2())?;
            }
        }
        Ok(())
    }

    /// Moves the bristles on; the wrench about the centre of pressure.
    pub fn step(&mut self, twist: DVec3, load: f64, dt: f64) -> DVec3 {
        match (&mut self.state, self.scheme) {
            (State::Distributed(m), Scheme::Explicit) => m.explicit_step(twist, load, dt),
            (State::Distributed(m), Scheme::Bounded) => m.bounded_step(twist, load, dt),
            (State::Distributed(m), Scheme::Implicit) => m.implicit_step(twist, load, dt),
            (State::Reduced(m), Scheme::Implicit) => m.implicit_step(twist, load, dt),
            (State::Reduced(m), _) => m.explicit_step(twist, load, dt),
        }
    }

    /// The wrench with the bristles as they are.
    pub fn wrench(&mut self, twist: DVec3, load: f64) -> DVec3 {
        match &mut self.state {
            State::Distributed(m) => m.wrench(twist, load),
            State::Reduced(m) => m.wrench(twist, load),
        }
    }

    /// Centre of pressure from the centre of the patch, metres.
    pub fn centre(&self) -> DVec2 {
        self.centre
    }
}

/// Nodes of the curve of a disc.
const NODES: usize = 200;

fn map(kind: ModelKind, pressure: &Pressure, resolution: usize) -> Result<LimitMap, FrictionError> {
    Ok(match kind {
        ModelKind::Ellipsoid => LimitMap::Ellipsoid,
        ModelKind::Curve => Curve::new(pressure, resolution)?.into(),
        ModelKind::ReducedBilinear => Table::new(pressure, resolution)?.into(),
        _ => LimitMap::rounded(Table::new(pressure, resolution)?),
    })
}
