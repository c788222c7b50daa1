// Adds up the pieces of patches that are too large for one group of threads.
//
// A record is one row: slot of the patch, its first piece, how many.

@compute @workgroup_size(64)
fn combine(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * work.width + group.x;
    if (number >= work.count) {
        return;
    }
    let record = rows[work.first + number];
    let stride = COUNT + 1u;
    let begin = work.results + (work.pieces + record.y) * stride;
    let to = work.results + record.x * stride;
    var covered = 0u;
    for (var p = 0u; p < record.z; p++) {
        covered += results[begin + p * stride].x;
    }
    if (thread == 0u) {
        results[to] = vec2<u32>(covered, 0u);
    }
    let scale = 1.0 / f32(max(covered, 1u));
    for (var k = thread; k < COUNT; k += 64u) {
        // Some at a time: in one long sum each would be rounded to the digits of all.
        var point = vec2<f32>(0.0);
        for (var p = 0u; p < record.z; p += 32u) {
            var some = vec2<f32>(0.0);
            for (var q = p; q < min(p + 32u, record.z); q++) {
                some += bitcast<vec2<f32>>(results[begin + q * stride + 1u + k]);
            }
            point += some;
        }
        results[to + 1u + k] = bitcast<vec2<u32>>(point * scale);
    }
}
