// Triangles over the picture: arrows, cones.

struct Corner {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec4<f32>,
}

struct Lit {
    @builtin(position) clip: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec4<f32>,
    @location(2) world: vec3<f32>,
}

@vertex
fn vertex(c: Corner) -> Lit {
    let world = mix(globals.eye.xyz, c.position, 0.999);
    return Lit(globals.clip_from_world * vec4<f32>(world, 1.0), c.normal, c.colour, c.position);
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
    let light = ambient(n) + globals.sun.rgb * 0.3183099 * max(dot(n, globals.to_sun.xyz), 0.0);
    return vec4<f32>(tone(in.colour.rgb * light), in.colour.a);
}
