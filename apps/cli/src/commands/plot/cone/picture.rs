//! The picture of `asperity plot cone`.

use asperity::friction::set::Set;

use super::Cone;
use asperity_chart::axes::{Area, Frame, text_width};
use asperity_chart::cone::{
    Look, SPOKE, draw_axes, draw_curve, draw_grain, draw_inside, draw_tractions, grain_paint,
};
use asperity_chart::limit::Limit;
use asperity_chart::{GREY, INK, PALETTE, Paint, Point, Svg, Text, exact, short};

const WIDTH: f64 = 780.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 72.0;
/// Height of a line of the model's numbers.
const DETAIL: f64 = 20.0;
const SIDE: f64 = WIDTH - LEFT - RIGHT;
/// Below the plot, down to the middle of the first line of the legend.
const BELOW: f64 = 72.0;
const LINE: f64 = 24.0;
const CURVE: &str = PALETTE[0];
const SLIP: &str = PALETTE[1];
const LOOK: Look = Look { curve: CURVE, width: 2.5, dot: 4.0, slip: SLIP, slip_length: 36.0 };

/// The limit curve on axes through the origin, with a title above and a legend below.
pub(super) fn draw(cone: &Cone) -> Svg {
    let entries = legend(cone);
    let details = &cone.subject.details;
    let top = TOP + DETAIL * details.len() as f64;
    let mut svg = Svg::new(WIDTH, top + SIDE + BELOW + LINE * entries.len() as f64);
    let subject = &cone.subject;
    svg.text([LEFT, 42.0], &subject.title, &Text::new(20.0, INK).bold());
    let size = details.iter().map(|line| fitting(line)).fold(14.0, f64::min);
    for (i, line) in details.iter().enumerate() {
        svg.text([LEFT, 68.0 + DETAIL * i as f64], line, &Text::new(size, GREY));
    }

    let area = Area { corner: [LEFT, top], size: [SIDE, SIDE] };
    let reach = cone.resting.as_ref().map_or(0.0, Limit::reach).max(cone.limit.reach());
    // Room for the arrows of slip outside the curve.
    let room = 0.5 * SIDE / (0.5 * SIDE - LOOK.slip_length - 3.0 * LOOK.dot - 12.0);
    let half = if reach > 0.0 { reach * room } else { 1.0 };
    let frame = Frame::new(area, [-half, half], [-half, half], true);

    draw_inside(&mut svg, &frame, &cone.limit);
    draw_axes(&mut svg, &frame);
    if let Some(degrees) = subject.grains {
        for (i, angle) in degrees.into_iter().enumerate() {
            let origin = frame.at([0.0, 0.0]);
            draw_grain(&mut svg, origin, 0.48 * SIDE, angle.to_radians(), true, &grain_paint(i));
        }
    }
    if let Some(resting) = &cone.resting {
        draw_curve(&mut svg, &frame, resting, &Paint::stroke(CURVE, 1.5).dashed(6.0, 5.0));
    }
    draw_curve(&mut svg, &frame, &cone.limit, &Paint::stroke(CURVE, LOOK.width));
    draw_tractions(&mut svg, &frame, &cone.tractions, &LOOK);
    for (i, (key, text)) in entries.iter().enumerate() {
        let y = top + SIDE + BELOW + LINE * i as f64;
        key.draw(&mut svg, [LEFT, y]);
        svg.text([LEFT + 52.0, y + 5.0], text, &Text::new(13.0, INK));
    }
    svg
}

/// What stands before a line of the legend.
enum Key {
    Curve,
    CurveAtRest,
    Dot,
    Slip,
    Grain(usize),
    Nothing,
}

impl Key {
    /// Draws the key, 40 pixels wide, with its middle line at `y`.
    fn draw(&self, svg: &mut Svg, [x, y]: Point) {
        let (left, right) = ([x, y], [x + 40.0, y]);
        match self {
            Key::Curve => svg.line(left, right, &Paint::stroke(CURVE, LOOK.width)),
            Key::CurveAtRest => svg.line(left, right, &Paint::stroke(CURVE, 1.5).dashed(6.0, 5.0)),
            Key::Dot => {
                svg.line(left, [x + 34.0, y], &Paint::stroke(SPOKE, 0.8));
                svg.circle([x + 34.0, y], LOOK.dot, &Paint::fill(CURVE));
            }
            Key::Slip => svg.arrow(left, right, &Paint::stroke(SLIP, 1.0)),
            Key::Grain(i) => svg.arrow(left, right, &grain_paint(*i)),
            Key::Nothing => {}
        }
    }
}

fn legend(cone: &Cone) -> Vec<(Key, String)> {
    let spread = &cone.spread;
    let mut entries = vec![(Key::Curve, format!("limit of friction; sliding, {}", range(cone)))];
    if let Some(resting) = &cone.resting {
        let text = format!("limit at rest, up to {} of the load", short(resting.spread().largest));
        entries.push((Key::CurveAtRest, text));
    }
    if !cone.tractions.is_empty() {
        let turned = match spread.turned {
            angle if angle < 0.05 => "straight against it".to_owned(),
            angle => format!("up to {}° from straight against it", short(angle)),
        };
        entries.push((Key::Dot, format!("friction on B for one direction of slip, {turned}")));
        let meets = match &cone.subject.sliding {
            Set::Box(_) | Set::Polygon(_) => "square to an edge or into a corner".to_owned(),
            _ if spread.dissipation > 0.9999 => "square to the curve: most dissipation".to_owned(),
            _ => {
                let share = (100.0 * spread.dissipation).floor();
                format!("not square to it: at least {share}% of the most dissipation")
            }
        };
        entries.push((Key::Slip, format!("that slip of B over A, {meets}")));
    }
    if let Some(degrees) = cone.subject.grains {
        for (i, (name, angle)) in ["A", "B"].into_iter().zip(degrees).enumerate() {
            let angle = exact(angle);
            entries.push((
                Key::Grain(i),
                format!("grain (first axis) of surface {name}, at {angle}°"),
            ));
        }
    }
    if let Some(length) = cone.drilling() {
        let text =
            format!("planar section shown; drilling torque up to {} m × load", short(length));
        entries.push((Key::Nothing, text));
    }
    entries
}

/// How large friction is.
fn range(cone: &Cone) -> String {
    let [smallest, largest] = [cone.spread.smallest, cone.spread.largest].map(short);
    if smallest == largest {
        format!("{largest} of the load in every direction")
    } else {
        format!("{smallest} to {largest} of the load by direction")
    }
}

/// A size of text at which the line fits the picture.
fn fitting(text: &str) -> f64 {
    (SIDE / text_width(text, 1.0)).clamp(8.0, 14.0)
}
