//! Locks under contention, so that threads wait inside the standard library,
//! and what they guard is a plain cell.

use rust_under_racert::Shared;
use std::sync::{Arc, Barrier, Condvar, Mutex, RwLock};
use std::thread;

const THREADS: usize = 6;
const ROUNDS: usize = 3000;

struct Guarded {
    lock: Mutex<()>,
    rwlock: RwLock<()>,
    condvar: Condvar,
    under_lock: Shared<usize>,
    under_rwlock: Shared<usize>,
    turns: Shared<usize>,
    start: Barrier,
}

fn main() {
    let shared = Arc::new(Guarded {
        lock: Mutex::new(()),
        rwlock: RwLock::new(()),
        condvar: Condvar::new(),
        under_lock: Shared::new(0),
        under_rwlock: Shared::new(0),
        turns: Shared::new(0),
        start: Barrier::new(THREADS),
    });
    let threads: Vec<_> = (0..THREADS)
        .map(|me| {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name(format!("worker {me}"))
                .spawn(move || work(&shared, me))
                .unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let shared = Arc::into_inner(shared).unwrap();
    assert_eq!(shared.under_lock.get(), THREADS * ROUNDS);
    assert_eq!(shared.under_rwlock.get(), THREADS * ROUNDS);
    assert_eq!(shared.turns.get(), THREADS * 20);
    println!("all counted");
}

fn work(shared: &Guarded, me: usize) {
    shared.start.wait();
    for round in 0..ROUNDS {
        {
            let _guard = shared.lock.lock().unwrap();
            shared.under_lock.set(shared.under_lock.get() + 1);
        }
        {
            let _guard = shared.rwlock.write().unwrap();
            shared.under_rwlock.set(shared.under_rwlock.get() + 1);
        }
        if round % 4 == me % 4 {
            let _guard = shared.rwlock.read().unwrap();
            assert!(shared.under_rwlock.get() > 0);
        }
    }
    for turn in 0..20 {
        let guard = shared.lock.lock().unwrap();
        let _guard = shared
            .condvar
            .wait_while(guard, |()| shared.turns.get() != turn * THREADS + me)
            .unwrap();
        shared.turns.set(shared.turns.get() + 1);
        shared.condvar.notify_all();
    }
}
