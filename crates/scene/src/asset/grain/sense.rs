//! Directions without a sense get one that neighbours share.

use std::collections::BinaryHeap;

/// Turns directions round so that neighbours agree, beginning where they are surest. Around a
/// knot or a whorl no choice is right everywhere; there the jump falls where confidence is least.
pub(super) fn align(directions: &mut [[f32; 2]], confidence: &[f32], width: usize, height: usize) {
    let mut order: Vec<usize> = (0..directions.len()).collect();
    order.sort_unstable_by(|&i, &j| confidence[j].total_cmp(&confidence[i]).then(i.cmp(&j)));
    let mut done = vec![false; directions.len()];
    let mut heap: BinaryHeap<Due> = BinaryHeap::new();
    for start in order {
        if done[start] {
            continue;
        }
        heap.push(Due { confidence: confidence[start], pixel: start, from: start });
        while let Some(Due { pixel, from, .. }) = heap.pop() {
            if done[pixel] {
                continue;
            }
            done[pixel] = true;
            let ([a, b], [c, d]) = (directions[from], directions[pixel]);
            // The first of all points to the right, or up.
            let agrees = if from == pixel { (a, b) >= (0.0, 0.0) } else { a * c + b * d >= 0.0 };
            if !agrees {
                directions[pixel] = [-c, -d];
            }
            // What has no direction passes none on.
            if directions[pixel] == [0.0; 2] {
                continue;
            }
            let (x, y) = (pixel % width, pixel / width);
            let near = [
                (x > 0).then(|| pixel - 1),
                (x + 1 < width).then_some(pixel + 1),
                (y > 0).then(|| pixel - width),
                (y + 1 < height).then_some(pixel + width),
            ];
            for next in near.into_iter().flatten().filter(|n| !done[*n]) {
                heap.push(Due { confidence: confidence[next], pixel: next, from: pixel });
            }
        }
    }
}

/// A pixel that waits for its sense.
struct Due {
    confidence: f32,
    pixel: usize,
    from: usize,
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> std::cmp::Ordering {
        let first = self.confidence.total_cmp(&other.confidence);
        first.then(other.pixel.cmp(&self.pixel)).then(other.from.cmp(&self.from))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Due {}
