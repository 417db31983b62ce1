//! A program run as a child, with its state on the terminal.
//!
//! To the outside this process is the program: it passes on every signal that
//! somebody sends to it, and ends as the program ended.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use super::display::{self, Ending, Line};
use super::status::Shared;

/// How often the line is written anew.
const REFRESH: Duration = Duration::from_millis(250);

/// Signals that are for the program.
const PASSED_ON: [i32; 9] = [
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGCONT,
    libc::SIGWINCH,
];

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Code(u8),
    Signal(i32),
}

/// Runs `command` and ends like it.
pub(super) fn run(mut command: Command, name: &str, shared: &Shared) -> io::Result<ExitCode> {
    let start = Instant::now();
    let signals = Signals::hold()?;
    let before = signals.before;
    // SAFETY: only a system call between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            Ok(())
        });
    }
    let child = command.spawn()?;
    let pid = child.id() as i32;
    let mut line = Line::new();
    let mut latest = shared.sample();
    let (end, peak) = loop {
        if let Some(ended) = ended(pid) {
            break ended;
        }
        match signals.wait(REFRESH) {
            Some((libc::SIGCHLD, _)) => {}
            Some((signal, true)) => {
                // SAFETY: our own child, which has not been waited for.
                unsafe { libc::kill(pid, signal) };
            }
            // What the terminal sends, the program got, too.
            Some((_, false)) => {}
            None if start.elapsed() >= display::FIRST => {
                latest = shared.sample();
                line.show(start.elapsed(), &latest);
            }
            None => {}
        }
    };
    line.end();
    let mut last = shared.sample();
    last.recorded = last.recorded.max(latest.recorded);
    let how = match end {
        End::Code(code) => format!("ended with {code}"),
        End::Signal(signal) => format!("was ended by signal {signal}"),
    };
    display::summary(&Ending {
        program: name,
        how: &how,
        elapsed: start.elapsed(),
        peak,
        sample: &last,
    });
    match end {
        End::Code(code) => Ok(ExitCode::from(code)),
        End::Signal(signal) => die(signal),
    }
}

/// How the child ended and the bytes it had in memory at most, if it has.
fn ended(pid: i32) -> Option<(End, u64)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both are ours to write.
    let waited = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()) };
    if waited != pid {
        return None;
    }
    // SAFETY: zeroed before, and filled by the kernel.
    let peak = unsafe { usage.assume_init() }.ru_maxrss as u64 * 1024;
    let end = if libc::WIFSIGNALED(status) {
        End::Signal(libc::WTERMSIG(status))
    } else {
        End::Code(libc::WEXITSTATUS(status) as u8)
    };
    Some((end, peak))
}

/// Ends this process by `signal`, without another core.
fn die(signal: i32) -> ! {
    // SAFETY: this process has nothing left to do.
    unsafe {
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(signal, libc::SIG_DFL);
        let mut set = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), std::ptr::null_mut());
        libc::raise(signal);
    }
    std::process::exit(128 + signal)
}

/// Signals that are taken one by one instead of interrupting.
struct Signals {
    set: libc::sigset_t,
    before: libc::sigset_t,
}

impl Signals {
    fn hold() -> io::Result<Signals> {
        let mut set = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        // SAFETY: libc fills both sets.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            for signal in PASSED_ON.into_iter().chain([libc::SIGCHLD]) {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
            let error = libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), before.as_mut_ptr());
            if error != 0 {
                return Err(io::Error::from_raw_os_error(error));
            }
            Ok(Signals {
                set: set.assume_init(),
                before: before.assume_init(),
            })
        }
    }

    /// The next signal within `patience`, and whether a process sent it.
    fn wait(&self, patience: Duration) -> Option<(i32, bool)> {
        let time = libc::timespec {
            tv_sec: patience.as_secs() as libc::time_t,
            tv_nsec: patience.subsec_nanos().into(),
        };
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: the set is initialised, libc fills the description.
        let signal = unsafe { libc::sigtimedwait(&self.set, info.as_mut_ptr(), &time) };
        // SAFETY: zeroed before, or filled.
        let info = unsafe { info.assume_init() };
        (signal > 0).then_some((signal, info.si_code <= 0))
    }
}
