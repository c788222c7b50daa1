//! Sweeps over stacks of cubes, by the engine and by a transcription of the paper that shares nothing with it.

use asperity_verify::wrench::convergence::{STACKS, rested};
use asperity_verify::wrench::counts::{MOST, SAME, blocks, over, row_by_row};
use asperity_verify::wrench::transcription::Stack;

#[test]
fn a_transcription_of_the_paper_takes_as_many_sweeps() {
    for of in &STACKS {
        let apart = Stack::of(&of.widths());
        let level = apart.wrenches(0.0, SAME) as f64;
        let ours = over(&mut rested("wrench", of).unwrap(), 2, |p| blocks(p, SAME, MOST)).mean;
        if of.ratio < 1.0 || of.less > 0.0 {
            assert!((ours / level - 1.0).abs() < 0.02, "{}: {ours} for {level}", of.name);
        } else {
            // Equal cubes share their edges, and lean by little: more sweeps, as of a stack that does.
            let leans = apart.wrenches(1e-5, SAME) as f64;
            assert!(level < ours && ours < leans, "{}: {level} {ours} {leans}", of.name);
        }
        // The order of the points at a face makes as much as a quarter.
        let rows = apart.points(SAME) as f64;
        let theirs =
            over(&mut rested("points", of).unwrap(), 1, |p| row_by_row(p, SAME, MOST)).mean;
        assert!((theirs / rows - 1.0).abs() < 0.15, "{}: {theirs} for {rows}", of.name);
        println!("{}: {ours} {level}, {theirs} {rows}, {:.1}", of.name, theirs / ours);
    }
}
