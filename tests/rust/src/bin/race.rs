//! Two threads write one cell that `unsafe` says may be shared.

use rust_under_racert::Shared;

static CELL: Shared<u64> = Shared::new(0);

fn main() {
    let writer = std::thread::spawn(|| CELL.set(1));
    CELL.set(2);
    writer.join().unwrap();
    println!("checked: {}", cfg!(racert));
}
