//! The compiler and the pieces of the installation.

use std::process::Command;

use crate::layout::Layout;
use crate::wrap::clang::{self, Driver};

use super::finding::Finding;

/// Checks the install tree and, if there is one, both compilers.
pub(super) fn check() -> Vec<Finding> {
    let layout = match Layout::find() {
        Ok(layout) => layout,
        Err(error) => {
            return vec![Finding::fail(
                "installation",
                error.to_string(),
                "cargo xtask build",
            )];
        }
    };
    let mut findings = vec![runtime(&layout), plugins(&layout)];
    findings.push(compiler("C compiler", Driver::C, &layout));
    findings.push(compiler("C++ compiler", Driver::Cxx, &layout));
    findings
}

fn runtime(layout: &Layout) -> Finding {
    let wanted = [
        layout.static_runtime(),
        layout.dynamic_list(),
        layout.shared_runtime(),
    ];
    let missing: Vec<_> = wanted
        .iter()
        .filter(|p| !p.is_file())
        .map(|p| p.display().to_string())
        .collect();
    if missing.is_empty() {
        Finding::ok("runtime", layout.static_runtime().display().to_string())
    } else {
        Finding::fail(
            "runtime",
            format!("missing {}", missing.join(", ")),
            "cargo xtask build",
        )
    }
}

fn plugins(layout: &Layout) -> Finding {
    let versions = layout.plugin_versions();
    if versions.is_empty() {
        return Finding::fail(
            "plugin",
            format!("no libracert_pass-*.so in {}", layout.lib().display()),
            "install llvm-22-dev, llvm-19-dev or llvm-18-dev, then cargo xtask build",
        );
    }
    let list = versions
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(" and ");
    Finding::ok("plugin", format!("for clang {list}"))
}

fn compiler(subject: &'static str, driver: Driver, layout: &Layout) -> Finding {
    let clang = match clang::find(driver, layout) {
        Ok(clang) => clang,
        Err(error) => {
            return Finding::fail(subject, error.to_string(), "apt-get install clang-22");
        }
    };
    let name = clang
        .command
        .iter()
        .map(|w| w.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    match loads_plugin(&clang, driver) {
        Ok(()) => Finding::ok(
            subject,
            format!("{name} (LLVM {}) loads the plugin", clang.version),
        ),
        Err(message) => Finding::fail(
            subject,
            format!("{name} does not load {}: {message}", clang.plugin.display()),
            "rebuild the plugin for this compiler: cargo xtask build",
        ),
    }
}

/// Compiles an empty file with the plugin; `Err` holds clang's first line.
fn loads_plugin(clang: &clang::Clang, driver: Driver) -> Result<(), String> {
    let language = match driver {
        Driver::C => "c",
        Driver::Cxx => "c++",
    };
    let (program, arguments) = clang.command.split_first().expect("a compiler has a name");
    let output = Command::new(program)
        .args(arguments)
        .arg(format!("-fpass-plugin={}", clang.plugin.display()))
        .args(["-x", language, "-c", "/dev/null", "-o", "/dev/null"])
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().next().unwrap_or("no message").to_owned())
}
