//! `cargo xtask build`: all crates, then the install tree in `target/racert`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail, ensure};

use crate::llvm::{self, Llvm};
use crate::paths;
use crate::process::{self, cargo, step};
use crate::runtime;
use crate::stage::Stage;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files of `cmake/` that get the version, and where they go.
const TEMPLATES: [(&str, &str); 2] = [
    (
        "RacertConfigVersion.cmake.in",
        "lib/cmake/Racert/RacertConfigVersion.cmake",
    ),
    ("racert.pc.in", "lib/pkgconfig/racert.pc"),
];

/// Builds and stages everything.
pub(crate) fn main() -> Result<()> {
    let stage = Stage::new(paths::stage());
    // The runtime is optimised as a whole, which keeps one core busy; the rest
    // is built beside it. All are tried, so that one that does not build leaves
    // the others usable.
    thread::scope(|scope| {
        let runtime = scope.spawn(|| runtime::build(&stage));
        let rest = command(&stage)
            .and_then(|()| support_files(&stage))
            .and_then(|()| plugins(&stage));
        let runtime = runtime.join().expect("a thread that does not panic");
        rest.and(runtime)
    })?;
    step(&format!(
        "ready: {}",
        paths::stage().join("bin/racert-clang").display()
    ));
    Ok(())
}

fn command(stage: &Stage) -> Result<()> {
    step("building the racert command");
    process::run(cargo().args(["build", "--quiet", "--profile", "command", "-p", "racert"]))?;
    stage.copy(&paths::target().join("command/racert"), "bin/racert")?;
    stage.link("bin/racert-clang", "racert")?;
    stage.link("bin/racert-clang++", "racert")?;
    generated(stage)
}

/// Manual pages and completions, which the command itself writes.
fn generated(stage: &Stage) -> Result<()> {
    let racert = paths::stage().join("bin/racert");
    let pages = paths::target().join("man");
    process::run(Command::new(&racert).arg("man").arg(&pages))?;
    for entry in fs::read_dir(&pages)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        stage.copy(&entry.path(), &format!("share/man/man1/{name}"))?;
    }
    for (shell, to) in [
        ("bash", "share/bash-completion/completions/racert"),
        ("zsh", "share/zsh/site-functions/_racert"),
        ("fish", "share/fish/vendor_completions.d/racert.fish"),
    ] {
        let text = process::output(Command::new(&racert).args(["completions", shell]))
            .with_context(|| format!("no completions for {shell}"))?;
        stage.write(to, &text)?;
    }
    Ok(())
}

fn support_files(stage: &Stage) -> Result<()> {
    let root = paths::root();
    for header in [
        "annotations.h",
        "api.h",
        "catch2.h",
        "findings.hpp",
        "gtest.h",
    ] {
        stage.copy(
            &root.join("annotations/include/racert").join(header),
            &format!("include/racert/{header}"),
        )?;
    }
    let header = "google/protobuf/map_field.h";
    stage.copy(
        &root.join("annotations/headers").join(header),
        &format!("include/racert/headers/{header}"),
    )?;
    for file in cmake_package()? {
        stage.copy(
            &root.join("cmake").join(&file),
            &format!("lib/cmake/Racert/{file}"),
        )?;
    }
    for file in [
        "meson/racert-native.ini",
        "conan/racert",
        "vcpkg/x64-linux-race.cmake",
        "bazel/race.bazelrc",
    ] {
        stage.copy(
            &root.join("integrations").join(file),
            &format!("share/racert/{file}"),
        )?;
    }
    for (template, to) in TEMPLATES {
        let path = root.join("cmake").join(template);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        stage.write(to, &text.replace("@VERSION@", VERSION))?;
    }
    Ok(())
}

/// The files of `cmake/` that are copied as they are.
fn cmake_package() -> Result<Vec<String>> {
    let folder = paths::root().join("cmake");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !TEMPLATES.iter().any(|(template, _)| *template == name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn plugins(stage: &Stage) -> Result<()> {
    let versions = llvm::installed();
    let Some(&preferred) = versions.first() else {
        bail!(
            "no LLVM headers found: install llvm-22-dev, llvm-19-dev or llvm-18-dev, or run `cargo xtask setup`"
        );
    };
    for llvm in llvm::SUPPORTED {
        let name = plugin_name(llvm);
        if versions.contains(&llvm) {
            stage.copy(&plugin(llvm)?, &name)?;
        } else {
            stage.remove(&name)?;
        }
    }
    let preferred = plugin_name(preferred);
    stage.link(
        "lib/libracert_pass.so",
        preferred.trim_start_matches("lib/"),
    )
}

fn plugin_name(llvm: Llvm) -> String {
    format!("lib/libracert_pass-{}.so", llvm.0)
}

/// Builds the plugin for one LLVM. Each has its own build folder, so that
/// building one does not throw the other away.
fn plugin(llvm: Llvm) -> Result<PathBuf> {
    step(&format!("building the plugin for LLVM {}", llvm.0));
    let folder = plugin_target(llvm);
    let feature = llvm.feature();
    process::run(
        cargo()
            .args([
                "build",
                "--quiet",
                "--release",
                "-p",
                "racert-pass",
                "--no-default-features",
            ])
            .args(["--features", &feature, "--target-dir"])
            .arg(&folder),
    )?;
    let plugin = folder.join("release/libracert_pass.so");
    ensure!(
        plugin.is_file(),
        "the crate racert-pass made no {}",
        plugin.display()
    );
    Ok(plugin)
}

/// The build folder of the plugin for one LLVM.
fn plugin_target(llvm: Llvm) -> PathBuf {
    match llvm {
        llvm if llvm == llvm::SUPPORTED[0] => paths::target(),
        llvm => paths::target().join(llvm.feature()),
    }
}
