//! The runtime's entry points and thread-local block as seen from a module.

use crate::llvm::builder::{Builder, Callee, Convention};
use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::stats::Stats;
use racert_abi::{entry, tls};

/// Reading or writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Direction {
    /// The access reads.
    Read,
    /// The access writes.
    Write,
}

/// Declarations of the runtime in one module.
pub(crate) struct Runtime<'m> {
    /// The module.
    pub(crate) module: &'m Module,
    /// Counts of what is emitted.
    pub(crate) stats: Stats,
    block: Value,
}

impl<'m> Runtime<'m> {
    /// Declares the thread-local block; functions are declared when used.
    pub(crate) fn new(module: &'m Module) -> Runtime<'m> {
        Runtime {
            module,
            stats: Stats::default(),
            block: module.thread_block(),
        }
    }

    /// Slow path of a check of 1, 2, 4, 8 or 16 bytes.
    pub(crate) fn access(&self, direction: Direction, size: u64) -> Callee {
        let prefix = match direction {
            Direction::Read => entry::READ,
            Direction::Write => entry::WRITE,
        };
        let types = self.module.types;
        let name = format!("{prefix}{size}");
        self.module
            .entry(&name, types.void, &[types.ptr], Convention::PreserveMost)
    }

    /// Check of any number of bytes.
    pub(crate) fn range(&self, direction: Direction) -> Callee {
        let name = match direction {
            Direction::Read => entry::READ_RANGE,
            Direction::Write => entry::WRITE_RANGE,
        };
        let types = self.module.types;
        self.module
            .entry(name, types.void, &[types.ptr, types.i64], Convention::C)
    }

    /// Load of a vtable pointer.
    pub(crate) fn vptr_read(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::VPTR_READ, types.void, &[types.ptr], Convention::C)
    }

    /// Store of a vtable pointer.
    pub(crate) fn vptr_write(&self) -> Callee {
        let types = self.module.types;
        self.module.entry(
            entry::VPTR_WRITE,
            types.void,
            &[types.ptr, types.ptr],
            Convention::C,
        )
    }

    /// Checked memcpy or memmove.
    pub(crate) fn copy(&self, may_overlap: bool) -> Callee {
        let types = self.module.types;
        let name = if may_overlap {
            entry::MEMMOVE
        } else {
            entry::MEMCPY
        };
        let parameters = [types.ptr, types.ptr, types.i64];
        self.module
            .entry(name, types.ptr, &parameters, Convention::C)
    }

    /// Checked memset.
    pub(crate) fn fill(&self) -> Callee {
        let types = self.module.types;
        let parameters = [types.ptr, types.i32, types.i64];
        self.module
            .entry(entry::MEMSET, types.ptr, &parameters, Convention::C)
    }

    /// Attaches the thread.
    pub(crate) fn attach(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::ATTACH, types.ptr, &[], Convention::PreserveMost)
    }

    /// Called once by the module's constructor.
    pub(crate) fn init(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::INIT, types.void, &[types.i32], Convention::C)
    }

    /// Has the runtime look away from the calling thread, or back.
    pub(crate) fn unseen(&self, begin: bool) -> Callee {
        let types = self.module.types;
        let name = if begin {
            entry::UNSEEN_BEGIN
        } else {
            entry::UNSEEN_END
        };
        self.module.entry(name, types.void, &[], Convention::C)
    }

    /// A stage of a pipeline begins to work on an item.
    pub(crate) fn filter_begin(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::FILTER_BEGIN, types.void, &[types.ptr], Convention::C)
    }

    /// A stage of a pipeline is done with an item.
    pub(crate) fn filter_end(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::FILTER_END, types.void, &[], Convention::C)
    }

    /// A library's constructor is done.
    pub(crate) fn constructed(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::CONSTRUCTED, types.void, &[], Convention::C)
    }

    /// A library's destructor begins.
    pub(crate) fn destructing(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::DESTRUCTING, types.void, &[], Convention::C)
    }

    /// A library was opened.
    pub(crate) fn opened(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::OPENED, types.void, &[types.ptr], Convention::C)
    }

    /// Takes a valgrind client request.
    pub(crate) fn client_request(&self) -> Callee {
        let types = self.module.types;
        self.module.entry(
            entry::CLIENT_REQUEST,
            types.void,
            &[types.ptr],
            Convention::C,
        )
    }

    /// Opens (closes) the bracket round an atomic operation.
    pub(crate) fn rmw_bracket(&self, open: bool) -> Callee {
        let types = self.module.types;
        let name = if open {
            entry::ATOMIC_RMW_BEGIN
        } else {
            entry::ATOMIC_RMW_END
        };
        let parameters = [types.ptr, types.i32, types.i32];
        self.module
            .entry(name, types.void, &parameters, Convention::C)
    }

    /// `atomic_thread_fence`.
    pub(crate) fn fence(&self) -> Callee {
        let types = self.module.types;
        self.module
            .entry(entry::FENCE, types.void, &[types.i32], Convention::C)
    }

    /// The address of the field of the thread-local block at `offset`.
    fn field(&self, builder: &Builder<'_>, offset: usize) -> Value {
        if offset == 0 {
            return self.block;
        }
        builder.offset(self.block, self.module.types.i64.constant(offset as u64))
    }

    /// Loads the word that the thread's current segment starts from.
    pub(crate) fn load_current(&self, builder: &Builder<'_>) -> Value {
        builder.load(self.module.types.i64, self.field(builder, tls::CURRENT))
    }

    /// Loads the next free frame of the shadow call stack.
    pub(crate) fn load_frames(&self, builder: &Builder<'_>) -> Value {
        builder.load(self.module.types.ptr, self.field(builder, tls::FRAMES))
    }

    /// Stores the next free frame of the shadow call stack.
    pub(crate) fn store_frames(&self, builder: &Builder<'_>, frame: Value) {
        builder.store_in_order(frame, self.field(builder, tls::FRAMES));
    }
}
