// What all kernels share. The host puts constants before this text:
//   COUNT    directions K
//   SECTORS  sectors M that the circle falls into
//   THREADS  threads of a patch
//   LANES    those of them that look at texels: as many as have room for sums of their own
//   PATCHES  patches of a workgroup
//   BLOCK_X, BLOCK_Y  texels that the lanes look at together: LANES in all, nearly a square, so
//            that they find them near each other in memory however the map is turned

struct Work {
    // First row of this dispatch's records, and how many records.
    first: u32,
    count: u32,
    // Workgroups along x.
    width: u32,
    // Where results begin, and the number of the first slot for pieces of patches.
    results: u32,
    pieces: u32,
}

@group(0) @binding(0) var<uniform> work: Work;
// Slopes, and masks as pairs of neighbours, of all reliefs. Rows have one texel more than the
// map, and there is one row more, so that a texel's neighbours follow it.
@group(0) @binding(1) var<storage, read> maps: array<vec2<f32>>;
// The circle: where in a bin the next sector begins, and the sector the bin begins in.
@group(0) @binding(2) var<storage, read> bins: array<vec2<u32>>;
// Everything that changes from call to call. The reliefs come first, one row each.
@group(0) @binding(3) var<storage, read> rows: array<vec4<u32>>;
// For each slot the number of covered texels, then K points.
@group(0) @binding(4) var<storage, read_write> results: array<vec2<u32>>;

const NONE = 0xffffffffu;
// A slot with this bit is one of a piece, and holds sums, not means.
const PIECE = 0x80000000u;

// Sums of sectors, each lane's own. A lane is a thread that looks at texels.
var<workgroup> sums: array<vec2<f32>, SECTORS * LANES * PATCHES>;

// The number of this thread's record. Lanes of a patch follow each other.
fn record_number(group: vec3<u32>, thread: u32) -> u32 {
    return (group.y * work.width + group.x) * PATCHES + thread / THREADS;
}

fn clear_sums(thread: u32) {
    for (var i = thread; i < SECTORS * LANES * PATCHES; i += THREADS * PATCHES) {
        sums[i] = vec2<f32>(0.0);
    }
    workgroupBarrier();
}

// The sector that a vector lies in.
fn sector(g: vec2<f32>) -> u32 {
    let c = g.x / max(abs(g.x) + abs(g.y), 1e-37);
    let angle = select(3.0 + c, 1.0 - c, g.y >= 0.0);
    let bin = bins[min(u32(angle * f32(SECTORS)), 4u * SECTORS)];
    let found = bin.y + select(0u, 1u, angle >= bitcast<f32>(bin.x));
    return select(found, 0u, found == SECTORS);
}

fn add(g: vec2<f32>, thread: u32) {
    let patch_number = thread / THREADS;
    sums[(patch_number * SECTORS + sector(g)) * LANES + thread % THREADS] += g;
}

// Where the total of a sector is kept, so that neighbours are in different banks.
fn total_at(patch_number: u32, s: u32) -> u32 {
    return (patch_number * SECTORS + s) * LANES + s % LANES;
}

// Sums up the lanes, then the half circle of sectors about each direction, and writes them.
fn finish(thread: u32, is_used: bool, slot: u32, covered: u32) {
    let lane = thread % THREADS;
    let patch_number = thread / THREADS;
    workgroupBarrier();
    for (var s = lane; s < SECTORS; s += THREADS) {
        let begin = (patch_number * SECTORS + s) * LANES;
        var total = vec2<f32>(0.0);
        for (var c = 0u; c < LANES; c++) {
            total += sums[begin + (c + lane) % LANES];
        }
        sums[total_at(patch_number, s)] = total;
    }
    workgroupBarrier();
    if (!is_used) {
        return;
    }
    let is_piece = (slot & PIECE) != 0u;
    let place = select(slot, work.pieces + (slot & ~PIECE), is_piece);
    let to = work.results + place * (COUNT + 1u);
    let scale = select(1.0 / f32(max(covered, 1u)), 1.0, is_piece);
    if (lane == 0u) {
        results[to] = vec2<u32>(covered, 0u);
    }
    for (var k = lane; k < COUNT; k += THREADS) {
        // The first of the sectors that lie less than a quarter turn from direction k.
        var s = (k * (SECTORS / COUNT) + SECTORS - (SECTORS + 2u) / 4u) % SECTORS;
        var point = vec2<f32>(0.0);
        for (var i = 0u; i < SECTORS / 2u; i++) {
            point += sums[total_at(patch_number, s)];
            s = select(s + 1u, 0u, s + 1u == SECTORS);
        }
        results[to + 1u + k] = bitcast<vec2<u32>>(point * scale);
    }
}

// A place in a map: the texel before it, and how far it is to the next along both axes.
struct Spot {
    cell: u32,
    part: vec2<f32>,
}

// `relief` is a row: offsets of slopes and mask, width (highest bit: clamped), height. `base` is
// a texel, `local` a place relative to it, not negative but for rounding.
fn spot(relief: vec4<u32>, base: vec2<u32>, local: vec2<f32>) -> Spot {
    let place = max(local, vec2<f32>(0.0));
    let whole = floor(place);
    var part = place - whole;
    let size = vec2<u32>(relief.z & 0x7fffffffu, relief.w);
    var at = vec2<u32>(0u);
    if ((relief.z >> 31u) != 0u) {
        let texel = bitcast<vec2<i32>>(base) + vec2<i32>(min(whole, vec2<f32>(1e9)));
        let last = vec2<i32>(size) - 1;
        part = select(part, vec2<f32>(0.0), (texel < vec2<i32>(0)) | (texel >= last));
        at = vec2<u32>(clamp(texel, vec2<i32>(0), last));
    } else {
        at = base + vec2<u32>(min(whole, vec2<f32>(1e9)));
        if (any(at >= size)) {
            at = at % size;
        }
    }
    return Spot(at.y * (size.x + 1u) + at.x, part);
}

// The slope there, times the mask where that is not the same everywhere.
fn slope(relief: vec4<u32>, s: Spot) -> vec2<f32> {
    let stride = (relief.z & 0x7fffffffu) + 1u;
    let low = relief.x + s.cell;
    let high = low + stride;
    let left = mix2(maps[low], maps[high], s.part.y);
    let right = mix2(maps[low + 1u], maps[high + 1u], s.part.y);
    return mix2(left, right, s.part.x);
}

fn mask(relief: vec4<u32>, s: Spot) -> f32 {
    if (relief.y == NONE) {
        return 1.0;
    }
    let low = relief.y + s.cell;
    let k = mix2(maps[low], maps[low + (relief.z & 0x7fffffffu) + 1u], s.part.y);
    return k.x + (k.y - k.x) * s.part.x;
}

fn mix2(a: vec2<f32>, b: vec2<f32>, t: f32) -> vec2<f32> {
    return a + (b - a) * t;
}
