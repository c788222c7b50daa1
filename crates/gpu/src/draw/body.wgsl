// Lit, textured surfaces with shadows.

@group(1) @binding(0) var image: texture_2d<f32>;
// Means of the slopes p and q, of p² and q²; and of p q.
@group(1) @binding(1) var slopes: texture_2d<f32>;
@group(1) @binding(2) var image_sampler: sampler;
@group(1) @binding(3) var mixed_slopes: texture_2d<f32>;

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) tangent: vec4<f32>,
    @location(4) column0: vec4<f32>,
    @location(5) column1: vec4<f32>,
    @location(6) column2: vec4<f32>,
    @location(7) column3: vec4<f32>,
    // Colour and roughness.
    @location(8) colour: vec4<f32>,
    // Kind, strength, length.
    @location(9) pattern: vec4<f32>,
    // Direction of a grain; metalness.
    @location(10) grain: vec4<f32>,
    // Centre and inner radius of the fade; the outer radius is in pattern.w, 0 without a fade.
    @location(11) fade: vec4<f32>,
    @location(12) id: u32,
}

struct Lit {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) local: vec3<f32>,
    @location(5) @interpolate(flat) colour: vec4<f32>,
    @location(6) @interpolate(flat) pattern: vec4<f32>,
    @location(7) @interpolate(flat) grain: vec4<f32>,
    @location(8) @interpolate(flat) fade: vec4<f32>,
}

fn world_from_mesh(c: Corner) -> mat4x4<f32> {
    return mat4x4<f32>(c.column0, c.column1, c.column2, c.column3);
}

@vertex
fn vertex(c: Corner) -> Lit {
    let place = world_from_mesh(c);
    let world = place * vec4<f32>(c.position, 1.0);
    var out: Lit;
    out.clip = globals.clip_from_world * world;
    out.world = world.xyz;
    out.normal = (place * vec4<f32>(c.normal, 0.0)).xyz;
    out.tangent = vec4<f32>((place * vec4<f32>(c.tangent.xyz, 0.0)).xyz, c.tangent.w);
    // Rows of an image start at the top.
    out.uv = vec2<f32>(c.uv.x, 1.0 - c.uv.y);
    out.local = c.position;
    out.colour = c.colour;
    out.pattern = c.pattern;
    out.grain = c.grain;
    out.fade = c.fade;
    return out;
}

// For the shadow map: the sun's view. What throws none is left out by its draw call.
@vertex
fn shadow(c: Corner) -> @builtin(position) vec4<f32> {
    return globals.sun_from_world * world_from_mesh(c) * vec4<f32>(c.position, 1.0);
}

struct Named {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) id: u32,
    @location(1) world: vec3<f32>,
    @location(2) @interpolate(flat) fade: vec4<f32>,
    @location(3) @interpolate(flat) outer: f32,
}

@vertex
fn named_vertex(c: Corner) -> Named {
    let world = world_from_mesh(c) * vec4<f32>(c.position, 1.0);
    return Named(globals.clip_from_world * world, c.id, world.xyz, c.fade, c.pattern.w);
}

@fragment
fn named_fragment(in: Named) -> @location(0) u32 {
    // Beyond its fade there is nothing of it.
    if in.outer > 0.0 && distance(in.world, in.fade.xyz) > in.outer {
        discard;
    }
    return in.id;
}

fn hash(p: vec3<f32>) -> f32 {
    // Bits of the cell's number, mixed.
    let i = vec3<u32>(vec3<i32>(p));
    var h = i.x * 73856093u ^ i.y * 19349663u ^ i.z * 83492791u;
    h = (h ^ (h >> 15u)) * 2246822519u;
    h = (h ^ (h >> 13u)) * 3266489917u;
    return f32((h ^ (h >> 16u)) & 0xffffu) / 65535.0;
}

fn noise(p: vec3<f32>) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    let w = f * f * (3.0 - 2.0 * f);
    let e = vec2<f32>(0.0, 1.0);
    let near = mix(
        mix(hash(cell), hash(cell + e.yxx), w.x),
        mix(hash(cell + e.xyx), hash(cell + e.yyx), w.x), w.y);
    let far = mix(
        mix(hash(cell + e.xxy), hash(cell + e.yxy), w.x),
        mix(hash(cell + e.xyy), hash(cell + e.yyy), w.x), w.y);
    return mix(near, far, w.z);
}

// Shares by which patterns darken.
// `change` is how much the point changes from pixel to pixel.
fn octants(p: vec3<f32>, change: vec3<f32>) -> f32 {
    let soft = max(change, vec3<f32>(1e-12));
    let signs = clamp(p / soft, vec3<f32>(-1.0), vec3<f32>(1.0));
    return 0.5 + 0.5 * signs.x * signs.y * signs.z;
}

fn grid(p: vec2<f32>, change: vec2<f32>, size: f32) -> f32 {
    let q = p / size;
    let soft = max(change / size, vec2<f32>(1e-6));
    let far = abs(fract(q - 0.5) - 0.5) / soft;
    // Lines of one and a half pixels, gone where they would lie closer than four.
    let lines = clamp(vec2<f32>(1.25) - far, vec2<f32>(0.0), vec2<f32>(1.0));
    let dense = clamp(1.6 - 4.0 * soft, vec2<f32>(0.0), vec2<f32>(1.0));
    let both = lines * dense;
    return max(both.x, both.y);
}

// Wood: rings about a pith outside of the body, and fibres, both drawn out along the grain.
fn streaks(p: vec3<f32>, change: vec3<f32>, along: vec3<f32>, width: f32) -> f32 {
    let s = dot(p, along);
    let q = (p - along * s) / width;
    let side = normalize(select(vec3<f32>(0.3, 1.0, 0.2), vec3<f32>(1.0, 0.2, 0.3),
        abs(along.y) > 0.7));
    let pith = normalize(side - along * dot(side, along)) * 34.0;
    let drawn = along * (s / (width * 26.0));
    let bend = noise(q * 0.22 + drawn * 0.6 + 90.0);
    let ring = fract(length(q - pith) * 0.27 + 2.2 * bend);
    let rings = smoothstep(0.0, 0.75, ring) * (1.0 - smoothstep(0.86, 1.0, ring));
    let fibres = noise(q * 2.1 + drawn * 2.0 + 40.0);
    // What is finer than pixels is a mean.
    let blur = length(change) / width;
    let soft = clamp(vec2<f32>(1.6 - 0.5 * blur, 1.4 - 1.2 * blur), vec2<f32>(0.0), vec2<f32>(1.0));
    return 0.6 * mix(0.42, rings, soft.x) + 0.4 * mix(0.5, fibres, soft.y);
}

@fragment
fn fragment(in: Lit) -> @location(0) vec4<f32> {
    let kind = u32(in.pattern.x);
    // Derivatives need all pixels of a block: they come before any branch.
    let change = fwidth(in.local);
    let painted = textureSample(image, image_sampler, in.uv).rgb;
    // Rows of a relief start at the bottom.
    let place = vec2<f32>(in.uv.x, 1.0 - in.uv.y);
    let slope = textureSample(slopes, image_sampler, place);
    let mixed = textureSample(mixed_slopes, image_sampler, place).r;
    var share = 0.0;
    if kind == 1u {
        share = octants(in.local, change);
    } else if kind == 2u {
        share = grid(in.local.xz, change.xz, in.pattern.z);
    } else if kind == 3u {
        share = streaks(in.local, change, in.grain.xyz, in.pattern.z);
    }
    let albedo = in.colour.rgb * painted * (1.0 - in.pattern.y * share);
    let flat_normal = normalize(in.normal);
    let t = normalize(in.tangent.xyz - flat_normal * dot(flat_normal, in.tangent.xyz));
    let b = cross(flat_normal, t) * in.tangent.w;
    var sun = vec3<f32>(0.0);
    if dot(flat_normal, globals.to_sun.xyz) > 0.0 || slope.z + slope.w > 0.0 {
        sun = globals.sun.rgb * sunlit(in.world, flat_normal);
    }
    let to_eye = normalize(globals.eye.xyz - in.world);
    let finish = Finish(albedo, in.colour.w, in.grain.w);
    let axes = mat3x3<f32>(t, b, flat_normal);
    var light = answer(facets(slope, mixed), finish, axes, to_eye, sun);
    light = tone(light);
    if in.pattern.w > 0.0 {
        let away = distance(in.world, in.fade.xyz);
        light = mix(light, background(in.clip.xy), smoothstep(in.fade.w, in.pattern.w, away));
    }
    return vec4<f32>(light, 1.0);
}
