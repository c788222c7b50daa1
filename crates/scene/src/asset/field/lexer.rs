//! Symbols of expressions, with their columns.

/// A symbol of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Name(&'a str),
    /// Any other character, whether or not the language has it.
    Symbol(char),
    End,
}

/// Cuts an expression into symbols.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    column: usize,
}

/// A symbol, its text and its column, counted in characters from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    pub(super) text: &'a str,
    pub(super) column: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { rest: text, column: 1 }
    }

    /// The next symbol; the end again and again after the last.
    pub(super) fn next(&mut self) -> Placed<'a> {
        let space = self.rest.len() - self.rest.trim_start().len();
        self.take(space);
        let column = self.column;
        let Some(first) = self.rest.chars().next() else {
            return Placed { token: Token::End, text: "", column };
        };
        let number = number_length(self.rest.as_bytes());
        let (text, token) = if number > 0 {
            let text = self.take(number);
            // What has the form of a number always is one.
            (text, Token::Number(text.parse().unwrap_or(f64::NAN)))
        } else if first.is_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
            let text = self.take(end);
            (text, Token::Name(text))
        } else {
            (self.take(first.len_utf8()), Token::Symbol(first))
        };
        Placed { token, text, column }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.column += taken.chars().count();
        self.rest = rest;
        taken
    }
}

/// How many bytes at the start are a number: digits with or without a point, and an exponent.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| {
        bytes.get(from..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let fraction = if bytes.get(whole) == Some(&b'.') { 1 + digits(whole + 1) } else { 0 };
    if whole == 0 && fraction <= 1 {
        return 0;
    }
    let mantissa = whole + fraction;
    let exponent = match bytes.get(mantissa) {
        Some(b'e' | b'E') => {
            let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
            match digits(mantissa + 1 + sign) {
                0 => 0,
                count => 1 + sign + count,
            }
        }
        _ => 0,
    };
    mantissa + exponent
}
