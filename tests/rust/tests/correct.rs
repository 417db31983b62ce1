//! Everything here is ordered by the standard library. A report is a false
//! alarm.

use rust_under_racert::Shared;
use std::sync::atomic::{fence, AtomicBool, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use std::thread;
use std::time::Duration;

const ROUNDS: usize = 500;

#[test]
fn mutex() {
    static LOCK: Mutex<()> = Mutex::new(());
    static CELL: Shared<usize> = Shared::new(0);
    let add = || {
        for _ in 0..ROUNDS {
            let _guard = LOCK.lock().unwrap();
            CELL.set(CELL.get() + 1);
        }
    };
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(add)).collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    assert_eq!(CELL.get(), 4 * ROUNDS);
}

#[test]
fn try_lock() {
    static LOCK: Mutex<usize> = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut done = 0;
                while done < 100 {
                    if let Ok(mut guard) = LOCK.try_lock() {
                        *guard += 1;
                        done += 1;
                    }
                    thread::yield_now();
                }
            });
        }
    });
    assert_eq!(*LOCK.lock().unwrap(), 300);
}

#[test]
fn rwlock() {
    let lock = RwLock::new(vec![0usize; 8]);
    thread::scope(|scope| {
        for writer in 0..2 {
            let lock = &lock;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    lock.write().unwrap()[writer] = round;
                }
            });
        }
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    assert!(lock.read().unwrap().iter().sum::<usize>() < 2 * ROUNDS);
                }
            });
        }
    });
}

#[test]
fn condvar() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let data = Arc::new(Shared::new(0));
    let (there, here) = (Arc::clone(&pair), Arc::clone(&data));
    let thread = thread::spawn(move || {
        here.set(42);
        *there.0.lock().unwrap() = true;
        there.1.notify_one();
    });
    let mut ready = pair.0.lock().unwrap();
    while !*ready {
        ready = pair
            .1
            .wait_timeout(ready, Duration::from_secs(60))
            .unwrap()
            .0;
    }
    assert_eq!(data.get(), 42);
    drop(ready);
    thread.join().unwrap();
}

#[test]
fn once() {
    static ONCE: Once = Once::new();
    static CELL: Shared<usize> = Shared::new(0);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                ONCE.call_once(|| CELL.set(7));
                assert_eq!(CELL.get(), 7);
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
}

#[test]
fn once_lock_and_lazy_lock() {
    static ONCE: OnceLock<String> = OnceLock::new();
    static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| (0..100).collect());
    let threads: Vec<_> = (0..4)
        .map(|me| {
            thread::spawn(move || {
                let text = ONCE.get_or_init(|| format!("made by {me}"));
                assert!(text.starts_with("made by"));
                assert_eq!(LAZY.iter().sum::<u32>(), 4950);
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
}

#[test]
fn channels() {
    for bound in [None, Some(0), Some(1), Some(16)] {
        let (sender, receiver) = match bound {
            None => {
                let (sender, receiver) = mpsc::channel::<Box<Shared<usize>>>();
                (Either::Unbounded(sender), receiver)
            }
            Some(bound) => {
                let (sender, receiver) = mpsc::sync_channel::<Box<Shared<usize>>>(bound);
                (Either::Bounded(sender), receiver)
            }
        };
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let sender = sender.clone();
                thread::spawn(move || {
                    for round in 0..ROUNDS {
                        let message = Box::new(Shared::new(0));
                        message.set(round);
                        sender.send(message);
                    }
                })
            })
            .collect();
        drop(sender);
        let mut sum = 0;
        for message in receiver {
            sum += message.get();
            message.set(0);
        }
        assert_eq!(sum, 3 * ROUNDS * (ROUNDS - 1) / 2);
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
    }
}

#[derive(Clone)]
enum Either {
    Unbounded(mpsc::Sender<Box<Shared<usize>>>),
    Bounded(mpsc::SyncSender<Box<Shared<usize>>>),
}

impl Either {
    fn send(&self, message: Box<Shared<usize>>) {
        match self {
            Either::Unbounded(sender) => sender.send(message).unwrap(),
            Either::Bounded(sender) => sender.send(message).unwrap(),
        }
    }
}

#[test]
fn scope_and_join() {
    let cells: Vec<_> = (0..8).map(|_| Shared::new(0)).collect();
    thread::scope(|scope| {
        for (number, cell) in cells.iter().enumerate() {
            scope.spawn(move || cell.set(number));
        }
    });
    assert_eq!(cells.iter().map(Shared::get).sum::<usize>(), 28);
    let thread = thread::spawn(|| vec![1, 2, 3]);
    assert_eq!(thread.join().unwrap(), [1, 2, 3]);
}

#[test]
fn park() {
    static CELL: Shared<usize> = Shared::new(0);
    // Only one unparks, so only its token ends the wait.
    let thread = thread::spawn(|| {
        thread::park();
        CELL.get()
    });
    CELL.set(5);
    thread.thread().unpark();
    assert_eq!(thread.join().unwrap(), 5);
}

#[test]
fn arc_and_drop() {
    struct Last(Shared<usize>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    for _ in 0..ROUNDS / 10 {
        let shared = Arc::new(Last(Shared::new(0)));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.0.get())
            })
            .collect();
        drop(shared);
        threads
            .into_iter()
            .for_each(|thread| assert_eq!(thread.join().unwrap(), 0));
    }
}

#[test]
fn release_acquire_and_fences() {
    static READY: AtomicBool = AtomicBool::new(false);
    static FENCED: AtomicBool = AtomicBool::new(false);
    static CELLS: [Shared<usize>; 2] = [Shared::new(0), Shared::new(0)];
    let thread = thread::spawn(|| {
        CELLS[0].set(1);
        READY.store(true, Ordering::Release);
        CELLS[1].set(2);
        fence(Ordering::Release);
        FENCED.store(true, Ordering::Relaxed);
    });
    while !READY.load(Ordering::Acquire) {
        thread::yield_now();
    }
    assert_eq!(CELLS[0].get(), 1);
    while !FENCED.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    fence(Ordering::Acquire);
    assert_eq!(CELLS[1].get(), 2);
    thread.join().unwrap();
}

#[test]
fn a_panic_in_a_thread() {
    let lock = Arc::new(Mutex::new(0));
    let inside = Arc::clone(&lock);
    let thread = thread::spawn(move || {
        let mut guard = inside.lock().unwrap();
        *guard = 1;
        panic!("on purpose");
    });
    assert!(thread.join().is_err());
    let guard = lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    assert_eq!(*guard, 1);
}

#[test]
fn printing_and_thread_locals() {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    struct Bye;
    impl Drop for Bye {
        fn drop(&mut self) {
            COUNT.fetch_add(1, Ordering::Relaxed);
        }
    }
    thread_local!(static LOCAL: Bye = const { Bye });
    let threads: Vec<_> = (0..4)
        .map(|me| {
            thread::spawn(move || {
                LOCAL.with(|_| println!("thread {me} {:?}", thread::current().id()));
                eprintln!("thread {me}");
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    assert_eq!(COUNT.load(Ordering::Relaxed), 4);
}
