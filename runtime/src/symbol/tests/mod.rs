//! End to end: real compilers, real debug information.

mod damage;
mod fixture;
mod forms;
mod frames;
mod parts;

use super::*;

fn bytes(address: u64) -> Bytes {
    Bytes { address, size: 1 }
}

/// An address inside the function that this is inlined into.
#[inline(always)]
fn inlined_here() -> u64 {
    let address: u64;
    // SAFETY: reads the instruction pointer.
    unsafe { core::arch::asm!("lea {}, [rip]", out(reg) address) };
    address
}

static A_GLOBAL: [u32; 4] = [1, 2, 3, 4];

#[test]
fn this_test_itself() {
    let mut symbolizer = Symbolizer::new();
    symbolizer.refresh();
    let (line, address) = (line!(), inlined_here());
    let code = symbolizer.code(address);
    let names: Vec<_> = code.frames.iter().map(|f| f.function.as_deref()).collect();
    assert_eq!(
        names,
        [
            Some("racert::symbol::tests::inlined_here"),
            Some("racert::symbol::tests::this_test_itself")
        ]
    );
    let source = code.frames[1].source.as_ref().unwrap();
    assert!(source.file.ends_with(file!()));
    assert_eq!((source.line, source.column), (line, 37));
    let module = code.module.unwrap();
    let program = std::env::current_exe().unwrap();
    assert_eq!(module.path, program.to_str().unwrap());

    let start = &raw const A_GLOBAL as u64;
    let Data::Global(variable, _) = symbolizer.data(bytes(start + 5), &[address]) else {
        panic!("no variable");
    };
    assert_eq!(variable.name, "racert::symbol::tests::A_GLOBAL");
    assert_eq!((variable.start, variable.size), (start, 16));
    assert_eq!(variable.full_name(), "racert::symbol::tests::A_GLOBAL[1]");
    assert_eq!(variable.part.unwrap().type_name, "u32");
    assert_eq!(symbolizer.data(bytes(8), &[]), Data::Unknown);
}

#[test]
fn libc_and_the_vdso() {
    let mut symbolizer = Symbolizer::new();
    symbolizer.refresh();
    let code = symbolizer.code(libc::getauxval as *const () as u64 + 1);
    let name = code.frames.last().unwrap().function.as_deref().unwrap();
    assert!(name.ends_with("getauxval"), "{name}");
    assert!(code.module.unwrap().build_id.is_some());

    // SAFETY: reads libc's table.
    let vdso = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) };
    if vdso != 0 {
        let module = symbolizer.code(vdso + 0x100).module.unwrap();
        assert_eq!((module.path.as_str(), module.offset), ("[vdso]", 0x100));
        let named = (0..0x2000).find_map(|offset| {
            let code = symbolizer.code(vdso + offset);
            let name = code.frames.first()?.function.clone()?;
            name.contains("clock_gettime").then_some(name)
        });
        assert!(named.is_some());
    }
    assert_eq!(symbolizer.code(0), Code::default());
    symbolizer.settle();
}

thread_local! {
    static PER_THREAD: std::cell::Cell<u64> = const { std::cell::Cell::new(7) };
}

#[test]
fn thread_local_variables() {
    let mut symbolizer = Symbolizer::new();
    symbolizer.refresh();
    let look = |symbolizer: &mut Symbolizer| {
        let thread_pointer: u64;
        // SAFETY: the first word of the block is its own address.
        unsafe { core::arch::asm!("mov {}, fs:0", out(reg) thread_pointer) };
        let address = PER_THREAD.with(|value| &raw const *value as u64);
        let variable = symbolizer
            .thread_local(bytes(address), thread_pointer, &[])
            .unwrap();
        assert_eq!(variable.start, address);
        assert_eq!(
            symbolizer.thread_local(bytes(thread_pointer), thread_pointer, &[]),
            None
        );
        assert_eq!(symbolizer.thread_local(bytes(address), 0, &[]), None);
        variable.name
    };
    let here = look(&mut symbolizer);
    assert!(here.contains("PER_THREAD"), "{here}");
    let there = std::thread::scope(|scope| scope.spawn(|| look(&mut symbolizer)).join());
    assert_eq!(there.unwrap(), here);
}

#[test]
fn an_unloaded_library_keeps_its_names() {
    let folder = fixture::Folder::new("unload");
    folder.write("a.c", fixture::SOURCE);
    folder.run("gcc", "-g -O1 -fPIC -shared a.c -o a.so");
    let mut symbolizer = Symbolizer::new();
    let path = std::ffi::CString::new(folder.path("a.so")).unwrap();
    // SAFETY: loads and unloads a library that nothing else uses.
    let address = unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert!(!library.is_null());
        let address = libc::dlsym(library, c"outer".as_ptr()) as u64;
        symbolizer.refresh();
        assert_eq!(libc::dlclose(library), 0);
        address
    };
    symbolizer.refresh();
    let code = symbolizer.code(address);
    assert_eq!(code.frames[0].function.as_deref(), Some("outer"));
    assert_eq!(code.module.unwrap().path, folder.path("a.so"));
}
