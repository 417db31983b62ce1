//! The contract between instrumented code and the runtime.
//!
//! The LLVM pass and the rewriter emit code that knows three things: where the
//! shadow of an address lives, how a shadow word is laid out, and which fields
//! of the thread-local block it may touch. All three are written down here and
//! nowhere else; the runtime asserts its own structures against them at
//! compile time.
#![no_std]

pub mod rewritten;
pub mod status;

/// Version of everything in this file. Instrumented modules pass it to
/// [`entry::INIT`]; a runtime of another version refuses to start.
pub const ABI_VERSION: u32 = 4;

/// The shadow of the 8 bytes at `a` is the 8-byte word at
/// `((a & !7) ^ SHADOW_XOR) + SHADOW_OFFSET`.
///
/// A 47-bit address space splits into application memory, `[0, 8 TiB)` and
/// `[80 TiB, 128 TiB)`, the runtime's own, `[8 TiB, 16 TiB)`, and the image of
/// application memory under this xor, `[16 TiB, 72 TiB)`.
/// Non-PIE programs live at the bottom; PIE programs start at 85.3 TiB plus at
/// most 16 TiB of randomisation (32 bits of pages), libraries and stacks end
/// at 128 TiB minus at most 16 TiB: every layout the kernel hands out fits.
pub const SHADOW_XOR: u64 = 0x4000_0000_0000;
/// Keeps a word's place within its page away from that of the bytes it
/// describes. Processors compare the low 12 bits of a load with those of the
/// stores in flight: at the same place, the check of an access behind a store
/// to the same bytes would wait for that store (7.1 ns instead of 2.2 ns for
/// each `++*p` of a recursion, 7.0 instead of 1.2 for a histogram's).
pub const SHADOW_OFFSET: u64 = 2048;
/// End of the low application region (exclusive).
pub const APP_LOW_END: u64 = 0x0800_0000_0000;
/// Start of what the runtime uses for itself.
pub const RUNTIME_START: u64 = 0x0800_0000_0000;
/// End of what the runtime uses for itself (exclusive).
pub const RUNTIME_END: u64 = 0x1000_0000_0000;
/// Start of the high application region.
pub const APP_HIGH_START: u64 = 0x5000_0000_0000;
/// End of the high application region (exclusive).
pub const APP_HIGH_END: u64 = 0x8000_0000_0000;
/// Application bytes described by one shadow word.
pub const GRANULE: u64 = 8;

/// Layout of a shadow word.
///
/// ```text
///  63       52 51                   19 18 17 16 15        8 7         0
/// +-----------+-----------------------+--+--+--+-----------+-----------+
/// |   slot    |       position        |C |O |A | !written  | !accessed |
/// +-----------+-----------------------+--+--+--+-----------+-----------+
/// ```
///
/// Slot and position name an entry in that slot's access log. The two low
/// bytes hold one bit per application byte, inverted: a clear bit in
/// `!accessed` means that the byte was accessed, a clear bit in `!written`
/// that it was written, in the segment of that entry. `A`: by atomic
/// operations. `O`: an older record of the slot for these bytes still counts
/// and stands elsewhere; `C`: several do. The word 0 is "never accessed";
/// slot 4095 marks a word that refers to several records.
pub mod word {
    /// First bit of the slot field.
    pub const SLOT_SHIFT: u32 = 52;
    /// Width of the slot field.
    pub const SLOT_BITS: u32 = 12;
    /// First bit of the position field.
    pub const POS_SHIFT: u32 = 19;
    /// Width of the position field: 8.6 thousand million log entries a slot.
    pub const POS_BITS: u32 = 33;
    /// Set when several older records count; alone: two.
    pub const OLDER_CELL: u64 = 1 << 18;
    /// Set when older records count.
    pub const OLDER: u64 = 1 << 17;
    /// Set when the accesses were atomic.
    pub const ATOMIC: u64 = 1 << 16;
    /// First bit of the inverted written-bytes mask.
    pub const WRITTEN_SHIFT: u32 = 8;
    /// First bit of the inverted accessed-bytes mask.
    pub const ACCESSED_SHIFT: u32 = 0;
    /// Positions one segment may span before the runtime starts a new one.
    pub const SEGMENT_BITS: u32 = 24;

    /// Bits of `word - current` that must be clear for "same segment, not
    /// atomic", whatever the bytes.
    pub const SAME_SEGMENT: u64 = !((1 << (POS_SHIFT + SEGMENT_BITS)) - 1) | ATOMIC;

    /// The bits of `word - current` that must all be clear for an access of
    /// `size` bytes at `offset` within its granule to be already covered.
    ///
    /// `current` is the first field of the thread-local block. The inlined
    /// test is `(load(shadow) - current) & covered_mask == 0`.
    pub const fn covered_mask(size: u32, offset: u32, write: bool) -> u64 {
        let bytes = ((1u64 << size) - 1) << offset;
        let low = if write {
            bytes << WRITTEN_SHIFT
        } else {
            bytes << ACCESSED_SHIFT
        };
        SAME_SEGMENT | low
    }
}

/// The thread-local block, symbol `__racert_tls`, initial-exec.
pub mod tls {
    /// Name of the thread-local symbol.
    pub const SYMBOL: &str = "__racert_tls";
    /// Size of the block in bytes.
    pub const SIZE: usize = 64;
    /// `u64`: slot and first position of the current segment, other bits 0.
    /// 0 while nothing needs to be recorded (one thread, or not attached).
    pub const CURRENT: usize = 0;
    /// `*mut Frame`: the next free frame of the shadow call stack; null until
    /// the thread is attached.
    pub const FRAMES: usize = 8;
    /// `*mut Thread`: the runtime's own record of this thread.
    pub const THREAD: usize = 16;
    /// `usize`: return address of the interceptor being entered.
    pub const CALLER: usize = 24;
    /// `*mut`: the innermost of [`crate::rewritten::activation`]; null until
    /// there is one.
    pub const ACTIVATIONS: usize = 56;
    /// Bytes of one frame of the shadow call stack: `{ return address: u64,
    /// context: u64 }`. Code pushes `{ return address, 0 }`.
    pub const FRAME_SIZE: usize = 16;
}

/// Names of the entry points that instrumented code calls.
pub mod entry {
    /// `void (u32 abi_version)`: from each module's constructor.
    pub const INIT: &str = "__racert_init";
    /// `Frame *(void)`, preserve_most: attaches the thread, returns its
    /// current frame pointer (never null).
    pub const ATTACH: &str = "__racert_attach";
    /// `void (void *)`, preserve_most, followed by 1, 2, 4, 8 or 16: any
    /// alignment. The return address is the access's code address.
    pub const READ: &str = "__racert_read";
    /// As [`READ`], for writes.
    pub const WRITE: &str = "__racert_write";
    /// `void (void *, size_t)`, C convention.
    pub const READ_RANGE: &str = "__racert_read_range";
    /// As [`READ_RANGE`], for writes.
    pub const WRITE_RANGE: &str = "__racert_write_range";
    /// `void (void *, void *new)`, C convention: store of a vtable pointer.
    pub const VPTR_WRITE: &str = "__racert_vptr_write";
    /// `void (void *)`, C convention: load of a vtable pointer.
    pub const VPTR_READ: &str = "__racert_vptr_read";
    /// `void *(void *, const void *, size_t)`: checked memcpy.
    pub const MEMCPY: &str = "__racert_memcpy";
    /// `void *(void *, const void *, size_t)`: checked memmove.
    pub const MEMMOVE: &str = "__racert_memmove";
    /// `void *(void *, int, size_t)`: checked memset.
    pub const MEMSET: &str = "__racert_memset";
    /// Prefix of the atomics: `__racert_atomic{8,16,32,64,128}_{load, store,
    /// exchange, fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor,
    /// fetch_nand, compare_exchange}`. Orders are C11's `memory_order` as
    /// `i32`. `compare_exchange(addr, expected, desired, success, failure)`
    /// returns the old value. All others `(addr[, value], order)`.
    pub const ATOMIC: &str = "__racert_atomic";
    /// `void (void *, u32 size, i32 order)`: brackets an atomic operation that
    /// has no entry point of its own (float add, min, max, `lock` in inline
    /// assembly); the operation itself stays in the program.
    pub const ATOMIC_RMW_BEGIN: &str = "__racert_atomic_rmw_begin";
    /// Closes [`ATOMIC_RMW_BEGIN`].
    pub const ATOMIC_RMW_END: &str = "__racert_atomic_rmw_end";
    /// `void (i32 order)`: `atomic_thread_fence`.
    pub const FENCE: &str = "__racert_fence";
    /// `void (void *condvar, void *mutex, u32 flags, u32 count, const
    /// Condition *)`, C convention, as all that follow: a loop that waits on a
    /// condition variable was left. See [`crate::sync_loop`]; condvar and
    /// mutex are null where they are not known.
    pub const WAIT_LOOP_EXIT: &str = "__racert_wait_loop_exit";
    /// `void (void *address, u64 size, u32 flags)`: a loop that only watched
    /// these bytes was left. See [`crate::sync_loop`]; null: nothing to do
    /// but what the flags say. Plain loads of such a loop may have no check of
    /// their own: this call, or that of another exit, is theirs.
    pub const SPIN_LOOP_EXIT: &str = "__racert_spin_loop_exit";
    /// `void (void *address, u64 size)`: a plain store is next, to bytes of
    /// the kind that loops of this module watch. It has no other check.
    pub const FLAG_WRITE: &str = "__racert_flag_write";
    /// `void (void)`: a relaxed atomic store was made, to a variable of the
    /// kind that loops of this module watch by relaxed loads.
    pub const FLAG_WRITTEN: &str = "__racert_flag_written";
    /// `void (u32 flags)`: a predicate is about to be asked; the addresses it
    /// reads are the condition of the loop that asks, see
    /// [`crate::sync_loop::FRESH`] and [`crate::sync_loop::SPINS`]. An
    /// exception may leave the predicate without [`CONDITION_END`].
    pub const CONDITION_BEGIN: &str = "__racert_condition_begin";
    /// `void (void)`: the predicate has answered.
    pub const CONDITION_END: &str = "__racert_condition_end";
    /// `void (void *condvar, void *mutex)`: a wait that is in no loop comes
    /// next, in a function that has locked a mutex itself and goes on without
    /// another look at the condition.
    pub const WAIT_NOT_IN_LOOP: &str = "__racert_wait_not_in_loop";
    /// `u32 (void *table)`: whether the function that has this table (see
    /// [`crate::sync_loop::WAITS`]) waits; null: it has none.
    pub const WAITS: &str = "__racert_waits";
    /// `void (void)`: what the thread does from now on does not count, neither
    /// accesses nor synchronisation. Nests.
    pub const UNSEEN_BEGIN: &str = "__racert_unseen_begin";
    /// `void (void)`: closes [`UNSEEN_BEGIN`].
    pub const UNSEEN_END: &str = "__racert_unseen_end";
    /// `void (void *filter)`: a stage of one of oneTBB's pipelines begins to
    /// work on an item.
    pub const FILTER_BEGIN: &str = "__racert_filter_begin";
    /// `void (void)`: it is done with it.
    pub const FILTER_END: &str = "__racert_filter_end";
    /// `void (void)`: a constructor of the calling module is done.
    pub const CONSTRUCTED: &str = "__racert_constructed";
    /// `void (void)`: a destructor of the calling module begins.
    pub const DESTRUCTING: &str = "__racert_destructing";
    /// `void (void *handle)`: the library was opened.
    pub const OPENED: &str = "__racert_opened";
    /// A valgrind client request: the address of its code and arguments, six
    /// words.
    pub const CLIENT_REQUEST: &str = "__racert_client_request";
}

/// Calls of the C++ library's functions.
pub mod cxx {
    /// Stands before the names of [`FUNCTIONS`] in calls of instrumented code:
    /// the library may be linked into the program, and then no symbol of that
    /// name leads to the runtime.
    pub const PREFIX: &str = "__racert_cxx_";
    /// Those that give up a reference to an exception, and the one that has a
    /// result made ready at the end of the thread.
    pub const FUNCTIONS: [&str; 4] = [
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
        "__cxa_decrement_exception_refcount",
        "__cxa_end_catch",
        "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv",
    ];
}

/// Calls of the heap's functions.
pub mod heap {
    /// Stands before the names of [`FUNCTIONS`] in calls of instrumented code:
    /// who answers a `malloc` may be the program itself, and then no symbol of
    /// that name leads to the runtime.
    pub const PREFIX: &str = "__racert_heap_";
    /// The functions that hand memory out or take it back.
    pub const FUNCTIONS: [&str; 31] = [
        "malloc",
        "calloc",
        "realloc",
        "reallocarray",
        "free",
        "cfree",
        "memalign",
        "aligned_alloc",
        "posix_memalign",
        "valloc",
        "pvalloc",
        "_Znwm",
        "_Znam",
        "_ZnwmRKSt9nothrow_t",
        "_ZnamRKSt9nothrow_t",
        "_ZnwmSt11align_val_t",
        "_ZnamSt11align_val_t",
        "_ZnwmSt11align_val_tRKSt9nothrow_t",
        "_ZnamSt11align_val_tRKSt9nothrow_t",
        "_ZdlPv",
        "_ZdlPvm",
        "_ZdlPvRKSt9nothrow_t",
        "_ZdlPvSt11align_val_t",
        "_ZdlPvmSt11align_val_t",
        "_ZdlPvSt11align_val_tRKSt9nothrow_t",
        "_ZdaPv",
        "_ZdaPvm",
        "_ZdaPvRKSt9nothrow_t",
        "_ZdaPvSt11align_val_t",
        "_ZdaPvmSt11align_val_t",
        "_ZdaPvSt11align_val_tRKSt9nothrow_t",
    ];
}

/// Flags of the hooks at the exits of loops that wait for another thread.
pub mod sync_loop {
    /// Begins the name of a table that says of the function whose name follows
    /// that it waits on behalf of its callers. Only modules that are optimised
    /// when they are linked define such tables and ask for those of others: two
    /// words, an answer and a number, and behind them as many pointers to
    /// tables of functions that it hands its arguments on to, null for those
    /// that have none.
    pub const WAITS: &str = "__racert_waits.";
    /// The answer of such a table: it depends on the others, and nobody has
    /// asked yet.
    pub const NOT_ASKED: u8 = 0;
    /// It waits.
    pub const CERTAIN: u8 = 1;
    /// It does not.
    pub const NEVER: u8 = 2;
    /// The loop was left for a reason that orders nothing: a wait that was
    /// not woken in time, a number of attempts.
    pub const UNORDERED: u32 = 1 << 0;
    /// It was left because a wait was woken, with nothing else looked at.
    pub const WOKEN: u32 = 1 << 1;
    /// What was noted while predicates ran counts too.
    pub const NOTED: u32 = 1 << 2;
    /// Of [`crate::entry::SPIN_LOOP_EXIT`]: the load is volatile.
    pub const VOLATILE: u32 = 1 << 3;
    /// Of [`crate::entry::SPIN_LOOP_EXIT`]: the load is a relaxed atomic one.
    pub const RELAXED: u32 = 1 << 4;
    /// Of [`crate::entry::CONDITION_BEGIN`]: what was noted before belongs to
    /// an earlier evaluation.
    pub const FRESH: u32 = 1 << 0;
    /// Of [`crate::entry::CONDITION_BEGIN`]: the loop does nothing but ask.
    pub const SPINS: u32 = 1 << 1;
    /// First of the bits that say which of the conditions count; the others
    /// are to be left out.
    pub const ADDRESS_SHIFT: u32 = 16;
    /// How many conditions are passed at most.
    pub const MAX_ADDRESSES: u8 = 16;
    /// Bytes of one condition: `{ address: u64, size: u64 }`. The address is
    /// null if the evaluation that ended the loop did not read it.
    pub const CONDITION_SIZE: usize = 16;
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn fields_fill_the_word() {
        assert_eq!(word::SLOT_BITS + word::POS_BITS + word::POS_SHIFT, 64);
        assert_eq!(word::POS_SHIFT + word::POS_BITS, word::SLOT_SHIFT);
    }

    #[test]
    fn covered_mask_asks_for_the_accessed_bytes_only() {
        let current = (3 << word::SLOT_SHIFT) | (100 << word::POS_SHIFT);
        // Position 105, bytes 0-3 written (and so accessed), the rest not.
        let shadow = (3 << word::SLOT_SHIFT) | (105 << word::POS_SHIFT) | 0xf0f0;
        let hit = |size, offset, write| {
            (u64::wrapping_sub(shadow, current)) & word::covered_mask(size, offset, write) == 0
        };
        assert!(hit(4, 0, false) && hit(4, 0, true) && hit(1, 3, true));
        assert!(!hit(4, 4, false) && !hit(8, 0, false) && !hit(1, 4, true));
        let older = (3 << word::SLOT_SHIFT) | (106 << word::POS_SHIFT);
        assert_ne!(
            u64::wrapping_sub(shadow, older) & word::covered_mask(4, 0, true),
            0
        );
    }
}
