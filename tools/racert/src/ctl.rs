//! `racert ctl`: questions to a running program.
//!
//! A dump is asked for by a signal (`dump_signal`), queued with a descriptor
//! of ours as its value: the program's runtime writes the answer into the
//! memory file behind it, and ends with a line that says so.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use racert_abi::status;

use crate::cli::{CtlArgs, CtlCommand};
use crate::error::{self, Error, Result};

/// How long an answer may take before another thread is asked.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often to look whether it is there.
const LOOK: Duration = Duration::from_millis(20);
/// The last line of a dump.
const END: &str = "racert: end of dump\n";

/// Asks, and prints the answer.
pub(crate) fn run(args: &CtlArgs) -> Result<ExitCode> {
    match args.command {
        CtlCommand::Dump { timeout } => dump(args.pid, Duration::from_secs(timeout)),
    }
}

fn dump(pid: i32, timeout: Duration) -> Result<ExitCode> {
    let signal = dump_signal(pid)?;
    let mut answer = memory_file().map_err(|e| cannot(pid, &e))?;
    let value = libc::sigval {
        sival_ptr: answer.as_raw_fd() as usize as *mut libc::c_void,
    };
    // SAFETY: sends a signal; the process has a handler for it.
    if unsafe { libc::sigqueue(pid, signal, value) } != 0 {
        return Err(cannot(pid, &io::Error::last_os_error()));
    }
    let start = Instant::now();
    let mut others = threads(pid).into_iter();
    let mut asked = Instant::now();
    while start.elapsed() < timeout {
        let text = contents(&mut answer).map_err(|e| cannot(pid, &e))?;
        if text.ends_with(END) {
            io::stdout()
                .write_all(text.as_bytes())
                .map_err(|e| cannot(pid, &e))?;
            return Ok(ExitCode::SUCCESS);
        }
        // The thread that got the signal may be in the middle of something of
        // the runtime's that does not end; nothing is written twice.
        if asked.elapsed() > PATIENCE && text.is_empty() {
            asked = Instant::now();
            if let Some(thread) = others.next() {
                ask_thread(pid, thread, signal, answer.as_raw_fd());
            }
        }
        thread::sleep(LOOK);
    }
    Err(Error::new(
        error::UNUSABLE,
        format!("no answer from process {pid} in {} s", timeout.as_secs()),
    )
    .hint("it may be stopped, or keep the signal blocked in all threads; if it runs in a container, the answer is in its error output"))
}

/// The signal that the process takes for a question.
fn dump_signal(pid: i32) -> Result<i32> {
    let environ = fs::read(format!("/proc/{pid}/environ")).map_err(|e| cannot(pid, &e))?;
    let variable = |name: &str| {
        let texts = environ.split(|byte| *byte == 0);
        texts
            .map(String::from_utf8_lossy)
            .find_map(|text| Some(text.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    };
    let options = variable("RACERT_OPTIONS").unwrap_or_default();
    let chosen = options
        .split([':', ',', ' '])
        .filter_map(|option| option.strip_prefix("dump_signal="))
        .next_back()
        .unwrap_or("auto");
    let signal = match chosen {
        "SIGUSR1" => libc::SIGUSR1,
        "SIGUSR2" => libc::SIGUSR2,
        "SIGQUIT" => libc::SIGQUIT,
        "auto" if variable(status::VARIABLE).is_some() => libc::SIGUSR1,
        _ => {
            return Err(
                Error::new(error::UNUSABLE, format!("process {pid} takes no questions"))
                    .hint("start it with `racert run`, or with RACERT_OPTIONS=dump_signal=SIGUSR1"),
            );
        }
    };
    if catches(pid, signal)? {
        return Ok(signal);
    }
    Err(Error::new(
        error::UNUSABLE,
        format!("process {pid} does not listen to signal {signal}"),
    )
    .hint("it was not built with racert, or changed what the signal does; see dump_signal in RACERT_OPTIONS=help=1"))
}

/// Does the process have a handler for `signal`? Without one it would end.
fn catches(pid: i32, signal: i32) -> Result<bool> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).map_err(|e| cannot(pid, &e))?;
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    Ok(caught & 1 << (signal - 1) != 0)
}

fn threads(pid: i32) -> Vec<i32> {
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect()
}

/// Queues the signal for one thread.
fn ask_thread(pid: i32, thread: i32, signal: i32, fd: i32) {
    /// The kernel's `siginfo_t` of a queued signal.
    #[repr(C)]
    struct Queued {
        signal: i32,
        errno: i32,
        code: i32,
        pad: i32,
        pid: i32,
        uid: u32,
        value: usize,
        rest: [u64; 12],
    }
    let info = Queued {
        signal,
        errno: 0,
        code: libc::SI_QUEUE,
        pad: 0,
        // SAFETY: take no arguments.
        pid: unsafe { libc::getpid() },
        // SAFETY: as above.
        uid: unsafe { libc::getuid() },
        value: fd as usize,
        rest: [0; 12],
    };
    // SAFETY: the structure has the kernel's size and layout.
    unsafe {
        libc::syscall(
            libc::SYS_rt_tgsigqueueinfo,
            pid,
            thread,
            signal,
            &raw const info,
        )
    };
}

fn memory_file() -> io::Result<File> {
    // SAFETY: a name and flags.
    let fd = unsafe { libc::memfd_create(c"racert-dump".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a new descriptor that nobody else has.
    Ok(unsafe { File::from_raw_fd(fd) })
}

fn contents(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cannot(pid: i32, why: &io::Error) -> Error {
    Error::new(error::UNUSABLE, format!("cannot ask process {pid}: {why}"))
}
