//! Structure fields from formulas: directions that go out from an axis, around it, or both at
//! once, and any other from three expressions.
//!
//! ```
//! use asperity_scene::asset::field;
//! use asperity::glamx::DVec3;
//! use asperity::geometry::structure::StructureField;
//!
//! let StructureField::Procedural(rings) = field::parse(["-z", "0", "x"])? else { unreachable!() };
//! assert_eq!(rings(DVec3::new(2.0, 5.0, 0.0)), DVec3::new(0.0, 0.0, 2.0));
//! # Ok::<(), field::ExpressionError>(())
//! ```
//!
//! # Grammar of expressions
//!
//! Spaces may stand between all symbols.
//!
//! ```text
//! expression = term , { ( "+" | "-" ) , term } ;
//! term       = factor , { ( "*" | "/" ) , factor } ;
//! factor     = "-" , factor | power ;
//! power      = primary , [ "^" , factor ] ;
//! primary    = number | "(" , expression , ")" | variable | constant | call ;
//! variable   = "x" | "y" | "z" | "t" ;
//! constant   = "pi" ;
//! call       = function , "(" , expression , { "," , expression } , ")" ;
//! function   = "sin" | "cos" | "tan" | "atan2" | "sqrt" | "abs" | "exp" | "log" | "min" | "max"
//!            | "step" | "mod" | "clamp" ;
//! number     = ( digits , [ "." , [ digits ] ] | "." , digits )
//!            , [ ( "e" | "E" ) , [ "+" | "-" ] , digits ] ;
//! digits     = digit , { digit } ;
//! ```
//!
//! So `^` binds tighter than a minus before it, and to the right: `-x^2` is −(x²), `2^-1` is ½ and
//! `2^3^2` is 2⁹. What the functions mean:
//!
//! | function | meaning |
//! |---|---|
//! | `sin(a)`, `cos(a)`, `tan(a)` | of an angle in radians |
//! | `atan2(b, a)` | angle of the point (a, b), from −π to π |
//! | `sqrt(a)`, `abs(a)`, `exp(a)` | as usual |
//! | `log(a)` | natural logarithm |
//! | `min(a, b)`, `max(a, b)` | the smaller, the larger |
//! | `step(edge, a)` | 0 where a < edge, else 1 |
//! | `mod(a, b)` | a − b ⌊a/b⌋, with the sign of b |
//! | `clamp(a, low, high)` | min(max(a, low), high) |
//!
//! Variables are the coordinates of the point in body axes, in metres, and the time t, in seconds.

mod expression;
mod lexer;
mod names;
mod parser;

use std::sync::Arc;

use asperity_friction::FrictionError;
use glamx::DVec3;

use asperity::geometry::structure::StructureField;

pub use expression::Expression;
pub use parser::{ExpressionError, ExpressionProblem, MAX_DEPTH};

/// Unit directions straight away from an axis through `centre`; zero on the axis.
pub fn radial(centre: DVec3, axis: DVec3) -> Result<StructureField, FrictionError> {
    spiral(centre, axis, 0.0)
}

/// Unit directions around an axis through `centre`, counter-clockwise seen against it; zero on
/// the axis.
pub fn concentric(centre: DVec3, axis: DVec3) -> Result<StructureField, FrictionError> {
    let axis = checked(centre, axis, 0.0)?;
    Ok(procedural(move |point| axis.cross(outwards(point - centre, axis))))
}

/// Unit directions at a constant angle (radians) to those of [`radial`], towards those of
/// [`concentric`]: along logarithmic spirals. Zero on the axis.
pub fn spiral(centre: DVec3, axis: DVec3, angle: f64) -> Result<StructureField, FrictionError> {
    let axis = checked(centre, axis, angle)?;
    let (sin, cos) = angle.sin_cos();
    Ok(procedural(move |point| {
        let out = outwards(point - centre, axis);
        cos * out + sin * axis.cross(out)
    }))
}

/// A field from the expressions of its three components, in the grammar [above](self).
///
/// The directions need not have unit length. Where a component is not a finite number, as in a
/// division by zero, the direction is zero.
pub fn parse(components: [&str; 3]) -> Result<StructureField, ExpressionError> {
    let component = |i: usize| {
        Expression::parse(components[i]).map_err(|error| ExpressionError {
            component: ['x', 'y', 'z'].get(i).copied(),
            ..error
        })
    };
    let [x, y, z] = [component(0)?, component(1)?, component(2)?];
    let timed = [&x, &y, &z].into_iter().any(Expression::follows_time);
    let field = move |point, time| {
        let direction = DVec3::new(x.eval(point, time), y.eval(point, time), z.eval(point, time));
        if direction.is_finite() { direction } else { DVec3::ZERO }
    };
    Ok(if timed {
        StructureField::Timed(Arc::new(field))
    } else {
        procedural(move |point| field(point, 0.0))
    })
}

fn procedural(field: impl Fn(DVec3) -> DVec3 + Send + Sync + 'static) -> StructureField {
    StructureField::Procedural(Arc::new(field))
}

/// The unit axis, if all numbers are finite and it has one.
fn checked(centre: DVec3, axis: DVec3, angle: f64) -> Result<DVec3, FrictionError> {
    let refuse = |what: &str, value: f64, expected: &'static str| {
        Err(FrictionError::Value { what: format!("{what} of a structure field"), value, expected })
    };
    for (what, vector) in [("centre", centre), ("axis", axis)] {
        if let Some(value) = vector.to_array().into_iter().find(|x| !x.is_finite()) {
            return refuse(what, value, "finite coordinates");
        }
    }
    if !angle.is_finite() {
        return refuse("angle", angle, "a finite number of radians");
    }
    match axis.try_normalize() {
        Some(unit) => Ok(unit),
        None => refuse("length of the axis", axis.length(), "a length above zero"),
    }
}

/// Unit vector from the axis to a point, zero where that is no more than rounding.
fn outwards(from_centre: DVec3, axis: DVec3) -> DVec3 {
    let out = from_centre - axis * axis.dot(from_centre);
    let is_on_axis = !(out.length() > 1e-14 * from_centre.length());
    if is_on_axis { DVec3::ZERO } else { out.normalize_or_zero() }
}
