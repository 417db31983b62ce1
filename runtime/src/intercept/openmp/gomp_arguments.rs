//! What libgomp gets as a task's arguments: the program's own, and ahead of them
//! which task they belong to.

use super::gomp::Function;
use crate::heap;
use crate::intercept::pthread_thread::call_start;
use crate::intercept::{copy, hook, section};
use crate::omp::task::Task;
use crate::os;
use alloc::sync::Arc;
use core::ffi::{c_long, c_void};
use core::mem::{MaybeUninit, offset_of};

pub(super) type Pointer = *mut c_void;
pub(super) type Copy = unsafe extern "C" fn(Pointer, Pointer);

/// A task's arguments, as the program passes them.
pub(super) struct Arguments {
    pub(super) function: Function,
    pub(super) data: Pointer,
    pub(super) copier: Option<Copy>,
    pub(super) size: c_long,
    pub(super) align: c_long,
}

/// Whose task runs with them.
pub(super) struct Whose {
    pub(super) task: Arc<Task>,
    /// Runs each copy.
    pub(super) run: Function,
    /// So many of the first words libgomp writes, for the task to read.
    pub(super) written: usize,
    /// Each copy that libgomp makes has a share of the task, and [`Self::run`]
    /// takes it.
    pub(super) shared: bool,
}

/// The first words of arguments, which libgomp knows: a task's event, or the
/// bounds of a part of a loop and where its reductions are described.
const FIRST: usize = 3;

/// What goes ahead of the arguments. libgomp may run a task at once, with both
/// where they are: in memory like the program's own.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Head {
    first: [usize; FIRST],
    written: usize,
    function: Function,
    copier: Option<Copy>,
    /// The arguments that `copier` is to copy.
    data: Pointer,
    task: *const Task,
    shared: bool,
    /// From the head to the arguments, and how much they take.
    offset: usize,
    len: usize,
}

impl Head {
    /// Writes the words that libgomp has written to the arguments at `to`.
    ///
    /// # Safety
    /// They must be arguments of the task's function.
    unsafe fn write_first(&self, to: Pointer) {
        for (i, word) in self.first[..self.written].iter().enumerate() {
            // SAFETY: passed on.
            unsafe { to.cast::<usize>().add(i).write(*word) };
        }
    }
}

/// A task's arguments as its function gets them.
pub(super) struct Begun {
    function: Function,
    data: Pointer,
    /// What [`Whose::task`] was, or a share of it.
    pub(super) task: *const Task,
    pub(super) shared: bool,
    /// What libgomp has written to the first word, if that is for the task.
    pub(super) event: Option<usize>,
    head: Pointer,
    len: usize,
}

impl Begun {
    /// What `run` of [`Whose`] got.
    ///
    /// # Safety
    /// It must be that.
    pub(super) unsafe fn new(head: Pointer) -> Begun {
        // SAFETY: written by `Block::new`, or copied from there.
        unsafe {
            let own = head.cast::<Head>().read();
            let data = head.byte_add(own.offset);
            own.write_first(data);
            Begun {
                function: own.function,
                data,
                task: own.task,
                shared: own.shared,
                event: (own.written == 1).then_some(own.first[0]),
                head,
                len: own.len,
            }
        }
    }

    /// Does what the program has the task do.
    pub(super) fn call(&self) {
        // SAFETY: as the program asked for.
        unsafe { call_start(self.function as *const c_void, self.data) };
    }

    /// The arguments are not used any more, and libgomp, whoever it runs in, may
    /// free them. The caller has entered the runtime.
    pub(super) fn forget(&self) {
        let end = self.data.addr() + self.len;
        heap::forget(self.head.addr(), end - self.head.addr());
    }
}

/// Arguments that take no more than so many heads, and are aligned no more than
/// those, are on the stack.
const SMALL: usize = 8;

/// Arguments for libgomp.
struct Block {
    head: *mut Head,
    size: usize,
    /// It has memory of its own.
    mapped: bool,
}

impl Block {
    /// Fills a block that is in `small` if it fits. `None` if there is no memory.
    fn new(
        small: &mut [MaybeUninit<Head>; SMALL],
        arguments: &Arguments,
        whose: &Whose,
    ) -> Option<Block> {
        let align = (arguments.align as usize).max(align_of::<Head>());
        let offset = size_of::<Head>().next_multiple_of(align);
        let len = arguments.size as usize;
        // The program's own function copies them from where they are.
        let size = offset + if arguments.copier.is_some() { 0 } else { len };
        let mapped = size > size_of_val(small) || align > align_of::<Head>();
        let head: *mut Head = match mapped {
            true => os::map_anywhere(size).ok()?.cast(),
            false => small.as_mut_ptr().cast(),
        };
        let known = len.min(size_of::<[usize; FIRST]>());
        // SAFETY: the program's arguments, and room for the head and them.
        unsafe {
            head.write(Head {
                first: [0; FIRST],
                written: whose.written,
                function: arguments.function,
                copier: arguments.copier,
                data: arguments.data,
                task: Arc::as_ptr(&whose.task),
                shared: whose.shared,
                offset,
                len,
            });
            copy(
                head.byte_add(offset_of!(Head, first)).cast(),
                arguments.data,
                known,
            );
            if arguments.copier.is_none() {
                copy(head.byte_add(offset).cast(), arguments.data, len);
            }
        }
        Some(Block { head, size, mapped })
    }

    /// Gives its memory back.
    fn free(&self) {
        if self.mapped {
            section(|| {
                heap::forget(self.head.addr(), self.size);
                os::unmap(self.head.cast(), self.size);
            });
        }
    }
}

/// Has `real` make tasks: with what `whose` says, if it says anything. The result
/// is what libgomp has written to the first word of the arguments.
pub(super) fn pass(
    arguments: &Arguments,
    whose: Option<&Whose>,
    real: impl FnOnce(&Arguments),
) -> usize {
    let mut small = [const { MaybeUninit::uninit() }; SMALL];
    let block = whose.and_then(|whose| {
        let block = hook(|| Block::new(&mut small, arguments, whose)).flatten()?;
        Some((block, whose))
    });
    let Some((block, whose)) = block else {
        real(arguments);
        return 0;
    };
    // SAFETY: written by `Block::new`.
    let offset = unsafe { (*block.head).offset };
    let own = arguments.copier.is_some() || whose.shared;
    real(&Arguments {
        function: whose.run,
        data: block.head.cast(),
        copier: own.then_some(copy_both as Copy),
        size: arguments.size + offset as c_long,
        align: arguments.align.max(align_of::<Head>() as c_long),
    });
    // SAFETY: as above; libgomp writes there.
    let first = unsafe { (&raw const (*block.head).first[0]).read_volatile() };
    block.free();
    first
}

/// Copies a head, and has the program copy its arguments: what it writes there
/// comes before the task.
unsafe extern "C" fn copy_both(to: Pointer, from: Pointer) {
    // SAFETY: libgomp passes memory for a task, and what it got from `pass`, whose
    // caller has a share of the task.
    unsafe {
        let head = from.cast::<Head>().read();
        to.cast::<Head>().write(head);
        let copied = to.byte_add(head.offset);
        match head.copier {
            Some(copier) => {
                head.write_first(head.data);
                copier(copied, head.data);
            }
            None => {
                copy(copied, from.byte_add(head.offset), head.len);
            }
        }
        if head.shared {
            Arc::increment_strong_count(head.task);
        }
        hook(|| (*head.task).left());
    }
}
