// Two threads that write one variable, in Rust.
mod counting {
    pub struct Counter {
        pub value: u64,
        pub kind: u32,
    }

    static mut COUNTER: Counter = Counter { value: 0, kind: 0 };

    impl Counter {
        #[inline(never)]
        pub fn set<const VALUE: u64>() {
            // The race is the purpose.
            unsafe { (&raw mut COUNTER.value).write_volatile(VALUE) };
        }
    }
}

fn main() {
    let writer = std::thread::spawn(|| counting::Counter::set::<1>());
    counting::Counter::set::<2>();
    writer.join().unwrap();
}
