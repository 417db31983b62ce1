//! `cargo xtask fresh-root`: the two-command set-up on a machine that has
//! nothing but gcc and a Rust toolchain.
//!
//! The machine is a Debian or Ubuntu root made by mmdebstrap, with this commit cloned
//! into it. Mounts are made in a name space of their own and vanish with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::paths;
use crate::process::{self, in_path, step};

/// A second demo finds everything done.
const QUICK: Duration = Duration::from_secs(60);

/// What the machine is like.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The distribution's name for the release
    #[arg(long, default_value = "bookworm")]
    suite: String,
    /// Where its packages are, if it is not Debian
    /// (http://archive.ubuntu.com/ubuntu for noble)
    #[arg(long)]
    mirror: Option<String>,
    /// The keys that its packages are signed with (those of Ubuntu are in its
    /// package ubuntu-keyring)
    #[arg(long, requires = "mirror")]
    keyring: Option<PathBuf>,
    /// Work as a user with sudo instead of as root
    #[arg(long)]
    user: bool,
    /// Let apt install only LLVM 19
    #[arg(long)]
    older_llvm: bool,
    /// Run `cargo xtask test` there too
    #[arg(long)]
    test: bool,
    /// Install the .deb of `cargo xtask dist` instead, without Rust
    #[arg(long)]
    package: bool,
}

/// Makes the machine and sets racert up on it.
pub(crate) fn main(args: &Args) -> Result<()> {
    // SAFETY: geteuid has no preconditions.
    let is_root = unsafe { libc::geteuid() } == 0;
    ensure!(
        is_root,
        "only root can make a root folder for another machine"
    );
    ensure!(
        in_path("mmdebstrap"),
        "needs mmdebstrap: apt-get install mmdebstrap"
    );
    if args.package {
        return package(args);
    }
    let machine = Machine::make(args)?;
    ensure!(
        machine.run("cargo xtask demo --no-install").is_err(),
        "demo --no-install went on although packages are missing"
    );
    timed("the first race", || machine.run("cargo xtask demo"))?;
    let again = timed("the second time", || machine.run("cargo xtask demo"))?;
    ensure!(again < QUICK, "the second time is not quick");
    machine.run("cargo xtask doctor")?;
    machine.run("cargo xtask install --prefix ~/installed && mv ~/installed ~/moved")?;
    machine.run("~/moved/bin/racert doctor")?;
    if args.test {
        timed("the tests", || machine.run("cargo xtask test"))?;
    }
    step("the set-up works on a fresh machine");
    Ok(())
}

/// The package on a machine that has neither Rust nor a compiler.
fn package(args: &Args) -> Result<()> {
    let packages = paths::target().join("dist");
    let deb = fs::read_dir(&packages)
        .ok()
        .and_then(|entries| {
            let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            paths.find(|path| path.extension().is_some_and(|end| end == "deb"))
        })
        .context("no package in target/dist: run `cargo xtask dist`")?;
    let machine = Machine::make(args)?;
    fs::copy(&deb, machine.root.join("tmp/racert.deb"))?;
    machine.inside("apt-get --quiet update", true)?;
    let hello = "cp racert/examples/hello_race/hello_race.c hello.c && \
                 racert-clang hello.c && { ./a.out; test $? = 66; }";
    let install = "DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes \
                   install --no-install-recommends /tmp/racert.deb > /dev/null";
    let took = timed("the package and the first race", || {
        machine.inside(install, true)?;
        machine.inside(hello, !args.user)
    })?;
    println!("    that is {} s", took.as_secs());
    machine.inside("racert self-test", !args.user)?;
    step("the package works on a fresh machine");
    Ok(())
}

fn timed(what: &str, run: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    run()?;
    println!("    {what}: after {:.1} s", start.elapsed().as_secs_f32());
    Ok(start.elapsed())
}

/// A root folder and who works there.
struct Machine {
    root: PathBuf,
    toolchain: PathBuf,
    user: bool,
}

impl Machine {
    fn make(args: &Args) -> Result<Machine> {
        let folder = paths::target().join("fresh-root");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let archive = folder.join(format!("{}.tar", args.suite));
        if !archive.is_file() {
            step(&format!("making a root folder of {}", args.suite));
            let draft = folder.join(format!("{}.draft.tar", args.suite));
            process::run(&mut mmdebstrap(args, &draft))?;
            fs::rename(&draft, &archive)?;
        }
        let root = folder.join("root");
        step(&format!("a fresh machine in {}", root.display()));
        if root.exists() {
            fs::remove_dir_all(&root).context("cannot take the former machine away")?;
        }
        fs::create_dir(&root)?;
        process::run(
            Command::new("tar")
                .arg("-xf")
                .arg(&archive)
                .arg("-C")
                .arg(&root),
        )?;
        let machine = Machine {
            root,
            toolchain: toolchain()?,
            user: args.user,
        };
        machine.furnish(args)?;
        Ok(machine)
    }

    fn home(&self) -> &'static str {
        if self.user { "/home/dev" } else { "/root" }
    }

    /// Network settings, the clone, the user, the preferences.
    fn furnish(&self, args: &Args) -> Result<()> {
        for file in ["etc/resolv.conf", "etc/hosts"] {
            let _ = fs::copy(Path::new("/").join(file), self.root.join(file));
        }
        // Where a proxy signs for others, apt and cargo have to know it.
        let certificates = "usr/local/share/ca-certificates";
        fs::create_dir_all(self.root.join(certificates))?;
        for entry in fs::read_dir(Path::new("/").join(certificates))
            .into_iter()
            .flatten()
        {
            let entry = entry?;
            fs::copy(
                entry.path(),
                self.root.join(certificates).join(entry.file_name()),
            )?;
        }
        fs::create_dir_all(self.root.join("opt/rust"))?;
        if args.older_llvm {
            let preferences = "Package: *-22 *-22-*\nPin: release *\nPin-Priority: -1\n";
            fs::write(
                self.root.join("etc/apt/preferences.d/older-llvm"),
                preferences,
            )?;
        }
        self.inside(
            "update-ca-certificates > /dev/null 2>&1; useradd -m -s /bin/bash dev",
            true,
        )?;
        fs::write(
            self.root.join("etc/sudoers.d/dev"),
            "dev ALL=(ALL) NOPASSWD: ALL\n",
        )?;
        let clone = self
            .root
            .join(self.home().trim_start_matches('/'))
            .join("racert");
        process::run(
            Command::new("git")
                .args(["clone", "--quiet", "--no-hardlinks"])
                .arg(paths::root())
                .arg(clone),
        )?;
        self.inside("chown -R dev: /home/dev", true)
    }

    /// Runs a script in the clone, as whoever works there.
    fn run(&self, script: &str) -> Result<()> {
        step(&format!("on the fresh machine: {script}"));
        self.inside(&format!("cd racert && {script}"), !self.user)
    }

    fn inside(&self, script: &str, as_root: bool) -> Result<()> {
        let mounts = r#"
            mount --rbind /proc "$0/proc"
            mount --rbind /dev "$0/dev"
            mount --bind -o ro "$1" "$0/opt/rust"
            exec env -i HOME="$2" USER="$3" TERM=dumb \
                PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
                chroot --userspec="$3" "$0" bash -c "cd && $4"
        "#;
        let (home, user) = if as_root {
            ("/root", "root")
        } else {
            ("/home/dev", "dev")
        };
        let status = Command::new("unshare")
            .args(["--mount", "sh", "-euc", mounts])
            .arg(&self.root)
            .arg(&self.toolchain)
            .args([home, user, script])
            .status()
            .context("cannot run unshare")?;
        if !status.success() {
            bail!("`{script}` failed ({status})");
        }
        Ok(())
    }
}

/// A minimal system with gcc and what a machine of a developer has anyhow.
fn mmdebstrap(args: &Args, archive: &Path) -> Command {
    let mut command = Command::new("mmdebstrap");
    command
        .args(["--quiet", "--variant=minbase"])
        .arg("--include=apt,gcc,libc6-dev,ca-certificates,git,sudo");
    if let Some(keyring) = &args.keyring {
        command.arg(format!("--keyring={}", keyring.display()));
    }
    if args.mirror.is_some() {
        command.arg("--components=main,universe");
    }
    command.arg(&args.suite).arg(archive).args(&args.mirror);
    command
}

/// The Rust toolchain that runs this.
fn toolchain() -> Result<PathBuf> {
    let sysroot = process::output(Command::new("rustc").args(["--print", "sysroot"]));
    let path = sysroot.context("rustc does not say where it is")?;
    Ok(PathBuf::from(path.trim()))
}
