//! Ordinary and extreme scenes that people write in their first hour: what physics says of each. Run with
//! `ASPERITY_DATA` set to the folder that has `zoo`.

#[path = "zoo/dominoes.rs"]
mod dominoes;
#[path = "zoo/extremes.rs"]
mod extremes;
#[path = "zoo/grasps.rs"]
mod grasps;
#[path = "zoo/machines.rs"]
mod machines;
#[path = "zoo/piles.rs"]
mod piles;
#[path = "zoo/soft.rs"]
mod soft;
#[path = "zoo/stick_slip.rs"]
mod stick_slip;
#[path = "zoo/watch.rs"]
mod watch;
