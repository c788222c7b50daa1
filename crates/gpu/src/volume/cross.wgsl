// Where a ray crosses the surface of a mesh.

// A product of whole numbers: low and high 32 bits.
fn product(a: i32, b: i32) -> vec2<u32> {
    let x = u32(abs(a));
    let y = u32(abs(b));
    let xl = x & 0xffffu;
    let xh = x >> 16u;
    let yl = y & 0xffffu;
    let yh = y >> 16u;
    let ll = xl * yl;
    let lh = xl * yh;
    let hl = xh * yl;
    let carry = (ll >> 16u) + (lh & 0xffffu) + (hl & 0xffffu);
    var low = (carry << 16u) | (ll & 0xffffu);
    var high = xh * yh + (lh >> 16u) + (hl >> 16u) + (carry >> 16u);
    if ((a < 0) != (b < 0)) {
        low = ~low + 1u;
        high = ~high + select(0u, 1u, low == 0u);
    }
    return vec2<u32>(low, high);
}

struct Turn {
    // Twice the area of the triangle that an edge makes with the ray.
    size: f32,
    is_left: bool,
}

// On which side of the ray an edge passes; exact. A ray on an edge is thought to be shifted by an
// infinitesimal, the same for all edges, so that none slips through.
fn turn(a: vec2<i32>, b: vec2<i32>) -> Turn {
    let p = product(a.x, b.y);
    let q = product(a.y, b.x);
    var low = p.x - q.x;
    var high = p.y - q.y - select(0u, 1u, p.x < q.x);
    if (low == 0u && high == 0u) {
        let is_level = a.y == b.y;
        return Turn(0.0, select((b.y < a.y), (b.x > a.x), is_level));
    }
    let is_right = (high >> 31u) == 1u;
    if (is_right) {
        low = ~low + 1u;
        high = ~high + select(0u, 1u, low == 0u);
    }
    return Turn(f32(high) * 4294967296.0 + f32(low), !is_right);
}

// A corner in the axes of the rays. One formula for all, so that neighbours agree on it.
fn place(corner: vec3<i32>, middle: vec3<i32>, map: u32) -> vec3<f32> {
    let d = vec3<f32>(corner - middle);
    let x = bitcast<vec4<f32>>(pairs[map]);
    let y = bitcast<vec4<f32>>(pairs[map + 1u]);
    let z = bitcast<vec4<f32>>(pairs[map + 2u]);
    return vec3<f32>(
        fma(x.x, d.x, fma(x.y, d.y, fma(x.z, d.z, x.w))),
        fma(y.x, d.x, fma(y.y, d.y, fma(y.z, d.z, y.w))),
        fma(z.x, d.x, fma(z.y, d.y, fma(z.z, d.z, z.w))),
    );
}

// The ray through one triangle.
fn cross_triangle(
    row: u32, tag: u32, side: u32, axis: u32, middle: vec3<i32>, map: u32,
    ray: vec2<i32>, fine: f32, reach: f32, is_first: bool,
) {
    var flat: array<vec2<i32>, 3>;
    var height: array<f32, 3>;
    for (var c = 0u; c < 3u; c++) {
        let p = place(bitcast<vec3<i32>>(geometry[row + c].xyz), middle, map);
        let across = vec2<f32>(p[(axis + 1u) % 3u], p[(axis + 2u) % 3u]);
        flat[c] = vec2<i32>(round(across * fine)) - ray;
        height[c] = p[axis];
    }
    let low = min(flat[0], min(flat[1], flat[2]));
    let high = max(flat[0], max(flat[1], flat[2]));
    if (any(low > vec2<i32>(0)) || any(high < vec2<i32>(0))) {
        return;
    }
    // A triangle that is a line from here.
    if (all(flat[0] == flat[1]) || all(flat[1] == flat[2]) || all(flat[2] == flat[0])) {
        return;
    }
    let a = turn(flat[1], flat[2]);
    let b = turn(flat[2], flat[0]);
    if (a.is_left != b.is_left) {
        return;
    }
    let c = turn(flat[0], flat[1]);
    if (b.is_left != c.is_left) {
        return;
    }
    let lowest = min(height[0], min(height[1], height[2]));
    let highest = max(height[0], max(height[1], height[2]));
    let mean = (a.size * height[0] + b.size * height[1] + c.size * height[2])
        / (a.size + b.size + c.size);
    let at = clamp(mean, lowest, highest);
    if (at < -reach) {
        // Before the region: it only says what the ray is in when it comes there.
        if (is_first) {
            winding[side] += select(1, -1, c.is_left);
        }
    } else if (at <= reach) {
        keep(at, select(tag, tag | 0x80000000u, c.is_left));
    }
}

// All triangles of one mesh that the ray may meet. `at` is the ray across its axis.
fn traverse(first_row: u32, side: u32, axis: u32, at: vec3<f32>, reach: f32, is_first: bool) {
    let head = pairs[first_row];
    let heads = pairs[first_row + 1u];
    let base = select(head.z, heads.y, side == 1u);
    let nodes = select(heads.x, heads.z, side == 1u);
    let triangles = base + 2u * nodes;
    let start = pairs[first_row + 2u + side];
    let middle = bitcast<vec3<i32>>(start.xyz);
    let room = bitcast<f32>(start.w);
    let map = first_row + 4u + 3u * side;
    let scales = bitcast<vec4<f32>>(pairs[first_row + 11u]);
    let fine = scales[side];
    let unit = scales[2u + side];
    let across = vec2<f32>(at[(axis + 1u) % 3u], at[(axis + 2u) % 3u]);
    let ray = vec2<i32>(round(across * fine));

    // The ray on the grid: the map's matrix is a rotation times the unit.
    let x = bitcast<vec4<f32>>(pairs[map]);
    let y = bitcast<vec4<f32>>(pairs[map + 1u]);
    let z = bitcast<vec4<f32>>(pairs[map + 2u]);
    let apart = at - vec3<f32>(x.w, y.w, z.w);
    let shrink = 1.0 / unit;
    let origin = ((x.xyz * apart.x + y.xyz * apart.y + z.xyz * apart.z) * shrink) * shrink;
    var way = x.xyz;
    if (axis == 1u) {
        way = y.xyz;
    } else if (axis == 2u) {
        way = z.xyz;
    }
    way = way * shrink;
    let size = abs(way);
    let end = reach * shrink + room;

    var node = 0u;
    while (node < nodes) {
        let low = geometry[base + 2u * node];
        let high = geometry[base + 2u * node + 1u];
        let lower = vec3<f32>(bitcast<vec3<i32>>(low.xyz) - middle);
        let upper = vec3<f32>(bitcast<vec3<i32>>(high.xyz) - middle);
        let half = 0.5 * (upper - lower) + room;
        let to_box = 0.5 * (lower + upper) - origin;
        let off = abs(cross(way, to_box));
        let most = vec3<f32>(
            half.y * size.z + half.z * size.y,
            half.z * size.x + half.x * size.z,
            half.x * size.y + half.y * size.x,
        );
        if (any(off > most) || dot(way, to_box) - dot(size, half) > end) {
            node = high.w;
            continue;
        }
        let begin = low.w >> 3u;
        for (var k = 0u; k < (low.w & 7u); k++) {
            let t = begin + k;
            cross_triangle(
                triangles + 3u * t, (side << 30u) | t, side, axis, middle, map,
                ray, fine, reach, is_first,
            );
        }
        node += 1u;
    }
}
