// One ray at a time through two meshes: pieces inside both (Bouchard 2015, section 4.1). What a ray
// meets is found in `cross.wgsl`.
//
// A pair is 13 rows:
//    0  its first workgroup, its rays, first row of A, 0
//    1  nodes of A, first row of B, nodes of B, 0
//    2  middle of the region on A's grid, room around boxes of A in units of its grid
//    3  the same for B
//    4  three rows: from A's grid to the axes of the rays, and the shift
//    7  three rows: the same for B
//   10  rays along x, y and z; their distance
//   11  fine grid of A, of B: units of the rays to whole numbers; length of a unit of A's grid, of B's
//   12  half the region, a little more
// Rays see A's axes, about the middle of the region, in units of half its longest side.
//
// A mesh is its nodes, two rows each: low corner on the grid, first triangle << 3 | triangles (none
// but in leaves); high corner, node to go on with where the box is missed. Then its triangles,
// three rows each: a corner on the grid.

struct Work {
    // First workgroup or pair of the dispatch.
    first: u32,
    pairs: u32,
    unused: vec2<u32>,
}

@group(0) @binding(0) var<uniform> work: Work;
@group(0) @binding(1) var<storage, read> geometry: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> pairs: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> sums: array<f32>;
@group(0) @binding(4) var<storage, read_write> results: array<f32>;

const ROWS = 13u;
const THREADS = 64u;
// Hits of a ray that are sorted at a time.
const HITS = 32u;

// Sums of this thread: volume, first moment (3), second moment (xx, yy, zz, xy, yz, zx), gradient
// (3), torque (3).
var<private> own: array<f32, 16>;
// Hits in order: place along the ray; leaving << 31 | side << 30 | triangle. Of hits at one place,
// those into a body come first.
var<private> along: array<f32, HITS>;
var<private> tags: array<u32, HITS>;
var<private> count: u32;
// Whether there are more than were kept.
var<private> has_more: bool;
// What was dealt with before.
var<private> last_along: f32;
var<private> last_tag: u32;
var<private> winding: vec2<i32>;

fn is_before(a: f32, tag_a: u32, b: f32, tag_b: u32) -> bool {
    return a < b || (a == b && tag_a < tag_b);
}

// Keeps the first hits of those that come after the last one dealt with.
fn keep(at: f32, tag: u32) {
    if (!is_before(last_along, last_tag, at, tag)) {
        return;
    }
    if (count == HITS) {
        has_more = true;
        if (!is_before(at, tag, along[HITS - 1u], tags[HITS - 1u])) {
            return;
        }
        count -= 1u;
    }
    var k = count;
    while (k > 0u) {
        if (!is_before(at, tag, along[k - 1u], tags[k - 1u])) {
            break;
        }
        along[k] = along[k - 1u];
        tags[k] = tags[k - 1u];
        k -= 1u;
    }
    along[k] = at;
    tags[k] = tag;
    count += 1u;
}

// A piece of a ray inside both.
fn add_piece(axis: u32, at: vec3<f32>, begin: f32, end: f32, times: f32) {
    var p = at;
    var q = at;
    p[axis] = begin;
    q[axis] = end;
    let v = times * (end - begin);
    let m = p + q;
    own[0] += v;
    let first = m * (0.5 * v);
    let sixth = v / 6.0;
    let square = (p * p + q * q + m * m) * sixth;
    let mixed = (p * p.yzx + q * q.yzx + m * m.yzx) * sixth;
    own[1] += first.x;
    own[2] += first.y;
    own[3] += first.z;
    own[4] += square.x;
    own[5] += square.y;
    own[6] += square.z;
    own[7] += mixed.x;
    own[8] += mixed.y;
    own[9] += mixed.z;
}

// B's surface inside A, seen along the ray: out of B its normal points along it.
fn add_surface(axis: u32, at: vec3<f32>, height: f32, flow: f32) {
    var p = at;
    var f = vec3<f32>(0.0);
    p[axis] = height;
    f[axis] = flow;
    let torque = cross(p, f);
    own[10] += f.x;
    own[11] += f.y;
    own[12] += f.z;
    own[13] += torque.x;
    own[14] += torque.y;
    own[15] += torque.z;
}

// One ray, some hits at a time.
fn cast_ray(row: u32, axis: u32, at: vec3<f32>) {
    let reach = bitcast<vec4<f32>>(pairs[row + 12u])[axis];
    winding = vec2<i32>(0);
    last_along = -2.0 * reach;
    last_tag = 0u;
    var is_first = true;
    loop {
        count = 0u;
        has_more = false;
        for (var side = 0u; side < 2u; side++) {
            traverse(row, side, axis, at, reach, is_first);
        }
        for (var k = 0u; k < count; k++) {
            let both = winding.x * winding.y;
            if (both != 0) {
                add_piece(axis, at, max(last_along, -reach), along[k], f32(both));
            }
            let sign = select(1, -1, (tags[k] >> 31u) == 1u);
            let side = (tags[k] >> 30u) & 1u;
            if (side == 1u && winding.x != 0) {
                add_surface(axis, at, along[k], f32(-sign * winding.x));
            }
            winding[side] += sign;
            last_along = along[k];
            last_tag = tags[k];
        }
        if (!has_more) {
            break;
        }
        is_first = false;
    }
}

var<workgroup> shared_sums: array<f32, 16u * THREADS>;

// Adds up the sums of all threads, in a fixed order.
fn add_up(thread: u32) {
    for (var s = 0u; s < 16u; s++) {
        shared_sums[s * THREADS + thread] = own[s];
    }
    workgroupBarrier();
    for (var some = THREADS / 2u; some > 0u; some /= 2u) {
        if (thread < some) {
            for (var s = 0u; s < 16u; s++) {
                let i = s * THREADS + thread;
                shared_sums[i] += shared_sums[i + some];
            }
        }
        workgroupBarrier();
    }
}

// The last pair that begins at a workgroup or before.
fn pair_of(group: u32) -> u32 {
    var low = 0u;
    var high = work.pairs;
    while (high - low > 1u) {
        let middle = (low + high) / 2u;
        if (pairs[middle * ROWS].x <= group) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

@compute @workgroup_size(THREADS)
fn cast_rays(
    @builtin(workgroup_id) number: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let group = work.first + number.x;
    let row = pair_of(group) * ROWS;
    let head = pairs[row];
    let grid = pairs[row + 10u];
    let cell = bitcast<f32>(grid.w);
    let begin = (group - head.x) * RAYS + thread;
    for (var k = 0u; k < RAYS; k += THREADS) {
        var ray = begin + k;
        if (ray < head.y) {
            var axis = 0u;
            var rows = grid.y * grid.z;
            if (ray >= rows) {
                ray -= rows;
                rows = grid.z * grid.x;
                axis = 1u;
                if (ray >= rows) {
                    ray -= rows;
                    axis = 2u;
                }
            }
            let u = (axis + 1u) % 3u;
            let v = (axis + 2u) % 3u;
            var at = vec3<f32>(0.0);
            at[u] = (f32(ray / grid[v]) + 0.5 - 0.5 * f32(grid[u])) * cell;
            at[v] = (f32(ray % grid[v]) + 0.5 - 0.5 * f32(grid[v])) * cell;
            cast_ray(row, axis, at);
        }
    }
    add_up(thread);
    if (thread < 16u) {
        sums[group * 16u + thread] = shared_sums[thread * THREADS];
    }
}

// Adds up the workgroups of a pair.
@compute @workgroup_size(THREADS)
fn add_groups(
    @builtin(workgroup_id) number: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = work.first + number.x;
    let head = pairs[pair * ROWS];
    let groups = (head.y + RAYS - 1u) / RAYS;
    // Some at a time: in one long sum each would be rounded to the digits of all.
    for (var start = thread; start < groups; start += 32u * THREADS) {
        var some = array<f32, 16>();
        for (var g = start; g < min(start + 32u * THREADS, groups); g += THREADS) {
            for (var s = 0u; s < 16u; s++) {
                some[s] += sums[(head.x + g) * 16u + s];
            }
        }
        for (var s = 0u; s < 16u; s++) {
            own[s] += some[s];
        }
    }
    add_up(thread);
    if (thread < 16u) {
        results[pair * 16u + thread] = shared_sums[thread * THREADS];
    }
}
