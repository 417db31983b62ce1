//! Finding rewritten libraries.

use super::{borders, imports};
use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use racert_abi::ABI_VERSION;
use racert_abi::rewritten::{Header, MAGIC, Row, VERSION};

/// A loaded file, as the loader describes it.
pub(super) struct Module<'a> {
    pub(super) bias: usize,
    /// Path; empty for the program.
    path: &'a [u8],
    pub(super) headers: &'a [libc::Elf64_Phdr],
}

/// Connects every rewritten library that is loaded and not connected yet. To
/// be called at start and after libraries were loaded.
pub fn scan_modules() {
    unsafe extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        _data: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a valid description of a mapped file.
        unsafe {
            let headers = core::slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum.into());
            let name = (*info).dlpi_name;
            let module = Module {
                bias: (*info).dlpi_addr as usize,
                path: if name.is_null() {
                    b""
                } else {
                    CStr::from_ptr(name).to_bytes()
                },
                headers,
            };
            if let Some(header) = find(&module) {
                connect(&module, header);
            }
        }
        0
    }
    // SAFETY: the callback matches what it is given.
    unsafe { crate::loaded::walk(visit, core::ptr::null_mut()) };
}

/// Has that file been rewritten?
pub(crate) fn is_rewritten(info: &libc::dl_phdr_info, headers: &[libc::Elf64_Phdr]) -> bool {
    let module = Module {
        bias: info.dlpi_addr as usize,
        path: b"",
        headers,
    };
    find(&module).is_some()
}

/// The header that the rewriter left in a module.
fn find(module: &Module<'_>) -> Option<*mut Header> {
    const WRITABLE: u32 = 2;
    let writable = module.headers.iter().filter(|segment| {
        segment.p_type == libc::PT_LOAD
            && segment.p_flags & WRITABLE != 0
            && segment.p_filesz as usize >= size_of::<Header>()
            && (segment.p_vaddr as usize).is_multiple_of(align_of::<Header>())
    });
    let mut places = writable.map(|segment| module.bias + segment.p_vaddr as usize);
    // SAFETY: the loader has mapped the segment, at least as large as a header.
    let place = places.find(|&at| unsafe { *(at as *const [u8; 16]) } == MAGIC)?;
    Some(place as *mut Header)
}

/// A connected library; all zero where there is none.
#[derive(Clone, Copy)]
struct Connected {
    start: usize,
    end: usize,
    bias: usize,
    rows: usize,
    count: usize,
    /// Where functions begin and end that race with no harm.
    harmless: usize,
    harmless_count: usize,
    /// Checked at its borders only.
    trusted: bool,
}

/// Libraries whose frames can be followed.
const MOST: usize = 256;

/// Only ever extended, so reading takes no lock.
struct Table {
    entries: UnsafeCell<[Connected; MOST]>,
    count: AtomicUsize,
}

// SAFETY: entries below `count` never change; those above are written under
// the loader's lock.
unsafe impl Sync for Table {}

static CONNECTED: Table = Table {
    entries: UnsafeCell::new(
        [Connected {
            start: 0,
            end: 0,
            bias: 0,
            rows: 0,
            count: 0,
            harmless: 0,
            harmless_count: 0,
            trusted: false,
        }; MOST],
    ),
    count: AtomicUsize::new(0),
};

/// The addresses of a module.
fn extent(module: &Module<'_>) -> Range<usize> {
    let loaded = || module.headers.iter().filter(|h| h.p_type == libc::PT_LOAD);
    let start = loaded().map(|h| h.p_vaddr as usize).min().unwrap_or(0);
    let ends = loaded().map(|h| (h.p_vaddr + h.p_memsz) as usize);
    module.bias + start..module.bias + ends.max().unwrap_or(0)
}

fn remember(module: &Module<'_>, header: &Header) {
    let extent = extent(module);
    let count = CONNECTED.count.load(Ordering::Relaxed);
    if count == MOST {
        return;
    }
    let connected = Connected {
        start: extent.start,
        end: extent.end,
        bias: module.bias,
        rows: module.bias + header.rows as usize,
        count: header.row_count as usize,
        harmless: module.bias + header.harmless as usize,
        harmless_count: header.harmless_count as usize,
        trusted: borders::is_trusted(module.path),
    };
    // SAFETY: nobody reads this entry before the count covers it.
    unsafe { (*CONNECTED.entries.get())[count] = connected };
    CONNECTED.count.store(count + 1, Ordering::Release);
}

/// The library that holds the byte before `address`.
fn holding(address: usize) -> Option<&'static Connected> {
    let count = CONNECTED.count.load(Ordering::Acquire);
    // SAFETY: entries below the count never change.
    let entries = unsafe { &(&*CONNECTED.entries.get())[..count] };
    // The latest first: an unloaded library's place may be taken again.
    let mut latest = entries.iter().rev();
    latest.find(|m| m.start < address && address <= m.end)
}

/// Is the byte before `address` in a library that is checked at its borders
/// only?
pub(super) fn is_trusted(address: usize) -> bool {
    holding(address).is_some_and(|module| module.trusted)
}

/// Is the byte before `address` in a function that races with no harm?
pub(super) fn is_harmless(address: usize) -> bool {
    let Some(module) = holding(address) else {
        return false;
    };
    // SAFETY: the loader has mapped the table.
    let functions = unsafe {
        core::slice::from_raw_parts(module.harmless as *const [u32; 2], module.harmless_count)
    };
    let at = (address - module.bias - 1) as u32;
    functions
        .iter()
        .any(|&[start, end]| (start..end).contains(&at))
}

/// Is `address` in any loaded module?
pub(super) fn is_loaded(address: usize) -> bool {
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        address: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a valid description of a mapped file.
        let (bias, headers) = unsafe {
            let count = (*info).dlpi_phnum.into();
            let headers = core::slice::from_raw_parts((*info).dlpi_phdr, count);
            ((*info).dlpi_addr as usize, headers)
        };
        let holds = headers.iter().any(|h| {
            let start = bias + h.p_vaddr as usize;
            let inside = start..start + h.p_memsz as usize;
            h.p_type == libc::PT_LOAD && inside.contains(&(address as usize))
        });
        libc::c_int::from(holds)
    }
    // SAFETY: the callback matches what it is given.
    unsafe { crate::loaded::walk(look, address as *mut libc::c_void) != 0 }
}

/// The row for the instruction that ends at `pc`.
pub(super) fn row(pc: usize) -> Option<Row> {
    let module = holding(pc)?;
    // SAFETY: the loader has mapped the table.
    let rows = unsafe { core::slice::from_raw_parts(module.rows as *const Row, module.count) };
    let at = pc - module.bias - 1;
    let after = rows.partition_point(|row| row.start as usize <= at);
    rows.get(after.checked_sub(1)?).copied()
}

fn connect(module: &Module<'_>, header: *mut Header) {
    // SAFETY: a mapped, aligned header; its slots are written atomically.
    let (version, abi, tls_offset, slow, unnumbered) = unsafe {
        (
            (*header).version,
            (*header).abi,
            AtomicU64::from_ptr(&raw mut (*header).tls_offset),
            AtomicU64::from_ptr(&raw mut (*header).slow),
            AtomicU64::from_ptr(&raw mut (*header).unnumbered),
        )
    };
    if tls_offset.load(Ordering::Relaxed) != 0 {
        return;
    }
    if (version, abi) != (VERSION, ABI_VERSION) {
        crate::os::write_all(
            crate::os::STDERR,
            b"racert: a library was rewritten for another version of racert and is not checked; \
              rewrite it again\n",
        );
        return;
    }
    imports::redirect(module);
    // SAFETY: as above.
    let described = unsafe { header.read() };
    remember(module, &described);
    #[cfg(not(test))]
    {
        // What the rewriter added is behind the code that it moved.
        let start = extent(module).start;
        let numbers = super::numbers::assign(start, (header as usize).saturating_sub(start));
        unnumbered.store(numbers, Ordering::Release);
        let address = super::slow::address(described.vectors);
        slow.store(address as u64, Ordering::Release);
    }
    #[cfg(test)]
    let _ = (slow, unnumbered);
    let offset = (crate::tls::block() as usize).wrapping_sub(crate::tls::thread_pointer());
    tls_offset.store(offset as u64, Ordering::Release);
}
