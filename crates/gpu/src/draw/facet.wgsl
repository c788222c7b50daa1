// Triangles over the picture: arrows, cones; and sheets that are part of it.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec4<f32>,
    // 1 where shadows fall on it.
    @location(3) in_sun: f32,
}

struct Lit {
    @builtin(position) clip: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec4<f32>,
    @location(2) world: vec3<f32>,
    @location(3) @interpolate(flat) in_sun: f32,
}

@vertex
fn vertex(c: Corner) -> Lit {
    let world = mix(globals.eye.xyz, c.position, 0.999);
    let clip = globals.clip_from_world * vec4<f32>(world, 1.0);
    return Lit(clip, c.normal, c.colour, c.position, c.in_sun);
}

// For the shadow map: the sun's view.
@vertex
fn shadow(c: Corner) -> @builtin(position) vec4<f32> {
    return globals.sun_from_world * vec4<f32>(c.position, 1.0);
}

@fragment
fn fragment(in: Lit) -> @location(0) vec4<f32> {
    let size = length(in.normal);
    if size < 0.01 {
        return in.colour;
    }
    var n = in.normal / size;
    let to_eye = normalize(globals.eye.xyz - in.world);
    n = select(-n, n, dot(n, to_eye) >= 0.0);
    var sun = 0.3183099 * max(dot(n, globals.to_sun.xyz), 0.0);
    if in.in_sun > 0.5 && sun > 0.0 {
        sun *= sunlit(in.world, n);
    }
    let light = ambient(n) + globals.sun.rgb * sun;
    return vec4<f32>(tone(in.colour.rgb * light), in.colour.a);
}
