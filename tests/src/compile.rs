//! Compiles scenarios, each once.
//!
//! The result lies in `target/scenarios/` under a hash of everything that went
//! into it: the flags, the sources, the shared headers, and size and time of
//! the detector's own files. A second run compiles nothing. What was made of the
//! same sources in the same way before is removed: all programs together take
//! over ten gigabytes. Several processes may compile the same thing at once: each
//! writes under a name of its own, and the first to finish gives its result the
//! final name.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::detector::Detector;
use crate::header::Loading;
use crate::matrix::{Case, Language, primary_language};

/// A compiled scenario.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable file.
    pub executable: PathBuf,
}

fn cache_dir() -> Result<PathBuf, String> {
    let dir = crate::target_dir().join("scenarios");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    dir.canonicalize()
        .map_err(|error| format!("{}: {error}", dir.display()))
}

fn hash_file(hasher: &mut DefaultHasher, path: &Path) -> Result<(), String> {
    let content = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    path.hash(hasher);
    content.hash(hasher);
    Ok(())
}

/// Size and time stand for the content of the detector's large files.
fn hash_stamp(hasher: &mut DefaultHasher, path: &Path) -> Result<(), String> {
    let data = fs::metadata(path).map_err(|error| {
        format!(
            "{}: {error} (`cargo xtask build` installs racert there)",
            path.display()
        )
    })?;
    path.hash(hasher);
    data.len().hash(hasher);
    data.modified().ok().hash(hasher);
    Ok(())
}

/// Hash of what every program depends on.
pub(crate) fn hash_common(detector: &Detector) -> Result<DefaultHasher, String> {
    let mut hasher = DefaultHasher::new();
    for input in detector.inputs() {
        hash_stamp(&mut hasher, &input)?;
    }
    let root = crate::scenarios_dir();
    let mut headers: Vec<PathBuf> = fs::read_dir(&root)
        .and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.path()))
                .collect::<io::Result<_>>()
        })
        .map_err(|error| format!("{}: {error}", root.display()))?;
    headers.retain(|path| path.extension().is_some_and(|extension| extension == "h"));
    headers.sort();
    for header in headers {
        hash_file(&mut hasher, &header)?;
    }
    Ok(hasher)
}

/// The command line up to the sources and the output.
fn base_flags(detector: &Detector, case: &Case) -> Vec<String> {
    let mut flags = vec![
        format!("-{}", case.opt),
        "-g".into(),
        "-pthread".into(),
        "-Wall".into(),
        "-D_GNU_SOURCE".into(),
    ];
    flags.push(format!("-I{}", crate::scenarios_dir().display()));
    flags.extend(linker(detector, case));
    flags.extend(detector.flags().iter().map(|&flag| flag.to_owned()));
    flags
}

/// Linking takes longer than compiling, and lld half the time of the system's
/// linker; one of each pair of twins is linked by the latter at one level.
fn linker(detector: &Detector, case: &Case) -> Option<String> {
    let lld = format!("/usr/lib/llvm-{}/bin/ld.lld", detector.llvm());
    let as_usual = case.opt == "O1"
        && case.language == primary_language(&case.scenario)
        && case.scenario.name.ends_with("_race");
    (!as_usual && Path::new(&lld).exists()).then(|| "-fuse-ld=lld".to_owned())
}

/// Runs `compiler flags -o` into the cache unless the result is there already.
/// It depends on the `headers` too.
pub(crate) fn build(
    compiler: &Path,
    flags: &[String],
    sources: &[&Path],
    headers: &[&Path],
    mut hasher: DefaultHasher,
    stem: &str,
) -> Result<PathBuf, String> {
    compiler.hash(&mut hasher);
    flags.hash(&mut hasher);
    for source in sources.iter().chain(headers) {
        hash_file(&mut hasher, source)?;
    }
    let cache = cache_dir()?;
    let way = way_hash(compiler, flags, sources, &cache);
    let dir = cache.join(format!("{stem}-{way:016x}"));
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let output = dir.join(format!("{stem}-{:016x}", hasher.finish()));
    if output.exists() {
        return Ok(output);
    }
    remove_others(&dir, &output)?;
    let draft = tempfile::Builder::new()
        .prefix("draft-")
        .tempdir_in(&dir)
        .map_err(|error| format!("{}: {error}", dir.display()))?;
    let draft_output = draft.path().join("out");
    let mut command = Command::new(compiler);
    command
        .args(sources)
        .args(flags)
        .arg("-o")
        .arg(&draft_output);
    let result = command
        .output()
        .map_err(|error| format!("{}: {error}", compiler.display()))?;
    if !result.status.success() || !draft_output.exists() {
        let text = String::from_utf8_lossy(&result.stderr);
        return Err(format!("{command:?} failed, {}:\n{text}", result.status));
    }
    match fs::hard_link(&draft_output, &output) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(format!("{}: {error}", output.display()))
        }
        _ => Ok(output),
    }
}

/// Hash of how something is made, whatever the files contain: libraries in the
/// cache have a hash of that in their names.
fn way_hash(compiler: &Path, flags: &[String], sources: &[&Path], cache: &Path) -> u64 {
    let cache = cache.display().to_string();
    let mut hasher = DefaultHasher::new();
    (compiler, sources).hash(&mut hasher);
    for flag in flags.iter().filter(|flag| !flag.contains(&cache)) {
        flag.hash(&mut hasher);
    }
    hasher.finish()
}

/// Removes all results in a folder but this one, which another process may just
/// have finished. Drafts, which are folders, stay, too.
fn remove_others(dir: &Path, result: &Path) -> Result<(), String> {
    let say = |error: io::Error| format!("{}: {error}", dir.display());
    for entry in fs::read_dir(dir).map_err(say)? {
        let path = entry.map_err(say)?.path();
        if path == result {
            continue;
        }
        match fs::remove_file(&path) {
            Err(error) if path.is_file() => return Err(say(error)),
            _ => {}
        }
    }
    Ok(())
}

/// The flags that the scenario asks for.
fn own_flags(detector: &Detector, case: &Case) -> Vec<String> {
    let llvm = detector.llvm().to_string();
    let flags = case.scenario.header.flags.iter();
    flags
        .flat_map(|flag| match flag.strip_prefix("{pkg:") {
            Some(package) => packaged(package.trim_end_matches('}')),
            None => vec![flag.replace("{llvm}", &llvm)],
        })
        .collect()
}

/// What `pkg-config` says about a package; nothing if it does not know it.
fn packaged(package: &str) -> Vec<String> {
    let result = Command::new("pkg-config")
        .args(["--cflags", "--libs", package])
        .output();
    let text = result.map(|result| result.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    text.split_whitespace().map(str::to_owned).collect()
}

/// The first header a case needs that is not there.
pub fn missing(detector: &Detector, case: &Case) -> Option<String> {
    let needs = &case.scenario.header.needs;
    let language = match case.language {
        Language::C => "-xc",
        Language::Cxx => "-xc++",
    };
    needs.iter().find_map(|header| {
        let compiled = Command::new(detector.compiler(case.language))
            .args(own_flags(detector, case))
            .args([
                "-fsyntax-only",
                "-w",
                "-include",
                header,
                language,
                "/dev/null",
            ])
            .output();
        let there = compiled.is_ok_and(|compiled| compiled.status.success());
        (!there).then(|| header.clone())
    })
}

/// Compiles a case, or finds it compiled.
pub fn compile(detector: &Detector, case: &Case) -> Result<Program, String> {
    let scenario = &case.scenario;
    let common = hash_common(detector)?;
    let compiler = detector.compiler(case.language);
    let mut flags = base_flags(detector, case);
    if case.language == Language::Cxx && scenario.path.extension().is_some_and(|ext| ext == "c") {
        flags.push("-xc++".into());
    }
    let mut library_flags = Vec::new();
    if let Some((loading, file)) = &scenario.header.library {
        let source = scenario.path.with_file_name(file);
        let shared = [&flags[..], &["-shared".into(), "-fPIC".into()]].concat();
        let stem = format!("lib{}", file.replace('.', "-"));
        let library = match loading {
            Loading::Plain => {
                let compiler = detector.plain_compiler();
                let shared = ["-g", "-O2", "-shared", "-fPIC", "-pthread"].map(str::to_owned);
                build(&compiler, &shared, &[&source], &[], common.clone(), &stem)?
            }
            _ => build(&compiler, &shared, &[&source], &[], common.clone(), &stem)?,
        };
        match loading {
            Loading::Linked | Loading::Plain => {
                library_flags.extend(["-xnone".into(), library.display().to_string()])
            }
            Loading::Dlopen => {
                flags.push(format!("-DLIBRARY_PATH=\"{}\"", library.display()));
                library_flags.extend(["-rdynamic".into(), "-ldl".into()]);
            }
        }
    }
    flags.extend(own_flags(detector, case));
    flags.extend(library_flags);
    let stem = scenario.name.replace('/', "-");
    let others = scenario.header.with.iter();
    let others: Vec<PathBuf> = others
        .map(|file| scenario.path.with_file_name(file))
        .collect();
    let sources: Vec<&Path> = [&scenario.path]
        .into_iter()
        .chain(&others)
        .map(PathBuf::as_path)
        .collect();
    let executable = build(&compiler, &flags, &sources, &[], common, &stem)?;
    Ok(Program { executable })
}
