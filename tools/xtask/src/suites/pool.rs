//! A few tests at the same time, results in order.

use std::io::{IsTerminal as _, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `work` on each of `items` by `jobs` threads, with a line of progress at a
/// terminal.
pub(super) fn map<T: Sync, R: Send>(
    what: &str,
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let shown = stderr().is_terminal();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else {
                        return;
                    };
                    if shown {
                        eprint!("\r{what}: {} of {} ", index + 1, items.len());
                    }
                    let result = work(item);
                    results.lock().expect("no worker panics holding it")[index] = Some(result);
                }
            });
        }
    });
    if shown {
        eprintln!();
    }
    let results = results.into_inner().expect("no worker panics holding it");
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_their_order() {
        let doubled = super::map("test", &[1, 2, 3, 4, 5], 3, |n| n * 2);
        assert_eq!(doubled, [2, 4, 6, 8, 10]);
    }
}
