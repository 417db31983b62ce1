//! How the shared library is linked.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let map = format!("{folder}/src/intercept/exports.map");
    println!("cargo:rerun-if-changed={map}");
    // The interceptors are written in assembly, which rustc does not export.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--version-script={map}");
    // The precompiled alloc library refers to the unwinder, though nothing
    // here unwinds.
    println!("cargo:rustc-cdylib-link-arg=-lgcc_s");
}
