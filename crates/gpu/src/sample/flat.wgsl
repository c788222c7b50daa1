// Patches whose two sides are flat faces that cover the window.
//
// A record is seven rows:
//   relief of A, relief of B, resolution | first row << 12 | rows << 23, slot
//   and for each side: base texel, place of the window's texel (0, 0) relative to it;
//   steps along a row and a column; matrix from slopes to vectors, by columns.

struct Face {
    relief: vec4<u32>,
    base: vec2<u32>,
    origin: vec2<f32>,
    steps: vec4<f32>,
    matrix: vec4<f32>,
}

fn face(relief: u32, row: u32) -> Face {
    let first = rows[row];
    return Face(
        rows[min(relief, work.first)], first.xy, bitcast<vec2<f32>>(first.zw),
        bitcast<vec4<f32>>(rows[row + 1u]), bitcast<vec4<f32>>(rows[row + 2u]),
    );
}

fn look(side: Face, i: f32, j: f32) -> vec2<f32> {
    let at = spot(side.relief, side.base, side.origin + side.steps.xy * i + side.steps.zw * j);
    let s = slope(side.relief, at);
    return (side.matrix.xy * s.x + side.matrix.zw * s.y) * mask(side.relief, at);
}

@compute @workgroup_size(THREADS * PATCHES)
fn sample_flat(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    clear_sums(thread);
    let number = record_number(group, thread);
    let is_used = number < work.count;
    let first = work.first + 7u * min(number, work.count - 1u);
    let head = rows[first];
    let n = head.z & 0xfffu;
    let first_row = (head.z >> 12u) & 0x7ffu;
    let end_row = select(first_row, first_row + (head.z >> 23u), is_used);
    let a = face(head.x, first + 1u);
    let b = face(head.y, first + 4u);

    // Block by block, along the rows.
    let lane = thread % THREADS;
    let own = vec2<u32>(lane % BLOCK_X, lane / BLOCK_X);
    var block = vec2<u32>(0u, first_row);
    while (lane < LANES && block.y < end_row) {
        let i = block.x + own.x;
        let j = block.y + own.y;
        if (i < n && j < end_row) {
            if (head.x != NONE) {
                add(look(a, f32(i), f32(j)), thread);
            }
            if (head.y != NONE) {
                add(look(b, f32(i), f32(j)), thread);
            }
        }
        block.x += BLOCK_X;
        if (block.x >= n) {
            block = vec2<u32>(0u, block.y + BLOCK_Y);
        }
    }
    finish(thread, is_used, head.w, n * (end_row - first_row));
}
