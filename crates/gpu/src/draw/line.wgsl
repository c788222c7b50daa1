// Lines of a width in pixels, with round ends.

struct Stroke {
    @location(0) a: vec4<f32>,
    @location(1) b: vec4<f32>,
    @location(2) colour: vec4<f32>,
}

struct Piece {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) colour: vec4<f32>,
    @location(2) @interpolate(flat) radius: f32,
}

// Lines lie a little before the surface they are drawn on.
const NEARER: f32 = 0.998;

fn pixel(clip: vec4<f32>) -> vec2<f32> {
    let p = clip.xy / clip.w;
    return vec2<f32>(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y) * globals.view.xy;
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, line: Stroke) -> Piece {
    let eye = globals.eye.xyz;
    var a = globals.clip_from_world * vec4<f32>(mix(eye, line.a.xyz, NEARER), 1.0);
    var b = globals.clip_from_world * vec4<f32>(mix(eye, line.b.xyz, NEARER), 1.0);
    // What lies behind the camera is cut off; w is the distance along the view.
    let near = globals.view.z;
    let cut_a = mix(a, b, clamp((near - a.w) / (b.w - a.w), 0.0, 1.0));
    let cut_b = mix(b, a, clamp((near - b.w) / (a.w - b.w), 0.0, 1.0));
    let gone = a.w < near && b.w < near;
    if a.w < near { a = cut_a; }
    if b.w < near { b = cut_b; }
    let from_ = pixel(a);
    let to_ = pixel(b);
    let radius = 0.5 * line.a.w;
    var along = to_ - from_;
    let length_ = length(along);
    along = select(vec2<f32>(1.0, 0.0), along / max(length_, 1e-6), length_ > 1e-3);
    let across = vec2<f32>(-along.y, along.x);
    let reach = radius + 1.0;
    let at_end = (index & 1u) == 1u;
    let side = select(-1.0, 1.0, (index & 2u) == 2u);
    let middle = select(from_ - along * reach, to_ + along * reach, at_end);
    let place = middle + across * (side * reach);
    let end = select(a, b, at_end);
    let ndc = vec2<f32>(2.0 * place.x / globals.view.x - 1.0, 1.0 - 2.0 * place.y / globals.view.y);
    var out: Piece;
    out.clip = vec4<f32>(ndc * end.w, end.z, end.w);
    if gone { out.clip = vec4<f32>(0.0, 0.0, 2.0, 1.0); }
    out.ends = vec4<f32>(from_, to_);
    out.colour = line.colour;
    out.radius = radius;
    return out;
}

@fragment
fn fragment(in: Piece) -> @location(0) vec4<f32> {
    let a = in.ends.xy;
    let d = in.ends.zw - a;
    let p = in.clip.xy - a;
    let s = clamp(dot(p, d) / max(dot(d, d), 1e-6), 0.0, 1.0);
    let away = length(p - d * s);
    let cover = clamp(in.radius + 0.5 - away, 0.0, 1.0);
    return vec4<f32>(in.colour.rgb, in.colour.a * cover);
}
