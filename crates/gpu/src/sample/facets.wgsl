// Patches of any kind: several facets a side, outlines, tilted faces.
//
// A record is one row: where its block begins, first row | rows << 16, slot, 0.
// A block is two rows:
//   facets of A, facets of B, relief of A, relief of B
//   outline of the window: kind, its first row (from the block's beginning), rows; resolution
// then the facets of A and of B, seven rows each:
//   outline: kind | tilted << 8 | has depth to check << 9, first row, rows; 0
//   first row | end << 16 of what it may cover, columns likewise; base texel
//   steps along a row and a column
//   place of texel (0, 0) relative to the base; height there, and its growth along a row
//   height's growth along a column; tangent
//   bitangent; normal x
//   normal y, normal z; factor; 0
// and the outlines: for a polygon a row for each edge (x in its first row, x per row, first row,
// end), for a disc its middle and one over its half axes. Outlines are in texels of the window,
// and whole numbers are where it is decided what covers a texel; heights are in halves of the window's depth.

const POLYGON = 1u;
const DISC = 2u;
const MAX_SLOPE = 10.0;

var<workgroup> counts: array<u32, THREADS * PATCHES>;

// Half-open along a row: of two outlines that share an edge, one has its texels.
fn is_inside(block: u32, kind: u32, first: u32, count: u32, i: u32, j: u32) -> bool {
    if (kind == POLYGON) {
        var low = 1e30;
        var high = -1e30;
        for (var e = 0u; e < count; e++) {
            let edge = rows[block + first + e];
            if (edge.z <= j && j < edge.w) {
                let x = bitcast<f32>(edge.x) + bitcast<f32>(edge.y) * f32(j - edge.z);
                low = min(low, x);
                high = max(high, x);
            }
        }
        return low <= f32(i) && f32(i) < high;
    }
    if (kind == DISC) {
        let disc = bitcast<vec4<f32>>(rows[block + first]);
        let d = (vec2<f32>(f32(i), f32(j)) - disc.xy) * disc.zw;
        return dot(d, d) < 1.0;
    }
    return true;
}

// The first of some facets that covers a texel: its first row, or NONE.
fn covering(block: u32, first: u32, count: u32, i: u32, j: u32) -> u32 {
    for (var f = 0u; f < count; f++) {
        let at = first + 7u * f;
        let bounds = rows[at + 1u];
        if (j < (bounds.x & 0xffffu) || j >= (bounds.x >> 16u)
            || i < (bounds.y & 0xffffu) || i >= (bounds.y >> 16u)) {
            continue;
        }
        let head = rows[at];
        if ((head.x & 0x200u) != 0u) {
            let plane = bitcast<vec2<f32>>(rows[at + 3u].zw);
            let up = bitcast<f32>(rows[at + 4u].x);
            if (!(abs(plane.x + plane.y * f32(i) + up * f32(j)) <= 1.0)) {
                continue;
            }
        }
        if (is_inside(block, head.x & 0xffu, head.y, head.z, i, j)) {
            return at;
        }
    }
    return NONE;
}

// The slope vector of a facet's normal: how far it leans (Andrews 2021, Eqs. 3 and 4).
fn lean(m: vec3<f32>, outward: f32) -> vec2<f32> {
    let along = max(m.z * outward, 0.0);
    let across = length(m.xy);
    if (across > MAX_SLOPE * along) {
        return m.xy * (MAX_SLOPE / max(across, 1e-30));
    }
    return m.xy / along;
}

fn look(relief_number: u32, at: u32, outward: f32, i: u32, j: u32) -> vec2<f32> {
    let relief = rows[min(relief_number, work.first)];
    let steps = bitcast<vec4<f32>>(rows[at + 2u]);
    let origin = bitcast<vec2<f32>>(rows[at + 3u].xy);
    let local = origin + steps.xy * f32(i) + steps.zw * f32(j);
    let place = spot(relief, rows[at + 1u].zw, local);
    let s = slope(relief, place);
    let t = bitcast<vec3<f32>>(rows[at + 4u].yzw);
    let bx = bitcast<vec4<f32>>(rows[at + 5u]);
    let rest = bitcast<vec3<f32>>(rows[at + 6u].xyz);
    // The facet's normal is m − s_u t − s_v b.
    let m = vec3<f32>(bx.w, rest.x, rest.y) - t * s.x - bx.xyz * s.y;
    var g = m.xy;
    if ((rows[at].x & 0x100u) != 0u) {
        g = lean(m, outward);
    }
    return g * (rest.z * mask(relief, place));
}

@compute @workgroup_size(THREADS * PATCHES)
fn sample_facets(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    clear_sums(thread);
    let number = record_number(group, thread);
    let is_used = number < work.count;
    let record = rows[work.first + min(number, work.count - 1u)];
    let block = record.x;
    let sides = rows[block];
    let window = rows[block + 1u];
    let first_row = record.y & 0xffffu;
    let end_row = select(first_row, first_row + (record.y >> 16u), is_used);
    let n = max(window.w, 1u);
    let facets_b = block + 2u + 7u * sides.x;

    // Block by block, along the rows.
    let lane = thread % THREADS;
    let own = vec2<u32>(lane % BLOCK_X, lane / BLOCK_X);
    var tile = vec2<u32>(0u, first_row);
    var covered = 0u;
    while (lane < LANES && tile.y < end_row) {
        let i = tile.x + own.x;
        let j = tile.y + own.y;
        tile.x += BLOCK_X;
        if (tile.x >= n) {
            tile = vec2<u32>(0u, tile.y + BLOCK_Y);
        }
        if (i >= n || j >= end_row
            || !is_inside(block, window.x, window.y, window.z, i, j)) {
            continue;
        }
        let on_a = covering(block, block + 2u, sides.x, i, j);
        if (on_a == NONE) {
            continue;
        }
        let on_b = covering(block, facets_b, sides.y, i, j);
        if (on_b == NONE) {
            continue;
        }
        covered += 1u;
        if (sides.z != NONE) {
            add(look(sides.z, on_a, 1.0, i, j), thread);
        }
        if (sides.w != NONE) {
            add(look(sides.w, on_b, -1.0, i, j), thread);
        }
    }
    counts[thread] = covered;
    workgroupBarrier();
    var all = 0u;
    for (var c = 0u; c < LANES; c++) {
        all += counts[(thread / THREADS) * THREADS + c];
    }
    finish(thread, is_used, record.z, all);
}
