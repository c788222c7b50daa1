//! Structure fields from formulas.

use std::f64::consts::{FRAC_PI_3, PI};

use asperity::friction::testing::Rng;
use asperity::geometry::structure::StructureField;
use asperity::glamx::DVec3;
use asperity_scene::asset::field::{self, Expression, MAX_DEPTH};

fn point(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0))
}

fn at(field: &StructureField, point: DVec3) -> DVec3 {
    let StructureField::Procedural(f) = field else { panic!("{field:?} is not procedural") };
    f(point)
}

/// Equal but for rounding: the compiler may compute a power of a constant in another way.
fn same(found: f64, expected: f64) -> bool {
    found == expected
        || (found - expected).abs() <= 1e-15 * expected.abs()
        || found.is_nan() && expected.is_nan()
}

#[test]
fn radial_concentric_and_spiral_turn_about_the_axis() {
    let mut rng = Rng::new(1);
    for _ in 0..500 {
        let (centre, axis, p) = (point(&mut rng), rng.unit_vector3(), point(&mut rng));
        let scaled = axis * rng.log_uniform(1e-3, 1e3);
        let radial = at(&field::radial(centre, scaled).unwrap(), p);
        let around = at(&field::concentric(centre, scaled).unwrap(), p);
        let spiral = at(&field::spiral(centre, scaled, FRAC_PI_3).unwrap(), p);
        for direction in [radial, around, spiral] {
            assert!((direction.length() - 1.0).abs() < 1e-12);
            assert!(direction.dot(axis).abs() < 1e-12);
        }
        // The radius lies in the plane of axis and direction, on the outer side.
        assert!(radial.dot(p - centre) > 0.0);
        assert!(around.dot(p - centre).abs() < 1e-10);
        assert!(around.distance(axis.cross(radial)) < 1e-12);
        assert!((spiral.dot(radial) - 0.5).abs() < 1e-12);
        assert!((spiral.dot(around) - 0.75_f64.sqrt()).abs() < 1e-12);
    }
}

#[test]
fn fields_are_zero_on_their_axis() {
    let centre = DVec3::new(0.1, 0.2, 0.3);
    let axis = DVec3::new(1.0, 2.0, 3.0);
    for field in [
        field::radial(centre, axis),
        field::concentric(centre, axis),
        field::spiral(centre, axis, 1.0),
    ] {
        let field = field.unwrap();
        assert_eq!(at(&field, centre), DVec3::ZERO);
        for t in [1e-3, 0.7, 1e6] {
            assert_eq!(at(&field, centre + axis * t), DVec3::ZERO);
        }
        assert!(!at(&field, centre + DVec3::X * 1e-9).abs_diff_eq(DVec3::ZERO, 0.5));
    }
}

#[test]
fn an_axis_without_direction_is_refused() {
    assert!(field::radial(DVec3::ZERO, DVec3::ZERO).is_err());
    assert!(field::concentric(DVec3::NAN, DVec3::X).is_err());
    let error = field::spiral(DVec3::ZERO, DVec3::X, f64::INFINITY).unwrap_err().to_string();
    assert_eq!(error, "angle of a structure field is inf; expected a finite number of radians");
}

#[test]
fn expressions_agree_with_closures() {
    type Case = (&'static str, fn(f64, f64, f64) -> f64);
    let cases: [Case; 30] = [
        ("1", |_, _, _| 1.0),
        ("x + y * z", |x, y, z| x + y * z),
        ("(x + y) * z", |x, y, z| (x + y) * z),
        ("x - y - z", |x, y, z| x - y - z),
        ("x / y / z", |x, y, z| x / y / z),
        ("x - (y - z)", |x, y, z| x - (y - z)),
        ("-x^2", |x, _, _| -x.powf(2.0)),
        ("(-x)^2", |x, _, _| (-x).powf(2.0)),
        ("2^-x", |x, _, _| 2_f64.powf(-x)),
        ("2^x^2", |x, _, _| 2_f64.powf(x.powf(2.0))),
        ("--x", |x, _, _| x),
        ("2 * -x", |x, _, _| 2.0 * -x),
        ("x * x^-1 * 3", |x, _, _| x * x.powf(-1.0) * 3.0),
        (".5 + 2. + 1e-3 + 2.5E+2", |_, _, _| 0.5 + 2.0 + 1e-3 + 2.5e2),
        ("pi * x", |x, _, _| PI * x),
        ("sin(x) + cos(y) * tan(z)", |x, y, z| x.sin() + y.cos() * z.tan()),
        ("atan2(y, x)", |x, y, _| y.atan2(x)),
        ("sqrt(x^2 + y^2)", |x, y, _| (x.powf(2.0) + y.powf(2.0)).sqrt()),
        ("abs(x) * exp(-abs(y))", |x, y, _| x.abs() * (-y.abs()).exp()),
        ("log(abs(x))", |x, _, _| x.abs().ln()),
        ("min(x, y)", |x, y, _| if x < y { x } else { y }),
        ("max(x, max(y, z))", |x, y, z| {
            if x > y && x > z {
                x
            } else if y > z {
                y
            } else {
                z
            }
        }),
        ("step(0.5, x)", |x, _, _| if x < 0.5 { 0.0 } else { 1.0 }),
        ("mod(x, 0.5)", |x, _, _| x - 0.5 * (x / 0.5).floor()),
        ("mod(x, -0.5)", |x, _, _| x + 0.5 * (x / -0.5).floor()),
        ("clamp(x, -1, 1)", |x, _, _| x.clamp(-1.0, 1.0)),
        ("clamp(x, 1, -1)", |_, _, _| -1.0),
        ("((((x))))", |x, _, _| x),
        ("\t x+\ny ", |x, y, _| x + y),
        ("sqrt(-1)", |_, _, _| f64::NAN),
    ];
    let mut rng = Rng::new(2);
    for (text, closure) in cases {
        let expression = Expression::parse(text).unwrap();
        for _ in 0..200 {
            let p = point(&mut rng);
            let (found, expected) = (expression.eval(p, 0.0), closure(p.x, p.y, p.z));
            let is_same = same(found, expected);
            assert!(is_same, "{text} at {p}: {found} is not {expected}");
        }
    }
}

type Closure = Box<dyn Fn(DVec3) -> f64>;

/// A random expression: its text, with as few or as many parentheses as may be, how tightly it
/// binds (0 sum, 1 product, 2 minus, 3 power, 4 the rest), and what it means.
fn random(rng: &mut Rng, depth: usize) -> (String, usize, Closure) {
    let choice = if depth == 0 { rng.index(3) } else { rng.index(12) };
    let sub = |rng: &mut Rng, least: usize| {
        let (text, binding, f) = random(rng, depth.saturating_sub(1));
        let text = if binding < least || rng.chance(0.1) { format!("({text})") } else { text };
        (text, f)
    };
    match choice {
        0 => {
            let number = (rng.uniform(0.0, 4.0) * 64.0).round() / 64.0;
            (format!("{number}"), 4, Box::new(move |_| number))
        }
        1 | 2 => {
            let axis = rng.index(3);
            (["x", "y", "z"][axis].to_owned(), 4, Box::new(move |p| p[axis]))
        }
        3..=4 => {
            let ((a, f), (b, g)) = (sub(rng, 0), sub(rng, 1));
            if choice == 3 {
                (format!("{a} + {b}"), 0, Box::new(move |p| f(p) + g(p)))
            } else {
                (format!("{a}-{b}"), 0, Box::new(move |p| f(p) - g(p)))
            }
        }
        5..=6 => {
            let ((a, f), (b, g)) = (sub(rng, 1), sub(rng, 2));
            if choice == 5 {
                (format!("{a}*{b}"), 1, Box::new(move |p| f(p) * g(p)))
            } else {
                (format!("{a} / {b}"), 1, Box::new(move |p| f(p) / g(p)))
            }
        }
        7 => {
            let (a, f) = sub(rng, 2);
            (format!("-{a}"), 2, Box::new(move |p| -f(p)))
        }
        8 => {
            let ((a, f), (b, g)) = (sub(rng, 4), sub(rng, 2));
            (format!("{a}^{b}"), 3, Box::new(move |p| f(p).powf(g(p))))
        }
        9 => {
            let (a, f) = sub(rng, 0);
            (format!("sin({a})"), 4, Box::new(move |p| f(p).sin()))
        }
        10 => {
            let ((a, f), (b, g)) = (sub(rng, 0), sub(rng, 0));
            (format!("atan2({a}, {b})"), 4, Box::new(move |p| f(p).atan2(g(p))))
        }
        _ => {
            let ((a, f), (b, g), (c, h)) = (sub(rng, 0), sub(rng, 0), sub(rng, 0));
            let text = format!("clamp({a},{b},{c})");
            (text, 4, Box::new(move |p| f(p).max(g(p)).min(h(p))))
        }
    }
}

#[test]
fn random_expressions_mean_what_they_say() {
    for case in 0..3000 {
        let mut rng = Rng::for_case("expression", case);
        let (text, _, closure) = random(&mut rng, 5);
        let expression = Expression::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for _ in 0..10 {
            let p = point(&mut rng);
            let (found, expected) = (expression.eval(p, 0.0), closure(p));
            let is_same = same(found, expected);
            assert!(is_same, "{text} at {p}: {found} is not {expected}");
        }
    }
}

#[test]
fn evaluation_allocates_nothing() {
    let expression = Expression::parse("clamp(sin(x)^2 + y*z, -1, mod(x, 3)) / (1 + x^2)").unwrap();
    let mut sum = 0.0;
    let counted = allocation_counter::measure(|| {
        for i in 0..100 {
            sum += expression.eval(DVec3::splat(f64::from(i)), 0.5);
        }
    });
    assert!(sum.is_finite());
    assert_eq!(counted.count_total, 0);
}

#[test]
fn results_that_are_not_finite_give_zero() {
    let field = field::parse(["x / sqrt(x^2+z^2)", "1", "log(z)"]).unwrap();
    assert_eq!(at(&field, DVec3::ZERO), DVec3::ZERO);
    assert_eq!(at(&field, DVec3::NEG_Z), DVec3::ZERO);
    assert_eq!(at(&field, DVec3::Z), DVec3::Y);
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let operand = "a number, a name, \"-\" or \"(\"";
    for (text, message) in [
        ("", format!("column 1: found the end; expected {operand}")),
        ("x +", format!("column 4: found the end; expected {operand}")),
        ("x + * y", format!("column 5: found \"*\"; expected {operand}")),
        ("+x", format!("column 1: found \"+\"; expected {operand}")),
        ("2x", "column 2: found \"x\"; expected an operator or the end".to_owned()),
        ("1.2.3", "column 4: found \".3\"; expected an operator or the end".to_owned()),
        ("(x", "column 3: found the end; expected an operator or \")\"".to_owned()),
        ("x)", "column 2: found \")\"; expected an operator or the end".to_owned()),
        ("x $ y", "column 3: found \"$\"; expected an operator or the end".to_owned()),
        ("√x", format!("column 1: found \"√\"; expected {operand}")),
        ("sin x", "column 5: found \"x\"; expected \"(\" after the name of a function".to_owned()),
        ("min(x, y", "column 9: found the end; expected an operator, \",\" or \")\"".to_owned()),
        ("1 + min(x)", "column 5: min has 1 arguments here; expected 2".to_owned()),
        ("sin(x, y)", "column 1: sin has 2 arguments here; expected 1".to_owned()),
        ("sin()", format!("column 5: found \")\"; expected {operand}")),
        ("2 * sine(x)", "column 5: unknown name \"sine\"; did you mean \"sin\"?".to_owned()),
        ("Sqrt(x)", "column 1: unknown name \"Sqrt\"; did you mean \"sqrt\"?".to_owned()),
        ("clam(x,0,1)", "column 1: unknown name \"clam\"; did you mean \"clamp\"?".to_owned()),
        ("atan(x)", "column 1: unknown name \"atan\"; did you mean \"atan2\"?".to_owned()),
        (
            "ö + w",
            "column 1: unknown name \"ö\"; expected x, y, z, pi or a function such as sin"
                .to_owned(),
        ),
        ("1e999", "column 1: the number 1e999 is too large".to_owned()),
    ] {
        let error = Expression::parse(text).unwrap_err().to_string();
        assert_eq!(error, message, "{text}");
    }
    let error = field::parse(["0", "x + q", "0"]).unwrap_err().to_string();
    assert!(error.starts_with("component y, column 5: unknown name \"q\""), "{error}");
}

#[test]
fn deep_nesting_is_refused_without_overflow() {
    let n = 100_000;
    for (open, close) in [("(", ")"), ("-", ""), ("sin(", ")"), ("2^", ""), ("1+(", ")")] {
        let text = open.repeat(n) + "x" + &close.repeat(n);
        let error = Expression::parse(&text).map(|_| ()).unwrap_err().to_string();
        assert!(error.ends_with("nested too deeply; expected at most 64 levels"), "{error}");
        let few = open.repeat(MAX_DEPTH / 2) + "x" + &close.repeat(MAX_DEPTH / 2);
        assert!(Expression::parse(&few).is_ok(), "{few}");
    }
    // Long but flat.
    let text = "x".to_owned() + &"+x*y".repeat(n);
    assert!(Expression::parse(&text).unwrap().eval(DVec3::ONE, 0.0) == 100_001.0);
    // Many numbers that wait: each level keeps several.
    let text = "1+2*3^clamp(0, 0, ".repeat(20) + "x" + &")".repeat(20);
    assert!(Expression::parse(&text).is_err());
}

#[test]
fn random_text_is_refused_or_read() {
    let pieces = [
        "x", "y", "pi", "sin", "(", ")", "+", "-", "*", "^", ",", "1.5", "e", ".", " ", "ß", "min(",
    ];
    let mut read = 0;
    for case in 0..20_000 {
        let mut rng = Rng::for_case("text", case);
        let text: String = (0..rng.index(12)).map(|_| pieces[rng.index(pieces.len())]).collect();
        match Expression::parse(&text) {
            Ok(expression) => {
                expression.eval(point(&mut rng), 1.0);
                read += 1;
            }
            Err(error) => assert!(error.column <= text.chars().count() + 1, "{text}: {error}"),
        }
    }
    assert!(read > 100, "{read}");
}
