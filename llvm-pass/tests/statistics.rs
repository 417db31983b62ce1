//! What `-racert-stats` says about loops that wait for another thread.

#[expect(
    dead_code,
    reason = "each test program uses its part of the common code"
)]
mod common;

use common::{Llvm, crate_folder, scratch, succeed};

const SOURCE: &str = r#"
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c, *pointed;
struct owner { pthread_cond_t *c; } *owner;
int ready;
volatile int seen;
void understood(void) {
  while (!ready)
    pthread_cond_wait(&c, &m);
}
void by_mutex(void) {
  while (!ready)
    pthread_cond_wait(owner->c, &m);
}
void once(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
}
void for_ever(void) {
  for (;;)
    pthread_cond_wait(&c, &m);
}
void attempts(void) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 3; i++)
    pthread_cond_wait(&c, &m);
}
void spin(void) {
  while (!seen)
    ;
}
"#;

fn check(llvm: &Llvm) {
    let file = scratch(&format!("statistics{}", llvm.major())).join("loops.c");
    std::fs::write(&file, SOURCE).expect("the source is written");
    for level in ["-O0", "-O2"] {
        let output = succeed(
            llvm.compiler("clang")
                .args([
                    level,
                    "-g",
                    "-mllvm",
                    "-racert-stats",
                    "-c",
                    "-o",
                    "/dev/null",
                ])
                .arg(&file),
        );
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        for expected in [
            "loops.c:10: understood: loop waits on a condition variable: 1 exits hooked, 0 not, 1 \
             addresses, 0 predicate calls; condition variable computed at the exit, mutex \
             computed at the exit\n",
            "loops.c:14: by_mutex: loop waits on a condition variable: 1 exits hooked, 0 not, 1 \
             addresses, 0 predicate calls; condition variable known once it waited, mutex \
             computed at the exit\n",
            "loops.c:18: once: wait not understood: it is not in a loop\n",
            "loops.c:22: for_ever: wait not understood: its loop has no exit\n",
            "loops.c:27: attempts: wait not understood: no exit of its loop depends on memory \
             that other threads write\n",
            "loops.c:30: spin: loop spins until memory changes: 1 exits hooked, 1 addresses, 0 \
             predicate calls\n",
            "2 loops wait, 1 spin, 3 waits not understood; 3 hooks, 0 exits without a place for \
             one\n",
        ] {
            assert!(
                text.contains(expected),
                "{level}: no {expected:?} in\n{text}"
            );
        }
    }
}

#[test]
fn recognition_can_be_left_out() {
    let file = scratch("no-loops").join("loops.c");
    std::fs::write(&file, SOURCE).expect("the source is written");
    let mut compiler = Llvm::default_version().compiler("clang");
    compiler.args(["-O1", "-mllvm", "-racert-loops=0", "-S", "-emit-llvm"]);
    let output = succeed(compiler.args(["-o", "-"]).arg(&file));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("@pthread_cond_wait"), "{text}");
    assert!(!text.contains("loop_exit"), "{text}");
}

/// What recognition costs a program that waits for nobody: nothing, because
/// its code is the same.
#[test]
fn code_that_waits_for_nobody_stays_as_it_is() {
    let folder = crate_folder().join("../tests/bench/kernels");
    for kernel in ["seq_read", "random_write", "mutex_uncontended", "recursion"] {
        let file = folder.join(format!("{kernel}.c"));
        let [with, without] = ["-racert-loops=1", "-racert-loops=0"].map(|option| {
            let mut compiler = Llvm::default_version().compiler("clang");
            compiler.args(["-O2", "-g", "-mllvm", option, "-S", "-o", "-"]);
            succeed(compiler.arg(&file)).stdout
        });
        assert!(with == without, "{kernel} has become another program");
    }
}

#[test]
fn loops_are_listed() {
    check(Llvm::default_version());
    for llvm in Llvm::others() {
        check(llvm);
    }
}
