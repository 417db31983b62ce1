//! Finds the plugin and the LLVM tools it belongs to, and runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// All versions the pass can be built for.
const SUPPORTED: [u32; 3] = [22, 19, 18];

/// The one that the tests are built for.
const DEFAULT: u32 = if cfg!(feature = "llvm18") {
    18
} else if cfg!(feature = "llvm19") {
    19
} else {
    22
};

/// One LLVM with the plugin built for it.
pub(crate) struct Llvm {
    major: u32,
    bin: PathBuf,
    plugin: PathBuf,
}

/// The folder of this crate.
pub(crate) fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for a test's files.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

impl Llvm {
    /// The LLVM this crate was built for.
    pub(crate) fn default_version() -> &'static Llvm {
        static BUILT: OnceLock<Llvm> = OnceLock::new();
        BUILT.get_or_init(|| {
            let bin = bin_folder(DEFAULT).expect("llvm-config of the LLVM this was built for");
            Llvm {
                major: DEFAULT,
                bin,
                plugin: build_plugin(DEFAULT, &target_folder()),
            }
        })
    }

    /// Those of the other versions that are installed, with their plugins.
    pub(crate) fn others() -> &'static [Llvm] {
        static BUILT: OnceLock<Vec<Llvm>> = OnceLock::new();
        BUILT.get_or_init(|| {
            let others = SUPPORTED.into_iter().filter(|&major| major != DEFAULT);
            others.filter_map(Llvm::other).collect()
        })
    }

    fn other(major: u32) -> Option<Llvm> {
        let bin = bin_folder(major).filter(|bin| bin.join("clang").exists())?;
        let plugin = build_plugin(major, &target_folder().join(format!("llvm{major}")));
        Some(Llvm { major, bin, plugin })
    }

    /// Which LLVM.
    pub(crate) fn major(&self) -> u32 {
        self.major
    }

    /// The plugin's file.
    pub(crate) fn plugin(&self) -> &Path {
        &self.plugin
    }

    /// A tool of this LLVM.
    pub(crate) fn tool(&self, name: &str) -> Command {
        Command::new(self.bin.join(name))
    }

    /// clang or clang++, with the plugin loaded.
    pub(crate) fn compiler(&self, name: &str) -> Command {
        let mut command = self.tool(name);
        let plugin = self.plugin.display();
        // Options given by -mllvm are parsed before -fpass-plugin takes
        // effect in LLVM 19.
        command
            .args(["-Xclang", "-load", "-Xclang"])
            .arg(&self.plugin);
        command.arg(format!("-fpass-plugin={plugin}"));
        command
    }

    /// opt, with the plugin loaded.
    pub(crate) fn opt(&self) -> Command {
        let mut command = self.tool("opt");
        command.arg(format!("-load-pass-plugin={}", self.plugin.display()));
        command
    }
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn bin_folder(major: u32) -> Option<PathBuf> {
    let prefix = std::env::var_os(format!("LLVM_SYS_{major}1_PREFIX"));
    let config = match prefix {
        Some(prefix) => PathBuf::from(prefix).join("bin/llvm-config"),
        None => PathBuf::from(format!("llvm-config-{major}")),
    };
    let output = Command::new(config).arg("--bindir").output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

fn target_folder() -> PathBuf {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    temporary
        .parent()
        .expect("a folder of the target folder")
        .to_owned()
}

/// Builds the plugin: nothing can depend on a library that only a compiler
/// can load, so cargo does not build it for the tests by itself.
fn build_plugin(major: u32, target: &Path) -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "racert-pass", "--release"])
        .args([
            "--no-default-features",
            "--features",
            &format!("llvm{major}"),
            "--target-dir",
        ])
        .arg(target)
        .current_dir(crate_folder())
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the plugin builds for LLVM {major}");
    target.join("release/libracert_pass.so")
}
