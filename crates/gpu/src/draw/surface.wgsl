// How rough, coloured and metallic surfaces answer the sun and the sky; `plain/surface.rs` is the
// same in plain code. Facets have Gaussian slopes about a mean, in the axes of the smooth surface.

struct Facets {
    mean: vec2<f32>,
    // Of slopes along tangent and bitangent, and their covariance.
    variance: vec3<f32>,
}

fn facets(slopes: vec4<f32>, mixed: f32) -> Facets {
    let xx = max(slopes.z - slopes.x * slopes.x, 0.0);
    let yy = max(slopes.w - slopes.y * slopes.y, 0.0);
    let most = sqrt(xx * yy);
    return Facets(slopes.xy, vec3<f32>(xx, yy, clamp(mixed - slopes.x * slopes.y, -most, most)));
}

// Density of normals along h per solid angle (Beckmann, about the mean slope; LEAN mapping).
fn density(f: Facets, own: f32, h: vec3<f32>) -> f32 {
    if h.z < 1e-3 {
        return 0.0;
    }
    let xx = f.variance.x + own;
    let yy = f.variance.y + own;
    let det = max(xx * yy - f.variance.z * f.variance.z, 1e-14);
    let d = -h.xy / h.z - f.mean;
    let q = (yy * d.x * d.x - 2.0 * f.variance.z * d.x * d.y + xx * d.y * d.y) / det;
    return exp(-0.5 * q) / (6.2831853 * sqrt(det) * h.z * h.z * h.z * h.z);
}

// Light of the sky from a direction, blurred by an angle.
fn sky_light(d: vec3<f32>, blur: f32) -> vec3<f32> {
    let up = globals.up.xyz;
    let sun = globals.to_sun.xyz;
    let y = dot(d, up);
    let b = blur * blur;
    let share = 0.5 + 0.5 * y / sqrt(y * y + b + 0.002);
    let above = globals.sky.rgb * mix(1.3, 0.7, clamp(y, 0.0, 1.0));
    let below = globals.ground.rgb * mix(1.0, 0.45, clamp(-y, 0.0, 1.0));
    // Bright haze about the sun, and a white wall across from it.
    let haze = 1.6 * 0.08 / (0.08 + b) * exp((dot(d, sun) - 1.0) / (0.08 + b));
    let across = normalize(up * (2.0 * dot(sun, up)) * 0.6 - sun + up * dot(sun, up) * 0.4);
    let wall = 0.8 * 0.05 / (0.05 + b) * exp((dot(d, across) - 1.0) / (0.05 + b));
    return mix(below, above, share) + globals.sky.rgb * (haze + wall);
}

// Share of the sky that a rough surface reflects: factor on and addition to what it reflects
// straight on (a fit by Karis 2014).
fn reflected(rough: f32, nv: f32) -> vec2<f32> {
    let r = vec4<f32>(-1.0, -0.0275, -0.572, 0.022) * rough + vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    return vec2<f32>(-1.04, 1.04) * a + r.zw;
}

struct Finish {
    albedo: vec3<f32>,
    roughness: f32,
    metalness: f32,
}

// `axes` are tangent, bitangent and normal; `sun` is what arrives of the sun.
fn answer(f: Facets, finish: Finish, axes: mat3x3<f32>, to_eye: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let to_sun = globals.to_sun.xyz;
    let alpha = finish.roughness * finish.roughness;
    // A Beckmann lobe of roughness alpha has slopes of this variance.
    let own = 0.5 * alpha * alpha;
    let straight = mix(vec3<f32>(0.04), finish.albedo, finish.metalness);
    let h = normalize(to_eye + to_sun);
    let hv = max(dot(h, to_eye), 0.05);
    let fresnel = straight + (1.0 - straight) * pow(1.0 - hv, 5.0);
    let facing = max(dot(axes[2], to_sun), 0.0);
    // Visibility of Kelemen and Szirmay-Kalos: it does not ask for the normal, so that means over
    // facets are exact.
    let glint = density(f, own, h * axes) / (4.0 * hv * hv);
    var light = sun * facing * fresnel * glint;
    // Everything else: three by three facets that stand for all (Gauss and Hermite).
    let xx = f.variance.x;
    let lx = sqrt(xx);
    let ly = f.variance.z / max(lx, 1e-6);
    let lz = sqrt(max(f.variance.y - ly * ly, 0.0));
    let many = xx + f.variance.y > 1e-7;
    let blur = 2.0 * sqrt(own + 0.075 * (xx + f.variance.y));
    var towards = 0.0;
    var mean = vec3<f32>(0.0);
    var mirror = vec3<f32>(0.0);
    for (var k = 0; k < 9; k++) {
        if !many && k != 4 {
            continue;
        }
        let i = vec2<i32>(k % 3 - 1, k / 3 - 1);
        let z = vec2<f32>(i) * 1.7320508;
        var w = select(0.6666667, 0.1666667, i.x != 0) * select(0.6666667, 0.1666667, i.y != 0);
        w = select(1.0, w, many);
        let s = f.mean + vec2<f32>(lx * z.x, ly * z.x + lz * z.y);
        let n = axes * normalize(vec3<f32>(-s, 1.0));
        towards += w * max(dot(n, to_sun), 0.0);
        mean += w * n;
        mirror += w * sky_light(reflect(-to_eye, n), blur);
    }
    let total = sqrt(sqrt(2.0 * (own + 0.5 * (xx + f.variance.y))));
    let share = reflected(clamp(total, 0.05, 1.0), max(dot(axes[2], to_eye), 0.0));
    light += mirror * (straight * share.x + share.y);
    // The sun is given so that a white surface it faces is as bright as itself over pi.
    light += finish.albedo * (1.0 - finish.metalness) * (sun * towards * 0.3183099 + ambient(mean));
    return light;
}
