// What the sun sees, for surfaces in its shadows.

@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Share of the sun that arrives: the mean over a disc of the shadow map.
fn sunlit(world: vec3<f32>, normal: vec3<f32>) -> f32 {
    let slope = 1.0 - max(dot(normal, globals.to_sun.xyz), 0.0);
    let texel = 2.0 * globals.up.w / globals.view.w;
    let away = world + normal * texel * (1.0 + 2.5 * slope);
    let at = globals.sun_from_world * vec4<f32>(away, 1.0);
    let uv = vec2<f32>(0.5 + 0.5 * at.x, 0.5 - 0.5 * at.y);
    let step = 1.0 / globals.view.w;
    let depth = at.z - 0.0002;
    // Rings of 6 and 12 around the middle, weighted like a bell.
    var sum = textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth) * 1.5;
    for (var i = 0; i < 6; i++) {
        let turn = f32(i) * 1.0471976;
        let offset = vec2<f32>(cos(turn), sin(turn)) * 1.7 * step;
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + offset, depth);
    }
    for (var i = 0; i < 12; i++) {
        let turn = f32(i) * 0.5235988 + 0.2617994;
        let offset = vec2<f32>(cos(turn), sin(turn)) * 3.6 * step;
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + offset, depth) * 0.55;
    }
    let inside = all(abs(at.xy) < vec2<f32>(0.98)) && at.z < 1.0;
    return select(1.0, sum / 14.1, inside);
}
