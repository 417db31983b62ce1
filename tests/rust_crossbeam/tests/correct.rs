//! Channels, deques and epochs of crossbeam, used as they are meant. A report is
//! a false alarm.

use crossbeam::channel;
use crossbeam::deque::{Injector, Steal, Stealer, Worker};
use crossbeam::epoch::{self, Atomic, Owned, Shared};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

#[test]
fn bounded_and_unbounded_channels() {
    for cap in [None, Some(0), Some(1), Some(8)] {
        let (s, r) = match cap {
            None => channel::unbounded::<Box<u64>>(),
            Some(n) => channel::bounded(n),
        };
        let mut sum = 0;
        thread::scope(|scope| {
            for t in 0..3u64 {
                let s = s.clone();
                scope.spawn(move || {
                    for i in 0..300 {
                        s.send(Box::new(i * 3 + t)).unwrap();
                    }
                });
            }
            drop(s);
            let handles: Vec<_> = (0..2)
                .map(|_| {
                    let r = r.clone();
                    scope.spawn(move || {
                        let mut n = 0;
                        while let Ok(mut b) = r.recv() {
                            *b += 1;
                            n += *b;
                        }
                        n
                    })
                })
                .collect();
            for h in handles {
                sum += h.join().unwrap();
            }
        });
        assert_eq!(sum, (0..900u64).map(|i| i + 1).sum());
    }
}

#[test]
fn select_and_timers() {
    let (s1, r1) = channel::bounded::<String>(1);
    let (s2, r2) = channel::unbounded::<Vec<u8>>();
    thread::scope(|scope| {
        scope.spawn(move || {
            for i in 0..100 {
                s1.send(i.to_string()).unwrap();
            }
        });
        scope.spawn(move || {
            for i in 0..100u8 {
                s2.send(vec![i; 10]).unwrap();
            }
        });
        let (mut a, mut b) = (0, 0);
        let tick = channel::tick(std::time::Duration::from_millis(1));
        while a + b < 200 {
            channel::select! {
                recv(r1) -> m => if let Ok(m) = m { a += 1; assert!(!m.is_empty()); },
                recv(r2) -> m => if let Ok(m) = m { b += 1; assert_eq!(m.len(), 10); },
                recv(tick) -> _ => {},
            }
        }
        assert_eq!((a, b), (100, 100));
    });
}

fn find(
    local: &Worker<Box<u64>>,
    global: &Injector<Box<u64>>,
    stealers: &[Stealer<Box<u64>>],
) -> Option<Box<u64>> {
    local.pop().or_else(|| {
        std::iter::repeat_with(|| {
            global
                .steal_batch_and_pop(local)
                .or_else(|| stealers.iter().map(|s| s.steal()).collect())
        })
        .find(|s: &Steal<_>| !s.is_retry())
        .and_then(|s| s.success())
    })
}

#[test]
fn deque_with_stealers() {
    let global = Injector::new();
    for i in 0..1000u64 {
        global.push(Box::new(i));
    }
    let workers: Vec<Worker<Box<u64>>> = (0..3)
        .map(|i| {
            if i % 2 == 0 {
                Worker::new_fifo()
            } else {
                Worker::new_lifo()
            }
        })
        .collect();
    let stealers: Vec<_> = workers.iter().map(|w| w.stealer()).collect();
    let done = AtomicUsize::new(0);
    let sum = AtomicUsize::new(0);
    thread::scope(|scope| {
        for w in workers {
            let (global, stealers, done, sum) = (&global, &stealers, &done, &sum);
            scope.spawn(move || {
                while done.load(Ordering::Acquire) < 1500 {
                    if let Some(mut task) = find(&w, global, stealers) {
                        if *task < 500 {
                            w.push(Box::new(*task + 10_000));
                        }
                        *task += 1;
                        sum.fetch_add(*task as usize, Ordering::Relaxed);
                        done.fetch_add(1, Ordering::AcqRel);
                    } else {
                        thread::yield_now();
                    }
                }
            });
        }
    });
    let want: usize = (1..=1000).sum::<usize>() + (0..500).map(|i| i + 10_001).sum::<usize>();
    assert_eq!(sum.into_inner(), want);
}

struct Node {
    value: Vec<u32>,
    next: Atomic<Node>,
}
struct Stack {
    head: Atomic<Node>,
}
impl Stack {
    fn push(&self, value: Vec<u32>) {
        let mut n = Owned::new(Node {
            value,
            next: Atomic::null(),
        });
        let guard = epoch::pin();
        loop {
            let head = self.head.load(Ordering::Relaxed, &guard);
            n.next.store(head, Ordering::Relaxed);
            match self
                .head
                .compare_exchange(head, n, Ordering::Release, Ordering::Relaxed, &guard)
            {
                Ok(_) => break,
                Err(e) => n = e.new,
            }
        }
    }
    fn pop(&self) -> Option<usize> {
        let guard = epoch::pin();
        loop {
            let head = self.head.load(Ordering::Acquire, &guard);
            let node = unsafe { head.as_ref() }?;
            let next = node.next.load(Ordering::Relaxed, &guard);
            if self
                .head
                .compare_exchange(head, next, Ordering::Relaxed, Ordering::Relaxed, &guard)
                .is_ok()
            {
                let n = node.value.len();
                unsafe { guard.defer_destroy(head) };
                return Some(n);
            }
        }
    }
}
impl Drop for Stack {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

#[test]
fn epoch_stack() {
    let stack = Stack {
        head: Atomic::null(),
    };
    let popped = AtomicUsize::new(0);
    thread::scope(|scope| {
        for t in 0..3 {
            let (stack, popped) = (&stack, &popped);
            scope.spawn(move || {
                for i in 0..500 {
                    stack.push(vec![t; i % 7 + 1]);
                    if stack.pop().is_some() {
                        popped.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(popped.into_inner(), 1500);
}

#[test]
fn epoch_swap_readers() {
    let shared = Atomic::new(vec![0u64; 16]);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let guard = epoch::pin();
                    let v = unsafe { shared.load(Ordering::Acquire, &guard).deref() };
                    assert!(v.iter().all(|x| *x == v[0]));
                }
            });
        }
        for i in 1..300u64 {
            let guard = epoch::pin();
            let old: Shared<_> = shared.swap(Owned::new(vec![i; 16]), Ordering::AcqRel, &guard);
            unsafe { guard.defer_destroy(old) };
        }
        stop.store(true, Ordering::Relaxed);
    });
    unsafe { drop(shared.into_owned()) };
}
