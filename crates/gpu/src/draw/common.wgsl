// Shared by all shaders: what is the same for the whole picture.

struct Globals {
    clip_from_world: mat4x4<f32>,
    sun_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    to_sun: vec4<f32>,
    up: vec4<f32>,
    sun: vec4<f32>,
    sky: vec4<f32>,
    ground: vec4<f32>,
    top: vec4<f32>,
    bottom: vec4<f32>,
    // Width, height, near distance, texels of the shadow map.
    view: vec4<f32>,
}

@group(0) @binding(0) var<uniform> globals: Globals;

// Colour behind everything at a pixel.
fn background(pixel: vec2<f32>) -> vec3<f32> {
    let height = smoothstep(0.0, 1.0, pixel.y / globals.view.y);
    return mix(globals.top.rgb, globals.bottom.rgb, height);
}

// Bright light is bent below 1 without a change of hue.
fn tone(light: vec3<f32>) -> vec3<f32> {
    let knee = 0.72;
    let peak = max(light.r, max(light.g, light.b));
    if peak <= knee {
        return light;
    }
    let bent = knee + (1.0 - knee) * (1.0 - exp(-(peak - knee) / (1.0 - knee)));
    let scaled = light * (bent / peak);
    // Very bright colours turn white.
    return mix(scaled, vec3<f32>(bent), 1.0 - 1.0 / (0.12 * (peak - bent) + 1.0));
}

fn ambient(normal: vec3<f32>) -> vec3<f32> {
    return mix(globals.ground.rgb, globals.sky.rgb, 0.5 + 0.5 * dot(normal, globals.up.xyz));
}
