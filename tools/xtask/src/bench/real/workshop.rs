//! Builds real programs, a tree for each tool, and the inputs they share.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::recipe::Recipe;
use crate::bench::places::{CLANG, CLANGXX, Places};
use crate::bench::tool::Tool;
use crate::process::in_path;
use crate::source_package::{Sources, unpack};

/// Size of the text the compressors get.
const TEXT_BYTES: &str = "8000000";
/// Width, height and number of the frames the encoder gets.
const VIDEO: [&str; 3] = ["320", "240", "60"];

/// Where real programs are built.
#[derive(Debug)]
pub(super) struct Workshop<'a> {
    places: &'a Places,
    sources: Sources,
}

impl<'a> Workshop<'a> {
    /// A workshop in `target/real`, with the shared inputs made.
    pub(super) fn open(places: &'a Places) -> anyhow::Result<Self> {
        let workshop = Self {
            places,
            sources: Sources::new(places.real.join("apt")),
        };
        workshop.make_inputs()?;
        Ok(workshop)
    }

    /// The folder with inputs and native helpers.
    pub(super) fn inputs(&self) -> PathBuf {
        self.places.real.join("input")
    }

    fn helpers(&self) -> PathBuf {
        self.places.sources.join("real")
    }

    fn make_inputs(&self) -> anyhow::Result<()> {
        let folder = self.inputs();
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for name in ["corpus", "memcached_client"] {
            let source = self.helpers().join(format!("{name}.c"));
            let mut command = Command::new(CLANG);
            command
                .arg("-O2")
                .arg(source)
                .arg("-o")
                .arg(folder.join(name));
            let status = command
                .status()
                .with_context(|| format!("cannot run {CLANG}"))?;
            ensure!(status.success(), "{command:?} failed");
        }
        let [width, height, frames] = VIDEO;
        for (name, arguments) in [
            ("text", &["text", TEXT_BYTES][..]),
            ("video", &["video", width, height, frames]),
        ] {
            let file = File::create(folder.join(name))?;
            let status = Command::new(folder.join("corpus"))
                .args(arguments)
                .stdout(file)
                .status()?;
            ensure!(status.success(), "cannot make the input {name}");
        }
        Ok(())
    }

    /// Builds `recipe` for `tool` unless it is built already; its tree.
    pub(super) fn build(&mut self, recipe: &Recipe, tool: Tool) -> anyhow::Result<PathBuf> {
        for program in recipe.needs {
            ensure!(in_path(program), "needs {program}, which is not installed");
        }
        let home = self.places.real.join(recipe.name);
        let kind = if tool.is_valgrind() {
            "dwarf4"
        } else {
            tool.name()
        };
        let tree = home.join(kind);
        let stamp = home.join(format!("{kind}.built"));
        let recipe_text = format!("{:?}\n{recipe:?}\n", self.variables(tool));
        if self.is_current(&stamp, tool, &recipe_text) {
            return Ok(tree);
        }
        let _ = std::fs::remove_file(&stamp);
        if tree.exists() {
            std::fs::remove_dir_all(&tree).with_context(|| tree.display().to_string())?;
        }
        for package in recipe.sources {
            let tarball = self.sources.tarball(package)?;
            unpack(&tarball, &tree.join(package))?;
        }
        let log = home.join(format!("{kind}.log"));
        let output = File::create(&log).with_context(|| log.display().to_string())?;
        let status = Command::new("sh")
            .args(["-euxc", recipe.build])
            .current_dir(&tree)
            .envs(self.variables(tool))
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .status()?;
        if !status.success() {
            bail!("build failed, see {}", log.display());
        }
        std::fs::write(&stamp, recipe_text)?;
        Ok(tree)
    }

    /// What scripts see, besides the environment.
    pub(super) fn variables(&self, tool: Tool) -> Vec<(&'static str, String)> {
        let (cc, cxx) = match tool {
            Tool::Native => (CLANG.to_owned(), CLANGXX.to_owned()),
            Tool::Tsan => (
                format!("{CLANG} -fsanitize=thread"),
                format!("{CLANGXX} -fsanitize=thread"),
            ),
            Tool::Racert => {
                let wrapper = |cpp| self.places.wrapper(cpp).display().to_string();
                (wrapper(false), wrapper(true))
            }
            Tool::Helgrind | Tool::Drd => {
                (format!("{CLANG} -gdwarf-4"), format!("{CLANGXX} -gdwarf-4"))
            }
        };
        let flags = if tool.is_valgrind() { "-O2" } else { "-g -O2" };
        vec![
            ("CC", cc),
            ("CXX", cxx),
            ("CFLAGS", flags.to_owned()),
            ("CXXFLAGS", flags.to_owned()),
            ("JOBS", jobs().to_string()),
            ("HERE", self.helpers().display().to_string()),
            ("INPUT", self.inputs().display().to_string()),
            ("TOOL", tool.prefix().join(" ")),
        ]
    }

    /// Whether the stamp tells of this recipe and, for racert, of this build
    /// of racert.
    fn is_current(&self, stamp: &Path, tool: Tool, recipe_text: &str) -> bool {
        let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        if std::fs::read_to_string(stamp).ok().as_deref() != Some(recipe_text) {
            return false;
        }
        let Some(built) = modified(stamp) else {
            return false;
        };
        let mut inputs: Vec<PathBuf> = std::fs::read_dir(self.helpers())
            .map(|entries| {
                entries
                    .filter_map(|entry| entry.ok().map(|e| e.path()))
                    .collect()
            })
            .unwrap_or_default();
        if tool == Tool::Racert {
            inputs.extend([
                self.places.plugin(),
                self.places.racert.join("lib/libracert.a"),
            ]);
        }
        inputs
            .iter()
            .filter_map(|input| modified(input))
            .all(|changed| changed < built)
    }
}

fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}
