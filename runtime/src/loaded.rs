//! The file that code was loaded from.

use core::ffi::{c_int, c_void};

struct Query<R, F: FnMut(&libc::dl_phdr_info, &[libc::Elf64_Phdr]) -> Option<R>> {
    pc: usize,
    ask: F,
    answer: Option<R>,
}

unsafe extern "C" fn look<R, F>(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    query: *mut c_void,
) -> c_int
where
    F: FnMut(&libc::dl_phdr_info, &[libc::Elf64_Phdr]) -> Option<R>,
{
    // SAFETY: the loader passes a valid description, and our query.
    let (info, headers, query) = unsafe {
        let info = &*info;
        let headers = core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize);
        (info, headers, &mut *query.cast::<Query<R, F>>())
    };
    let holds = headers.iter().any(|h| {
        let start = (info.dlpi_addr + h.p_vaddr) as usize;
        h.p_type == libc::PT_LOAD && (start..start + h.p_memsz as usize).contains(&query.pc)
    });
    if holds {
        query.answer = (query.ask)(info, headers);
    }
    c_int::from(holds)
}

/// What `ask` says of the file whose code `pc` lies in; `None` without one.
pub(crate) fn module_at<R, F>(pc: usize, ask: F) -> Option<R>
where
    F: FnMut(&libc::dl_phdr_info, &[libc::Elf64_Phdr]) -> Option<R>,
{
    let mut query = Query {
        pc,
        ask,
        answer: None,
    };
    // SAFETY: the callback matches what it is given.
    unsafe { libc::dl_iterate_phdr(Some(look::<R, F>), (&raw mut query).cast()) };
    query.answer
}
