//! What is shown while a file is rewritten: a bar, on a terminal only.

use std::time::Duration;

use super::pages;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use racert_rewrite::{Options, Result, Rewritten, rewrite_watched};

/// Rewrites `bytes`, of the file called `name`.
pub(super) fn rewrite(name: &str, bytes: Vec<u8>, options: &Options) -> Result<Rewritten> {
    // Draws nothing if the standard error output is no terminal.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{prefix} {bar:30} {percent:>3} %");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(name.to_owned());
    // Small files are done before anybody could read it.
    let mut begun = None;
    pages::keep_heap_small();
    pages::give_back_code();
    let result = rewrite_watched(bytes, options, &mut |done, total| {
        // What has found out what to do does not do it.
        if done == total / 2 {
            pages::give_back_code();
        }
        let begun = begun.get_or_insert_with(std::time::Instant::now);
        if begun.elapsed() > FIRST {
            bar.set_length(total);
            bar.set_position(done);
        }
    });
    bar.finish_and_clear();
    result
}

const FIRST: Duration = Duration::from_millis(200);
