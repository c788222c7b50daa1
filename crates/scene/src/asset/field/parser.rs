//! The grammar of expressions, and what is wrong with one.

use thiserror::Error;

use super::expression::{STACK, Step};
use super::lexer::{Lexer, Placed, Token};
use super::names::{Meaning, meaning, nearest};

/// How deep parentheses, function calls, minus signs and powers may be nested.
pub const MAX_DEPTH: usize = 64;

/// Why an expression was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}column {column}: {problem}", component.map(|c| format!("component {c}, ")).unwrap_or_default())]
pub struct ExpressionError {
    /// Which component of a field: `x`, `y` or `z`. Nothing for an expression on its own.
    pub component: Option<char>,
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: ExpressionProblem,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExpressionProblem {
    /// Something else should stand here.
    #[error("found {found}; expected {expected}")]
    Unexpected {
        /// What stands here.
        found: String,
        /// What could.
        expected: &'static str,
    },
    /// A name that the language does not have.
    #[error("unknown name \"{name}\"; {}", match suggestion {
        Some(known) => format!("did you mean \"{known}\"?"),
        None => "expected x, y, z, pi or a function such as sin".to_owned(),
    })]
    UnknownName {
        /// The name.
        name: String,
        /// What was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A function with too few or too many arguments.
    #[error("{function} has {found} arguments here; expected {expected}")]
    Arguments {
        /// The function.
        function: String,
        /// How many it has.
        found: usize,
        /// How many it needs.
        expected: usize,
    },
    /// A number beyond the largest there is.
    #[error("the number {0} is too large")]
    NumberTooLarge(String),
    /// Parentheses, calls, minus signs or powers nested beyond [`MAX_DEPTH`], or too many numbers
    /// that wait for each other.
    #[error("nested too deeply; expected at most {MAX_DEPTH} levels")]
    TooDeep,
}

/// The steps of an expression, in the order of evaluation.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, ExpressionError> {
    let mut lexer = Lexer::new(text);
    let current = lexer.next();
    let mut parser = Parser { lexer, current, steps: Vec::new(), waiting: 0, depth: 0 };
    parser.expression()?;
    match parser.current.token {
        Token::End => Ok(parser.steps),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    current: Placed<'a>,
    steps: Vec<Step>,
    /// Numbers on the stack after the steps so far.
    waiting: usize,
    depth: usize,
}

impl Parser<'_> {
    fn expression(&mut self) -> Result<(), ExpressionError> {
        self.term()?;
        loop {
            let step = match self.current.token {
                Token::Symbol('+') => Step::Add,
                Token::Symbol('-') => Step::Subtract,
                _ => return Ok(()),
            };
            self.advance();
            self.term()?;
            self.emit(step)?;
        }
    }

    fn term(&mut self) -> Result<(), ExpressionError> {
        self.factor()?;
        loop {
            let step = match self.current.token {
                Token::Symbol('*') => Step::Multiply,
                Token::Symbol('/') => Step::Divide,
                _ => return Ok(()),
            };
            self.advance();
            self.factor()?;
            self.emit(step)?;
        }
    }

    /// Every way to nest passes through here, so here depth is counted.
    fn factor(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH + 1 {
            return Err(self.error(ExpressionProblem::TooDeep));
        }
        if self.current.token == Token::Symbol('-') {
            self.advance();
            self.factor()?;
            self.emit(Step::Negate)?;
        } else {
            self.primary()?;
            if self.current.token == Token::Symbol('^') {
                self.advance();
                self.factor()?;
                self.emit(Step::Power)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn primary(&mut self) -> Result<(), ExpressionError> {
        let start = self.current;
        match start.token {
            Token::Number(number) if number.is_finite() => {
                self.advance();
                self.emit(Step::Number(number))
            }
            Token::Number(_) => {
                Err(self.error(ExpressionProblem::NumberTooLarge(shortened(start.text))))
            }
            Token::Symbol('(') => {
                self.advance();
                self.expression()?;
                self.expect(')', "an operator or \")\"")
            }
            Token::Name(name) => match meaning(name) {
                Some(Meaning::Value(step)) => {
                    self.advance();
                    self.emit(*step)
                }
                Some(Meaning::Function(function)) => {
                    self.advance();
                    let found = self.arguments()?;
                    let expected = function.arguments();
                    if found != expected {
                        let function = name.to_owned();
                        let problem = ExpressionProblem::Arguments { function, found, expected };
                        return Err(error_at(start, problem));
                    }
                    self.emit(Step::Call(*function))
                }
                None => Err(self.error(ExpressionProblem::UnknownName {
                    name: shortened(name),
                    suggestion: nearest(name),
                })),
            },
            _ => Err(self.unexpected("a number, a name, \"-\" or \"(\"")),
        }
    }

    /// The arguments of a function in parentheses; returns how many.
    fn arguments(&mut self) -> Result<usize, ExpressionError> {
        self.expect('(', "\"(\" after the name of a function")?;
        let mut count = 0;
        loop {
            self.expression()?;
            count += 1;
            if self.current.token != Token::Symbol(',') {
                break;
            }
            self.advance();
        }
        self.expect(')', "an operator, \",\" or \")\"")?;
        Ok(count)
    }

    fn advance(&mut self) {
        self.current = self.lexer.next();
    }

    fn expect(&mut self, symbol: char, expected: &'static str) -> Result<(), ExpressionError> {
        if self.current.token != Token::Symbol(symbol) {
            return Err(self.unexpected(expected));
        }
        self.advance();
        Ok(())
    }

    fn emit(&mut self, step: Step) -> Result<(), ExpressionError> {
        self.waiting = self.waiting + 1 - step.takes();
        if self.waiting > STACK {
            return Err(self.error(ExpressionProblem::TooDeep));
        }
        self.steps.push(step);
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        let found = match self.current.token {
            Token::End => "the end".to_owned(),
            _ => format!("\"{}\"", shortened(self.current.text)),
        };
        self.error(ExpressionProblem::Unexpected { found, expected })
    }

    fn error(&self, problem: ExpressionProblem) -> ExpressionError {
        error_at(self.current, problem)
    }
}

fn error_at(at: Placed, problem: ExpressionProblem) -> ExpressionError {
    ExpressionError { component: None, column: at.column, problem }
}

/// The beginning of a long word, for a message.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
