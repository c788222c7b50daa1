//! Expressions in x, y, z and t, ready to be evaluated.
//!
//! Our own language and no crate's, because none of those at hand (`exmex`, `fasteval`, `evalexpr`,
//! `meval`) gives all of: errors with their column and a suggestion, a bound on the depth of nesting,
//! evaluation without allocation whatever the length, and a licence that fits.

use glamx::DVec3;

use super::parser::{self, ExpressionError};

/// Most numbers that are kept at once while a value is computed.
pub(super) const STACK: usize = 64;

/// An expression in x, y, z and t, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// In the order of evaluation: operands before what is done with them.
    steps: Vec<Step>,
}

/// One step of an evaluation: takes numbers from the top of a stack, puts one there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Puts a number.
    Number(f64),
    /// Puts a coordinate of the point: 0, 1 or 2.
    Coordinate(usize),
    /// Puts the time.
    Time,
    /// Changes the sign.
    Negate,
    /// `+`, `-`, `*`, `/` and `^`.
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    /// Applies a function.
    Call(Function),
}

/// The functions of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Sin,
    Cos,
    Tan,
    Atan2,
    Sqrt,
    Abs,
    Exp,
    Log,
    Min,
    Max,
    Step,
    Mod,
    Clamp,
}

impl Expression {
    /// Reads an expression in the [grammar](super) of fields.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        parser::parse(text).map(|steps| Expression { steps })
    }

    /// Whether it has t in it.
    pub fn follows_time(&self) -> bool {
        self.steps.contains(&Step::Time)
    }

    /// Its value at a point and a time, which may be infinite or NaN. Allocates nothing.
    pub fn eval(&self, point: DVec3, time: f64) -> f64 {
        let mut stack = [0.0; STACK];
        // The parser lets no expression need more numbers than there is room for, nor take more
        // than it has put.
        let mut top = 0;
        for step in &self.steps {
            top = top + 1 - step.takes();
            let a = &mut stack[top - 1..];
            a[0] = match *step {
                Step::Number(number) => number,
                Step::Coordinate(axis) => point[axis],
                Step::Time => time,
                Step::Negate => -a[0],
                Step::Add => a[0] + a[1],
                Step::Subtract => a[0] - a[1],
                Step::Multiply => a[0] * a[1],
                Step::Divide => a[0] / a[1],
                Step::Power => a[0].powf(a[1]),
                Step::Call(function) => function.apply(a),
            };
        }
        stack[0]
    }
}

impl Step {
    /// How many numbers it takes from the stack; it puts one.
    pub(super) fn takes(self) -> usize {
        match self {
            Step::Number(_) | Step::Coordinate(_) | Step::Time => 0,
            Step::Negate => 1,
            Step::Add | Step::Subtract | Step::Multiply | Step::Divide | Step::Power => 2,
            Step::Call(function) => function.arguments(),
        }
    }
}

impl Function {
    /// How many arguments it has.
    pub(super) fn arguments(self) -> usize {
        match self {
            Function::Clamp => 3,
            Function::Atan2 | Function::Min | Function::Max | Function::Step | Function::Mod => 2,
            _ => 1,
        }
    }

    /// Its value for the first numbers of `a`.
    fn apply(self, a: &[f64]) -> f64 {
        match self {
            Function::Sin => a[0].sin(),
            Function::Cos => a[0].cos(),
            Function::Tan => a[0].tan(),
            Function::Atan2 => a[0].atan2(a[1]),
            Function::Sqrt => a[0].sqrt(),
            Function::Abs => a[0].abs(),
            Function::Exp => a[0].exp(),
            Function::Log => a[0].ln(),
            Function::Min => a[0].min(a[1]),
            Function::Max => a[0].max(a[1]),
            Function::Step => f64::from(a[1] >= a[0]),
            Function::Mod => a[0] - a[1] * (a[0] / a[1]).floor(),
            Function::Clamp => a[0].max(a[1]).min(a[2]),
        }
    }
}
